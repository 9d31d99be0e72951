"""The profile of a composition in the directions asked about, held against numbers."""
import math

from flint import arb

from enclosure import OutOfReach, log_of, precision

MOST_BITS = 1 << 22  # of the precision at which deltas next to 0 or 1 are compared
FIRST, FINEST = 0.03, 1e-60  # errors relative to delta and 1 - delta: where a comparison begins and where it is given up


class Level:
    """A delta that profiles are held against, given by itself or by its logarithm."""

    def __init__(self, number, logarithm=False):
        self.number, self.logarithm = number, logarithm

    def ball(self):
        if not self.logarithm:
            return arb(self.number)
        return arb(self.number).exp() if self.number > -math.inf else arb(0)

    def room(self):
        """The smaller of it and what is left to 1."""
        return self.ball().min(-arb(self.number).expm1() if self.logarithm and self.number > -math.inf else 1 - self.ball())


class Profiles:
    def __init__(self, composition, direction):
        self.composition = composition
        self.directions = [False, True] if direction == "worst" else [direction == "add"]
        if composition.symmetric:
            self.directions = self.directions[:1]

    def at_most(self, epsilon, level):
        """Whether delta(epsilon) <= level in every direction: True, False, or None where that is not known; and what was seen."""
        return self._in_all(lambda adding: self._sign(adding, epsilon, level), lambda sign: sign <= 0)

    def at_least(self, epsilon, level):
        """Whether delta(epsilon) >= level in some direction."""
        found, seen = self._in_all(lambda adding: self._sign(adding, epsilon, level), lambda sign: sign < 0)
        return (None if found is None else not found), seen

    def stays_above_until(self, epsilon, delta):
        """Whether delta(e) > delta for every e < epsilon in some direction; for delta = 0 or epsilon = inf."""
        with precision(256):
            found, seen = self._in_all(
                lambda adding: (self.composition.is_above_before(adding, epsilon, arb(delta)), "its largest loss says so"),
                lambda above: not above)
        return (None if found is None else not found), seen

    def _in_all(self, test, holds):
        """Whether it holds in every direction: False once it does not in one."""
        unknown, last = None, ""
        for adding in self.directions:
            try:
                found, seen = test(adding)
            except OutOfReach as reason:
                unknown = str(reason)
                continue
            last = f"{'add' if adding else 'remove'}: {seen}"
            if not holds(found):
                return False, last
        return (True, last) if unknown is None else (None, unknown)

    def _sign(self, adding, epsilon, level):
        """Of delta(epsilon) - level, finer and finer until the ball tells it; and the ball."""
        with precision(256):
            known, room = self.composition.known(adding, epsilon), level.room()
            if known is None and level.number == (-math.inf if level.logarithm else 0):
                return 1, "some loss is larger than epsilon"
            if known is None and level.number == (0 if level.logarithm else 1):
                if not self.composition.has_finite_losses(adding):
                    raise OutOfReach("all losses are infinite, as far as it is known")
                return -1, "delta is less than 1, as some losses are finite"
            bits = 128 if room == 0 else 128 + max(0, int(-log_of(room) / math.log(2)))
            if bits > MOST_BITS:
                raise OutOfReach(f"{bits} bits would be needed to tell delta from 0 or 1")
        width, value = FIRST, known
        if known is None:
            with precision(bits):
                value = self.composition.quick_bounds(adding, epsilon, room * width)
        while width > FINEST:
            with precision(bits - int(math.log2(width))):
                target = level.ball()
                for sign, told in ((1, value > target), (-1, value < target), (0, value == target)):
                    if told:
                        return sign, f"delta is {value.str(12)}"
                if known is not None:
                    break
                value = self.composition.profile(adding, arb(epsilon), room * width, target)
                gap = float((abs(value.mid() - target.mid()) / room).mid())
            width = min(width / 10, max(gap / 4, width / 1e3))
        raise OutOfReach("delta is what is claimed, as far as it is known")
