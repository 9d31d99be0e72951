"""What the accountant answers: numbers that know the interval they stand for."""
from __future__ import annotations

from functools import partial
from operator import index

from .arguments import refused

TYPE_CHECKING = False  # typing, json and NumPy take longer to import than everything here
if TYPE_CHECKING:
    from typing import Any, Iterator, SupportsIndex, TypeVar, overload

    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Self

    Kind = TypeVar("Kind", bound="Answer")
else:

    def overload(function):
        return function


def outward(value: float, up: bool, digits: int, *, significant: bool = True) -> float:
    """The number of so many digits, significant ones or after the point, next to `value` on that side.

    The digits of `value` are the fewest that read back as it: what has no more is not rounded.
    """
    if value - value != 0:  # infinite, or no number
        return float(value)
    from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

    exact = Decimal(float.__repr__(value))
    last = exact.adjusted() - digits + 1 if significant else -digits
    if int(exact.as_tuple().exponent) >= last:
        return float(value)
    return float(exact.quantize(Decimal((0, (1,), last)), ROUND_CEILING if up else ROUND_FLOOR, Context()))


def rounded(value: float, up: bool, digits: int = 6) -> str:
    """`value` to `digits` digits, never towards the inside of its interval."""
    return f"{outward(value, up, digits):.{digits}g}"


def json_number(value: float) -> float | str:
    """Infinities as the command writes them."""
    return value if abs(value) != float("inf") else str(value)


def dumped(fields: dict[str, Any]) -> str:
    import json

    return json.dumps(fields)


def loaded(text: str) -> Any:
    import json

    return json.loads(text)


def number(written: Any) -> float:
    """A number of the command's; null where nothing is known from below."""
    return float("-inf") if written is None else float(written)


