"""The logarithm of a profile, in doubles, from a law of finitely many losses: where to look, which nothing that is proved depends on."""
import bisect
import math
from collections import defaultdict

from flint import arb

from enclosure import log_of, precision
from outline import log_sum


class Sketch:
    """`told`: losses, several of which may be one, and balls around P's masses, in any order; `infinite`: the mass of an infinite loss. Between the losses the
    logarithm of the profile is smoothed by cubics, as that of a law of finitely many losses bends at each of them."""

    def __init__(self, told, infinite):
        masses = defaultdict(arb)
        for loss, p in told:
            masses[loss] += p
        told = sorted(masses.items())
        self.losses, self.log_infinite = [loss for loss, _ in told], log_of(infinite)
        above = [(arb(0), arb(0))]  # P's mass above each loss, and e^loss times Q's
        with precision(128):
            for (loss, p), (below, _) in zip(told[:0:-1], told[-2::-1]):
                mass, moved = above[-1]
                above.append((mass + p, (moved + p) * arb(below - loss).exp()))
            self.above = above[::-1]
            self.all = self.above[0][0] + told[0][1], self.above[0][1] + told[0][1]
        self.logs = [log_of(mass - moved) for mass, moved in self.above]

    def __call__(self, epsilon):
        i = bisect.bisect_right(self.losses, epsilon)
        if i == len(self.losses):
            return self.log_infinite
        places, logs = self.losses[max(0, i - 2) : i + 2], self.logs[max(0, i - 2) : i + 2]
        if i > 0 and -math.inf not in logs:
            return log_sum([self.log_infinite, sum(value * _share(places, k, epsilon) for k, value in enumerate(logs))])
        mass, moved = self.above[i - 1] if i > 0 else self.all
        return log_sum([self.log_infinite, log_of(mass - arb(epsilon - self.losses[max(0, i - 1)]).exp() * moved)])


def _share(places, k, at):
    """Of a value at one of the places in the polynomial through all."""
    return math.prod((at - place) / (places[k] - place) for j, place in enumerate(places) if j != k)
