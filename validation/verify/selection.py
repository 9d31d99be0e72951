"""Private selection: the best of K runs, K random (docs/private_selection.md, which has the proofs). With delta(a) the run's profile, the larger of both
directions', that of the best is bounded at every epsilon >= 0; nothing is said from below."""
import math

from flint import arb, fmpq

import laws
from composition import Composition
from enclosure import ball, double_below, exact, precision
from outline import least
from pairs import Pair
from profiles import Profiles

WIDTHS = (1e-2, 1e-5, 1e-8)  # errors relative to what is claimed
FEW_NODES, NODES = 24, 600   # of chords, in a search and at last
HOPE = 1.1                   # how far above what is claimed the best of all places may be, for it to be looked at closely
PLACES, FARTHEST = 48, 1e3   # of a chord's ends, and the largest
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


class Selection:
    """A release that is one, with the fields of those of schemes.py. Composed with anything its pair says nothing."""
    mu_squared = laplace_shift = guarantee = None
    symmetric, exact, exact_alone, renyi, guaranteed = True, False, False, False, True

    def __init__(self, tries, run, count):
        self.tries, self.run, self.count = tries, run, count

    @staticmethod
    def pair(_):
        return Pair(only_p=1, only_q=1, range=(fmpq(0), fmpq(0)))

    def attained(self):
        return Nothing(self.count)


class Nothing(Selection):
    """Of a selection from below."""
    exact = True

    def __init__(self, count):
        self.count = count

    @staticmethod
    def pair(_):
        return laws.nothing()


