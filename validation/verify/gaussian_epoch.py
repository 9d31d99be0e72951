"""Epochs of random allocation whose steps have Gaussian noise: the moments of one of them along a line, for transforms. Theorem 13 of docs/verify.md.

With X = e^(mu x - mu^2 / 2) of a step, x normal under Q, R = (X_1 + ... + X_T) / T has E e^(-u R) = E e^(-u X / T)^T, and by Euler's integral for each R

    Gamma(z) E R^-z = integral of e^(z y) E e^(-e^y R) dy    for Re z > 0.
"""
import math
from functools import cached_property

from flint import acb, arb, arb_poly

from allocation import Epoch
from closed_forms import normal_tail
from enclosure import OutOfReach, Uncertain, log_of, precision, up_to, within

SHARE = 64                          # binary digits of a moment, where nobody says how many
SMALLEST, LARGEST = 0.02, 1e6       # Re z
MOST_NODES, MOST_WORK, LITTLE_WORK = 1 << 17, 1.5e9, 1e7  # of sums, and times binary digits; and of one moment
MOST_MU_SQUARED = 150               # beyond which a step takes too many places
SPARE = 60                          # binary digits


class GaussianEpoch(Epoch):
    """As Epoch, with what a line of integration asks of a pair: at tilts where z has a real part above 0."""

    def __init__(self, step, smooth, adding=False):
        super().__init__(step, smooth.steps, adding)
        self.smooth = smooth

    def swapped(self):
        return GaussianEpoch(self.step, self.smooth, not self.adding)

    def parts(self):
        raise OutOfReach("an epoch has no atoms beside a density")

    def _power(self, power):
        """z, as P has R times Q's density, and where P and Q are exchanged the loss is -log R."""
        return arb(power) if self.adding else -1 - arb(power)

    def moment(self, power, to_be_raised=None):
        z = self._power(power)
        if z == 0 or z == -1:
            return arb(1)
        return self.smooth.moment(z, SHARE if to_be_raised is None else 30 + int(to_be_raised).bit_length())

    def waves(self, power, step, count, error):
        values = self.smooth.waves(self._power(power), step, count, error)
        return values if self.adding else [value.conjugate() for value in values]

    def most_beyond(self, power, s, _):
        """The normal part's share of the moments falls so, and the other part's is largest at s = 0."""
        return self.moment(power, 1).upper() * (-self.smooth.variance * arb(s) ** 2 / 2).exp()


def smooth_law(mu_squared, steps):
    """Of an epoch whose steps have noise of that mu^2; None of other steps, and of less noise than that."""
    return SmoothLaw(steps, mu_squared) if mu_squared and mu_squared < MOST_MU_SQUARED else None


class SmoothLaw:
    """Of R under Q. With the mean m of all x, log R is mu m and what the differences of the x say, and both are independent: a normal part of that variance."""

    def __init__(self, steps, mu_squared):
        self.steps, self.mu_squared, self._moments = steps, mu_squared, {}
        self.variance = arb(mu_squared) / steps

    def moment(self, z, bits):
        """E R^-z: it is at least what the normal part has, as E log R is at most log E R = 0."""
        key = z.mid().man_exp(), bits
        if not z.is_exact() or key not in self._moments:
            with precision(bits + SPARE):
                self._moments[key] = self.waves(z, arb(0), 0, (self.variance * z * z / 2).exp().lower() * arb(2) ** -bits)[0].real
        return self._moments[key]

    def log_most(self, p):
        """A bound of log E R^-p: R is at least the geometric mean of the X."""
        return self.variance * p * p / 2 + arb(self.mu_squared) * p / 2

    def waves(self, z, step, count, error):
        """E R^-(z + i n step) for n = 0, ..., count to within `error`: by the trapezoidal rule, as one discrete transform."""
        if not SMALLEST < float(z.mid()) < LARGEST:
            raise OutOfReach(f"a moment of order {float(z.mid()):g} of an epoch")
        grid = _Grid(self, z, step, count, error)
        with precision(grid.bits):
            folded = [arb(0)] * grid.size
            for j, value in enumerate(self._transform(grid), grid.first):
                folded[j % grid.size] += grid.width * (z * grid.width * j).exp() * value
            sums = [value.conjugate() for value in acb.dft([acb(value) for value in folded])]
        off = grid.left_out(self.log_most)
        with precision(max(0, -int(log_of(error) / math.log(2))) + SPARE):
            return [(sums[n % grid.size] + acb(within(off), within(off))) * acb(z, n * step).rgamma() for n in range(count + 1)]

    def _transform(self, grid):
        """E e^(-e^y R) at the places y. One step's is a mean over normal x on a grid of its own; what e^y and X multiply to lies on the finer one of both."""
        mu, unit = arb(self.mu_squared).sqrt(), grid.width / grid.every
        wide = unit / mu
        xs = [wide * k for k in range(-grid.half, grid.half + 1)]
        weights = [wide * (-x * x / 2).exp() / (2 * arb.pi()).sqrt() for x in xs]
        start = grid.width * grid.first - unit * grid.half - mu * mu / 2 - arb(self.steps).log()
        tiny = arb(2) ** -grid.bits
        falls = [(-(start + unit * i).exp()).exp() for i in range(grid.every * (grid.count - 1) + len(xs))]
        falls = [fall if fall > tiny else up_to(tiny) for fall in falls]  # products of numbers of like sizes are quick
        sums = (arb_poly(falls) * arb_poly(weights)).coeffs()  # weights are the same from either end
        off = grid.height**2 / 2 - 2 * arb.pi() * grid.height / wide
        off = within(2 * off.exp() / (1 - (-2 * arb.pi() * grid.height / wide).exp()) + 2 * normal_tail(wide * grid.half))
        return [(sums[len(xs) - 1 + grid.every * j] + off) ** self.steps for j in range(grid.count)]


