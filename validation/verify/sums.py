"""Compositions of releases with few outcomes, outcome by outcome."""
from bisect import bisect_left, bisect_right
from math import comb, inf

from flint import arb, arb_poly

from enclosure import ball, double_below, log_of, up_to
from likely import MOST_KINDS, counts_in, divided_powers, ranges_of, size_of

FEW_OUTCOMES = 200_000  # of what is kept
WHOLE = 10_000          # of what is in one list: two, each of some of the releases, take less time
ROUNDING, NARROW = 1e-15, arb(2) ** -40  # the latter of losses that are told


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
            if loss.rad() < NARROW:
                near = float(loss.mid())
                self.margin = self.margin.max(abs(loss - near).upper())
                told.append((near, masses))
            elif masses[0].rad() < masses[0] * NARROW:
                self.unclear.append(masses)
            else:  # with more precision it is told
                self.lost_p += masses[0].upper()
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


class TwoLists:
    """The sums of a loss of the one, which has fewer, and one of the other: for each of the first, what the second has above what is left of epsilon."""

    def __init__(self, one, other):
        self.one, self.other = sorted((one, other), key=lambda outcomes: outcomes.size)
        self.only_p, self.lost_p = _either(one.only_p, other.only_p), one.lost_p + other.lost_p

    def profile(self, epsilon):
        one, other, factor = self.one, self.other, epsilon.exp()
        total = self.only_p + up_to(self.lost_p)
        for p, q in one.unclear:
            total += self._gain_beside(p, factor * q, other.masses)
        if not one.losses:
            return total
        # So far may doubles be from where a sum of losses meets epsilon, the rounding of their own sum included.
        near, largest = float(epsilon.mid()), max(abs(loss) for losses in (one.losses, other.losses or [0.0]) for loss in (losses[0], losses[-1]))
        margin = -double_below(-(one.margin + other.margin + abs(epsilon - near) + ROUNDING * (abs(near) + 2 * largest)))
        for loss, (p, q) in zip(one.losses, one.told):
            rest, moved = near - loss, factor * q
            first, last = bisect_left(other.losses, rest - margin), bisect_right(other.losses, rest + margin)
            above_p, above_q = other.from_here[last]
            total += p * above_p - moved * above_q
            if first < last or other.unclear:
                total += self._gain_beside(p, moved, [*other.told[first:last], *other.unclear])
        return total

    @staticmethod
    def _gain_beside(p, moved, masses):
        return sum(((p * r - moved * s).nonnegative_part() for r, s in masses), arb(0))


def _either(one, two):
    return one + two - one * two


def outcomes_of(pair, count, most, nats=None):
    """All outcomes of `count` releases, those of one loss on a lattice as one, or None where there are more than `most` or not only atoms; with `nats`, or all but e^-nats of P or so."""
    if pair.dense:
        return None
    kinds, on_lattice = len(pair.atoms), _size_on_lattice(pair, count)
    size = 0 if kinds == 0 else comb(count + kinds - 1, kinds - 1) if min(count, kinds) < 40 else inf
    lost = 1 - (1 - pair.lost_p) ** count
    if on_lattice < size and on_lattice <= min(most, WHOLE):
        masses, untold = _on_lattice(pair, count)
        size, lost = len(masses), lost + untold
    elif size <= most:
        masses = _by_counts(pair.atoms, count)
    elif nats is not None and (masses := _likely(pair.atoms, count, nats, most)):
        size = len(masses)
        lost += sum((atom.p for atom in pair.atoms), arb(0)) ** count - sum((p for p, _ in masses), arb(0))
    else:
        return None
    return Outcomes(masses, size, 1 - (1 - pair.only_p) ** count, lost)


def _size_on_lattice(pair, count):
    """How many sums of `count` labels there are; inf where there are no labels."""
    labels = [atom.label for atom in pair.atoms]
    return inf if pair.spacing is None or not labels else count * (max(labels) - min(labels)) + 1


def _on_lattice(pair, count):
    """By the sum of the labels, which is all that the loss tells: P's masses are the coefficients of a power, Q has e^-loss times as much. Those that are
    not told from nothing are left out, and their sum is returned."""
    first = min(atom.label for atom in pair.atoms)
    masses = [arb(0)] * (max(atom.label for atom in pair.atoms) - first + 1)
    for atom in pair.atoms:
        masses[atom.label - first] += atom.p
    found = list(enumerate((arb_poly(masses) ** count).coeffs(), count * first))
    told = [(p, p * (-label * ball(pair.spacing)).exp()) for label, p in found if p > 0]
    return told, sum((p.upper() for _, p in found if not (p > 0 or p.is_zero())), arb(0))


def in_lists(pair, count, most, nats):
    """As outcomes_of, in one list or in two, each of some of the releases and no longer than `most`; None where that is too little."""
    whole = outcomes_of(pair, count, WHOLE, nats)
    if whole is not None:
        return [whole]
    for first in (count // 3, count // 2, 0):
        lists = [outcomes_of(pair, few, most, nats) for few in (first, count - first) if few]
        if None not in lists:
            return lists
    return None


def in_two(lists, most):
    """Products of them all, one or two of no more than so many outcomes; or None."""
    joined = []
    for listed in sorted(lists, key=lambda listed: -listed.size):
        joined.sort(key=lambda product: product.size)
        if len(joined) < 2 and not (joined and joined[0].size * listed.size <= WHOLE):
            joined.append(listed)
        elif joined[0].size * listed.size <= most:
            joined[0] = joined[0].times(listed)
        else:
            return None
    return joined


def _likely(atoms, count, nats, most):
    """By how many releases have which atom, within ranges; None where that is more than `most`."""
    if not 1 < len(atoms) <= MOST_KINDS:
        return None
    atoms = sorted(atoms, key=lambda atom: log_of(atom.p))
    ranges = ranges_of([atom.p for atom in atoms], count, nats)
    if size_of(ranges) > most:
        return None
    ways, listed = arb.fac_ui(count), []
    powers = [(divided_powers(atom.p, numbers), divided_powers(atom.q, numbers), numbers[0]) for atom, numbers in zip(atoms, ranges)]
    for numbers in counts_in(ranges, count):
        p = q = ways
        for number, (of_p, of_q, first) in zip(numbers, powers):
            p, q = p * of_p[number - first], q * of_q[number - first]
        listed.append((p, q))
    return listed


def _by_counts(atoms, count):
    """By how many releases have which outcome: count! times the product of each one's mass^n / n!."""
    powers_of = [tuple(divided_powers(mass, range(count + 1)) for mass in (atom.p, atom.q)) for atom in atoms]

    def list_from(first, left, p, q):
        """What the releases that are left can have, none of them an outcome before the first one."""
        for kind in range(first, len(atoms)):
            of_p, of_q = powers_of[kind]
            for n in range(1, left if kind + 1 < len(atoms) else 1):
                yield from list_from(kind + 1, left - n, p * of_p[n], q * of_q[n])
            yield p * of_p[left], q * of_q[left]

    ways = arb.fac_ui(count)
    return list_from(0, count, ways, ways)
