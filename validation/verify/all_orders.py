"""rho of zCDP: the least one with D_a <= rho a at every order a > 1, D_a the Renyi divergence of composed pairs (Bun, Steinke 2016). K(a) = (a - 1) D_a =
log E_P e^((a - 1) loss) is convex and 0 at 1: between two orders D_a <= rho a holds where the chord of K stays below rho a (a - 1)."""
import math
from functools import cache, reduce

from flint import arb, fmpq

from allocation import told_in_cells
from enclosure import Uncertain, ball, exact, precision, up_to
from outline import Outline, least
from pairs import Pair
from renyi import between_orders, bounded_range

LOWEST, HIGHEST, FAR = 1 + 1e-5, 10**6, 10**30  # orders; up to the last one where only those of noise are asked
LOOKS, MOST = 24, 1000  # orders looked at, and intervals of them
NATS, BITS = 60, 192
MOST_NATS = 20_000  # of what is left out of a pair


def of_pure(epsilon):
    """Of epsilon-DP (docs/budgets.md, 5)."""
    return epsilon * (epsilon / 2).tanh()


def of_range(length):
    """Of losses in a range of that length (Harrison, Manurangsi 2026)."""
    growth = length.expm1()
    return (growth / length).log() - 1 + length / growth if length > 0 else arb(0)


def of_laplace(shift):
    """Of Laplace noise (docs/budgets.md, 6)."""
    return shift + (-shift).exp() - 1


def mu_squared_of(release, parameters):
    """Of Gaussian noise; discrete noise loses no more, and as much at whole orders (Canonne, Kamath, Steinke 2020)."""
    if release.name == "discrete-gaussian":
        return (parameters["sensitivity"] / parameters["sigma"]) ** 2
    return release.type.mu_squared(parameters) if release.type.mu_squared and not release.type.renyi else None


def rho_on_all_data(release, parameters):
    """What theorems say of a mechanism by its name: rational numbers or balls."""
    mu_squared, shift = mu_squared_of(release, parameters), release.type.laplace(parameters) if release.type.laplace else None
    found = [] if mu_squared is None else [mu_squared / 2]
    if shift is not None:
        found.append(of_laplace(ball(shift)))
    if release.name == "exponential":
        found += [parameters["epsilon"] ** 2 / 8, of_range(ball(parameters["epsilon"]))]  # the former: Cesar, Rogers 2021
    if release.name == "zcdp":
        found.append(parameters["rho"] + parameters["xi"])  # as xi <= xi a
    if release.name == "gaussian-mixture":  # of its largest shift, as divergences are quasi-convex (van Erven, Harremoes 2014)
        found.append((max(parameters["shifts"]) / parameters["sigma"]) ** 2 / 2)
    return found


def on_all_data(release, of_pair=False):
    """The release on all data and its parameters there; where opposite values are in a sample, one is twice as far from the other. None of what has none. A record that is blanked out
    takes no other's place on all data; `of_pair`: as it does in the pair of a batch of fixed size."""
    base = getattr(release, "on_all_data", release)
    parameters = getattr(base, "asked" if getattr(base, "blanked_out", False) and not of_pair else "parameters", None)
    return base, base.type.grouped(parameters, 2) if parameters and base.opposite else parameters


def bounds_of_rho(release, of_pair=False):
    """Of one release. A sample has no more than all data, as hockey-stick divergences are jointly convex; nor has an epoch. Of a replaced record, which is drawn with chance q, Q is at
    least 1 - q times what it is without the record, so that D_a is at most that of the removal less log(1 - q)."""
    found = []
    if _is_bounded(release):
        low, high = map(ball, release.pair(NATS).range)
        found = [of_pure(high.max(-low)), of_range(high - low)]
    if part := getattr(release, "part", None):
        return found + [part[1] * bound for bound in bounds_of_rho(part[0], of_pair)]
    base, parameters = on_all_data(release, of_pair)
    if parameters:
        found += rho_on_all_data(base, parameters)
        if base.opposite and base.rate < 1:
            found += [bound - (-ball(base.rate)).log1p() for bound in rho_on_all_data(base, base.parameters)]
    if one := in_turn(release):
        found += [fmpq(release.group**2 * one[1], release.count) * bound for bound in bounds_of_rho(one[0])]
    together = of_fewer(release, lambda each: _least(found) if (found := bounds_of_rho(each)) else None)
    return found if together is None else [*found, together]