class Fixed:
    """What is not changed once it is made."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} is read-only")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} is read-only")

    def _set(self, **parts: Any) -> None:
        for name, part in parts.items():
            object.__setattr__(self, name, part)


class SafeEnd(Fixed, float):
    """A number that is rounded to its safe side: by round(), int(), math.trunc(), np.round(), format() and f-strings.

    "%.3f" % it, np.float32(it), and what arithmetic and arrays make of it are plain floats, rounded as those are.
    """

    __slots__ = ()
    _up = True  # is safe

    @overload
    def __round__(self, digits: None = None, /) -> int: ...
    @overload
    def __round__(self, digits: SupportsIndex, /) -> float: ...

    def __round__(self, digits: SupportsIndex | None = None, /) -> float:
        if digits is None:
            return int(outward(self, self._up, 0, significant=False))
        return outward(self, self._up, index(digits), significant=False)

    def __int__(self) -> int:
        return self.__round__()

    __trunc__ = __int__

    def round(self, decimals: SupportsIndex = 0, out: None = None) -> float:
        """What np.round() asks for."""
        return self.__round__(decimals)

    def __format__(self, spec: str) -> str:
        from re import search

        if not spec:
            return str(self)
        found = search(r"(?:\.(\d+))?([eEfFgGn%]?)$", spec)
        assert found
        precision, kind = found.groups()
        if precision is None and not kind:  # all digits
            return format(float(self), spec)
        digits = 6 if precision is None else int(precision)
        if kind in ("f", "F", "%"):
            shown = outward(self, self._up, digits + 2 * (kind == "%"), significant=False)
        else:
            shown = outward(self, self._up, digits + 1 if kind in ("e", "E") else max(digits, 1))
        return format(shown, spec)


class Least(SafeEnd):
    """A number of which is proved that no less is true: rounded down."""

    __slots__ = ()
    _up = False


#: What is known of a number by its safe end, where that is below, and where it is above.
SIDES = "at least", "at most"


class Bracket(SafeEnd):
    """A certified interval. As a number it is its safe end: what may be relied on, always a proof.

    Where `exact`, the value lies in [lower, upper]. Where not, as of a mechanism known by a guarantee alone, it is at most
    upper (of a Floor: at least lower), and the other end is that of some mechanism with the guarantee, or of neighbours
    that need not be the worst ones.

    >>> b = Bracket(1.0, 1.1, 1.23456)
    >>> float(b), b <= 1.15, b.estimate, f"{b:.3f}", round(b, 1)
    (1.23456, False, 1.1, '1.235', 1.3)
    """

    __slots__ = ("lower", "estimate", "upper", "exact")
    _fields: tuple[str, ...] = "lower", "estimate", "upper"
    lower: float
    estimate: float
    upper: float
    exact: bool

    def __new__(cls, *parts: Any, exact: bool = True) -> Self:
        if len(parts) == 1:  # statistics.mean() makes its result so: an interval is not known of it
            return float(parts[0])  # type: ignore[return-value]
        if len(parts) != len(cls._fields):
            raise refused(cls.__name__, "parts", parts, f"{len(cls._fields)}: {', '.join(name.lstrip('_') for name in cls._fields)}")
        made = float.__new__(cls, parts[cls._fields.index("upper" if cls._up else "lower")])
        made._set(**{"exact": exact, **dict(zip(cls._fields, parts, strict=True))})
        return made

    def _parts(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self._fields)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), exact=self.exact), self._parts()

    def to_json(self) -> str:
        return dumped({end: json_number(getattr(self, end)) for end in ("lower", "estimate", "upper")})

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._said()})"

    def __str__(self) -> str:
        return repr(self)

    def _said(self) -> str:
        if self.exact:
            return f"{rounded(self.lower, False)} <= {rounded(self.upper, True)}"
        return f"{SIDES[self._up]} {rounded(self, self._up)}"

    def _repr_html_(self) -> str:
        ends = (self.upper, self.lower) if self._up else (self.lower, self.upper)
        other = f"{SIDES[not self._up]} {rounded(ends[1], not self._up)}" if self.exact else SIDES[self._up]
        return f"{'&le;' if self._up else '&ge;'} <b>{rounded(ends[0], self._up)}</b> ({other})"


class Floor(Bracket):
    """The same where more is safer, as the error an attack is bound to make: as a number it is the lower end."""

    __slots__ = ()
    _up = False


class Answer(Bracket):
    """An answer and how it came about.

    upper is always a proof. Where `exact`, the exact value lies in [lower, upper]; where not, no pair of neighbours is
    known to attain the bound, and lower is what real neighbours attain, however far away. Where `only_guaranteed`, these
    are the neighbours of some mechanism with the guarantee, and lower says nothing of the one at hand.
    """

    __slots__ = ("direction", "engine", "converged", "only_guaranteed", "renyi_routes", "asked", "_text")
    _fields = (*Bracket._fields, "direction", "engine", "converged", "exact", *__slots__[3:])
    direction: str  #: "remove" or "add": the neighbour that is the worse one, or the one asked for
    engine: str  #: the one that answered
    converged: bool  #: whether the tolerance was met
    exact: bool
    only_guaranteed: bool  #: whether no more is known of some mechanism than a guarantee
    renyi_routes: tuple[Bracket, Bracket] | None  #: Renyi guarantees added first, and converted first
    asked: float  #: the delta (or epsilon) of the query
    _text: object  #: what to_json() says

    def _parts(self) -> tuple[Any, ...]:
        return tuple(self.to_json() if name == "_text" else getattr(self, name) for name in self._fields)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._parts()

    def to_json(self) -> str:
        return str(self._text)

    def _said(self) -> str:
        return super()._said() + (f", {self._least()}" if not self.exact and self._has_lower() else "")

    def _least(self) -> str:
        whose = " for some mechanism with the guarantee" if self.only_guaranteed else ""
        return f"at least {rounded(self.lower, False)}{whose}"

    def _whose(self) -> str:
        """What the number is, in a word."""
        return "at most" if not self.exact else "allowed" if self.only_guaranteed else "exact"

    def _has_lower(self) -> bool:
        return self.exact or self.lower not in (0, float("-inf"))

    def _repr_html_(self) -> str:
        known = f" ({self._least()})" if self._has_lower() else " (at most)"
        return f"&le; <b>{rounded(self.upper, True)}</b>{known}"


class Epsilon(Answer):
    """The smallest epsilon for a delta; to_json() has the fields that `pld epsilon --json` prints."""

    __slots__ = ()

    @property
    def delta(self) -> float:
        return self.asked

    def _repr_html_(self) -> str:
        return f"epsilon {super()._repr_html_()} at delta {self.asked!r}"


class Delta(Answer):
    """delta at an epsilon, and its natural logarithm where delta leaves the range of a double.

    to_json() has the fields that `pld delta --json` prints.
    """

    __slots__ = ("log_delta",)
    _fields = (*Answer._fields, "log_delta")
    log_delta: Bracket

    @property
    def epsilon(self) -> float:
        return self.asked

    def _repr_html_(self) -> str:
        return f"delta {super()._repr_html_()} at epsilon {self.asked!r}"


def answered(kind: type[Kind], parts: tuple[Any, ...]) -> Kind:
    """The library's answer: what is nested in it are brackets, or a pair of them."""
    def bracket(part: Any) -> Any:
        if not isinstance(part, tuple):
            return part
        return tuple(map(bracket, part)) if isinstance(part[0], tuple) else Bracket(*part, exact=exact)

    exact = parts[kind._fields.index("exact")]
    return kind(*map(bracket, parts))


