"""Epochs of random allocation whose steps have Gaussian noise: the moments of one of them along a line, for transforms. Theorem 13 of docs/verify.md.

With X = e^(mu x - mu^2 / 2) of a step, x normal under Q, R = (X_1 + ... + X_T) / T has E e^(-u R) = E e^(-u X / T)^T, and by Euler's integral for each R

    Gamma(z) E R^(j - z) = integral of e^(z y) E R^j e^(-e^y R) dy    for Re z > 0 and j = 0, 1, ...

Every order of a moment is some j - z. E R^j e^(-u R) is j! times what stands before h^j in (E e^((h - u) X / T))^T, and E X^k e^(-u X) = e^(k (k - 1) mu^2 / 2) E e^(-u e^(k mu^2) X).
"""
import math

from flint import acb, arb, arb_poly

from allocation import Epoch
from closed_forms import normal_tail
from enclosure import OutOfReach, Uncertain, log_of, precision, up_to, within

SHARE = 64                          # binary digits of a moment, where nobody says how many
SMALLEST, LARGEST, HIGHEST = 0.25, 1e6, 3  # Re z, and j
MOST_NODES, MOST_WORK, LITTLE_WORK = 1 << 17, 1.5e9, 3e6  # of sums, and times binary digits; and of one moment
MOST_MU_SQUARED = 150               # beyond which a step takes too many places
SPARE, LOOKS = 60, 100              # binary digits; places of y at which doubles look


class GaussianEpoch(Epoch):
    """As Epoch, with what a line of integration asks of a pair."""

    def __init__(self, step, smooth, adding=False):
        super().__init__(step, smooth.steps, adding)
        self.smooth = smooth

    def swapped(self):
        return GaussianEpoch(self.step, self.smooth, not self.adding)

    def parts(self):
        raise OutOfReach("an epoch has no atoms beside a density")

    def _order(self, power):
        """Of R, as P has R times Q's density, and where P and Q are exchanged the loss is -log R."""
        return -arb(power) if self.adding else 1 + arb(power)

    def moment(self, power, to_be_raised=None):
        order = self._order(power)
        if order == 0 or order == 1:
            return arb(1)
        return self.smooth.moment(order, SHARE if to_be_raised is None else 30 + int(to_be_raised).bit_length())

    def waves(self, power, step, count, error):
        values = self.smooth.waves(self._order(power), step, count, error)
        return values if self.adding else [value.conjugate() for value in values]

    def most_beyond(self, power, s, *_):
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

    def moment(self, order, bits):
        """E R^order."""
        key = order.mid().man_exp(), bits
        if not order.is_exact() or key not in self._moments:
            with precision(bits + SPARE):
                self._moments[key] = self.waves(order, arb(0), 0, self._log_least(order).exp().lower() * arb(2) ** -bits)[0].real
        return self._moments[key]

    def _log_least(self, order):
        """A bound of log E R^order from below: R has the mean 1, and is at least the geometric mean of the X. Below 0 the normal part's, as E log R is at most log E R = 0."""
        if order >= 1:
            return arb(0)
        return self.variance * order * order / 2 - (0 if order < 0 else arb(self.mu_squared) * order / 2)

    def log_most(self, order):
        """A bound of log E R^order: below 0 by the geometric mean, up to 1 by the mean, beyond as a power of a mean is at most the mean of the powers."""
        if 0 <= order <= 1:
            return arb(0)
        by_geometric = self.variance * order * order / 2 - arb(self.mu_squared) * order / 2
        return by_geometric if order < 0 else self.log_of_power(order) if order > 1 else by_geometric.max(self.log_of_power(order)).max(arb(0))

    def log_of_power(self, k):
        """log E X^k."""
        return arb(self.mu_squared) * k * (k - 1) / 2

    def waves(self, order, step, count, error):
        """E R^(order - i n step) for n = 0, ..., count to within `error`: by the trapezoidal rule, as one discrete transform."""
        lifted = max(0, math.ceil(SMALLEST + float(order.mid())))
        z = lifted - order
        if not float(z.mid()) < LARGEST or lifted > HIGHEST:
            raise OutOfReach(f"a moment of order {float(order.mid()):g} of an epoch")
        grid = _Grid(self, z, lifted, step, count, error)
        with precision(grid.bits):
            folded = [arb(0)] * grid.size
            for j, value in enumerate(self._transform(grid), grid.first):
                folded[j % grid.size] += grid.width * (z * grid.width * j).exp() * value
            sums = [value.conjugate() for value in acb.dft([acb(value) for value in folded])]
        off = grid.left_out(self.log_most)
        with precision(max(0, -int(log_of(error) / math.log(2))) + SPARE):
            return [(sums[n % grid.size] + acb(within(off), within(off))) * acb(z, n * step).rgamma() for n in range(count + 1)]

    def _transform(self, grid):
        """E R^j e^(-e^y R) at the places y."""
        of_one = [[(self.log_of_power(k) - k * arb(self.steps).log()).exp() / arb.fac_ui(k) * value for value in self._of_one(grid, arb(self.mu_squared) * k)]
                  for k in range(grid.lifted + 1)]
        return [_power(terms, self.steps) * arb.fac_ui(grid.lifted) for terms in zip(*of_one)]

    def _of_one(self, grid, further):
        """E e^(-e^(y + further) X / T) at the places y: a mean over normal x on a grid of its own; what e^y and X multiply to lies on the finer one of both."""
        mu, unit = arb(self.mu_squared).sqrt(), grid.width / grid.every
        wide = unit / mu
        xs = [wide * k for k in range(-grid.half, grid.half + 1)]
        weights = [wide * (-x * x / 2).exp() / (2 * arb.pi()).sqrt() for x in xs]
        start = grid.width * grid.first - unit * grid.half - mu * mu / 2 - arb(self.steps).log() + further
        tiny = arb(2) ** -grid.bits
        falls = [(-(start + unit * i).exp()).exp() for i in range(grid.every * (grid.count - 1) + len(xs))]
        falls = [fall if fall > tiny else up_to(tiny) for fall in falls]  # products of numbers of like sizes are quick
        sums = (arb_poly(falls) * arb_poly(weights)).coeffs()  # weights are the same from either end
        off = grid.height**2 / 2 - 2 * arb.pi() * grid.height / wide
        off = within(2 * off.exp() / (1 - (-2 * arb.pi() * grid.height / wide).exp()) + 2 * normal_tail(wide * grid.half))
        return [sums[len(xs) - 1 + grid.every * j] + off for j in range(grid.count)]


