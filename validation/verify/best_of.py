"""Bounds of the profile of the best of K runs, K random (docs/private_selection.md, which has the proofs): from above, at epsilons >= 0, by the run's, the larger one of both
directions."""
import bisect
import math

from flint import arb, fmpq

from composition import Composition
from enclosure import ball, double_below, exact, log_of
from outline import least
from profiles import Profiles

FEW_NODES = 24          # of chords, in a search
FARTHEST = 1e3          # epsilon
POINTS, SHOWN = 600, 12  # of a profile, and those at which an e is looked for
ROUNDS = 4               # of that, at the others
NUMBERS = {"geometric": {"mean"}, "negative-binomial": {"shape", "gamma"}, "poisson": {"mean"}}


def read_tries(text, wrong):
    """The law's name and its numbers, as rational ones; `wrong`: what to raise."""
    name, _, rest = text.partition(":") if isinstance(text, str) else ("", "", "")
    try:
        numbers = {key: exact(float(value)) for key, value in (part.split("=") for part in rest.split(","))}
    except (ValueError, OverflowError):
        numbers = {}
    if numbers.keys() != NUMBERS.get(name):
        raise wrong(f"tries is {text!r}, but must be geometric:mean=M, negative-binomial:shape=S,gamma=G or poisson:mean=M")
    if name == "geometric":
        name, numbers = "negative-binomial", {"shape": fmpq(1), "gamma": 1 / numbers["mean"] if numbers["mean"] >= 1 else fmpq(0)}
    if not (numbers["mean"] > 0 if name == "poisson" else numbers["shape"] > -1 and 0 < numbers["gamma"] <= 1):
        raise wrong(f"tries is {text!r}, but must be of a mean > 0, from 1 on if geometric, a shape > -1 and a gamma from above 0 to 1")
    return name, numbers


def bounds_of(tries, run):
    """`tries`: as read; `run`: its releases."""
    name, numbers = tries
    return PoissonNumber(run, numbers["mean"]) if name == "poisson" else NegativeBinomial(run, **numbers)


class BestOf:
    """Of a run: `at(epsilon, size, nodes)` bounds delta, which may be off by about that size; `nodes`: of chords, if there are some."""

    def __init__(self, run):
        self.composition = Composition(run)
        self.directions, self._deltas = Profiles(self.composition, "worst").directions, {}

    def run(self, a, size):
        """The run's delta: at the double below `a`, where it is no less."""
        key = a if a == math.inf else double_below(ball(a)), float(size.mid())
        if key not in self._deltas:
            values = [self.composition.at(adding, key[0], size) for adding in self.directions]
            self._deltas[key] = values[0].max(values[-1])
        return self._deltas[key]

    def end(self, size):
        """A double from which on delta is bounded by what infinite losses have; None of unbounded ones."""
        ends = [self.composition.largest_loss(adding) for adding in self.directions]
        return None if None in ends else max(-double_below(-(ball(end) + self._shift(size))) for end in ends)

    def points(self, size):
        """Epsilons and upper bounds of delta there, by what the run has at even places, up to its largest loss or to about that size."""
        reach, ends, infinite = 1.0, [self.composition.largest_loss(adding) for adding in self.directions], self.run(math.inf, size)
        while self.run(reach, size) > size + 1.001 * infinite and reach < FARTHEST:
            reach *= 1.3
        if None not in ends:
            reach = min(reach, max(-double_below(-ball(end)) for end in ends))
        found = self._by_places([reach * i / POINTS for i in range(POINTS + 1)], size)
        return sorted((epsilon.upper(), delta.upper()) for epsilon, delta in found if epsilon >= 0)


class NegativeBinomial(BestOf):
    """E K delta(epsilon - (1 + shape) b), with e^b >= (gamma + (1 - gamma) T_Q) / (gamma + (1 - gamma) T_P) for the chances T of any event: the larger of e^a and
    1 + (1 - gamma) / gamma delta(a) is, for any a >= 0."""

    def __init__(self, run, shape, gamma):
        super().__init__(run)
        self.shape, self.gamma, self._least_ratios = shape, gamma, {}

    def at(self, epsilon, size, _=None):
        return self.mean() * self.run(arb(epsilon) - self._more(size), size / self.mean())

    def _shift(self, size):
        return self._more(size)

    def _by_places(self, places, size):
        return [(arb(a) + self._more(size), self.mean() * self.run(a, size / self.mean())) for a in places]

    def _odds(self):
        return ball((1 - self.gamma) / self.gamma)

    def mean(self):
        log_gamma, shape = ball(self.gamma).log(), ball(self.shape)
        return arb(1) if self.gamma == 1 else self._odds() / (-log_gamma if shape == 0 else -(shape * log_gamma).expm1() / shape)

    def _more(self, size):
        """(1 + shape) b."""
        def ratio(a):
            return (self._odds() * self.run(a, size / (1 + self._odds() * self.mean()))).log1p()

        key = float(size.mid())
        if key not in self._least_ratios:
            low, high = 0.0, 1.0
            while ratio(high) > high and high < FARTHEST:
                low, high = high, 2 * high
            for _ in range(40):
                middle = (low + high) / 2
                low, high = (middle, high) if ratio(middle) > middle else (low, middle)
            self._least_ratios[key] = arb(high).max(ratio(high))
        return (1 + ball(self.shape)) * self._least_ratios[key]


