"""Integrals over an interval of functions that are analytic near it: Arb's verified integration, and fixed Gauss-Legendre rules that
serve a whole range of frequencies at once."""
from functools import lru_cache

from flint import acb, arb, ctx

from enclosure import Uncertain, log_of

GLANCES, SPARE = 8, 30  # of a scale, and the binary digits that an integral may be below that
LOOKS = 32  # at about how large an integrand is
MANY = 100  # of a wave's angle: from there on longer parts with more nodes take fewer of them


def integral(f, low, high, share=None):
    """A ball around the integral of a function that is real on the real line, with a radius that is about this share of it, or as small as
    the precision allows. `f` returns no finite ball where it is not analytic. What is far below its largest values is told no further."""
    if high <= low:
        return arb(0)
    looks = [abs(f(acb((low + (high - low) * i / GLANCES).mid()))).upper() for i in range(GLANCES + 1)]
    most = max((size for size in looks if size.is_finite()), key=lambda size: size.log().mid() if size > 0 else arb.neg_inf(), default=arb(0))
    value = acb.integral(lambda x, _: f(x), low, high, rel_tol=share, abs_tol=most * arb(2) ** (-ctx.prec - SPARE) if most > 0 else None).real
    if not value.is_finite():
        raise Uncertain
    return value


@lru_cache(maxsize=None)
def _legendre(count, bits):
    """The Gauss-Legendre nodes and weights on [-1, 1]; `bits` is the precision, for the cache."""
    half = [arb.legendre_p_root(count, k, weight=True) for k in range((count + 1) // 2)]
    return half + [(-x, w) for x, w in reversed(half[: count // 2])]


def nodes_and_weights(at, power, low, high, reach, error):
    """`at(x)` gives log q and a loss. Pairs (x, weight) so that the sum of weight f(x) e^(i s loss(x)), f = q e^(power loss), is the
    integral of f e^(i s loss) over [low, high] to within `error`, for every |s| <= reach.

    On a part of half-length r about m, Gauss's rule of n nodes is off by no more than r (64/15) rho^(2 - 2n) / (1 - rho^-2) times
    the largest modulus on the ellipse with foci at the part's ends and half-axes r (rho +- 1/rho) / 2 (Trefethen 2013, theorem 19.3).
    There |e^(i s loss)| <= e^(reach |Im loss|). Parts are halved until their share of half the error is kept; those where nothing is
    analytic nearby are left out once they are small, and their sum is kept below the other half.
    """
    def size(x):
        log_q, loss = at(x)
        return ((log_q + power * loss).real + reach * abs(loss.imag)).exp().upper()

    places = [low + (high - low) * i / LOOKS for i in range(LOOKS + 1)]
    most = max(log_of(size(acb(place.mid())) * (high - low)) for place in places)
    count = max(8, int((max(0.0, most) - log_of(error)) / 3.5)) + 6  # enough for rho = 6
    if reach * (at(acb(high))[1] - at(acb(low))[1]).real > MANY:
        count *= 4
    rule = _legendre(count, ctx.prec)
    share, crumb = error / (2 * (high - low)), error / 1024
    parts, found, left_out = [(low, high)], [], arb(0)
    while parts:
        a, b = parts.pop()
        middle, half = (a + b) / 2, (b - a) / 2
        if _largest_error(size, middle, half, count) <= share * 2 * half:
            found += [(middle + half * x, half * w) for x, w in rule]
            continue
        most = size(acb(a.union(b))) * 2 * half
        if most <= crumb or most <= share * 2 * half:
            left_out += most
        else:
            parts += [(a, middle.mid()), (middle.mid(), b)]
    if not left_out <= error / 2:
        raise Uncertain
    return found


def _largest_error(size, middle, half, count):
    """The least of the bounds on a few ellipses, or infinity."""
    least = arb.pos_inf()
    for rho in (arb(6), arb(3.5), arb(2)):
        wide, tall = half * (rho + 1 / rho) / 2, half * (rho - 1 / rho) / 2
        largest = size(acb((middle - wide).union(middle + wide), (-tall).union(tall)))
        if largest.is_finite():
            least = least.min(half * largest * 64 / 15 * rho ** (2 - 2 * count) / (1 - rho**-2))
    return least.upper()
