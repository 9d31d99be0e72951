"""The profile of any composition from above and from below, by laws on a grid (grid.py) of its releases' losses (discrete.py). Theorem 6
of docs/verify.md says why either bound is one; doubles only choose the grid."""
import math

from flint import arb

import discrete
from enclosure import OutOfReach, log_of, precision
from grid import Law, LossesAbove, LossesBelow, doublings, power
from outline import Path
from pairs import Pair, infinite_mass, left_out
from sketch import Sketch

COARSEST = 20    # cells in a standard deviation
FINEST = 1e-5  # of the resolutions at which an epoch's deviation is looked for
BITS, LENGTHS = 32, 4  # steps of masses' precisions, and how many lengths there are up to the double of one
LIKELY = 0.4  # where between both bounds the truth mostly is


class _Above:
    kind = LossesAbove

    @staticmethod
    def profile(law, pairs, epsilon):
        unit = arb(2) ** -law.kind.bits
        total = arb(law.lost)
        for (p,), loss in law.places():
            if p and not loss <= epsilon:
                total += p * (1 - (epsilon - loss).exp()).nonnegative_part()
        return total * unit + infinite_mass(pairs) + left_out(pairs)


class _Below:
    kind = LossesBelow

    @staticmethod
    def profile(law, pairs, epsilon):
        total = sum(((p - q * (epsilon - place).exp()).nonnegative_part() for (p, q), place in law.places() if p), arb(0))
        return total * arb(2) ** -law.kind.bits + infinite_mass(pairs)


class TwoSides:
    """`pairs`: of the releases and how many there are of each; `bits`: of the precision at which they were made, and are to be asked."""

    def __init__(self, pairs, bits):
        self.pairs, self.bits = pairs, bits
        self.widths = [mean_and_variance(pair) for pair, _ in pairs]
        self.mean = sum(count * mean for (_, count), (mean, _) in zip(pairs, self.widths))
        self.deviation = math.sqrt(sum(count * variance for (_, count), (_, variance) in zip(pairs, self.widths)))
        if not 0 < self.deviation < math.inf:
            raise OutOfReach(f"losses whose deviation is {self.deviation:g}")
        self._laws = {}

    def profile(self, epsilon, size, target, most):
        """A ball around delta(epsilon) of radius `size` or less, or on one side of the target; OutOfReach where that takes more than `most`
        cells next to the origin."""
        reach, step, bits = self.first_grid(float(epsilon.mid()), size)
        low, high, value, first = arb(0), arb(1), arb(0).union(arb(1)), _Above
        while reach / step <= 2 * most:
            half = half_of(reach, step)
            for side in (first, _Below if first is _Above else _Above):
                bound = side.profile(*self._sum_of(side, step, half, bits, size / 1000), epsilon)
                low, high = (low, high.min(bound.upper())) if side is _Above else (low.max(bound.lower()), high)
                value = low.union(high)
                if value.rad() < size or (target is not None and (value > target or value < target)):
                    return value
            share, first = _next(low, high, size, target)
            step = _below(step * share)
        raise OutOfReach(f"delta is {value.str(8)}, and a grid with a step of {step:.1e} is too large")

    def sketch(self, low, high, size, fineness):
        """log delta in doubles at every epsilon about these two, between the values that a grid gives from above that is so much finer than the first."""
        law, pairs = self._fine(_Above, low, high, size, fineness)
        with precision(self.bits):
            told = [(float(loss.mid()), p * arb(2) ** -law.kind.bits) for (p,), loss in law.places() if p]
            if not told:
                raise OutOfReach("a sketch of losses, none of which lie on its grid")
            return Sketch(told, infinite_mass(pairs))

    def above(self, low, high, size, fineness):
        """An upper bound of delta as a function of epsilon, by the same grid."""
        found = self._fine(_Above, low, high, size, fineness)

        def bound(epsilon):
            with precision(self.bits):
                return _Above.profile(*found, arb(epsilon)).upper()

        return bound

    def power(self, alpha, low, high, size, fineness):
        """From below: of a test of error alpha that rejects what has the largest ratios on such a grid, and a share of the next outcome. Doubles order them."""
        law, pairs = self._fine(_Below, low, high, size, fineness)
        with precision(self.bits):
            unit, left, told = arb(2) ** -law.kind.bits, arb(alpha), infinite_mass(pairs)
            outcomes = [(log_of(arb(p)) - log_of(arb(q)) + float(place.mid()), p * unit, q * unit * (-place).exp()) for (p, q), place in law.places() if p]
            for _, p, q in sorted(outcomes, key=lambda outcome: -outcome[0]):
                if not q <= left:
                    return (told + (left / q).lower() * p).lower()
                told, left = told + p, (left - q).lower()
            return told.lower()

    def _fine(self, side, low, high, size, fineness):
        (one, step, bits), (other, smaller, _) = (self.first_grid(end, size) for end in (low, high))
        step = min(step, smaller) / fineness
        with precision(self.bits):
            return self._sum_of(side, step, half_of(max(one, other), step), bits, size / 1000)

    def first_grid(self, epsilon, size):
        """What it reaches, its step and the bits of its masses."""
        reach = 1 / _below(1 / (abs(epsilon - self.mean) + 2 * self.deviation))
        step = _below(max(self.deviation / COARSEST, 0.3 * reach / -log_of(size)))  # the tilt is at least about -log delta / reach
        return reach, step, BITS * math.ceil(2 + (math.log2(1 + sum(count for _, count in self.pairs)) - log_of(size) / math.log(2)) / BITS)

    def _sum_of(self, side, step, half, bits, neglected):
        key = side, step, half, bits
        if key not in self._laws:
            self._laws[key] = self._total(side, step, half, bits, int((neglected * arb(2) ** bits).mid().floor().unique_fmpz()))
        return self._laws[key]

    def _total(self, side, step, half, bits, neglected):
        """The law of the sum of all losses, and the pairs it is of."""
        total, found, kind = None, [], side.kind(bits)
        for (pair, count), (mean, _) in zip(self.pairs, self.widths):
            law, cells = law_of(pair, count, mean, side is _Above, kind, step, half, neglected)
            total = law if total is None else total.plus(law, half).trimmed(neglected).centred()
            found.append((cells, count))
        return total, found


