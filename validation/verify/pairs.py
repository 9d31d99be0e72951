"""Dominating pairs (P, Q) of one release: which outcomes there are, and what both laws have there.

An outcome is one of finitely many atoms, or lies in an interval on which both densities are analytic; what else there is has
bounded mass. Everything a pair is asked for follows from its definition: the profile of the release by itself, the moments of
its loss log(dP/dQ), and weighted points that stand for its law in a Fourier transform.
"""
from functools import reduce
from itertools import pairwise

from flint import acb, arb, ctx

from enclosure import Uncertain, ball, crossing, up_to, within
from fourier import wave_sums
from quadrature import integral, nodes_and_weights

DIGITS, ROUGH = 30, 8  # binary digits of a moment's power that is known to about nine decimal ones, and of a mere bound


def _share(digits, to_be_raised):
    """Of a number whose power has so many binary digits."""
    return arb(2) ** (-digits - int(to_be_raised).bit_length())


class Piece:
    """Outcomes x from low to high. `at(x)` gives the logarithm of Q's density and the loss, both real for real x: two balls for a
    complex ball x, not finite where they are not analytic on it. The loss rises with x. Where `strip` is set, its imaginary part is
    from 0 to pi at x + i y for 0 <= y <= strip."""

    def __init__(self, low, high, at, strip=None):
        self.low, self.high, self.at, self.strip = arb(low), arb(high), at, strip

    def loss(self, x):
        return self.at(acb(x))[1].real

    def density(self, power):
        """dQ^(1 - power) dP^power."""
        def of(x):
            log_q, loss = self.at(x)
            return (log_q + power * loss).exp()
        return of

    def swapped(self):
        """P and Q exchanged. Outcomes change their sign, so that the loss still rises."""
        def at(x):
            log_q, loss = self.at(-x)
            return log_q + loss, -loss

        return Piece(-self.high, -self.low, at, self.strip)

    def sampled(self, rate):
        def at(x):
            log_q, loss = self.at(x)
            return log_q, (1 - rate + rate * loss.exp()).log(analytic=True)

        return Piece(self.low, self.high, at, self.strip)

    def gains(self):
        """The part whose losses are above 0, where one is told; and a bound of both laws' mass there of what is not told from nothing."""
        start = self._first_above(arb(0))
        if start is None or start < self.high:
            return [Piece(start, self.high, self.at, self.strip)] if start is not None else [], arb(0)
        return [], sum((integral(self.density(power), start, self.high) for power in (0, 1)), arb(0)).upper()

    def steps_without_gain(self, count):
        """The part before the gains in so many steps of outcomes, which do not tell more than all of them: P's and Q's mass of each. Where the loss falls first, too."""
        start = self._first_above(arb(0))
        end = self.high if start is None else start.lower()
        width = (end - self.low) / count
        ends = [self.low + width * i for i in range(count)] + [end]
        return [tuple(integral(self.density(power), low, high) for power in (1, 0)) for low, high in pairwise(ends)]

    def scaled(self, weight):
        def at(x):
            log_q, loss = self.at(x)
            return log_q + weight.log(), loss

        return Piece(self.low, self.high, at, self.strip)

    def gain(self, epsilon):
        """The integral of p - e^epsilon q over the outcomes with a loss above epsilon."""
        def gained(x):
            log_q, loss = self.at(x)
            return (log_q + loss).exp() * (1 - (epsilon - loss).exp())

        x = self._first_above(epsilon)
        if x is None:
            return arb(0)
        if x is self.low:
            return integral(gained, self.low, self.high)
        # The integral from any start is a lower bound; one within x misses no more than its width times the integrand there.
        return integral(gained, x.mid(), self.high) + up_to(abs(gained(acb(x))) * 2 * x.rad())

    def _first_above(self, epsilon):
        """Where losses above epsilon begin, None where there are none."""
        if self.loss(self.high) <= epsilon:
            return None
        return self.low if self.loss(self.low) >= epsilon else crossing(lambda x: epsilon - self.loss(x), self.low, self.high)

    def most_beyond(self, power, s, y, share=None):
        """Bounds the modulus of E_P e^((power + i s') loss) over this piece for s' >= s: the path of integration goes up to the line
        Im x = y, along it, and down again; on it e^(i s' loss) has the modulus e^(-s' Im loss), which falls with s'. `share`: as of an integral."""
        def modulus(above, below):
            """Of conjugate points: the square root of the product of conjugate values, analytic in what both depend on."""
            (q_above, loss_above), (q_below, loss_below) = self.at(above), self.at(below)
            size = (q_above + q_below + (1 + power) * (loss_above + loss_below)) / 2
            return (size - s * (loss_above - loss_below) / acb(0, 2)).exp()

        total = integral(lambda x: modulus(x + acb(0, y), x - acb(0, y)), self.low, self.high, share)
        for end in (self.low, self.high):
            total += integral(lambda v: modulus(end + acb(0, 1) * v, end - acb(0, 1) * v), arb(0), y, share)
        return total


