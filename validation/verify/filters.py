"""Privacy filters (docs/budgets.md has the theorems): what releases cost, and what a cap on their sum implies."""
import math
from fractions import Fraction

from flint import arb, fmpq

import closed_forms
import renyi
from all_orders import Orders, bounds_of_rho, divergence, is_converted, of_pure
from best_of import bounds_of
from claims import BadInput, field, word
from composition import Composition
from enclosure import OutOfReach, ball, exact, log_of
from gdp import mu_of_pure, mu_squared_above
from mechanisms import Release, read_number
from outline import least
from profiles import Profiles
from schemes import Ungrouped
from selection import Selection

DIGITS = 15  # of decimals that doubles are read as
LOG_RISES = -7.0, 9.0  # of orders, less 1, among which one is looked for


def as_written(value):
    """Numbers as budgets read them: as the decimal of up to 15 digits that is read as the same double, where there is one; also those inside."""
    if isinstance(value, dict):
        return {key: as_written(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_written(item) for item in value]
    if not isinstance(value, float) or not abs(value) < float("inf"):
        return value
    short = f"{value:.{DIGITS}g}"
    return fmpq(*Fraction(short).as_integer_ratio()) if float(short) == value else exact(value)


def written_number(object, name, what):
    return read_number(as_written(field(object, name)), f"{what}.{name}")


def is_at_most(number, limit):
    """Of a fraction or a ball; fractions are told apart whatever the precision."""
    return bool(number <= limit if isinstance(number, fmpq) else number <= ball(limit))


class Filter:
    """Adds up its quantity (epsilon, rho, D of one order, mu^2), which may come to `cap`, and releases' own deltas, which may come to `delta_cap`."""

    def __init__(self, name, cap, delta_cap=fmpq(0), order=None):
        self.name, self.cap, self.delta_cap, self.order = name, cap, delta_cap, order

    @classmethod
    def read(cls, object):
        name, order = word(object, "name", ("basic", "zcdp", "renyi", "gdp")), None
        if name == "renyi":
            order = read_number(field(object, "order"), "filter.order")
            if order <= 1:
                raise BadInput(f"filter.order is {order}, but must be > 1")
        delta_cap = written_number(object, "delta_cap" if "delta_cap" in object else "delta", "filter")
        return cls(name, written_number(object, "cap", "filter"), delta_cap, order)

    @classmethod
    def of_target(cls, target):
        """The one whose sums within the caps are what the target says."""
        if "epsilon" in target:
            return cls("basic", *(written_number(target, name, "target") for name in ("epsilon", "delta")))
        return cls("zcdp", written_number(target, "rho", "target")) if "rho" in target else cls("gdp", written_number(target, "mu", "target") ** 2)

    def implies(self, target):
        """Whether sums within the caps imply the target."""
        wanted = Filter.of_target(target)
        if wanted.name == self.name:
            return self.cap <= wanted.cap and self.delta_cap <= wanted.delta_cap
        if wanted.name == "basic":
            return bool(self._delta_of_cap(wanted.cap) + ball(self.delta_cap) <= ball(wanted.delta_cap))
        return (self.name, wanted.name) == ("gdp", "zcdp") and self.cap / 2 <= wanted.cap and self.delta_cap == 0  # rho = mu^2 / 2

    def _delta_of_cap(self, epsilon):
        if self.name == "gdp":
            return closed_forms.gaussian(ball(self.cap).sqrt())(ball(epsilon))
        if self.name == "zcdp":
            return renyi.converted(renyi.zcdp({"rho": self.cap, "xi": fmpq(0)}), epsilon)
        return (ball(self.order - 1) * ball(self.cap - epsilon)).exp() * renyi.kernel(ball(self.order))

    def sums(self, spent):
        """Upper bounds of the loss and the delta of all releases together, each given by releases that lose no less: with the least losses, then with the least deltas.
        Raises OutOfReach."""
        known = [[cost for release in releases for cost in self._costs(release)] for releases in spent]
        if not all(known):
            raise OutOfReach("no theorem here gives its cost")
        for first in (lambda delta: delta != 0), (lambda delta: ball(delta).upper()):
            chosen = [min(costs, key=lambda cost: (first(cost[1]), ball(cost[0]).upper())) for costs in known]
            yield tuple(sum(parts, fmpq(0)) for parts in zip(*chosen))

    def is_within_as_one(self, spent, loss, delta):
        """Whether rho of all that has no infinite losses, as one release by its divergences at all orders, and the costs of the rest are within the limits. Raises OutOfReach."""
        if self.name != "zcdp":
            return None
        told = [next((release for release in releases if _has_divergences(release)), None) for releases in spent]
        one, rest = [release for release in told if release], [releases for releases, known in zip(spent, told) if not known]
        for other, infinite in self.sums(rest) if rest else [(fmpq(0), fmpq(0))]:
            left = math.nextafter(float(ball(loss - other).lower()), -math.inf)
            if one and is_at_most(infinite, delta) and left > 0 and Orders(Profiles(Composition(one), "worst")).is_at_most(left)[0]:
                return True
        return None

    def _costs(self, release):
        """What theorems say of all its repetitions together: losses and deltas, of which each two are enough."""
        yield from ((release.count * loss, fmpq(0)) for loss in self._without_delta(release) if loss is not None)
        worst, infinite = (None, None) if is_converted(release) else _worst(release)
        if worst is not None:
            yield release.count * self._of_pure(worst), release.count * infinite

    def _without_delta(self, release):
        if isinstance(release, Selection):
            return [_divergence_of_best(release, self.order)] if self.name == "renyi" else []
        if self.name == "gdp":
            return [mu_squared_above(release)]
        if self.name == "zcdp":
            return bounds_of_rho(release)
        return [] if self.name == "basic" else [divergence(release, self.order), *(self.order * rho for rho in bounds_of_rho(release))]

    def _of_pure(self, epsilon):
        if self.name == "basic":
            return epsilon
        epsilon = ball(epsilon)
        if self.name == "gdp":
            return mu_of_pure(epsilon) ** 2
        if self.name == "zcdp":
            return of_pure(epsilon)
        a = ball(self.order)  # of a randomized response, which dominates
        return (((a - 0.5) * epsilon).cosh() / (epsilon / 2).cosh()).log() / (a - 1)


def _has_divergences(release):
    """Whether they are its pair's, and finite."""
    if not isinstance(release, Release) or is_converted(release):
        return False
    pair = release.pair(30)
    return pair.only_p == 0 and pair.only_q == 0


def _worst(release):
    """The largest loss in either direction but for infinite ones, None where there is none, and the mass of those. A number of runs that are epsilon-DP is (2 + shape) epsilon-DP (Papernot,
    Steinke 2022)."""
    if isinstance(release, Selection):
        return _worst_of_best(release), fmpq(0)
    if isinstance(release, Ungrouped):
        return _one_by_one(release)
    if isinstance(release, Release) and release.name == "dp" and not release.scheme:
        return release.parameters["epsilon"], release.parameters["delta"]  # exactly
    pair = release.pair(30)
    if None in pair.range:
        return None, fmpq(0)
    low, high = pair.range
    worst = max(high, -low) if isinstance(low, fmpq) and isinstance(high, fmpq) else ball(high).max(-ball(low))
    return worst, pair.only_p.max(pair.only_q)


def _worst_of_best(selection):
    law, numbers = selection.tries
    runs = [(*_worst(run), run.count) for run in selection.run]
    if law == "poisson" or any(worst is None or infinite != 0 for worst, infinite, _ in runs):
        return None
    return (2 + numbers["shape"]) * sum((count * worst for worst, _, count in runs), fmpq(0))


def _divergence_of_best(selection, order):
    """With D that of a run, and any b > 1: D_a + (1 + shape) ((1 - 1 / b) D_b + log(1 / gamma) / b) + log E K / (a - 1) (Papernot, Steinke 2022, theorem 2)."""
    law, numbers = selection.tries
    at_order = None if law == "poisson" else _divergence_of_run(selection, order)
    if at_order is None:
        return None

    def more(b):
        at_b = _divergence_of_run(selection, fmpq(*b.as_integer_ratio()))
        return None if at_b is None else (1 - 1 / arb(b)) * at_b - ball(numbers["gamma"]).log() / arb(b)

    def look(log_rise):
        found = more(1 + math.exp(log_rise))
        return math.inf if found is None else log_of(found)

    best = more(1 + math.exp(least(look, *LOG_RISES, steps=30)))
    return None if best is None else at_order + (1 + ball(numbers["shape"])) * best + bounds_of(selection.tries, selection.run).mean().log() / (ball(order) - 1)


def _divergence_of_run(selection, order):
    each = [(divergence(release, order), release.count) for release in selection.run]
    return None if any(found is None for found, _ in each) else sum((count * ball(found) for found, count in each), arb(0))


def _one_by_one(release):
    """Of a group by single steps: k epsilon and delta (1 + e^epsilon + ... + e^((k - 1) epsilon))."""
    worst, infinite = _worst(release.base)
    if worst is None or infinite == 0:
        return None if worst is None else release.group * worst, infinite
    return release.group * worst, infinite * sum(((i * ball(worst)).exp() for i in range(release.group)), arb(0))