class SelectionProfiles:
    """As Profiles, from above only, of one selection."""

    def __init__(self, selection):
        (self.law, self.numbers), composition = selection.tries, Composition(selection.run)
        self._least_ratios, self._best_e = {}, {}
        self.composition, self.directions = composition, Profiles(composition, "worst").directions

    def at_least(self, *_):
        return None, "of private selection nothing is known from below"

    stays_above_until = at_least

    def at_most(self, epsilon, level):
        if not 0 <= epsilon < math.inf:
            return None, "of private selection bounds are for an epsilon >= 0, and finite"
        with precision(256):
            most = level.ball()
            if not most > 0:
                return None, "no delta above 0 was claimed"
            for width in WIDTHS:
                value = self._least_chord(epsilon, most * width, most)
                if value <= most:
                    return True, f"delta is at most {value.str(12)}"
                if value > most * (1 + 10 * width):
                    break
            return None, f"delta is at most {value.str(12)}"

    def _least_chord(self, epsilon, size, most):
        """The profile is convex in e^epsilon: below every chord of bounds. At -t it is 1 - e^-t + e^-t delta(t), by the bound of both directions."""
        bound = self._poisson if self.law == "poisson" else self._negative_binomial
        seen = {}

        def at(t, nodes=FEW_NODES):
            key = abs(t), nodes
            if key not in seen:
                seen[key] = bound(abs(t), size, nodes).min(arb(1))
            value, factor = seen[key], arb(t).exp()
            return value if t >= 0 else 1 - factor + factor * value

        def chord(low, high, nodes=FEW_NODES):
            if low == high:
                return at(low, nodes)
            x, y, z = (arb(t).exp() for t in (low, epsilon, high))
            return (at(low, nodes) * (z - y) + at(high, nodes) * (y - x)) / (z - x)

        own = at(epsilon, NODES)
        if own <= most:
            return own
        end = 2 * epsilon + 1.0
        while at(end) > most / 2 and end < FARTHEST:
            end *= 1.5
        stride = end / PLACES
        places = [epsilon + (i - int(epsilon / stride)) * stride for i in range(PLACES + 1)]
        values = [(math.exp(t), float(at(t).mid()), t) for p in places if p >= 0 for t in {p, -p}]
        right, left = [v for v in values if v[2] >= epsilon], [v for v in values if v[2] < epsilon]
        y = math.exp(epsilon)
        value, high, low = min(((q * (y - x) + p * (z - y)) / (z - x), t2, t1) for z, q, t2 in right for x, p, t1 in left)
        if value > HOPE * most:
            return own
        for _ in range(4):
            high = least(lambda t: float(chord(low, t).mid()), max(epsilon, high - stride), high + stride, steps=24)
            low = least(lambda t: float(chord(t, high).mid()), low - stride, min(epsilon, low + stride), steps=24)
            stride /= 5
        return min((own, chord(low, high, NODES)), key=lambda x: float(x.mid()))

    def _delta(self, a, size):
        """Of the run, in both directions: at the double below `a`, where it is no less."""
        values = [self.composition.at(adding, double_below(ball(a)), size) for adding in self.directions]
        return values[0].max(values[-1])

    def _negative_binomial(self, epsilon, size, _):
        """E K delta(epsilon - (1 + shape) b), with e^b >= (gamma + (1 - gamma) T_Q) / (gamma + (1 - gamma) T_P) for the chances T of any event: the
        larger of e^a and 1 + (1 - gamma) / gamma delta(a) is, for any a >= 0."""
        shape, gamma = self.numbers["shape"], self.numbers["gamma"]
        odds, log_gamma = ball((1 - gamma) / gamma), ball(gamma).log()
        mean = arb(1) if gamma == 1 else odds / (-log_gamma if shape == 0 else -(ball(shape) * log_gamma).expm1() / ball(shape))

        def ratio(a):
            return (odds * self._delta(a, size / (1 + odds * mean))).log1p()

        key = float(size.mid())
        if key not in self._least_ratios:
            low, high = 0.0, 1.0
            while ratio(high) > high and high < FARTHEST:
                low, high = high, 2 * high
            for _ in range(40):
                middle = (low + high) / 2
                low, high = (middle, high) if ratio(middle) > middle else (low, middle)
            self._least_ratios[key] = arb(high).max(ratio(high))
        return mean * self._delta(arb(epsilon) - (1 + ball(shape)) * self._least_ratios[key], size / mean)

    def _poisson(self, epsilon, size, nodes):
        """The least of the bounds by chords over all e."""
        def log_bound(log_e):
            value = self._by_chords(math.exp(log_e), epsilon, FEW_NODES, size)
            return float(value.log().mid()) if value > 0 else -math.inf

        if epsilon not in self._best_e:
            starts = [math.log(max(epsilon, 0.01)) - 0.7 * i for i in range(-2, 7)]
            best = min(starts, key=log_bound)
            self._best_e[epsilon] = math.exp(least(log_bound, best - 0.7, best + 0.7, steps=12))
        mean = ball(self.numbers["mean"])
        return min((self._by_chords(self._best_e[epsilon], epsilon, nodes, size),
                    mean * self._delta(arb(epsilon) - mean * self._delta(0.0, size), size / mean)), key=lambda x: float(x.mid()))

    def _by_chords(self, e, epsilon, nodes, size):
        """mean times E_Q h(L), with h(L) the largest of u (L - G u^c) for u from e^-mean to 1, G = e^(epsilon - mean delta(e)), c = e^e - 1: a convex
        function with the slope 1 from (1 + c) G on, below its chords, whose slopes are s_0 from 0 and s_i between nodes."""
        mean, e = ball(self.numbers["mean"]), arb(e)
        c, log_g = e.expm1(), arb(epsilon) - mean * self._delta(e, size / mean)
        top = log_g + e
        places = [top * i / nodes for i in range(nodes + 1)] if top > 0 else [top]

        def h(place):
            log_u = ((place - top) / c).min(arb(0)).max(-mean)
            return (log_u.exp() * (place.exp() - (log_g + c * log_u).exp())).nonnegative_part()

        values = [h(place) for place in places]
        slopes = [values[0] / places[0].exp()]
        slopes += [(b - a) / (y.exp() - x.exp()) for a, b, x, y in zip(values, values[1:], places, places[1:])] + [arb(1)]
        return mean * (slopes[0] + sum(((after - before) * self._delta(place, size / mean) for before, after, place in zip(slopes, slopes[1:], places)), arb(0)))