class Brackets(Fixed):
    """Intervals at many points: lower, estimate and upper are arrays. As an array it is the safe end.

    Each is a Bracket, or a Floor; where not `exact`, only its safe end is known of the value.
    """

    __slots__ = ("lower", "estimate", "upper", "converged", "exact", "_one")
    lower: NDArray[np.float64]
    estimate: NDArray[np.float64]
    upper: NDArray[np.float64]
    converged: NDArray[np.bool_] | None  #: whether each met the tolerance; None where that is not told
    exact: NDArray[np.bool_]  #: of each what Bracket.exact is
    _one: type[Bracket]

    def __init__(self, lower: NDArray[np.float64], estimate: NDArray[np.float64], upper: NDArray[np.float64],
                 one: type[Bracket] = Bracket, converged: NDArray[np.bool_] | None = None,
                 exact: NDArray[np.bool_] | bool = True) -> None:
        import numpy as np

        exact = np.array(np.broadcast_to(exact, np.shape(upper)))
        for column in (lower, estimate, upper, converged, exact):
            if column is not None:
                column.flags.writeable = False
        self._set(lower=lower, estimate=estimate, upper=upper, converged=converged, exact=exact, _one=one)

    def __reduce__(self) -> tuple[Any, ...]:
        return Brackets, (self.lower, self.estimate, self.upper, self._one, self.converged, self.exact)

    def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[np.float64]:
        import numpy as np

        return np.array(self.lower if issubclass(self._one, Floor) else self.upper, dtype=dtype)

    def _compared(self, other: Any, comparison: str) -> Any:
        """As the safe ends of single answers compare, each with its own."""
        import numpy as np

        return getattr(np, comparison)(self, other)

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, "less")

    def __le__(self, other: Any) -> Any:
        return self._compared(other, "less_equal")

    def __gt__(self, other: Any) -> Any:
        return self._compared(other, "greater")

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, "greater_equal")

    @classmethod
    def of_ends(cls, ends: Any, shape: tuple[int, ...], one: type[Bracket] = Bracket,
                exact: NDArray[np.bool_] | bool = True) -> Brackets:
        """Of a row of (lower, estimate, upper) for each point."""
        import numpy as np

        lower, estimate, upper = np.array(ends, dtype=np.float64).reshape(-1, 3).T
        return cls(lower.reshape(shape), estimate.reshape(shape), upper.reshape(shape), one, exact=exact)

    def __len__(self) -> int:
        return len(self.upper)

    def __getitem__(self, index: Any) -> Any:
        ends = self.lower[index], self.estimate[index], self.upper[index]
        if getattr(ends[0], "ndim", 0) > 0:
            return Brackets(*ends, self._one, None if self.converged is None else self.converged[index], self.exact[index])
        return self._one(*map(float, ends), exact=bool(self.exact[index]))

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def to_json(self) -> str:
        """An object of three lists, nested as the arrays are."""
        def numbers(values: Any) -> Any:
            return [numbers(one) for one in values] if isinstance(values, list) else json_number(values)

        return dumped({end: numbers(getattr(self, end).tolist()) for end in ("lower", "estimate", "upper")})

    def __repr__(self) -> str:
        """The safe ends of the first five."""
        import numpy as np

        wide = 0 if self.converged is None else int(np.sum(~self.converged))
        loose, up, shown, size = int(np.sum(~self.exact)), self._one._up, 5, np.size(self.upper)
        first = [rounded(end, up) for end in np.ravel(self)[:shown].tolist()] + ["..."] * (size > shown)
        return (f"Brackets({size} intervals" + (f" {'<=' if up else '>='} " if first else "") + ", ".join(first)
                + "; .lower .estimate .upper"
                + (f"; {SIDES[self._one._up]}, not exact: {loose}" if loose else "")
                + (f"; tolerance not reached by {wide})" if wide else ")"))

    def _repr_html_(self) -> str:
        """The first ten."""
        import numpy as np

        up, (safe, other) = self._one._up, (self.upper, self.lower) if self._one._up else (self.lower, self.upper)
        points = zip(*(np.ravel(part)[:10].tolist() for part in (safe, other, self.exact)))
        cells = ((rounded(one, up), rounded(end, not up) if exact else SIDES[up]) for one, end, exact in points)
        rows = "".join(f"<tr><td>{known}</td><td>{said}</td></tr>" if not up else f"<tr><td>{said}</td><td>{known}</td></tr>"
                       for known, said in cells)
        more = "" if np.size(self.upper) <= 10 else f"<p>... {np.size(self.upper)} intervals</p>"
        return f"<table><thead><tr><th>lower</th><th>upper</th></tr></thead>{rows}</table>{more}"


