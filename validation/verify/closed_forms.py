"""Profiles of many releases of one kind in closed form; `validation/vectors` takes them too."""
from functools import lru_cache

from flint import arb

from enclosure import crossing


def normal_tail(x):
    return (x / arb(2).sqrt()).erfc() / 2


def gaussian(mu):
    """N(mu, 1) against N(0, 1) (Balle, Wang 2018); releases of several are one whose mu^2 is the sum of theirs."""
    return lambda epsilon: normal_tail(epsilon / mu - mu / 2) - epsilon.exp() * normal_tail(epsilon / mu + mu / 2)


def gaussian_power(mu, alpha):
    """Of the best test of error alpha between N(mu, 1) and N(0, 1)."""
    return normal_tail(crossing(lambda x: normal_tail(x) - alpha, arb(-40), arb(40)) - mu)


def laplace(shift, count):
    """`count` releases of Laplace noise of scale 1 moved by `shift`.

    One loss z has the laws e^(z/2) g and e^(-z/2) g, with g = e^(-shift/2) times atoms of 1/2 at +-shift and the density
    1/4 between. With S the move by shift, g's powers are sums of moved truncated powers,
    (1/4)^m (1/2)^(count-m) (1/S - S)^m (1/S + S)^(count-m) z_+^(m-1) / (m-1)!, an atom for m = 0; g is symmetric, so that
    the losses above epsilon are those below -epsilon with z and -z exchanged.
    """
    def profile(epsilon):
        total = arb(0)
        for j in range(count + 1):
            start = (2 * j - count) * shift
            p, q = (-start / 2).exp(), epsilon.exp() * (start / 2).exp()
            total += _moves(0, count)[j] * arb(2) ** -count * (p - q).nonnegative_part()
            length = (-epsilon - start).nonnegative_part()
            of_p, of_q = _power_integrals(length, -1, count), _power_integrals(length, 1, count)
            for m in range(1, count + 1):
                total += _moves(m, count)[j] * arb(2) ** -(count + m) * (p * of_p[m] - q * of_q[m])
        return (-count * shift / 2).exp() * total

    return profile


@lru_cache(maxsize=None)
def _moves(m, count):
    """C(count, m) times the coefficients of (1 - x)^m (1 + x)^(count - m)."""
    row, ways = [1], 1
    for n in range(count):
        sign = -1 if n < m else 1
        row = [a + sign * b for a, b in zip(row + [0], [0] + row)]
    for n in range(m):
        ways = ways * (count - n) // (n + 1)
    return [ways * a for a in row]


def _power_integrals(length, sign, most):
    """Integrals from 0 to length of e^(sign w/2) w^(m-1) / (m-1)!, m = 0 (unused), 1, ..., most, by parts."""
    edge, monomial = (sign * length / 2).exp(), arb(1)
    integrals = [arb(0), 2 * sign * (edge - 1)]
    for m in range(2, most + 1):
        monomial = monomial * length / (m - 1)
        integrals.append(2 * sign * (edge * monomial - integrals[-1]))
    return integrals
