"""An epoch of random allocation: each record in one of `steps` steps. With (P, Q) a step's pair the epoch's is

    P' = the mean over t of Q x .. x P (in place t) x .. x Q,   Q' = Q x .. x Q,

whose ratio is R = S / steps, S the sum of `steps` independent copies of dP/dQ under Q. Theorems 7 and 8 of docs/verify.md.
"""
import math
from functools import cache
from math import comb

from flint import arb, arb_poly, ctx, fmpz

from discrete import above, below
from enclosure import OutOfReach, ball, log_of, up_to
from grid import Cells, Law, LossesAbove, LossesBelow, RatiosAbove, RatiosBelow, doublings, power
from likely import MOST_KINDS, counts_in, divided_powers, ranges_of, size_of
from mean_ratio import shortfall
from outline import least as least_of
from pairs import Atom, Pair, infinite_mass, left_out
from sums import outcomes_of
from two_sides import half_of, law_of, mean_and_variance

MOST_LISTED, MOST_OF_STEPS, MOST_CHOICES = 20_000, 400, 2_000  # the latter of steps, of which several are chosen
MOST_PLACES, LARGE = 1 << 18, 500.0  # of the sums of whole numbers; a loss that is one of a sample but for a constant
CELLS, FEWER, FIRST, FINEST = 500, 8, 1 / 64, 1e-9  # in a deviation of a sum, by how much fewer where sums reach too far, and how far apart they are at first and at last
NEGLIGIBLE = 30  # binary digits of an outcome's mass that can be dropped
MARGIN = 100     # and those beyond an epoch's, of a step's masses, which count for Q e^-loss of themselves
CELLS_OF_MOMENTS, BITS_OF_MOMENTS = 400, 192  # in a deviation of an epoch's loss, and binary digits of its masses
DEVIATIONS = 14  # of a step's loss, about which it is told finely


def log_choices(steps, chosen):
    """The logarithm of the number of them, which may be too large to be written down."""
    return arb(steps + 1).lgamma() - arb(chosen + 1).lgamma() - arb(steps - chosen + 1).lgamma() if chosen > 1 else arb(steps).log()


def epoch_of(step, steps, nats, chosen=1):
    """The pair, with all outcomes where they are few; what is left out of Q has e^-nats or so."""
    listed = listed_epoch(step, steps, nats, chosen) if isinstance(step, Pair) else None
    return listed or (Epoch(step, steps) if chosen == 1 else Listed(told_by_a_sum(step, steps, chosen, nats)))


def listed_epoch(step, steps, nats, chosen=1):
    """The epoch's outcomes, by how many steps have which outcome, or all but those of e^-nats of Q or so; None where they are too many, or not only atoms."""
    kinds = [(a.q, a.p / a.q) for a in step.atoms] + ([] if step.only_q.is_zero() else [(step.only_q, arb(0))])
    if step.pieces or not kinds or len(kinds) > MOST_KINDS or (chosen > 1 and steps > MOST_CHOICES):
        return None
    kinds.sort(key=lambda kind: log_of(kind[0]))
    whole = comb(steps + len(kinds) - 1, len(kinds) - 1) <= MOST_LISTED
    numbers = [range(steps + 1)] * len(kinds) if whole else ranges_of([q for q, _ in kinds], steps, nats)
    if not whole and size_of(numbers) > MOST_LISTED:
        return None
    powers = [(divided_powers(q, few), few[0]) for (q, _), few in zip(kinds, numbers)]
    atoms, ways, only_q = [], arb.fac_ui(steps), arb(0)
    for few in counts_in(numbers, steps):
        mass = ways
        for number, (of_q, first) in zip(few, powers):
            mass *= of_q[number - first]
        mean = _mean_of_products([(ratio, number) for (_, ratio), number in zip(kinds, few)], steps, chosen)
        if mean.is_zero():
            only_q += mass
        else:
            atoms.append(Atom(mass * mean, mass, loss=mean.log()))
    lost_p, lost_q = _lost(step, steps, chosen)
    if not whole:
        mass = sum((q for q, _ in kinds), arb(0))
        lost_p += step.moment(0) ** chosen * mass ** (steps - chosen) - sum((a.p for a in atoms), arb(0))
        lost_q += mass**steps - sum((a.q for a in atoms), only_q)
    return Pair(atoms, only_p=infinite_mass([(step, chosen)]), only_q=only_q, lost_p=lost_p, lost_q=lost_q, range=_range(step, steps, chosen))


