"""Releases on the same data, and what can be asked of them."""
from __future__ import annotations

from functools import cache, wraps

from . import _core
from ._core import DomainError
from .arguments import COUNTS, HELD, ORDERED, checked, is_flag, is_number, is_unordered, number, refused, share, text
from .answers import Bracket, Brackets, Calibration, Delta, Epsilon, Fixed, Floor, answered, dumped, loaded, rounded
from .reports import Comparison, Explanation, Verdict

TYPE_CHECKING = False  # typing, json and NumPy take longer to import than everything here
if TYPE_CHECKING:
    from typing import Any, Iterable, Mapping, TypeVar, Union, overload

    import numpy as np
    from numpy.typing import NDArray

    from .arguments import Claimed, Function, Goals, Many, Numbers, Real, Whole

    Known = TypeVar("Known", bound=Bracket)
    Number = Union[Real, "Unknown"]
else:

    def overload(function):
        return function


class Unknown(Fixed):
    """A number left open for calibrate(); 2 * pld.unknown is twice that number."""

    __slots__ = ("factor",)
    factor: float

    def __init__(self, factor: float = 1) -> None:
        self._set(factor=factor)

    def __mul__(self, factor: Real) -> Unknown:
        return Unknown(self.factor * number("unknown", "factor", factor))

    __rmul__ = __mul__

    def __truediv__(self, factor: Real) -> Unknown:
        return Unknown(self.factor / number("unknown", "factor", factor))

    def __reduce__(self) -> tuple[Any, ...]:
        return Unknown, (self.factor,)

    def __str__(self) -> str:
        return "?" if self.factor == 1 else f"?*{self.factor!r}"

    def __repr__(self) -> str:
        return "pld.unknown" if self.factor == 1 else f"{self.factor!r} * pld.unknown"


unknown = Unknown()

#: Kinds of releases that are told of many.
_SHOWN = 10


def _row(values: Numbers) -> tuple[NDArray[np.float64], tuple[int, ...]]:
    """The values in one row, and the shape they came in."""
    import numpy as np

    array = np.asarray(values, dtype=np.float64)
    return np.ascontiguousarray(array.ravel()), array.shape