def _below(length):
    """One of few lengths, so that a law is of use again."""
    return 2 ** (math.floor(LENGTHS * math.log2(length)) / LENGTHS)


def half_of(reach, step):
    return max(64, 2 * math.ceil(reach / (4 * step)))


def _next(low, high, size, target):
    """What to multiply the step with, the error being about its square; and the bound that is more likely to tell."""
    width = float((high - low).mid() / size.mid())
    ahead = 0.0 if target is None else float(((low + LIKELY * (high - low) - target) / size).mid())
    return max(0.4, min(0.7, math.sqrt(max(1.6, 1.4 * abs(ahead)) / width))), _Below if ahead > 0 else _Above


def law_of(pair, count, mean, from_above, kind, step, half, neglected):
    """Of the sum of `count` losses of a pair, about their mean; and the pair in cells, that it is of."""
    single = step / 2 ** (doublings(count) // 2)
    origin = round(mean / single) * single

    def following(loss):
        return loss + max(single, abs(loss - origin) / (2 * half)) / 3

    cells = (discrete.above if from_above else discrete.below)(pair, following) if isinstance(pair, Pair) else pair.in_cells(from_above, single, step, kind.bits)
    law = Law(kind, arb(single), arb(origin), half)
    for atom in cells.atoms:
        kind.place(law, [atom.p, atom.q][: len(kind.up)], atom.loss)
    return power(law.gathered(), count, lambda _: half, neglected), cells


def mean_and_variance(pair):
    """Of the loss under P, roughly."""
    if isinstance(pair, Pair):
        return _moments(pair)
    resolution, variance = 0.1, 0.0
    while variance < (5 * resolution) ** 2 and resolution > FINEST:
        resolution /= 4
        mean, variance = _moments(pair.in_cells(False, resolution, 0.05, 128))
    return mean, variance


def _moments(pair):
    with precision(64):
        points = [(log_of(a.p), float(a.loss.mid())) for a in pair.atoms if a.loss.is_finite()]
        for piece in pair.pieces:
            points += [(size + loss, loss) for size, loss, _ in Path(piece, 0, 1200).points]
    masses = [(math.exp(mass), loss) for mass, loss in points]
    total = sum(mass for mass, _ in masses) or math.inf
    mean = sum(mass * loss for mass, loss in masses) / total
    return mean, sum(mass * (loss - mean) ** 2 for mass, loss in masses) / total
