"""Whose number it is, and which way it is rounded: what is printed is judged again by `compare --claim`."""
import csv
import contextlib
import fcntl
import json
import math
import os
import pathlib
import pty
import re
import struct
import subprocess
import tempfile
import termios
import unittest
from fractions import Fraction

from command import CommandTest, number, pld

EXACT = [
    ["gaussian:sigma=1"],
    ["gaussian:sigma=0.8,q=0.005,count=1000"],
    ["skellam:variance=100,count=30"],
    ["laplace:scale=50,count=200", "gaussian:sigma=7"],
    ["exponential:epsilon=0.5"],
    ["--adjacency", "replace-one", "gaussian:sigma=3,wor=0.3"],
]
# The pairs only dominate; of the last nothing is known from below.
AT_MOST = [
    ["--adjacency", "replace-one", "randomized-response:p=0.7,k=3,q=0.4,count=5"],
    ["--adjacency", "replace-one", "randomized-response:p=0.9,wor=0.3,count=2"],
    ["--adjacency", "zero-out", "laplace:scale=20,wor=0.3,count=9"],
    ["exponential:epsilon=0.1,count=100"],
    ["zcdp:rho=0.05"],
    ["report-noisy-max:scale=4,count=3", "gaussian:sigma=9"],
]
NUMBER = r"(-?(?:inf|[0-9.]+(?:e[+-]\d+)?))"


