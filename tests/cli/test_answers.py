"""Answers against exact ones; each bracket must hold the truth and be as narrow as asked."""
import json
import math
import os
import re
import subprocess
import unittest
from decimal import Decimal as D
from decimal import getcontext

import exact
from command import CommandTest, number, pld

getcontext().prec = 120

# MECHANISM words, and their exact profile at an epsilon
PROFILES = [
    (["gaussian:sigma=1"], lambda e: exact.gaussian(D(1), e)),
    (["gaussian:sigma=100,count=300"], lambda e: exact.gaussian(D("0.03").sqrt(), e)),
    (["gaussian:sigma=6,sensitivity=3,count=4"], lambda e: exact.gaussian(D(1), e)),
    (["gaussian:sigma=2", "gaussian:sigma=2,count=3"], lambda e: exact.gaussian(D(1), e)),
    (["randomized-response:p=0.75,count=100"], lambda e: exact.randomized_response(D("0.75"), 100, e)),
    (["dp:epsilon=0.1,delta=1e-8,count=200"], lambda e: exact.approximate_dp(D("0.1"), D("1e-8"), 200, e)),
    (["discrete-laplace:a=0.5,count=10"],
     lambda e: exact.randomized_response(D("0.5").exp() / (1 + D("0.5").exp()), 10, e)),
]