class Composition(Fixed):
    """Releases made on the same data, in any order. Immutable, picklable; safe to use from threads.

    What is asked of the data may depend on earlier outputs; the mechanisms and their parameters are fixed in advance.

    >>> import pld
    >>> run = 1000 * pld.gaussian(sigma=0.8, poisson=0.005) + 200 * pld.laplace(scale=50)
    >>> run.epsilon(delta=1e-6)
    Epsilon(2.27098 <= 2.27099)
    """

    __slots__ = ("_known", "_first", "_sum")
    _known: _core.Accounted | None  # None of a sum until somebody asks: adding n mechanisms one by one would copy n^2
    _first: _core.Accounted  # of its first summand
    _sum: tuple[Composition, Composition] | None

    def __new__(cls, *mechanisms: str, adjacency: str = "add-remove") -> Composition:
        """Mechanisms in the command's words, as "gaussian:sigma=0.8,q=0.005,count=1000"; none is nothing released.

        A number written "?" is pld.unknown.
        """
        words = [text("composition", "mechanism", one) for one in mechanisms]
        is_open = any("=?" in word for word in words)
        known = _core.Accounted.from_words([] if is_open else words, text("composition", "adjacency", adjacency))
        return Open._opened(words, adjacency) if is_open else Composition._of(known)

    @classmethod
    def _of(cls, accounted: _core.Accounted) -> Composition:
        made = object.__new__(Composition)
        made._set(_known=accounted, _first=accounted, _sum=None)
        return made

    @property
    def _accounted(self) -> _core.Accounted:
        if self._known is not None:
            return self._known
        parts, left = [], [self]
        while left:
            one = left.pop()
            pair, known = one._sum, one._known  # in this order: another thread may be here too
            if pair is None or known is not None:
                parts.append(one._accounted)
            else:
                left += reversed(pair)
        made = _core.Accounted.sum(parts)
        self._set(_known=made)
        self._set(_sum=None)
        return made

    # Composing

    def __add__(self, other: Composition) -> Composition:
        if isinstance(other, Open):
            return other + self
        if not isinstance(other, Composition):
            return NotImplemented
        self._first.require_composable(other._first)
        made = object.__new__(Composition)
        made._set(_known=None, _first=self._first, _sum=(self, other))
        return made

    def __radd__(self, other: object) -> Composition:
        return self if other == 0 else NotImplemented  # sum() begins with 0

    def __mul__(self, count: Whole) -> Composition:
        if not is_number(count) and not is_flag(count):
            return NotImplemented
        times = number("composition", "count", count, COUNTS, held=COUNTS)
        if not times.is_integer():
            raise refused("composition", "count", count, COUNTS)
        return self._times(int(times))

    def _times(self, count: int) -> Composition:
        return Composition._of(self._accounted.times(count))

    __rmul__ = __mul__

    @checked
    def in_groups(self, records: Whole) -> Composition:
        """The same releases where so many records change at once: a user's, a household's; 1 to 1000. To be asked once.

        >>> import pld
        >>> pld.gaussian(sigma=10, count=100).in_groups(3).epsilon(delta=1e-5)
        Epsilon(16.6754 <= 16.6755)
        """
        return Composition._of(self._accounted.in_groups(records))

    @checked
    def best_of(self, tries: str) -> Composition:
        """The best output alone of so many runs of all this: hyperparameter tuning (an upper bound).

        tries is "geometric:mean=M", "negative-binomial:shape=S,gamma=G" or "poisson:mean=M". The selection is
        one release, which composes with others.

        >>> import pld
        >>> pld.gaussian(sigma=8, count=10).best_of("geometric:mean=10").epsilon(delta=1e-6)
        Epsilon(at most 2.63957)
        """
        return Composition._of(self._accounted.best_of(tries))

    # Asking

    @overload
    def epsilon(self, delta: Real, *, tolerance: Real = ..., direction: str = ..., engine: str = ...) -> Epsilon: ...
    @overload
    def epsilon(self, delta: Many, *, tolerance: Real = ..., direction: str = ...,
                engine: str = ...) -> Brackets: ...

    @checked
    def epsilon(self, delta: Numbers, *, tolerance: Real = 1e-4, direction: str = "worst",
                engine: str = "auto") -> Any:
        """The smallest epsilon at which this is (epsilon, delta)-DP; of an array of deltas, Brackets.

        delta in [0, 1]; tolerance > 0 is the relative width asked of the interval; direction "worst", "remove"
        or "add"; engine "auto", "lattice", "contour" or "closed-form". Infinite below the mass at infinity, negative
        where delta exceeds the total variation. Up to 16 of an array are answered one by one where that is quick; more
        are read off one profile().

        >>> import pld
        >>> pld.gaussian(sigma=1).epsilon(delta=1e-5)
        Epsilon(4.37717 <= 4.37718)
        """
        if not isinstance(delta, float):
            return Profile(self, float(tolerance), engine, float(tolerance)).epsilon(delta, direction=direction)
        return answered(Epsilon, self._accounted.epsilon(delta, tolerance, direction, engine))

    @overload
    def delta(self, epsilon: Real, *, tolerance: Real = ..., direction: str = ..., engine: str = ...) -> Delta: ...
    @overload
    def delta(self, epsilon: Many, *, tolerance: Real = ..., direction: str = ...,
              engine: str = ...) -> Brackets: ...

    @checked
    def delta(self, epsilon: Numbers, *, tolerance: Real = 1e-3, direction: str = "worst",
              engine: str = "auto") -> Any:
        """The privacy profile delta(epsilon), any real epsilon; of an array of epsilons, Brackets, read as epsilon() does.

        >>> import pld
        >>> pld.gaussian(sigma=1).delta(epsilon=1)
        Delta(0.126936 <= 0.126937)
        """
        if not isinstance(epsilon, float):
            return self.profile(tolerance=tolerance, engine=engine).delta(epsilon, direction=direction)
        return answered(Delta, self._accounted.delta(epsilon, tolerance, direction, engine))

    @checked
    def profile(self, *, tolerance: Real = 1e-3, engine: str = "auto") -> Profile:
        """delta(epsilon) composed once, to be read at many points; tolerance is the relative width asked of delta.

        >>> import pld
        >>> profile = (100 * pld.gaussian(sigma=1)).profile()
        >>> list(profile.epsilon([1e-3, 1e-5])), profile.log_delta(2000)
        ([Bracket(80.0325 <= 80.0326), Bracket(91.8172 <= 91.8173)], Bracket(-19021.8 <= -19021.7))
        """
        return Profile(self, float(tolerance), engine)

    @overload
    def trade_off(self, alpha: Real, *, direction: str = ...) -> Floor: ...
    @overload
    def trade_off(self, alpha: Many, *, direction: str = ...) -> Brackets: ...

    @checked
    def trade_off(self, alpha: Numbers, *, direction: str = "worst") -> Any:
        """f(alpha): no test whose type I error is at most alpha, in [0, 1], has less type II error.

        For direction="worst" f is the convex envelope of both directions' functions. `upper` is what some test has; where
        the two cross that is above f, and the answer not exact.

        >>> import pld
        >>> pld.gaussian(sigma=1).trade_off(0.5)
        Floor(0.158655 <= 0.158656)
        """
        return self.profile().trade_off(alpha, direction=direction)

    @overload
    def true_positive_rate(self, fpr: Real, *, direction: str = ...) -> Bracket: ...
    @overload
    def true_positive_rate(self, fpr: Many, *, direction: str = ...) -> Brackets: ...

    @checked
    def true_positive_rate(self, fpr: Numbers, *, direction: str = "worst") -> Any:
        """1 - f(fpr): no attack of this false positive rate detects more; accurate down to fpr 1e-300.

        `lower` is what an attack in the better direction detects; where the two directions cross that is less, and the
        answer not exact.

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
        return self._known_as(Bracket, self.profile()._core.advantage())

    @checked
    def bayes_error(self, prior: Real = 0.5) -> Floor:
        """The least probability of a wrong guess about a record present with probability `prior`, in (0, 1), or absent
        with it: the lesser one of the two. Where noise is sampled they differ, unless `prior` is 1/2.

        >>> import pld
        >>> pld.gaussian(sigma=1).bayes_error(prior=0.1)
        Floor(0.0986636 <= 0.0986637)
        """
        return self._known_as(Floor, self.profile()._core.bayes_error(prior))

    @checked
    def precision(self, fpr: Real, prior: Real) -> Bracket:
        """The probability that an attack of this false positive rate is right when it says "present", by true_positive_rate().

        >>> import pld
        >>> pld.gaussian(sigma=1).precision(fpr=0.01, prior=0.5)
        Bracket(0.902307 <= 0.902308)
        """
        profile = self.profile()
        return self._known_as(Bracket, profile._core.precision(fpr, prior), profile.true_positive_rate(fpr).exact)

    @overload
    def renyi_divergence(self, order: Real, *, direction: str = ...) -> Bracket: ...
    @overload
    def renyi_divergence(self, order: Many, *, direction: str = ...) -> Brackets: ...

    @checked
    def renyi_divergence(self, order: Numbers, *, direction: str = "worst") -> Any:
        """D_order(P||Q), order > 0; at 1 the Kullback-Leibler divergence, at infinity the largest loss.

        >>> import pld
        >>> pld.gaussian(sigma=1).renyi_divergence(4)
        Bracket(1.99999 <= 2.00001)
        """
        if isinstance(order, float):
            return self._known_as(Bracket, _core.renyi_divergence(self._accounted, order, direction), self._has_worst())
        row, shape = _row(order)
        ends = [_core.renyi_divergence(self._accounted, one, direction) for one in row.tolist()]
        return Brackets.of_ends(ends, shape, exact=self._has_worst())

    @checked
    def zcdp_rho(self, *, direction: str = "worst") -> Bracket:
        """The smallest rho of zero-concentrated DP.

        >>> import pld
        >>> pld.gaussian(sigma=1).zcdp_rho()
        Bracket(0.5 <= 0.5)
        """
        return self._known_as(Bracket, _core.zcdp_rho(self._accounted, direction), self._has_worst())

    @checked
    def gaussian_mu(self, least_delta: Real = 1e-10) -> Bracket:
        """The smallest mu of Gaussian DP that covers this at every epsilon >= 0 where delta is at least least_delta.

        At least_delta = 0 that is the mu of mu-GDP over all alphas, which Gaussians, sampled or not, and bounded losses
        have. Rare hits of sampled steps count in full there: exact of either alone, of both together an upper bound.

        >>> import pld
        >>> pld.laplace(scale=1).gaussian_mu()
        Bracket(1.03006 <= 1.03012)
        >>> (1000 * pld.laplace(scale=50)).gaussian_mu(least_delta=0)
        Bracket(0.630409 <= 0.630441)
        """
        if least_delta == 0:
            return self._known_as(Bracket, *_core.gaussian_dp_mu(self._accounted))
        return self._known_as(Bracket, self.profile()._core.gaussian_mu(least_delta)[0])

    @checked
    def audit(self, claim: Claimed, delta: Real, *, direction: str = "worst", engine: str = "auto") -> Verdict:
        """Judges a published epsilon: "valid", "under-reports" or "undecided"; the answer it is judged by is `.epsilon`.

        "under-reports" is said only where real neighbours are certain to exceed the claim.

        >>> import pld
        >>> verdict = pld.gaussian(sigma=1).audit(claim=4.37, delta=1e-5)
        >>> verdict, verdict.epsilon
        ('under-reports', Epsilon(4.37717 <= 4.37718))
        """
        verdict, answer, fields = _core.judge(self._accounted, claim, delta, 1e-4, direction, engine)
        return Verdict(verdict, float(claim), answered(Epsilon, answer), loaded(fields))

    @checked
    def compare(self, delta: Real, *, tolerance: Real = 1e-4, direction: str = "worst",
                engine: str = "auto") -> Comparison:
        """The literature's bounds beside the answer, as `pld compare` has them; delta in (0, 1).

        >>> import pld
        >>> found = pld.laplace(scale=1, count=20).compare(delta=1e-5)
        >>> found.answer, found.best
        (Epsilon(19.1054 <= 19.1057), Bound(Renyi DP, tight conversion: 19.3142 (sound)))
        """
        answer, verdicts, fields = _core.compare(self._accounted, delta, tolerance, direction, engine)
        return Comparison(answered(Epsilon, answer), verdicts, loaded(fields))

    @checked
    def explain(self, delta: Real | None = None, *, tolerance: Real = 1e-4, engine: str = "auto") -> Explanation:
        """One page, as `pld explain` has it: epsilons, what attacks can do, other currencies, what each mechanism costs.

        With a delta one line: the epsilon at it, and what that is of.

        >>> import pld
        >>> pld.gaussian(sigma=1).explain().fields["pure_epsilon"]["upper"]
        'inf'
        >>> pld.zcdp(rho=0.1).explain(delta=1e-6)
        epsilon <= 2.14194 at delta 1e-06 (at most; at least 1.99452 for some mechanism with the guarantee)
        """
        if delta is not None:
            answer = self.epsilon(delta, tolerance=tolerance, engine=engine)
            return Explanation(self._line(answer), loaded(answer.to_json()))
        page, fields = _core.explain(self._accounted, tolerance, engine)
        return Explanation(page, loaded(fields))

    def _line(self, answer: Epsilon, of: str = "") -> str:
        line = f"epsilon <= {rounded(answer.upper, True)} at delta {answer.delta!r}{of or self._assumed()}"
        if answer.exact:
            return line
        return line + " (at most" + (f"; {answer._least()})" if answer._has_lower() else ")")

    @checked
    def calibrate(self, *, epsilon: Real | None = None, delta: Real | None = None, advantage: Real | None = None,
                  fpr: Real | None = None, tpr: Real | None = None, mu: Real | None = None, rho: Real | None = None,
                  targets: Goals = (), tolerance: Real | None = None, direction: str = "worst",
                  engine: str = "auto") -> Calibration:
        """The number written pld.unknown, closest to the unsafe end, with which every goal is certain to be met.

        Goals, one or more: epsilon= with delta=; advantage=; fpr= with tpr=; mu=; rho=; targets=[{...}, ...] of these.

        >>> import pld
        >>> found = pld.gaussian(sigma=pld.unknown, poisson=0.005, count=1000).calibrate(epsilon=2, delta=1e-6)
        >>> found.unknown, round(found, 5)
        ('sigma', 0.80049)
        >>> str(found.composition.audit(2, 1e-6))
        'valid'
        """
        goals = {"epsilon": epsilon, "delta": delta, "advantage": advantage, "fpr": fpr, "tpr": tpr, "mu": mu, "rho": rho,
                 "tolerance": tolerance}
        return self._calibrated({**{name: value for name, value in goals.items() if value is not None},
                                 **({"targets": targets} if targets else {}), "direction": direction,
                                 "engine": engine})

    def _calibrated(self, goals: dict[str, Any]) -> Calibration:
        raise DomainError("calibrate: no number is unknown: write one as pld.unknown, as in gaussian(sigma=unknown)")

    def _fitted(self, budget: _core.BudgetStanding) -> Calibration:
        return self._calibrated({})

    def _known_as(self, kind: type[Known], ends: Iterable[float], attained: bool = True) -> Known:
        return kind(*ends, exact=self.is_exact and attained)

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
        """Whether at every epsilon a pair of neighbours attains what is composed: epsilon and delta then bracket the exact loss.

        trade_off(), true_positive_rate(), renyi_divergence() and zcdp_rho() look at all epsilons, and are exact where it is
        the same pair of neighbours at all; in the worst direction the first two where a test attains them, too.
        """
        return self._accounted.is_exact()

    def _has_worst(self) -> bool:
        """Whether one pair of neighbours attains what is composed at all epsilons."""
        return self._accounted.has_worst_neighbours()

    @property
    def is_only_guaranteed(self) -> bool:
        """Whether some mechanism is known by a guarantee alone: lower ends are then those of some mechanism with it."""
        return self._accounted.is_only_guaranteed()

    @property
    def releases(self) -> list[tuple[str, str, int, bool]]:
        """Of each: its text, what it is accounted for as, the count, whether that is attained."""
        return self._accounted.releases()

    def to_json(self) -> str:
        """A ledger, as `pld --ledger` and from_json() read it."""
        return self._accounted.json()

    def _assumed_sampler(self) -> str:
        return self._accounted.assumed_sampler()

    def _assumed(self) -> str:
        """What nobody named and is taken for granted."""
        sampler = self._assumed_sampler()
        return sampler and f", assumed {sampler}"

    def _key(self) -> tuple[Any, ...]:
        return (self.adjacency, self.group, frozenset(self.releases))  # equal texts are equal laws, in any order

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Composition) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        return from_json, (self.to_json(),)

    def __repr__(self) -> str:
        """The first ten kinds of releases, as in notebooks."""
        releases = self.releases
        parts = [text if count == 1 else f"{count} * {text}" for text, _, count, _ in releases[:_SHOWN]]
        if len(releases) > _SHOWN:
            parts.append(f"{len(releases) - _SHOWN:,} more")
        others = "" if self.adjacency == "add-remove" else f", {self.adjacency}"
        others += "" if self.group == 1 else f", groups of {self.group}"
        return f"Composition({' + '.join(parts) or 'nothing released'}{others}{self._assumed()})"

    def _repr_html_(self) -> str:
        from html import escape

        releases = self.releases
        rows = "".join(f"<tr><td>{count:,}</td><td>{escape(counts_as)}</td>"
                       f"<td>{'exact' if exact else 'upper bound'}</td></tr>"
                       for _, counts_as, count, exact in releases[:_SHOWN])
        if len(releases) > _SHOWN:
            rows += f"<tr><td></td><td>and {len(releases) - _SHOWN:,} kinds more</td><td></td></tr>"
        answer = self.epsilon(1e-6)
        return (f"<table><thead><tr><th>releases</th><th>{self.adjacency}</th><th></th></tr></thead>{rows}</table>"
                f"{answer._repr_html_()}{self._assumed()}")


class Open(Composition):
    """A composition with a number left open."""

    __slots__ = ("_mechanisms", "_relation", "_group")
    _mechanisms: list[Any]  # those with an open number in words, the others as in a ledger
    _relation: str
    _group: int

    @classmethod
    def _opened(cls, mechanisms: list[Any], adjacency: str, group: int = 1) -> Open:
        made = object.__new__(Open)
        made._set(_mechanisms=mechanisms, _relation=adjacency, _group=group)
        return made

    @checked
    def in_groups(self, records: Whole) -> Composition:
        if self._group != 1:
            raise DomainError(f"in_groups: group is {self._group}, but must be 1: records of groups are not grouped again")
        group = Composition(adjacency=self._relation).in_groups(records).group  # as many as there may be
        return Open._opened(self._mechanisms, self._relation, group)

    @checked
    def best_of(self, tries: str) -> Composition:
        Composition("gaussian:sigma=1", adjacency=self._relation).best_of(tries)  # refused now if it is no law
        return Open._opened([{"tries": tries, "mechanisms": self._mechanisms}], self._relation, self._group)

    @property
    def group(self) -> int:
        return self._group

    def _neighbours(self) -> dict[str, Any]:
        return {"adjacency": self._relation, **({"group": self._group} if self._group != 1 else {})}

    @property
    def _accounted(self) -> _core.Accounted:
        raise DomainError("composition: a number is unknown: find it by calibrate() first")

    def __add__(self, other: Composition) -> Composition:
        if not isinstance(other, Composition):
            return NotImplemented
        _nothing_of(self)._first.require_composable(_nothing_of(other)._first)
        more = other._mechanisms if isinstance(other, Open) else loaded(other._accounted.json())["mechanisms"]
        return Open._opened(self._mechanisms + more, self._relation, self._group)

    def _times(self, count: int) -> Composition:
        return Open._opened([_repeated(one, count) for one in self._mechanisms], self._relation, self._group)

    @property
    def adjacency(self) -> str:
        return self._relation

    def _calibrated(self, goals: dict[str, Any]) -> Calibration:
        _require_finite("calibrate", goals)
        query = {"query": "calibrate", **self._neighbours(), "mechanisms": self._mechanisms, **goals}
        try:
            found = loaded(_core.answer(dumped(query)))
        except DomainError as error:
            words = _without_place(str(error))
            raise type(error)(f"calibrate: {words.removeprefix('query: ')}" if words.startswith("query: ") else words) from None
        return Calibration(found, self.at(float(found["value"])))

    def _fitted(self, budget: _core.BudgetStanding) -> Calibration:
        found = loaded(budget.calibrated(self.to_json()))
        return Calibration(found, self.at(float(found["value"])))

    @checked
    def at(self, value: Real) -> Composition:
        """The composition with this value for the unknown."""
        ledger = {**self._neighbours(), "mechanisms": [_filled(one, float(value)) for one in self._mechanisms]}
        try:
            return from_json(dumped(ledger))
        except DomainError as error:
            raise type(error)(_without_place(str(error))) from None

    def _key(self) -> tuple[Any, ...]:
        return (self.to_json(),)

    def __reduce__(self) -> tuple[Any, ...]:
        return Open._opened, (self._mechanisms, self._relation, self._group)

    def to_json(self) -> str:
        """The mechanisms with "?" for the unknown, as `pld batch` reads them."""
        return dumped({**self._neighbours(), "mechanisms": self._mechanisms})

    def _assumed_sampler(self) -> str:
        return next(filter(None, map(_assumed_of, self._mechanisms)), "")

    def __repr__(self) -> str:
        return f"Open({self.to_json()}{self._assumed()})"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<code>{escape(self.to_json())}</code>{self._assumed()}"


def _nothing_of(run: Composition) -> Composition:
    """Nothing released, for its neighbours."""
    return Composition(adjacency=run.adjacency).in_groups(run.group)


def _assumed_of(mechanism: Any) -> str:
    """The sampler that nobody named."""
    from re import search

    if not isinstance(mechanism, str):
        tried = next(filter(None, map(_assumed_of, mechanism.get("mechanisms", ()))), "")
        return str(mechanism.get("assumed_sampler", tried))
    return "fixed-size" if search("[:,]batch=", mechanism) and not search("[:,]sampler=", mechanism) else ""


def _without_place(message: str) -> str:
    """Of what is wrong in JSON that was written here: nobody has seen its lines, columns and lists."""
    from re import sub

    return sub(r"^(line \d+, column \d+: )?(mechanisms\[\d+\]: )?", "", message)


def _require_finite(where: str, fields: Mapping[str, Any]) -> None:
    """JSON has no other numbers."""
    for name, value in fields.items():
        if isinstance(value, float) and not abs(value) < float("inf"):
            raise DomainError(f"{where}: {name} is {value}, but must be a finite number")


def _filled(mechanism: Any, value: float) -> Any:
    """The mechanism with a number for every "?" and "?*FACTOR" of its words."""
    from re import sub

    def at(written: str) -> float:
        return value * _core.factor_from_text(written)

    if not isinstance(mechanism, str):
        filled = {word: at(given) if str(given).startswith("?") else given for word, given in mechanism.items()}
        if "mechanisms" in mechanism:
            filled["mechanisms"] = [_filled(one, value) for one in mechanism["mechanisms"]]
        return filled
    return sub(r"=(\?[^,]*)", lambda found: f"={at(found[1])!r}", mechanism)


def _repeated(mechanism: Any, count: int) -> Any:
    from re import search

    if not isinstance(mechanism, str) and "epochs" not in mechanism:
        return {**mechanism, "count": _times(mechanism.get("count", 1), count)}
    if not isinstance(mechanism, str) or "epochs=" in mechanism or search(r"(count|steps)=\?", mechanism):
        raise DomainError("composition: an unknown count, and one of epochs, cannot be repeated")
    written = search(r"(?:count|steps)=([^,]*)", mechanism)
    if written is None:
        return f"{mechanism},count={count}"
    return mechanism.replace(written[0], f"count={_times(_core.count_from_text(written[1]), count)}")


def _times(releases: int, count: int) -> int:
    if not 0 <= releases * count <= 1e12:
        raise refused("composition", "count", releases * count, COUNTS)
    return releases * count


class Profile(Fixed):
    """The privacy profile of a composition, composed once; see Composition.profile()."""

    __slots__ = ("composition", "tolerance", "engine", "_core")
    composition: Composition
    tolerance: float
    engine: str
    _core: _core.PrivacyProfile

    def __init__(self, composition: Composition, tolerance: float, engine: str, epsilon_tolerance: float | None = None) -> None:
        self._set(composition=composition, tolerance=tolerance, engine=engine,
                  _core=_core.profile(composition._accounted, tolerance, engine, epsilon_tolerance))

    @overload
    def delta(self, epsilon: Real, *, direction: str = ...) -> Bracket: ...
    @overload
    def delta(self, epsilon: Many, *, direction: str = ...) -> Brackets: ...

    @checked
    def delta(self, epsilon: Numbers, *, direction: str = "worst") -> Any:
        """delta at one epsilon (a Bracket) or many (Brackets, in the shape given)."""
        return self._read(self._core.deltas, epsilon, direction)

    @overload
    def log_delta(self, epsilon: Real, *, direction: str = ...) -> Bracket: ...
    @overload
    def log_delta(self, epsilon: Many, *, direction: str = ...) -> Brackets: ...

    @checked
    def log_delta(self, epsilon: Numbers, *, direction: str = "worst") -> Any:
        """Its natural logarithm, also where delta is too small for a double."""
        return self._read(self._core.deltas, epsilon, direction, first=3)

    @overload
    def epsilon(self, delta: Real, *, direction: str = ...) -> Bracket: ...
    @overload
    def epsilon(self, delta: Many, *, direction: str = ...) -> Brackets: ...

    @checked
    def epsilon(self, delta: Numbers, *, direction: str = "worst") -> Any:
        """The inverse."""
        return self._read(self._core.epsilons, delta, direction)

    @overload
    def trade_off(self, alpha: Real, *, direction: str = ...) -> Floor: ...
    @overload
    def trade_off(self, alpha: Many, *, direction: str = ...) -> Brackets: ...

    @checked
    def trade_off(self, alpha: Numbers, *, direction: str = "worst") -> Any:
        """f(alpha): no test has less type II error."""
        return self._traded(alpha, direction, 0, Floor)

    @overload
    def true_positive_rate(self, fpr: Real, *, direction: str = ...) -> Bracket: ...
    @overload
    def true_positive_rate(self, fpr: Many, *, direction: str = ...) -> Brackets: ...

    @checked
    def true_positive_rate(self, fpr: Numbers, *, direction: str = "worst") -> Any:
        """1 - f(fpr)."""
        return self._traded(fpr, direction, 3, Bracket)

    def __reduce__(self) -> tuple[Any, ...]:
        return Profile, (self.composition, self.tolerance, self.engine)  # composed again

    def __repr__(self) -> str:
        return f"Profile({self.composition!r})"

    def _read(self, reading: Any, at: Numbers, direction: str, first: int = 0) -> Any:
        row, shape = _row(at)
        return self._shown(reading(row, direction)[first:first + 3], shape, Bracket, self.composition.is_exact)

    def _traded(self, at: Numbers, direction: str, first: int, one: type[Bracket]) -> Any:
        """Trade-off functions look at all epsilons: exact is what a test attains."""
        row, shape = _row(at)
        found = self._core.trade_offs(row, direction)
        exact = found[-1].astype(bool).reshape(shape) & self.composition._has_worst()
        return self._shown(found[first:first + 3], shape, one, exact)

    def _shown(self, ends: NDArray[np.float64], shape: tuple[int, ...], one: type[Bracket], exact: Any) -> Any:
        if shape == ():
            return self.composition._known_as(one, map(float, ends[:, 0]), bool(exact))
        return Brackets.of_ends(ends.T, shape, one, exact)


@checked
def from_json(text: str, *, adjacency: str = "", files: bool = True) -> Composition:
    """A ledger, or an event of dp_accounting saved as JSON.

    With files=False mechanisms that name a file are refused: text of others could name any that this process may read.

    >>> import pld
    >>> pld.from_json('{"mechanisms": [{"type": "gaussian", "sigma": 1, "count": 10}]}').epsilon(1e-5)
    Epsilon(17.8565 <= 17.8566)
    """
    return Composition._of(_core.Accounted.from_json(text, adjacency, files))


@checked
def mechanism(type: str, parameters: Mapping[str, Any], count: Number | None = None, adjacency: str = "add-remove",
              sampling: Mapping[str, Any] = {}) -> Composition:
    """A mechanism by the name of its type; `pld mechanisms` and the functions of this package list them.

    >>> import pld
    >>> pld.mechanism("gaussian", {"sigma": 2}, sampling={"poisson": 0.1})
    Composition(gaussian:sigma=2,q=0.1)
    """
    if "adjacency" in parameters:
        raise refused(type, "adjacency", parameters["adjacency"], f"beside the parameters: adjacency={parameters['adjacency']!r}")
    given = {name: value for name, value in parameters.items() if value is not None}
    if count is not None:
        if "count" in given:
            raise refused(type, "count", count, "given once, beside the parameters or as one of them")
        given["count"] = count
    words = ",".join(f"{name}={_written(type, name, value)}" for name, value in
                     [*given.items(), *((WORDS.get(name, name), value) for name, value in sampling.items())])
    return Composition(f"{type}:{words}" if words else type, adjacency=adjacency)


def by_name(function: Function) -> Function:
    """A function for a type of mechanism: a word that is not the type's is told before one that is missing."""
    type = function.__name__.replace("_", "-")
    first = function.__code__.co_varnames[0]

    @wraps(function)
    def made(*given: Any, **named: Any) -> Any:
        if given:
            raise TypeError(f"{function.__name__}() takes its parameters by name, as {function.__name__}({first}=...)")
        try:
            return function(**named)
        except TypeError:
            for name in named:
                _core.require_word(type, WORDS.get(name, name))
            raise

    return made  # type: ignore[return-value]


