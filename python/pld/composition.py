"""Releases on the same data, and what can be asked of them."""
from __future__ import annotations

from . import _core
from ._core import DomainError
from .answers import Bracket, Brackets, Calibration, Delta, Epsilon, Fixed, Floor, answered, dumped, loaded
from .reports import Comparison, Explanation, Verdict

TYPE_CHECKING = False  # typing, json and NumPy take longer to import than everything here
if TYPE_CHECKING:
    from typing import Any, Mapping, SupportsFloat, Union, overload

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Number = Union[float, "Unknown"]
else:

    def overload(function):
        return function


class Unknown(Fixed):
    """A number left open for calibrate(); 2 * pld.unknown is twice that number."""

    __slots__ = ("factor",)
    factor: float

    def __init__(self, factor: float = 1) -> None:
        self._set(factor=factor)

    def __mul__(self, factor: SupportsFloat) -> Unknown:
        return Unknown(self.factor * float(factor))

    __rmul__ = __mul__

    def __truediv__(self, factor: SupportsFloat) -> Unknown:
        return Unknown(self.factor / float(factor))

    def __reduce__(self) -> tuple[Any, ...]:
        return Unknown, (self.factor,)

    def __str__(self) -> str:
        return "?" if self.factor == 1 else f"?*{self.factor!r}"

    def __repr__(self) -> str:
        return "pld.unknown" if self.factor == 1 else f"{self.factor!r} * pld.unknown"


unknown = Unknown()


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) or getattr(value, "ndim", None) == 0


def _row(values: ArrayLike) -> tuple[NDArray[np.float64], tuple[int, ...]]:
    """The values in one row, and the shape they came in."""
    import numpy as np

    array = np.asarray(values, dtype=np.float64)
    return np.ascontiguousarray(array.ravel()), array.shape


