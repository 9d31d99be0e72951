"""Audits of independent runs: whether the rectangle of Clopper and Pearson's limits at a level, half of it for each rate, lies beyond what a hypothesis allows."""
from statistics import NormalDist

from flint import arb

from binomial import rate_above, rate_below, rate_within, rest_above
from enclosure import precision

BITS = 192
TESTS = ("Clopper-Pearson",)


class Cut:
    """What was counted of `runs` with the record and of `others` without it."""

    def __init__(self, true_positives, runs, false_positives, others):
        self.true_positives, self.runs, self.false_positives, self.others = true_positives, runs, false_positives, others

    def outlook(self):
        """In doubles: how far the rates are apart, in deviations."""
        def score(part, total):
            return NormalDist().inv_cdf((part + 0.5) / (total + 1))

        return score(self.true_positives, self.runs) - score(self.false_positives, self.others)

    def excludes(self, _, hypothesis, level):
        """Whether the level's rectangle is beyond; and what was seen. The corner nearest to what is allowed decides, from doubles outside, then inside it."""
        with precision(BITS):
            each = arb(level / 2)
            corner = rate_above(self.false_positives, self.others, each), rate_below(self.true_positives, self.runs, each)
            nearer = (rate_within(self.false_positives, self.others, each),
                      rest_above(rate_within(self.runs - self.true_positives, self.runs, each)))
        found, seen = hypothesis.has_no_attack(*corner)
        seen = f"rates of {corner[0]:.9g} at the most and of {corner[1]:.9g} at the least; {seen}"
        if found:
            return True, seen
        found, _ = hypothesis.has_no_attack(*nearer)
        return (False if found is False else None), seen
