"""Writes contour_laws_truth.txt: python3 contour_laws.py > contour_laws_truth.txt (mpmath; some minutes).

delta(eps) = E[delta_G(eps - Z)], delta_G the closed form of a Gaussian release (Balle, Wang 2018) and Z the summed loss of the others:
for laws of few or of lattice outcomes a finite sum over how often each comes, for a density the integral over its
outcomes by tanh-sinh quadrature. No moment function and no transform takes part.
"""
import itertools
import random

import mpmath as mp

mp.mp.dps = 40
R = random.Random(20261123)


def gaussian_delta(mu, eps):
    if abs(eps) > 1e5:
        return mp.mpf(1 if eps < 0 else 0)
    return mp.ncdf(mu / 2 - eps / mu) - mp.exp(eps) * mp.ncdf(-mu / 2 - eps / mu)


def sampled(p, q, rate, direction):
    """The pair of masses (or densities) p, q on a Poisson sample."""
    if direction == "remove":
        return (1 - rate) * q + rate * p, q
    return p, (1 - rate) * p + rate * q


def binary(p):
    p = mp.mpf(p)
    return [(p, 1 - p), (1 - p, p)]


def leaky(eps, delta):
    eps, delta = mp.mpf(eps), mp.mpf(delta)
    rest = (1 - delta) / (1 + mp.exp(eps))
    return [(rest * mp.exp(eps), rest), (rest, rest * mp.exp(eps)), (delta, mp.mpf(0)), (mp.mpf(0), delta)]


def power(outcomes, rate, direction, count):
    """The law of the summed loss of `count` releases of few outcomes: [(loss, probability)], inf for an infinite one."""
    pairs = [sampled(p, q, rate, direction) for p, q in outcomes]
    finite = [(mp.log(p / q), p) for p, q in pairs if p > 0 and q > 0]
    infinite = mp.fsum(p for p, q in pairs if p > 0 and q == 0)
    law = []
    for split in itertools.combinations_with_replacement(range(len(finite)), count):
        times = [split.count(i) for i in range(len(finite))]
        ways = mp.factorial(count) / mp.fprod(mp.factorial(n) for n in times)
        law.append((mp.fsum(n * z for n, (z, _) in zip(times, finite)), ways * mp.fprod(p**n for n, (_, p) in zip(times, finite))))
    return law + [(mp.inf, 1 - (1 - infinite) ** count)]


def integers(sigma, rate, direction, count):
    """Discrete Gaussian noise, once or twice."""
    sigma = mp.mpf(sigma)
    span = int(sigma * 13) + 2
    f = lambda x: mp.exp(-mp.mpf(x) ** 2 / (2 * sigma**2))
    total = mp.fsum(f(x) for x in range(-4 * span, 4 * span + 1))
    pairs = [sampled(f(x - 1) / total, f(x) / total, rate, direction) for x in range(-span, span + 1)]
    one = [(mp.log(p / q), p) for p, q in pairs]
    if count == 1:
        return one
    return [(a + b, p * r) for a, p in one for b, r in one]


class Density:
    def __init__(self, text, p, q, cuts, low=-mp.inf, high=mp.inf, infinite=mp.mpf(0)):
        self.text, self.p, self.q, self.cuts, self.low, self.high, self.infinite = text, p, q, cuts, low, high, infinite


def density(kind, a, b=None):
    a = mp.mpf(a)
    if kind == "laplace":
        f = lambda x: mp.exp(-abs(x) / a) / (2 * a)
        return Density(f"laplace:scale={mp.nstr(a)}", lambda x: f(x - 1), f, [0, 1])
    if kind == "logistic":
        f = lambda x: mp.sech(x / (2 * a)) ** 2 / (4 * a)
        return Density(f"logistic:scale={mp.nstr(a)}", lambda x: f(x - 1), f, [0, 1])
    if kind == "generalized":
        b = mp.mpf(b)
        f = lambda x: mp.exp(-((abs(x) / a) ** b)) * b / (2 * a * mp.gamma(1 / b))
        return Density(f"generalized:shape={mp.nstr(b)},scale={mp.nstr(a)}", lambda x: f(x - 1), f, [0, mp.mpf(1) / 2, 1])
    if kind == "sinh-normal":
        b = mp.mpf(b)
        f = lambda x: mp.npdf(b * mp.sinh(x / b), 0, a) * mp.cosh(x / b)
        return Density(f"sinh-normal:sigma={mp.nstr(a)},a={mp.nstr(b)}", lambda x: f(x - 1), f, [mp.mpf(1) / 2])
    if kind == "gaussian-mixture":
        p = lambda x: mp.fsum(w * mp.npdf(x, s, a) for s, w in ((0, mp.mpf(".5")), (1, mp.mpf(".3")), (2, mp.mpf(".2"))))
        return Density(f"gaussian-mixture:sigma={mp.nstr(a)},shifts=0/1/2,weights=.5/.3/.2", p, lambda x: mp.npdf(x, 0, a), [1])
    b = mp.mpf(b)
    f = lambda x: mp.exp(-abs(x) / a) / (2 * a * (1 - mp.exp(-b / a)))
    lost = (1 - mp.exp(-1 / a)) * mp.exp(-(b - 1) / a) / (2 * (1 - mp.exp(-b / a)))
    return Density(f"truncated-laplace:scale={mp.nstr(a)},bound={mp.nstr(b)}", lambda x: f(x - 1), f, [0, 1], 1 - b, b, lost)