class Composition(Fixed):
    """Releases made on the same data, in any order, adaptively too. Immutable, picklable; safe to use from threads.

    >>> import pld
    >>> run = 1000 * pld.gaussian(sigma=0.8, poisson=0.005) + 200 * pld.laplace(scale=50)
    >>> run.epsilon(delta=1e-6)
    Epsilon(2.27098 <= 2.27099)
    """

    __slots__ = ("_accounted",)
    _accounted: _core.Accounted

    def __init__(self, *mechanisms: str, adjacency: str = "add-remove") -> None:
        """Mechanisms in the command's words, as "gaussian:sigma=0.8,q=0.005,count=1000"; none is nothing released."""
        self._set(_accounted=_core.Accounted.from_words(list(mechanisms), adjacency))

    @classmethod
    def _of(cls, accounted: _core.Accounted) -> Composition:
        made = object.__new__(Composition)
        made._set(_accounted=accounted)
        return made

    # Composing

    def __add__(self, other: Composition) -> Composition:
        if isinstance(other, Open):
            return other + self
        if not isinstance(other, Composition):
            return NotImplemented
        return Composition._of(self._accounted.plus(other._accounted))

    def __radd__(self, other: object) -> Composition:
        return self if other == 0 else NotImplemented  # sum() begins with 0

    def __mul__(self, count: int) -> Composition:
        if not hasattr(count, "__index__"):
            return NotImplemented
        return Composition._of(self._accounted.times(count))

    __rmul__ = __mul__

    def in_groups(self, records: int) -> Composition:
        """The same releases where so many records change at once: a user's, a household's; 1 to 1000.

        >>> import pld
        >>> pld.gaussian(sigma=10, count=100).in_groups(3).epsilon(delta=1e-5)
        Epsilon(16.6754 <= 16.6755)
        """
        return Composition._of(self._accounted.in_groups(records))

    def best_of(self, tries: str) -> Composition:
        """The best output alone of so many runs of all this: hyperparameter tuning (an upper bound).

        tries is "geometric:mean=M", "negative-binomial:shape=S,gamma=G" or "poisson:mean=M". Selections are not
        composed further.

        >>> import pld
        >>> pld.gaussian(sigma=8, count=10).best_of("geometric:mean=10").epsilon(delta=1e-6)
        Epsilon(at most 2.63955)
        """
        return Composition._of(self._accounted.best_of(tries))

    # Asking

    @overload
    def epsilon(self, delta: float, *, tolerance: float = ..., direction: str = ..., engine: str = ...) -> Epsilon: ...
    @overload
    def epsilon(self, delta: ArrayLike, *, tolerance: float = ..., direction: str = ...,
                engine: str = ...) -> Brackets: ...

    def epsilon(self, delta: Any, *, tolerance: float = 1e-4, direction: str = "worst", engine: str = "auto") -> Any:
        """The smallest epsilon at which this is (epsilon, delta)-DP; of an array of deltas, Brackets.

        delta in [0, 1]; tolerance > 0 is the relative width asked of the interval; direction "worst", "remove"
        or "add"; engine "auto", "lattice", "contour" or "closed-form". Infinite below the mass at infinity, negative
        where delta exceeds the total variation. Arrays are read off one profile(), with the tolerance as that of delta.

        >>> import pld
        >>> pld.gaussian(sigma=1).epsilon(delta=1e-5)
        Epsilon(4.37717 <= 4.37718)
        """
        if not _is_number(delta):
            return self.profile(tolerance=tolerance, engine=engine).epsilon(delta, direction=direction)
        return answered(Epsilon, self._accounted.epsilon(delta, tolerance, direction, engine))

    @overload
    def delta(self, epsilon: float, *, tolerance: float = ..., direction: str = ..., engine: str = ...) -> Delta: ...
    @overload
    def delta(self, epsilon: ArrayLike, *, tolerance: float = ..., direction: str = ...,
              engine: str = ...) -> Brackets: ...

    def delta(self, epsilon: Any, *, tolerance: float = 1e-3, direction: str = "worst", engine: str = "auto") -> Any:
        """The privacy profile delta(epsilon), any real epsilon; of an array of epsilons, Brackets.

        >>> import pld
        >>> pld.gaussian(sigma=1).delta(epsilon=1)
        Delta(0.126936 <= 0.126937)
        """
        if not _is_number(epsilon):
            return self.profile(tolerance=tolerance, engine=engine).delta(epsilon, direction=direction)
        return answered(Delta, self._accounted.delta(epsilon, tolerance, direction, engine))

    def profile(self, *, tolerance: float = 1e-3, engine: str = "auto") -> Profile:
        """delta(epsilon) composed once, to be read at many points; tolerance is the relative width asked of delta.

        >>> import pld
        >>> profile = (100 * pld.gaussian(sigma=1)).profile()
        >>> list(profile.epsilon([1e-3, 1e-5])), profile.log_delta(2000)
        ([Bracket(80.0325 <= 80.0326), Bracket(91.8172 <= 91.8173)], Bracket(-19021.8 <= -19021.7))
        """
        return Profile(self, tolerance, engine)

    def trade_off(self, alpha: ArrayLike, *, direction: str = "worst") -> Any:
        """f(alpha), the least type II error of any test whose type I error is at most alpha in [0, 1].

        >>> import pld
        >>> pld.gaussian(sigma=1).trade_off(0.5)
        Floor(0.158655 <= 0.158656)
        """
        return self.profile().trade_off(alpha, direction=direction)

    def true_positive_rate(self, fpr: ArrayLike, *, direction: str = "worst") -> Any:
        """1 - f(fpr): what an attack of this false positive rate detects at most, accurate down to fpr 1e-300.

        >>> import pld
        >>> pld.gaussian(sigma=1).true_positive_rate(0.01)
        Bracket(0.0923622 <= 0.0923623)
        """
        return self.profile().true_positive_rate(fpr, direction=direction)

    def advantage(self) -> Bracket:
        """Membership advantage: the largest true less false positive rate of an attack, the total variation.

        >>> import pld
        >>> pld.gaussian(sigma=1).advantage()
        Bracket(0.382924 <= 0.382925)
        """
        return Bracket(*self.profile()._core.advantage())

    def bayes_error(self, prior: float = 0.5) -> Floor:
        """The least probability of a wrong guess about a record present with probability `prior`, in (0, 1).

        >>> import pld
        >>> pld.gaussian(sigma=1).bayes_error(prior=0.1)
        Floor(0.0986636 <= 0.0986637)
        """
        return Floor(*self.profile()._core.bayes_error(prior))

    def precision(self, fpr: float, prior: float) -> Bracket:
        """The probability that an attack of this false positive rate is right when it says "present".

        >>> import pld
        >>> pld.gaussian(sigma=1).precision(fpr=0.01, prior=0.5)
        Bracket(0.902307 <= 0.902308)
        """
        return Bracket(*self.profile()._core.precision(fpr, prior))

    def renyi_divergence(self, order: float, *, direction: str = "worst") -> Bracket:
        """D_order(P||Q), order > 0; at 1 the Kullback-Leibler divergence, at infinity the largest loss.

        >>> import pld
        >>> pld.gaussian(sigma=1).renyi_divergence(4)
        Bracket(1.99999 <= 2.00001)
        """
        return Bracket(*_core.renyi_divergence(self._accounted, order, direction))

    def zcdp_rho(self, *, direction: str = "worst") -> Bracket:
        """The smallest rho of zero-concentrated DP.

        >>> import pld
        >>> pld.gaussian(sigma=1).zcdp_rho()
        Bracket(0.5 <= 0.5)
        """
        return Bracket(*_core.zcdp_rho(self._accounted, direction))

    def gaussian_mu(self, least_delta: float = 1e-10) -> Bracket:
        """The smallest mu of Gaussian DP that covers this at every epsilon >= 0 where delta is at least least_delta.

        >>> import pld
        >>> pld.laplace(scale=1).gaussian_mu()
        Bracket(1.03006 <= 1.03012)
        """
        return Bracket(*self.profile()._core.gaussian_mu(least_delta)[0])

    def audit(self, claim: float, delta: float, *, direction: str = "worst", engine: str = "auto") -> Verdict:
        """Judges a published epsilon: "valid", "under-reports" or "undecided"; the answer it is judged by is `.epsilon`.

        "under-reports" is said only where real neighbours are certain to exceed the claim.

        >>> import pld
        >>> verdict = pld.gaussian(sigma=1).audit(claim=4.37, delta=1e-5)
        >>> verdict, verdict.epsilon
        ('under-reports', Epsilon(4.37717 <= 4.37718))
        """
        verdict, answer, fields = _core.judge(self._accounted, claim, delta, 1e-4, direction, engine)
        return Verdict(verdict, claim, answered(Epsilon, answer), loaded(fields))

    def compare(self, delta: float, *, tolerance: float = 1e-4, direction: str = "worst",
                engine: str = "auto") -> Comparison:
        """The literature's bounds beside the answer, as `pld compare` has them; delta in (0, 1).

        >>> import pld
        >>> found = pld.laplace(scale=1, count=20).compare(delta=1e-5)
        >>> found.answer, found.best
        (Epsilon(19.1054 <= 19.1057), Bound(Renyi DP, tight conversion: 19.3142 (sound)))
        """
        answer, verdicts, fields = _core.compare(self._accounted, delta, tolerance, direction, engine)
        return Comparison(answered(Epsilon, answer), verdicts, loaded(fields))

    def explain(self, *, tolerance: float = 1e-4, engine: str = "auto") -> Explanation:
        """One page, as `pld explain` has it: epsilons, what attacks can do, other currencies, what each mechanism costs.

        >>> import pld
        >>> pld.gaussian(sigma=1).explain().fields["pure_epsilon"]["upper"]
        'inf'
        """
        page, fields = _core.explain(self._accounted, tolerance, engine)
        return Explanation(page, loaded(fields))

    def calibrate(self, **goals: Any) -> Calibration:
        """Finds the number written pld.unknown; see Open.calibrate()."""
        raise DomainError("calibrate: no number is unknown: write one as pld.unknown, as in gaussian(sigma=unknown)")

    # Looking

    @property
    def adjacency(self) -> str:
        return self._accounted.adjacency()

    @property
    def group(self) -> int:
        """How many records change at once; see in_groups()."""
        return self._accounted.group()

    @property
    def is_exact(self) -> bool:
        """Whether one pair of neighbours attains what is composed: answers then bracket the exact loss."""
        return self._accounted.is_exact()

    @property
    def releases(self) -> list[tuple[str, str, int, bool]]:
        """Of each: its text, what it is accounted for as, the count, whether that is attained."""
        return self._accounted.releases()

    def to_json(self) -> str:
        """A ledger, as `pld --ledger` and from_json() read it."""
        return self._accounted.json()

    def _key(self) -> tuple[Any, ...]:
        return (self.adjacency, self.group, frozenset(self.releases))  # equal texts are equal laws, in any order

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Composition) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        return from_json, (self.to_json(),)

    def __repr__(self) -> str:
        parts = [text if count == 1 else f"{count} * {text}" for text, _, count, _ in self.releases]
        others = "" if self.adjacency == "add-remove" else f", {self.adjacency}"
        others += "" if self.group == 1 else f", groups of {self.group}"
        return f"Composition({' + '.join(parts) or 'nothing released'}{others})"

    def _repr_html_(self) -> str:
        from html import escape

        rows = "".join(f"<tr><td>{count:,}</td><td>{escape(counts_as)}</td>"
                       f"<td>{'exact' if exact else 'upper bound'}</td></tr>"
                       for _, counts_as, count, exact in self.releases)
        answer = self.epsilon(1e-6)
        return (f"<table><thead><tr><th>releases</th><th>{self.adjacency}</th><th></th></tr></thead>{rows}</table>"
                f"{answer._repr_html_()}")


