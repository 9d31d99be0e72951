"""The checker's part about `pld audit`: sums by fractions, laws of guesses that are known exactly, and answers of the command (PLD names it)."""
import copy
import json
import math
import os
import random
import subprocess
import tempfile
import unittest
from fractions import Fraction
from statistics import NormalDist
from unittest import mock

from flint import arb, fmpq

from answers import FALSE, NOT_PROVED, PROVED, claims_of, verdict_of
from binomial import at_least, at_most, rate_above, rate_below, rate_within, rest_above
from claims import BadInput
from enclosure import OutOfReach, precision
from one_run import ALL_LINES, ONE_RUN, Lines

CLOPPER_PEARSON = "Clopper-Pearson"
NOTHING = {CLOPPER_PEARSON: 0.0}
RUNS = {"true_positives": 90, "in": 100, "false_positives": 2, "out": 100}
GUESSES = {"correct": 70, "guessed": 100, "canaries": 1000, "only_in": False}
SECONDS = 20


def binomial_tail(k, n, p):
    """P(k or more of n)."""
    return sum(math.comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1))


def last(holds, low, high):
    """The last place where it holds, which it does from below."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def least_true(k, n, level):
    """The limit of Clopper and Pearson from below, in doubles."""
    return last(lambda p: binomial_tail(k, n, p) <= level, 0, 1)


def most_false(k, n, level):
    return 1 - last(lambda rest: binomial_tail(n - k, n, rest) <= level, 0, 1)


def odds(epsilon):
    return Fraction(1 / (1 + math.exp(-epsilon)))


def audit(observed, by_test, hypotheses=(), delta=0.0, confidence=0.95, **fields):
    observed = observed if isinstance(observed, list) else [observed]
    return {"query": "audit", "delta": delta, "confidence": confidence, "observed": observed, "hypotheses": list(hypotheses),
            "epsilon": {"lower": max(by_test.values()), "by_test": by_test}, **fields}


def tested(by_test, refuted=False, **claim):
    return {"hypothesis": "a hypothesis", **claim, "refuted": refuted, "p_value": min(by_test.values()), "by_test": by_test}


def about(observed, by_test, mechanisms=None, delta=0.0, **fields):
    """One hypothesis alone: a claim, or mechanisms."""
    nothing = dict.fromkeys(by_test, 0.0)
    if mechanisms is None:
        return audit(observed, nothing, [tested(by_test, claim=fields.pop("claim"))], delta, **fields)
    return audit(observed, nothing, [tested(by_test)], delta, mechanisms=mechanisms, **{"adjacency": "add-remove", **fields})


def verdict(answer):
    return verdict_of(claims_of(answer, SECONDS))


def of_test(answer, test):
    """The verdict on what that test says."""
    return next(claim.verdict for claim in claims_of(answer, SECONDS) if f"{test}: p <=" in claim.what)


def answer_of(*words):
    done = subprocess.run([os.environ["PLD"], "audit", "--json", *words], capture_output=True, text=True)
    if done.returncode not in (0, 4):
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


class Tails(unittest.TestCase):
    def test_by_fractions(self):
        for k, n, p in ((0, 7, Fraction(1, 3)), (3, 7, Fraction(1, 3)), (7, 7, Fraction(1, 3)), (2, 40, Fraction(9, 10)), (39, 40, Fraction(1, 100)),
                        (200, 400, Fraction(1, 2)), (10, 400, Fraction(1, 3))):
            truth = binomial_tail(k, n, p)
            with precision(160):
                logit = (arb(p.numerator) / (p.denominator - p.numerator)).log()
                exact = arb(fmpq(truth.numerator, truth.denominator))
                for found, true in ((at_least(k, n, logit), exact), (at_most(k - 1, n, logit), 1 - exact)):
                    self.assertTrue(found.overlaps(true) and found.rad() <= true * arb(10) ** -30 + arb(10) ** -40, (k, n, p, found.str(20)))

    def test_what_is_left_off_a_sum_adds_to_it(self):
        """Where it is more than what balls are wide, as after an eighth of the digits."""
        truth = binomial_tail(300, 400, Fraction(1, 2))
        with precision(160), mock.patch("binomial.TOLD", 0.125):
            found, exact = at_least(300, 400, arb(0)), arb(fmpq(truth.numerator, truth.denominator))
            self.assertTrue(found.overlaps(exact) and 1e-30 * exact < found.rad() < 1e-5 * exact, found.str(20))

    def test_limits_pass_the_tail_and_doubles_beside_them_do_not(self):
        for k, n, level in ((2, 100, Fraction(1, 40)), (0, 10, Fraction(1, 1000)), (9, 10, Fraction(1, 40)), (500, 1000, Fraction(1, 10**9))):
            with precision(160):
                share = arb(level.numerator) / level.denominator
                above, below, within = rate_above(k, n, share), rate_below(n - k, n, share), rate_within(k, n, share)
            for rate, passes in ((above, True), (within, False)):
                self.assertEqual(1 - binomial_tail(k + 1, n, Fraction(rate)) <= level, passes, (k, n, rate))
            self.assertLessEqual(binomial_tail(n - k, n, Fraction(below)), level)
            self.assertLess(above - within, 1e-11 * above)
            self.assertLess(1 - above - below, 1e-11)

    def test_a_bad_place_to_begin_gives_no_bad_limit(self):
        for ahead in (-1e-3, 1e-3):
            with precision(160), mock.patch("binomial._near", lambda k, n, level: math.log(0.07038393247107011 / (1 - 0.07038393247107011)) + ahead):
                above, within = rate_above(2, 100, arb(0.025)), rate_within(2, 100, arb(0.025))
            self.assertLessEqual(1 - binomial_tail(3, 100, Fraction(above)), Fraction(1, 40))
            self.assertGreater(1 - binomial_tail(3, 100, Fraction(within)), Fraction(1, 40))

    def test_at_their_ends_limits_are_0_and_1(self):
        with precision(160):
            self.assertEqual((rate_above(5, 5, arb(0.1)), rate_within(5, 5, arb(0.1)), rate_below(0, 5, arb(0.1))), (1, 1, 0))

    def test_the_rest_is_rounded_up(self):
        for rate in (0.1, 1e-20, 1e-17, 1 / 3, 1.0, 0.0, *(1e-3 / i for i in range(1, 20))):
            self.assertGreaterEqual(Fraction(rest_above(rate)), 1 - Fraction(rate))

    def test_a_billion_runs(self):
        """log P(none) = n log(1 - p)."""
        with precision(160):
            self.assertAlmostEqual(rate_above(0, 10**9, arb(0.05)) / -math.expm1(math.log(0.05) / 1e9), 1, delta=1e-11)
            self.assertAlmostEqual((rate_above(10**8, 10**9, arb(0.025)) - 0.1) / math.sqrt(0.09 / 1e9), 1.96, delta=1e-3)


class IndependentRuns(unittest.TestCase):
    LOW, HIGH = 0.8237774022599773, 0.07038393247107011  # scipy.stats.beta.ppf(0.025, 90, 11) and ppf(0.975, 3, 98)

    def test_epsilon(self):
        truth = math.log((self.LOW - 0.001) / self.HIGH)
        for end, expected in ((truth - 1e-9, PROVED), (truth + 1e-9, FALSE), (0, PROVED), ("inf", FALSE)):
            with self.subTest(end):
                self.assertEqual(verdict({**audit(RUNS, NOTHING, delta=0.001), "epsilon": {"lower": end, "by_test": {CLOPPER_PEARSON: end}}}), expected)

    def test_of_many_cuts_each_has_its_share_of_the_level(self):
        cuts = [{**RUNS, "true_positives": n, "false_positives": k, "out": 7} for n, k in ((90, 0), (91, 1), (92, 3))]
        limits = [(least_true(cut["true_positives"], 100, 1 / 120), most_false(cut["false_positives"], 7, 1 / 120)) for cut in cuts]
        truth = max(math.log(max(true / false, (1 - false) / (1 - true))) for true, false in limits)
        for end, expected in ((truth - 1e-9, PROVED), (truth + 1e-9, FALSE)):
            self.assertEqual(verdict(audit(cuts, {CLOPPER_PEARSON: end})), expected)
        for wrong in (cuts[:2], cuts[::-1], [*cuts[:2], {**cuts[2], "in": 101}], [{**cuts[0], "false_positives": 1}, *cuts[1:]]):
            with self.assertRaises(BadInput):
                verdict(audit(wrong, {CLOPPER_PEARSON: 0.0}))

    def p_value(self, power):
        """Of RUNS: where the limit from below is the power at the limit from above."""
        def is_beyond(log_level):
            level = math.exp(log_level) / 2
            return least_true(90, 100, level) > power(most_false(2, 100, level))

        return math.exp(last(lambda log_level: not is_beyond(log_level), -100, 0))

    def test_gaussian_noise(self):
        """Power Phi(mu + Phi^-1(alpha)), mu = 1."""
        normal = NormalDist()
        truth = self.p_value(lambda alpha: normal.cdf(1 + normal.inv_cdf(alpha)))
        for adjacency, sigma in (("add-remove", 1.0), ("zero-out", 1.0), ("replace-one", 2.0)):
            for p, expected in ((truth * (1 + 1e-6), PROVED), (truth * (1 - 1e-6), FALSE)):
                answer = about(RUNS, {CLOPPER_PEARSON: p}, [{"type": "gaussian", "sigma": sigma}], adjacency=adjacency)
                self.assertEqual(of_test(answer, CLOPPER_PEARSON), expected)

    def test_a_claim(self):
        """The power of (epsilon, delta) is delta + e^epsilon alpha, or 1 - (1 - alpha - delta) e^-epsilon where that is less."""
        for epsilon in (0.05, 0.5, 3.0):
            truth = self.p_value(lambda alpha: min(0.001 + math.exp(epsilon) * alpha, 1 - (1 - alpha - 0.001) * math.exp(-epsilon)))
            for p, expected in ((truth * (1 + 1e-6), PROVED), (truth * (1 - 1e-6), FALSE)):
                self.assertEqual(of_test(about(RUNS, {CLOPPER_PEARSON: p}, claim=epsilon, delta=0.001), CLOPPER_PEARSON), expected)

    def test_a_claim_about_those_that_are_out(self):
        """All of them are called so of those that are in, 1 of 2 of the others: more than delta + e^epsilon times as often as it is wrong."""
        counts = {"true_positives": 100, "in": 100, "false_positives": 50, "out": 100}
        true, false = least_true(100, 100, 0.025), most_false(50, 100, 0.025)
        self.assertGreater(1 - false, true - false)
        truth = math.log((1 - false - 0.3) / (1 - true))
        for end, expected in ((truth - 1e-9, PROVED), (truth + 1e-9, FALSE)):
            self.assertEqual(verdict(audit(counts, {CLOPPER_PEARSON: end}, delta=0.3)), expected)

    def test_which_way_round_a_table_is(self):
        """What is said of records that are in alone is no sign that these are: half of them give it away; not what is said of those alone that are out."""
        counts = {"true_positives": 50, "in": 100, "false_positives": 0, "out": 1000}
        for p, q, proved in (([0.5, 0.5], [1.0, 0.0], False), ([1.0, 0.0], [0.5, 0.5], True)):
            answer = about(counts, {CLOPPER_PEARSON: 1e-20}, [{"type": "mass-table", "p": p, "q": q}])
            self.assertEqual(of_test(answer, CLOPPER_PEARSON) == PROVED, proved)
        missed = {"true_positives": 1000, "in": 1000, "false_positives": 50, "out": 100}
        for p, q, proved in (([0.5, 0.5], [1.0, 0.0], True), ([1.0, 0.0], [0.5, 0.5], False)):
            answer = about(missed, {CLOPPER_PEARSON: 1e-20}, [{"type": "mass-table", "p": p, "q": q}])
            self.assertEqual(of_test(answer, CLOPPER_PEARSON) == PROVED, proved)


class OneRun(unittest.TestCase):
    def test_a_tail(self):
        truth = float(binomial_tail(70, 100, odds(0.4)))
        for p, expected in ((truth * (1 + 1e-9), PROVED), (truth * (1 - 1e-9), FALSE)):
            self.assertEqual(of_test(about(GUESSES, {ONE_RUN: p, ALL_LINES: 1.0}, claim=0.4), ONE_RUN), expected)

    def test_a_tail_with_a_delta(self):
        """Lemma 3 by fractions; half as much is added where all guesses are \"in\"."""
        right, v, c, delta = odds(0.4), 70, 100, 1e-4
        tail, mass = binomial_tail(v, c, right), math.comb(c, v) * right**v * (1 - right) ** (c - v)
        for only_in, d in ((False, Fraction(delta)), (True, Fraction(delta) / 2)):
            truth = float(tail + 1000 * d * tail * (1 - tail) / (v * mass))
            for p, expected in ((truth * (1 + 1e-9), PROVED), (truth * (1 - 1e-9), FALSE)):
                answer = about({**GUESSES, "only_in": only_in}, {ONE_RUN: p, ALL_LINES: 1.0}, claim=0.4, delta=delta)
                self.assertEqual(of_test(answer, ONE_RUN), expected)

    def test_epsilon(self):
        """(e^epsilon / (1 + e^epsilon))^60 = 0.05."""
        root = 0.05 ** (1 / 60)
        truth = math.log(root / (1 - root))
        for end, expected in ((truth - 1e-9, PROVED), (truth + 1e-9, FALSE)):
            self.assertEqual(verdict(audit({**GUESSES, "correct": 60, "guessed": 60}, {ONE_RUN: end, ALL_LINES: 0.0})), expected)

    def is_excluded(self, cut, epsilon, delta, probability):
        """By the recursion of lemma 2, in fractions."""
        c, m, v = cut["guessed"], cut["canaries"], cut["correct"]
        factor, half = Fraction(math.exp(epsilon)), Fraction(1, 2) if cut["only_in"] else 1
        lines = [(1 / factor, m * half * delta), (factor, m * half * (1 - (1 - delta) / factor))]
        right, wrong = probability * v, probability * (c - v)
        for l in range(v - 1, -1, -1):
            more = max(wrong, *((right - offset) * slope for slope, offset in lines))
            right, wrong = right + Fraction(l, c - l) * (more - wrong), more
        return right + wrong > c

    def test_all_lines(self):
        for only_in in (False, True):
            cut = {"correct": 27, "guessed": 30, "canaries": 40, "only_in": only_in}
            low, high = Fraction(0), Fraction(1)
            for _ in range(40):
                middle = (low + high) / 2
                low, high = (low, middle) if self.is_excluded(cut, 0.5, Fraction(1e-3), middle) else (middle, high)
            for p, expected in ((float(high) * (1 + 1e-9), PROVED), (float(low) * (1 - 1e-9), FALSE)):
                self.assertEqual(of_test(about(cut, {ONE_RUN: 1.0, ALL_LINES: p}, claim=0.5, delta=1e-3), ALL_LINES), expected)

    def test_no_known_law_is_excluded(self):
        """Canary by canary: randomized response is right with probability p, and so is a threshold on Gaussian noise with Phi(1 / (2 sigma)). So many right
        ones have the probability of a binomial tail, which is no p-value from above. For half as much none is proved; 100 times as much is."""
        for entry, right, adjacency in (({"type": "randomized-response", "p": 0.75}, 0.75, "replace-one"),
                                        ({"type": "gaussian", "sigma": 0.5}, NormalDist().cdf(1), "add-remove"),
                                        ({"type": "gaussian", "sigma": 0.5}, NormalDist().cdf(1), "zero-out"),
                                        ({"type": "laplace", "scale": 1.0}, 1 - math.exp(-0.5) / 2, "add-remove")):
            for v in (15, 18, 20):
                cut = {"correct": v, "guessed": 20, "canaries": 20, "only_in": False}
                truth = float(binomial_tail(v, 20, Fraction(right)))
                for test in (ONE_RUN, ALL_LINES):
                    with self.subTest(entry=entry, v=v, test=test):
                        answer = about(cut, {ONE_RUN: 1.0, ALL_LINES: 1.0, test: truth * (1 - 1e-9)}, [entry], adjacency=adjacency)
                        self.assertEqual(of_test(answer, test), NOT_PROVED)

    def test_randomized_response_is_the_tail(self):
        truth = float(binomial_tail(18, 20, Fraction(3, 4)))
        cut = {"correct": 18, "guessed": 20, "canaries": 20, "only_in": False}
        answer = about(cut, {ONE_RUN: truth * (1 + 1e-6), ALL_LINES: 1.0}, [{"type": "randomized-response", "p": 0.75}], adjacency="replace-one")
        self.assertEqual(of_test(answer, ONE_RUN), PROVED)

    def test_many_guesses_take_many_bits(self):
        """Of fair coins, which lemma 2 gives no less than their tail."""
        cut = {"correct": 3798, "guessed": 4426, "canaries": 22143, "only_in": False}
        self.assertEqual(of_test(about(cut, {ONE_RUN: 1.0, ALL_LINES: 1e-300}, claim=0.0), ALL_LINES), PROVED)
        cut["correct"] = 2268
        for p in (0.06, 0.04):
            answer = about(cut, {ONE_RUN: 1.0, ALL_LINES: p}, claim=0.0)
            self.assertEqual(of_test(answer, ALL_LINES), PROVED if self.is_excluded(cut, 0.0, Fraction(0), Fraction(p)) else FALSE)

    def test_no_line_is_no_proof(self):
        def told(_):
            raise OutOfReach("no delta")

        with self.assertRaisesRegex(OutOfReach, "no delta is told"):
            Lines([0.0, 1.0], told, 9)

    def test_three_coins(self):
        """Any row of guesses but the one that is wrong everywhere, each with probability 1/7: (0, 1/7)-DP, and one guess or more is always right."""
        cut = {"correct": 1, "guessed": 3, "canaries": 3, "only_in": False}
        for test in (ONE_RUN, ALL_LINES):
            answer = about(cut, {ONE_RUN: 1.0, ALL_LINES: 1.0, test: 1 - 1e-9}, claim=0.0, delta=1 / 7 + 1e-16)
            self.assertEqual(of_test(answer, test), FALSE)


