"""Profiles of releases whose records get into them by the schemes that are no mere rate, each by another way than validation/verify takes."""
from fractions import Fraction
from math import comb

from flint import acb, arb, ctx

from enclosure import Uncertain, crossing
from profiles import normal_tail, sampled


def replaced_in_a_sample(tail, log_density, shift, rate):
    """P = (1 - rate) f(x) + rate f(x - shift) against Q, its mirror image, for symmetric log-concave f. The loss rises with x; where it is
    epsilon is found by bisection."""
    def mixed_tail(x, move):
        return (1 - rate) * tail(x) + rate * tail(x - move)

    def mixed(x, move):
        return 1 - rate + rate * (log_density(x - move) - log_density(x)).exp()

    def profile(epsilon):
        x = crossing(lambda x: (mixed(x, -shift) / mixed(x, shift)).log(), -epsilon)
        return mixed_tail(x, shift) - epsilon.exp() * mixed_tail(x, -shift)

    return profile


def zeroed_in_a_batch(tail, log_density, shift, rate, direction):
    """A batch of fixed size whose record is zeroed under Q, or under P: at losses of the record's side the others move the noise the other way,
    P = (1 - rate) f(x) + rate f(x - 2 shift) against (1 - rate) f(x) + rate f(x - shift), whose loss rises from 0 at x = 3 shift / 2; else they all
    have what it has. Where the loss is epsilon is found by bisection."""
    def ratio(x, moves):
        return 1 - rate + rate * (log_density(x - moves * shift) - log_density(x)).exp()

    def gains(epsilon):
        def mixed_tail(x, moves):
            return (1 - rate) * tail(x) + rate * tail(x - moves * shift)

        none = 3 * shift / 2
        x = crossing(lambda x: (ratio(x, 1) / ratio(x, 2)).log(), -epsilon, none, 2 * none) if epsilon > 0 else none
        return mixed_tail(x, 2) - epsilon.exp() * mixed_tail(x, 1)

    def of_shift(epsilon):
        x = crossing(lambda x: log_density(x) - log_density(x - shift), -epsilon)
        return tail(x - shift) - epsilon.exp() * tail(x)

    def others_alike(epsilon):
        return sampled(of_shift, rate, "remove")(epsilon)

    above, below = (gains, others_alike) if direction == "remove" else (others_alike, gains)
    return lambda epsilon: above(epsilon) if epsilon >= 0 else 1 - epsilon.exp() + epsilon.exp() * below(-epsilon)


def truncated(drawn, full, rate, cap, records, direction):
    """Under add-remove: `drawn`, `full`: the profiles of the release with the record and without it, and with its value replaced. Beside
    records - 1 others there may be a last one, with whom they fill the batch or not; then the record has at most the rate, replaced. Chances
    are exact fractions, sums of binomial probabilities."""
    q = Fraction(rate)

    def exactly(n, k):
        return comb(n, k) * q**k * (1 - q) ** (n - k)

    def at_least(n, least):
        return sum(exactly(n, k) for k in range(least, n + 1))

    filled, last = at_least(records - 1, cap), q * exactly(records - 1, cap - 1)
    share = at_least(records, cap + 1) * Fraction(cap, records) / filled

    def number(fraction):
        return arb(fraction.numerator) / fraction.denominator

    parts = [(number(1 - filled - last), sampled(drawn, arb(rate), direction)), (number(last), sampled(full, arb(rate), direction)),
             (number(filled), sampled(full, number(share), direction))]
    return lambda epsilon: sum(weight * profile(epsilon) for weight, profile in parts)


def largest_of_batches(mu, batches, replaced):
    """The largest of `batches` normal outputs, one of which is moved by 2 mu under P, under Q by mu or, if the record is replaced, not at all
    (Chua, Ghazi, Kamath et al. 2024). The loss rises with it."""
    def at_most(x, move):
        return (1 - normal_tail(x - move)) * (1 - normal_tail(x)) ** (batches - 1)

    def factor(x, move):
        """The density over phi(x) Phi(x)^(batches - 2)."""
        return (move * (x - move / 2)).exp() * (1 - normal_tail(x)) + (batches - 1) * (1 - normal_tail(x - move))

    before = arb(0) if replaced else mu

    def profile(epsilon):
        x = crossing(lambda x: (factor(x, before) / factor(x, 2 * mu)).log(), -epsilon)
        return 1 - at_most(x, 2 * mu) - epsilon.exp() * (1 - at_most(x, before))

    return profile


def allocated_response(p, steps, epochs, direction):
    """Of randomized response with two answers: in j of the steps the likelier answer of the record, and R = the mean of the ratios. Fractions
    are exact; epochs are multiplied out."""
    p = Fraction(p)
    ratio = p / (1 - p)
    once = {}
    for j in range(steps + 1):
        q_mass = comb(steps, j) * (1 - p) ** j * p ** (steps - j)
        mean = (j * ratio + (steps - j) / ratio) / steps
        once[mean] = once.get(mean, 0) + q_mass
    masses = {Fraction(1): Fraction(1)}
    for _ in range(epochs):
        total = {}
        for a, m in masses.items():
            for b, n in once.items():
                total[a * b] = total.get(a * b, 0) + m * n
        masses = total

    def number(fraction):
        return arb(fraction.numerator) / fraction.denominator

    outcomes = [(number(mean * mass), number(mass)) for mean, mass in masses.items()]

    def profile(epsilon):
        pairs = outcomes if direction == "remove" else [(q, p) for p, q in outcomes]
        return sum(((p - epsilon.exp() * q).nonnegative_part() for p, q in pairs), arb(0))

    return profile


def gaussian_in_one_of_two(mu, direction):
    """An epoch of two steps: with one ratio y1 = e^(mu x - mu^2 / 2) given, E (y1 + y2 - k)_+ has a closed form; the mean over x by verified
    integration, cut where y1 is k and where a normal variable has next to nothing."""
    def of_second(gap):
        """E (y2 - gap)_+ of a complex gap to the right of 0."""
        low = (gap.log() / mu + mu / 2) / acb(2).sqrt()
        return ((low - mu / acb(2).sqrt()).erfc() - gap * low.erfc()) / 2

    def excess(k):
        """E (y1 + y2 - k)_+."""
        edge = (k.log() / mu + mu / 2).mid()  # y1 < k to the left of it
        reach = (arb(ctx.prec) * 2).sqrt() + mu
        def density(x):
            return (-x * x / 2).exp() / (2 * acb.pi()).sqrt()

        def ratio(x):
            return (mu * x - mu * mu / 2).exp()

        def inside(x, _):
            return density(x) * of_second(k - ratio(x))

        gap = arb(2) ** -(ctx.prec // 2)
        left = acb.integral(inside, -reach, (edge - gap).mid()).real
        if not left.is_finite():
            raise Uncertain
        beyond = normal_tail(edge - mu) + (1 - k) * normal_tail(edge)  # E (y1 + y2 - k) to the right, where y1 + y2 > k
        # Left out: x below -reach, where E (y2 - gap)_+ <= 1, and next to the edge, where it is at most 1 and the density at most 1/2.
        return left + beyond + arb(0).union(normal_tail(reach) + 2 * gap)

    def profile(epsilon):
        if direction == "remove":
            return excess(2 * epsilon.exp()) / 2
        return 1 - epsilon.exp() + epsilon.exp() * excess(2 * (-epsilon).exp()) / 2  # E (1 - x R)_+ = 1 - x + E (x R - 1)_+

    return profile