class Words(CommandTest):
    def verdict(self, delta, claim, words):
        """What is said of a claim in decimals, as printed."""
        done = pld("compare", "--delta", delta, f"--claim={claim}", *words, "--json")
        self.assertIn(done.returncode, (0, 3, 4), (words, done.stderr))
        return json.loads(done.stdout)["claim"]["verdict"]

    def stands(self, delta, claim, words):
        if claim != "inf":
            self.assertEqual(self.verdict(delta, claim, words), "valid", (words, delta, claim))

    def is_not_accused(self, delta, claim, words):
        """Of a delta so close that no epsilon tells it from the exact one, nothing is said."""
        self.assertIn(self.verdict(delta, claim, words), ("valid", "undecided"), (words, delta, claim))

    def test_the_first_number_of_epsilon_stands(self):
        for words in EXACT + AT_MOST:
            for delta in ("1e-6", "0.01"):
                for tolerance in ("0.1", "1e-2", "1e-5"):
                    with self.subTest(words=words, delta=delta, tolerance=tolerance):
                        said = pld("epsilon", "--delta", delta, "--tolerance", tolerance, *words).stdout
                        first = re.match(rf"epsilon <= {NUMBER} \(", said)
                        self.stands(delta, first[1], words)
                        lower = re.search(rf"(?:at least|: ){NUMBER}(?: \.\.|\)| for some)", said)
                        if lower and lower[1] not in (first[1], "-inf"):
                            self.assertNotEqual(self.verdict(delta, lower[1], words), "valid", said)

    def test_the_first_number_of_delta_stands(self):
        for words in EXACT + AT_MOST:
            for epsilon in ("0.1", "1.5"):
                for tolerance in ("0.3", "1e-3"):
                    with self.subTest(words=words, epsilon=epsilon, tolerance=tolerance):
                        said = pld("delta", "--epsilon", epsilon, "--tolerance", tolerance, *words).stdout
                        first = re.match(rf"delta <= {NUMBER} \(", said)
                        if first and float(first[1]) > 0:
                            self.is_not_accused(first[1], epsilon, words)

    def test_digits_are_those_asked_for_and_rounded_outward(self):
        for words in (["gaussian:sigma=0.8,q=0.005,count=1000"], ["laplace:scale=50,count=200"], AT_MOST[0]):
            for query in (["epsilon", "--delta", "1e-6"], ["delta", "--epsilon", "0.01"]):
                found = self.answer(*query, *words)[query[0]]
                for digits in (1, 4, 12, 17):
                    line = pld(*query, "--digits", str(digits), *words).stdout
                    upper, *others = (Fraction(text) for text in re.findall(r"(?:<= |: |at least |\.\. )" + NUMBER, re.split(" at (?:delta|epsilon) ", line)[0]))
                    self.assertEqual(len(others), 1 if "at least" in line else 2, line)
                    self.assertLessEqual(Fraction(found["upper"]), upper)
                    self.assertGreaterEqual(Fraction(found["lower"]), others[0])
                    most = Fraction(10) ** (1 - digits)  # a unit in the last place is no more, relatively
                    self.assertLess(upper - Fraction(found["upper"]), most * upper)
                    self.assertLess(Fraction(found["lower"]) - others[0], most * others[0] + most)
        one = lambda *words: pld("epsilon", "--digits", "1", *words).stdout
        self.assertRegex(one("--delta", "1e-6", "gaussian:sigma=1"), r"\Aepsilon <= 5 \(exact to \S+; rounded outward: 4 \.\. 5\) at ")
        self.assertRegex(one("--delta", "0", "laplace:scale=0.7"), r"\Aepsilon <= 2 \(exact to \S+; rounded outward: 1 \.\. 2\) at ")
        self.assertRegex(one("--delta", "0", "dp:epsilon=1.25"), r"\Aepsilon <= 2 \(exact; rounded outward: 1 \.\. 2\) at ")
        self.assertIn("epsilon <= 1 (exact) at ", one("--delta", "0", "laplace:scale=1"))
        self.assertIn("epsilon <= 2.3 ", pld("compare", "--delta", "1e-6", "--digits", "2", "gaussian:sigma=2").stdout)
        for digits in ("0", "18", "2.5", "x"):
            self.refused("epsilon", "--delta", "1e-6", "--digits", digits, "gaussian:sigma=1", says=[f"'{digits}', but must be a whole number from 1 to 17"])

    def test_a_delta_below_doubles_has_its_own_relative_width(self):
        query = ["delta", "--epsilon", "30", "gaussian:sigma=4,q=0.01,count=10000"]
        log = self.answer(*query)["log_delta"]
        said = re.search(rf"\(exact to {NUMBER}: exp\({NUMBER}\) \.\. exp\({NUMBER}\)\)", pld(*query).stdout)
        self.assertGreaterEqual(float(said[1]), math.expm1(log["upper"] - log["lower"]))
        self.assertLess(float(said[1]), 2 * math.expm1(float(said[3]) - float(said[2])))

    def test_a_direction_is_named_where_they_differ(self):
        epsilon = ("epsilon", "--delta", "1e-6")
        for words in (["gaussian:sigma=2,count=9"], ["laplace:scale=3"], ["--adjacency", "zero-out", "gaussian:sigma=1"]):
            self.assertNotIn("direction", pld(*epsilon, *words).stdout, words)
        for words in (["gaussian:sigma=2,q=0.1"], ["laplace:scale=3", "gaussian:sigma=2,q=0.1"]):
            self.assertIn(", worst direction: remove", pld(*epsilon, *words).stdout, words)
        self.assertIn(", direction: add", pld(*epsilon, "--direction", "add", "gaussian:sigma=2").stdout)

    def test_long_refusals_are_broken_on_a_terminal_alone(self):
        words = [os.environ["PLD"], "epsilon", "--delta", "1e-6", "nobody:x=1"]
        plain = pld(*words[1:]).stderr
        self.assertEqual(plain.count("\n"), 1)
        terminal, end = pty.openpty()
        fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
        subprocess.run(words, stderr=end, env={**os.environ, "NO_COLOR": "1"})
        os.close(end)
        shown = ""
        with contextlib.suppress(OSError):  # a terminal's end, which comes in parts
            while part := os.read(terminal, 1 << 16):
                shown += part.decode()
        os.close(terminal)
        lines = shown.splitlines()
        self.assertGreater(len(lines), 4)
        self.assertLessEqual(max(map(len, lines)), 60)
        self.assertEqual(" ".join(shown.split()), " ".join(plain.split()))

    def test_calibrate_and_explain_stand(self):
        said = pld("calibrate", "--epsilon", "2", "--delta", "1e-5", "gaussian:sigma=?,q=0.01,count=100").stdout
        value = re.match(rf"sigma = {NUMBER} meets", said)[1]
        delta = re.search(rf"delta at epsilon 2 <= {NUMBER} \(exact", said)[1]
        self.assertLessEqual(float(delta), 1e-5)
        self.is_not_accused(delta, "2", [f"gaussian:sigma={value},q=0.01,count=100"])
        for words in (EXACT[1], EXACT[2], AT_MOST[0], AT_MOST[5]):
            page = pld("explain", *words).stdout
            found = self.answer("explain", *words)
            for delta, epsilon in re.findall(rf"  delta (1e-\d+) +<= {NUMBER} ", page):
                self.stands(delta, epsilon, words)
            advantage = float(re.search(rf"membership advantage +<= {NUMBER} %", page)[1]) / 100
            self.stands(repr(advantage), "0", words)
            wrong = float(re.search(rf"wrong at even odds +>= {NUMBER} %", page)[1]) / 100
            self.assertLessEqual(wrong, number(found["bayes_error"]["lower"]) * (1 + 1e-12))
            for share, key in (("1", "0.01"), ("0.1", "0.001")):
                rate = float(re.search(rf"true positives at {share} % false +<= {NUMBER} %", page)[1]) / 100
                self.assertGreaterEqual(rate * (1 + 1e-12), number(found["tpr_at_fpr"][key]["upper"]))

    def test_what_only_dominates_says_so_at_every_door(self):
        for words in AT_MOST:
            with self.subTest(words=words):
                said = pld("epsilon", "--delta", "1e-6", *words).stdout
                self.assertRegex(said, rf"\Aepsilon <= {NUMBER} \(at most(; at least {NUMBER}(?: for some mechanism with the guarantee)?)?\) at delta 1e-06, ")
                self.assertRegex(said, "an upper bound")
                compared = pld("compare", "--delta", "1e-6", *words).stdout
                page = pld("explain", *words).stdout
                for text in (said, compared, page):
                    self.assertNotIn("exact", text.replace("x exact", "exact"))
                for query in (["epsilon", "--delta", "1e-6"], ["delta", "--epsilon", "0.1"], ["compare", "--delta", "1e-6"],
                              ["explain"]):
                    self.assertIs(self.answer(*query, *words)["exact"], False, query)
                curve = json.loads(pld("curve", "--range", "0:1:3", "--json", *words).stdout)
                self.assertIs(curve["compositions"][0]["exact"], False)
                table = list(csv.DictReader(pld("curve", "--range", "0:1:3", *words).stdout.splitlines()))
                self.assertEqual({row["exact"] for row in table}, {"false"})
                with tempfile.TemporaryDirectory() as folder:
                    picture = pathlib.Path(folder, "curve.svg")
                    pld("curve", "--range", "0:1:3", "--output", str(picture), *words)
                    self.assertIn("(at most)", picture.read_text())

    def test_of_many_releases_the_first_are_told(self):
        kinds = [f"zcdp:rho=0.0{i}1" for i in range(11, 41)]
        for words, status in ((("epsilon", "--delta", "1e-6"), 0), (("compare", "--delta", "1e-6", "--claim", "99"), 0)):
            done = pld(*words, *kinds)
            told = [line for line in done.stdout.splitlines() if "    zcdp:rho=" in line]
            self.assertEqual([line.split(",")[0].strip() for line in told], kinds[:10])
            self.assertIn("\n    and 20 more, each counted as something else or by an upper bound\n", done.stdout)
            self.assertLessEqual(done.stdout.count("\n"), 14, words)  # the sentence, how it was added, the verdict
        self.assertNotIn("more", pld("epsilon", "--delta", "1e-6", *kinds[:10]).stdout)

    def test_what_is_exact_says_so_at_every_door(self):
        for words in EXACT:
            with self.subTest(words=words):
                self.assertRegex(pld("epsilon", "--delta", "1e-6", *words).stdout, rf"\Aepsilon <= {NUMBER} \(exact")
                self.assertIs(self.answer("delta", "--epsilon", "0.1", *words)["exact"], True)
                self.assertIs(self.answer("compare", "--delta", "1e-6", *words)["exact"], True)
                curve = json.loads(pld("curve", "--range", "0:1:3", "--json", *words).stdout)
                self.assertIs(curve["compositions"][0]["exact"], True)

    def test_nothing_known_from_below_is_null(self):
        # Of a guarantee that leaves no room for any Gaussian noise nothing is attained.
        answer = self.answer("epsilon", "--delta", "1e-6", "rdp:orders=2/8,epsilons=0/0.1")
        self.assertEqual((answer["epsilon"]["lower"], answer["exact"]), (None, False))
        # D_2 = 0: both laws are one, of which epsilon is log(1 - delta).
        self.assertTrue(math.log1p(-1e-6) <= answer["epsilon"]["upper"] < 0, answer["epsilon"])
        said = pld("epsilon", "--delta", "1e-6", "rdp:orders=2/8,epsilons=0/0.1").stdout
        self.assertRegex(said, rf"\Aepsilon <= {NUMBER} \(at most\) at delta")

    def test_no_claim_is_accused_that_may_be_right(self):
        # All neighbours enumerated, adaptive ones too: delta(1) = 0.12659.
        words = ["--adjacency", "replace-one", "randomized-response:p=0.9,wor=0.3,count=2"]
        self.assertEqual(self.verdict("0.13", "1", words), "undecided")
        self.assertEqual(self.verdict("0.12", "1", words), "undecided")
        # zCDP proves 8.846, where the composed pairs have 9.838.
        self.assertEqual(self.verdict("1e-6", "8.846", ["exponential:epsilon=0.1,count=1000"]), "valid")
        # What fewer neighbours attain accuses: two neighbours of add-remove are neighbours of replace-one.
        self.assertEqual(self.verdict("1e-5", "2.158", ["--adjacency", "replace-one", "gaussian:sigma=1,q=0.00512,count=5860"]),
                         "under-reports")

    def test_calibrate_fails_no_mechanism_for_what_its_guarantee_allows(self):
        words = ("--epsilon=5", "--delta=1e-8", "dp:epsilon=?,delta=1e-9,count=5")
        self.assertIs(self.answer("calibrate", *words)["next"]["fails"], False)
        self.assertIn("is not proved to meet it", pld("calibrate", *words).stdout)

    def test_directions_whose_brackets_overlap_are_not_told_apart(self):
        words = ("--timeout=1e-3", "generalized:shape=3,scale=10,q=0.01,count=1000", "generalized:shape=2.5,scale=12,wor=0.1,count=300")
        page = pld("explain", *words)
        self.assertEqual(page.returncode, 3)
        self.assertNotIn("(exact, rounded up)", page.stdout)
        self.assertRegex(page.stdout, r"delta 1e-05 .* tolerance not reached: >= ")
        self.assertRegex(page.stdout, r"worst direction at delta 1e-06 +not told apart")
        self.assertIn(", direction of the larger bound: ", pld("epsilon", "--delta=1e-6", *words).stdout)

    def test_no_direction_is_the_worse_by_bounds_alone(self):
        words = ("exponential:epsilon=0.5,count=20", "gaussian:sigma=3,q=0.1,count=10")
        self.assertIn(", direction of the larger bound: remove", pld("epsilon", "--delta=1e-6", *words).stdout)
        self.assertRegex(pld("explain", *words).stdout, "larger bound at delta 1e-06 +remove +remove <= ")

    def test_calibrate_fails_only_what_real_neighbours_miss(self):
        words = ("--epsilon", "3", "--delta", "1e-5", "--adjacency", "replace-one", "gaussian:sigma=?,wor=0.1,count=20")
        found = self.answer("calibrate", *words)
        self.assertIs(found["next"]["fails"], False)
        self.assertIs(found["next"]["attained"][0]["exact"], False)
        self.assertIn("is not proved to meet it", pld("calibrate", *words).stdout)
        found = self.answer("calibrate", "--epsilon", "3", "--delta", "1e-5", "gaussian:sigma=?,q=0.00512,count=58")
        self.assertIs(found["next"]["fails"], True)
        self.assertIs(found["next"]["attained"][0]["exact"], True)


if __name__ == "__main__":
    unittest.main()
