"""Private selection: the best of K runs, K random (docs/private_selection.md, which has the proofs). With delta(a) the run's profile, the larger of both
directions', that of the best is bounded at every epsilon >= 0; nothing is said from below."""
import math

from flint import arb

import laws
from best_of import FARTHEST, FEW_NODES, bounds_of
from enclosure import precision
from outline import least

WIDTHS = (1e-2, 1e-5, 1e-8)  # errors relative to what is claimed
NODES = 600                  # of chords at last
LARGEST_POWER = 700.0  # of e, in doubles
HOPE = 1.1                   # how far above what is claimed the best of all places may be, for it to be looked at closely
PLACES = 48                  # of a chord's ends
STEP, BITS = 40.0, 192       # the nats that tell how far the points of a pair go, and their precision


class Selection:
    """A release that is one, with the fields of those of schemes.py. Beside others it has the worst pair under its bounds at some epsilons."""
    mu_squared = laplace_shift = guarantee = None
    symmetric, exact, exact_alone, renyi, guaranteed = True, False, False, False, True

    def __init__(self, tries, run, count):
        self.tries, self.run, self.count, self._points = tries, run, count, {}

    def pair(self, nats):
        steps = math.ceil(nats / STEP)  # few different ones
        if steps not in self._points:
            with precision(BITS):
                self._points[steps] = bounds_of(self.tries, self.run).points((-arb(STEP * steps)).exp())
        return laws.under_points([(epsilon.exp(), delta) for epsilon, delta in self._points[steps]])

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
        self.bounds = bounds_of(selection.tries, selection.run)

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
        seen = {}

        def at(t, nodes=FEW_NODES):
            key = abs(t), nodes
            if key not in seen:
                seen[key] = self.bounds.at(abs(t), size, nodes).min(arb(1))
            value, factor = seen[key], arb(t).exp()
            return value if t >= 0 else 1 - factor + factor * value

        def chord(low, high, nodes=FEW_NODES):
            if low == high:
                return at(low, nodes)
            x, y, z = (arb(t).exp() for t in (low, epsilon, high))
            return (at(low, nodes) * (z - y) + at(high, nodes) * (y - x)) / (z - x)

        own = at(epsilon, NODES)
        if own <= most or epsilon > LARGEST_POWER:
            return own
        end = 2 * epsilon + 1.0
        while at(end) > most / 2 and end < FARTHEST:
            end *= 1.5
        stride = end / PLACES
        places = [epsilon + (i - int(epsilon / stride)) * stride for i in range(PLACES + 1)]
        largest = self.bounds.end(size)
        places += [] if largest is None else [largest]
        values = [(math.exp(t), float(at(t).mid()), t) for p in places if 0 <= p <= LARGEST_POWER for t in {p, -p}]
        right, left = [v for v in values if v[2] >= epsilon], [v for v in values if v[2] < epsilon]
        y = math.exp(epsilon)
        value, high, low = min(((q * (y - x) + p * (z - y)) / (z - x), t2, t1) for z, q, t2 in right for x, p, t1 in left)
        if value > HOPE * most:
            return own
        if value <= most and (closely := chord(low, high, NODES)) <= most:
            return closely
        for _ in range(4):
            high = least(lambda t: float(chord(low, t).mid()), max(epsilon, high - stride), high + stride, steps=24)
            low = least(lambda t: float(chord(t, high).mid()), low - stride, min(epsilon, low + stride), steps=24)
            stride /= 5
        return min((own, chord(low, high, NODES)), key=lambda x: float(x.mid()))
