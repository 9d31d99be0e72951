"""Guarantees of Renyi divergences: D_a of both orders of all neighbours is at most curve(a) for orders a > 1. No pair attains them;
what they imply is converted: delta(epsilon) <= e^((a - 1)(D_a - epsilon)) (1 - 1 / a)^(a - 1) / a for every order (Canonne, Kamath,
Steinke 2020, proposition 12). A guarantee is a function from orders, rational numbers, the highest order it covers, a double, and the orders at which it jumps."""
import math
from functools import cache, cached_property
from types import SimpleNamespace

from flint import arb, fmpq

import laws
from composition import Composition
from enclosure import OutOfReach, ball, precision, up_to
from outline import Outline, least
from pairs import infinite_mass, left_out
from profiles import Profiles

POINTS, STEP = 4000, 40.0  # of a converted pair, and of the nats that tell how far it goes


def zcdp(p):
    return (lambda order: p["xi"] + p["rho"] * order), math.inf, ()


def tcdp(p):
    return (lambda order: p["rho"] * order), math.nextafter(float(p["omega"]), 1), ()


def rdp(p):
    """Divergences grow with the order, so that each bounds those of all lower orders."""
    table = sorted(zip(p["orders"], p["epsilons"]))
    return (lambda order: min(epsilon for a, epsilon in table if a >= order)), float(table[-1][0]), tuple(float(a) for a, _ in table)


def bounded_range(p):
    """Of losses in a range of length epsilon. With r = e^-epsilon, E_Q y^a of the ratio y is by convexity at most that of two outcomes,
    y^(a - 1) (1 - r^a - y (r - r^a)) / (1 - r) with y the larger ratio; no y has more than ((a - 1) / a) (1 - r^a) / (r - r^a)."""
    r = (-ball(p["epsilon"])).exp()

    def divergence(order):
        a = ball(order)
        y = (a - 1) / a * (1 - r**a) / (r - r**a)
        return y.log() + ((1 - r**a) / (1 - r) / a).log() / (a - 1)

    return divergence, math.inf, ()


def added(guarantees):
    """Of releases with these guarantees and counts: divergences add up."""
    highest = min(guarantee[1] for guarantee, _ in guarantees)
    jumps = {order for guarantee, _ in guarantees for order in guarantee[2] if order <= highest}
    return (lambda order: sum((count * guarantee[0](order) for guarantee, count in guarantees), fmpq(0))), highest, tuple(sorted(jumps))


def kernel(order):
    """The largest of (1 - e^-u) e^(-(order - 1) u)."""
    return (1 - 1 / order) ** (order - 1) / order


def optimal(order, moment, ratio):
    """A bound of delta = E_Q (y - k)_+, k = `ratio`, of a ratio y with E_Q y = 1 and E_Q y^a <= `moment`: for 0 <= y1 < y2 and so A > 0 the curve
    g(y) = A (y^a - y1^a - a y1^(a - 1) (y - y1)) is nowhere below 0, and y - k - g(y) is largest where g has slope 1, at y2. So
    delta <= E g + (y2 - k - g(y2))_+, whatever they are; y1 = 0 is proposition 12 (Asoodeh et al. 2021, theorem 3)."""
    def parts(low, high):
        fall = low ** (order - 1)
        factor = 1 / (order * (high ** (order - 1) - fall))

        def g(power, y):
            return factor * (power - low**order - order * fall * (y - low))

        return g(moment, 1), high - ratio - g(high**order, high)

    def second(low):
        """y2 where the second part is 0, for which the bound is least."""
        inner, outer = ratio.mid(), (2 * ratio + 1).mid()
        while parts(low, outer)[1] < 0:
            outer = 2 * outer
        for _ in range(90):
            middle = ((inner + outer) / 2).mid()
            inner, outer = (middle, outer) if parts(low, middle)[1] < 0 else (inner, middle)
        return outer

    def bound(low):
        return parts(low, second(low))[0]

    with precision(96):
        scale = bound(arb(0)).mid()
        low = arb(-math.expm1(-least(lambda t: float((bound(arb(-math.expm1(-t))) / scale - 1).mid()), 0.0, 30.0, steps=45)))
        high = second(low)
    if not high > low:  # A would not be positive
        return arb(1)
    found = parts(low, high)
    return found[0] + found[1].nonnegative_part()


