"""Tests of the checker that take minutes: what test_verify.py looks at on smaller instances. PLD names the command."""
import unittest

from answers import FALSE, PROVED, claims_of
from check_answers import check
from random_answers import random_answers
from test_verify import answer_of, asked, check_generalized, epsilon_at, verdict, verdicts


class Slow(unittest.TestCase):
    def test_answers_of_the_command(self):
        for words in (["delta", "--json", "--epsilon", "1", "exponential:epsilon=0.5,count=3", "laplace:scale=3"],
                      ["epsilon", "--json", "--delta", "1e-3", "--adjacency", "replace-one", "laplace:scale=4,allocation=10"]):
            with self.subTest(" ".join(words)):
                claims = claims_of(answer_of(*words), 60)
                self.assertEqual({claim.verdict for claim in claims}, {PROVED}, [(c.what, c.detail) for c in claims])

    def test_generalized_noise_of_three_records(self):
        check_generalized(self, 3, 100, 50, 1e-14)

    def test_a_poisson_number_of_runs_is_given_time(self):
        answer = answer_of("epsilon", "--json", "--delta", "1e-5", "--tries", "poisson:mean=10", "gaussian:sigma=3")
        self.assertNotIn(PROVED, verdicts({**answer, "epsilon": {"upper": 0.9 * answer["epsilon"]["upper"]}}, 120))

    def test_epochs_in_steps_on_fine_grids(self):
        """As the library has it, in cells a hundredth of the first ones and less: 4.53156999."""
        releases = [{"type": "generalized", "scale": 11.7, "shape": 1.0, "sampling": {"without_replacement": 0.058033}, "count": 2821},
                    {"type": "truncated-laplace", "bound": 22.1756458, "scale": 1.1858, "sampling": {"allocation": 548.0}, "count": 2}]
        self.assertEqual(verdict(epsilon_at(1e-5, None, 4.531569994, releases, adjacency="replace-one", asked_direction="remove"), 120), PROVED)

    def test_a_guarantee_repeated_until_all_is_lost(self):
        """Of two candidates 130,880 times delta is next to 1: ratios beyond e^709 are asked for."""
        many = [{"type": "exponential", "epsilon": 0.13822, "count": 130880}]
        answer = asked(many, query="delta", epsilon=0.1, delta={"lower": 1 - 1e-15, "upper": None}, log_delta={"lower": None, "upper": -3.33e-47})
        self.assertEqual(verdict(answer, 120), PROVED)

    def test_mu_of_a_thousand_counts(self):
        """From .63041 to .63048, by what they compose to."""
        for end, expected in (({"lower": 0.63041}, PROVED), ({"upper": 0.63041}, FALSE), ({"lower": 0.63048}, FALSE)):
            self.assertEqual(verdict(asked([{"type": "laplace", "scale": 50.0, "count": 1000}], query="mu", mu=end), 120), expected)

    def test_random_answers_are_not_false(self):
        rows = [check((answer, 10)) for answer in random_answers(50, 12)]
        self.assertEqual([row["id"] for row in rows if row["verdict"] == FALSE], [])
        self.assertGreater(sum(row["verdict"] == PROVED for row in rows), 30)


if __name__ == "__main__":
    unittest.main()
