"""The verdicts and ratios of tools/bench, on answers made up here: no accountant is asked."""
import math
import unittest

import tables
import verdicts
from questions import Question, evenly

CERTIFIED = [(2.0, 2.0, 2.00001), (1.0, 1.0, 1.00001)]


class Bounds(unittest.TestCase):
    def test_an_upper_bound_is_worth_its_distance_from_the_truth(self):
        judged = verdicts.of_bounds([(None, None, 2.2), (None, None, 1.01)], CERTIFIED)
        self.assertAlmostEqual(judged.error, 0.1)
        self.assertEqual(judged.text, "upper end 1.0e-01 above")

    def test_one_point_below_the_truth_is_wrong(self):
        judged = verdicts.of_bounds([(None, None, 2.2), (None, None, 0.99)], CERTIFIED)
        self.assertEqual(judged, ("WRONG: below the truth at 1 of 2 points", None))

    def test_a_lower_end_above_the_truth_is_wrong(self):
        judged = verdicts.of_bounds([(2.1, None, 2.2)], CERTIFIED[:1])
        self.assertEqual(judged, ("WRONG: lower end above the truth", None))

    def test_an_estimate_is_no_bound(self):
        judged = verdicts.of_bounds([(None, 1.98, None)], CERTIFIED[:1])
        self.assertEqual(judged, ("no bound; the estimate is off by up to 1.0e-02", None))

    def test_neither_infinity_nor_nan_is_an_answer(self):
        self.assertEqual(verdicts.of_bounds([(None, None, math.inf)], CERTIFIED[:1]), ("useless: inf", None))
        self.assertEqual(verdicts.of_bounds([(None, None, math.nan)], CERTIFIED[:1]), ("FAILED: not a number", None))

    def test_other_points_are_not_compared(self):
        with self.assertRaises(ValueError):
            verdicts.of_bounds([(None, None, 2.2)], CERTIFIED)


class Sigma(unittest.TestCase):
    """One Gaussian release has delta 1e-6 at epsilon 1 for a sigma of 4.2247..., by the formula of Balle and Wang."""

    TARGET, LEAST = 1.0, 4.2247

    def judged(self, sigma):
        lower, upper = 0.0, 10.0
        while upper - lower > 1e-12:
            middle = (lower + upper) / 2
            lower, upper = (middle, upper) if delta_of_gaussian(sigma, middle) > 1e-6 else (lower, middle)
        return verdicts.of_sigma(sigma, (lower, None, upper), self.TARGET, self.LEAST)

    def test_one_per_cent_less_noise_is_wrong(self):
        self.assertIn("WRONG: epsilon is 1.", self.judged(0.99 * self.LEAST).text)

    def test_one_per_cent_more_is_waste(self):
        judged = self.judged(1.01 * self.LEAST)
        self.assertAlmostEqual(judged.error, 0.01)
        self.assertTrue(judged.text.startswith("holds: epsilon 1."), judged.text)

    def test_a_target_within_our_bounds_is_left_undecided(self):
        judged = verdicts.of_sigma(self.LEAST, (0.9, 1.0, 1.1), self.TARGET, self.LEAST)
        self.assertEqual((judged.text[:9], judged.error), ("undecided", None))


def delta_of_gaussian(sigma, epsilon):
    def normal(x):
        return math.erfc(-x / math.sqrt(2)) / 2

    return normal(0.5 / sigma - epsilon * sigma) - math.exp(epsilon) * normal(-0.5 / sigma - epsilon * sigma)


class Ratios(unittest.TestCase):
    QUESTION = Question("a run", "epsilon at delta 1e-06", "epsilon", {})

    def row(self, **others):
        """others: their (seconds, error); ours take 2 ms and 1 ms, and are off by 1e-9."""
        asked = {"pld": (2e-3, 1e-9), "pld in Python": (1e-3, 1e-9), **others}
        answers = {name: {"seconds": seconds} for name, (seconds, _) in asked.items()}
        return tables.ratio_row(self.QUESTION, answers, {name: verdicts.Verdict("", asked[name][1]) for name in asked})

    def test_the_tightest_and_the_fastest_are_named(self):
        self.assertEqual(self.row(tight=(2.0, 1e-6), fast=(1e-3, 0.5)),
                         "| a run | 2 | 1 | 1e-09 | tight | 1,000 | 1,000 | fast | 0.5 | 5e+08 |")

    def test_who_is_wrong_is_not_compared_with(self):
        self.assertEqual(self.row(wrong=(1e-6, None)), "| a run | 2 | 1 | 1e-09 | none |  |  | none |  |  |")


class Points(unittest.TestCase):
    def test_both_ends_are_among_them(self):
        self.assertEqual(evenly(0.5, 1.5, 5), [0.5, 0.75, 1.0, 1.25, 1.5])


unittest.main()
