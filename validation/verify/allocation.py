"""An epoch of random allocation: each record in one of `steps` steps. With (P, Q) a step's pair the epoch's is

    P' = the mean over t of Q x .. x P (in place t) x .. x Q,   Q' = Q x .. x Q,

whose ratio is R = S / steps, S the sum of `steps` independent copies of dP/dQ under Q. Theorem 7 of docs/verify.md.
"""
import math
from math import comb

from flint import acb, arb, ctx

from enclosure import OutOfReach, Uncertain, precision, up_to, within
from fourier import wave_sums
from outline import Path, log_of, log_sum
from pairs import Atom, Pair, Piece
from quadrature import integral, nodes_and_weights

MOST_LISTED = 20_000
MOST_NODES = 1 << 18


def listed_epoch(step, steps):
    """The epoch's outcomes, by how many steps have which outcome; None where they are too many, or not only atoms."""
    kinds = len(step.atoms) + (not step.only_q.is_zero())
    if step.pieces or kinds == 0 or min(steps, kinds) > 40 or comb(steps + kinds - 1, kinds - 1) > MOST_LISTED:
        return None
    masses = [(a.q, a.p / a.q) for a in step.atoms] + ([] if step.only_q.is_zero() else [(step.only_q, arb(0))])
    atoms = []

    def list_from(kind, left, mass, total):
        """Mass and sum of ratios of the steps that have one of the kinds before."""
        q, ratio = masses[kind]
        if kind + 1 == len(masses):
            ratio_sum = total + left * ratio
            if not ratio_sum.is_zero():
                mean = ratio_sum / steps
                mass = mass * q**left
                atoms.append(Atom(mass * mean, mass, loss=mean.log()))
            return
        for count in range(left + 1):
            list_from(kind + 1, left - count, mass * comb(left, count) * q**count, total + count * ratio)

    list_from(0, steps, arb(1), arb(0))
    lost_p, lost_q = _lost(step, steps)
    return Pair(atoms, only_p=step.only_p, only_q=step.only_q**steps, lost_p=lost_p, lost_q=lost_q, range=_range(step, steps))


def _lost(step, steps):
    return step.lost_p + (steps - 1) * step.lost_q, steps * step.lost_q


def _range(step, steps):
    """Of the epoch's losses. The lowest one that is finite may be that of one step alone."""
    lowest, highest = (None if end is None else arb(end) for end in step.range)
    return None if lowest is None else lowest if step.only_q.is_zero() else lowest - arb(steps).log(), highest


class _Ratios:
    """The ratio of one step as a variable under Q: E e^(-u ratio) for complex u with Re u > 0."""

    def __init__(self, step):
        self.atoms = [(a.q, a.p / a.q) for a in step.atoms]
        if not step.only_q.is_zero():
            self.atoms.append((step.only_q, arb(0)))
        self.pieces = [Piece(p.low, p.high, self._at(p), strip=p.strip) for p in step.pieces]
        with precision(64):
            self.paths = [[Path(p, 0, 1200)] + [Path(p, float(p.strip.lower()) / 4.0**k, 400) for k in range(13) if p.strip is not None]
                          for p in self.pieces]

    @staticmethod
    def _at(piece):
        """As a piece whose loss is the ratio itself: its density(-c) is Q's times e^(-c ratio)."""
        def at(x):
            log_q, loss = piece.at(x)
            return log_q, loss.exp()
        return at

    def log_decay(self, c, s):
        """In doubles: log of a bound of |E e^(-u ratio)| for u = c + i s', s' >= s, and the height of the path through each piece."""
        best = [min((path.log_size(-c - 1, s), path.height) for path in paths) for paths in self.paths]
        return log_sum([log_of(q) - c * float(r.mid()) for q, r in self.atoms] + [size for size, _ in best]), [y for _, y in best]

    def most_beyond(self, c, s):
        """A ball above that modulus."""
        heights = self.log_decay(float(c.mid()), float(s.mid()))[1]
        with precision(64):
            total = sum((q * (-c * r).exp() for q, r in self.atoms), arb(0))
            for piece, y in zip(self.pieces, heights):
                whole = integral(piece.density(-c), piece.low, piece.high)
                total += whole.min(piece.most_beyond(-c - 1, s, y)) if y else whole
            return total.upper()

    def values(self, c, step, count, error):
        """E e^(-(c + i n step) ratio) for n = 0, ..., count, conjugated, to within `error`."""
        ratios, weights = [r for _, r in self.atoms], [q * (-c * r).exp() for q, r in self.atoms]
        for piece in self.pieces:
            for x, width in nodes_and_weights(piece.at, -c, piece.low, piece.high, step * count, error / len(self.pieces)):
                log_q, ratio = piece.at(acb(x))
                ratios.append(ratio.real)
                weights.append(width * (log_q - c * ratio).real.exp())
        rest = acb(within(error), within(error)) if self.pieces else acb(0)
        return [value + rest for value in wave_sums(ratios, weights, step, count, error)]