def _optimal_near(order, guarantee, moment, ratio):
    """The best of the orders about one, and of those near it where the guarantee jumps."""
    def at(nearby):
        nearby = fmpq(*nearby.as_integer_ratio())
        return optimal(ball(nearby), moment(nearby), ratio)

    def order_of(log_rise):
        return min(1 + math.exp(log_rise), guarantee[1])

    centre = math.log(order - 1)
    first = at(order)
    log_rise = least(lambda u: float((at(order_of(u)) / first - 1).mid()), centre - 0.3, centre + 0.3, steps=36)
    jumps = [jump for jump in guarantee[2] if jump > 1 and abs(math.log(jump - 1) - centre) < 1]
    return min((at(nearby) for nearby in (order_of(log_rise), *jumps)), key=lambda x: float(x.mid()))


def best_order(guarantee, log_rest, epsilon):
    """An order at which the bound is least, and its logarithm in doubles; `log_rest(order - 1)`: the moments of what else there is."""
    curve, highest, jumps = guarantee

    def log_bound(order):
        rise = order - 1
        divergence = float(ball(curve(fmpq(*order.as_integer_ratio()))).mid())
        return rise * (divergence - epsilon) + rise * math.log(rise / order) - math.log(order) + log_rest(rise)

    low, high = math.log(1e-9), math.log(min(highest, 1e15) - 1)
    found = (1 + math.exp(x) for x in (least(lambda u: log_bound(1 + math.exp(u)), low, high, steps=45), high))
    order = min([*(min(x, highest) for x in found), *(jump for jump in jumps if jump > 1)], key=log_bound)
    return order, log_bound(order)


def converted(guarantee, epsilon):
    """An upper bound of delta(epsilon)."""
    return converted_at(best_order(guarantee, lambda _: 0.0, float(epsilon))[0], guarantee, epsilon)


def converted_at(order, guarantee, epsilon):
    order = ball(fmpq(*order.as_integer_ratio()))
    divergence = ball(guarantee[0](fmpq(*float(order.mid()).as_integer_ratio())))
    return (((order - 1) * (divergence - ball(epsilon))).exp() * kernel(order)).min(arb(1)).upper()


def _tangent(order, moment, low, high):
    """A ratio, and a bound of delta there if 0 <= low < high: as in `optimal`, y1 = low, y2 = high, where the second part is 0."""
    fall, rise = low ** (order - 1), high ** (order - 1)
    share = 1 / (order * (rise - fall))
    return (order - 1) * (rise * high - fall * low) * share, (moment - order * fall + (order - 1) * fall * low) * share


def _log_tangent(order, log_moment, log_rest, epsilon):
    """In doubles: log delta for low = 1 - e^log_rest and the ratio e^epsilon, and log high. No difference is one of nearly equal numbers."""
    rise, rest, start = order - 1, math.exp(log_rest), epsilon - math.log((order - 1) / order)
    log_low = math.log(-math.expm1(log_rest)) if log_rest < 0 else -math.inf
    log_high = start
    for _ in range(30 if log_rest < 0 else 0):  # Newton's method for the ratio
        ahead = log_high - log_low
        if not ahead > 0:
            return math.inf, log_high
        inner, outer = -math.expm1(-rise * ahead), -math.expm1(-order * ahead)
        step = (log_high - start + math.log(outer / inner)) / (1 + order * (1 - outer) / outer - rise * (1 - inner) / inner)
        log_high -= step
        if abs(step) < 1e-13 * (1 + abs(log_high)):
            break
    if not log_high > log_low:
        return math.inf, log_high
    taken = math.expm1(rise * log_low) * (1 + rise * rest) + rise * rest  # and 1
    left = math.expm1(log_moment) - taken if log_moment < 1 else 1 - (1 + taken) * math.exp(-log_moment)
    if not left > 0:
        return math.inf, log_high
    log_left = math.log(left) + (0 if log_moment < 1 else log_moment)
    return log_left - math.log(order) - rise * log_high - math.log(-math.expm1(-rise * (log_high - log_low))), log_high


