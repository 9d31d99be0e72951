"""E (a - S / steps)_+ of the sum S of `steps` independent ratios dP/dQ under Q: of one epoch of random allocation, by an inverse Laplace
transform of S. Theorem 8 of docs/verify.md."""
import math

from flint import acb, arb, ctx

from enclosure import OutOfReach, log_of, precision, up_to, within
from fourier import wave_sums
from outline import log_sum, paths_through
from pairs import Piece
from quadrature import integral, nodes_and_weights

MOST_NODES = 1 << 18


def shortfall(step_pair, steps, at, error):
    """E (at - R)_+ to within about `error`: 1 / (2 pi i steps) times the integral of E e^(u (total - S)) / u^2 along Re u = c, total =
    at steps, by the trapezoidal rule with the period 2 total. Its repetitions are E (total + m period - S)_+ e^(-c m period), m >= 1:
    none for m < 0, as S >= 0."""
    total, goal = at * steps, error * steps
    period = 2 * total
    nats = max(4.0, log_of(period / goal) + 3)
    c, step = (arb(nats) / period).mid(), 2 * arb.pi() / period
    bits = int((nats / 2 + log_of(period / goal)) / math.log(2)) + steps.bit_length() + 60
    with precision(max(bits, ctx.prec)):
        ratios = _Ratios(step_pair)
        count = _fewest(steps, ratios, c, step, log_of(goal) - nats / 2)
        values = ratios.values(c, step, count, goal * (-c * total).exp() * c / (8 * steps))
        integral_sum = arb(0)
        for n, value in enumerate(values):
            u = acb(c, n * step)
            share = arb(0.5) if n == 0 else 1
            integral_sum += share * (value.conjugate() ** steps * (u * total).exp() / (u * u)).real
        fall, s = (-c * period).exp(), count * step
        repeated = total * fall / (1 - fall) + period * fall / (1 - fall) ** 2
        left_out = ratios.most_beyond(c, s) ** steps * (c * total).exp() / (arb.pi() * s)
        return (integral_sum * step / arb.pi() - up_to(repeated) + within(left_out)) / steps


def _fewest(steps, ratios, c, step, allowed):
    """How many nodes until the logarithm of the rest, but for e^(c total), is below what is allowed."""
    centre, width = float(c.mid()), float(step.mid())

    def enough(n):
        s = n * width
        return steps * min(0.0, ratios.log_decay(centre, s)[0]) - math.log(s) < allowed

    low, high = 2, 4
    while not enough(high):
        low, high = high, 2 * high
        if high > MOST_NODES:
            raise OutOfReach(f"an epoch of {steps} steps: a sum of more than {MOST_NODES} terms")
    while high > 1.1 * low + 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


class _Ratios:
    """The ratio of one step as a variable under Q: E e^(-u ratio) for complex u with Re u > 0."""

    def __init__(self, step):
        self.atoms = [(a.q, a.p / a.q) for a in step.atoms]
        if not step.only_q.is_zero():
            self.atoms.append((step.only_q, arb(0)))
        self.pieces = [Piece(p.low, p.high, self._at(p), strip=p.strip) for p in step.pieces]
        self.paths = [paths_through(p) for p in self.pieces]

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
