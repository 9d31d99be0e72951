"""A composition in one direction beside Gaussian noise of mu, at every epsilon >= 0. Both profiles are convex in x = e^epsilon and fall: between two places delta is below its
chord, and noise above its tangents at both. From the largest loss on delta is 0."""
import math
from contextlib import suppress
from functools import cache, cached_property

from flint import arb

from all_orders import log_moment
from closed_forms import gaussian, normal_tail
from enclosure import OutOfReach, ball, log_of, precision
from outline import least
from pairs import Pair

NATS, BITS = 60, 256
GRIDS, LEAST = (10, 100), 1e-70  # how much finer than the first one, and what they tell of delta
FIRST, FINER, SHARPER, NARROW = 1e-3, (1e-7, 1e-11, 1e-21), 1e-2, 0.2  # errors of a delta as shares of what noise has, and of what is between both
MOST = 1_000  # intervals
FARTHEST = 16.0  # epsilons in units of mu
PLACES, SEARCHED, ROUNDS = 400, 5, 25  # where some delta may be above noise, next to how many of them it is looked for, and how often


class BesideNoise:
    """`mu`: a number or a ball."""

    def __init__(self, composition, adding, mu):
        self._composition, self._adding, self._mu = composition, adding, arb(mu)
        self._noise, self._fall, self._delta = map(cache, (self._noise, self._fall, self._delta))

    def is_below(self):
        """Whether delta is at most what noise has at every epsilon >= 0: True; False at an epsilon where it is more; else None. And what was seen."""
        with precision(BITS):
            if self._end == math.inf:
                return None, "losses have no end"
            for finer in GRIDS:
                if self._is_above_of_all(self._on_grid(finer))[0]:
                    return True, f"at every epsilon up to {self._end:.6g}, the largest loss"
            try:
                return self._is_above_of_all(self._delta)
            except OutOfReach as reason:
                return None, str(reason)

    def is_above_somewhere(self, strictly):
        """Whether delta is more than noise has, or as much, at some epsilon; None where none was found. And what was seen."""
        with precision(BITS):
            places, seen = self._most_above(), "delta is told nowhere"
            for finest in FINER:
                for epsilon in list(places):
                    with suppress(OutOfReach):
                        delta, noise, seen = self._delta(epsilon, finest), self._noise(epsilon), self._seen(epsilon, finest)
                        if delta > noise or (not strictly and delta >= noise):
                            return True, seen
                        if delta < noise:
                            places.remove(epsilon)
            return None, seen

    @cached_property
    def _end(self):
        """A double that is not below the largest loss."""
        end = self._composition.largest_loss(self._adding)
        if end is None or not self._composition._masses(self._adding)[0].is_zero():
            return math.inf
        return max(0.0, math.nextafter(float(ball(end).upper()), math.inf))

    def _noise(self, epsilon):
        return gaussian(self._mu)(arb(epsilon))

    def _fall(self, epsilon):
        """The slope of noise in x: less what the smaller law has at losses above epsilon."""
        return -normal_tail(arb(epsilon) / self._mu + self._mu / 2)

    def _is_above_of_all(self, delta):
        """The same, by balls around delta, or bounds of it from above, where moments do not bound it."""
        left, looks = [(0.0, self._end)], 0
        while left:
            low, high = left.pop()
            if self._is_far_above(low, high):
                continue
            if low < self._farthest or not self._has_moments:
                if delta(low) > self._noise(low):
                    return False, self._seen(low)
                if self._is_above_between(low, delta(low).upper(), high, delta(high).upper()):
                    continue
            looks, middle = looks + 1, (low + high) / 2
            if looks > MOST or not low < middle < high:
                return None, self._seen(low)
            left += [(middle, high), (low, middle)]
        return True, f"at every epsilon up to {self._end:.6g}, the largest loss"

    def _is_above_between(self, low, at_low, high, at_high):
        noise_low, noise_high = self._noise(low), self._noise(high)
        if at_low <= noise_high:  # as both fall
            return True
        if not (at_low <= noise_low and at_high <= noise_high):
            return False
        x0, x1, fall_low, fall_high = arb(low).exp(), arb(high).exp(), self._fall(low), self._fall(high)
        meeting = ((noise_high - noise_low + fall_low * x0 - fall_high * x1) / (fall_low - fall_high)).mid()  # of the tangents
        if not x0 <= meeting <= x1:
            return False
        chord = at_low + (at_high - at_low) * (meeting - x0) / (x1 - x0)
        return bool(noise_low + fall_low * (meeting - x0) >= chord and noise_high + fall_high * (meeting - x1) >= chord)

    def _delta(self, epsilon, finest=FINER[-1]):
        """As fine as it takes to tell how far it is from noise, or to a share of what noise has."""
        share, noise = FIRST, self._noise(epsilon)
        while True:
            delta = self._composition.at(self._adding, epsilon, noise * share)
            if noise * share < NARROW * abs(noise - delta) or share <= finest:
                return delta
            share *= SHARPER

    def _on_grid(self, finer):
        """Bounds from above."""
        return cache(self._composition.grid_above(self._adding, 0.0, min(self._end, self._farthest), arb(LEAST), finer))

    @property
    def _farthest(self):
        """Where noise has about the least that a grid tells."""
        return FARTHEST * float(self._mu.mid())

    def _is_far_above(self, low, high):
        """Whether a moment says it of all between. For t > 0 and r = e^(loss - epsilon) no 1 - 1 / r is above t^t / (1 + t)^(1 + t) r^t, so that delta is at most a bound whose logarithm is
        a line in epsilon; that of noise is concave, as noise is a convolution of two log-concave functions, a normal density and 1 - e^(epsilon - loss)."""
        if low < float(self._mu.mid()) or not self._has_moments:
            return False
        low, at_low, at_high = arb(low), self._noise(low).log(), self._noise(high).log()
        t = ((at_low - at_high) / (high - low)).mid()  # of a line that is about as steep
        height = sum((count * log_moment(pair, t) for pair, count in self._pairs), t * t.log() - (1 + t) * t.log1p())
        return bool(height - t * low <= at_low and height - t * high <= at_high)

    @cached_property
    def _has_moments(self):
        return all(isinstance(pair, Pair) for pair, _ in self._pairs)

    @cached_property
    def _pairs(self):
        return [(self._composition._pair(release, self._adding, NATS), release.count) for release in self._composition.releases]

    def _most_above(self):
        """Epsilons at which delta is largest as a share of what noise has, as a grid tells: the best first."""
        grid = self._on_grid(GRIDS[0])

        @cache
        def share(epsilon):
            return log_of(grid(epsilon) / self._noise(epsilon))

        step = min(self._farthest, self._end) / PLACES
        places = [step * i for i in range(PLACES)]
        best = sorted(places, key=share)[-SEARCHED:]
        near = [least(lambda epsilon: -share(epsilon), max(0.0, place - step), place + step, steps=ROUNDS) for place in best]
        return sorted({*best, *near}, key=share, reverse=True)

    def _seen(self, epsilon, finest=FINER[0]):
        return f"at {epsilon!r} delta is {self._delta(epsilon, finest).str(12)}, of noise {self._noise(epsilon).str(12)}"