def _mean_of_products(ratios, steps, chosen):
    """Of all choices of so many steps; `ratios`: and how many steps have each."""
    if chosen == 1:
        return sum((number * ratio for ratio, number in ratios), arb(0)) / steps
    total = arb_poly([1])
    for ratio, number in ratios:
        total = arb_poly((total * arb_poly([1, ratio]) ** number).coeffs()[: chosen + 1])
    return total[chosen] / comb(steps, chosen)


def _lost(step, steps, chosen=1):
    return chosen * step.lost_p + (steps - chosen) * step.lost_q, steps * step.lost_q


def _range(step, steps, chosen=1):
    """Of the epoch's losses. The lowest one that is finite may be that of one choice of steps alone."""
    lowest, highest = (None if end is None else chosen * arb(end) for end in step.range)
    return None if lowest is None else lowest if step.only_q.is_zero() else lowest - log_choices(steps, chosen), highest


def product_of(pair, count):
    """The pair of several releases, with all outcomes where they are few."""
    listed = outcomes_of(pair, count, MOST_OF_STEPS)
    if listed is None:
        return Product(pair, count)
    only_p, only_q, lost_p, lost_q = _of_product([(pair, count)])
    return Pair([Atom(p, q) for p, q in listed.masses], only_p=only_p, only_q=only_q, lost_p=lost_p, lost_q=lost_q, range=_range_of_product(pair, count))


def _range_of_product(pair, count):
    return tuple(None if end is None else count * end for end in pair.range)


def _of_product(factors):
    """What either law has alone, and what is left out of them."""
    swapped = [(pair.swapped(), count) for pair, count in factors]
    return infinite_mass(factors), infinite_mass(swapped), left_out(factors), left_out(swapped)


class Product:
    """Of which only laws on a grid are known, from above and from below (two_sides.py), in place of the pair."""

    def __init__(self, pair, count):
        self.pair, self.count = pair, count
        self.only_p, self.only_q, self.lost_p, self.lost_q = _of_product([(pair, count)])
        self.range = _range_of_product(pair, count)

    def in_cells(self, from_above, width, bits):
        """A pair of finitely many outcomes, of losses on a grid of that width. From below masses are balls, as they count on both sides."""
        mean, variance = mean_and_variance(self.pair)
        reach = DEVIATIONS * math.sqrt(self.count * variance)
        if None not in self.range:
            reach = min(reach, *(abs(float(ball(end).mid())) for end in self.range))
        half, atoms = half_of(reach, width), []

        def law(kind):
            return law_of(self.pair, self.count, mean, from_above, kind, width, half, None)

        unit = arb(2) ** -bits
        if from_above:
            found, cells = law(LossesAbove(bits))
            atoms = [Atom(p * unit, p * unit * (-loss).exp(), loss=loss) for (p,), loss in found.places() if p]
        else:
            (low, cells), (high, _) = (law(LossesBelow(bits, up)) for up in (False, True))
            for masses, ((p, q), place) in zip((masses for masses, _ in low.places()), high.places()):
                p, q = (arb(one).union(arb(other)) * unit for one, other in zip(masses, (p, q)))
                if p > 0 and q > 0:
                    atoms.append(Atom(p, q * (-place).exp()))
        only_p, only_q, lost_p, lost_q = _of_product([(cells, self.count)])
        return Pair(atoms, only_p=only_p, only_q=only_q, lost_p=lost_p, lost_q=lost_q)


