"""A profile in doubles from a law of finitely many losses: where to look, which nothing that is proved depends on."""
import bisect
import math
from collections import defaultdict


class Sketch:
    """`told`: losses, several of which may be one, and P's masses, in any order; `infinite`: the mass of an infinite loss. Between the losses the logarithm of the
    profile is smoothed by cubics, as that of a law of finitely many losses bends at each of them."""

    def __init__(self, told, infinite):
        masses = defaultdict(float)
        for loss, p in told:
            masses[loss] += p
        told = sorted(masses.items())
        self.losses, self.infinite = [loss for loss, _ in told], infinite
        self.mass, self.moved = [0.0], [0.0]  # P's above each loss, and e^loss times Q's
        for (loss, p), (below, _) in zip(told[:0:-1], told[-2::-1]):
            self.mass.append(self.mass[-1] + p)
            self.moved.append((self.moved[-1] + p) * math.exp(below - loss))
        self.mass, self.moved = self.mass[::-1], self.moved[::-1]
        self.all = self.mass[0] + told[0][1], self.moved[0] + told[0][1]
        self.logs = [math.log(p - q) if p > q else -math.inf for p, q in zip(self.mass, self.moved)]

    def __call__(self, epsilon):
        i = bisect.bisect_right(self.losses, epsilon)
        if i == 0:
            return self.infinite + self.all[0] - math.exp(epsilon - self.losses[0]) * self.all[1]
        if i == len(self.losses):
            return self.infinite
        places, logs = self.losses[max(0, i - 2) : i + 2], self.logs[max(0, i - 2) : i + 2]
        if -math.inf in logs:
            return self.infinite + max(0.0, self.mass[i - 1] - math.exp(epsilon - self.losses[i - 1]) * self.moved[i - 1])
        return self.infinite + math.exp(sum(value * _share(places, k, epsilon) for k, value in enumerate(logs)))


def _share(places, k, at):
    """Of a value at one of the places in the polynomial through all."""
    return math.prod((at - place) / (places[k] - place) for j, place in enumerate(places) if j != k)