def mean_over(law, rate, direction, value):
    """E[value(loss)] over a density's outcomes, the infinite ones included."""

    def integrand(x):
        p, q = sampled(law.p(x), law.q(x), rate, direction)
        return p * value(mp.log(p / q)) if p > 0 and q > 0 else mp.mpf(0)

    points = sorted({law.low, law.high, *map(mp.mpf, law.cuts)})
    total, error = mp.quad(integrand, points, error=True)
    if law.infinite:
        # Outcomes of one side only: of P beyond the bound, of Q below it.
        m = law.infinite
        if rate == 1:
            total += m
        elif direction == "remove":
            total += rate * m + (1 - rate) * m * value(mp.log(1 - mp.mpf(rate)))
        else:
            total += m * value(-mp.log(1 - mp.mpf(rate)))
    return total, error


def row(direction, eps, delta, error, terms):
    claim = mp.mpf("1e-25") + (error + mp.mpf("1e-36")) / delta
    if claim < 1e-13:
        print(direction, mp.nstr(eps, 20), mp.nstr(delta, 28), mp.nstr(claim, 2), *terms, flush=True)


def suffix(rate, count=1):
    return ("" if rate == 1 else f",q={mp.nstr(mp.mpf(rate))}") + f",count={count}"


def main():
    print("# Privacy profiles of a Gaussian beside other laws, by sums and quadrature over outcomes in 40 digits: contour_laws.py")
    print("# direction  epsilon  delta  relative error of delta  mechanisms...")
    for _ in range(40):
        direction = R.choice(["remove", "add"])
        rate = R.choice(["1", "1", ".5", ".05"])
        q = mp.mpf(rate)
        sigma = R.choice(["1", "2.5", "8", "30"])
        mu = 1 / mp.mpf(sigma)
        eps = mp.mpf(R.choice(["0", ".25", "1", "2", "-.5", "4"]))
        kind = R.randrange(3)
        if kind == 0:
            p, count = R.choice([".6", ".75", ".9"]), R.randrange(1, 40)
            text, law = f"randomized-response:p={p}", power(binary(p), q, direction, count)
        elif kind == 1:
            e, d, count = R.choice([".1", ".5"]), R.choice(["1e-3", "1e-9"]), R.randrange(1, 40)
            text, law = f"dp:epsilon={e},delta={d}", power(leaky(e, d), q, direction, count)
        else:
            s, count = R.choice(["1.5", "4", "10"]), R.choice([1, 2])
            text, law = f"discrete-gaussian:sigma={s}", integers(s, q, direction, count)
        delta = mp.fsum(p * (1 if z == mp.inf else gaussian_delta(mu, eps - z)) for z, p in law)
        row(direction, eps, delta, 0, [f"gaussian:sigma={sigma}", text + suffix(mp.mpf(rate), count)])
    kinds = [("laplace", ".7"), ("laplace", "4"), ("logistic", "1.5"), ("generalized", "3", "1.5"), ("generalized", "2", "3"),
             ("generalized", "1", "4.5"), ("sinh-normal", "1", "3"), ("sinh-normal", "2", "2"), ("gaussian-mixture", "1.5"),
             ("truncated-laplace", "1", "12"), ("truncated-laplace", "2", "1.5")]
    for kind in kinds:
        for rate, direction in [("1", "remove"), (".3", "remove"), (".02", "add")]:
            law = density(*kind)
            sigma = R.choice(["1", "3", "10"])
            eps = mp.mpf(R.choice(["0", ".3", "1", "2", "-.5"]))
            value = lambda z: gaussian_delta(1 / mp.mpf(sigma), eps - z)
            delta, error = mean_over(law, mp.mpf(rate), direction, value)
            row(direction, eps, delta, error, [f"gaussian:sigma={sigma}", law.text + suffix(mp.mpf(rate))])


main()