class Epoch:
    """The pair, of a step with a density, asked for its profile only. `adding`: swapped."""
    atoms, spacing, dense = (), None, True

    def __init__(self, step, steps, adding=False):
        self.step, self.steps, self.adding = step, steps, adding
        self.lost_p, self.lost_q = _lost(step, steps)
        self.only_p, self.only_q = step.only_p, step.only_q**steps
        self.range = _range(step, steps)
        if adding:
            self.lost_p, self.lost_q, self.only_p, self.only_q = self.lost_q, self.lost_p, self.only_q, self.only_p
            self.range = tuple(None if end is None else -end for end in reversed(self.range))

    def swapped(self):
        return Epoch(self.step, self.steps, not self.adding)

    @property
    def pieces(self):
        raise OutOfReach(f"an epoch of {self.steps} steps, composed with others")

    def profile(self, epsilon):
        """E (R - e^epsilon)_+ = E (e^epsilon - R)_+ + E R - e^epsilon, or for adding E (1 - e^epsilon R)_+; over the outcomes that the step
        has. The precision says how exactly."""
        at, error = (-epsilon if self.adding else epsilon).exp(), arb(2) ** (30 - ctx.prec)
        if self.adding:
            return self._shortfall(at, error * at) / at + up_to(self.lost_p)
        mass, mean = self.step.moment(-1) + self.step.only_q, self.step.moment(0)
        rest = mean * mass ** (self.steps - 1) - at * mass**self.steps
        return self._shortfall(at, error) + rest + self.only_p + up_to(self.lost_p)

    def _shortfall(self, at, error):
        """E (at - R)_+ to within about `error`: 1 / (2 pi i steps) times the integral of E e^(u (total - S)) / u^2 along Re u = c, total =
        at steps, by the trapezoidal rule with the period 2 total. Its repetitions are E (total + m period - S)_+ e^(-c m period), m >= 1:
        none for m < 0, as S >= 0."""
        total, goal = at * self.steps, error * self.steps
        period = 2 * total
        nats = max(4.0, log_of(period / goal) + 3)
        c, step = (arb(nats) / period).mid(), 2 * arb.pi() / period
        bits = int((nats / 2 + log_of(period / goal)) / math.log(2)) + self.steps.bit_length() + 60
        with precision(max(bits, ctx.prec)):
            ratios = _Ratios(self.step)
            count = self._count(ratios, c, step, log_of(goal) - nats / 2)
            values = ratios.values(c, step, count, goal * (-c * total).exp() * c / (8 * self.steps))
            integral_sum = arb(0)
            for n, value in enumerate(values):
                u = acb(c, n * step)
                share = arb(0.5) if n == 0 else 1
                integral_sum += share * (value.conjugate() ** self.steps * (u * total).exp() / (u * u)).real
            fall, s = (-c * period).exp(), count * step
            repeated = total * fall / (1 - fall) + period * fall / (1 - fall) ** 2
            left_out = ratios.most_beyond(c, s) ** self.steps * (c * total).exp() / (arb.pi() * s)
            return (integral_sum * step / arb.pi() - up_to(repeated) + within(left_out)) / self.steps

    def _count(self, ratios, c, step, allowed):
        """How many nodes until the logarithm of the rest, but for e^(c total), is below what is allowed."""
        centre, width = float(c.mid()), float(step.mid())

        def enough(n):
            s = n * width
            return self.steps * min(0.0, ratios.log_decay(centre, s)[0]) - math.log(s) < allowed

        low, high = 2, 4
        while not enough(high):
            low, high = high, 2 * high
            if high > MOST_NODES:
                raise OutOfReach(f"an epoch of {self.steps} steps: a sum of more than {MOST_NODES} terms")
        while high > 1.1 * low + 1:
            middle = (low + high) // 2
            low, high = (low, middle) if enough(middle) else (middle, high)
        return high
