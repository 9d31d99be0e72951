"""Numbers known to 40 digits: balls of Arb, computed at growing precision until they are narrow enough."""
from decimal import Context, Decimal, ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction

from flint import arb, ctx

DIGITS = 40
BITS = 150  # more than 40 digits and the roundings of printing them
MOST_BITS = 1 << 15


class Uncertain(Exception):
    """The balls are too wide for what was asked of them."""


def certified(compute):
    """compute(), run at the least precision 256, 512, ... that leaves BITS bits of its ball certain."""
    ctx.prec = 256
    while ctx.prec <= MOST_BITS:
        try:
            ball = compute()
        except Uncertain:
            ball = arb.nan()
        if ball.is_exact() or ball.rel_accuracy_bits() >= BITS:
            return ball
        ctx.prec *= 2
    raise RuntimeError(f"fewer than {DIGITS} digits are certain: {ball}")


def decimals(ball):
    """The ends of a ball as decimals of 40 significant digits, rounded outward by exact integer arithmetic."""
    return _decimal(ball.lower(), ROUND_FLOOR), _decimal(ball.upper(), ROUND_CEILING)


def _decimal(end, rounding):
    mantissa, exponent = (int(part) for part in end.man_exp())
    value = Fraction(mantissa) * Fraction(2) ** exponent
    context = Context(prec=DIGITS, rounding=rounding, Emin=-10000, Emax=10000)
    digits = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    return f"{digits:.{DIGITS - 1}e}" if digits else "0"


def crossing(falling, level, low=-1, high=1):
    """Where a falling function crosses `level`: by bisection, each step certified, as far as the precision tells."""
    low, high = arb(low), arb(high)
    while not falling(low) > level:
        low = _further(low)
    while not falling(high) < level:
        high = _further(high)
    # Not halves: the crossing itself is often a simple fraction, where no precision tells the side.
    share = arb(7) / 16
    for _ in range(ctx.prec + 64):
        middle = (low + (high - low) * share).mid()
        value = falling(middle)
        if value > level:
            low = middle
        elif value < level:
            high = middle
        else:
            break
    return low.union(high)


def _further(point):
    if abs(point) > 1e6:
        raise Uncertain
    return 2 * point
