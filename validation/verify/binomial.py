"""Tails of the binomial law as balls, by the logarithm of the odds of a success, and rates at which a tail is a level: Clopper and Pearson's limits (1934)."""
import math
from fractions import Fraction

from flint import arb, ctx

from enclosure import OutOfReach, double_below, log_of, up_to

MOST_STEPS, CLOSE = 100, 1e-13  # of a search by tangents, and how near the next place is where it ends
WIDENINGS = 60                  # of a place that does not pass yet, each twice as far
LOOKED_AT = 16                  # terms of a sum, of which one tells how much the rest is
TOLD = 1                        # share of the digits that are told before the rest is left off


def mass(k, n, logit):
    choose = (arb(n + 1).lgamma() - arb(k + 1).lgamma() - arb(n - k + 1).lgamma())
    return (choose + k * logit - n * logit.exp().log1p()).exp()


def at_most(k, n, logit):
    """P(at most k of n)."""
    if k >= n:
        return arb(1)
    if k < 0:
        return arb(0)
    falls = not arb(k) > n / (1 + (-logit).exp())
    return _from_the_mode_on(k, n, logit) if falls else 1 - _from_the_mode_on(n - k - 1, n, -logit)


def at_least(k, n, logit):
    return at_most(n - k, n, -logit)


def _from_the_mode_on(k, n, logit):
    """P(at most k of n), whose masses fall from k down; what is left off is a geometric series."""
    against, term, total = (-logit).exp(), arb(1), arb(1)
    for j in range(k, 0, -1):
        ratio = against * j / (n - j + 1)
        term *= ratio
        total += term
        if j % LOOKED_AT == 0 and ratio < 1:
            rest = term * ratio / (1 - ratio)
            if rest < total * arb(2) ** (-TOLD * ctx.prec):
                total += up_to(rest)
                break
    return mass(k, n, logit) * total


def logit_where(k, n, level, beyond=True):
    """A double, next to the log odds at which P(at most k of n) is a level: certainly less of it there, or if not `beyond` more."""
    if k >= n:
        return math.inf
    return _passing(_near(k, n, level), lambda logit: at_most(k, n, arb(logit)), level, beyond)


def _near(k, n, level):
    """In doubles. The tail's logarithm is concave in the log odds, so that tangents meet the level beyond it."""
    place, goal = math.log((k + 1) / (n - k)), log_of(level)
    for _ in range(MOST_STEPS):
        logit = arb(place)
        tail = at_most(k, n, logit)
        slope = -(n - k) / (1 + (-logit).exp()) * mass(k, n, logit) / tail
        step = (goal - log_of(tail)) / float(slope.mid())
        place += step
        if not abs(step) > CLOSE * max(1.0, abs(place)):
            break
    return place


def _passing(place, tail, level, beyond):
    width = CLOSE * max(1.0, abs(place))
    for _ in range(WIDENINGS):
        tried = place + width if beyond else place - width
        if tail(tried) < level if beyond else tail(tried) > level:
            return tried
        width *= 2
    raise OutOfReach("no rate is told whose tail is the level")


def rate_above(k, n, level):
    """A double that the limit of Clopper and Pearson from above is not above: P(at most k of n) is certainly less there than the level."""
    logit = logit_where(k, n, level)
    return 1.0 if logit == math.inf else min(1.0, -double_below(-_share(logit)))


def rate_below(k, n, level):
    """The same from below, of P(at least k of n)."""
    logit = logit_where(n - k, n, level)
    return 0.0 if logit == math.inf else max(0.0, double_below(_share(-logit)))


def rate_within(k, n, level):
    """Certainly not above the limit from above."""
    logit = logit_where(k, n, level, False)
    return 1.0 if logit == math.inf else max(0.0, double_below(_share(logit)))


def rest_above(rate):
    """A double that 1 - rate is not above."""
    rest = 1 - rate
    return rest if Fraction(rest) + Fraction(rate) >= 1 else math.nextafter(rest, 2)


def _share(logit):
    return 1 / (1 + (-arb(logit)).exp())