#: The unknowns that are whole numbers; of epochs those of passes are.
WHOLE = "count", "epochs", "allocation", "participations", "passes", "shuffled", "cap", "records"


class Calibration(SafeEnd):
    """The number that meets every goal, closest to the unsafe end. As a number it is that value."""

    unknown: str  #: what it is called, by the word it was written with: "sigma", "steps"; "?" where all are multiples of it
    attained: list[Bracket]  #: what the chosen value has of each goal
    next: float | None  #: a value next to it that misses a goal or is not certified to meet it; None at the range's end
    next_fails: bool  #: that value is certain to miss
    failing: float | None  #: where it is not: about the nearest value beyond it that is; None where none was found
    trials: int
    converged: bool  #: whether what it attains is known to the tolerance; else the value may be far on the safe side
    composition: Any  #: the composition with the value in place
    _found: dict[str, Any]

    def __new__(cls, found: dict[str, Any], composition: Any = None) -> Self:
        if not isinstance(found, dict):  # statistics.mean() makes its result so
            return float(found)
        made = float.__new__(cls, float(found["value"]))
        after = found["next"]
        made._set(_up=after is None or float(after["value"]) < made,
                  unknown=found["written"], trials=found["trials"], converged=found["converged"],
                  attained=[Bracket(*(number(one[end]) for end in ("lower", "estimate", "upper")),
                                    exact=composition is None or composition.is_exact)
                            for one in found["chosen"].get("attained", ())],
                  next=None if after is None else float(after["value"]),
                  next_fails=after is not None and after.get("fails", True),  # a budget refuses it
                  failing=float(found["failing"]["value"]) if "failing" in found else None,
                  composition=composition, _found=found)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Calibration, (self._found, self.composition)

    def to_json(self) -> str:
        """What `pld calibrate --json` prints."""
        return dumped(self._found)

    def __index__(self) -> int:
        """Of what is a whole number, as a count of steps."""
        if self._is_whole():
            return int(self)
        raise TypeError(f"{self.unknown} is no whole number")

    def _is_whole(self) -> bool:
        return self._found["unknown"] in WHOLE and self.is_integer()

    def _value(self) -> str:
        return repr(int(self) if self._is_whole() else float(self))

    def _repr_html_(self) -> str:
        return f"{self.unknown} = <b>{self._value()}</b>{self._doubt()}"

    def __repr__(self) -> str:
        return f"Calibration({self.unknown} = {self._value()}{self._doubt()})"

    def _doubt(self) -> str:
        doubt = "" if self.converged else ", tolerance not reached"
        if self.next is not None and not self.next_fails:
            doubt += ", the next value is not proved to fail"
        return doubt + (f", assumed {self._found['assumed']['sampler']}" if "assumed" in self._found else "")

    __str__ = __repr__
