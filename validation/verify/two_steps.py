"""A replaced record as one that is removed and another that is added: with M between the two outputs, H_{e^(a+b)}(P || Q) <=
H_{e^a}(P || M) + e^a H_{e^b}(M || Q) for all a and b. So delta(a + b) <= delta_remove(a) + e^a delta_add(b), by the composed add-remove
profiles. The same bound holds for both orders of the pair."""
import math

from flint import arb

from composition import Composition
from enclosure import OutOfReach, precision
from outline import least
from schemes import read_release

WIDTHS = (1e-3, 1e-6, 1e-9, 1e-12)  # errors relative to what is claimed


def in_two_steps(mechanisms, otherwise):
    """`otherwise`, or better where removals of these mechanisms have pairs."""
    try:
        return TwoSteps([read_release(entry, "add-remove", "") for entry in mechanisms], otherwise)
    except OutOfReach:
        return otherwise


class TwoSteps:
    """As Profiles, from above only."""

    def __init__(self, releases, otherwise):
        self.composition, self.otherwise = Composition(releases), otherwise
        self.at_least, self.stays_above_until = otherwise.at_least, otherwise.stays_above_until

    def at_most(self, epsilon, level):
        found, seen = self.otherwise.at_most(epsilon, level)
        if found or not math.isfinite(epsilon):
            return found, seen
        try:
            value = self._least(float(epsilon), level)
        except OutOfReach as reason:
            return None, f"{seen}; in two steps: {reason}"
        return (True, f"in two steps, delta is at most {value.str(12)}") if value <= level.ball() else (None, seen)

    def _least(self, epsilon, level):
        """A bound at the best place, sharper and sharper until it is no more than the level, or more for certain."""
        with precision(256):
            room, ahead = level.room(), arb(abs(epsilon))
            if not room > 0:
                raise OutOfReach("nothing is left to 0 or 1")
            place = least(lambda a: float((self._bound(a, ahead, room * WIDTHS[0]) / room).mid()), 0.0, abs(epsilon), steps=16)
            for width in WIDTHS:
                value = self._bound(place, ahead, room * width)
                if epsilon < 0:  # delta(-e) = 1 - e^-e + e^-e delta(e) of the other order
                    value = 1 - (-ahead).exp() + (-ahead).exp() * value
                if value <= level.ball() or value > level.ball():
                    break
            return value

    def _bound(self, a, epsilon, size):
        a = arb(a)
        return self._delta(False, a, size) + a.exp() * self._delta(True, epsilon - a, size / a.exp())

    def _delta(self, adding, epsilon, size):
        known = self.composition.known(adding, float(epsilon.mid())) if epsilon.is_exact() else None
        return self.composition.profile(adding, epsilon, size) if known is None else known