class Answers(CommandTest):
    def test_an_answer_that_the_told_releases_lower_is_narrow_only_if_it_is(self):
        found = self.answer("epsilon", "--delta", "1e-30", "gaussian:sigma=0.3171,allocation=2", status=3)
        self.assertFalse(found["converged"])
        self.assertGreater(found["epsilon"]["upper"], found["epsilon"]["lower"] * 1.001)

    def test_unbounded_losses_of_allocations(self):
        for words in ("gaussian:sigma=1,allocation=50,count=3", "gaussian:sigma=1,allocation=50,passes=3"):
            for direction in ("remove", "add", "worst"):
                self.assertEqual(float(self.bracket("epsilon", "--delta", "0", "--direction", direction, words)[0]), math.inf)

    def test_delta_brackets_hold_the_truth(self):
        for words, profile in PROFILES:
            for epsilon in ("-1", "0", "0.1", "0.7", "2"):
                with self.subTest(words=words, epsilon=epsilon):
                    truth = profile(D(epsilon))
                    lower, _, upper = self.bracket("delta", "--epsilon", epsilon, *words)
                    self.assertTrue(D(lower) <= truth <= D(upper), (lower, truth, upper))
                    self.assertLessEqual(upper - lower, 1e-3 * upper)

    def test_epsilon_brackets_hold_the_truth(self):
        # The profile falls: epsilon(delta) is in [lower, upper] where profile(lower) >= delta >= profile(upper).
        for words, profile in PROFILES:
            for delta in ("1e-2", "1e-5", "1e-9"):
                with self.subTest(words=words, delta=delta):
                    lower, _, upper = self.bracket("epsilon", "--delta", delta, *words)
                    if words[0].startswith("dp:") and D(delta) < 1 - (1 - D("1e-8")) ** 200:  # mass at infinity
                        self.assertEqual((lower, upper), (math.inf, math.inf))
                        continue
                    self.assertTrue(profile(D(lower)) >= D(delta) >= profile(D(upper)), (lower, upper))
                    self.assertLessEqual(upper - lower, max(1e-9, 1e-4 * upper))

    def test_sampled_gaussian_once(self):
        truth = exact.sampled_gaussian_once(D("0.8"), D("0.005"), D(1))
        words = ("--epsilon", "1", "--direction", "remove", "gaussian:sigma=0.8,q=0.005")
        lower, _, upper = self.bracket("delta", *words)
        self.assertTrue(D(lower) <= truth <= D(upper), (lower, truth, upper))

    def test_laplace_once(self):
        truth = exact.laplace_once(D(2), D("0.25"))
        lower, _, upper = self.bracket("delta", "--epsilon", "0.25", "laplace:scale=2")
        self.assertTrue(D(lower) <= truth <= D(upper), (lower, truth, upper))

    def test_negative_epsilon_where_delta_exceeds_the_total_variation(self):
        lower, _, upper = self.bracket("epsilon", "--delta", "0.9", "gaussian:sigma=1")
        self.assertTrue(exact.gaussian(D(1), D(lower)) >= D("0.9") >= exact.gaussian(D(1), D(upper)), (lower, upper))
        self.assertLess(upper, 0)

    def test_delta_below_the_range_of_doubles_is_told_by_its_logarithm(self):
        getcontext().prec = 2000
        truth = exact.gaussian(D(1), D(60)).ln()
        getcontext().prec = 120
        lower, _, upper = self.bracket("delta", "--epsilon", "60", "gaussian:sigma=1", of="log_delta")
        self.assertTrue(D(lower) <= truth <= D(upper), (lower, truth, upper))
        self.assertLess(upper - lower, 1e-3)
        lower, _, upper = self.bracket("delta", "--epsilon", "60", "gaussian:sigma=1")
        self.assertEqual(lower, 0)
        self.assertTrue(0 < upper <= 5e-324)
        self.assertIn("delta <= exp(-1", pld("delta", "--epsilon", "60", "gaussian:sigma=1").stdout)

    def test_infinite_answers_are_strings(self):
        self.assertEqual(self.answer("epsilon", "--delta", "0", "gaussian:sigma=1")["epsilon"],
                         {"lower": "inf", "estimate": "inf", "upper": "inf"})
        self.assertEqual(self.answer("epsilon", "--delta", "1", "gaussian:sigma=1")["epsilon"],
                         {"lower": "-inf", "estimate": "-inf", "upper": "-inf"})

    def test_equal_ends_are_told_once(self):
        """No pair of neighbours attains all that is composed, and yet no less than the upper bound is lost."""
        told = pld("epsilon", "--delta", "0", "--adjacency", "replace-one", "gaussian:sigma=1,wor=.1", "exponential:epsilon=1,count=3")
        self.assertTrue(told.stdout.startswith("epsilon <= inf (at most, and no less) at delta 0,"), told.stdout)
        told = pld("epsilon", "--delta", "1e-6", "exponential:epsilon=3,count=2", "dp:epsilon=1,delta=.1")
        self.assertIn("inf (at most, and no less for some mechanism with the guarantee) at", told.stdout)

    def test_infinite_epsilon(self):
        for word in ("inf", "+inf"):
            answer = self.answer("delta", "--epsilon", word, "gaussian:sigma=1")
            self.assertEqual(answer["epsilon"], "inf")
            self.assertEqual(number(answer["delta"]["upper"]), 0)
            self.assertEqual(answer["log_delta"]["upper"], "-inf")
        for words in (("--epsilon", "-inf"), ("--epsilon=-inf",)):
            answer = self.answer("delta", *words, "gaussian:sigma=1")
            self.assertEqual(answer["epsilon"], "-inf")
            self.assertEqual(number(answer["delta"]["lower"]), 1)

    def test_negative_epsilon_parses_in_both_forms(self):
        apart = self.answer("delta", "--epsilon", "-3", "gaussian:sigma=1")
        joined = self.answer("delta", "--epsilon=-3", "gaussian:sigma=1")
        self.assertEqual(apart["epsilon"], -3)
        self.assertEqual(apart["delta"], joined["delta"])


# What an answer says of the question, so that it can be checked (docs/verify.md).
ASKED = ["mechanisms", "adjacency", "asked_direction", "tolerance", "version"]


