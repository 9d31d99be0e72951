"""Points of the trade-off function f(alpha), or of the power 1 - f(alpha): the least value of delta(epsilon) + alpha e^epsilon (Dong, Roth,
Su 2022, proposition 2.12), which is a convex function of x = e^epsilon."""
import math
from contextlib import suppress
from statistics import NormalDist

from flint import arb

from closed_forms import gaussian_power
from enclosure import OutOfReach, ball, double_below, exact, precision
from outline import least

MOST_ROUNDS = 40
SMALL = exact(1e-12)  # errors of a test that a bound may tell
WIDTHS = (1e-4, 1e-8, 1e-12)  # of what is left to 0 or 1, to which a power in steps is told


class Power:
    """The power of one composition's best tests, held against numbers."""

    def __init__(self, profiles):
        self.profiles, self._searches = profiles, {}

    def at_most(self, alpha, end, is_power):
        """Whether the power is at most `end`, or at most 1 - end where that is a type II error; and what was seen."""
        return self._compared(alpha, end, is_power, lambda power, claimed: power <= claimed, lambda power, claimed: power > claimed)

    def at_least(self, alpha, end, is_power):
        if end == (1 if is_power else 0):
            return self._is_certain(alpha)
        error = 1 - exact(end) if is_power else exact(end)
        if error < SMALL and 0 < alpha < 1 and (seen := self._misses_no_more(alpha, error)):
            return True, seen
        return self._compared(alpha, end, is_power, lambda power, claimed: power >= claimed, lambda power, claimed: power < claimed)

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
            with precision(256):
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
            powers = [_Search(profiles, alpha, near, 1 - near).to_within(width) for profiles in above]
            power = min(powers, key=lambda found: float((found / near).upper())).upper()
            alpha = min(1.0, -double_below(-power))
        return power


class _Search:
    """A ball around the power at one alpha. `guess` is about where it is, `error` one less that."""

    def __init__(self, profiles, alpha, guess, error):
        self.profiles, self.alpha, self.room, self.guess = profiles, arb(alpha), min(guess, error), guess
        self.power, self.rounds = arb(0).union(arb(1)), 0
        if alpha in (0, 1):
            self.power, self.rounds = arb(1) if alpha == 1 else self._delta(math.inf, 1), MOST_ROUNDS
            return
        if self.room < 1e-300:
            raise OutOfReach("a probability next to the smallest double")
        composition = profiles.composition
        if composition.mu_squared and not composition.others:
            with precision(256):
                self.power, self.rounds = gaussian_power(ball(composition.mu_squared).sqrt(), self.alpha), MOST_ROUNDS
            return
        # At the least value alpha e^epsilon <= power and 1 - (1 - alpha) e^epsilon <= power.
        low, high = sorted(math.log(max(x, 1e-300)) for x in (error / (1 - alpha), guess / alpha))
        steps = math.ceil(2 * math.log(1 + 20 * (high - low)))
        self.middle = least(lambda e: self._ahead(self._at(e, 1e-3)), low, high, steps)
        near, far = (float(self._delta(self.middle + d, 1e-3).mid()) for d in (0, 0.1))
        self.fall = max(1.0, 10 * math.log(near / far)) if near > far > 0 else 1.0  # about how fast delta falls, relative to itself
        self.step, self.estimate = 0.1 / self.fall, None

    def to_within(self, width):
        """The power, to within a share of it or of f, or as well as it is told."""
        while self.rounds < MOST_ROUNDS and not self.power.rad() < self.room * width:
            self.narrow(self.power.mid())
        return self.power

    def _delta(self, epsilon, width):
        """The larger direction's, to within a share of the power or of f."""
        composition = self.profiles.composition
        with precision(256):
            largest = arb(0)
            for adding in self.profiles.directions:
                known = composition.known(adding, epsilon)
                largest = largest.max(composition.profile(adding, arb(epsilon), arb(self.room * width)) if known is None else known)
            return largest

    def _at(self, epsilon, width):
        value = self._delta(epsilon, width)
        with precision(256):
            return value + self.alpha * arb(epsilon).exp()

    def _ahead(self, power):
        """In doubles, of which many lie between two powers next to 1 so."""
        with precision(256):
            return float(((power - self.guess) / self.room).mid())

    def narrow(self, claimed):
        """One round: five points around the least one, no nearer to each other than it takes to tell the power from what is claimed."""
        self.rounds += 1
        if self.estimate is not None:
            gap, width = (float((ball / self.room).mid()) for ball in (abs(self.estimate - claimed), self.power.rad()))
            # The place of the least one is known to about the square of the step.
            self.step *= min(0.5, max(0.01, 2 * self.step * self.fall, math.sqrt(gap / width) / 4 if width > 0 else 0))
        fine = 0.03 * (self.step * self.fall) ** 2
        places = [self.middle + k * self.step for k in (-2, -1, 0, 1, 2)]
        found = [self._at(e, fine) for e in places]
        with precision(256):
            x = [arb(e).exp() for e in places]
            lines = [((g - f) / (b - a), f, a) for a, b, f, g in zip(x, x[1:], found, found[1:])]  # slope, value and place
            if not (lines[1][0] < 0 and lines[2][0] > 0):
                best = min(range(5), key=lambda i: self._ahead(found[i]))
                self.middle, self.step, self.estimate = places[best], self.step * (2 if best in (0, 4) else 0.5), None
                return
            # It falls up to x1 and rises from x3 on; between, it is above the line of every interval it is not in.
            inside = [_meeting(lines[0], lines[2]), _meeting(lines[1], lines[3])]
            told = inside[0][1].min(inside[1][1]).union(found[2])
            self.power = told if told.is_finite() else self.power
            kink = float(_meeting(lines[0], lines[3])[0].log().mid())
            bend = float(((found[1] - found[3]) / (found[1] - 2 * found[2] + found[3]) / 2).mid())
        nearer = [e for e in (kink, self.middle + self.step * bend) if math.isfinite(e)] or [self.middle]  # where balls tell
        self.estimate, self.middle = min(((self._at(e, fine).mid(), e) for e in nearer),
                                         key=lambda pair: self._ahead(pair[0]))


def _meeting(one, other):
    """Where two lines meet, and their value there. From the other's place on: places are large beside what lies between them, and slopes are balls."""
    (slope, value, place), (slope2, value2, place2) = one, other
    ahead = (value2 - value - slope * (place2 - place)) / (slope - slope2)
    return place2 + ahead, value2 + slope2 * ahead
