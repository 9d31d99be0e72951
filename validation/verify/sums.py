"""Compositions of releases with few outcomes, outcome by outcome, and what is known in closed form of many releases."""
from math import comb

from flint import arb

from enclosure import Uncertain, up_to

MOST_OUTCOMES = 200_000
MOST_PRODUCTS = 4_000_000


class Outcomes:
    """Masses (p, q) by a label: outcomes of one label have one loss. `only_p`, `lost_p`: as of a pair."""

    def __init__(self, masses, only_p, lost_p):
        self.masses, self.only_p, self.lost_p = masses, only_p, lost_p

    def times(self, other, label):
        masses = {}
        for a, (p, q) in self.masses.items():
            for b, (r, s) in other.masses.items():
                key = label(a, b)
                before = masses.get(key)
                masses[key] = (p * r, q * s) if before is None else (before[0] + p * r, before[1] + q * s)
        return Outcomes(masses, either(self.only_p, other.only_p), either(self.lost_p, other.lost_p))

    def repeated(self, count):
        if count == 1:
            return self
        half = self.repeated(count // 2)
        square = half.times(half, _added)
        return square.times(self, _added) if count % 2 else square

    def profile(self, epsilon, of_the_rest=None):
        """Together with releases of another profile: the mean of that at epsilon less the loss."""
        if of_the_rest is None:
            factor = epsilon.exp()
            total = sum(((p - factor * q).nonnegative_part() for p, q in self.masses.values()), arb(0))
        else:
            total = sum((p * of_the_rest(epsilon - (p / q).log()) for p, q in self.masses.values()), arb(0))
        return total + self.only_p + up_to(self.lost_p)


def either(one, two):
    return one + two - one * two


def _added(a, b):
    return a + b if isinstance(a, int) else tuple(x + y for x, y in zip(a, b))


def outcomes_of(pair, count):
    """All outcomes of `count` releases, or None where there are too many or not only atoms."""
    if pair.dense or number_of_outcomes(pair, count) > MOST_OUTCOMES:
        return None
    if pair.spacing is not None:
        masses = {a.label: (a.p, a.q) for a in pair.atoms}
    else:
        masses = {tuple(int(i == j) for j in range(len(pair.atoms))): (a.p, a.q) for i, a in enumerate(pair.atoms)}
    return Outcomes(masses, pair.only_p, pair.lost_p).repeated(count)


def number_of_outcomes(pair, count):
    """An upper bound."""
    kinds = len(pair.atoms)
    number = comb(count + kinds - 1, kinds - 1) if 0 < kinds and min(count, kinds) < 40 else MOST_OUTCOMES + 1
    if pair.spacing is not None and kinds:
        labels = [a.label for a in pair.atoms]
        number = min(number, count * (max(labels) - min(labels)) + 1)
    return number
