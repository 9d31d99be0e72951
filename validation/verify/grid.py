"""Laws on a grid, and sums of independent ones, from above and from below. Theorem 6 of docs/verify.md.

A place is origin + i step 2^k, in part k, i from about -2 half to 2 half: fine near the origin and coarser farther away, so that a law
with a long tail has few cells. Where a sum has a place of a coarser part, its mass is moved there by `halved`; so is everything where the
step is doubled between squarings, which keeps it a like share of the law's width. Masses are whole multiples of 2^-bits: what a kind
rounds up or down moves its bound to the safe side.
"""
import math
from itertools import zip_longest
from operator import add

from flint import arb, fmpz, fmpz_poly

from enclosure import Uncertain, log_of

FACTOR_BITS = 96


class Cells:
    """At the whole numbers low, low + 1, ...: a row of masses for each measure."""

    def __init__(self, low, rows):
        self.low, self.rows = low, rows

    def __len__(self):
        return len(self.rows[0])

    def __add__(self, other):
        if not len(other):
            return self
        if not len(self):
            return other
        low, end = min(self.low, other.low), max(self.low + len(self), other.low + len(other))
        before, after, start = self.low - low, end - self.low - len(self), other.low - low
        rows = []
        for one, two in zip(self.rows, other.rows):
            row = _zeros(before) + one + _zeros(after)
            row[start : start + len(two)] = map(add, row[start : start + len(two)], two)
            rows.append(row)
        return Cells(low, rows)

    def between(self, start, end):
        start, end = (min(max(at - self.low, 0), len(self)) for at in (start, end))
        return Cells(self.low + start, [row[start:end] for row in self.rows])


def _zeros(count):
    return [fmpz(0)] * count


def _times(one, two):
    product = (fmpz_poly(one) * fmpz_poly(two)).coeffs()
    return product + _zeros(len(one) + len(two) - 1 - len(product))


def _both(one, two):
    return list(map(add, one, two))


class _Kind:
    """`up`: for each measure, whether its masses are rounded up."""

    def __init__(self, bits):
        self.bits = bits

    def nothing(self):
        return Cells(0, [[] for _ in self.up])

    def product(self, f, g):
        """Of independent variables."""
        if not len(f) or not len(g):
            return self.nothing()
        return Cells(f.low + g.low, [self._rounded(row, self.bits, up) for row, up in zip(self._product(f.rows, g.rows), self.up)])

    @staticmethod
    def _rounded(row, bits, up):
        return [-(-mass >> bits) for mass in row] if up else [mass >> bits for mass in row]

    def _scaled(self, row, factor, up):
        factor *= arb(2) ** FACTOR_BITS
        factor = (factor.upper().ceil() if up else factor.lower().floor()).unique_fmpz()
        return self._rounded([mass * factor for mass in row], FACTOR_BITS, up)

    def whole(self, masses):
        """Balls as multiples of 2^-bits."""
        scaled = [mass * arb(2) ** self.bits for mass in masses]
        if not all(mass.is_finite() for mass in scaled):
            raise Uncertain
        return [(mass.upper().ceil() if up else mass.lower().floor().max(0)).unique_fmpz() for mass, up in zip(scaled, self.up)]

    def rows_by_parity(self, cells):
        """Even places from 2 low on and odd ones from 2 low + 1 on, and low."""
        skip = cells.low % 2
        low = cells.low // 2
        return low, [(_zeros(skip) + row)[::2] for row in cells.rows], [(_zeros(skip) + row)[1::2] for row in cells.rows]


class _Above(_Kind):
    """One measure; a mass half way between two places is divided among them, so that merging them again would give it back."""
    up = (True,)

    def _product(self, f, g):
        return [_times(f[0], g[0])]

    def halved(self, cells, step):
        if not len(cells):
            return cells
        low, (even,), (odd,) = self.rows_by_parity(cells)
        share = self.share_between(step, step)
        row = even + _zeros(len(odd) + 1 - len(even))
        row[: len(odd)] = map(add, row, self._scaled(odd, 1 - share, True))
        row[1 : len(odd) + 1] = map(add, row[1:], self._scaled(odd, share, True))
        return Cells(low, [row])

    def place(self, law, masses, where):
        """An atom, divided among the two places of the grid that it is between."""
        k = law.part_of(where)
        step = law.step * 2**k
        exact = (where - law.origin) / step
        low = math.floor(float(exact.mid()))
        high = low + 1
        low, high = (low if exact >= low else low - 1), (high if exact <= high else high + 1)
        share = self.share_between((exact - low) * step, (high - exact) * step)
        law.add(k, low, self.whole([masses[0] * (1 - share)]))
        law.add(k, high, self.whole([masses[0] * share]))


