"""pld audit: data against claims and compositions."""
import itertools
import json
import math
import os
import random
import tempfile
import unittest
from fractions import Fraction

from command import CommandTest, number, pld

RATES = ("--true-positives", "900/1000", "--false-positives", "20/1000")
GUESSES = ("--correct", "70/100", "--canaries", "1000")


def binomial_tail(k, n, p):
    return sum(math.comb(n, j) * p**j * (1 - p)**(n - j) for j in range(k, n + 1))


class Audit(CommandTest):
    def scores(self, numbers, heading=""):
        with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False, encoding="utf-8", newline="") as file:
            file.write(heading + "\n".join(map(repr, numbers)))
        self.addCleanup(os.unlink, file.name)
        return file.name

    def test_few_runs(self):
        """Ten runs: levels of a p-value run down to the least double."""
        for hits in range(11):
            for alarms in range(11):
                done = pld("audit", "--delta", "1e-5", "--true-positives", f"{hits}/10", "--false-positives", f"{alarms}/10", "dp:epsilon=0.5", "--json")
                found = json.loads(done.stdout)
                self.assertEqual((done.returncode, done.stderr), (4 if found["hypotheses"][0]["refuted"] else 0, ""))
                p_value = number(found["hypotheses"][0]["p_value"])
                self.assertTrue(0 < p_value <= 1 and number(found["epsilon"]["lower"]) >= 0, (hits, alarms))
                self.assertEqual(p_value <= 0.05, found["hypotheses"][0]["refuted"])

    def test_clopper_pearson_by_exact_fractions(self):
        rates = ("--true-positives", "90/100", "--false-positives", "2/100")
        found = self.answer("audit", "--delta", "0.001", *rates)["epsilon"]["lower"]
        # scipy.stats.beta.ppf(0.025, 90, 11) and ppf(0.975, 3, 98); each passes its tail, and one beside it does not.
        low, high = 0.8237774022599773, 0.07038393247107011
        half = Fraction(1, 40)
        for step, passes in ((-1e-9, True), (1e-9, False)):
            self.assertEqual(binomial_tail(90, 100, Fraction(low + step)) <= half, passes)
            self.assertEqual(1 - binomial_tail(3, 100, Fraction(high - step)) <= half, passes)
        self.assertAlmostEqual(found, math.log((low - 0.001) / high), delta=1e-7)

    def test_one_run_by_exact_fractions(self):
        answer = self.answer("audit", "--delta", "0", *GUESSES, "--claim", "0.4", status=4)
        p_value = answer["hypotheses"][0]["by_test"]["one-run"]
        right = Fraction(1 / (1 + math.exp(-0.4)))
        self.assertAlmostEqual(p_value / float(binomial_tail(70, 100, right)), 1, delta=1e-7)
        epsilon = answer["epsilon"]["by_test"]["one-run"]
        for step, refuted in ((-1e-6, True), (1e-6, False)):
            tail = binomial_tail(70, 100, Fraction(1 / (1 + math.exp(-epsilon - step))))
            self.assertEqual(tail <= Fraction(1, 20), refuted)

    def test_a_mechanism_with_a_delta_that_never_guesses_all_wrong(self):
        """Theorem 5.2 of Steinke, Nasr, Jagielski 2023 is no bound here: all of it by exact fractions."""
        for m in (3, 4, 5):
            delta = Fraction(1, 2**m - 1)
            rows = list(itertools.product((0, 1), repeat=m))
            law = {coins: {row: Fraction(row != tuple(1 - coin for coin in coins)) * delta for row in rows} for coins in rows}
            for coins in rows:
                self.assertEqual(sum(law[coins].values()), 1)
                self.assertEqual(sum(p for row, p in law[coins].items() if any(map(int.__eq__, row, coins))), 1)
                for j in range(m):
                    other = coins[:j] + (1 - coins[j],) + coins[j + 1:]
                    self.assertEqual(sum(max(law[coins][row] - law[other][row], 0) for row in rows), delta)
            formula = 1 - Fraction(1, 2**m) + 2 * m * delta / 2**m
            self.assertLess(formula, 1)
            answer = self.answer("audit", "--delta", repr(float(delta) + 1e-16), "--correct", f"1/{m}", "--canaries", str(m), "--claim", "0",
                                 "--confidence", repr(0.999999 - float(formula)))
            self.assertEqual(answer["hypotheses"][0]["by_test"], {"one-run": 1, "one-run f-DP": 1})
            self.assertEqual(answer["epsilon"]["by_test"], {"one-run": 0, "one-run f-DP": 0})

    def test_a_p_value_of_1_refutes_nothing(self):
        done = pld("audit", "--delta", "1e-5", "--true-positives", "1/1000", "--false-positives", "1/1000", "--confidence", "1e-300", "gaussian:sigma=1")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("not refuted, p <= 1.00000", done.stdout)

    def test_many_guesses(self):
        """Where no double has the tails' masses."""
        self.assertGreater(self.answer("audit", "--delta", "1e-4", "--correct", "6000/6000", "--canaries", "10000")["epsilon"]["lower"], 7.6)
        pure = self.answer("audit", "--delta", "0", "--correct", "6000/6000", "--canaries", "10000", "--claim", "0", status=4)
        self.assertLess(number(pure["hypotheses"][0]["by_test"]["one-run"]), 1e-299)
        # (e^epsilon / (1 + e^epsilon))^6000 = .05
        root = 0.05**(1 / 6000)
        self.assertAlmostEqual(pure["epsilon"]["by_test"]["one-run"], math.log(root / (1 - root)), delta=1e-6)

    def test_what_was_counted_is_told(self):
        """Of scores at each cut: above the out scores of rank 1, 2, 4, ..., or the 1, 2, 4, ... highest ones, of equal scores those that are out first."""
        inside, outside = self.scores([5, 5, 3, 1, 1]), self.scores([4, 3, 2, 0])
        base = ("audit", "--delta", "1e-5")
        for words, observed in ((RATES, [(900, 1000, 20, 1000)]), (("--in", inside, "--out", outside), [(2, 5, 0, 4), (2, 5, 1, 4), (5, 5, 3, 4)]),
                                (("--in", inside, "--out", outside, "--threshold", "3"), [(3, 5, 2, 4)])):
            names = ("true_positives", "in", "false_positives", "out")
            self.assertEqual(self.answer(*base, *words)["observed"], [dict(zip(names, counts)) for counts in observed])
        for words, observed in ((GUESSES, [(70, 100, 1000, False)]),
                                (("--in", inside, "--out", outside, "--one-run"), [(1, 1, 9, True), (2, 2, 9, True), (2, 4, 9, True), (5, 8, 9, True)])):
            names = ("correct", "guessed", "canaries", "only_in")
            self.assertEqual(self.answer(*base, *words)["observed"], [dict(zip(names, counts)) for counts in observed])

    def test_whose_hypothesis_it_is(self):
        hypotheses = self.answer("audit", "--delta", "1e-5", *RATES, "--claim", "2", "gaussian:sigma=1", status=4)["hypotheses"]
        self.assertEqual([hypothesis.get("claim") for hypothesis in hypotheses], [2, None])
        self.assertEqual(self.answer("audit", "--delta", "1e-5", *RATES, "--claim", "inf")["hypotheses"][0]["claim"], "inf")

    def test_nothing_released_has_a_name(self):
        done = pld("audit", "--delta", "1e-5", *RATES, "gaussian:sigma=1,count=0")
        self.assertEqual(done.returncode, 4)
        self.assertIn("\nnothing released: REFUTED, p <= ", done.stdout)

    def test_refuted_or_not_is_an_exit_status(self):
        for mechanism, status in (("gaussian:sigma=1", 4), ("gaussian:sigma=0.3", 0)):
            answer = self.answer("audit", "--delta", "1e-5", *RATES, mechanism, status=status)
            self.assertEqual(answer["hypotheses"][0]["refuted"], status == 4)
            self.assertEqual(answer["mechanisms"][0]["type"], "gaussian")
        text = pld("audit", "--delta", "1e-5", *RATES, "--claim", "2", "gaussian:sigma=1").stdout
        for words in ("epsilon >= 3.35", "confidence 0.95, of 1000 independent runs with the record and 1000 without\n", "claim 2 at delta 1e-05: REFUTED, p <= ", "gaussian:sigma=1: REFUTED"):
            self.assertIn(words, text)
        self.assertIn("no epsilon is refuted", pld("audit", "--delta", "0", "--correct", "5/10", "--canaries", "10").stdout)

    def test_a_claim_is_that_of_the_mechanism_of_its_name(self):
        hypotheses = self.answer("audit", "--delta", "1e-3", *GUESSES, "--claim", "0.3", "dp:epsilon=0.3,delta=0.001",
                                 status=4)["hypotheses"]
        self.assertAlmostEqual(hypotheses[0]["p_value"] / hypotheses[1]["p_value"], 1, delta=0.01)

    def test_a_first_line_that_is_no_finite_number_is_no_heading(self):
        """An infinity is the largest score of all: without it the attack seems better than it is."""
        fine = self.scores([1.0] * 20)
        for word in ("inf", "-inf", "+Infinity", "nan", "NaN", "-nan(ind)", "1e400", "-1e400", "1e-400", ".5.5", "0x1p3", "1/0"):
            for before in ("", "\n", "score\n"):
                with self.subTest(word=word, before=before):
                    bad = self.scores([0.0] * 19, f"{before}{word}\n")
                    line = 1 + before.count("\n")
                    self.refused("audit", "--delta", "1e-5", "--in", fine, "--out", bad, says=(f"line {line} must be one finite number",))

    def test_a_heading_is_no_score_in_disguise(self):
        fine = self.scores([1.0] * 20)
        for first in ("tensor(1.5)", "np.float64(1.5)", "tensor(-1.5, device='cuda:0')", "score 9", "score: 9", "x=.5", "tensor(nan)",
                      "np.float64(inf)", "_1.5", "Decimal('2')"):
            for before in ("", "\ufeff", " "):
                with self.subTest(first=first, before=before):
                    bad = self.scores([0.0] * 19, f"{before}{first}\n")
                    for files in (("--in", fine, "--out", bad), ("--in", bad, "--out", fine)):
                        self.refused("audit", "--delta", "1e-5", *files, says=("line 1 must be one finite number, or a heading without one",))

    def test_a_line_is_one_number(self):
        """Whatever a program writes in place of a plain decimal, or two of them: no run is made up and none is dropped."""
        fine = self.scores([1.0] * 20)
        for line in ("7,9", "7,9;", "1 000", "1\t000", "1\u00a0000", "0.5 0.7", "0.5,0.7", '"9"', "'9'", '"7,9"', "NA", "N/A", "NULL", "None", '"NA"',
                     "nil", "missing", "-", "\u22129", "\uff19", "--9", "score 9", "9 score", "1/2", "3/1"):
            for before in ("", "score\n", "1\n"):
                with self.subTest(line=line, before=before):
                    bad = self.scores([0.0] * 19, f"{before}{line}\n")
                    message = f"line {1 + before.count(chr(10))} must be one finite number"
                    for files in (("--in", fine, "--out", bad), ("--in", bad, "--out", fine)):
                        self.refused("audit", "--delta", "1e-5", *files, "--threshold", "3", says=(message,))
        plain = self.answer("audit", "--delta", "1e-5", "--in", fine, "--out", self.scores([9.0] + [0.0] * 19), "--threshold", "0.5")
        for first in ("\ufeff9.0\n", "\ufeffscore\n9.0\n", " 9.0\t\r\n", "# runs\n\n9.0\n"):
            with self.subTest(first=first):
                same = self.scores([0.0] * 19, first)
                found = self.answer("audit", "--delta", "1e-5", "--in", fine, "--out", same, "--threshold", "0.5")
                self.assertEqual(found["epsilon"], plain["epsilon"])

    def test_headings(self):
        fine = self.scores([1.0] * 20)
        for heading in ("score", "information", "nanoseconds", "# 3 runs", '"score"', "e5", "score_2", "log p(x | in)", "float64"):
            with self.subTest(heading=heading):
                zeros = self.scores([0.0] * 19, heading + "\n")
                self.answer("audit", "--delta", "1e-5", "--in", fine, "--out", zeros, "--threshold", "0.5")

    def test_scores(self):
        chance = random.Random(5)
        inside = self.scores([chance.gauss(2, 1) for _ in range(500)], "score\n")
        outside = self.scores([chance.gauss(0, 1) for _ in range(500)])
        for more in ((), ("--one-run",), ("--threshold", "2")):
            with self.subTest(more=more):
                answer = self.answer("audit", "--delta", "1e-5", "--in", inside, "--out", outside, *more,
                                     "gaussian:sigma=0.5")
                self.assertGreater(answer["epsilon"]["lower"], 1)
                self.assertFalse(answer["hypotheses"][0]["refuted"])
        swapped = self.answer("audit", "--delta", "1e-5", "--in", outside, "--out", inside)
        self.assertEqual(swapped["epsilon"]["lower"], 0)
        hint = "no epsilon is refuted (the attack does worse than chance: are its scores swapped?)"
        for more in ((), ("--one-run",)):
            self.assertIn(hint, pld("audit", "--delta", "1e-5", "--in", outside, "--out", inside, *more).stdout)
            self.assertNotIn(hint, pld("audit", "--delta", "1e-5", "--in", inside, "--out", inside, *more).stdout)
        picture = self.scores([]) + ".svg"
        self.addCleanup(lambda: os.path.exists(picture) and os.unlink(picture))
        self.assertEqual(pld("audit", "--delta", "1e-5", "--in", inside, "--out", outside, "--output", picture,
                             "gaussian:sigma=0.5").returncode, 0)
        with open(picture, encoding="utf-8") as file:
            drawn = file.read()
        for text in ("observed", "gaussian:sigma=0.5", "true positive rate"):
            self.assertIn(text, drawn)

    def test_refusals(self):
        base = ("audit", "--delta", "1e-5")
        self.refused(*base, "gaussian:sigma=1", says=["observed must be one of"])
        self.refused(*base, *RATES, *GUESSES, says=["observed must be one of"])
        self.refused(*base, "--true-positives", "9", "--false-positives", "1/2", says=["true-positives", "PART/TOTAL"])
        self.refused(*base, "--correct", "2/10/5", "--canaries", "8", says=["correct is '2/10/5'", "PART/TOTAL"])
        self.refused(*base, *GUESSES, "--one-run", says=["--one-run is of the scores"])
        self.refused(*base, *RATES, "--one-run", says=["--one-run is of the scores"])
        self.refused(*base, *GUESSES, "--threshold", "1", says=["--threshold is of the scores"])
        self.refused(*base, *RATES, "--threshold", "x", says=["--threshold is of the scores"])
        for words in (("--group", "2"), ("--adjacency", "replace-one"), ("--tries", "geometric:mean=2"), ("--dataset-size", "100", "--batch", "10", "--epochs", "1")):
            self.refused(*base, *RATES, "--claim", "1", *words, says=[words[0], "is of mechanisms, of which none is named"])
        self.refused(*base, "--true-positives", "9/8", "--false-positives", "1/2", says=["true positives is 9"])
        self.refused(*base, "--correct", "5/9", "--canaries", "8", says=["canaries is 8", "at least 9, the guesses of --correct"])
        self.refused(*base, "--true-positives", "0/0", "--false-positives", "1/9", says=["true-positives is '0/0'", "from 1 on"])
        self.refused(*base, "--true-positives", "1/9", says=["--false-positives belong together"])
        self.assertIn("worse than chance", pld(*base, "--true-positives", "1/50", "--false-positives", "45/50").stdout)
        self.assertNotIn("worse", pld(*base, "--true-positives", "45/50", "--false-positives", "1/50").stdout)
        self.refused(*base, *RATES, "--confidence", "1", says=["confidence is 1", "above 0 and below 1"])
        self.refused("audit", "--delta", "2", *RATES, says=["delta is 2"])
        self.refused(*base, *RATES, "--claim", "-1", says=["audit: claim is -1"])
        for data in (RATES, GUESSES):  # a claim of no limit, which nothing refutes
            self.assertEqual(self.answer(*base, *data, "--claim", "inf")["hypotheses"][0]["p_value"], 1)
        self.refused(*base, *RATES, "--direction", "add", "gaussian:sigma=1", says=["direction", "worst"])
        self.refused(*base, *GUESSES, "--output", "a.svg", says=["rates to draw"])
        self.refused(*base, *RATES, "--output", "a.txt", says=["a.txt", ".svg"])
        self.refused(*base, "--in", "/nonexistent", "--out", "/nonexistent", says=["/nonexistent"])
        wrong = self.scores([1, 2], "1\nx\n")
        self.refused(*base, "--in", wrong, "--out", wrong, says=["line 2", "one finite number"])
        self.refused(*base, "--in", wrong, says=["belong together"])


if __name__ == "__main__":
    unittest.main()
