"""Points of the trade-off function f(alpha), or of the power 1 - f(alpha): the least value of delta(epsilon) + alpha e^epsilon (Dong, Roth,
Su 2022, proposition 2.12), which is a convex function of x = e^epsilon."""
import itertools
import math
from contextlib import suppress
from functools import reduce
from statistics import NormalDist

from flint import arb, fmpq

from closed_forms import gaussian_power
from enclosure import OutOfReach, ball, double_below, exact, precision
from outline import least

MOST_ROUNDS, BITS = 100, 256
COARSE, FINER, FINEST = 1e-4, 0.05, 1e-40  # errors of values, relative to the power or f: at first, from one time to the next, and where it is given up
NOISE, NEAREST = 0.1, 1e-3  # of what is not told yet that errors may be, and how far apart the first places are at least
SMALL = exact(1e-3)  # errors of a test that a bound may tell
FINENESSES, STEPS = (1, 2, 4, 8, 16), 30  # of grids, in cells of the first, and of a search on them
WIDTHS = (1e-2, 1e-4, 1e-8, 1e-12, 1e-15)  # of what is left to 0 or 1, to which a power in steps is told


class Power:
    """The power of one composition's best tests, held against numbers."""

    def __init__(self, profiles):
        self.profiles, self._searches = profiles, {}

    def at_most(self, alpha, end, is_power):
        """Whether the power is at most `end`, or at most 1 - end where that is a type II error; and what was seen."""
        if seen := self._on_grids(alpha, end, is_power, self._grid_above, lambda power, claimed: power <= claimed):
            return True, seen
        return self._compared(alpha, end, is_power, lambda power, claimed: power <= claimed, lambda power, claimed: power > claimed)

    def at_least(self, alpha, end, is_power):
        if end == (1 if is_power else 0):
            return self._is_certain(alpha)
        error = 1 - exact(end) if is_power else exact(end)
        if error < SMALL and 0 < alpha < 1 and (seen := self._misses_no_more(alpha, error)):
            return True, seen
        if seen := self._on_grids(alpha, end, is_power, self._grid_below, lambda power, claimed: power >= claimed):
            return True, seen
        return self._compared(alpha, end, is_power, lambda power, claimed: power >= claimed, lambda power, claimed: power < claimed)

    def _on_grids(self, alpha, end, is_power, bound, holds):
        """What finer and finer grids say of epochs, of which there is no transform; None where they do not say that it holds."""
        composition, error = self.profiles.composition, 1 - end if is_power else end
        if not (0 < alpha < 1 and 0 < error < 1 and any(map(composition.on_grids, self.profiles.directions))):
            return None
        ends = sorted(math.log(x) for x in (error / (1 - alpha), (1 - error) / alpha))
        with precision(BITS), suppress(OutOfReach):
            claimed = arb(end) if is_power else 1 - arb(end)
            for fineness in FINENESSES:
                power = bound(alpha, *ends, arb(min(error, 1 - error)) * COARSE, fineness)
                if holds(power, claimed):
                    return f"on a grid, the power is {'at most' if bound == self._grid_above else 'at least'} {power.str(12)}"
        return None

    def _grid_below(self, *asked):
        return reduce(arb.max, (self.profiles.composition.power(adding, *asked) for adding in self.profiles.directions))

    def _grid_above(self, alpha, low, high, size, fineness):
        bounds = [self.profiles.composition.grid_above(adding, low, high, size, fineness) for adding in self.profiles.directions]

        def power(epsilon):
            return reduce(arb.max, (bound(epsilon) for bound in bounds)) + arb(alpha) * arb(epsilon).exp()

        return power(least(lambda epsilon: float(power(epsilon).mid()), low, high, STEPS))

    def _is_certain(self, alpha):
        """Whether a test of error alpha never misses P: it rejects all that P may give."""
        with precision(256):
            composition = self.profiles.composition
            masses = [composition.possible_in_q(adding) for adding in self.profiles.directions]
            seen = f"all that P may give has Q's mass {min(masses, key=lambda mass: mass.mid()).str(12)}"
            if any(mass <= alpha for mass in masses):
                return True, seen
            if all(mass > alpha for mass in masses):
                return False, seen
        raise OutOfReach(seen)

    def _misses_no_more(self, alpha, error):
        """What says that a test of error alpha has a type II error that is so small; None where nothing does."""
        with precision(256), suppress(OutOfReach):
            for adding in self.profiles.directions:
                bound = self.profiles.composition.error_bound(adding, alpha, arb(error))
                if bound <= error:
                    return f"the type II error is at most {bound.str(12)}"
        return None

    def _compared(self, alpha, end, is_power, holds, fails):
        search = self._searches.get(alpha)
        if search is None:
            search = self._searches[alpha] = _Search(self.profiles, alpha, *((end, 1 - end) if is_power else (1 - end, end)))
        while True:
            with precision(search.bits):
                claimed = arb(end) if is_power else 1 - arb(end)
                seen = f"the power is {search.power.str(12)}"
                if holds(search.power, claimed):
                    return True, seen
                if fails(search.power, claimed):
                    return False, seen
            if search.rounds == MOST_ROUNDS:
                raise OutOfReach(seen)
            search.narrow(claimed)