class Open(Composition):
    """A composition with a number left open."""

    __slots__ = ("_mechanisms", "_relation", "_group", "_tries")
    _mechanisms: list[dict[str, Any]]
    _relation: str
    _group: int
    _tries: str

    def __init__(self, mechanisms: list[dict[str, Any]], adjacency: str, group: int = 1, tries: str = "") -> None:
        self._set(_mechanisms=mechanisms, _relation=adjacency, _group=group, _tries=tries)

    def in_groups(self, records: int) -> Composition:
        return Open(self._mechanisms, self._relation, records, self._tries)

    def best_of(self, tries: str) -> Composition:
        self._require_no_selection()
        return Open(self._mechanisms, self._relation, self._group, tries)

    def _require_no_selection(self) -> None:
        if self._tries:
            raise DomainError(f"composition: tries is '{self._tries}', but what is composed is the run, before the "
                              "best of several is taken")

    @property
    def group(self) -> int:
        return self._group

    def _neighbours(self) -> dict[str, Any]:
        return {"adjacency": self._relation, **({"group": self._group} if self._group != 1 else {}),
                **({"tries": self._tries} if self._tries else {})}

    @property
    def _accounted(self) -> _core.Accounted:  # type: ignore[override]
        raise DomainError("composition: a number is unknown: find it by calibrate() first")

    def __add__(self, other: Composition) -> Composition:
        if not isinstance(other, Composition):
            return NotImplemented
        self._require_no_selection()
        if isinstance(other, Open):
            other._require_no_selection()
        more = other._mechanisms if isinstance(other, Open) else loaded(other.to_json())["mechanisms"]
        if other.adjacency != self._relation:
            raise DomainError(f"composition: adjacency is {other.adjacency}, but must be {self._relation}, as in what "
                              "it is composed with")
        if other.group != self._group:
            raise DomainError(f"composition: group is {other.group}, but must be {self._group}, as in what it is "
                              "composed with")
        return Open(self._mechanisms + more, self._relation, self._group)

    def __mul__(self, count: int) -> Composition:
        if not hasattr(count, "__index__"):
            return NotImplemented
        self._require_no_selection()
        if any(isinstance(one["count"], str) for one in self._mechanisms):
            raise DomainError("composition: an unknown count cannot be repeated")
        return Open([{**one, "count": one["count"] * int(count)} for one in self._mechanisms], self._relation,
                    self._group)

    __rmul__ = __mul__

    @property
    def adjacency(self) -> str:
        return self._relation

    def calibrate(self, **goals: Any) -> Calibration:
        """The number, closest to the unsafe end, with which every goal is certain to be met.

        Goals, one or more: epsilon= with delta=; advantage=; fpr= with tpr=; mu=; rho=; targets=[{...}, ...] of these.
        Also tolerance=, direction=, engine=.

        >>> import pld
        >>> found = pld.gaussian(sigma=pld.unknown, poisson=0.005, count=1000).calibrate(epsilon=2, delta=1e-6)
        >>> found.unknown, round(found, 5)
        ('sigma', 0.80049)
        >>> found.composition.epsilon(1e-6) <= 2
        True
        """
        _require_finite("calibrate", goals)
        query = {"query": "calibrate", **self._neighbours(), "mechanisms": self._mechanisms, **goals}
        found = loaded(_core.answer_line(dumped(query)))
        if "error" in found:
            raise DomainError(_without_place(found["error"]))
        return Calibration(found, self.at(float(found["value"])))

    def at(self, value: float) -> Composition:
        """The composition with this value for the unknown."""
        ledger = {**self._neighbours(), "mechanisms": [_filled(one, value) for one in self._mechanisms]}
        try:
            return from_json(dumped(ledger))
        except DomainError as error:
            raise DomainError(_without_place(str(error))) from None

    def _key(self) -> tuple[Any, ...]:
        return (self.to_json(),)

    def __reduce__(self) -> tuple[Any, ...]:
        return Open, (self._mechanisms, self._relation, self._group, self._tries)

    def to_json(self) -> str:
        """The mechanisms with "?" for the unknown, as `pld batch` reads them."""
        return dumped({**self._neighbours(), "mechanisms": self._mechanisms})

    def __repr__(self) -> str:
        return f"Open({self.to_json()})"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<code>{escape(self.to_json())}</code>"