def in_turn(release):
    """One record's releases and their number, where a group's records may be changed one after the other: rho of the group is at most that times the square of its size
    (Bun, Steinke 2016, proposition 27)."""
    return told(release.base) if getattr(release, "in_turn", False) else None


def of_fewer(release, cost):
    """Of a group, n_t of whose k records are drawn for a release, alike under both data sets: as divergences are convex, the most that any draw has. Costs f(n) add up, and as
    n_t <= k add up to k times a record's releases, those have at most k f(n) / n of as many, with the n of which this is the most."""
    if not getattr(release, "fewer", None):
        return None
    shares = []
    for n in range(1, release.group + 1):
        each = release.fewer(n)
        if (found := cost(each)) is None:
            return None
        shares.append(fmpq(release.group * each.count, n * release.count) * found)
    if all(isinstance(share, fmpq) for share in shares):
        return max(shares)
    return reduce(arb.max, map(ball, shares))


class Orders:
    """Of profiles' composition in their directions. Each comparison of rho gives True, False, or None; and what was seen."""

    def __init__(self, profiles):
        self.composition, self.directions = profiles.composition, profiles.directions

    def is_at_most(self, rho):
        found, seen = self._is_bounded_by(rho)
        if found:
            return True, seen
        exceeds, counterexample = self._exceeds(rho)
        return (False, counterexample) if exceeds else (None, seen)

    def is_at_least(self, rho):
        if not self.composition.others:
            return self.composition.mu_squared / 2 >= exact(rho), "it is Gaussian noise"
        found, seen = self._exceeds(rho)
        if found:
            return True, seen
        bounded, counterexample = self._is_bounded_by(math.nextafter(rho, 0))
        return (False, counterexample) if bounded else (None, seen)

    def _is_bounded_by(self, rho):
        """Whether D_a <= rho a at all orders. Releases whose losses have no end are taken with the bounds of theorems."""
        with precision(BITS):
            known = [(release, count, bounds_of_rho(release)) for release, count in map(told, self.composition.releases)]
            if not all(bounds for *_, bounds in known):
                return None, "no theorem here bounds a release's large orders"
            by_theorems = sum((count * _least(bounds) for _, count, bounds in known), fmpq(0))
            if by_theorems <= exact(rho) if isinstance(by_theorems, fmpq) else by_theorems <= arb(rho):
                return True, f"by theorems it is at most {ball(by_theorems).str(12)}"
            for factor, of_pairs in self._by_factors(known):
                rest = arb(rho) - sum((count * ball(_least(bounds)) for release, count, bounds in known if release not in of_pairs), arb(0))
                if rest > 0 and all(self._covered(of_pairs.values(), adding, rest / factor) for adding in self.directions):
                    return True, "by chords between orders"
            return None, f"by theorems it is at most {ball(by_theorems).str(12)}"

    @staticmethod
    def _by_factors(known):
        """Releases whose pairs say most of their divergences, with these and their number; and those whose group has at most a factor times what one record has, with its."""
        found = {}
        for release, count, _ in known:
            if _is_bounded(release):
                found.setdefault(1, {})[release] = release, count
            elif (one := in_turn(release)) and _is_bounded(one[0]):
                found.setdefault(release.group**2, {})[release] = one
        return found.items()

    def _exceeds(self, rho):
        """Whether D_a > rho a at some order, in some direction."""
        with precision(BITS):
            for adding in self.directions:
                if self.composition._masses(adding)[0] > 0:
                    return True, "some losses are infinite"
                for order in self._orders(adding):
                    try:
                        value = self._least_log_moment(adding, order)
                    except Uncertain:
                        continue
                    if value > arb(rho) * order * (order - 1):
                        return True, f"D of order {float(order):g} is at least {(value / (order - 1)).str(12)}"
        return None, "no order was found at which it is as much"

    def _covered(self, releases, adding, rho):
        """From order 1, where K is 0, up to where D_a is no more as the largest loss is not; what is left out of a pair has no more than that."""
        pairs = [(self.composition._pair(release, adding, NATS), count) for release, count in releases]
        highest = sum((count * ball(pair.range[1]) for pair, count in pairs), arb(0))
        end = float((highest / rho).upper()) * 1.001 + LOWEST
        if not end < HIGHEST:
            return False

        @cache
        def value(order):
            if order == 1:
                return arb(0)
            rise = arb(order) - 1
            return sum((count * log_moment(pair, rise) for pair, count in pairs), arb(0))

        left, looks = [(1.0, LOWEST), (LOWEST, end)], 0
        while left:
            low, high = left.pop()
            if _is_below(arb(low), value(low), arb(high), value(high), rho):
                continue
            looks, middle = looks + 1, 1 + math.sqrt((low - 1) * (high - 1))
            if looks > MOST or not low < middle < high:
                return False
            left += [(low, middle), (middle, high)]
        return True

    def _orders(self, adding):
        """Some far out, which cost least, and where it is large as far as doubles tell."""
        if any(slope_of(release, adding) is not None for release in self.composition.others):
            yield from map(arb, (FAR, HIGHEST))
        pairs = [(told_in_cells(self.composition._pair(release, adding, NATS)), release.count) for release in self.composition.others]
        outline = Outline(pairs, self.composition.mu_squared)

        def height(log_rise):
            rise = math.exp(log_rise)
            return outline.log_moment(rise) / (rise * (1 + rise))

        low, high = math.log(LOWEST - 1), math.log(HIGHEST - 1)
        step = (high - low) / LOOKS
        best = max((low + step * i for i in range(LOOKS + 1)), key=height)
        near = least(lambda u: -height(u), max(low, best - step), min(high, best + step), steps=30)
        yield from (arb(1 + math.exp(near)), arb(LOWEST))

    def _least_log_moment(self, adding, order):
        """From below: what a pair leaves out adds to its moments. Where the record is removed from a sample, P is at least its chance q times what it is on all data, so that K(a) is at
        least a log q and that of all data."""
        total = ball(self.composition.mu_squared) * order * (order - 1) / 2
        for release in self.composition.others:
            if _is_of_a_range(release):
                one = (order - 1) * bounded_range(release.parameters)[0](order)
            elif order >= HIGHEST and (slope := slope_of(release, adding)):
                one = ball(slope[0]) * order * (order - 1) / 2 + order * ball(slope[1]).log()
            elif order > HIGHEST:
                one = arb(0)
            else:
                one = told_in_cells(self.composition._pair(release, adding, NATS)).moment(order - 1).log()
            total += release.count * one
        return total