class PowersAbove:
    """Of compositions each of which is above what is asked about."""

    def __init__(self, powers):
        self.powers = powers

    def at_most(self, alpha, end, is_power):
        return self._first(True, [power.at_most for power in self.powers], alpha, end, is_power)

    def at_least(self, alpha, end, is_power):
        return self._first(False, [power.at_least for power in self.powers], alpha, end, is_power)

    @staticmethod
    def _first(telling, compare, *asked):
        """What the first one says that is telling, or else what the last one says."""
        reason = None
        for each in compare:
            try:
                found, seen = each(*asked)
                if found is telling:
                    return found, seen
            except OutOfReach as why:
                found, seen, reason = None, str(why), why
        if reason:
            raise reason
        return found, seen


class PowerInSteps:
    """As Power, from above only, by a way of single steps: the power of a test between the last two outputs on it is its error between the two
    before (Dong, Roth, Su 2022, theorem 2.14), and powers rise with the error. `steps`: profiles that are all above a step, for each."""

    def __init__(self, steps):
        self.steps = steps

    def at_least(self, *_):
        return None, "steps say nothing from below"

    def at_most(self, alpha, end, is_power):
        with precision(256):
            claimed, guess = (arb(end), end) if is_power else (1 - arb(end), 1 - end)
            room = min(guess, 1 - guess)
            for width in WIDTHS:
                power = self._power(alpha, guess, width)
                if power <= claimed:
                    return True, f"in {len(self.steps)} steps, the power is at most {power.str(12)}"
                if power - claimed > 10 * width * room:
                    break
            return None, f"in {len(self.steps)} steps, the power is at most {power.str(12)}"

    def _power(self, alpha, guess, width):
        """Guesses of those between grow as powers of Gaussian noise do."""
        first, last = (NormalDist().inv_cdf(min(max(share, 1e-300), 1 - 1e-16)) for share in (alpha, guess))
        for i, above in enumerate(reversed(self.steps), 1):
            near = NormalDist().cdf(first + (last - first) * i / len(self.steps))
            powers = [_Search(profiles, alpha, near, 1 - near).from_above(width) for profiles in above]
            power = min(powers, key=lambda found: float((found / near).mid()))
            alpha = min(1.0, -double_below(-power))
        return power