def _without_place(message: str) -> str:
    """Of what is wrong in JSON that was written here: nobody has seen its lines and columns."""
    from re import sub

    return sub(r"^line \d+, column \d+: ", "", message)


def _require_finite(where: str, fields: Mapping[str, Any]) -> None:
    """JSON has no other numbers."""
    for name, value in fields.items():
        if isinstance(value, float) and not abs(value) < float("inf"):
            raise DomainError(f"{where}: {name} is {value}, but must be a finite number")


def _filled(written: Any, value: float) -> Any:
    """`written` with every "?" and "?*FACTOR" replaced."""
    if isinstance(written, dict):
        return {name: one if name == "type" else _filled(one, value) for name, one in written.items()}
    if isinstance(written, str):
        return value * float(written[2:] or 1)
    return written


class Profile(Fixed):
    """The privacy profile of a composition, composed once; see Composition.profile()."""

    __slots__ = ("composition", "tolerance", "engine", "_core")
    composition: Composition
    tolerance: float
    engine: str
    _core: _core.PrivacyProfile

    def __init__(self, composition: Composition, tolerance: float, engine: str) -> None:
        self._set(composition=composition, tolerance=tolerance, engine=engine,
                  _core=_core.profile(composition._accounted, tolerance, engine))

    def delta(self, epsilon: ArrayLike, *, direction: str = "worst") -> Any:
        """delta at one epsilon (a Bracket) or many (Brackets, in the shape given)."""
        return self._read(self._core.deltas, epsilon, direction)

    def log_delta(self, epsilon: ArrayLike, *, direction: str = "worst") -> Any:
        """Its natural logarithm, also where delta is too small for a double."""
        return self._read(self._core.deltas, epsilon, direction, first=3)

    def epsilon(self, delta: ArrayLike, *, direction: str = "worst") -> Any:
        """The inverse."""
        return self._read(self._core.epsilons, delta, direction)

    def trade_off(self, alpha: ArrayLike, *, direction: str = "worst") -> Any:
        """f(alpha), the least type II error."""
        return self._read(self._core.trade_offs, alpha, direction, one=Floor)

    def true_positive_rate(self, fpr: ArrayLike, *, direction: str = "worst") -> Any:
        """1 - f(fpr)."""
        return self._read(self._core.trade_offs, fpr, direction, first=3)

    def __reduce__(self) -> tuple[Any, ...]:
        return Profile, (self.composition, self.tolerance, self.engine)  # composed again

    def __repr__(self) -> str:
        return f"Profile({self.composition!r})"

    @staticmethod
    def _read(reading: Any, at: ArrayLike, direction: str, first: int = 0, one: type[Bracket] = Bracket) -> Any:
        row, shape = _row(at)
        ends = reading(row, direction)[first:first + 3]
        if shape == ():
            return one(*map(float, ends[:, 0]))
        lower, estimate, upper = (end.reshape(shape) for end in ends)
        return Brackets(lower, estimate, upper, one)


