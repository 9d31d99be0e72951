"""A line of few releases that have atoms beside a density. As the atoms' waves do not fall, neither does M on it; but what it is made of does, in
which one release or more has its density: theorem 11 of docs/verify.md. What is left is summed outcome by outcome."""
import math

from flint import acb, arb

from enclosure import OutOfReach, log_of, precision, within
from fourier import wave_sums
from outline import Outline
from sums import FEW_OUTCOMES, outcomes_of
from transform import Line

FEW_MEANS = 400  # outcomes beside which a profile that takes milliseconds is looked at


def _both(one, other):
    """Products by how many of independent releases have their density: none, one, or more; of one each."""
    (none, single, more), (none2, single2, more2) = one, other
    return none * none2, none * single2 + single * none2, more * (none2 + single2 + more2) + (none + single) * more2 + single * single2


def _power(one, count):
    total = one
    for bit in bin(count)[3:]:
        total = _both(total, total)
        total = _both(total, one) if bit == "1" else total
    return total


def _of_enough(triples, counts, of_two):
    """Of those with a density in one release or more, or in two or more, from each factor's."""
    total = None
    for triple, count in zip(triples, counts):
        power = _power(triple, count)
        total = power if total is None else _both(total, power)
    return total[2] if of_two else total[1] + total[2]


class _Outline(Outline):
    """Of what is summed on the line."""

    def __init__(self, outline, of_two):
        self.mu_squared, self.factors, self.releases, self.of_two = 0.0, outline.factors, outline.releases, of_two

    def log_moment(self, power):
        share = self._log_share(power, 0.0)[0]
        return super().log_moment(power) + share if share > -math.inf else math.inf  # beyond what doubles tell

    def usable(self, tilt):
        """Repetitions are bounded at powers on either side."""
        return self.resolves(2 * tilt)

    def decay(self, tilt, s):
        fallen, heights = self._log_share(tilt, s)
        return fallen - self._log_share(tilt, 0.0)[0], heights

    def _log_share(self, power, s):
        """Of all that there is, of what is summed; it is bounded beyond s."""
        triples, heights = [], []
        for factor in self.factors:
            whole, (of_atoms, of_pieces, chosen) = factor.by_points(power), factor.beyond(power, s)
            triples.append((arb(of_atoms - whole).exp(), arb(min(0.0, of_pieces - whole)).exp(), arb(0)))  # of any size, other than doubles
            heights.append(chosen)
        return log_of(_of_enough(triples, [factor.count for factor in self.factors], self.of_two)), heights


class ApartLine(Line):
    """As Line, of releases none of which is Gaussian noise. `apart`: what is summed by itself."""

    def __init__(self, make, apart, epsilon, size, outline, most, more_bits):
        self.apart = apart
        super().__init__(make, 0, epsilon, size, _Outline(outline, apart.of_two), most, more_bits)

    def _prepare(self, period, mu_squared, log_value, log_size):
        self.spread, self.width, self.step = arb(0), arb(0), 2 * arb.pi() / arb(period)
        self.parts = [pair.parts() for pair, _ in self.factors]
        tilt, allowed = float(self.tilt.mid()), log_size - log_value - math.log(64)
        self._follow(2 * self.most, lambda s: self.outline.decay(tilt, s)[0] - math.log(s) < allowed)

    def _summed(self, triples):
        return _of_enough(triples, [count for _, count in self.factors], self.apart.of_two)

    def _most_beyond(self, s):
        heights = self.outline.decay(float(self.tilt.mid()), float(s.mid()))[1]
        with precision(64):
            triples = [(atoms.moment(self.tilt).upper(), rest.most_beyond(self.tilt, s, chosen, count), arb(0))
                       for (atoms, rest), (_, count), chosen in zip(self.parts, self.factors, heights)]
            return self._summed(triples).upper()

    def _nodes(self):
        sums = []
        for (atoms, rest), whole in zip(self.parts, self.at_tilt):
            error = whole.lower() * self.share
            wide = acb(within(error), within(error)) if rest.pieces else acb(0)
            waves = [wave_sums(*part.points(self.tilt, self.step * self.count, error), self.step, self.count, error) for part in (atoms, rest)]
            sums.append([(of_atoms, of_pieces + wide, acb(0)) for of_atoms, of_pieces in zip(*waves)])
        return [self._summed(triples) for triples in zip(*sums)]

    def _moment(self, power, roughly=False):
        power = arb(power)
        return self._summed([(atoms.moment(power), rest.moment(power, count if roughly else None), arb(0))
                             for (atoms, rest), (_, count) in zip(self.parts, self.factors)])

    def profile(self, epsilon):
        with precision(self.bits):
            return super().profile(epsilon) + self.apart.profile(epsilon)

    def _integral(self, epsilon):
        return self._sums(epsilon)[0] + within(self.beyond * (-self.tilt * epsilon).exp() / (arb.pi() * self.count * self.step))


class Apart:
    """The outcomes of releases, pairs and counts, that are atoms in all of them; and, where they are few, those that are in all but one."""

    def __init__(self, factors):
        self.parts = [(*pair.parts(), count) for pair, count in factors]
        if not any(atoms.atoms and rest.pieces for atoms, rest, _ in self.parts):
            raise OutOfReach("no atoms beside densities")
        self.listed = self._listed([count for *_, count in self.parts])
        beside = [(rest, count, self._listed([other - (j == i) for j, (*_, other) in enumerate(self.parts)]))
                  for i, (_, rest, count) in enumerate(self.parts) if rest.pieces]
        self.beside = [one for one in beside if one[2]]
        self.of_two = sum(outcomes.size for *_, outcomes in self.beside) <= FEW_MEANS

    def _listed(self, counts):
        """All outcomes of so many releases' atoms, or None where some have none."""
        here = [(atoms, count) for (atoms, *_), count in zip(self.parts, counts) if count > 0]
        if not here or not all(atoms.atoms for atoms, _ in here):
            return None
        total = None
        for atoms, count in here:
            own = outcomes_of(atoms, count, FEW_OUTCOMES)
            if own is None or (total and total.size * own.size > FEW_OUTCOMES):
                raise OutOfReach(f"more than {FEW_OUTCOMES} outcomes beside densities")
            total = own if total is None else total.times(own)
        return total.kept()  # a line is asked more than once

    def profile(self, epsilon):
        total = self.listed.profile(epsilon) if self.listed else arb(0)
        if self.of_two:
            for rest, count, outcomes in self.beside:
                total += count * outcomes.mean_of(rest.profile, epsilon)
        return total
