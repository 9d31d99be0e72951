"""Guarantees of Renyi divergences: D_a of both orders of all neighbours is at most curve(a) for orders a > 1. No pair attains them;
what they imply is converted: delta(epsilon) <= e^((a - 1)(D_a - epsilon)) (1 - 1 / a)^(a - 1) / a for every order (Canonne, Kamath,
Steinke 2020, proposition 12). A guarantee is a function from orders, rational numbers, the highest order it covers, a double, and the orders at which it jumps."""
import math
from functools import cache, lru_cache, partial
from types import SimpleNamespace

from flint import arb, ctx, fmpq

import laws
from enclosure import OutOfReach, ball, double_below, precision, up_to
from outline import Outline, least
from pairs import infinite_mass, left_out

POINTS, MORE, STEP = 4000, 200, 20.0  # of a converted pair, those about the chord at 0, and steps of the nats up to which it goes: not so far that few digits hide what is there
LOOKS, FARTHEST = 50, 50.0  # places where a power is looked for, and the largest of them
NEWTON = 60           # steps at the most; some six are enough
EACH, ROUNDS = 16, 3  # of their places, those at which tangents are looked for first, and how often there
AS_GOOD = 1e-8        # of log delta
WORTH = 50             # of what is claimed, up to which a simple bound is improved
NEAR, CLOSE, CLOSER = 0.05, 1e-3, 0.1  # how far apart places are where a least one is looked for, at first, at last, and from one time to the next
SWEEPS = 6  # of three coordinates that lean on each other
FLATTEST = 25.0  # of -log(1 - low): farther, doubles do not tell where to go


def zcdp(p):
    return (lambda order: p["xi"] + p["rho"] * order), math.inf, ()


def tcdp(p):
    return (lambda order: p["rho"] * order), math.nextafter(float(p["omega"]), 1), ()


def rdp(p):
    """Divergences grow with the order, so that each bounds those of all lower orders."""
    table = sorted(zip(p["orders"], p["epsilons"]))
    return (lambda order: min(epsilon for a, epsilon in table if a >= order)), float(table[-1][0]), tuple(float(a) for a, _ in table)


def between_orders(p, order):
    """Of such a table: (a - 1) D_a is convex in the order and 0 at 1, and so below its chords."""
    epsilon = rdp(p)[0]
    low = max((a for a in [fmpq(1), *p["orders"]] if a <= order))
    high = min(a for a in p["orders"] if a >= order)
    at_low, at_high = (0 if a == 1 else (a - 1) * epsilon(a) for a in (low, high))
    return at_high / (order - 1) if low == high else (at_low + (at_high - at_low) * (order - low) / (high - low)) / (order - 1)


def bounded_range(p):
    """Of losses in a range of length epsilon. With r = e^-epsilon, E_Q y^a of the ratio y is by convexity at most that of two outcomes,
    y^(a - 1) (1 - r^a - y (r - r^a)) / (1 - r) with y the larger ratio; no y has more than ((a - 1) / a) (1 - r^a) / (r - r^a)."""
    def divergence(order):
        r, a = (-ball(p["epsilon"])).exp(), ball(order)  # at the precision that is asked for
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


def optimal(order, moment, mean, ratio):
    """A bound of delta = E_Q (y - k)_+, k = `ratio`, of a ratio y with E_Q y = `mean` and E_Q y^a <= `moment`, Q of mass 1 at most: for 0 <= y1 < y2 and so
    A > 0 the curve g(y) = A (y^a - y1^a - a y1^(a - 1) (y - y1)) is nowhere below 0, and y - k - g(y) is largest where g has slope 1, at y2. So
    delta <= E g + (y2 - k - g(y2))_+, whatever they are; y1 = 0 is proposition 12 (Asoodeh et al. 2021, theorem 3). In E g the terms of Q's mass add up to
    A (a - 1) y1^a, which grows with it."""
    def bound(low):
        return _of_tangents(order, moment, mean, low, _second(order, ratio, low))

    with precision(96):
        scale = bound(arb(0)).mid()
        low = arb(-math.expm1(-least(lambda t: float((bound(arb(-math.expm1(-t))) / scale - 1).mid()), 0.0, 30.0, steps=45)))
    return _bound_of(order, moment, mean, ratio, low)


