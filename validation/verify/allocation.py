"""An epoch of random allocation: each record in one of `steps` steps. With (P, Q) a step's pair the epoch's is

    P' = the mean over t of Q x .. x P (in place t) x .. x Q,   Q' = Q x .. x Q,

whose ratio is R = S / steps, S the sum of `steps` independent copies of dP/dQ under Q. Theorems 7 and 8 of docs/verify.md.
"""
import math
from math import comb

from flint import arb, ctx

from discrete import above, below
from enclosure import OutOfReach, log_of, up_to
from grid import Law, RatiosAbove, RatiosBelow, doublings, power
from likely import MOST_KINDS, counts_in, divided_powers, ranges_of, size_of
from mean_ratio import shortfall
from pairs import Atom, Pair

MOST_LISTED = 20_000
NEGLIGIBLE = 30  # binary digits of an outcome's mass that can be dropped


def listed_epoch(step, steps, nats):
    """The epoch's outcomes, by how many steps have which outcome, or all but those of e^-nats of Q or so; None where they are too many, or not only atoms."""
    kinds = [(a.q, a.p / a.q) for a in step.atoms] + ([] if step.only_q.is_zero() else [(step.only_q, arb(0))])
    if step.pieces or not kinds or len(kinds) > MOST_KINDS:
        return None
    kinds.sort(key=lambda kind: log_of(kind[0]))
    whole = comb(steps + len(kinds) - 1, len(kinds) - 1) <= MOST_LISTED
    numbers = [range(steps + 1)] * len(kinds) if whole else ranges_of([q for q, _ in kinds], steps, nats)
    if not whole and size_of(numbers) > MOST_LISTED:
        return None
    powers = [(divided_powers(q, few), few[0]) for (q, _), few in zip(kinds, numbers)]
    atoms, ways, only_q = [], arb.fac_ui(steps), arb(0)
    for chosen in counts_in(numbers, steps):
        mass, total = ways, arb(0)
        for number, (q, ratio), (of_q, first) in zip(chosen, kinds, powers):
            mass, total = mass * of_q[number - first], total + number * ratio
        if total.is_zero():
            only_q = mass
        else:
            mean = total / steps
            atoms.append(Atom(mass * mean, mass, loss=mean.log()))
    lost_p, lost_q = _lost(step, steps)
    if not whole:
        mass = sum((q for q, _ in kinds), arb(0))
        lost_p += step.moment(0) * mass ** (steps - 1) - sum((a.p for a in atoms), arb(0))
        lost_q += mass**steps - sum((a.q for a in atoms), only_q)
    return Pair(atoms, only_p=step.only_p, only_q=step.only_q**steps, lost_p=lost_p, lost_q=lost_q, range=_range(step, steps))


def _lost(step, steps):
    return step.lost_p + (steps - 1) * step.lost_q, steps * step.lost_q


def _range(step, steps):
    """Of the epoch's losses. The lowest one that is finite may be that of one step alone."""
    lowest, highest = (None if end is None else arb(end) for end in step.range)
    return None if lowest is None else lowest if step.only_q.is_zero() else lowest - arb(steps).log(), highest


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
        raise OutOfReach(f"an epoch of {self.steps} steps, of which no transform is known")

    def moment(self, _):
        raise OutOfReach(f"an epoch of {self.steps} steps, of which no moments are known")

    def swapped(self):
        return Epoch(self.step, self.steps, not self.adding)

    def profile(self, epsilon):
        """E (R - e^epsilon)_+ = E (e^epsilon - R)_+ + E R - e^epsilon, or for adding E (1 - e^epsilon R)_+; over the outcomes that the step
        has. The precision says how exactly."""
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

    def _sum(self, make_kind, cut, resolution, of_jumps, bits):
        coarser = 2 ** (doublings(self.steps) // 2)
        spacing = self.steps * resolution / coarser

        def half_at(squarings):
            return 2 * math.ceil(max(1 / of_jumps, 2.0**squarings / (spacing * 2 ** (squarings // 2))) / 2)

        share = 1 / (2 * half_at(0))

        def following(loss):
            if loss > 0:  # e^loss may be no double
                return loss + math.log1p(max(spacing * math.exp(-loss), share))
            ratio = math.exp(loss)
            return math.log(ratio + max(spacing, ratio * share))

        step = cut(self.step, following)
        ratios = [(a.p, a.q, a.loss.exp()) for a in step.atoms] + [(arb(0), step.only_q, arb(0))]
        highest = max(log_of(ratio) for _, _, ratio in ratios)
        kind = make_kind(bits + int(highest / math.log(2)) + self.steps.bit_length())
        law = Law(kind, arb(spacing), arb(0), half_at(0))
        for p, q, ratio in ratios:
            kind.place(law, [p, q][-len(kind.up) :], ratio)
        return power(law.gathered(), self.steps, half_at, None), step.only_p

    def _above(self, resolution, of_jumps, bits):
        law, only_p = self._sum(RatiosAbove, above, resolution, of_jumps, bits)
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
        law, only_p = self._sum(lambda bits: RatiosBelow(bits, self.adding), below, resolution, of_jumps, bits)
        unit, least = arb(2) ** -law.kind.bits, arb(2) ** (NEGLIGIBLE - bits)
        masses = [(p * unit / self.steps, q * unit) for (p, q), _ in law.places()]
        alone = sum((q for p, q in masses if p == 0), arb(0)) if self.adding else arb(0)  # then P's are rounded up
        atoms = [Atom(p, q) for p, q in masses if p > 0 and q > 0 and (q if self.adding else p) > least]
        return Pair(atoms, only_p=only_p, only_q=alone)
