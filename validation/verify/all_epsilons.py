"""A profile beside those of Gaussian noise, at every epsilon >= 0 where its delta is some least delta or more. Both are convex in x = e^epsilon and fall: between two places
one is below its chord, the other one above the lines through the places to the left and to the right, drawn out."""
import heapq
import itertools
import math
from functools import cache, reduce

from flint import arb

from closed_forms import gaussian
from enclosure import OutOfReach, exact, log_of, precision

WIDTH, FINER = 1e-7, 1e-16  # of a delta, relative to itself: at first, and where it is not told from noise
HALVINGS = 60           # to where delta is the least one
PARTS, FEW, MOST = 32, 200, 4000  # of all epsilons at first, and at last: where a counterexample is all that is looked for, and else
FARTHEST = 1e4


class BesideGaussians:
    """`profiles`: of each delta is no more than what it has in the direction where it is larger; `attained`: of what neighbours have, where that is another. Each comparison gives
    True, False, or None; and what was seen."""

    def __init__(self, profiles, least, attained=None):
        composition = profiles.composition
        self.profiles, self.least, self._deltas, self._attained = profiles, least, {}, attained
        self.noise = composition.mu_squared if composition.releases and not composition.others else None  # where it is noise alone

    def smallest_is_at_most(self, mu):
        return self._is_noise(lambda squared: squared <= exact(mu) ** 2) or self._compared(mu, _noise_above)

    def smallest_is_at_least(self, mu):
        if mu == math.inf:
            infinite = self._delta(math.inf)
            return True if infinite >= self.least else False if infinite < self.least else None, f"infinite losses have the mass {infinite.str(12)}"
        return self._is_noise(lambda squared: squared >= exact(mu) ** 2) or self._not(mu, _noise_above, math.nextafter(mu, 0))

    def largest_is_at_least(self, mu):
        return self._is_noise(lambda squared: squared >= exact(mu) ** 2) or self._compared(mu, _noise_below)

    def largest_is_at_most(self, mu):
        return self._is_noise(lambda squared: squared <= exact(mu) ** 2) or self._not(mu, _noise_below, math.nextafter(mu, math.inf))

    def _is_noise(self, holds):
        return None if self.noise is None else (holds(self.noise), "it is Gaussian noise")

    def _not(self, mu, in_order, beside):
        """Whether it certainly does not hold of mu; False where it holds of a mu beside that."""
        found, seen = self._compared(mu, in_order)
        if found is False:
            return True, seen
        found, seen = self._compared(beside, in_order) if found else (found, seen)
        return False if found else None, seen

    def _compared(self, mu, in_order):
        """Whether one of delta and that of noise is above the other at all these epsilons; `in_order` gives first which that is."""
        with precision(256):
            noise = cache(lambda epsilon: gaussian(arb(mu))(arb(epsilon)))
            upper, lower = in_order(self._delta, noise)
            end, beyond = (self._attained or self)._ends(noise)

            def gap(low, high):
                return min(log_of(upper(epsilon)) - log_of(lower(epsilon)) for epsilon in (low, high))

            # Where neighbours have the least delta lies between the last two places, and both fall.
            least = arb(self.least) if self._attained is None else self._delta(beyond)
            upper_end, lower_end = in_order((self._delta(end), least), (noise(end), noise(beyond)))
            to_the_end, order = bool(end == beyond or upper_end[1] >= lower_end[0]), itertools.count()
            left = [(0.0, next(order), end * i / PARTS, end * (i + 1) / PARTS) for i in range(PARTS)]
            while left:
                _, number, low, high = heapq.heappop(left)
                for epsilon in (low, high):
                    if upper(epsilon).overlaps(lower(epsilon)):
                        self._delta(epsilon, FINER)
                    if upper(epsilon) < lower(epsilon) and self._is_inside(epsilon):
                        return False, f"at {epsilon!r} delta is {self._delta(epsilon).str(12)}, of noise {noise(epsilon).str(12)}"
                if _is_above_between(upper, lower, low, high):
                    continue
                middle = (low + high) / 2
                if number > (MOST if to_the_end else FEW) or not low < middle < high:
                    return None, f"delta is {self._delta(high).str(12)} at {high!r}, of noise {noise(high).str(12)}"
                for one, two in ((low, middle), (middle, high)):
                    heapq.heappush(left, (gap(one, two), next(order), one, two))
            return to_the_end or None, f"at all epsilons up to {end!r}"

    def _ends(self, noise):
        """Two epsilons next to each other: at the one delta is at least the least one, at the other it is less. Or twice one at which it always is, as noise has less there
        than there are infinite losses."""
        high, infinite = 1.0, self._delta(math.inf)
        while not (noise(high) < infinite if infinite >= self.least else self._delta(high) < self.least):
            high *= 2
            if high > FARTHEST:
                raise OutOfReach(f"delta is not told from the least one up to {high!r}")
        if infinite >= self.least:
            return high, high
        low = 0.0
        if not self._delta(low) >= self.least:
            raise OutOfReach("delta is below the least one from 0 on, as far as it is known")
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            if self._delta(middle).contains(self.least):
                self._delta(middle, FINER)
            if self._delta(middle) >= self.least:
                low = middle
            elif self._delta(middle) < self.least:
                high = middle
        return low, high

    def _is_inside(self, epsilon):
        """Whether some neighbours' delta is certainly the least one or more."""
        return self._attained is None or self._attained._delta(epsilon) >= self.least

    def _told(self, adding, epsilon, size):
        """By basic bounds where they are enough, as far out."""
        composition = self.profiles.composition
        found = composition.quick_bounds(adding, epsilon, arb(size)) if 0 < epsilon < math.inf else None
        return found if found is not None and found.rad() < size else composition.at(adding, epsilon, size)

    def _delta(self, epsilon, width=WIDTH):
        """To within a share of itself, or of the least one; or as it was last found."""
        if epsilon not in self._deltas or width < WIDTH:
            enough = width
            while True:
                size, value = enough, arb(0)
                for adding in self.profiles.directions:
                    value = value.max(self._told(adding, epsilon, size))
                enough = width * max(float(value.mid()), self.least)
                if size <= 2 * enough:
                    break
            self._deltas[epsilon] = value
        return self._deltas[epsilon]