def _least_near(f, place, low, high):
    """Where a function with one minimum has it, from a place next to it: in wider and wider intervals until it is inside."""
    width = 0.05
    while True:
        start, end = max(low, place - width), min(high, place + width)
        place = least(f, start, end, steps=15)
        if (place > start + 0.01 * width or start == low) and (place < end - 0.01 * width or end == high):
            return place
        width *= 4


def _tangents(guarantee, epsilons):
    """Orders, and the logarithms of 1 - low and of high, in doubles, of the least bounds at these ratios e^epsilon; each is looked for
    near the one before. Between two orders at which a table jumps the higher one says more."""
    curve, highest, jumps = guarantee

    def at(order, log_rest, epsilon):
        log_moment = (order - 1) * float(ball(curve(fmpq(*order.as_integer_ratio()))).mid())
        return _log_tangent(order, log_moment, log_rest, epsilon)

    def order_of(log_rise):
        return min(1 + math.exp(log_rise), highest)

    def improved(order, log_rest, epsilon):
        rest = -_least_near(lambda t: at(order, -t, epsilon)[0], -log_rest, 0.0, 40.0)
        if jumps:
            return order, rest
        return order_of(_least_near(lambda u: at(order_of(u), rest, epsilon)[0], math.log(order - 1), -20.0, log_most)), rest

    log_most = math.log(min(highest, 1e15) - 1)
    # There are two least ones: about the order of the simple conversion, and near order 1, where the bound is by relative entropy.
    found, starts = [], [(order, -0.1) for order in jumps if order > 1]
    starts = starts or [(best_order(guarantee, lambda _: 0.0, epsilons[0])[0], -0.1), (1.001, -3.0)]
    for epsilon in epsilons:
        for _ in range(1 if found else 20):
            starts = [improved(*start, epsilon) for start in starts]
        order, log_rest = min(starts, key=lambda start: at(*start, epsilon)[0])
        if not jumps:  # the one near order 1 is not the least again
            starts = [start for start in starts if start is starts[0] or at(*start, epsilon)[0] < at(*starts[0], epsilon)[0] + 1]
        found.append((order, log_rest, at(order, log_rest, epsilon)[1]))
    return found


def pair_of(guarantee):
    """The worst pair under the converted guarantee at some thousand points, the last of which leaves less than e^-nats."""
    tangents = cache(lambda reach: _tangents(guarantee, [reach * i / POINTS for i in range(POINTS + 1)]))  # doubles, so good at every precision

    def law(nats):
        reach = 1e-6
        while best_order(guarantee, lambda _: 0.0, reach)[1] > -STEP * math.ceil(nats / STEP):  # few different ones
            reach *= 1.5
        lines, least_delta = [], arb(2)
        for order, log_rest, log_high in tangents(reach):
            order = fmpq(*order.as_integer_ratio())
            moment = (ball(order - 1) * ball(guarantee[0](order))).exp()
            low, high = -arb(log_rest).expm1(), arb(log_high).exp()
            ratio, delta = _tangent(ball(order), moment, low, high)
            if 0 <= low < high and delta < least_delta:
                lines.append((fmpq(1) if ratio <= 1 else ratio, 1 - delta))  # delta falls with the ratio
                least_delta = delta
        pair = laws.guarantee([line for line in lines if line[0] == 1][-1:] + [line for line in lines if line[0] > 1], loosely=True)
        pair.only_p, pair.only_q = up_to(pair.only_p), up_to(pair.only_q)  # what is told at once falls with the nats asked for
        return pair
    return law