def _log_gamma(z, y):
    """log |Gamma(z + i y)|."""
    return acb(z, y).lgamma().real


class _Grid:
    """Places y = j width, j = first, ..., first + count - 1, so that `size` of them make a turn in every wave; of x there are 2 half + 1, so far apart that `every` of them,
    times mu, are one width. Chosen in doubles; what it leaves out is told in balls."""

    def __init__(self, law, z, step, count, error):
        self.z, self.reach = z, arb(step) * count
        z, steps, mu = float(z.mid()), law.steps, math.sqrt(float(law.mu_squared))

        def log_most(p):
            return float(law.log_most(arb(p)).mid())

        with precision(64):
            far, goal = float(self.reach.mid()), float(_log_gamma(self.z, self.reach).mid()) + log_of(error) - 3
            most = float(_log_gamma(self.z, 0).mid()) + log_most(z)
            beyond = max(1.0, far)
            while float(_log_gamma(self.z, arb(beyond)).mid()) + log_most(z) > goal:
                beyond *= 1.1
        width = 2 * math.pi / (far + beyond)
        self.size = math.ceil(2 * math.pi / (float(step) * width)) if count else 1
        width = 2 * math.pi / (float(step) * self.size) if count else width
        low = (goal + math.log(z)) / z
        high = min((p * (math.log(p) - 1) + log_most(p) - math.log(p - z) - goal) / (p - z) for p in (z + 2.0**k for k in range(-3, 24)))
        little = float(law.variance.mid()) * z * z / 2 + z  # nats of what all steps have where the integrand is largest
        nats = max(most - goal + little / steps, (z * high - goal) / steps) + math.log(steps) + 5
        self.height = min(math.pi / (2 * mu) * 0.999, math.sqrt(2 * nats))
        of_x = 2 * math.pi * self.height / (nats + self.height**2 / 2)
        self.every = max(1, math.ceil(width / (mu * of_x)))
        self.half = math.ceil(math.sqrt(2 * nats) * self.every * mu / width) + 1
        self.first, self.count = math.floor(low / width), math.ceil((high - low) / width) + 2
        self.bits = int((nats + math.log(self.count + 2 * self.half)) / math.log(2)) + SPARE
        if (self.count * self.every + 2 * self.half) * self.bits > (MOST_WORK if count else LITTLE_WORK) or self.size > MOST_NODES:
            raise OutOfReach(f"moments of an epoch by a sum of {self.count} terms of {self.bits} binary digits")
        with precision(self.bits):
            # Takes the step in the middle of the ball, alike for all releases: what a line says holds for every step in it.
            self.width = 2 * arb.pi() / (arb(step).mid() * self.size) if count else arb(width)

    def left_out(self, log_most):
        """Bounds what the sum lacks at any wave: what lies beyond its ends, where the integrand is at most e^(z y) and (p / e)^p e^((z - p) y) E R^-p, and what repetitions add."""
        z, width = self.z, self.width
        low, high = width * self.first, width * (self.first + self.count - 1)
        beyond = 2 * arb.pi() / width - self.reach
        if not beyond > 0:
            raise Uncertain
        powers = [z + arb(2) ** k for k in range(-3, 24)]
        far_out = min(((p * (p.log() - 1) + log_most(p) + (z - p) * high).exp() / (p - z) for p in powers), key=log_of)
        repeated = 2 * (_log_gamma(z, beyond) + log_most(z)).exp() / (1 - (-2 * arb.pi() / width * (beyond / z).atan()).exp())
        return ((z * low).exp() / z + far_out + repeated).upper()