class Forms(CommandTest):
    def test_an_answer_says_what_was_asked(self):
        answer = self.answer("epsilon", "--delta", "1e-6", "--direction", "add", "--tolerance", "0.01", "--adjacency", "zero-out",
                             "gaussian:sigma=2,q=0.5,count=20", "laplace:scale=3,sampler=fixed-size,batch=1,dataset=4", "mass-table:p=.5/.5,q=.25/.75")
        self.assertEqual([answer[key] for key in ASKED[:4]], [
            [{"type": "gaussian", "sigma": 2, "sampling": {"poisson": 0.5}, "count": 20},
             {"type": "laplace", "scale": 3, "sampling": {"without_replacement": 0.25}},
             {"type": "mass-table", "p": [0.5, 0.5], "q": [0.25, 0.75]}], "zero-out", "add", 0.01])
        self.assertEqual(f"{answer['version']}\n", pld("--version").stdout)

    def test_what_an_answer_says_was_asked_has_that_answer(self):
        for words in (["gaussian:sigma=0.1,q=0.7,count=3", "gaussian:sigma=0.1,q=0.7,count=4"], ["binomial:n=9,p=0.3"],
                      ["generalized:shape=1.7,scale=3,count=5", "randomized-response:p=0.6"], ["laplace:scale=1e-3,poisson=1"],
                      ["integer-noise:masses=.25/.5/.25,poisson=0.3,count=2"], ["dp-points:epsilons=.5/1,deltas=1e-5/1e-9"],
                      ["zcdp:rho=0.1", "gaussian-mixture:sigma=1,shifts=0/1,weights=.5/.5"]):
            answer = self.answer("delta", "--epsilon", "0.3", *words)
            line = {"query": "delta", "epsilon": 0.3, "direction": answer["asked_direction"],
                    **{key: answer[key] for key in ("mechanisms", "adjacency", "tolerance")}}
            again = json.loads(pld("batch", stdin=json.dumps(line)).stdout)
            del answer["seconds"], again["seconds"]
            self.assertEqual(answer, again)

    def test_epsilon_object(self):
        answer = self.answer("epsilon", "--delta", "1e-6", "gaussian:sigma=1")
        self.assertEqual(list(answer), ["query", "delta", "epsilon", "direction", "engine", "converged", "exact", "seconds", *ASKED])
        self.assertEqual((answer["query"], answer["delta"], answer["converged"]), ("epsilon", 1e-6, True))
        self.assertIn(answer["direction"], ("remove", "add"))
        self.assertIn(answer["engine"], ("lattice", "contour", "closed-form"))
        self.assertTrue(0 <= answer["seconds"] < 300)

    def test_seconds_are_those_of_making_a_selection_too(self):
        """Which take a hundred times those of asking it."""
        words = ("--tries", "poisson:mean=10", "gaussian:sigma=1,q=0.00512,count=5860")
        ledger = {"mechanisms": [{"tries": words[1], "mechanisms": [words[2]]}]}
        lines = pld("batch", stdin=json.dumps({"query": "epsilon", "delta": 1e-5, **ledger})).stdout
        for said in (self.answer("epsilon", "--delta", "1e-5", *words), self.answer("delta", "--epsilon", "1", *words), json.loads(lines)):
            self.assertGreater(said["seconds"], 0.003)

    def test_losses_of_many_values_that_lie_close_take_no_minutes(self):
        """Nor gigabytes: a record of a cut sample has a share of 5e-5, and an epsilon far out many atoms below it."""
        noise = "discrete-gaussian:sigma=5462.17,sensitivity=2,truncated=0.999999,cap=5,records=100000,count=1000"
        done = subprocess.run(["prlimit", "--as=2000000000", "--cpu=30", os.environ["PLD"], "epsilon", "--json", "--delta", "1e-6", "--adjacency",
                               "replace-one", noise], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        found = json.loads(done.stdout)["epsilon"]
        self.assertTrue(-9.9e-7 < found["lower"] < -9.89e-7 and -8.5e-7 < found["upper"] < -8.3e-7, found)

    def test_delta_object(self):
        answer = self.answer("delta", "--epsilon", "2", "gaussian:sigma=1")
        self.assertEqual(list(answer),
                         ["query", "epsilon", "delta", "log_delta", "direction", "engine", "converged", "exact", "seconds", *ASKED])
        self.assertEqual((answer["query"], answer["epsilon"]), ("delta", 2))
        for end in ("lower", "estimate", "upper"):
            self.assertAlmostEqual(math.log(answer["delta"][end]), answer["log_delta"][end], delta=1e-9)

    def test_sentence(self):
        done = pld("epsilon", "--delta", "1e-6", "gaussian:sigma=1")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"\Aepsilon <= (4\.8865\d+) \(exact to [0-9.e-]+: 4\.8865\d+ \.\. \1\) at delta 1e-06, "
                                      r"engine [a-z-]+, [0-9.e+-]+ ms\n\Z")  # both directions are alike

    def test_sentence_rounds_outward(self):
        for sigma in ("0.3", "1", "1.7", "40", "1000"):
            for query, value in (("epsilon", "1e-6"), ("epsilon", "0.3"), ("delta", "-2"), ("delta", "1e-3")):
                for engine in ("auto", "lattice"):
                    words = (query, "--delta" if query == "epsilon" else "--epsilon", value, "--engine", engine,
                             "--tolerance", "0.03", f"gaussian:sigma={sigma}")
                    with self.subTest(words=words):
                        shown = re.search(r"<= (\S+) \(exact to \S+: (\S+) \.\. (\S+)\)", pld(*words).stdout)
                        first, below, above = map(float, shown.groups())
                        lower, _, upper = self.bracket(*words)
                        self.assertTrue(below <= lower <= upper <= above, (shown[0], lower, upper))
                        # The ends lose at most one of their last place, which is at most a width.
                        self.assertLessEqual(above - below, 3 * (upper - lower) + 1e-13 * abs(upper))
                        self.assertEqual(first, above, shown[0])

    def test_direction_asked_for_is_the_one_reported(self):
        for direction in ("remove", "add"):
            answer = self.answer("delta", "--epsilon", "1", "--direction", direction, "gaussian:sigma=1,q=0.5")
            self.assertEqual(answer["direction"], direction)

    def test_worst_direction_is_the_worse(self):
        upper = {direction: self.answer("delta", "--epsilon", "1", "--direction", direction,
                                        "gaussian:sigma=1,q=0.1")["delta"]["upper"]
                 for direction in ("remove", "add", "worst")}
        self.assertEqual(upper["worst"], max(upper["remove"], upper["add"]))

    def test_engine_asked_for_is_the_one_reported(self):
        for engine in ("lattice", "contour", "closed-form"):
            answer = self.answer("epsilon", "--delta", "1e-6", "--engine", engine, "gaussian:sigma=1")
            self.assertEqual(answer["engine"], engine)

    def test_tolerance_out_of_reach_is_told(self):
        # No double but the exact one is within 1e-30 of another.
        words = ("delta", "--epsilon", "1", "--tolerance", "1e-30", "--engine", "lattice", "gaussian:sigma=1,q=0.5")
        answer = self.answer(*words, status=3)
        self.assertFalse(answer["converged"])
        self.assertLess(answer["delta"]["lower"], answer["delta"]["upper"])
        done = pld(*words)
        self.assertEqual((done.returncode, done.stderr), (3, ""))
        self.assertIn("tolerance 1e-30 not reached", done.stdout)

    def test_what_is_not_as_narrow_as_asked_is_not_called_exact(self):
        number, in_time = r"(exp\([-+0-9.e]+\)|[-+0-9.e]+)", ("--timeout", "1e-4", "gaussian:sigma=1,q=0.01,count=1000")
        for words in (("epsilon", "--delta", "1e-9"), ("delta", "--epsilon", "2"), ("delta", "--epsilon", "300"),
                      ("compare", "--delta", "1e-9", "--claim", "1")):
            with self.subTest(words):
                said = pld(*words, *in_time).stdout
                self.assertIn("tolerance", said)
                self.assertRegex(said.splitlines()[0], rf" <= {number} \(between {number} and \1\) at ")

    def test_counts(self):
        """Equal however they are written, and however they are split."""
        def answered(*words):
            return self.answer("delta", "--epsilon", "1", *words)["delta"]
        plain = answered("gaussian:sigma=50,count=1000")
        for words in (["gaussian:sigma=50,count=1e3"], ["gaussian:sigma=50,count=1000.0"],
                      ["gaussian:count=1000,sigma=50"], ["gaussian:sigma=5e1,sensitivity=1,count=+1000"],
                      ["gaussian:sigma=50,count=400", "gaussian:sigma=50,count=600"],
                      ["gaussian:sigma=50,count=1000", "gaussian:sigma=1,count=0"]):
            self.assertEqual(answered(*words), plain, words)
        self.assertEqual(answered("gaussian:sigma=1e7,count=1e12")["lower"] > 0, True)


