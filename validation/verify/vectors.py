"""Files of tests/vectors, each of whose rows is an answer: its decimals rounded outward to doubles."""
import math
from fractions import Fraction

from claims import BadInput, field

ENDS = {"the answer": ("lower", "upper"), "an upper bound": ("upper",), "a lower bound": ("lower",)}


def answers_of(file):
    about = field(file, "about")
    if about not in ENDS:
        raise BadInput(f"about is {about!r}, but must be one of {', '.join(ENDS)}")
    for number, row in enumerate(field(file, "rows", list), 1):
        query = field(row, "query")
        given = {name: row[name] for name in ("epsilon", "delta") if name in row and name != query}
        ends = {end: _outward(field(row, end), 1 if end == "upper" else -1) for end in ENDS[about]}
        yield {"id": f"row {number}", "query": query, **given, query: ends, "mechanisms": field(row, "mechanisms"),
               "adjacency": field(row, "adjacency"), "asked_direction": "worst" if row["direction"] == "both" else row["direction"]}


def _outward(text, side):
    exact, value = Fraction(text), float(Fraction(text))
    return math.nextafter(value, side * math.inf) if (exact - Fraction(value)) * side > 0 else value
