"""The profile of a composition of releases, in one direction, to within an error that is asked for: the simplest way that can tell."""
import math
from contextlib import suppress
from functools import cache

from flint import arb, ctx, fmpq

import closed_forms
import laws
from allocation import Epoch, told_in_cells
from apart import Apart, ApartLine
from enclosure import OutOfReach, Uncertain, ball, exact, log_of, precision, up_to
from gaussian_epoch import GaussianEpoch
from outline import Outline
from pairs import infinite_mass, left_out
from sums import FEW_OUTCOMES, SortedOutcomes, TwoLists, in_lists, in_two, outcomes_of
from transform import LatticeLine, Line, lattice_of
from two_sides import TwoSides

MOST_BITS = 1 << 14
NATS = 8  # more of them lead lines astray to outcomes that matter no more
NATS_OF_LISTS, BITS_OF_LISTS = 16, 128
MOST_PRODUCTS = 1_000_000  # of outcomes with each other
SHARPER = 1e-4             # where a target says how sharp a bound must be, and another size only how sharp it need not be
FEW_NODES, MOST_NODES = 1 << 17, 1 << 19  # of a transform that takes a second, and where nothing quicker tells
CHEAP_NODES, FINER = 1 << 9, 1e-6         # of one that is as quick when it is so much finer than asked for
FEW_CELLS, MOST_CELLS = 1 << 10, 1 << 17  # the same of a grid, next to the origin
SKETCHED = 1_000          # outcomes of what is looked at a hundred times
BITS_APART, OUTLINE_BITS = 64, 100
FAR = 7_500               # an epsilon beyond which masses of about e^-epsilon are sketched by saddle points
POWERS = 16               # between 0 and 1, of which one bounds a type II error
MOST_MEAN = 400            # outcomes over which a profile that takes milliseconds is averaged
MOST_MEAN_OF_EPOCHS = 10   # and one that takes a second


def not_below(number, end):
    """number >= end for certain; exactly where `end` is a rational number."""
    return exact(number) >= end if isinstance(end, fmpq) else arb(number) >= end


def all_rational(numbers):
    return all(isinstance(number, fmpq) for number in numbers)


