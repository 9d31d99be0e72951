"""Balls of Arb: what they say for certain, and at which precision they are asked."""
import math

from flint import arb, ctx, fmpq


class Uncertain(Exception):
    """The balls are too wide for what was asked of them: more precision, or more work, may help."""


class OutOfReach(Exception):
    """What was asked would take more work than is allowed, or no theorem here covers it. The text says what."""


class precision:
    """`with precision(bits):` sets the working precision of every ball made inside."""

    def __init__(self, bits):
        self.bits = int(bits)

    def __enter__(self):
        self.before, ctx.prec = ctx.prec, self.bits

    def __exit__(self, *_):
        ctx.prec = self.before


def exact(number):
    """A number read from JSON, as the rational number it is."""
    return fmpq(*float(number).as_integer_ratio()) if isinstance(number, float) else fmpq(number)


def ball(number):
    """A ball around a rational number, a double, or a ball."""
    return number if isinstance(number, arb) else arb(number)


def log_of(ball):
    """In doubles; -inf for 0."""
    middle = ball.mid()
    return float(middle.log().mid()) if middle > 0 else -math.inf


def double_below(number):
    """A double that is certainly not above a ball, and next to it."""
    if not number.is_finite():
        raise Uncertain
    place = float(number.lower())
    while not arb(place) <= number:
        place = math.nextafter(place, -math.inf)
    return place


def up_to(bound):
    """The interval from 0 to an upper bound."""
    return arb(0).union(bound.upper())


def within(error):
    """The interval of all numbers of at most that absolute value."""
    return arb(-error.upper()).union(error.upper())


def crossing(falling, low, high):
    """Where a falling function has its zero between low and high, where it is known to be above and below: by bisection, each step
    certified, as far as the precision tells."""
    # Not halves: the zero is often a simple fraction, at which no precision tells the sign.
    share = arb(7) / 16
    for _ in range(2 * ctx.prec + 64):
        middle = (low + (high - low) * share).mid()
        value = falling(middle)
        if value > 0:
            low = middle
        elif value < 0:
            high = middle
        else:
            break
    return low.union(high)