class _Search:
    """A ball around the power at one alpha, by values at more and more places. `guess` is about where it is, `error` one less that."""

    def __init__(self, profiles, alpha, guess, error):
        self.profiles, self.alpha, self.room, self.guess = profiles, arb(alpha), min(guess, error), guess
        self.bits = BITS + max(0, -int(math.log2(max(self.room, 5e-324))))  # a power next to 1 takes as many as f is small
        self.rounds, self._ends, self._likely, self._told, self._fine = 0, (arb(0), arb(1)), arb(0), {}, COARSE
        if alpha in (0, 1):
            self._settle(arb(1) if alpha == 1 else self._delta(math.inf))
            return
        if self.room < 1e-300:
            raise OutOfReach("a probability next to the smallest double")
        composition = profiles.composition
        if composition.mu_squared and not composition.others:
            with precision(self.bits):
                self._settle(gaussian_power(ball(composition.mu_squared).sqrt(), self.alpha))
            return
        # At the least value alpha e^epsilon <= power and 1 - (1 - alpha) e^epsilon <= power.
        low, high = sorted(math.log(max(x, 1e-300)) for x in (error / (1 - alpha), guess / alpha))
        high = max(high, low + NEAREST)
        least(lambda e: self._ahead(self._tell(exact(e))), low, high, math.ceil(2 * math.log(1 + 20 * (high - low))))

    def _settle(self, power):
        self._ends, self.rounds = (power, power), MOST_ROUNDS

    @property
    def power(self):
        low, high = self._ends
        return low.union(high)

    def from_above(self, width):
        """An upper bound, as far as doubles tell to within a share of the power or of f, or as well as it is told."""
        while self.rounds < MOST_ROUNDS and not self._ends[1] - self._likely < self.room * width:
            self.narrow()
        return self._ends[1].upper()

    def _delta(self, epsilon, most=None):
        """The larger direction's, to within a share of the power or of f, or on one side of what it may be at the most."""
        composition = self.profiles.composition
        with precision(self.bits):
            largest = arb(0)
            for adding in self.profiles.directions:
                known = composition.known(adding, epsilon)
                largest = largest.max(composition.profile(adding, arb(epsilon), self.room * arb(self._fine), most) if known is None else known)
            return largest

    def _tell(self, place, claimed=None):
        """The value there, or on which side of what is claimed it is."""
        with precision(self.bits):
            ahead = self.alpha * arb(place).exp()
            value = ahead + self._delta(place, None if claimed is None else claimed - ahead)
            self._told[place] = value.intersection(self._told.get(place, value))
            self._ends = self._ends[0], self._ends[1].min(value.upper())
            return self._told[place]

    def _ahead(self, power):
        """In doubles, of which many lie between two powers next to 1 so."""
        with precision(self.bits):
            return float(((power - self.guess) / self.room).mid())

    def narrow(self, claimed=None):
        """One more place, where the least value may be lowest, or those next to it more finely. The least one that is told comes first, where it may be no more than what is claimed."""
        self.rounds += 1
        lowest = min(self._told, key=lambda place: self._ahead(self._told[place]))
        if claimed is not None and claimed - self._told[lowest].mid() > NOISE * self._told[lowest].rad():
            self._tell(lowest, claimed)
        places = sorted(self._told)
        before, behind = self._two(lowest, places[::-1]), self._two(lowest, places)
        if None in (before, behind):
            near, end = places[-2:] if behind is None else places[1::-1]
            self._tell(end + 2 * (end - near))
            return
        five = [*before[::-1], lowest, *behind]
        with precision(self.bits):
            bound, nearer = _least_among([(arb(e).exp(), self._told[e]) for e in five])
            place = next((e for e in nearer if e not in self._told), None)
            self._ends = (self._ends[0].max(bound.lower()) if bound.is_finite() else self._ends[0]), self._ends[1]
            self._likely = bound.mid()
            told_enough = bound.rad() < NOISE * (self._ends[1] - self._likely)
        if told_enough and place is not None:
            self._tell(place)
        else:
            self._tell_finer(five)

    def _two(self, lowest, places):
        """Of those behind the lowest one: the next one, and one farther out with a value that is certainly larger; None where there is none."""
        others = places[places.index(lowest) + 1 :]
        return next(((others[0], farther) for farther in others[1:] if self._told[farther] > self._told[others[0]]), None)

    def _tell_finer(self, places):
        """Those that are not as fine as others, or else all."""
        if self._fine < FINEST:
            self.rounds = MOST_ROUNDS
            return
        while not (vague := [place for place in places if self._told[place].rad() > self.room * self._fine]):
            self._fine *= FINER
        for place in vague:
            self._tell(place)


def _least_among(points):
    """A lower bound of a convex function at all places, by its values at five, the first and last of which are certainly above the next ones; and, in doubles, logarithms of where it may
    be, the likeliest first. Between two places it is above the lines through the two before, and the two behind, drawn out."""
    lines = [((g - f) / (b - a), f, a) for (a, f), (b, g) in itertools.pairwise(points)]  # slope, value and place
    found = []
    for i, ((a, _), (b, _)) in enumerate(itertools.pairwise(points)):
        beside = [lines[j] for j in (i - 1, i + 1) if 0 <= j < len(lines)]
        bounds = [(_at(line, a).min(_at(line, b)), (a + b) / 2) for line in beside]
        if len(beside) == 2 and beside[0][0] < 0 < beside[1][0]:
            bounds.append(_meeting(*beside)[::-1])
        found.append(max(bounds, key=lambda bound: bound[0].lower()))
    found.sort(key=lambda bound: bound[0].mid())
    return reduce(arb.min, (bound for bound, _ in found)), [_rational(place.log()) for _, place in found]


def _rational(ball):
    """The number in its middle."""
    mantissa, exponent = ball.mid().man_exp()
    return fmpq(mantissa) * fmpq(2) ** int(exponent)


def _at(line, place):
    return line[1] + line[0] * (place - line[2])


def _meeting(one, other):
    """Where two lines meet, and their value there. From the other's place on: places are large beside what lies between them, and slopes are balls."""
    (slope, value, place), (slope2, value2, place2) = one, other
    ahead = (value2 - value - slope * (place2 - place)) / (slope - slope2)
    return place2 + ahead, value2 + slope2 * ahead