class Composition:
    def __init__(self, releases):
        self.releases = [r for r in releases if r.count > 0]
        self.symmetric = all(r.symmetric for r in self.releases)
        self.mu_squared = sum((r.count * r.mu_squared for r in self.releases if r.mu_squared is not None), 0)
        self.others = [r for r in self.releases if r.mu_squared is None]
        self._lines, self._more_bits, self._pairs, self._lists, self._sides, self._outlines = {}, {}, {}, {}, {}, {}

    def profile(self, adding, epsilon, size, target=None):
        """delta(epsilon) to within `size`, a ball, or on one side of the target; `adding`: the direction in which the record is added, else
        removed."""
        size = arb(size)
        reasons = {}
        for way, most in ((self._by_listing, FEW_OUTCOMES), (self._by_transform, FEW_NODES), (self._apart, FEW_NODES), (self._from_both_sides, FEW_CELLS),
                          (self._by_transform, MOST_NODES), (self._by_listing, MOST_PRODUCTS), (self._from_both_sides, MOST_CELLS)):
            try:
                return way(adding, epsilon, size, target, most)
            except OutOfReach as reason:
                reasons[way] = str(reason)
        raise OutOfReach("; ".join(reasons.values()))

    def at(self, adding, epsilon, size):
        """delta at a double, to within `size`."""
        known = self.known(adding, epsilon)
        return self.profile(adding, arb(epsilon), size) if known is None else known

    def largest_loss(self, adding):
        """The supremum of the finite ones; None where there is none."""
        return self._range(adding)[1] if self.releases else fmpq(0)

    def sketch(self, adding, low, high, size, fineness):
        """log delta in doubles, as a function of an epsilon that is about from `low` to `high`: where to look, and nothing that is proved."""
        if high > FAR:
            return self._outline(adding, self._few_nats(size)).log_profile(high)

        def listed(epsilon):
            return log_of(self._by_listing(adding, arb(epsilon), size, None, SKETCHED))

        if not any(self._pair(r, adding, NATS).dense and not r.laplace_shift for r in self.others):  # whose profile is an integral
            with suppress(OutOfReach):
                listed(high)
                return cache(listed)
        return self._two_sides(adding, size).sketch(low, high, size, fineness)

    def on_grids(self, adding):
        """Whether epochs beside others, or several, leave no transform."""
        several = bool(self.mu_squared) or sum(release.count for release in self.others) > 1
        return several and any(self._epochs(adding))

    def above(self, adding, *asked):
        """An upper bound of delta on a grid, as a function of epsilon, where there is no transform; else None."""
        return self.grid_above(adding, *asked) if self.on_grids(adding) else None

    def grid_above(self, adding, low, high, size, fineness):
        return self._two_sides(adding, size).above(low, high, size, fineness)

    def power(self, adding, alpha, low, high, size, fineness):
        """A lower bound of the power of tests of error alpha, on a grid that tells losses from `low` to `high`."""
        return self._two_sides(adding, size).power(alpha, low, high, size, fineness)

    def known(self, adding, epsilon):
        """delta(epsilon), of a double or a rational number, where it is decided by what losses there are: beyond the largest finite one, and below the smallest; else None."""
        if epsilon == -math.inf:
            return arb(1)
        if not self.releases:
            return (1 - arb(epsilon).exp()).nonnegative_part() if arb(epsilon) < math.inf else arb(0)
        lowest, highest = self._range(adding)
        infinite, finite_q = self._masses(adding)
        if epsilon == math.inf or (highest is not None and not_below(epsilon, highest)):
            return infinite
        if lowest is not None and not_below(-epsilon, -lowest):
            return 1 - arb(epsilon).exp() * finite_q
        return None

    def quick_bounds(self, adding, epsilon, size):
        """What basic bounds say of delta(epsilon): 1 - e^epsilon and the mass at infinity from below, and Chernoff's bound of delta from
        above; or of 1 - delta = E min(P, e^epsilon Q), or of delta - (1 - e^epsilon) = E (e^epsilon Q - P)_+. At a power t above 0, from -1 to 0,
        and below -1, each is at most E_P e^(t (loss - epsilon)) and what has infinite losses. No sharper than to within `size`."""
        epsilon = arb(epsilon)
        factor = epsilon.exp()
        low, high = self._masses(adding)[0].max(1 - factor), arb(1)
        try:
            nats = self._few_nats(size)
            factors = [(self._pair(r, adding, nats), r.count) for r in self.others]
            tilt = arb(self._outline(adding, nats).quick_tilt(float(epsilon.mid()), log_of(size)))
            moment = (ball(self.mu_squared) * tilt * (tilt + 1) / 2 - tilt * epsilon).exp()
            for pair, count in factors:
                moment *= pair.moment(tilt, count) ** count
            if tilt > 0:
                high = high.min(moment + infinite_mass(factors) + left_out(factors))
            elif tilt > -1:
                low = low.max(1 - moment - left_out(factors))
            else:
                swapped = [(pair.swapped(), count) for pair, count in factors]
                high = high.min(1 - factor * (1 - infinite_mass(swapped) - left_out(swapped)) + moment)
        except (Uncertain, OutOfReach):
            pass
        return low.union(high)

    def error_bound(self, adding, alpha, size):
        """At least the type II error of the best test of error alpha: the largest E min(P, x Q) - alpha x over x, as E min(P, x Q) is at most C x^s
        with C = E_P e^(-s loss) and 0 < s < 1, and no more than what outcomes told apart no further have. No sharper than to within `size`."""
        nats, alpha, least = self._few_nats(size), arb(alpha), arb(1)
        factors = [(told_in_cells(self._pair(r, adding, nats)), r.count) for r in self.others]
        for k in range(1, POWERS):
            s = arb(k) / POWERS
            with suppress(Uncertain):
                moment = (-ball(self.mu_squared) * s * (1 - s) / 2).exp()
                for pair, count in factors:
                    moment *= pair.moment(-s, count) ** count
                least = least.min((1 - s) * (moment * (s / alpha) ** s) ** (1 / (1 - s)))
        return least + left_out(factors)

    def is_above_before(self, adding, epsilon, delta):
        """Whether delta(e) > delta for every e < epsilon, where delta = 0 or epsilon = inf."""
        infinite = self._masses(adding)[0]
        highest = self.largest_loss(adding)
        if infinite > delta or (delta == 0 and highest is None):
            return True
        if epsilon == math.inf:
            if infinite < delta or (infinite == 0 and delta == 0):
                return False
            raise OutOfReach("the mass at infinity is delta, as far as it is known")
        if not_below(-epsilon, -highest):
            return True
        if not_below(epsilon, highest):
            return False  # not equal: that was the case before
        raise OutOfReach("epsilon is the largest loss, as far as it is known")

    def has_finite_losses(self, adding):
        """Whether P certainly has mass at finite losses, which keeps delta(epsilon) = 1 - E min(P, e^epsilon Q) below 1."""
        pairs = [self._pair(r, adding, 30) for r in self.releases]
        return all(pair.only_p + pair.lost_p < 1 for pair in pairs)

    def possible_in_q(self, adding):
        """Q's mass where P has some."""
        return self._masses(adding)[1]

    def _range(self, adding):
        """The infimum and supremum of the sum of the finite losses: rational numbers as long as all are."""
        ends = []
        for end in (0, 1):
            all = [(self._pair(r, adding, 30).range[end], r.count) for r in self.releases]
            if any(loss is None for loss, _ in all):
                ends.append(None)
            elif all_rational(loss for loss, _ in all):
                ends.append(sum((loss * count for loss, count in all), fmpq(0)))
            else:
                ends.append(sum((ball(loss) * count for loss, count in all), arb(0)))
        return ends

    def _masses(self, adding):
        """P's at infinite losses, Q's at finite ones. Of a finite Renyi divergence there is none of the former, whatever a converted pair has, which has no largest loss."""
        factors, finite_q = [(self._pair(r, adding, 30), r.count) for r in self.releases], arb(1)
        for pair, count in factors:
            finite_q *= (1 - pair.only_q) ** count
        converted = [getattr(r, "renyi", False) and pair.range[1] is None for r, (pair, _) in zip(self.releases, factors)]
        return infinite_mass([factor for factor, finite in zip(factors, converted) if not finite]), finite_q

    def _nats(self, size):
        """Of what each release leaves out."""
        return 4 - log_of(size) + math.log(1 + sum(r.count for r in self.releases))

    def _few_nats(self, size, steps=NATS):
        """Or more, and few different ones, so that what is known of the pairs is of use again."""
        return steps * math.ceil(max(0, self._nats(size)) / steps)

    def _precise(self, compute, size):
        """compute(nats), at growing precision, until its radius is less than `size`; None where that is its value."""
        bits = 64 + max(0, int(self._nats(size) / math.log(2)))
        while bits <= MOST_BITS:
            with precision(bits):
                try:
                    value = compute(self._few_nats(size, NATS_OF_LISTS))
                    if value is None or value.rad() < size:
                        return value
                except Uncertain:
                    pass
            bits *= 2
        raise OutOfReach(f"{MOST_BITS} bits of precision are not enough")

    def _pair(self, release, adding, nats):
        nats = int(nats) + 1
        key = id(release), adding, ctx.prec, nats
        if key not in self._pairs:
            pair = release.pair(nats)
            self._pairs[key] = pair.swapped() if adding else pair
        return self._pairs[key]

    def _by_listing(self, adding, epsilon, size, _, most):
        listed = self._precise(lambda nats: self._by_sums(adding, epsilon, nats, most), size)
        if listed is None:
            raise OutOfReach(f"more than {most} outcomes")
        return listed

    def _by_sums(self, adding, epsilon, nats, most):
        """By listing the outcomes of all releases but one, or but the Gaussians; None where that is too much."""
        parts = self._listed(adding, nats, most)
        if parts is None:
            return None
        listed, rest = parts
        if listed is None:
            return rest(epsilon) if rest else (1 - epsilon.exp()).nonnegative_part()
        return listed.mean_of(rest, epsilon) if rest else listed.profile(epsilon)

    def _listed(self, adding, nats, most):
        """The listed outcomes, or None, and the profile of the others, or None; kept where they are few, at few different precisions."""
        bits = BITS_OF_LISTS * math.ceil(ctx.prec / BITS_OF_LISTS)
        key = adding, bits, nats, most
        if key not in self._lists:
            with precision(bits):
                parts = self._listed_anew(adding, nats, most)
            if parts is not None and parts[0] is not None and not isinstance(parts[0], (SortedOutcomes, TwoLists)):
                return parts
            self._lists[key] = parts
        return self._lists[key]

    def _listed_anew(self, adding, nats, most):
        pairs = [(r, self._pair(r, adding, nats)) for r in self.others]
        listed = [(pair, release.count) for release, pair in pairs if not pair.dense]
        left = [(release, pair) for release, pair in pairs if pair.dense]
        if left or self.mu_squared:
            return self._listed_beside(listed, left, nats, most)
        lists = [in_lists(pair, count, min(most, FEW_OUTCOMES), nats) for pair, count in listed]
        if None in lists or (joined := in_two([each for few in lists for each in few], min(most, FEW_OUTCOMES))) is None:
            return None
        kept = [outcomes.kept() for outcomes in joined]
        return (TwoLists(*kept) if len(kept) == 2 else kept[0] if kept else None), None

    def _listed_beside(self, listed, left, nats, most):
        """Outcomes over which the profile of one other release is averaged, or of the Gaussians."""
        outcomes = None
        for own in (outcomes_of(pair, count, most, nats) for pair, count in listed):
            if own is None or (outcomes and outcomes.size * own.size > MOST_PRODUCTS):
                return None
            outcomes = own if outcomes is None else outcomes.times(own)
        slow = any(isinstance(pair, Epoch) for _, pair in left)
        few = outcomes is None or outcomes.size <= (MOST_MEAN_OF_EPOCHS if slow else MOST_MEAN)
        if not left:
            rest = closed_forms.gaussian(ball(self.mu_squared).sqrt())
        elif len(left) == 1 and not self.mu_squared and few and left[0][0].count == 1:
            rest = left[0][1].profile
        elif len(left) == 1 and not self.mu_squared and left[0][0].laplace_shift and left[0][0].count ** 2 * (outcomes.size if outcomes else 1) <= most:
            rest = closed_forms.laplace(ball(left[0][0].laplace_shift), left[0][0].count)
        else:
            return None
        return outcomes and outcomes.kept(), rest

    def _by_transform(self, adding, epsilon, size, _, most):
        return self._on_lines(self._line, adding, epsilon, size, most)

    def _apart(self, adding, epsilon, size, _, most):
        return self._on_lines(self._apart_line, adding, epsilon, size, most)

    def _on_lines(self, make_line, adding, epsilon, size, most):
        line = self._lines.get((make_line, adding))
        with suppress(Uncertain):  # of another epsilon, it may say nothing here
            if line is not None and (value := self._finish(line, epsilon)).rad() < size:
                return value
        try:
            return self._summed(make_line, adding, epsilon, size, size * FINER, CHEAP_NODES)
        except OutOfReach:
            return self._summed(make_line, adding, epsilon, size, size, most)

    def _summed(self, make_line, adding, epsilon, size, aimed, most):
        """By lines that are `aimed` at an error, at first."""
        for _ in range(8):
            more_bits = self._more_bits.get(adding, 0)
            try:
                line = make_line(adding, epsilon, aimed, more_bits, most)
                value = self._finish(line, epsilon)
            except Uncertain:
                self._more_bits[adding] = 4 * more_bits + 64
                continue
            self._lines[make_line, adding] = line
            if value.rad() < size:
                return value
            if line.rounding > aimed / 8:
                self._more_bits[adding] = 4 * more_bits + 64
            else:
                aimed /= 8
        raise OutOfReach("the inverse transform's error bounds did not come down")

    def _epochs(self, adding):
        """Which of the others are epochs of more outcomes than are listed."""
        pairs = [self._pair(r, adding, NATS) for r in self.others]
        return [isinstance(pair, Epoch) and not isinstance(pair, GaussianEpoch) for pair in pairs]

    def _from_both_sides(self, adding, epsilon, size, target, most):
        if target is not None:
            size = size * SHARPER
        sides = self._two_sides(adding, size)
        with precision(sides.bits):
            return sides.profile(epsilon, size, target, most)

    def _two_sides(self, adding, size):
        bits, nats = 128 + max(0, -int(log_of(size) / math.log(2))), self._few_nats(size)
        key = adding, bits, nats
        if key not in self._sides:
            while True:
                with precision(bits):
                    pairs = [(self._pair(r, adding, nats), r.count) for r in self.others]
                    if self.mu_squared:
                        pairs.append((laws.gaussian(ball(self.mu_squared).sqrt(), nats), 1))
                    if bits >= MOST_BITS or infinite_mass(pairs).rad() <= size:
                        self._sides[key] = TwoSides(pairs, bits)
                        break
                bits *= 2  # a mass at infinity that is what larger ones leave of each other takes more
        return self._sides[key]

    def _line(self, adding, epsilon, size, more_bits, most):
        make, outline = self._made(adding, size)
        with precision(100 + more_bits):
            factors = make()
            on_lattice = not self.mu_squared and lattice_of(factors) is not None
        if on_lattice:
            try:
                return LatticeLine(make, 0, epsilon, size, outline, most, more_bits)
            except OutOfReach:
                pass
        return Line(make, self.mu_squared, epsilon, size, outline, most, more_bits)

    def _apart_line(self, adding, epsilon, size, more_bits, most):
        if self.mu_squared:
            raise OutOfReach("Gaussian noise beside atoms")
        make, outline = self._made(adding, size)
        with precision(BITS_APART + more_bits + max(0, int(-log_of(size) / math.log(2)))):
            return ApartLine(make, Apart(make()), epsilon, size, outline, most, more_bits)

    def _made(self, adding, size):
        """What makes the pairs and counts at the working precision, and their outline."""
        nats = self._few_nats(size)
        return (lambda: [(self._pair(r, adding, nats), r.count) for r in self.others]), self._outline(adding, nats)

    def _outline(self, adding, nats):
        key = adding, nats
        if key not in self._outlines:
            with precision(OUTLINE_BITS + int(nats / math.log(2))):  # a converted pair has outcomes only as far out as balls tell them
                self._outlines[key] = Outline([(self._pair(r, adding, nats), r.count) for r in self.others], self.mu_squared)
        return self._outlines[key]

    def _finish(self, line, epsilon):
        """The infinite losses, and what the outcomes that were left out can add."""
        with precision(line.bits):
            return line.profile(epsilon) + infinite_mass(line.factors) + up_to(left_out(line.factors))
