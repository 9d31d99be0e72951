"""Compositions of releases with few outcomes, outcome by outcome."""
from bisect import bisect_left, bisect_right
from math import comb, gcd, inf

from flint import arb, arb_poly

from enclosure import ball, double_below, up_to

FEW_OUTCOMES, MORE_OUTCOMES, MOST_OUTCOMES = 200_000, 1_000_000, 10_000_000  # of what is kept, of what takes a second, and of what is tried where nothing else tells
LONGEST = 8_000  # of the powers of a polynomial


class Outcomes:
    """Masses (p, q), one of each outcome, `size` of them, to be looked at once. `only_p`, `lost_p`: as of a pair."""

    def __init__(self, masses, size, only_p, lost_p):
        self.masses, self.size, self.only_p, self.lost_p = masses, size, only_p, lost_p

    def times(self, other):
        factors = list(other.masses)
        masses = ((p * r, q * s) for p, q in self.masses for r, s in factors)
        return Outcomes(masses, self.size * other.size, _either(self.only_p, other.only_p), _either(self.lost_p, other.lost_p))

    def kept(self):
        """To be looked at often, where they are not too many."""
        return SortedOutcomes(self) if self.size <= FEW_OUTCOMES else self

    def profile(self, epsilon):
        return self._gain(epsilon) + self.only_p + up_to(self.lost_p)

    def _gain(self, epsilon):
        return _gain(self.masses, epsilon.exp())

    def mean_of(self, profile, epsilon):
        """Together with releases of another profile: the mean of that at epsilon less the loss."""
        return sum((p * profile(epsilon - (p / q).log()) for p, q in self.masses), arb(0)) + self.only_p + up_to(self.lost_p)


def _gain(masses, factor):
    return sum(((p - factor * q).nonnegative_part() for p, q in masses), arb(0))


class SortedOutcomes(Outcomes):
    """By a double next to each one's loss, with the sums of the masses from each on: at any epsilon only those next to it are looked at."""

    def __init__(self, outcomes):
        super().__init__(list(outcomes.masses), outcomes.size, outcomes.only_p, outcomes.lost_p)
        self.from_here, self.unclear, self.margin = [(arb(0), arb(0))], [], arb(0)
        told = []
        for masses in self.masses:
            loss = (masses[0] / masses[1]).log()
            if loss.is_finite():
                near = float(loss.mid())
                self.margin = self.margin.max(abs(loss - near).upper())
                told.append((near, masses))
            else:
                self.unclear.append(masses)
        told.sort(key=lambda outcome: outcome[0])
        self.losses, self.told = [loss for loss, _ in told], [masses for _, masses in told]
        for p, q in reversed(self.told):
            self.from_here.append((self.from_here[-1][0] + p, self.from_here[-1][1] + q))
        self.from_here.reverse()

    def _gain(self, epsilon):
        factor = epsilon.exp()
        first = bisect_left(self.losses, double_below(epsilon - self.margin))
        last = bisect_right(self.losses, -double_below(-epsilon - self.margin))
        p, q = self.from_here[last]
        return p - factor * q + _gain(self.told[first:last], factor) + _gain(self.unclear, factor)



def _either(one, two):
    return one + two - one * two


def outcomes_of(pair, count, most):
    """All outcomes of `count` releases, or None where there are more than `most` or not only atoms."""
    if pair.dense:
        return None
    kinds = len(pair.atoms)
    size = 0 if kinds == 0 else comb(count + kinds - 1, kinds - 1) if min(count, kinds) < 40 else inf
    by_loss = kinds > 0 and pair.spacing is not None and count * _range(pair) <= LONGEST
    if size <= FEW_OUTCOMES or (size <= most and not by_loss):
        masses = _by_counts(pair.atoms, count)
    elif by_loss:
        masses = _by_loss(pair, count)
        size = len(masses)
    else:
        return None
    return Outcomes(masses, size, 1 - (1 - pair.only_p) ** count, 1 - (1 - pair.lost_p) ** count)


def _by_counts(atoms, count):
    """By how many releases have which outcome: count! times the product of each one's mass^n / n!."""
    def powers(mass):
        out = [arb(1)]
        for n in range(1, count + 1):
            out.append(out[-1] * mass / n)
        return out

    powers_of = [(powers(atom.p), powers(atom.q)) for atom in atoms]

    def list_from(first, left, p, q):
        """What the releases that are left can have, none of them an outcome before the first one."""
        for kind in range(first, len(atoms)):
            of_p, of_q = powers_of[kind]
            for n in range(1, left if kind + 1 < len(atoms) else 1):
                yield from list_from(kind + 1, left - n, p * of_p[n], q * of_q[n])
            yield p * of_p[left], q * of_q[left]

    ways = arb.fac_ui(count)
    return list_from(0, count, ways, ways)


def _range(pair):
    """Of the labels, in steps that all their differences are multiples of."""
    labels = [atom.label for atom in pair.atoms]
    return (max(labels) - min(labels)) // (gcd(*(label - labels[0] for label in labels)) or 1)


def _by_loss(pair, count):
    """Of losses on a lattice: P's masses are a polynomial's coefficients, and Q's are e^-loss of them."""
    least = min(atom.label for atom in pair.atoms)
    step = gcd(*(atom.label - least for atom in pair.atoms)) or 1
    masses = [arb(0)] * (_range(pair) + 1)
    for atom in pair.atoms:
        masses[(atom.label - least) // step] += atom.p
    power, spacing = (arb_poly(masses) ** count).coeffs(), ball(pair.spacing)
    return [(p, p * (-(count * least + n * step) * spacing).exp()) for n, p in enumerate(power)]