class PoissonNumber(BestOf):
    """The least of the bounds by chords over all e."""

    def __init__(self, run, mean):
        super().__init__(run)
        self.number, self._best_e = mean, {}
        ends = [self.composition.largest_loss(adding) for adding in self.directions]
        self._run_end = None if None in ends else arb(max(-double_below(-ball(end)) for end in ends))

    def at(self, epsilon, size, nodes):
        """At a pure run's own epsilon delta is 0, below it grows: no search finds such a place."""
        factors = [self._best(epsilon, size), *([] if self._run_end is None else [float(self._run_end.mid())])]
        found = [self._at(epsilon, e, nodes, size) for e in factors]
        found.append(self.mean() * self.run(arb(epsilon) - self._lost(0.0, size), size / self.mean()))
        return min(found, key=lambda x: float(x.mid()))

    def _by_places(self, places, size):
        """With the last node at each of them, and e between those that are best at some of them; or without a multiplicative part."""
        shown = places[1 :: POINTS // SHOWN]
        best = [math.log(self._best(place, size)) for place in shown]

        def e_at(place):
            i = min(max(bisect.bisect(shown, place), 1), len(shown) - 1)
            share = (place - shown[i - 1]) / (shown[i] - shown[i - 1])
            return math.exp(best[i - 1] + min(max(share, 0.0), 1.0) * (best[i] - best[i - 1]))

        def epsilon_at(top, e):
            return top - arb(e) + self._lost(e, size)

        for n, top in enumerate(places):
            e = e_at(top)
            for _ in range(ROUNDS):
                e = e_at(float(epsilon_at(top, e).mid()))
            yield epsilon_at(top, e), self._by_chords(e, places[: n + 1], size)
            yield top + self._lost(0.0, size), self.mean() * self.run(top, size / self.mean())

    def mean(self):
        return ball(self.number)

    def _shift(self, size):
        return self._lost(0.0, size)

    def _lost(self, e, size):
        return self.mean() * self.run(e, size / self.mean())

    def _best(self, epsilon, size):
        """An e, in doubles."""
        def log_bound(log_e):
            return log_of(self._at(epsilon, math.exp(log_e), FEW_NODES, size))

        if epsilon not in self._best_e:
            starts = [math.log(max(epsilon, 0.01)) - 0.7 * i for i in range(-2, 15)]
            best = min(starts, key=log_bound)
            self._best_e[epsilon] = math.exp(least(log_bound, best - 0.7, best + 0.7, steps=12))
        return self._best_e[epsilon]

    def _at(self, epsilon, e, nodes, size):
        top = arb(epsilon) - self._lost(e, size) + arb(e)
        return self._by_chords(e, self._places(top, nodes) if top > 0 else [top], size)

    def _places(self, top, nodes):
        """Even ones up to the last, or to the run's largest loss and then the last."""
        if self._run_end is None or not top > self._run_end:
            return [top * i / nodes for i in range(nodes + 1)]
        return [*(self._run_end * i / nodes for i in range(nodes + 1)), top]

    def _by_chords(self, e, places, size):
        """mean times E_Q h(L), with h(L) the largest of u (L - G u^c) for u from e^-mean to 1, (1 + c) G = e^top at the last place, c = e^e - 1: a convex function with the
        slope 1 from there on, below its chords, whose slopes are s_0 from 0 and s_i between nodes. It bounds delta at top - e + mean delta(e)."""
        mean, places = self.mean(), [arb(place) for place in places]
        c, top = arb(e).expm1(), places[-1]
        log_g = top - arb(e)

        def h(place):
            log_u = ((place - top) / c).min(arb(0)).max(-mean)
            return (log_u.exp() * (place.exp() - (log_g + c * log_u).exp())).nonnegative_part()

        values = [h(place) for place in places]
        slopes = [values[0] / places[0].exp()]
        slopes += [(b - a) / (y.exp() - x.exp()) for a, b, x, y in zip(values, values[1:], places, places[1:])] + [arb(1)]
        return mean * (slopes[0] + sum(((after - before) * self.run(place, size / mean) for before, after, place in zip(slopes, slopes[1:], places)), arb(0)))
