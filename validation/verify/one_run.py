"""Audits of one run: bounds of the probability of so many right guesses, by lemmas 2 and 3 of docs/audit.md. A hypothesis is given by lines: at an epsilon e
the mean d of the two directions' deltas, of guesses that are all \"in\" half of one's."""
import math
from contextlib import suppress

from flint import arb, fmpq

from binomial import at_least, at_most, logit_where, mass
from enclosure import OutOfReach, log_of, precision
from outline import least

BITS, MOST_BITS = 192, 192 << 8
ONE_RUN, ALL_LINES = TESTS = ("one-run", "one-run f-DP")
FIRST_PLACES, ROUNDS, STEPS = 32, 6, 24  # on each side of 0, of places between them, and of a search
COARSE, FINE = 1e-5, 1e-8  # shares of deltas that they may be off by
LARGER = fmpq(1, 100_000)  # a share, by which a probability may be larger that is excluded; then twice as much, and so on


class Cut:
    """`correct` of so many guesses about the canaries; `only_in`: all of them are that a canary is in."""

    def __init__(self, correct, guessed, canaries, only_in):
        self.correct, self.guessed, self.canaries, self.only_in = correct, guessed, canaries, only_in

    def outlook(self):
        """In doubles: how many deviations more are right than of fair coins."""
        return (2 * self.correct - self.guessed) / math.sqrt(self.guessed)

    def excludes(self, test, hypothesis, level):
        """Whether so many right ones or more have a lower probability than the level, or that at the most; and what was seen."""
        if self.correct == 0:
            return False, "no guess is right"
        with precision(BITS):
            return self._by_a_tail(hypothesis, arb(level)) if test == ONE_RUN else self._by_all_lines(hypothesis, level)

    def _by_a_tail(self, hypothesis, level):
        places, told = hypothesis.places(), hypothesis.lines(self, FINE)
        fixed = places is not None
        if not fixed:
            places = [self._best_place(hypothesis.lines(self, COARSE), level, hypothesis.end())]
        lowest = min((self.tail_bound(arb(e), told(e)) for e in places if e >= 0), key=lambda bound: bound.mid())
        return (True if lowest <= level else False if fixed and lowest > level else None), f"the tail's bound is {lowest.str(12)}"

    def tail_bound(self, logit, delta):
        """Lemma 3, at the epsilon that is the log odds."""
        v, c = self.correct, self.guessed
        tail = at_least(v, c, logit)
        return tail + self.canaries * delta * tail * at_most(v - 1, c, logit) / (v * mass(v, c, logit))

    def _best_place(self, told, level, end):
        """In doubles. Where the tail alone is the level no line serves; at the end there may be a corner."""
        def bound(e):
            return log_of(self.tail_bound(arb(e), told(e)))

        last = min(-logit_where(self.guessed - self.correct, self.guessed, level), _farthest(told, level / self.canaries, end))
        if not last > 0:
            raise OutOfReach("so many right guesses are no more than of fair coins")
        return min(least(bound, 0.0, last, STEPS), last, key=bound)

    def _by_all_lines(self, hypothesis, level):
        places, told = hypothesis.places(), hypothesis.lines(self, FINE)
        if places is None:
            return self._by_denser_lines(hypothesis.lines(self, COARSE), told, level, hypothesis.end())
        found, used = self._excluded(places, told, level)
        return found, _seen(found, used, places)

    def _by_denser_lines(self, roughly, told, level, end):
        places, found, used = _evenly(_farthest(roughly, arb(level) * self.correct / self.canaries, end)), None, set()
        for _ in range(ROUNDS):
            of_use = self._of_use(places, roughly, level)
            if of_use:
                found, used = self._excluded(of_use, told, level)
            if found or not of_use:
                break
            places = _denser(places, of_use)
        return found or None, _seen(found, used, places)

    def _of_use(self, places, roughly, level):
        """Those that exclude the probability, or one that is not much larger."""
        larger = LARGER
        while level < 1:
            found, used = self._excluded(places, roughly, level)
            if found:
                return used
            level, larger = level * (1 + larger), 2 * larger
        return set()

    def _excluded(self, places, told, probability):
        """As balls grow from one number of right guesses to the next, with as many bits as it takes."""
        bits = BITS
        while True:
            with precision(bits):
                found, used = Lines(places, told, self.canaries).exclude(self, arb(probability))
            if found is not None or bits >= MOST_BITS:
                return found, used
            bits *= 4


class Lines:
    """The wrong guesses' sum is at least (x - m d) e^-epsilon, x being the right ones'; those lines that are anywhere the highest, by falling epsilon."""

    def __init__(self, places, told, canaries):
        self.lines = []
        for e in sorted(places, reverse=True):
            with suppress(OutOfReach):
                slope = (-arb(e)).exp()
                self._add(e, slope, slope * canaries * told(e))
        if not self.lines:
            raise OutOfReach("no delta is told")

    def _add(self, *line):
        while len(self.lines) > 1 and _is_hidden(*self.lines[-2:], line):
            self.lines.pop()
        self.lines.append(line)

    def exclude(self, cut, probability):
        """Lemma 2: whether that is more than the probability of so many right ones can be; and which epsilons' lines said so."""
        v, c, at, used = cut.correct, cut.guessed, 0, set()
        right, wrong = probability * v, probability * (c - v)
        for l in range(v - 1, -1, -1):
            while at + 1 < len(self.lines) and (self._forced(at + 1, right) - self._forced(at, right)).mid() >= 0:
                at += 1
            forced = self._forced(at, right)
            if forced <= wrong:
                return False, used  # nothing changes any more
            used.add(self.lines[at][0])
            more = wrong.max(forced)
            right += (more - wrong) * l / (c - l)
            wrong = more
            if right + wrong > c:  # they are c in all, and only grow
                return True, used
        return (False if right + wrong <= c else None), used

    def _forced(self, at, right):
        _, slope, offset = self.lines[at]
        return slope * right - offset


def _seen(found, used, places):
    return f"so many right ones are {'less' if found else 'not certainly less'} likely by {len(used)} of {len(places)} lines"


def _is_hidden(before, last, line):
    """In the middles of balls: which lines are kept is free."""
    (_, s0, o0), (_, s1, o1), (_, s2, o2) = before, last, line
    return ((o2 - o0) * (s1 - s0) - (o1 - o0) * (s2 - s0)).mid() <= 0


def _farthest(told, level, end):
    """Where deltas are of no interest beyond, `end` at the most."""
    place = 1 / 16
    while place < min(end, 64) and told(place) > level / 1000:
        place *= 2
    return min(place, end)


def _evenly(end):
    return [end * i / FIRST_PLACES for i in range(-FIRST_PLACES, FIRST_PLACES + 1)]


def _denser(places, used):
    """With those in the middle between each two from before the first one that was used until behind the last."""
    places = sorted(places)
    return places + [(a + b) / 2 for a, b in zip(places, places[1:]) if used and b >= min(used) and a <= max(used)]
