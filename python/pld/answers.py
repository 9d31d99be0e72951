"""What the accountant answers: numbers that know the interval they stand for."""
from __future__ import annotations

TYPE_CHECKING = False  # typing, json and NumPy take longer to import than everything here
if TYPE_CHECKING:
    from typing import Any, Iterator

    import numpy as np
    from numpy.typing import NDArray


def rounded(value: float, up: bool, digits: int = 6) -> str:
    """`value` to `digits` digits, never towards the inside of its interval."""
    if value in (float("inf"), float("-inf")):
        return str(value)
    from decimal import ROUND_CEILING, ROUND_FLOOR, Context

    context = Context(prec=digits, rounding=ROUND_CEILING if up else ROUND_FLOOR)
    return f"{float(context.create_decimal(value)):.{digits}g}"


def json_number(value: float) -> float | str:
    """Infinities as the command writes them."""
    return value if abs(value) != float("inf") else str(value)


def dumped(fields: dict[str, Any]) -> str:
    import json

    return json.dumps(fields)


def json_ends(bracket: Bracket, nothing_known: float | None = None) -> dict[str, Any]:
    """The three ends; a lower one of which nothing is known is null."""
    lower = None if bracket.lower == nothing_known else json_number(bracket.lower)
    return {"lower": lower, "estimate": json_number(bracket.estimate), "upper": json_number(bracket.upper)}


def number(written: Any) -> float:
    """A number of the command's; null where nothing is known from below."""
    return float("-inf") if written is None else float(written)