def from_json(text: str, *, adjacency: str = "") -> Composition:
    """A ledger, or an event of dp_accounting saved as JSON.

    >>> import pld
    >>> pld.from_json('{"mechanisms": [{"type": "gaussian", "sigma": 1, "count": 10}]}').epsilon(1e-5)
    Epsilon(17.8565 <= 17.8566)
    """
    return Composition._of(_core.Accounted.from_json(text, adjacency))


def mechanism(type: str, parameters: Mapping[str, Any], count: Number = 1, adjacency: str = "add-remove",
              sampling: Mapping[str, Number] = {}) -> Composition:
    """A mechanism by the name of its type; `pld mechanisms` and the functions of this package list them.

    >>> import pld
    >>> pld.mechanism("gaussian", {"sigma": 2}, sampling={"poisson": 0.1})
    Composition(gaussian:sigma=2,q=0.1)
    """
    numbers: dict[str, Any] = {}
    lists: dict[str, Any] = {}
    for name, value in parameters.items():
        if isinstance(value, Unknown) or _is_number(value):
            numbers[name] = value
        else:
            lists[name] = [float(one) for one in value]
    if any(isinstance(value, Unknown) for value in (*numbers.values(), *sampling.values(), count)):
        _require_finite(type, {**numbers, **sampling, "count": count})
        return Open([_written({"type": type, **numbers, **lists, **({"sampling": dict(sampling)} if sampling else {}),
                               "count": count})], adjacency)
    drawn: Any = dict(sampling)
    times: Any = count
    return Composition._of(_core.Accounted.of(type, numbers, lists, drawn, times, adjacency))


def _written(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _written(one) for name, one in value.items()}
    return str(value) if isinstance(value, Unknown) else value