class LossesAbove(_Above):
    """P's masses; Q's are e^-loss of them."""

    @staticmethod
    def share_between(below, above):
        """Of the higher place."""
        return below.expm1() / (below.exp() - (-above).exp())


class RatiosAbove(_Above):
    """Q's masses; P's are the ratio times them."""

    @staticmethod
    def share_between(below, above):
        return below / (below + above)


class _Below(_Kind):
    """P's and Q's masses of outcomes that are told apart no further. Where they lie is no matter, as long as like losses lie together."""

    def halved(self, cells, step):
        if not len(cells):
            return cells
        low, evens, odds = self.rows_by_parity(cells)
        rows = []
        for even, odd, factor, up in zip(evens, odds, self.factors(step), self.up):
            row = even + _zeros(len(odd) + 1 - len(even))
            for right in (0, 1):  # to the even one of both neighbours, so that as much is moved to either side
                ours = odd[(low + right) % 2 :: 2]
                if factor is not None:
                    ours = self._scaled(ours, factor if right else 1 / factor, up)
                places = slice((low + right) % 2 + right, None, 2)
                row[places] = map(add, row[places], ours + [fmpz(0)])
            rows.append(row)
        return Cells(low, rows)

    def place(self, law, masses, where):
        k = law.part_of(where)
        step = law.step * 2**k
        place = round(float(((where - law.origin) / step).mid()))
        law.add(k, place, self.whole(self.weighted(masses, law.origin + place * step)))


class LossesBelow(_Below):
    """Q's masses are kept times e^place, which makes them about as large as P's. `up`: where both are rounded one way, which, as balls need both."""

    def __init__(self, bits, up=None):
        super().__init__(bits)
        self.up = (False, True) if up is None else (up, up)

    @staticmethod
    def weighted(masses, place):
        return [masses[0], masses[1] * place.exp()]

    @staticmethod
    def factors(step):
        return None, step.exp()

    def _product(self, f, g):
        return [_times(one, two) for one, two in zip(f, g)]


class RatiosBelow(_Below):
    """P is the sum, over the terms, of the measures in which that one has P's law and the others Q's, whose masses are rounded as P's are there, and by themselves
    the other way. `adding`: P and Q are swapped later."""

    def __init__(self, bits, adding):
        super().__init__(bits)
        self.up = (adding, adding, not adding)

    @staticmethod
    def weighted(masses, _):
        p, q = masses
        return [p, q, q]

    @staticmethod
    def factors(_):
        return None, None, None

    def _product(self, f, g):
        return [_both(_times(f[0], g[1]), _times(f[1], g[0])), _times(f[1], g[1]), _times(f[2], g[2])]