WORDS = _core.sampling_words()  # of the numbers that ledgers have longer names for
TEXTS = _core.text_words()  # the words of a mechanism that stand for no number
SHARES = _core.sampling_shares()  # the words of those that are parts of the data


@cache
def _lists() -> dict[str, set[str]]:
    """The parameters of each type that are lists of numbers."""
    return {name: {parameter for parameter, *_, is_list in parameters if is_list}
            for name, _, _, parameters, *_ in _core.mechanism_types()}


def _takes_list(type: str, name: str) -> bool:
    return name in _lists().get(type, {name})


def _written(type: str, name: str, value: Any) -> str:
    """What the command's words say for a value."""
    if isinstance(value, Unknown):
        return str(value)
    if name in TEXTS and isinstance(value, str) and "," not in value:
        return text(type, name, value)
    if hasattr(value, "keys"):
        raise refused(type, name, value, "given number by number")
    if is_unordered(value):
        raise refused(type, name, value, ORDERED)
    try:
        return _number_written(type, name, value)
    except DomainError as error:
        refusal = error
    _core.require_word(type, name)  # that a word is misspelt is told before what its value must be
    raise refusal


def _is_plain_array(value: Any) -> bool:
    """Of numbers alone, which Python's own are read much faster than; nothing in it is masked."""
    return value.__class__.__name__ == "ndarray" and value.dtype.kind in "fiu"


OPEN = ", or pld.unknown for the one that calibrate() finds"  # which the command writes as a question mark


def _number_written(type: str, name: str, value: Any) -> str:
    if _takes_list(type, name) and hasattr(value, "__iter__") and not isinstance(value, str) and getattr(value, "ndim", 1) > 0:
        one_by_one = value.tolist() if _is_plain_array(value) else value
        written = [repr(number(type, name, one)) for one in one_by_one]
        if not written:
            raise refused(type, name, value, "one number or more")
        return "/".join(written)
    is_left_open = isinstance(value, str) and value.startswith("?")
    must = "a name without a comma" if name in TEXTS else f"a number{OPEN if is_left_open else ''}"
    if name in SHARES:
        return repr(share(type, name, value, must)).removesuffix(".0")
    return repr(number(type, name, value, must, COUNTS if name in ("count", "steps") else HELD)).removesuffix(".0")