class Atom:
    """One outcome with mass p > 0 and q > 0. `label`: that of its loss on a lattice, if it lies on one."""

    def __init__(self, p, q, loss=None, label=None):
        self.p, self.q, self.label = arb(p), arb(q), label
        self.loss = (self.p / self.q).log() if loss is None else loss

    def swapped(self):
        return Atom(self.q, self.p, -self.loss, None if self.label is None else -self.label)

    def sampled(self, rate):
        return Atom((1 - rate) * self.q + rate * self.p, self.q, (rate * self.loss.expm1()).log1p())

    def scaled(self, weight):
        return Atom(weight * self.p, weight * self.q, self.loss, self.label)


def _least(one, other, sign=1):
    """The smaller of two ends of ranges, or for sign = -1 the larger."""
    if one is None or other is None:
        return None
    return sign * (sign * ball(one)).min(sign * ball(other))


def sign_of(number):
    """-1, 0 or 1, as far as the ball tells."""
    if number.is_zero() or number != 0:
        return (number > 0) - (number < 0)
    raise Uncertain


class Pair:
    """`only_p`, `only_q`: what each law has where the other has nothing. `lost_p`, `lost_q`: upper bounds of what each has at the
    outcomes that are left out. `range`: the infimum and supremum of the finite losses, numbers or balls, None where there is none.
    `spacing`: where set, the loss of every atom is its label times that."""

    def __init__(self, atoms=(), pieces=(), only_p=0, only_q=0, lost_p=0, lost_q=0, range=(None, None), spacing=None):
        self.atoms, self.pieces = list(atoms), list(pieces)
        self.only_p, self.only_q, self.lost_p, self.lost_q = arb(only_p), arb(only_q), arb(lost_p), arb(lost_q)
        self.range, self.spacing = range, spacing
        self._moments, self._parts = {}, None

    @property
    def dense(self):
        """Whether there is more than atoms."""
        return bool(self.pieces)

    def parts(self):
        """The atoms and the pieces, each by themselves."""
        if self._parts is None:
            self._parts = Pair(self.atoms, spacing=self.spacing), Pair(pieces=self.pieces)
        return self._parts

    def swapped(self):
        lowest, highest = (None if end is None else -end for end in self.range)
        return Pair([a.swapped() for a in self.atoms], [p.swapped() for p in self.pieces], self.only_q, self.only_p, self.lost_q,
                    self.lost_p, (highest, lowest), self.spacing)

    def sampled(self, rate):
        """((1 - rate) Q + rate P, Q). What only Q has gets the loss log(1 - rate)."""
        rate = ball(rate)
        if rate == 1:
            return self
        atoms = [a.sampled(rate) for a in self.atoms]
        if not self.only_q.is_zero():  # its ball may hold 0, and then no ratio of masses is known
            atoms.append(Atom((1 - rate) * self.only_q, self.only_q, (-rate).log1p()))

        def mixed(loss):
            return (1 - rate + rate * ball(loss).exp()).log()

        lowest, highest = self.range
        lowest = (1 - rate).log() if lowest is None or not self.only_q.is_zero() else mixed(lowest)
        return Pair(atoms, [p.sampled(rate) for p in self.pieces], rate * self.only_p, 0,
                    (1 - rate) * self.lost_q + rate * self.lost_p, self.lost_q, (lowest, None if highest is None else mixed(highest)))

    def _gains(self):
        """The part whose losses are above 0, and a bound of P's and Q's masses that it has not."""
        told = [piece.gains() for piece in self.pieces]
        gains = Pair([a for a in self.atoms if sign_of(a.loss) > 0], [piece for pieces, _ in told for piece in pieces], self.only_p, 0, range=self.range)
        return gains, sum((mass for _, mass in told), self.lost_p + self.lost_q)

    def spliced(self, other=None):
        """The gains of this pair, as falls those of the other one, or of this one, with P and Q exchanged, and all that is left at loss 0."""
        gains, lost = self._gains()
        opposite, more = other._gains() if other else (gains, arb(0))
        falls, lost = opposite.swapped(), lost + more

        def with_atoms(*more):
            return Pair([*gains.atoms, *falls.atoms, *more], gains.pieces + falls.pieces, gains.only_p, falls.only_q, lost, lost,
                        (falls.range[0], gains.range[1]))

        at_zero = 1 - gains.only_p - with_atoms().moment(0) - up_to(lost)
        return with_atoms(Atom(at_zero, at_zero, arb(0)))

    def gains_and_steps(self, count):
        """The gains, and so many steps of each piece for the outcomes without one: no neighbours that have this pair tell less."""
        gains, lost = self._gains()
        steps = [Atom(p, q) for piece in self.pieces for p, q in piece.steps_without_gain(count) if p > 0 and q > 0]
        falls = [a for a in self.atoms if not sign_of(a.loss) > 0] + steps
        return Pair(gains.atoms + falls, gains.pieces, self.only_p, self.only_q, lost, lost, (reduce(arb.min, (a.loss for a in falls)), self.range[1]))

    def told_apart(self, weight, other):
        """Of (1 - weight) this pair and `weight` the other one, the output saying which."""
        parts = (1 - weight, self), (weight, other)
        return Pair([a.scaled(w) for w, pair in parts for a in pair.atoms], [p.scaled(w) for w, pair in parts for p in pair.pieces],
                    *(sum(w * getattr(pair, name) for w, pair in parts) for name in ("only_p", "only_q", "lost_p", "lost_q")),
                    (_least(self.range[0], other.range[0]), _least(self.range[1], other.range[1], -1)))

    def profile(self, epsilon):
        """sup over events of P - e^epsilon Q: that of the event of all losses above epsilon. Outcomes left out add up to lost_p."""
        factor = epsilon.exp()
        total = sum(((a.p - factor * a.q).nonnegative_part() for a in self.atoms), self.only_p)
        return total + sum((p.gain(epsilon) for p in self.pieces), arb(0)) + up_to(self.lost_p)

    def moment(self, power, to_be_raised=None):
        """E_P e^(power loss) over the finite losses; or roughly, so that its power `to_be_raised` is known to about nine digits."""
        power = arb(power)
        share = None if to_be_raised is None else _share(DIGITS, to_be_raised)
        key = power.mid().man_exp(), power.rad().man_exp(), ctx.prec, to_be_raised
        if key not in self._moments:
            total = sum((a.p * (power * a.loss).exp() for a in self.atoms), arb(0))
            self._moments[key] = total + sum((integral(p.density(1 + power), p.low, p.high, share) for p in self.pieces), arb(0))
        return self._moments[key]

    def points(self, power, reach, error):
        """Losses and weights so that E_P e^((power + i s) loss) is the sum of weight e^(i s loss) to within `error` for |s| <= reach."""
        losses = [a.loss for a in self.atoms]
        weights = [a.p * (power * loss).exp() for a, loss in zip(self.atoms, losses)]
        for piece in self.pieces:
            for x, width in nodes_and_weights(piece.at, 1 + power, piece.low, piece.high, reach, error / len(self.pieces)):
                log_q, loss = piece.at(acb(x))
                losses.append(loss.real)
                weights.append(width * (log_q + (1 + power) * loss).real.exp())
        return losses, weights

    def waves(self, power, step, count, error):
        """E_P e^((power + i n step) loss) for n = 0, ..., count; `error` is how wide they may be made."""
        wide = acb(within(error), within(error))
        return [value + wide for value in wave_sums(*self.points(power, step * count, error), step, count, error)]

    def most_beyond(self, power, s, heights, to_be_raised):
        """Bounds the modulus of E_P e^((power + i s') loss) for s' >= s, so that its power `to_be_raised` is a bound to within a percent or so; `heights`: of the
        paths through the pieces, 0 for the real axis."""
        total, share = sum((a.p * (power * a.loss).exp() for a in self.atoms), arb(0)), _share(ROUGH, to_be_raised)
        for piece, y in zip(self.pieces, heights):
            whole = integral(piece.density(1 + power), piece.low, piece.high, share)
            total += whole.min(piece.most_beyond(power, s, y, share)) if y else whole
        return total.upper()


def infinite_mass(factors):
    """P's mass of an infinite loss in any of the releases; `factors`: pairs and counts."""
    telling = [(pair, count) for pair, count in factors if not pair.only_p.is_zero()]
    if len(telling) == 1 and telling[0][1] == 1:
        return telling[0][0].only_p  # exactly, as a claim may be
    logarithm, finite = arb(0), None
    for pair, count in telling:
        if pair.only_p == 1:
            return arb(1)
        if pair.only_p < 1:
            logarithm += count * (-pair.only_p).log1p()
        else:  # 1 as far as is known: in one release there is as much at finite losses as in all of them, or more
            finite = up_to(1 - pair.only_p)
    return -logarithm.expm1() if finite is None else 1 - finite * logarithm.exp()


def left_out(factors):
    """Bounds P's mass of the outcomes that were left out of any of the releases."""
    return sum((count * pair.lost_p for pair, count in factors), arb(0))