class Law:
    """`lost`: how many multiples of 2^-bits the cells had that were dropped."""

    def __init__(self, kind, step, origin, half, parts=(), lost=0):
        self.kind, self.step, self.origin, self.half, self.parts, self.lost = kind, step, origin, half, list(parts), lost
        self._atoms = []

    def part_of(self, where):
        steps, most = abs((where - self.origin) / self.step), 2 * self.half - 2
        place = float(steps.mid())
        twice = math.log2(place / most) if 0 < place < math.inf else log_of(steps / most) / math.log(2)
        return max(0, math.ceil(twice)) if twice > 0 else 0

    def add(self, k, place, masses):
        while len(self._atoms) <= k:
            self._atoms.append({})
        here = self._atoms[k]
        here[place] = _both(here[place], masses) if place in here else masses

    def gathered(self):
        """After the last atom is added."""
        for atoms in self._atoms:
            if not atoms:
                self.parts.append(self.kind.nothing())
                continue
            low, high = min(atoms), max(atoms)
            rows = [_zeros(high - low + 1) for _ in self.kind.up]
            for place, masses in atoms.items():
                for row, mass in zip(rows, masses):
                    row[place - low] = mass
            self.parts.append(Cells(low, rows))
        self.parts = self.parts or [self.kind.nothing()]  # of a pair all of whose losses are infinite
        return self

    def plus(self, other, half):
        """The law of the sum with an independent one, of the same kind and step."""
        kind, step, parts = self.kind, self.step, []
        finer = finer_other = kind.nothing()
        for f, g in zip_longest(self.parts, other.parts, fillvalue=kind.nothing()):
            if other is self:
                parts.append(kind.product(f, f + finer + finer))
            else:
                parts.append(kind.product(f, g + finer_other) + kind.product(finer, g))
            finer, finer_other = kind.halved(finer + f, step), kind.halved(finer_other + g, step)
            step = 2 * step
        return Law(kind, self.step, self.origin + other.origin, half, parts, self.lost + other.lost)._carried()

    def _carried(self):
        k, most = 0, 2 * self.half
        while k < len(self.parts):
            cells = self.parts[k]
            outer = [cells.between(cells.low, -most), cells.between(most, cells.low + len(cells))]
            if any(map(len, outer)):
                self.parts[k] = cells.between(-most, most)
                if k + 1 == len(self.parts):
                    self.parts.append(self.kind.nothing())
                for some in outer:
                    self.parts[k + 1] += self.kind.halved(some, self.step * 2**k)
            k += 1
        return self

    def coarser(self, half):
        """With twice the step."""
        first, *rest = self.parts[1:] or [self.kind.nothing()]
        first = self.kind.halved(self.parts[0], self.step) + first
        return Law(self.kind, 2 * self.step, self.origin, half, [first, *rest], self.lost)._carried()

    def trimmed(self, most):
        """Without what has `most` or less in all at either end of a part."""
        share = most // (2 * len(self.parts))
        for k, cells in enumerate(self.parts):
            masses = cells.rows[0]
            first, lost = _negligible(masses, share)
            last, lost_last = _negligible(reversed(masses[first:]), share)
            self.lost += lost + lost_last
            self.parts[k] = cells.between(cells.low + first, cells.low + len(cells) - last)
        while len(self.parts) > 1 and not len(self.parts[-1]):
            self.parts.pop()
        return self

    def centred(self):
        """With the origin near the mean."""
        unit = 2 ** (len(self.parts) - 1)
        total = mean = 0
        for k, cells in enumerate(self.parts):
            here = sum(cells.rows[0], fmpz(0))
            total += here
            mean += (sum(map(fmpz.__mul__, cells.rows[0], map(fmpz, range(len(cells)))), fmpz(0)) + cells.low * here) << k
        move = int(mean // (total * unit)) * unit if total > 0 else 0
        self.origin += move * self.step
        for k, cells in enumerate(self.parts):
            cells.low -= move >> k
        return self._carried()

    def places(self):
        """Masses of each cell and where it lies."""
        for k, cells in enumerate(self.parts):
            step = self.step * 2**k
            for i, masses in enumerate(zip(*cells.rows), cells.low):
                yield masses, self.origin + i * step


def _negligible(masses, most):
    """How many of the first ones have no more in all, and what they have."""
    count, total = 0, fmpz(0)
    for mass in masses:
        if total + mass > most:
            break
        count, total = count + 1, total + mass
    return count, total


def doublings(count):
    return count.bit_length() - 1


def power(law, count, half_at, neglected):
    """The sum of `count` copies. The step is doubled with every second squaring; `half_at(n)`: after n of them."""
    total, one = law, law
    for n, bit in enumerate(bin(count)[3:], 1):
        total = total.plus(total, half_at(n))
        if n % 2 == 0:
            total, one = total.coarser(half_at(n)), one.coarser(half_at(n))
        if bit == "1":
            total = total.plus(one, half_at(n))
        if neglected is not None:
            total = total.trimmed(neglected >> (doublings(count) - n)).centred()
    return total
