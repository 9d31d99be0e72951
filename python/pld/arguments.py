"""What arguments must be. Anything else is told in one line, before the library is asked."""
from __future__ import annotations

from functools import partial, wraps

from ._core import DomainError, did_you_mean

TYPE_CHECKING = False  # typing and NumPy take longer to import than everything here
if TYPE_CHECKING:
    from decimal import Decimal
    from fractions import Fraction
    from typing import Any, Callable, Iterable, Mapping, Sequence, TypeVar, Union

    import numpy as np
    from numpy.typing import ArrayLike

    Real = Union[float, Decimal, Fraction, np.floating[Any], np.integer[Any]]
    Whole = Union[int, np.integer[Any]]
    Many = Union[ArrayLike, Sequence[Real]]
    Numbers = Union[Many, Real]
    Claim = tuple[Real, Real]
    Claimed = Real
    Scores = ArrayLike
    Goals = Iterable[Mapping[str, Real]]
    Function = TypeVar("Function", bound=Callable[..., Any])


CO_VARARGS = 4  # in a code's flags: any number of arguments is taken by position; inspect takes long to import


def refused(where: str, name: str, value: object, must: str, meant: str = "") -> DomainError:
    shown = " ".join(repr(value).split())
    return DomainError(f"{where}: {name} is {shown if len(shown) <= 60 else shown[:57] + '...'}{meant}, but must be {must}")


def one_of(where: str, name: str, value: object, names: list[str]) -> str:
    if isinstance(value, str) and value in names:
        return value
    raise refused(where, name, value, f"one of {', '.join(names)}", did_you_mean(value, names) if isinstance(value, str) else "")


def is_flag(value: object) -> bool:
    """NumPy's too, and arrays of one."""
    return str(getattr(value, "dtype", type(value).__name__)) == "bool"


def is_masked(value: Any) -> bool:
    """Of one number: NumPy's `masked`, and masked arrays without a dimension, which float() makes a NaN."""
    return hasattr(value, "filled") and getattr(value, "ndim", 0) == 0 and bool(getattr(value, "mask", False))


def is_number(value: object) -> bool:
    """NumPy's scalars too, and arrays without a dimension. True is none: who writes it for a number means something else."""
    return (hasattr(value, "__float__") and not is_masked(value) and not isinstance(value, str) and getattr(value, "ndim", 0) == 0
            and not is_flag(value) and getattr(getattr(value, "dtype", None), "kind", "f") != "c")


ORDERED = "in an order, as lists are"


def is_unordered(value: object) -> bool:
    return isinstance(value, (set, frozenset))


HELD = "a number that doubles hold: 2**53, not 2**53 + 1"
LARGEST = 2**63
COUNTS = "a whole number from 0 to 1e12"


def number(where: str, name: str, value: Any, must: str = "a number", held: str = HELD) -> float:
    """`held` is said of whole numbers that are no doubles."""
    if type(value) is float:  # of long lists most are
        return value
    try:
        if is_number(value):
            found = float(value)
            if not (hasattr(value, "__index__") and abs(found) >= 2**53 and int(value) != found):
                return found
            must = held
    except OverflowError:
        must = held
    except (TypeError, ValueError):
        pass
    raise refused(where, name, value, must + fraction_of(value))


def fraction_of(value: object) -> str:
    """How Python writes a quotient that somebody gave as the command has it."""
    part, _, whole = value.partition("/") if isinstance(value, str) else ("", "", "")
    return f", as fractions.Fraction({part}, {whole})" if part.isdecimal() and whole.isdecimal() else ""


def share(where: str, name: str, value: Any, must: str = "a number") -> float:
    """Of a fraction that is no double the one above it, as the command reads quotients: it gives away more."""
    from math import inf, nextafter

    found = number(where, name, value, must)
    return nextafter(found, inf) if hasattr(value, "numerator") and found < value else found


def whole(where: str, name: str, value: Any) -> int:
    found = number(where, name, value, "a whole number")
    if not found.is_integer():
        raise refused(where, name, value, "a whole number")
    if abs(found) >= LARGEST:
        raise refused(where, name, value, "a whole number below 2**63")
    return int(found)


def flag(where: str, name: str, value: Any) -> bool:
    if not is_flag(value):
        raise refused(where, name, value, "True or False")
    return bool(value)


def text(where: str, name: str, value: Any, must: str = "a string") -> str:
    """Of what files and databases hold as it is."""
    if not isinstance(value, str):
        raise refused(where, name, value, must)
    try:
        value.encode()
        if "\0" not in value:
            return value
    except UnicodeEncodeError:
        pass
    raise refused(where, name, value, "without NUL and halves of surrogate pairs")


def texts(where: str, name: str, value: Any) -> list[str]:
    must = "strings"
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        return [text(where, name, value, must)]
    return [text(where, name, one, must) for one in value]


def file(where: str, name: str, value: Any) -> Any:
    if not callable(getattr(value, "write", None)):
        raise refused(where, name, value, "a file, which has write()")
    return value


def function(where: str, name: str, value: Any, wanted: str = "a function") -> Any:
    if not callable(value):
        raise refused(where, name, value, wanted)
    return value


def connection(where: str, name: str, value: Any) -> Any:
    return value if callable(value) else text(where, name, value, "a connection string, or a function that gives a connection")


