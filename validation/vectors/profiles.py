"""Privacy profiles of one release, by closed forms: functions that take epsilon, a ball, to the ball of
delta = sup over events S of P(S) - e^epsilon Q(S).

Where the loss log(dP/dQ) grows with the outcome, the best S is all above the outcome where it passes epsilon.
"""
import pathlib
import sys

from flint import arb

from enclosure import Uncertain, crossing

sys.path.append(str(pathlib.Path(__file__).parents[1] / "verify"))  # last: other names there are here too
from closed_forms import gaussian, laplace, normal_tail  # noqa: E402, F401


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