class Bracket(float):
    """A certified interval [lower, upper]. As a number it is its safe end: what may be relied on.

    >>> b = Bracket(1.0, 1.1, 1.2)
    >>> float(b), b <= 1.15, b.estimate
    (1.2, False, 1.1)
    """

    __slots__ = ("lower", "estimate", "upper")
    lower: float
    estimate: float
    upper: float

    def __new__(cls, lower: float, estimate: float, upper: float, *_: Any) -> Bracket:
        made = float.__new__(cls, upper)
        made.lower, made.estimate, made.upper = lower, estimate, upper
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (self.lower, self.estimate, self.upper)

    def to_json(self) -> str:
        return dumped(json_ends(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({rounded(self.lower, False)} <= {rounded(self.upper, True)})"

    __str__ = __repr__

    def _repr_html_(self) -> str:
        return f"&le; <b>{rounded(self.upper, True)}</b> (at least {rounded(self.lower, False)})"


class Floor(Bracket):
    """The same where more is safer, as the error an attack is bound to make: as a number it is the lower end."""

    __slots__ = ()

    def __new__(cls, lower: float, estimate: float, upper: float, *_: Any) -> Floor:
        made = float.__new__(cls, lower)
        made.lower, made.estimate, made.upper = lower, estimate, upper
        return made

    def _repr_html_(self) -> str:
        return f"&ge; <b>{rounded(self.lower, False)}</b> (at most {rounded(self.upper, True)})"


class Answer(Bracket):
    """An answer and how it came about.

    upper is always a proof. Where `exact`, the exact value lies in [lower, upper]; where not, no pair of neighbours is
    known to attain the bound, and lower is what real neighbours attain, however far away.
    """

    __slots__ = ("direction", "engine", "converged", "exact", "renyi_routes", "asked")
    direction: str  #: "remove" or "add": the neighbour that is the worse one, or the one asked for
    engine: str  #: the one that answered
    converged: bool  #: whether the tolerance was met
    exact: bool
    renyi_routes: tuple[Bracket, Bracket] | None  #: Renyi guarantees added first, and converted first
    asked: float  #: the delta (or epsilon) of the query

    def __new__(cls, lower: float, estimate: float, upper: float, direction: str, engine: str, converged: bool,
                exact: bool, renyi_routes: Any, asked: float, *_: Any) -> Answer:
        made = float.__new__(cls, upper)
        made.lower, made.estimate, made.upper = lower, estimate, upper
        made.direction, made.engine, made.converged, made.exact = direction, engine, converged, exact
        made.renyi_routes = renyi_routes and (Bracket(*renyi_routes[0]), Bracket(*renyi_routes[1]))
        made.asked = asked
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (self.lower, self.estimate, self.upper, self.direction, self.engine, self.converged, self.exact,
                self.renyi_routes and tuple(route.__getnewargs__() for route in self.renyi_routes), self.asked)

    def __repr__(self) -> str:
        if self.exact:
            return super().__repr__()
        known = f", at least {rounded(self.lower, False)}" if self._has_lower() else ""
        return f"{type(self).__name__}(at most {rounded(self.upper, True)}{known})"

    __str__ = __repr__

    def _has_lower(self) -> bool:
        return self.exact or self.lower not in (0, float("-inf"))

    def _repr_html_(self) -> str:
        known = f" (at least {rounded(self.lower, False)})" if self._has_lower() else " (at most)"
        return f"&le; <b>{rounded(self.upper, True)}</b>{known}"

    def _origin(self) -> dict[str, Any]:
        fields: dict[str, Any] = {"direction": self.direction, "engine": self.engine, "converged": self.converged,
                                  "exact": self.exact}
        if self.renyi_routes:
            fields["renyi_routes"] = {name: json_ends(route) for name, route in
                                      zip(("added_first", "converted_first"), self.renyi_routes)}
        return fields


class Epsilon(Answer):
    """The smallest epsilon for a delta."""

    __slots__ = ()

    @property
    def delta(self) -> float:
        return self.asked

    def to_json(self) -> str:
        """The fields that `pld epsilon --json` prints."""
        unknown = None if self.exact else float("-inf")
        return dumped({"query": "epsilon", "delta": json_number(self.asked), "epsilon": json_ends(self, unknown),
                       **self._origin()})

    def _repr_html_(self) -> str:
        return f"epsilon {super()._repr_html_()} at delta {self.asked:g}"


class Delta(Answer):
    """delta at an epsilon, and its natural logarithm where delta leaves the range of a double."""

    __slots__ = ("log_delta",)
    log_delta: Bracket

    def __new__(cls, lower: float, estimate: float, upper: float, direction: str, engine: str, converged: bool,
                exact: bool, renyi_routes: Any, asked: float, log_delta: Any) -> Delta:
        made = super().__new__(cls, lower, estimate, upper, direction, engine, converged, exact, renyi_routes, asked)
        assert isinstance(made, Delta)
        made.log_delta = Bracket(*log_delta)
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (*super().__getnewargs__(), self.log_delta.__getnewargs__())

    @property
    def epsilon(self) -> float:
        return self.asked

    def to_json(self) -> str:
        """The fields that `pld delta --json` prints."""
        unknown = None if self.exact or self.log_delta.lower > float("-inf") else self.log_delta.lower
        return dumped({"query": "delta", "epsilon": json_number(self.asked),
                       "delta": json_ends(self, None if unknown is None else 0.0),
                       "log_delta": json_ends(self.log_delta, unknown), **self._origin()})

    def _repr_html_(self) -> str:
        return f"delta {super()._repr_html_()} at epsilon {self.asked:g}"


class Brackets:
    """Intervals at many points: lower, estimate and upper are arrays. As an array it is the safe end."""

    __slots__ = ("lower", "estimate", "upper", "_one")

    def __init__(self, lower: NDArray[np.float64], estimate: NDArray[np.float64], upper: NDArray[np.float64],
                 one: type[Bracket] = Bracket) -> None:
        self.lower, self.estimate, self.upper, self._one = lower, estimate, upper, one

    def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[np.float64]:
        import numpy as np

        return np.array(self.lower if issubclass(self._one, Floor) else self.upper, dtype=dtype)

    def __len__(self) -> int:
        return len(self.upper)

    def __getitem__(self, index: Any) -> Any:
        ends = self.lower[index], self.estimate[index], self.upper[index]
        if getattr(ends[0], "ndim", 0) > 0:
            return Brackets(*ends, self._one)
        return self._one(*map(float, ends))

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def to_json(self) -> str:
        """An object of three lists, nested as the arrays are."""
        def numbers(values: Any) -> Any:
            return [numbers(one) for one in values] if isinstance(values, list) else json_number(values)

        return dumped({end: numbers(getattr(self, end).tolist()) for end in ("lower", "estimate", "upper")})

    def __repr__(self) -> str:
        return f"Brackets({len(self)} intervals, .lower .estimate .upper)"

    def _repr_html_(self) -> str:
        """The first ten."""
        import numpy as np

        ends = zip(*(np.ravel(end)[:10].tolist() for end in (self.lower, self.upper)))
        rows = "".join(f"<tr><td>{rounded(lower, False)}</td><td>{rounded(upper, True)}</td></tr>"
                       for lower, upper in ends)
        more = "" if np.size(self.upper) <= 10 else f"<p>... {np.size(self.upper)} intervals</p>"
        return f"<table><thead><tr><th>lower</th><th>upper</th></tr></thead>{rows}</table>{more}"


class Calibration(float):
    """The number that meets every goal, closest to the unsafe end. As a number it is that value."""

    unknown: str  #: what it is called: "sigma", "count"
    attained: list[Bracket]  #: what the chosen value has of each goal
    next: float | None  #: a value next to it that misses a goal or is not certified to meet it; None at the range's end
    next_fails: bool  #: that value is certain to miss
    trials: int
    converged: bool
    composition: Any  #: the composition with the value in place

    def __new__(cls, found: dict[str, Any], composition: Any = None) -> Calibration:
        made = float.__new__(cls, float(found["value"]))
        made.unknown, made.trials, made.converged = found["unknown"], found["trials"], found["converged"]
        made.attained = [Bracket(*(number(one[end]) for end in ("lower", "estimate", "upper")))
                         for one in found["chosen"]["attained"]]
        made.next = None if found["next"] is None else float(found["next"]["value"])
        made.next_fails = found["next"] is not None and found["next"]["fails"]
        made.composition = composition
        made._found = found
        return made

    _found: dict[str, Any]

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (self._found, self.composition)

    def __getstate__(self) -> None:
        return None

    def to_json(self) -> str:
        """What `pld calibrate --json` prints."""
        return dumped(self._found)

    def _repr_html_(self) -> str:
        return f"{self.unknown} = <b>{float(self)!r}</b>"

    def __repr__(self) -> str:
        return f"Calibration({self.unknown} = {float(self)!r})"

    __str__ = __repr__