def _curve(order, low, high):
    """g, of a power and its base."""
    fall = low ** (order - 1)
    factor = 1 / (order * (high ** (order - 1) - fall))
    return lambda power, y: factor * (power - low**order - order * fall * (y - low))


def _of_tangents(order, moment, mean, low, high):
    """E g."""
    return _curve(order, low, high)(moment, mean)


def _ahead(order, ratio, low, high):
    """y2 - k - g(y2)."""
    return high - ratio - _curve(order, low, high)(high**order, high)


def _second(order, ratio, low):
    """y2 where the second part is 0, for which the bound is least: by Newton's method from where it is for y1 = 0. The second part grows with y2,
    from below 0 at the ratio, and its slope lies between 1/2 and 1 - 1/a."""
    high, fall = (order / (order - 1) * ratio).mid(), low ** (order - 1)
    for _ in range(NEWTON):
        left = _ahead(order, ratio, low, high).mid()
        rise = high ** (order - 1)
        step = (left * high * (rise - fall) / ((high - ratio - left) * (order - 1) * rise)).mid()
        high = (high - step).max((high + ratio) / 2).mid()
        if abs(step) < high * arb(2) ** -(ctx.prec // 2):  # the next one is as small as what is rounded off
            break
    return high


def _bound_of(order, moment, mean, ratio, low):
    """The bound for y1 = low."""
    high = _second(order, ratio, low)
    if not 0 <= low < high:  # A would not be positive
        return arb(1)
    return _of_tangents(order, moment, mean, low, high) + _ahead(order, ratio, low, high).nonnegative_part()


def _optimal_near(order, guarantee, moment, mean, ratio):
    """The best of the orders about one, and of those near it where the guarantee jumps."""
    def at(nearby):
        nearby = fmpq(*nearby.as_integer_ratio())
        return optimal(ball(nearby), moment(nearby), mean, ratio)

    def order_of(log_rise):
        return min(1 + math.exp(log_rise), guarantee[1])

    centre = math.log(order - 1)
    first = at(order)
    log_rise = least(lambda u: float((at(order_of(u)) / first - 1).mid()), centre - 0.3, centre + 0.3, steps=36)
    jumps = [jump for jump in guarantee[2] if jump > 1 and abs(math.log(jump - 1) - centre) < 1]
    return min((at(nearby) for nearby in (order_of(log_rise), *jumps)), key=lambda x: float(x.mid()))


def best_order(guarantee, log_rest, epsilon):
    """An order at which the bound is least, and its logarithm in doubles; `log_rest(order - 1)`: the moments of what else there is."""
    _, highest, jumps = guarantee

    def log_bound(order):
        rise = order - 1
        return rise * (_divergence(guarantee, order) - epsilon) + rise * math.log(rise / order) - math.log(order) + log_rest(rise)

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
        slope = 1 + order * (1 - outer) / outer - rise * (1 - inner) / inner
        if not slope > 0:  # both are as good as one
            return math.inf, log_high
        step = (log_high - start + math.log(outer / inner)) / slope
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


@lru_cache(1000)
def _divergence(guarantee, order):
    """In doubles."""
    return float(ball(guarantee[0](fmpq(*order.as_integer_ratio()))).mid())


def _log_tangent_of(guarantee, order, log_rest, epsilon):
    return _log_tangent(order, (order - 1) * _divergence(guarantee, order), log_rest, epsilon)


def _least_near(f, place, low, high):
    """Where a function with one minimum has it, from a place next to it: downhill in longer and longer strides, then to the least of parabolas through
    three places, closer and closer to each other."""
    here, width = f(place), NEAR
    while width > CLOSE:
        (at_left, left), (at_right, right) = ((f(x), x) for x in (max(low, place - width), min(high, place + width)))
        lowest, there = min((at_left, left), (at_right, right))
        if lowest < here:
            here, place, width = lowest, there, 2 * width
            continue
        fall, rise = here - at_left, at_right - here
        if left < place < right and fall < 0 < rise < math.inf and fall > -math.inf:
            slopes = fall / (place - left), rise / (right - place)
            vertex = (place + left) / 2 + (right - left) / 2 * slopes[0] / (slopes[0] - slopes[1])
            here, place = min((here, place), (f(vertex), vertex))
        width *= CLOSER
    return place


def _between(one, other, share):
    """Of two pairs of an order and the logarithm of 1 - low."""
    (order, log_rest), (order2, log_rest2) = one, other
    return 1 + (order - 1) * ((order2 - 1) / (order - 1)) ** share, log_rest + share * (log_rest2 - log_rest)


def _tangents(guarantee, epsilons):
    """Orders, and the logarithms of 1 - low and of high, in doubles, of the least bounds at these ratios e^epsilon, which rise; each is looked for
    near the one next to it. Between two orders at which a table jumps the higher one says more, but for what else is added to it."""
    _, highest, jumps = guarantee

    def at(*tangent):
        return _log_tangent_of(guarantee, *tangent)

    def order_of(log_rise):
        return min(1 + math.exp(log_rise), highest)

    def improved(order, log_rest, epsilon, span):
        """From there; of a table also from where low^(order - 1) is about 1/20: far below that doubles do not tell where to go."""
        if jumps:
            log_rest = min(log_rest, math.log(-math.expm1(-3 / (order - 1))), key=lambda log_rest: at(order, log_rest, epsilon)[0])
        rest = -_least_near(lambda t: at(order, -t, epsilon)[0], -log_rest, 0.0, FLATTEST)
        if span is None:
            return order, rest
        return order_of(_least_near(lambda u: at(order_of(u), rest, epsilon)[0], math.log(order - 1), *span)), rest

    def between(places, first, last, one, other, span):
        """Of the places from the first up to the last, evenly from one tangent to the other where that is as good in the middle."""
        if last - first < 2:
            return [one]
        middle = (first + last) // 2
        halfway = _between(one, other, (middle - first) / (last - first))
        better = improved(*halfway, places[middle], span)
        if at(*halfway, places[middle])[0] - at(*better, places[middle])[0] < AS_GOOD:
            return [_between(one, other, i / (last - first)) for i in range(last - first)]
        return between(places, first, middle, one, better, span) + between(places, middle, last, better, other, span)

    def tracked(start, places, span):
        """Looked for at few places: next to what is least, errors are squared."""
        for _ in range(20):
            start = improved(*start, places[0], span)
        for first in range(0, len(places), EACH):
            last, following = min(first + EACH, len(places) - 1), start
            for _ in range(ROUNDS):
                following = improved(*following, places[last], span)
            for epsilon, tangent in zip(places[first:], between(places, first, last, start, following, span)):
                log_delta, log_high = at(*tangent, epsilon)
                yield log_delta, (*tangent, log_high)
            start = following

    def span_to(order, before):
        """Of the logarithms of the orders less 1 up to a jump from the one before, or None where all are told by the jump itself."""
        low, high = math.log(before - 1) if before > 1 else -20.0, math.log(order - 1)
        return None if _divergence(guarantee, order_of((low + high) / 2)) == _divergence(guarantee, order) else (low, high)

    backwards = epsilons[::-1]
    if jumps:
        ends = sorted({order for order in (*jumps, highest) if 1 < order < math.inf})
        found = zip(*(tracked((order, -0.1), epsilons, span_to(order, before)) for before, order in zip([1.0, *ends], ends)))
        return [min(each)[1] for each in found]
    span = -20.0, math.log(min(highest, 1e15) - 1)
    # There are two least ones: about the order of the simple conversion, down to where it ends, and near order 1, where the bound is by relative entropy.
    simple = list(tracked((best_order(guarantee, lambda _: 0.0, backwards[0])[0], -0.1), backwards, span))[::-1]
    found = [tangent for _, tangent in simple]
    for i, (log_delta, tangent) in enumerate(tracked((1.001, -3.0), epsilons, span)):
        if log_delta > simple[i][0] + 1:  # nor is it the least again
            break
        found[i] = tangent if log_delta < simple[i][0] else found[i]
    return found


def _moment_at(guarantee, order):
    """What E_Q y^a is at most."""
    return (ball(order - 1) * ball(guarantee[0](order))).exp()


def _point(guarantee, order, log_rest, log_high):
    """A ratio and a bound of delta there from doubles that name a tangent, or None twice where they name none."""
    order = fmpq(*order.as_integer_ratio())
    moment = _moment_at(guarantee, order)
    low, high = -arb(log_rest).expm1(), arb(log_high).exp()
    return _tangent(ball(order), moment, low, high) if 0 <= low < high else (None, None)


def pair_of(guarantee):
    """The worst pair under the converted guarantee at some thousand points, the last of which leaves less than e^-nats."""
    def chord(epsilon, order, log_rest, _):
        """At 0, between delta(epsilon) = d and what is 1 - (1 - d) / e^epsilon at -epsilon."""
        y, delta = math.exp(-epsilon), math.exp(min(0.0, _log_tangent_of(guarantee, order, log_rest, epsilon)[0]))
        return (1 - y + 2 * delta * y) / (1 + y)

    @cache  # doubles, so good at every precision
    def tangents(reach):
        """Evenly up to there, and close to each other where the chord at 0 has its ends: between them the pair has no losses."""
        def at(places):
            return list(zip(places, _tangents(guarantee, places)))

        stride = reach / POINTS
        evenly = at([stride * i for i in range(POINTS + 1)])
        end = min(evenly, key=lambda tangent: chord(tangent[0], *tangent[1]))[0]
        nearby = at([max(0.0, end + stride * (2 * i / MORE - 1)) for i in range(MORE + 1)])
        return [tangent for _, tangent in sorted(evenly + nearby)]

    @cache
    def reach_of(steps):
        reach = 1e-6
        while best_order(guarantee, lambda _: 0.0, reach)[1] > -STEP * steps:
            reach *= 1.5
        return reach

    @cache
    def law(reach, _):
        points = (_point(guarantee, *tangent) for tangent in tangents(reach))
        return laws.under_points([(ratio, delta) for ratio, delta in points if ratio is not None])

    return lambda nats: law(reach_of(max(3, math.ceil(nats / STEP))), ctx.prec)  # few different ones


def _polished(look, place, fixed, sweeps=1):
    """Next to coordinates where a function is about least, better ones: one after the other, in ever smaller surroundings."""
    for width in (1e-2, 1e-3, 1e-4, 1e-5, 1e-6):
        for i in sweeps * sorted(set(range(len(place))) - fixed):
            def moved(share):
                return *place[:i], place[i] + share * width, *place[i + 1 :]

            tried = moved(least(lambda share: look(*moved(share)), -1.0, 1.0, steps=20))
            place = tried if look(*tried) < look(*place) else place
    return place


def delta_of(guarantee, epsilon):
    """A bound of delta at a double from 0 on, by the order and the lower point of tangency that are best in doubles."""
    def tangent(log_rise, log_rest):
        return min(1 + math.exp(log_rise), guarantee[1]), log_rest

    def look(log_rise, log_rest):
        return _log_tangent_of(guarantee, *tangent(log_rise, log_rest), epsilon)[0]

    order, log_rest, _ = _tangents(guarantee, [epsilon])[0]
    order, log_rest = tangent(*_polished(look, (math.log(order - 1), log_rest), {0} if guarantee[2] else set()))
    order = fmpq(*order.as_integer_ratio())
    return _bound_of(ball(order), _moment_at(guarantee, order), arb(1), arb(epsilon).exp(), (-arb(log_rest).expm1()).mid())


class GuaranteedPower:
    """As Power, of releases that all have guarantees, which are added up first: bounds from above only. Of every point of the profile and of
    that of the way back, which `_tangent` gives, the power is at most delta + alpha ratio and 1 - (1 - alpha - delta) / ratio."""

    def __init__(self, guarantee):
        self.guarantee, self._known = guarantee, {}

    def at_most(self, alpha, end, is_power):
        return self._compared(alpha, end, is_power, lambda power, claimed: True if power <= claimed else None)

    def at_least(self, alpha, end, is_power):
        return self._compared(alpha, end, is_power, lambda power, claimed: False if power < claimed else None)

    def _compared(self, alpha, end, is_power, compare):
        with precision(256):
            if alpha not in self._known:
                self._known[alpha] = self._bound(alpha)
            return compare(self._known[alpha], arb(end) if is_power else 1 - arb(end)), f"by the guarantees alone the power is at most {self._known[alpha].str(12)}"

    def _bound(self, alpha):
        if alpha == 0:  # a finite divergence: where Q has nothing P has nothing
            return arb(0)
        ahead = self._least(lambda delta, ratio: delta + alpha * ratio)
        back = self._least(lambda delta, ratio: -(1 - delta - alpha) / ratio)  # without the 1, next to which doubles tell little
        return ahead.min(1 + back).min(arb(1)).upper()

    def _least(self, bound):
        """Where doubles have a bound least, by balls."""
        def look(epsilon, log_rise, log_rest):
            return bound(math.exp(min(0.0, _log_tangent_of(self.guarantee, self._order(log_rise), log_rest, epsilon)[0])), math.exp(epsilon))

        def best(epsilon):
            order, log_rest, _ = _tangents(self.guarantee, [epsilon])[0]
            return epsilon, math.log(order - 1), log_rest

        stride = FARTHEST / LOOKS
        near = min((stride * i for i in range(LOOKS)), key=lambda epsilon: look(*best(epsilon)))
        place = best(least(lambda epsilon: look(*best(epsilon)), max(0.0, near - stride), near + stride, steps=20))
        epsilon, log_rise, log_rest = _polished(look, place, {1} if self.guarantee[2] else set(), SWEEPS)
        order = self._order(log_rise)
        ratio, delta = _point(self.guarantee, order, log_rest, _log_tangent_of(self.guarantee, order, log_rest, epsilon)[1])
        return bound(delta, ratio) if ratio is not None and ratio >= 1 else arb(1)

    def _order(self, log_rise):
        return min(1 + math.exp(log_rise), self.guarantee[1])


def added_of_all(releases):
    """The guarantee of all releases together; None where one has none."""
    return added([(r.guarantee, r.count) for r in releases]) if releases and all(r.guarantee is not None for r in releases) else None


def bound_of_all(releases):
    """What bounds delta in a direction, at a double, by the guarantees alone: added up; or of one release on a sample. None where there is more than that."""
    guarantee = added_of_all(releases)
    if guarantee is not None:
        return lambda _, epsilon: _at(guarantee, arb(epsilon))
    if len(releases) == 1 and releases[0].count == 1 and releases[0].renyi and getattr(releases[0], "scheme", None) and releases[0].rate > 0:
        return partial(_on_a_sample, releases[0])
    return None


def _on_a_sample(release, adding, epsilon):
    """With P' = (1 - q) Q + q P, E (P' - y Q)_+ is q E (P - k Q)_+, k = (y - 1 + q) / q; of a spliced pair so are its gains."""
    guarantee, rate = release.type.renyi(release.parameters), ball(release.rate)

    def removed(y):
        k = (y - 1 + rate) / rate
        return rate * _at(guarantee, k.log()) if k > 0 else (1 - y).max(arb(0)) if k <= 0 else arb(1)

    y = arb(epsilon).exp()
    back = epsilon < 0 if release.symmetric else adding
    return 1 - y + y * removed(1 / y) if back else removed(y)


def _at(guarantee, log_ratio):
    """E (P - k Q)_+ of both orders: at a double below log k, where it is no less. For k < 1 it is 1 - k and k times that of 1/k: at most their sum without the k."""
    there, ratio = delta_of(guarantee, max(0.0, double_below(abs(log_ratio)))), log_ratio.exp()
    return there if log_ratio >= 0 else 1 - ratio + ratio * there if log_ratio < 0 else there + (1 - ratio).nonnegative_part()


def added_first(releases):
    """The releases with the guarantees among them added up and converted as one; None where there is one or none."""
    guaranteed = [(r.guarantee, r.count) for r in releases if r.guarantee is not None]
    if sum(count for _, count in guaranteed) < 2:
        return None
    together = SimpleNamespace(count=1, symmetric=True, mu_squared=None, laplace_shift=None, renyi=True, pair=pair_of(added(guaranteed)))
    return [together, *(r for r in releases if r.guarantee is None)]


class GuaranteedProfiles:
    """As Profiles, of a composition with such guarantees: bounds from above only. `converted`: Profiles of what they may be converted to."""

    def __init__(self, releases, direction, converted):
        self.guaranteed = [(r.guarantee, r.count) for r in releases if r.guarantee is not None]
        self.others, self.alone = [r for r in releases if r.guarantee is None], bound_of_all(releases)
        self.direction, self.converted = direction, converted

    def at_most(self, epsilon, level):
        """Whether one of these bounds is at most the level: all moments together; or what is converted, and composed with the rest."""
        if epsilon == -math.inf:
            return None, "delta(-inf) is 1"
        reasons = []
        for name, route in (("", self._by_moments), ("", self._on_a_sample), *(("what converted guarantees compose to: ", profiles.at_most) for profiles in self.converted)):
            try:
                found, seen = route(epsilon, level)
                if found:
                    return True, name + seen
                reasons.append(name + seen)
            except OutOfReach as reason:
                reasons.append(str(reason))
        return None, "; ".join(reasons)

    def at_least(self, *_):
        return None, "guarantees of Renyi divergences say nothing from below"

    stays_above_until = at_least

    def _on_a_sample(self, epsilon, level):
        if self.guaranteed or not self.alone or epsilon == math.inf:
            return None, "it is no guarantee alone on a sample"
        with precision(256):
            values = [self.alone(adding, epsilon) for adding in ([False, True] if self.direction == "worst" else [self.direction == "add"])]
            value = values[0].max(values[-1])
            return bool(value <= level.ball()) or None, f"alone, delta({epsilon!r}) is at most {value.str(12)}"

    def _by_moments(self, epsilon, level):
        """Below 0 by the way back, delta(-e) = 1 - e^-e + e^-e delta(e), as guarantees are of both orders."""
        if not self.guaranteed or epsilon == math.inf:
            return None, "no guarantee to add up"
        seen = ""
        for adding in ([False, True] if self.direction == "worst" else [self.direction == "add"]):
            with precision(256):
                most = level.ball()
                if epsilon < 0:
                    adding, most = not adding, 1 + arb(-epsilon).exp() * (most - 1)
                if not most > 0:
                    return None, "no moment gives a delta of 0"
                value = self._moment_bound(adding, abs(epsilon), most)
                if not value <= most:
                    return None, f"moments give {value.str(12)} at {abs(epsilon)!r}"
                seen = f"by moments, delta({abs(epsilon)!r}) is at most {value.str(12)}"
        return True, seen

    def _moment_bound(self, adding, epsilon, delta):
        nats = 20 - float(delta.log().mid()) + math.log(1 + sum(r.count for r in self.others))
        mu_squared = sum((r.count * r.mu_squared for r in self.others if r.mu_squared is not None), fmpq(0))
        pairs = [(r.pair(nats), r.count) for r in self.others if r.mu_squared is None]
        pairs = [(pair.swapped() if adding else pair, count) for pair, count in pairs]
        guarantee = added([*self.guaranteed, (zcdp({"rho": mu_squared / 2, "xi": fmpq(0)}), 1)])

        def moment(order):
            total = _moment_at(guarantee, order)
            for pair, count in pairs:
                total *= pair.moment(ball(order - 1)) ** count
            return total

        order = best_order(guarantee, Outline(pairs, 0).log_moment, epsilon)[0]
        exactly = fmpq(*order.as_integer_ratio())
        told_at_once = infinite_mass(pairs) + left_out(pairs)
        bound = kernel(ball(exactly)) * moment(exactly) * (-ball(exactly - 1) * arb(epsilon)).exp() + told_at_once
        if not pairs:
            bound = delta_of(guarantee, epsilon).upper().min(bound)
        if bound <= delta or bound > WORTH * delta:
            return bound
        order = order if pairs else _tangents(guarantee, [epsilon])[0][0]
        mean = 1 - up_to(told_at_once)
        return min((_optimal_near(order, guarantee, moment, mean, arb(epsilon).exp()) + told_at_once, bound), key=lambda x: float(x.mid()))