def composition(where: str, name: str, value: Any) -> Any:
    if not hasattr(type(value), "_accounted"):
        raise refused(where, name, value, "a Composition, as pld.gaussian(sigma=20)")
    return value


def numbers(where: str, name: str, value: Any) -> Any:
    """A number, or an array of doubles."""
    must = "a number, or an array of numbers"
    if is_number(value):
        return number(where, name, value, must)

    import numpy as np

    if is_masked(value) or (isinstance(value, (list, tuple)) and any(map(is_masked, value))):
        raise refused(where, name, value, f"{must}, without masked ones")
    try:
        array = np.asarray(value)
        if np.ma.is_masked(value):
            must = "without masked ones"
        elif _rounds_a_whole_number(array, value):
            must = "of numbers that doubles hold: 2**53, not 2**53 + 1"
        elif array.ndim and (array.dtype.kind in "iuf" or (array.dtype.kind == "O" and all(map(is_number, array.flat)))):
            return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    raise refused(where, name, value, must)


def _rounds_a_whole_number(array: Any, value: Any) -> bool:
    """Whether doubles would hold another number than a whole one that was given; a list beside fractions is rounded by NumPy."""
    import numpy as np

    if array.dtype.kind not in "iufO" or not array.size or (array.dtype.kind == "f" and not isinstance(value, (list, tuple))):
        return False
    if array.dtype.kind != "O" and not max(abs(float(array.max())), abs(float(array.min()))) >= 2**53:
        return False
    given = np.asarray(value, dtype=object) if array.dtype.kind == "f" else array
    return any(is_number(one) and hasattr(one, "__index__") and int(one) != float(one) for one in given.flat)


def scores(where: str, name: str, value: Any) -> Any:
    """A row of them."""
    row = numbers(where, name, value)
    if getattr(row, "ndim", 0) != 1:
        held = f"an array of shape {row.shape}" if hasattr(row, "shape") else row
        raise DomainError(f"{where}: {name} is {held}, but must be one score a run (one dimension)")
    return row


def mapping(where: str, name: str, value: Any) -> Any:
    if not hasattr(value, "items"):
        raise refused(where, name, value, 'names with their values, as {"sigma": 2}')
    return value


def pair(where: str, name: str, value: Any, read: Any = whole, must: str = "a pair of whole numbers, as (45, 100)") -> tuple[Any, Any]:
    try:
        first, second = value
    except (TypeError, ValueError):
        raise refused(where, name, value, must) from None
    return read(where, name, first), read(where, name, second)


def epsilon_claimed(where: str, name: str, value: Any) -> float:
    """Whoever has data looks for them under the same word."""
    return number(where, name, value, "a number, somebody's epsilon (of data: Evidence.p_value(run))"
                  if hasattr(value, "p_value") else "a number")


def claim(where: str, name: str, value: Any) -> tuple[float, float]:
    return pair(where, name, value, number, "a pair of numbers, (epsilon, delta)")


def goals(where: str, name: str, value: Any) -> list[dict[str, float]]:
    try:
        return [{text(where, "goal", goal): number(where, goal, limit) for goal, limit in one.items()} for one in value]
    except (AttributeError, TypeError):
        raise refused(where, name, value, 'a list of goals, as [{"epsilon": 1, "delta": 1e-5}]') from None


#: By what a hint says.
KINDS: dict[str, Callable[[str, str, Any], Any]] = {
    "Real": number, "Whole": whole, "bool": flag, "str": text, "Numbers": numbers, "Scores": scores, "tuple[Whole, Whole]": pair, "Claim": claim,
    "Goals": goals, "Mapping[str, Any]": mapping, "Composition": composition, "Iterable[str]": texts, "File": file,
    "Where": connection, "Claimed": epsilon_claimed, "Callable[[int], object]": function,
    "Callable[[Any], Composition]": partial(function, wanted="a function from a value to a Composition, as lambda k: k * step"),
}
KINDS.update({f"{hint} | None": lambda *given, kind=kind: None if given[2] is None else kind(*given)
              for hint, kind in tuple(KINDS.items())})


def checked(function: Function) -> Function:
    """The function for arguments that are what its hints say; their numbers reach it as Python's own."""
    kinds = {name: KINDS[hint] for name, hint in function.__annotations__.items() if hint in KINDS}
    code = function.__code__
    names, known = code.co_varnames[:code.co_argcount], code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
    by_name = ", ".join(known[len(names):])
    where = function.__name__ if function.__name__ != "__init__" else function.__qualname__.split(".")[-2]

    def as_hinted(name: str, value: Any) -> Any:
        return kinds[name](where, name, value) if name in kinds else value

    @wraps(function)
    def asked(*given: Any, **named: Any) -> Any:
        for name in named:
            if name not in known:
                meant = did_you_mean(name, known) or f" (it takes {', '.join(one for one in known if one not in ('self', 'cls'))})"
                raise TypeError(f"{function.__qualname__}() got an unexpected keyword argument '{name}'{meant}")
        if len(given) > len(names) and by_name and not code.co_flags & CO_VARARGS:
            raise TypeError(f"{function.__qualname__}() takes {by_name} by name")
        return function(*map(as_hinted, names, given), *given[len(names):],
                        **{name: as_hinted(name, value) for name, value in named.items()})

    return asked  # type: ignore[return-value]