def log_moment(pair, rise, log_larger=None):
    """K of all outcomes of a pair whose losses have an end; else, with Q's ratio r and O what is left out, E r^a over O is at most sqrt(E r^(2 a) Q(O))."""
    end = pair.range[1]
    lost = pair.lost_p * (rise * ball(end)).exp() if end is not None else (log_larger.exp() * pair.lost_q).sqrt()
    return (pair.moment(rise) + up_to(lost)).log()


def divergence(release, order):
    """The larger direction's at one order; None of losses without an end of which nothing is known, or where no guarantee says."""
    if is_converted(release):
        if not release.guarantee or float(order) > release.guarantee[1]:
            return None
        return between_orders(release.parameters, order) if release.name == "rdp" else release.guarantee[0](order)
    if _is_of_a_range(release):
        return bounded_range(release.parameters)[0](order)
    log_larger = None if has_ends(release) else _log_moment_at_most(release, 2 * order)
    nats = NATS if log_larger is None else 2 * NATS + float(log_larger.upper())
    pair = release.pair(nats) if nats < MOST_NATS else None
    if not isinstance(pair, Pair) or not (pair.only_p.is_zero() and pair.only_q.is_zero()) or (log_larger is None and None in pair.range):  # or an epoch
        return None
    rise = ball(order - 1)
    return log_moment(pair, rise, log_larger).max(log_moment(pair.swapped(), rise, log_larger)) / rise


def _log_moment_at_most(release, order):
    """A bound of log E_Q r^order in both directions, which need not be sharp; None where none is known. A sample has no more than all data, as E r^a is jointly convex."""
    base, parameters = on_all_data(release, of_pair=True)
    if parameters and base.name in ("skellam", "poisson-difference"):
        plus, minus = (parameters[name] if name in parameters else parameters["variance"] / 2 for name in ("plus", "minus"))
        power = ball(order * parameters["sensitivity"])
        return _log_moment_of_poissons(plus, minus, power).max(_log_moment_of_poissons(minus, plus, power))
    if parameters and base.name == "generalized" and parameters["shape"] != 2:
        return _log_moment_of_power(ball(parameters["shape"]), ball(parameters["sensitivity"] / parameters["scale"]), ball(order))
    bounds = bounds_of_rho(release, of_pair=True)
    return ball(order * (order - 1)) * _least(bounds) if bounds else None


