"""Every bound beside the exact answer, and claims judged."""
import math
import re
import unittest

from command import CommandTest, number, pld

DP_SGD = ["--delta", "1e-6", "gaussian:sigma=0.8,q=0.005,count=1000"]
RESPONSES = ["--delta", "1e-6", "randomized-response:p=0.75,count=100"]


class Compare(CommandTest):
    def row(self, name, *words):
        rows = [row for row in self.answer("compare", *words)["bounds"] if row["name"] == name]
        self.assertEqual(len(rows), 1, name)
        return rows[0]

    def test_upper_bounds_are_sound_and_the_limit_is_not(self):
        for row in self.answer("compare", *DP_SGD)["bounds"]:
            with self.subTest(bound=row["name"]):
                if "refused" in row:
                    self.assertIn(", but must be ", row["refused"])
                    continue
                self.assertEqual(row["sound"], row["claims"] == "upper bound")
                if row["claims"] != "upper bound":
                    self.assertIn(row["verdict"], ("above here", "UNSOUND, approximation", "UNSOUND, as printed"))

    def test_ratio_and_order(self):
        answer = self.answer("compare", *RESPONSES)
        given = [row for row in answer["bounds"] if "epsilon" in row]
        values = [number(row["epsilon"]) for row in given]
        self.assertEqual(values, sorted(values))
        for row in given:
            self.assertAlmostEqual(row["ratio"], row["epsilon"] / answer["epsilon"]["estimate"], places=12)

    def test_the_optimal_theorem_is_exact_for_randomized_response(self):
        self.assertAlmostEqual(self.row("Kairouz-Oh-Viswanath, optimal", *RESPONSES)["ratio"], 1, places=9)

    def test_misprinted_exponent_is_unsound(self):
        row = self.row("classical gaussian, as printed", "--delta", "1e-15", "gaussian:sigma=100,count=50")
        self.assertEqual((row["sound"], row["claims"]), (False, "as printed"))

    def test_table_for_a_person(self):
        done = pld("compare", *DP_SGD)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for text in ("(exact to ", "Renyi DP, tight conversion", "UNSOUND, approximation", "--all says why"):
            self.assertIn(text, done.stdout)
        self.assertNotIn("preconditions unmet:", done.stdout)

    def test_all_says_what_is_unmet_and_shows_the_loosest(self):
        done = pld("compare", "--all", *DP_SGD)
        for text in ("preconditions unmet:", "zCDP has no amplification by sampling"):
            self.assertIn(text, done.stdout)
        loose = ("--delta", "1e-6", "gaussian:sigma=0.01")
        rows = [len(pld("compare", *all_or_not, *loose).stdout.splitlines()) for all_or_not in ((), ("--all",))]
        self.assertLess(rows[0], rows[1])

    def test_a_printed_form_above_the_proved_one_is_a_bound(self):
        """e^epsilon for epsilon under a logarithm: larger, whatever epsilon is."""
        for words in (DP_SGD, ("--delta", "1e-6", "gaussian:sigma=10"), ("--delta", "0.1", "laplace:scale=0.3,count=9")):
            printed, proved = (self.row(f"alpha-divergence DP, as {form}", *words) for form in ("printed", "proved"))
            self.assertEqual((printed["claims"], printed["verdict"]), ("upper bound", "sound"))
            self.assertGreaterEqual(printed["epsilon"], proved["epsilon"])
        text = pld("compare", "--all", "--delta", "0.01", "gaussian:sigma=100").stdout
        for line in text.splitlines():
            if line.startswith("alpha-divergence DP, as"):
                self.assertIn(" sound ", line)

    def test_a_misprint_above_the_answer_is_not_called_sound(self):
        self.assertIn("above here", pld("compare", "--delta", "1e-6", "gaussian:sigma=10").stdout)

    def test_guarantees_have_a_best_bound_which_is_nowhere_above_a_row(self):
        for mechanism in ("zcdp:rho=0.1", "tcdp:rho=0.1,omega=10", "rdp:orders=2/4/8/16,epsilons=0.1/0.2/0.4/0.8",
                          "exponential:epsilon=0.1,count=1000", "permute-and-flip:epsilon=0.1,count=100"):
            with self.subTest(mechanism=mechanism):
                answer = self.answer("compare", "--delta", "1e-6", mechanism)
                self.assertFalse(answer["exact"])
                given = [row["epsilon"] for row in answer["bounds"]
                         if "epsilon" in row and row["claims"] == "upper bound"]
                self.assertGreater(len(given), 3)
                self.assertLessEqual(answer["epsilon"]["upper"], min(given) * (1 + 1e-5))
                text = pld("compare", "--delta", "1e-6", mechanism).stdout
                self.assertTrue(text.startswith("epsilon <= "), text)
                self.assertNotIn("exact", text)

    def test_a_claim_between_what_neighbours_have_and_the_best_bound_is_undecided(self):
        for claim, status, verdict in (("17.4", 3, "undecided"), ("17.5", 0, "valid"), ("16.6", 3, "undecided")):
            with self.subTest(claim=claim):
                answer = self.answer("compare", "--delta", "1e-10", "--claim", claim, "zcdp:rho=2.63", status=status)
                self.assertEqual(answer["claim"]["verdict"], verdict)

    def test_a_target_that_a_calibration_met_is_a_valid_claim(self):
        for delta, claim, mechanism in (("1e-10", "1", "gaussian:sigma=1.7750120633567579,allocation=20"),
                                        ("0.01", "1", "zcdp:rho=0.1043973956375235"),
                                        ("1e-6", "0.5", "permute-and-flip:epsilon=0.1666693167492933,count=3")):
            with self.subTest(mechanism):
                done = pld("compare", f"--delta={delta}", f"--claim={claim}", mechanism)
                self.assertEqual(done.returncode, 0)
                self.assertIn(f"claim {claim}: valid", done.stdout)

    def test_no_limit_is_a_valid_claim(self):
        for mechanism in ("gaussian:sigma=1", "dp:epsilon=1,delta=1e-5"):
            self.assertEqual(self.answer("compare", "--delta", "1e-6", "--claim", "inf", mechanism)["claim"]["verdict"], "valid")

    def test_a_claim_is_not_accused_by_another_mechanism_with_the_same_guarantee(self):
        # Pure 1-DP is .5-zCDP (Bun, Steinke 2016, proposition 1.4), and has the Renyi divergences below.
        for mechanism in ("zcdp:rho=0.5", "tcdp:rho=0.5,omega=50", "rdp:orders=2/8,epsilons=1/1", "dp:epsilon=2",
                          "dp-points:epsilons=1.5/2,deltas=0.1/0", "trade-off:alphas=0/0.2/1,betas=1/0.2/0", "zcdp:rho=0.5,q=0.9"):
            for more in ((), ("--group", "2"), ("gaussian:sigma=90",)):
                words = ("compare", "--delta", "1e-10", "--claim", "0.4", mechanism, *more)
                with self.subTest(words=words):
                    answer = self.answer(*words, status=3)
                    self.assertEqual((answer["claim"]["verdict"], answer["only_guaranteed"]), ("undecided", True))
                    lower = answer["epsilon"]["lower"]
                    if lower is not None and number(lower) > 0.4:
                        said = pld(*words).stdout
                        self.assertRegex(said, "undecided, it does not follow from the guarantee: some mechanism that has it "
                                               "has an epsilon that is at least [0-9.]+\n")
                        self.assertNotIn("some neighbours", said)
            # Gaussian noise has more by itself, whatever else is released.
            answer = self.answer("compare", "--delta", "1e-10", "--claim", "0.4", mechanism, "gaussian:sigma=9", status=4)
            self.assertEqual((answer["claim"]["verdict"], answer["exact"]), ("under-reports", False))
            self.assertNotIn("only_guaranteed", answer)
            alone = self.answer("epsilon", "--delta", "1e-10", "gaussian:sigma=9")["epsilon"]
            self.assertLessEqual(number(answer["epsilon"]["lower"]), alone["upper"])
            self.assertIn("UNDER-REPORTS, some neighbours have an epsilon that is at least 0.6",
                          pld("compare", "--delta", "1e-10", "--claim", "0.4", mechanism, "gaussian:sigma=9").stdout)
        named = self.answer("compare", "--delta", "1e-10", "--claim", "0.4", "exponential:epsilon=1", status=4)
        self.assertNotIn("only_guaranteed", named)

    def test_an_epsilon_that_no_number_is_enough_for_is_called_infinite(self):
        for mechanism, verdict in (("gaussian:sigma=1", "UNDER-REPORTS, the exact epsilon is infinite\n"),
                                   ("zcdp:rho=1", "some mechanism that has it has an epsilon that is infinite\n")):
            with self.subTest(mechanism):
                self.assertIn(verdict, pld("compare", "--delta", "0", "--claim", "5", mechanism).stdout)

    def test_what_nodes_do_not_tell_is_not_called_infinite(self):
        shown = pld("compare", "--delta", "1e-5", "gaussian:sigma=1,allocation=100").stdout
        self.assertIn("(one whose divergences are known)", shown)
        self.assertNotIn("infinite", shown)

    def test_a_selection_has_claims_and_no_table(self):
        words = ("compare", "--delta", "1e-5", "--tries", "geometric:mean=3", "gaussian:sigma=1")
        self.refused(*words, says=("--tries is for a --claim, as no bound of the table is of a selection: leave it out",))
        best = self.ledger('{"tries": "geometric:mean=3", "mechanisms": ["gaussian:sigma=8"]}')
        shown = pld("compare", "--delta", "1e-6", "--ledger", best).stdout
        self.assertIn("\n8 bounds are infinite (--all shows them)\n", shown)
        self.assertNotIn("looser", shown)
        self.assertEqual(self.answer(*words, "--claim", "50")["claim"]["verdict"], "valid")

    def test_a_claim_that_is_the_exact_epsilon_is_1_times_it(self):
        for claim, times in (("1", "1.00000"), ("2", "2.00000"), ("1.5", "1.50000"), ("1.0000000000000002", "1.00001")):
            said = pld("compare", "--delta", "0", "--claim", claim, "laplace:scale=1").stdout
            self.assertIn(f"claim {claim}: valid; the claim is at most {times} times the exact epsilon\n", said)

    def test_what_only_a_guarantee_allows_is_not_called_exact(self):
        for words in (("dp:epsilon=1,delta=1e-9",), ("trade-off:alphas=0/0.25/1,betas=0.75/0.375/0", "gaussian:sigma=9")):
            claimed = pld("compare", "--delta", "1e-5", "--claim", "9", *words).stdout
            self.assertRegex(claimed, "\nclaim 9: valid; the claim is at most [0-9.]+ times the most that the guarantee allows\n")
            self.assertRegex(pld("compare", "--delta", "1e-5", *words).stdout, "\nbound +epsilon +x allowed +verdict")
        self.assertRegex(pld("compare", "--delta", "1e-5", "laplace:scale=1").stdout, "\nbound +epsilon +x exact +verdict")

    def test_what_is_valid_in_one_direction_alone_is_said_to_be_so(self):
        one_sided = ("gaussian:sigma=1,q=0.01,count=1000",)
        claim = ("compare", "--delta", "1e-5", "--claim", "1.5")
        said = pld(*claim, "--direction", "add", *one_sided)
        self.assertEqual(said.returncode, 0)
        self.assertIn("claim 1.5: valid in the direction add alone (differential privacy needs both); the claim is at most", said.stdout)
        self.assertEqual(pld(*claim, *one_sided).returncode, 4)
        self.assertIn("claim 1.5: valid; ", pld(*claim, "--direction", "add", "gaussian:sigma=9").stdout)  # both are alike
        target = ("calibrate", "--epsilon", "1", "--delta", "1e-5", "gaussian:sigma=?,q=0.01,count=1000")
        self.assertIn("meets the target in the direction add alone (", pld(*target, "--direction", "add").stdout)
        self.assertIn("meets the target\n", pld(*target).stdout)
        curve = pld("curve", "--range", "0:1:2", "--direction", "add", *one_sided)
        self.assertIn("is drawn in the direction add alone (", curve.stderr)
        self.assertTrue(curve.stdout.startswith("epsilon,"))

    def test_the_subject_is_named_as_epsilon_names_it(self):
        words = ("--delta", "1e-5", "--adjacency", "replace-one", "--group", "3", "gaussian:sigma=1")
        about = ", adjacency replace-one, groups of 3\n    gaussian:sigma=1 counts as gaussian:sigma=1,sensitivity=6\n"
        for command in (("epsilon",), ("compare",), ("compare", "--claim", "5")):
            self.assertIn(about, pld(*command, *words).stdout)
        words = ("--epsilon", "1", "--delta", "1e-5", "--adjacency", "replace-one", "--group", "3", "gaussian:sigma=?")
        self.assertRegex(pld("calibrate", *words).stdout,
                         ", adjacency replace-one, groups of 3\n    gaussian:sigma=[0-9.]+ counts as gaussian:sigma=[0-9.]+,sensitivity=6\n")

    def test_what_is_printed_beside_a_claim_bears_the_verdict_out(self):
        _, _, upper = self.bracket("epsilon", "--delta", "1e-5", "gaussian:sigma=1,q=0.01,count=1000")
        for share in (1e-3, 1e-6, 1e-9, 1e-12):
            for claim in (upper * (1 - share), upper * (1 + share)):
                words = ("compare", "--delta", "1e-5", f"--claim={claim!r}", "gaussian:sigma=1,q=0.01,count=1000")
                said = pld(*words).stdout
                ratio = float(re.search("at most ([0-9.]+) times", said)[1])
                if claim > upper:
                    self.assertGreater(ratio, 1)
                    continue
                self.assertLess(ratio, 1)
                self.assertGreater(float(re.search("is at least ([0-9.]+)", said)[1]), claim)

    def test_bounds_of_what_loses_nothing_are_numbers(self):
        for word in ("randomized-response:p=0.5", "dp:epsilon=0"):
            for row in self.answer("compare", "--delta", "1e-6", word)["bounds"]:
                with self.subTest(word=word, bound=row["name"]):
                    self.assertNotIn("nan", str(row.get("epsilon")))

    def test_noise_beside_which_delta_is_near_1_has_an_analytic_bound(self):
        row = self.row("analytic gaussian (GDP)", "--delta", "0.999999999999", "gaussian:sigma=10")
        self.assertEqual(row["verdict"], "sound")
        self.assertAlmostEqual(number(row["epsilon"]), -27.631043, delta=1e-5)

    def test_optimal_composition_is_nowhere_above_basic(self):
        for mechanism in ("gaussian:sigma=5,sensitivity=3,count=10", "gaussian:sigma=0.001", "laplace:scale=2,count=3"):
            basic, optimal = (self.row(name, "--delta", "1e-6", mechanism)["epsilon"]
                              for name in ("basic composition", "Kairouz-Oh-Viswanath, optimal"))
            self.assertLessEqual(optimal, basic * (1 + 1e-11))

    def test_rows_of_guarantees_and_samples(self):
        for name, mechanism, least, most in (
                ("zCDP, tight conversion", "zcdp:rho=0.5", 5.221534, 5.221535),
                ("zCDP of bounded range", "exponential:epsilon=0.1,count=1000", 8.8458, 8.8459),
                ("zCDP, least rho", "exponential:epsilon=0.1,count=1000", 8.8451, 8.8452),
                ("tCDP", "sinh-normal:sigma=10,a=400", 0.4, 3),
                ("Renyi DP of any Poisson sample", "laplace:scale=1,q=0.01,count=100", 0.1, 2),
                ("central limit", "gaussian:sigma=0.001", 504752.4, 504752.5)):
            with self.subTest(bound=name):
                self.assertTrue(least <= self.row(name, "--delta", "1e-6", mechanism)["epsilon"] <= most)
        fixed = self.row("Renyi DP of fixed-size samples", "--delta", "1e-6", "--adjacency", "replace-one",
                         "gaussian:sigma=1,wor=0.01,count=10")
        self.assertTrue(5.5 < fixed["epsilon"] < 8 and fixed["sound"])

    def test_rows_of_what_is_asymmetric(self):
        """Add sees what remove does not: a record's absence makes an outcome 50,000 times likelier."""
        for other, least in (("mass-table:p=0.99999/0.00001,q=0.5/0.5", 10.8197), ("binomial:n=1000,p=0.01", math.inf)):
            with self.subTest(other=other):
                answer = self.answer("compare", "--delta", "1e-5", "gaussian:sigma=5,q=0.1", other)
                row, = (row for row in answer["bounds"] if row["name"] == "Renyi DP of any Poisson sample")
                self.assertGreaterEqual(number(row["epsilon"]), least)
                self.assertEqual(row["verdict"], "sound")

    def test_basic_composition_forgives_no_delta(self):
        for given, epsilon in (("1.0000000000005e-5", None), ("1.0000000000000002e-5", None), ("1e-5", 1)):
            with self.subTest(given=given):
                answer = self.answer("compare", "--delta", "1e-5", f"dp:epsilon=1,delta={given}")
                self.assertEqual(answer["epsilon"]["upper"], epsilon or "inf")
                row, = (row for row in answer["bounds"] if row["name"] == "basic composition")
                self.assertEqual(row.get("epsilon") if epsilon is None else round(row["epsilon"], 9), epsilon)

    def test_all_of_no_table_is_refused(self):
        self.refused("compare", "--delta", "1e-5", "--all", "--claim", "9", "gaussian:sigma=1", says=["--all is of the bounds, which are not shown beside a --claim"])

    def test_claims(self):
        for claim, status, verdict in (("1.0987", 4, "under-reports"), ("94.28", 4, "under-reports"),
                                       ("94.29", 0, "valid"), ("100", 0, "valid"), ("-3", 4, "under-reports")):
            with self.subTest(claim=claim):
                answer = self.answer("compare", "--claim", claim, *RESPONSES, status=status)
                self.assertEqual(answer["claim"]["verdict"], verdict)
                self.assertNotIn("bounds", answer)

    def test_claim_within_a_wide_bracket_is_settled_by_a_narrower_one(self):
        rough = ("--engine", "lattice")
        lower, _, upper = self.bracket("epsilon", *rough, *DP_SGD)
        _, truth, _ = self.bracket("epsilon", *DP_SGD)
        for claim, status in ((truth * (1 + 1e-6), 0), (truth * (1 - 1e-6), 4)):
            self.assertTrue(lower < claim < upper)
            answer = self.answer("compare", *rough, "--claim", repr(claim), *DP_SGD, status=status)
            self.assertEqual(answer["claim"]["verdict"], "valid" if status == 0 else "under-reports")

    def test_ledger_and_words_compose(self):
        path = self.ledger('{"mechanisms": [{"type": "gaussian", "sigma": 10, "count": 2}]}')
        both = self.answer("compare", "--delta", "1e-6", "--ledger", path, "gaussian:sigma=10")
        words = self.answer("compare", "--delta", "1e-6", "gaussian:sigma=10,count=3")
        self.assertEqual(both["epsilon"], words["epsilon"])
        tight = [row["epsilon"] for row in both["bounds"] if row["name"] == "Renyi DP, tight conversion"]
        self.assertAlmostEqual(tight[0], self.row("Renyi DP, tight conversion", "--delta", "1e-6", "gaussian:sigma=10,count=3")["epsilon"])

    def test_selection_is_pure_dp_and_other_types_are_known_by_their_pair(self):
        row = self.row("basic composition", "--delta", "1e-6", "report-noisy-max:scale=4,count=3")
        self.assertAlmostEqual(row["epsilon"], 1.5)
        other = self.answer("compare", "--delta", "1e-6", "logistic:scale=2")
        self.assertGreater(number(other["epsilon"]["lower"]), 0)
        self.assertTrue(any(abs(row.get("epsilon", 0) - 0.5) < 1e-9 for row in other["bounds"]))  # pure DP
        self.assertTrue(any("logistic" in row.get("refused", "") for row in other["bounds"]))

    def test_bad_input(self):
        pure = self.answer("compare", "--delta", "0", "--claim", "1.2", "randomized-response:p=0.75")
        self.assertEqual(pure["claim"]["verdict"], "valid")
        self.refused("compare", "--delta", "0", "gaussian:sigma=1", says=["delta", "above 0 and below 1"])
        self.refused("compare", "--delta", "1", "gaussian:sigma=1", says=["delta", "above 0 and below 1"])
        self.refused("compare", "--delta", "1e-6", "--claim", "nan", "gaussian:sigma=1", says=["claim"])
        self.refused("compare", "--delta", "1e-6", says=["no mechanism given"])
        self.refused("compare", "--delta", "1e-6", "gaussian:sigma=-1", says=["sigma"])


if __name__ == "__main__":
    unittest.main()
