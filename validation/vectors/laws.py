"""Pairs of laws on countably many outcomes, composed outcome by outcome."""
from functools import cmp_to_key
from itertools import combinations

from flint import arb


class Law:
    """Masses (p, q) of outcomes by label. Under composition labels add up as vectors do, and outcomes of one label must have
    one loss; `only_p` and `only_q` are the masses of outcomes that the other law does not have, `lost_p` and `lost_q`
    bound those of outcomes left out."""

    def __init__(self, masses, only_p=0, only_q=0, lost_p=0, lost_q=0):
        self.masses = masses
        self.only_p, self.only_q = arb(only_p), arb(only_q)
        self.lost_p, self.lost_q = arb(lost_p), arb(lost_q)

    def profile(self, epsilon):
        factor = epsilon.exp()
        finite = sum(((p - factor * q).nonnegative_part() for p, q in self.masses.values()), arb(0))
        return finite + self.only_p + arb(0).union(self.lost_p)

    def swapped(self):
        masses = {label: (q, p) for label, (p, q) in self.masses.items()}
        return Law(masses, self.only_q, self.only_p, self.lost_q, self.lost_p)

    def sampled(self, rate, direction):
        """((1 - rate) Q + rate P, Q), or swapped. Outcomes that only Q has get the loss log(1 - rate)."""
        pairs = [((1 - rate) * q + rate * p, q) for p, q in [*self.masses.values(), (arb(0), self.only_q)]]
        lost_p = (1 - rate) * self.lost_q + rate * self.lost_p
        mixed = of_outcomes(pairs, only_p=rate * self.only_p, lost_p=lost_p, lost_q=self.lost_q)
        return mixed if direction == "remove" else mixed.swapped()

    def joined(self, other, label):
        """Both together: label(a, b) is that of the outcomes labelled a and b."""
        masses = {}
        for a, (p, q) in self.masses.items():
            for b, (r, s) in other.masses.items():
                before = masses.get(label(a, b), (0, 0))
                masses[label(a, b)] = before[0] + p * r, before[1] + q * s

        def either(one, two):
            return one + two - one * two

        return Law(masses, either(self.only_p, other.only_p), either(self.only_q, other.only_q),
                   either(self.lost_p, other.lost_p), either(self.lost_q, other.lost_q))

    def times(self, other):
        return self.joined(other, lambda a, b: a + b)

    def repeated(self, count):
        if count == 1:
            return self
        half = self.repeated(count // 2)
        square = half.joined(half, _sum)
        return square.joined(self, _sum) if count % 2 else square

    def then(self, profile):
        """The profile of this law together with a release of that profile: sum of p profile(epsilon - log(p / q))."""
        if not (self.lost_p.is_zero() and self.only_p.is_zero()):
            raise ValueError("a law with outcomes of finite loss only")
        return lambda epsilon: sum((p * profile(epsilon - (p / q).log()) for p, q in self.masses.values()), arb(0))


def _sum(a, b):
    return tuple(x + y for x, y in zip(a, b))


def of_outcomes(pairs, **rest):
    """A law of these masses (p, q), labelled by unit vectors; outcomes that one law has alone are told apart."""
    rest = {"only_p": arb(0), "only_q": arb(0)} | rest
    masses = {}
    for i, (p, q) in enumerate(pairs):
        p, q = arb(p), arb(q)
        if q.is_zero():
            rest["only_p"] += p
        elif p.is_zero():
            rest["only_q"] += q
        else:
            masses[tuple(int(i == j) for j in range(len(pairs)))] = p, q
    return Law(masses, **rest)


def randomized_response(p, k=2):
    """The true one of k answers with probability p, each other one with (1 - p) / (k - 1)."""
    other = (1 - p) / (k - 1)
    masses = {(1,): (p, other), (-1,): (other, p)}
    if k > 2:
        masses[(0,)] = ((k - 2) * other, (k - 2) * other)
    return Law(masses)


def approximate_dp(epsilon, delta):
    """Losses of +-epsilon and +-infinity (Kairouz, Oh, Viswanath 2015)."""
    likely, unlikely = (1 - delta) / (1 + (-epsilon).exp()), (1 - delta) / (1 + epsilon.exp())
    return Law({(1,): (likely, unlikely), (-1,): (unlikely, likely)}, only_p=delta, only_q=delta)


def guarantee(lines):
    """The worst pair whose trade-off function, and its inverse, lies nowhere below the lines beta = c - m alpha. Between two
    neighbouring crossings of lines it is straight: one outcome each, of the differences in alpha and beta."""
    lines = lines + [(c / m, 1 / m) for c, m in lines] + [(arb(0), arb(0))]
    crossings = [(c - d) / (m - n) for (c, m), (d, n) in combinations(lines, 2)]
    alphas = sorted([a for a in crossings if 0 < a and a < 1], key=cmp_to_key(_order)) + [arb(1)]

    def beta(alpha):
        heights = [c - m * alpha for c, m in lines]
        highest = heights[0]
        for height in heights[1:]:
            highest = highest.max(height)
        return highest

    ends = list(zip([arb(0), *alphas], alphas))
    return of_outcomes([(beta(a) - beta(b), b - a) for a, b in ends], only_p=1 - beta(arb(0)))


def _order(a, b):
    """Of crossings nearer to each other than doubles are."""
    return (a.mid() > b.mid()) - (a.mid() < b.mid())


def discrete_laplace(a, shift):
    """Mass proportional to e^(-a |x|) about shift and about 0. All x <= 0 have the loss -shift a, all x >= shift the opposite."""
    ratio = (-a).exp()
    near, far = 1 / (1 + ratio), ratio**shift / (1 + ratio)
    masses = {(-shift,): (far, near), (shift,): (near, far)}
    for x in range(1, shift):
        masses[(2 * x - shift,)] = tuple((1 - ratio) / (1 + ratio) * ratio**distance for distance in (shift - x, x))
    return Law(masses)


def discrete_gaussian(sigma, shift, reach):
    """Mass proportional to e^(-x^2 / (2 sigma^2)) about shift and about 0, outcomes from shift - reach to reach; the losses are
    proportional to 2 x - shift."""
    def weight(x):
        return (-arb(x) ** 2 / (2 * sigma**2)).exp()

    outside = 2 * _log_concave_tail(weight, reach - shift, 1)
    total = sum((weight(x) for x in range(-reach, reach + 1)), arb(0).union(outside))
    masses = {(2 * x - shift,): (weight(x - shift) / total, weight(x) / total) for x in range(shift - reach, reach + 1)}
    return Law(masses, lost_p=outside / total, lost_q=outside / total)


def poisson_difference(plus, minus, shift, lowest, highest):
    """The difference of two Poisson variables of these means about shift and about 0, outcomes from shift + lowest to highest."""
    def mass(x):
        centre = 2 * (plus * minus).sqrt()
        return (centre - plus - minus).exp() * (plus / minus).sqrt() ** x * centre.bessel_i(abs(x), scaled=True)

    outside = _log_concave_tail(mass, lowest + shift, -1) + _log_concave_tail(mass, highest - shift, 1)
    pairs = [(mass(x - shift), mass(x)) for x in range(lowest + shift, highest + 1)]
    return of_outcomes(pairs, lost_p=outside, lost_q=outside)


def _log_concave_tail(mass, edge, step):
    """Bounds the masses beyond `edge`, on the far side of the mode: log-concave ones fall faster than any two of them."""
    first = mass(edge + step)
    return first / (1 - first / mass(edge))


def integer_noise(masses, shift):
    """Noise of these masses at consecutive integers, moved by shift."""
    none = [arb(0)] * shift
    return of_outcomes(list(zip(none + masses, masses + none)))


def binomial(coins, heads, shift):
    """The heads of some coins."""
    masses, ways = [], 1
    for x in range(coins + 1):
        masses.append(ways * heads**x * (1 - heads) ** (coins - x))
        ways = ways * (coins - x) // (x + 1)
    return integer_noise(masses, shift)