def _log_moment_of_poissons(plus, minus, power):
    """Of X - Y, two Poisson variables of these means, moved up by s, with power = a s. f(x - 1) / f(x) = (x + minus f(x + 1) / f(x)) / plus rises with x, as f is
    log-concave. So f(x + 1) / f(x) is at most plus / (x + 1) for x >= 0, and f(x - 1) / f(x) at most minus + max(x, 0) / plus. With y = minus + X / plus
    then, r^a <= y^(a s), which for any t > 0 is at most (a s / (e t))^(a s) e^(t y)."""
    plus, minus = ball(plus), ball(minus)
    t = (power / (minus + 1)).min(plus * power.log1p())
    return power * ((power / t).log() - 1) + t * minus + plus * (t / plus).expm1()


def _log_moment_of_power(p, s, order):
    """Of a density proportional to e^(-|x|^p) moved by s. With y = |x| + s the loss is at most p s y^(p - 1), as |x - s| <= y, and y^p <= 2^(p - 1) (|x|^p + s^p), as p >= 1. Take
    half of that exponent away: with c = order p s, c y^(p - 1) - 2^-p y^p is at most c / p y^(p - 1) at y = 2^p c (p - 1) / p. What is left of the mean is
    E e^((|x|^p + s^p) / 2) = 2^(1 / p) e^(s^p / 2)."""
    c = order * p * s
    return c / p * (2**p * c * (p - 1) / p) ** (p - 1) + s**p / 2 + arb(2).log() / p


def is_converted(release):
    """Whether its pair is what Renyi guarantees imply, whose ends and infinite losses say nothing of its divergences."""
    return release.renyi and release.guaranteed


def has_ends(release):
    """Whether its finite losses have, and it has no others in either direction."""
    if is_converted(release):
        return False
    pair = release.pair(NATS)
    return None not in pair.range and pair.only_p.is_zero() and pair.only_q.is_zero()


def _is_bounded(release):
    """Whether it has ends, and its pair says most of its divergences."""
    return has_ends(release) and not _is_of_a_range(release)


def _is_of_a_range(release):
    """Whether some two candidates, of the best odds for an order, have the divergence of the guarantee at that."""
    return getattr(release, "name", None) == "exponential" and release.scheme is None


def slope_of(release, adding):
    """mu^2 of Gaussian noise, and its share of the larger law, which give D_a but for a constant; None where there is no such part. Of a replaced record the share is half as large:
    Q has more than without the record only where a half, at most, of that of all data lies."""
    if part := getattr(release, "far_out", None) or getattr(release, "part", None):
        base, times, share = part
        found = None if adding else slope_of(base, adding)
        return found and (times * found[0], ball(share) * ball(found[1]) ** times)
    if not hasattr(release, "parameters") or release.splices or release.rate == 0 or (adding and (release.scheme or release.name == "gaussian-mixture")):
        return None
    share, p = (release.rate / (2 if release.opposite else 1)) if release.scheme else fmpq(1), release.parameters
    if release.name == "gaussian-mixture":
        farthest = max(p["shifts"])
        return (farthest / p["sigma"]) ** 2, share * sum(w for x, w in zip(p["shifts"], p["weights"]) if x == farthest) / sum(p["weights"])
    mu_squared = mu_squared_of(release, p)
    return None if mu_squared is None else (mu_squared, share)


def told(release):
    """The releases that a record of an epoch is in, and how many, where the epoch's own moments are not known."""
    count = release.count
    while not isinstance(release.pair(NATS), Pair):
        release, times, _ = release.part
        count *= times
    return release, count


def _least(bounds):
    """Exactly where all are rational numbers."""
    return min(bounds) if all(isinstance(bound, fmpq) for bound in bounds) else min(map(ball, bounds), key=lambda bound: float(bound.mid()))


def _is_below(low, at_low, high, at_high, rho):
    """Whether the chord is below rho a (a - 1), where the difference, which is convex, is least."""
    slope = (at_high - at_low) / (high - low)
    place = ((slope / rho + 1) / 2).max(low).min(high)
    return bool(rho * place * (place - 1) >= at_low + slope * (place - low))
