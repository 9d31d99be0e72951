"""Every bound beside the exact answer, and claims judged."""
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
                    self.assertIn(", but must satisfy ", row["refused"])
                    continue
                self.assertEqual(row["sound"], row["claims"] != "approximation")

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
        for text in ("epsilon <= ", "Renyi DP, tight conversion", "UNSOUND, approximation", "preconditions unmet:",
                     "zCDP has no amplification by sampling"):
            self.assertIn(text, done.stdout)

    def test_claims(self):
        for claim, status, verdict in (("1.0987", 4, "under-reports"), ("94.28", 4, "under-reports"),
                                       ("94.29", 0, "valid"), ("100", 0, "valid"), ("-3", 4, "under-reports")):
            with self.subTest(claim=claim):
                answer = self.answer("compare", "--claim", claim, *RESPONSES, status=status)
                self.assertEqual(answer["claim"]["verdict"], verdict)
                self.assertNotIn("bounds", answer)

    def test_claim_within_a_wide_bracket_is_settled_by_a_narrower_one(self):
        rough = ("--engine", "lattice", "--tolerance", "0.05")
        lower, _, upper = self.bracket("epsilon", *rough, *DP_SGD)
        _, truth, _ = self.bracket("epsilon", *DP_SGD)
        for claim, status in ((truth * 1.002, 0), (truth * 0.998, 4)):
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

    def test_selection_is_pure_dp_and_what_no_theorem_knows_is_refused(self):
        row = self.row("basic composition", "--delta", "1e-6", "report-noisy-max:scale=4,count=3")
        self.assertAlmostEqual(row["epsilon"], 1.5)
        unknown = self.answer("compare", "--delta", "1e-6", "logistic:scale=2")
        self.assertGreater(number(unknown["epsilon"]["lower"]), 0)
        self.assertTrue(all("logistic" in row["refused"] for row in unknown["bounds"]))

    def test_bad_input(self):
        self.refused("compare", "--delta", "0", "gaussian:sigma=1", says=["delta", "0 < delta < 1"])
        self.refused("compare", "--delta", "1", "gaussian:sigma=1", says=["delta", "0 < delta < 1"])
        self.refused("compare", "--delta", "1e-6", "--claim", "nan", "gaussian:sigma=1", says=["claim"])
        self.refused("compare", "--delta", "1e-6", says=["no mechanism given"])
        self.refused("compare", "--delta", "1e-6", "gaussian:sigma=-1", says=["sigma"])


if __name__ == "__main__":
    unittest.main()