def _power(terms, count):
    """The last term of a power of a power series that has these terms and more."""
    if len(terms) == 1:
        return terms[0] ** count
    one = total = arb_poly(list(terms))
    for bit in bin(count)[3:]:
        total = arb_poly((total * total).coeffs()[: len(terms)])
        total = arb_poly((total * one).coeffs()[: len(terms)]) if bit == "1" else total
    return total[len(terms) - 1]


def _log_of_one(mu, y):
    """log E e^(-e^y X), roughly, in doubles."""
    places = (k / 4 for k in range(-32, 33))
    return math.log(sum(math.exp(-x * x / 2 - math.exp(min(y + mu * x - mu * mu / 2, 700.0))) for x in places) / 4 / math.sqrt(2 * math.pi) + 1e-300)


def _log_gamma(z, y):
    """log |Gamma(z + i y)|."""
    return acb(z, y).lgamma().real


class _Grid:
    """Places y = j width, j = first, ..., first + count - 1, so that `size` of them make a turn in every wave; of x there are 2 half + 1, so far apart that `every` of them,
    times mu, are one width. Chosen in doubles; what it leaves out is told in balls."""

    def __init__(self, law, z, lifted, step, count, error):
        self.z, self.lifted, self.reach = z, lifted, arb(step) * count
        z, steps, mu = float(z.mid()), law.steps, math.sqrt(float(law.mu_squared))

        def log_most(p):
            return float(law.log_most(arb(lifted - p)).mid())

        with precision(64):
            far, goal = float(self.reach.mid()), float(_log_gamma(self.z, self.reach).mid()) + log_of(error) - 3
            beyond = max(1.0, far)
            while float(_log_gamma(self.z, arb(beyond)).mid()) + log_most(z) > goal:
                beyond *= 1.1
        width = 2 * math.pi / (far + beyond)
        self.size = math.ceil(2 * math.pi / (float(step) * width)) if count else 1
        width = 2 * math.pi / (float(step) * self.size) if count else width
        low = (goal + math.log(z) - log_most(0)) / z
        high = min((p * (math.log(p) - 1) + log_most(p) - math.log(p - z) - goal) / (p - z) for p in (z + 2.0**k for k in range(-3, 24)))
        largest = max(z * y + (steps - 1) * _log_of_one(mu, y - math.log(steps)) for y in (low + (high - low) * k / LOOKS for k in range(LOOKS + 1)))  # of what one step is multiplied with
        nats = max(largest - goal, (z * high - goal) / steps) + math.log(steps) + log_most(0) + 5
        self.height = min(math.pi / (2 * mu) * 0.999, math.sqrt(2 * nats))
        of_x = 2 * math.pi * self.height / (nats + self.height**2 / 2)
        self.every = max(1, math.ceil(width / (mu * of_x)))
        self.half = math.ceil(math.sqrt(2 * nats) * self.every * mu / width) + 1
        self.first, self.count = math.floor(low / width), math.ceil((high - low) / width) + 2
        self.bits = int((nats + math.log(self.count + 2 * self.half)) / math.log(2)) + SPARE
        if (1 + lifted) * (self.count * self.every + 2 * self.half) * self.bits > (MOST_WORK if count else LITTLE_WORK) or self.size > MOST_NODES:
            raise OutOfReach(f"moments of an epoch by a sum of {self.count} terms of {self.bits} binary digits")
        with precision(self.bits):
            # Takes the step in the middle of the ball, alike for all releases: what a line says holds for every step in it.
            self.width = 2 * arb.pi() / (arb(step).mid() * self.size) if count else arb(width)

    def left_out(self, log_most):
        """Bounds what the sum lacks at any wave: what lies beyond its ends, where the integrand is at most e^(z y) E R^j and (p / e)^p e^((z - p) y) E R^(j - p), and what repetitions add."""
        z, j, width = self.z, self.lifted, self.width
        low, high = width * self.first, width * (self.first + self.count - 1)
        beyond = 2 * arb.pi() / width - self.reach
        if not beyond > 0:
            raise Uncertain
        powers = [z + arb(2) ** k for k in range(-3, 24)]
        far_out = min(((p * (p.log() - 1) + log_most(j - p) + (z - p) * high).exp() / (p - z) for p in powers), key=log_of)
        repeated = 2 * (_log_gamma(z, beyond) + log_most(j - z)).exp() / (1 - (-2 * arb.pi() / width * (beyond / z).atan()).exp())
        return ((log_most(j) + z * low).exp() / z + far_out + repeated).upper()