class WholeAnswers(unittest.TestCase):
    def scores(self, shift, many, seed):
        chance = random.Random(seed)
        with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False) as file:
            file.write("\n".join(repr(chance.gauss(shift, 1)) for _ in range(many)))
        self.addCleanup(os.unlink, file.name)
        return file.name

    def answers(self):
        rates = ("--true-positives", "900/1000", "--false-positives", "20/1000")
        guesses = ("--correct", "70/100", "--canaries", "1000")
        scores = ("--in", self.scores(2, 300, 1), "--out", self.scores(0, 300, 2))
        base = ("--delta", "1e-5")
        yield answer_of(*base, *rates, "--claim", "2", "gaussian:sigma=1")
        yield answer_of(*base, *rates, "--adjacency", "replace-one", "laplace:scale=2,count=2")
        yield answer_of(*base, *guesses, "--claim", "0.4")
        yield answer_of(*base, *guesses, "gaussian:sigma=4")
        for more in ((), ("--one-run",), ("--threshold", "1.5")):
            yield answer_of(*base, *scores, *more, "gaussian:sigma=1.5", "--claim", "1")

    def test_answers_of_the_command(self):
        for answer in self.answers():
            with self.subTest(answer["observed"][0]):
                claims = claims_of(answer, SECONDS)
                self.assertEqual({claim.verdict for claim in claims}, {PROVED}, [(claim.what, claim.verdict, claim.detail) for claim in claims])
                self.assertIn(FALSE, {claim.verdict for claim in claims_of(self.with_fewer(answer), SECONDS)})

    def with_fewer(self, answer):
        """Of each cut some that were right, taken away: no p-value of a claim, and no epsilon, is as good."""
        answer = copy.deepcopy(answer)
        for cut in answer["observed"]:
            name = "correct" if "correct" in cut else "true_positives"
            cut[name] -= -(-cut[name] // 50)
        return answer

    def test_what_is_said_of_the_best_test(self):
        """A p-value of 0.0266 is not one of 0.02, and refutes at confidence 0.95, but not at 0.98."""
        answer = about(GUESSES, {ONE_RUN: 0.03, ALL_LINES: 1.0}, claim=0.4)
        said = answer["hypotheses"][0]
        for changes, confidence, expected in (({"refuted": True}, 0.95, PROVED), ({"refuted": False}, 0.95, FALSE), ({"refuted": False}, 0.98, PROVED),
                                              ({"refuted": True}, 0.98, FALSE), ({"p_value": 0.02, "refuted": True}, 0.95, FALSE),
                                              ({"p_value": 0.04, "refuted": True}, 0.95, PROVED)):
            with self.subTest(changes, confidence=confidence):
                self.assertEqual(verdict({**answer, "confidence": confidence, "hypotheses": [{**said, **changes}]}), expected)
        self.assertEqual(verdict({**answer, "hypotheses": [], "epsilon": {"lower": 0.1, "by_test": {ONE_RUN: 0.0, ALL_LINES: 0.0}}}), FALSE)

    def test_what_is_no_audit_is_refused(self):
        good = about(GUESSES, {ONE_RUN: 0.5, ALL_LINES: 1.0}, claim=0.4)
        for changes in ({"observed": []}, {"observed": [{}]}, {"observed": [{**GUESSES, "correct": 101}]}, {"observed": [{**GUESSES, "correct": -1}]},
                        {"observed": [{**GUESSES, "correct": 1.5}]}, {"observed": [{**GUESSES, "canaries": 99}]}, {"observed": [{**GUESSES, "only_in": 0}]},
                        {"observed": [RUNS]}, {"observed": [{**GUESSES, "canaries": 10**10}]}, {"confidence": 1}, {"confidence": 0}, {"delta": -0.1}, {"delta": 2},
                        {"epsilon": {"lower": 0, "by_test": {ONE_RUN: 0}}}, {"epsilon": {"lower": -1, "by_test": {ONE_RUN: -1, ALL_LINES: 0}}},
                        {"hypotheses": [{**good["hypotheses"][0], "p_value": 0}]}, {"hypotheses": [{**good["hypotheses"][0], "claim": -1}]}, {"hypotheses": [tested({ONE_RUN: 1, ALL_LINES: 1})]}):
            with self.subTest(changes), self.assertRaises(BadInput):
                verdict({**good, **changes})


if __name__ == "__main__":
    unittest.main()