class Epoch:
    """The pair, where its outcomes are too many to be listed: known by its profile, and by pairs of finitely many outcomes that
    dominate it or that it dominates. `adding`: swapped."""
    atoms, spacing, dense = (), None, True

    def __init__(self, step, steps, adding=False):
        self.step, self.steps, self.adding = step, steps, adding
        self.lost_p, self.lost_q = _lost(step, steps)
        self.only_p, self.only_q = step.only_p, step.only_q**steps
        self.range = _range(step, steps)
        if adding:
            self.lost_p, self.lost_q, self.only_p, self.only_q = self.lost_q, self.lost_p, self.only_q, self.only_p
            self.range = tuple(None if end is None else -end for end in reversed(self.range))
        self._known = {}

    @property
    def pieces(self):
        raise OutOfReach(f"an epoch of {self.steps} steps or outcomes, of which no transform is known")

    def moment(self, _):
        raise OutOfReach(f"an epoch of {self.steps} steps, of which no moments are known")

    def swapped(self):
        return Epoch(self.step, self.steps, not self.adding)

    def profile(self, epsilon):
        """E (R - e^epsilon)_+ = E (e^epsilon - R)_+ + E R - e^epsilon, or for adding E (1 - e^epsilon R)_+; over the outcomes that the step
        has. The precision says how exactly."""
        if isinstance(self.step, Product):
            raise OutOfReach(f"an epoch of {self.steps} steps, of which one is known in cells alone")
        at, error = (-epsilon if self.adding else epsilon).exp(), arb(2) ** (30 - ctx.prec)
        if self.adding:
            return shortfall(self.step, self.steps, at, error * at) / at + up_to(self.lost_p)
        mass, mean = self.step.moment(-1) + self.step.only_q, self.step.moment(0)
        rest = mean * mass ** (self.steps - 1) - at * mass**self.steps
        return shortfall(self.step, self.steps, at, error) + rest + self.only_p + up_to(self.lost_p)

    def in_cells(self, from_above, resolution, of_jumps, bits):
        """A pair that dominates this one, or that it dominates: on a grid of mean ratios that are about `resolution` apart near 1, and of
        the ratios of single steps, a share `of_jumps` apart. What has no mass to speak of, in units of 2^-bits, is dropped."""
        key = from_above, resolution, of_jumps, bits
        if key not in self._known:
            pair = self._above(resolution, of_jumps, bits) if from_above else self._below(resolution, of_jumps, bits)
            self._known[key] = pair.swapped() if self.adding else pair
        return self._known[key]

    def _sum(self, make_kind, from_above, resolution, of_jumps, bits):
        """The law of the sum of all steps' ratios, on a grid."""
        spacing = self.steps * resolution / 2 ** (doublings(self.steps) // 2)  # which is doubled with every second squaring
        share = 1 / (2 * _half(spacing, of_jumps, 0))

        def following(loss):
            if loss > 0:  # e^loss may be no double
                return loss + math.log1p(max(spacing * math.exp(-loss), share))
            ratio = math.exp(loss)
            return math.log(ratio + max(spacing, ratio * share))

        step = _in_cells(self.step, from_above, following, share, bits)
        ratios = [(a.p, a.q, a.loss.exp()) for a in step.atoms] + [(arb(0), step.only_q, arb(0))]
        highest = max(log_of(ratio) for _, _, ratio in ratios)
        kind = make_kind(bits + int(highest / math.log(2)) + self.steps.bit_length())
        law = Law(kind, arb(spacing), arb(0), _half(spacing, of_jumps, 0))
        for p, q, ratio in ratios:
            kind.place(law, [q] if from_above else [p, q], ratio)
        return power(law.gathered(), self.steps, lambda squarings: _half(spacing, of_jumps, squarings), None), step.only_p

    def _above(self, resolution, of_jumps, bits):
        law, only_p = self._sum(RatiosAbove, True, resolution, of_jumps, bits)
        atoms, only_q, unit = [], arb(0), arb(2) ** -law.kind.bits
        lost_p, lost_q = _lost(self.step, self.steps)
        for (q,), total in law.places():
            ratio, q = total / self.steps, q * unit
            if not ratio > 0:
                only_q += q
            elif (q if self.adding else q * ratio) < arb(2) ** (NEGLIGIBLE - bits):
                lost_p, lost_q = lost_p + q * ratio, lost_q + q
            else:
                atoms.append(Atom(q * ratio, q, loss=ratio.log()))
        return Pair(atoms, only_p=only_p, only_q=only_q, lost_p=lost_p, lost_q=lost_q)

    def _below(self, resolution, of_jumps, bits):
        law, only_p = self._sum(lambda bits: RatiosBelow(bits, self.adding), False, resolution, of_jumps, bits)
        unit, least = arb(2) ** -law.kind.bits, arb(2) ** (NEGLIGIBLE - bits)
        masses = [(p * unit / self.steps, q * unit) for (p, _, q), _ in law.places()]
        alone = sum((q for p, q in masses if p == 0), arb(0)) if self.adding else arb(0)  # then P's are rounded up
        atoms = [Atom(p, q) for p, q in masses if p > 0 and q > 0 and (q if self.adding else p) > least]
        return Pair(atoms, only_p=only_p, only_q=alone)


class Listed(Epoch):
    """A pair of so many outcomes, of no lattice, that a transform is not tried: it does not fall."""

    def __init__(self, pair):
        self.pair, self.range, self.moment, self.profile, self.steps = pair, pair.range, pair.moment, pair.profile, len(pair.atoms)
        self.lost_p, self.lost_q, self.only_p, self.only_q = pair.lost_p, pair.lost_q, pair.only_p, pair.only_q

    def swapped(self):
        return Listed(self.pair.swapped())

    def in_cells(self, from_above, *_):
        """Those whose loss is told."""
        return (above if from_above else below)(self.pair, None)


def _in_cells(step, from_above, following, width, bits):
    """A step in finitely many outcomes, which dominate it or which it dominates; of one that is known in cells alone, of that width."""
    if isinstance(step, Product):
        return step.in_cells(from_above, width, bits + MARGIN)
    return (above if from_above else below)(step, following)


@cache
def told_in_cells(pair):
    """A pair that is its own, or what outcomes of an epoch have that are told apart no further: it dominates that, of which no moment is larger."""
    if isinstance(pair, Pair):
        return pair
    fine = math.sqrt(mean_and_variance(pair)[1]) / CELLS_OF_MOMENTS
    found = pair.in_cells(False, fine, fine, BITS_OF_MOMENTS)
    return Pair(found.atoms, only_p=found.only_p, only_q=found.only_q, lost_p=(1 - found.only_p - found.moment(0)).nonnegative_part().upper())


def told_by_a_sum(step, steps, chosen, nats):
    """Of a record in several steps, all choices alike, what an event of a sum tells. Each step's outcome has a whole number, as large as its loss would be on a Poisson sample of that
    rate. Without the record the sum has the law of that many steps without it; with the record, whichever steps it is in, some of them have P's."""
    rate, others = chosen / steps, steps - chosen

    def sampled(loss):
        return math.log1p(rate * math.expm1(loss)) if loss < LARGE else loss + math.log(rate)

    def numbers(spacing):
        """Each outcome's, and its masses; and how far sums mostly are from their mean."""
        def following(loss):
            return math.log1p(math.expm1(sampled(loss) + spacing) / rate) if loss < LARGE else loss + spacing

        cells = _in_cells(step, False, following, spacing, ctx.prec)
        told = [(sampled(float(a.loss.mid())), a.p, a.q) for a in cells.atoms] + ([] if cells.only_q.is_zero() else [(math.log1p(-rate), arb(0), cells.only_q)])
        lowest, mean = min(told)[0], sum(loss * float(q.mid()) for loss, _, q in told)
        spread = math.sqrt(steps) * sum(float(q.mid()) * abs(loss - mean) for loss, _, q in told)
        return [(round((loss - lowest) / spacing), p, q) for loss, p, q in told], spread

    spacing = FIRST
    told, spread = numbers(spacing)
    while spacing > spread / CELLS and spacing > FINEST:
        spacing = max(spread / CELLS, spacing / 64)
        told, spread = numbers(spacing)
    end, coarsest = _reached(told, chosen, others, nats), FEWER * spacing
    while end > MOST_PLACES and 1.2 * spacing <= coarsest:
        spacing *= 1.2
        end = _reached((told := numbers(spacing)[0]), chosen, others, nats)

    def law(kind):
        def power(which, count):
            rows = [[fmpz(0)] * end for _ in kind.up]
            for place, *masses in told:
                if place < end:
                    for row, mass in zip(rows, kind.whole([masses[which], masses[1]])):
                        row[place] += mass
            total = cells = Cells(0, rows)
            for bit in bin(count)[3:]:
                total = kind.product(total, total).between(0, end)
                total = kind.product(total, cells).between(0, end) if bit == "1" else total
            return total

        return zip(*kind.product(power(0, chosen), power(1, others)).between(0, end).rows)

    bits = int(nats / math.log(2)) + steps.bit_length() + MARGIN
    masses = [[arb(mass).union(arb(other)) * arb(2) ** -bits for mass, other in zip(*both)] for both in zip(*(law(LossesBelow(bits, up)) for up in (False, True)))]
    atoms, only_p, only_q = [Atom(p, q) for p, q in masses if p > 0 and q > 0], infinite_mass([(step, chosen)]), sum((q for p, q in masses if p == 0), arb(0))
    lost_p, lost_q = 1 - only_p - sum((a.p for a in atoms), arb(0)), 1 - only_q - sum((a.q for a in atoms), arb(0))
    return Pair(atoms, only_p=only_p, only_q=only_q, lost_p=lost_p, lost_q=lost_q, range=_range(step, steps, chosen))


def _reached(told, chosen, others, nats):
    """A place beyond which P has e^-nats or so, by Chernoff's bound in doubles, or the last one that is told."""
    masses = [(place, float(p.mid()), float(q.mid())) for place, p, q in told]
    highest = max(place for place, _, _ in masses) or 1

    def reach(log_share):
        share = math.exp(log_share) / highest
        both = [math.log(sum(mass[law] * math.exp(share * mass[0]) for mass in masses)) for law in (1, 2)]
        return (chosen * both[0] + others * both[1] + nats) / share

    return 1 + min(MOST_PLACES, (chosen + others) * highest, math.ceil(reach(least_of(reach, -12.0, 6.0, steps=30))))


def _half(spacing, of_jumps, squarings):
    return 2 * math.ceil(max(1 / of_jumps, 2.0**squarings / (spacing * 2 ** (squarings // 2))) / 2)
