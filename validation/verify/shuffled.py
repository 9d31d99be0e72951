"""What a pass over shuffled batches tells at least: of normal outputs, one of which is moved, the largest alone (Chua, Ghazi, Kamath et al. 2024)."""
from functools import cache
from math import ceil

from flint import acb, arb

from closed_forms import normal_tail
from enclosure import precision, within
from pairs import Pair, Piece

HEIGHTS, MOST, BITS = (1 / 4, 1 / 16), 1000, 64  # of a strip, and boxes in which each side of its boundary is looked at
FAR_LEFT = -4
ROUGHLY = 16  # what is left out of a pair whose strip serves those of fewer nats


def _mills_at(x):
    """m(x) = Phi / phi, the integral of e^(x u - u^2 / 2) over u > 0."""
    return (arb.pi() / 2).sqrt() * (x * x / 2).exp() * (-x / arb(2).sqrt()).erfc()


def _mills(x):
    """On a ball by its middle, and the largest slope there: |m'| is at most the integral of u e^(u Re x - u^2 / 2)."""
    middle = acb(x.real.mid(), x.imag.mid())
    spread = abs(x - middle).upper()
    if spread.is_zero():
        return _mills_at(x)
    off = within(spread * _steepest(x.real.upper()))
    return _mills_at(middle) + acb(off, off)


def _steepest(most):
    """m' = 1 + x m there, m being less than 1 / phi; below 0 both e^(x u) and e^(-u^2 / 2) alone have more."""
    return 1 + most * (2 * arb.pi()).sqrt() * (most * most / 2).exp() if most > 0 else (1 / (most * most)).min(arb(1)) if most < 0 else arb(1)


def _log_phi(x):
    """Far to the left by m, as Phi itself turns with x Im x."""
    if x.real < FAR_LEFT:
        return _mills(x).log(analytic=True) - _half_square(x)
    return ((-x / arb(2).sqrt()).erfc() / 2).log(analytic=True)


def _half_square(x):
    """-log phi."""
    return (x * x + (2 * arb.pi()).log()) / 2


class LargestOf:
    """The largest of `batches` outputs, of which P moves one by p_shift and Q by q_shift: its distribution functions are Phi(x - shift) Phi(x)^(batches - 1). `shifts()`: these two, at
    the working precision."""

    def __init__(self, batches, shifts):
        self.others, self.shifts, self.strip = batches - 1, shifts, cache(self._strip)

    def pair(self, nats):
        p_shift, q_shift = self.shifts()

        def at(x):
            log_phi = _log_phi(x)
            log_p, log_q = (moved + (1 + (arb(self.others).log() + _log_phi(x - shift) - log_phi - moved).exp()).log(analytic=True)
                            for shift, moved in ((shift, shift * (x - shift / 2)) for shift in (p_shift, q_shift)))
            return self.others * log_phi - _half_square(x) + log_q, log_p - log_q

        lost = (-arb(nats)).exp()
        strip = self.strip(ROUGHLY * ceil(nats / ROUGHLY))
        return Pair(pieces=[Piece(*self._ends(nats), at, strip and arb(strip))], lost_p=lost, lost_q=lost)

    def _ends(self, nats):
        """Beyond them each output has less than e^-nats / (2 batches)."""
        edge = (2 * (arb(nats) + arb(self.others + 1).log() + 1)).sqrt()
        return -edge, self.shifts()[0] + edge

    def _near(self, x):
        """The loss and its slope, a mean of those of two ways to be the largest, as (log m)' = x + 1 / m; not finite where a logarithm meets the negative axis. For Re x >= 0 and
        |Im x| <= 1/4 Phi does not: it is no farther than 0.11 from what it is at Re x, 1/2 or more."""
        mills, logs, slopes = _mills(x), [], []
        for shift in self.shifts():
            rest = 1 + self.others * _mills(x - shift) / mills
            logs.append(shift * (x - shift / 2) + rest.log(analytic=True))
            slopes.append((shift + 1 / mills) / rest + (1 - 1 / rest) / _mills(x - shift))
        told = arb(0) if x.real >= 0 else 0 * mills.log(analytic=True)
        return logs[0] - logs[1] + told, slopes[0] - slopes[1]

    def _strip(self, nats):
        with precision(BITS):
            low, high = self._ends(nats)
            return next((height for height in HEIGHTS if _is_strip(self._near, low, high, height)), None)


def _is_strip(loss, low, high, height):
    """As a Piece's. Where no logarithm's argument meets the negative axis on a rectangle's boundary it has no zero within, as it winds around none. So the loss's
    imaginary part is harmonic there, and between its least and largest values on the boundary: 0 on the real axis, beside it what rises from there, and what it has above."""
    def rises_at(end):
        """The derivative of the imaginary part, going up, is the real part of the slope."""
        def holds(middle, half):
            value, slope = loss(acb(end, arb(middle, half)))
            return value.is_finite() and slope.real > 0
        return holds

    def is_between(middle, half):
        """By its value in the middle, and how fast it may change."""
        value, slope = loss(acb(arb(middle, half), height))
        least, change = loss(acb(middle, height))[0].imag, half * abs(slope.imag)
        return value.is_finite() and least - change > 0 and least + change < arb.pi()

    beside = all(_everywhere(rises_at(end), 0.0, height) for end in (low, high))
    return beside and _everywhere(is_between, float(low.mid()) - height, float(high.mid()) + height)


def _everywhere(holds, low, high):
    """Whether it holds in intervals, by their middle and half their length, that cover what is between two doubles."""
    left, looks = [(low, high)], 0
    while left:
        low, high = left.pop()
        looks, middle = looks + 1, (low + high) / 2
        if holds(middle, (high - low) / 2 * 1.001):
            continue
        if looks > MOST or not low < middle < high:
            return False
        left += [(low, middle), (middle, high)]
    return True


def share_far_out(batches, p_shift):
    """Where x >= q_shift Q's density is at most `batches` phi(x - q_shift), and P's at least phi(x - p_shift) Phi(x)^(batches - 1). Let d = p_shift - q_shift. Over
    x >= q_shift + a d, no less than p_shift, E_Q of the ratio's power a > 1 is at least share^a e^(a (a - 1) d^2 / 2) with this share: half of a normal law is there."""
    return (1 - normal_tail(p_shift)) ** (batches - 1) / (2 * batches)
