"""Files of tests/vectors, each of whose rows is an answer: its decimals rounded outward to doubles."""
import math
from fractions import Fraction

from claims import BadInput, field, word

ENDS = {"the answer": ("lower", "upper"), "an upper bound": ("upper",), "a lower bound": ("lower",)}


def answers_of(file):
    about = word(file, "about", ENDS)
    for number, row in enumerate(field(file, "rows", list), 1):
        query, direction = field(row, "query", str), field(row, "direction")
        given = {name: row[name] for name in ("epsilon", "delta") if name in row and name != query}
        ends = {end: _outward(field(row, end), 1 if end == "upper" else -1) for end in ENDS[about]}
        yield {"id": f"row {number}", "query": query, **given, query: ends, "mechanisms": field(row, "mechanisms"),
               "adjacency": field(row, "adjacency"), "asked_direction": "worst" if direction == "both" else direction, "only_guaranteed": True}


def _outward(text, side):
    try:
        exact, value = Fraction(text), float(Fraction(text))
    except (TypeError, ValueError, ArithmeticError):
        raise BadInput(f"an end is {text!r}, but must be a decimal in quotes") from None
    return math.nextafter(value, side * math.inf) if (exact - Fraction(value)) * side > 0 else value
