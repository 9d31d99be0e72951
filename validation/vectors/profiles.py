"""Privacy profiles of one release, by closed forms: functions that take epsilon, a ball, to the ball of
delta = sup over events S of P(S) - e^epsilon Q(S).

Where the loss log(dP/dQ) grows with the outcome, the best S is all above the outcome where it passes epsilon.
"""
from flint import arb

from enclosure import Uncertain, crossing


def normal_tail(x):
    return (x / arb(2).sqrt()).erfc() / 2


def gaussian(mu):
    """N(mu, 1) against N(0, 1) (Balle, Wang 2018); k releases are one with sqrt(k) mu, and several add their mu^2."""
    return lambda epsilon: normal_tail(epsilon / mu - mu / 2) - epsilon.exp() * normal_tail(epsilon / mu + mu / 2)


def gaussian_mixture(sigma, shifts, weights, direction):
    """The mixture of the N(shift, sigma^2) against N(0, sigma^2), or swapped."""
    parts = [(arb(shift) / sigma, arb(weight)) for shift, weight in zip(shifts, weights)]

    def mixture_tail(x):
        return sum((weight * normal_tail(x - shift) for shift, weight in parts), arb(0))

    def ratio(x):
        return sum((weight * (shift * x - shift**2 / 2).exp() for shift, weight in parts), arb(0))

    least = sum((weight for shift, weight in parts if shift == 0), arb(0))  # of the ratio

    def remove(epsilon):
        if epsilon.exp() < least:
            return 1 - epsilon.exp()
        x = crossing(lambda x: -ratio(x), -epsilon.exp())
        return mixture_tail(x) - epsilon.exp() * normal_tail(x)

    def add(epsilon):
        if (-epsilon).exp() < least:
            return arb(0)
        x = crossing(lambda x: -ratio(x), -(-epsilon).exp())
        return (1 - normal_tail(x)) - epsilon.exp() * (1 - mixture_tail(x))

    return remove if direction == "remove" else add


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


_moves_known = {}


def _moves(m, count):
    """C(count, m) times the coefficients of (1 - x)^m (1 + x)^(count - m)."""
    if (m, count) not in _moves_known:
        row, ways = [1], 1
        for n in range(count):
            sign = -1 if n < m else 1
            row = [a + sign * b for a, b in zip(row + [0], [0] + row)]
        for n in range(m):
            ways = ways * (count - n) // (n + 1)
        _moves_known[m, count] = [ways * a for a in row]
    return _moves_known[m, count]


def _power_integrals(length, sign, most):
    """Integrals from 0 to length of e^(sign w/2) w^(m-1) / (m-1)!, m = 0 (unused), 1, ..., most, by parts."""
    edge, monomial = (sign * length / 2).exp(), arb(1)
    integrals = [arb(0), 2 * sign * (edge - 1)]
    for m in range(2, most + 1):
        monomial = monomial * length / (m - 1)
        integrals.append(2 * sign * (edge * monomial - integrals[-1]))
    return integrals


def truncated_laplace(shift, bound):
    """Laplace noise of scale 1 conditioned on |x| <= bound, moved by shift <= bound."""
    cut = (-bound).exp()

    def tail(x):  # x >= 0
        return ((-x).exp() - cut) / (2 * (1 - cut))

    def profile(epsilon):
        if epsilon >= shift:
            return tail(bound - shift)  # what lies beyond the other's support
        if epsilon <= -shift:
            return 1 - epsilon.exp() * (1 - tail(bound - shift))
        passing = (epsilon + shift) / 2
        return 1 - tail(shift - passing) - epsilon.exp() * tail(passing)

    return profile


def _of_losses_within(largest, inside):
    """Losses from -largest to largest, `inside` being the profile between them."""
    def profile(epsilon):
        if epsilon >= largest:
            return arb(0)
        if epsilon <= -largest:
            return 1 - epsilon.exp()
        return inside(epsilon)

    return profile


def logistic(shift):
    """Logistic noise of scale 1: the odds e^x of the outcome x of loss epsilon are solved for."""
    def inside(epsilon):
        root = ((epsilon - shift) / 2).exp()
        odds = (root * shift.exp() - 1) / (1 - root)
        return 1 / (1 + odds * (-shift).exp()) - epsilon.exp() / (1 + odds)

    return _of_losses_within(shift, inside)


def _moved(tail, log_density, shift):
    """Symmetric log-concave noise of this tail (x >= 0) and this density up to a factor."""
    def whole_tail(x):
        return tail(x) if x >= 0 else 1 - tail(-x)

    def profile(epsilon):
        x = crossing(lambda x: log_density(x) - log_density(x - shift), -epsilon)
        return whole_tail(x - shift) - epsilon.exp() * whole_tail(x)

    return profile


def generalized(shape, shift):
    """Density proportional to e^(-|x|^shape)."""
    return _moved(lambda x: (x**shape).gamma_upper(1 / shape, regularized=1) / 2, lambda x: -(abs(x) ** shape), shift)


def sinh_normal(sigma, a, shift):
    """a arsinh(N(0, sigma^2) / a)."""
    def inside(x):
        return a * (x / a).sinh() / sigma

    return _moved(lambda x: normal_tail(inside(x)), lambda x: (x / a).cosh().log() - inside(x) ** 2 / 2, shift)


def bounded_range(length):
    """The largest of all pairs of two losses t and t - length (Dong, Durfee, Rogers 2020): P has
    (e^length - e^t) / (e^length - 1) at t, and the best t is (length + epsilon) / 2."""
    return _of_losses_within(length, lambda epsilon: ((length / 2).exp() - (epsilon / 2).exp()) ** 2 / (length.exp() - 1))


# Sampling, of a symmetric pair: its two orders have one profile.


def sampled(profile, rate, direction):
    """((1 - rate) Q + rate P, Q), or swapped: P and Q less e^epsilon times the mixture are multiples of P or Q less another
    factor times the other."""
    def remove(epsilon):
        factor = (epsilon.exp() - 1 + rate) / rate
        if factor <= 0:
            return 1 - epsilon.exp()
        if not factor > 0:
            raise Uncertain
        return rate * profile(factor.log())

    def add(epsilon):
        factor = ((-epsilon).exp() - 1 + rate) / rate
        if factor <= 0:
            return arb(0)
        if not factor > 0:
            raise Uncertain
        return epsilon.exp() * rate * factor * profile(-factor.log())

    return remove if direction == "remove" else add


def batch_replacing(profile, rate):
    """A batch without replacement under replace-one (Zhu, Dong, Wang 2022, proposition 30)."""
    return lambda epsilon: sampled(profile, rate, "remove" if epsilon >= 0 else "add")(epsilon)