class LargestBesideGaussians(BesideGaussians):
    """The largest delta of several, each convex in e^epsilon as all are."""

    def __init__(self, ones):
        super().__init__(ones[0].profiles, ones[0].least)
        self.noise, self._ones = None, ones

    def _delta(self, epsilon, width=WIDTH):
        return reduce(arb.max, (one._delta(epsilon, width) for one in self._ones))


def _noise_above(of_delta, of_noise):
    return of_noise, of_delta


def _noise_below(of_delta, of_noise):
    return of_delta, of_noise


def _is_above_between(upper, lower, low, high):
    """Whether the first function is above the second one: above its chord is one line up to some place, and the other from there on."""
    at_low, at_high = lower(low), lower(high)
    if upper(high) >= at_low:  # as both fall
        return True
    if not (upper(low) >= at_low and upper(high) >= at_high):
        return False
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = ((arb(epsilon).exp(), upper(epsilon)) for epsilon in (2 * low - high, low, high, 2 * high - low))
    before, behind = (y1 - y0) / (x1 - x0), (y3 - y2) / (x3 - x2)
    meeting = ((y2 - y1 + before * x1 - behind * x2) / (before - behind)).mid()
    place = meeting if x1 < meeting < x2 else x1.mid() if y2 + behind * (x1 - x2) >= at_low else x2.mid()
    chord = at_low + (at_high - at_low) * (place - x1) / (x2 - x1)
    return bool(y1 + before * (place - x1) >= chord and y2 + behind * (place - x2) >= chord)