class GuaranteedProfiles:
    """As Profiles, of a composition with such guarantees: bounds from above only."""

    def __init__(self, releases, direction, each_converted):
        self.guaranteed = [(r.guarantee, r.count) for r in releases if r.guarantee is not None]
        self.others = [r for r in releases if r.guarantee is None]
        self.direction, self.each_converted = direction, each_converted

    def at_most(self, epsilon, level):
        """Whether one of three bounds is at most the level: all moments together; the guarantees added up and converted, then composed with
        the rest; each converted, then composed."""
        if epsilon == -math.inf:
            return None, "delta(-inf) is 1"
        reasons = []
        for route in (self._by_moments, self._added_first, self._converted_first):
            try:
                found, seen = route(epsilon, level)
                if found:
                    return True, seen
                reasons.append(seen)
            except OutOfReach as reason:
                reasons.append(str(reason))
        return None, "; ".join(reasons)

    def at_least(self, *_):
        return None, "guarantees of Renyi divergences say nothing from below"

    stays_above_until = at_least

    def _by_moments(self, epsilon, level):
        if not self.guaranteed or epsilon == math.inf:
            return None, "no guarantee to add up"
        seen = ""
        for adding in ([False, True] if self.direction == "worst" else [self.direction == "add"]):
            with precision(256):
                value = self._moment_bound(adding, epsilon, level.ball())
                if not value <= level.ball():
                    return None, f"moments give {value.str(12)}"
                seen = f"by moments, delta is at most {value.str(12)}"
        return True, seen

    def _moment_bound(self, adding, epsilon, delta):
        nats = 20 - float(delta.log().mid()) + math.log(1 + sum(r.count for r in self.others))
        mu_squared = sum((r.count * r.mu_squared for r in self.others if r.mu_squared is not None), fmpq(0))
        pairs = [(r.pair(nats), r.count) for r in self.others if r.mu_squared is None]
        pairs = [(pair.swapped() if adding else pair, count) for pair, count in pairs]
        guarantee = added([*self.guaranteed, (zcdp({"rho": mu_squared / 2, "xi": fmpq(0)}), 1)])

        def moment(order):
            total = (ball(order - 1) * ball(guarantee[0](order))).exp()
            for pair, count in pairs:
                total *= pair.moment(ball(order - 1)) ** count
            return total

        order = best_order(guarantee, Outline(pairs, 0).log_moment, epsilon)[0]
        exactly = fmpq(*order.as_integer_ratio())
        told_at_once = infinite_mass(pairs) + left_out(pairs)
        bound = kernel(ball(exactly)) * moment(exactly) * (-ball(exactly - 1) * arb(epsilon)).exp() + told_at_once
        if bound <= delta or bound > 4 * delta or pairs:
            return bound
        order = _tangents(guarantee, [epsilon])[0][0]
        return min((_optimal_near(order, guarantee, moment, arb(epsilon).exp()) + told_at_once, bound), key=lambda x: float(x.mid()))

    def _added_first(self, epsilon, level):
        if not self.guaranteed or not self.others:
            return None, "nothing to compose added guarantees with"
        return _said(self._of_the_sum.at_most(epsilon, level))

    @cached_property
    def _of_the_sum(self):
        one = SimpleNamespace(count=1, symmetric=True, mu_squared=None, laplace_shift=None, pair=pair_of(added(self.guaranteed)))
        return Profiles(Composition([one, *self.others]), self.direction)

    def _converted_first(self, epsilon, level):
        return _said(self.each_converted.at_most(epsilon, level))


def _said(result):
    found, seen = result
    return found, f"what converted guarantees compose to: {seen}"