class Ledgers(CommandTest):
    def test_ledger_and_words_say_the_same(self):
        words = self.answer("epsilon", "--delta", "1e-6", "gaussian:sigma=3,q=0.5,count=20", "gaussian:sigma=30")
        whole = self.ledger('{"adjacency":"add-remove","mechanisms":[{"type":"gaussian","sigma":3,'
                            '"sampling":{"poisson":0.5},"count":20},{"type":"gaussian","sigma":30.0}]}')
        part = self.ledger('{"mechanisms":[{"type":"gaussian","sigma":3,"sampling":{"poisson":0.5},"count":2e1}]}')
        for given in (["--ledger", whole], ["--ledger", part, "gaussian:sigma=30"]):
            self.assertEqual(self.answer("epsilon", "--delta", "1e-6", *given)["epsilon"], words["epsilon"])

    def test_far_beyond_every_loss_nothing_is_left(self):
        # Nothing but the mass at infinity, 1e-9 of dp:, is as far out: what overflows there is no reason to say 1.
        for words in (["gaussian:sigma=1"], ["gaussian:sigma=1,q=0.1,count=9"], ["discrete-gaussian:sigma=1"],
                      ["gaussian:sigma=1,count=10", "laplace:scale=1"], ["skellam:variance=9"]):
            for epsilon in ("1e300", "5e307", "1.79e308"):
                with self.subTest(words=words, epsilon=epsilon):
                    for more, least in ((words, 0), ([*words, "dp:epsilon=1,delta=1e-9"], 1e-9)):
                        lower, _, upper = self.within("delta", "--epsilon", epsilon, *more)
                        self.assertLessEqual(lower, least)
                        self.assertLessEqual(upper, least * (1 + 1e-6) + 5e-324)
                        self.assertGreaterEqual(lower, least * (1 - 1e-6))

    def within(self, *words):
        """A bracket, however wide."""
        found = json.loads(pld(*words, "--json").stdout)[words[0]]
        return [number(found[end]) for end in ("lower", "estimate", "upper")]

    def test_thousands_of_kinds_take_little_memory(self):
        # Laws and outlines of all of them at once were 740 MB, and of samples in groups of three 285 MB.
        def kinds(named, first, step):
            return [{"type": named, "sigma": round(first + step * i, 4), "sampling": {"poisson": round(1e-3 + 2e-6 * i, 6)}}
                    for i in range(5000)]

        for mechanisms, asked in ((kinds("discrete-gaussian", 5, 0.007), ["--adjacency", "replace-one"]),
                                  (kinds("discrete-gaussian", 5, 0.007), []),
                                  (kinds("gaussian", 1, 0.0006), ["--group", "3"])):
            with self.subTest(kind=mechanisms[0], asked=asked):
                ledger = self.ledger(json.dumps({"mechanisms": mechanisms}))
                words = [os.environ["PLD"], "delta", "--epsilon", "10", "--ledger", ledger, *asked]
                with subprocess.Popen(words, stdout=subprocess.DEVNULL) as process:
                    _, status, usage = os.wait4(process.pid, 0)
                    process.returncode = os.waitstatus_to_exitcode(status)
                self.assertIn(process.returncode, (0, 3))
                self.assertLess(usage.ru_maxrss, 200e3)

    def test_empty_ledger_leaks_nothing(self):
        empty = self.ledger('{"adjacency":"add-remove","mechanisms":[]}')
        self.assertEqual(self.bracket("delta", "--epsilon", "0", "--ledger", empty), (0, 0, 0))


if __name__ == "__main__":
    unittest.main()
