"""pld calibrate: its answer checked by separate delta queries of both sides."""
import json
import math
import os
import random
import unittest

from command import CommandTest, pld

TARGET = ("--epsilon", "1", "--delta", "1e-6")
SLOW = os.environ.get("PLD_SLOW")


class Calibrate(CommandTest):
    def delta_at(self, value, words, epsilon, tolerance="1e-5"):
        """(lower, upper) of the independent query with the unknown replaced."""
        text = repr(value) if value < 1e15 and value != int(value) else str(int(value)) if value == int(value) else repr(value)
        words = [self.put(word, float(text)) for word in words]
        # Certified is what is checked here: a bracket wider than asked (status 3) is as good.
        done = pld("delta", "--epsilon", repr(epsilon), "--tolerance", tolerance, "--json", *words)
        self.assertIn(done.returncode, (0, 3), (words, done.stderr))
        found = json.loads(done.stdout)["delta"]
        return found["lower"], found["upper"]

    @staticmethod
    def put(word, value):
        out = []
        for part in word.split(","):
            head, mark, tail = part.partition("=?")
            out.append(f"{head}={value * float(tail[1:] or 1)!r}" if mark else part)
        return ",".join(out)

    def solved(self, words, targets, *options):
        """The value, when both sides hold: it meets every target, the next misses one or is not certified."""
        given = [option for epsilon, delta in targets for option in ("--target", f"{epsilon!r},{delta!r}")]
        done = pld("calibrate", *words, *given, *options, "--json")
        self.assertIn(done.returncode, (0, 3), (words, done.stderr))
        found = json.loads(done.stdout)
        self.assertEqual(found["converged"], done.returncode == 0, found)
        value, after = found["value"], found["next"]
        for epsilon, delta in targets:
            self.assertLessEqual(self.delta_at(value, words, epsilon)[1], delta, (words, targets, found))
        if after:
            uppers = [self.delta_at(after["value"], words, epsilon)[1] > delta for epsilon, delta in targets]
            self.assertTrue(any(uppers), (words, targets, found))
            whole = found["unknown"] == "count" or value == int(value) and after["value"] == value + 1
            self.assertTrue(after["value"] == value + 1 if whole else
                            0 < abs(after["value"] / value - 1) <= 1.0000001e-6, found)
        return value

    def test_gaussian_by_its_closed_form(self):
        # delta of N(0, s^2) at epsilon (Balle, Wang 2018), here by math.erfc
        def delta(sigma, epsilon):
            tail = lambda x: math.erfc(x / math.sqrt(2)) / 2
            return tail(epsilon * sigma - 1 / (2 * sigma)) - math.exp(epsilon) * tail(epsilon * sigma + 1 / (2 * sigma))
        for epsilon, target in [(0.1, 1e-5), (1, 1e-6), (4, 1e-9)]:
            sigma = self.solved(["gaussian:sigma=?"], [(epsilon, target)])
            self.assertLess(delta(sigma * (1 + 1e-8), epsilon), target)
            self.assertGreater(delta(sigma * (1 - 2e-6), epsilon), target)

    def test_laplace_by_its_closed_form(self):
        # delta = 1 - e^((epsilon - 1 / b) / 2)
        scale = self.solved(["laplace:scale=?"], [(0.5, 1e-4)])
        self.assertAlmostEqual(scale * (0.5 - 2 * math.log1p(-1e-4)), 1, delta=2e-6)

    def test_randomized_response_by_its_closed_form(self):
        # delta = p - e^epsilon (1 - p)
        p = self.solved(["randomized-response:p=?"], [(1, 1e-3)])
        self.assertAlmostEqual(p, (1e-3 + math.e) / (1 + math.e), delta=1e-6)

    def test_count_by_composition_of_gaussians(self):
        # k of sigma are one of sigma / sqrt(k)
        sigma = self.solved(["gaussian:sigma=?"], [(1, 1e-6)])
        count = self.solved(["gaussian:sigma=100,count=?"], [(1, 1e-6)])
        self.assertEqual(count, math.floor((100 / sigma) ** 2 * (1 + 1e-12)))

    def test_each_unknown(self):
        for word in ["gaussian:sigma=?,q=0.01,count=1000", "gaussian:sigma=1,q=?,count=1000",
                     "gaussian:sigma=1,q=0.01,count=?", "gaussian:sigma=5,sensitivity=?,count=3",
                     "dp:epsilon=?,delta=1e-9,count=5", "dp:epsilon=0.1,delta=?,count=5", "laplace:scale=10,count=?",
                     "laplace:scale=5,sensitivity=?", "discrete-laplace:a=?", "discrete-gaussian:sigma=?",
                     "discrete-laplace:a=0.05,sensitivity=?"]:
            with self.subTest(word=word):
                self.solved([word], [(1.0, 1e-6)])

    def test_inside_a_composition_and_several_targets(self):
        others = ["gaussian:sigma=10,count=3", "dp:epsilon=0.1,delta=1e-8"]
        one = self.solved(["gaussian:sigma=?", *others], [(1.5, 1e-6)])
        other = self.solved(["gaussian:sigma=?", *others], [(3.0, 1e-7)])
        both = self.solved(["gaussian:sigma=?", *others], [(1.5, 1e-6), (3.0, 1e-7)])
        self.assertAlmostEqual(both, max(one, other), delta=2e-6 * both)

    def test_common_factor(self):
        # N(s), N(2 s) together are one of s / sqrt(1 + 1/4)
        alone = self.solved(["gaussian:sigma=?"], [(1, 1e-6)])
        factor = self.solved(["gaussian:sigma=?*1", "gaussian:sigma=?*2"], [(1, 1e-6)])
        self.assertAlmostEqual(factor / (alone * math.sqrt(1.25)), 1, delta=2e-6)

    def test_random_problems(self):
        seed = int(os.environ.get("PLD_TEST_SEED", "7"))
        random.seed(seed)
        for i in range(300 if SLOW else 12):
            epsilon, delta = 10 ** random.uniform(-0.5, 0.8), 10 ** random.uniform(-9, -4)
            sigma, count, q = 10 ** random.uniform(0, 1.3), random.randint(1, 3000), 10 ** random.uniform(-4, -1)
            word = random.choice([f"gaussian:sigma=?,count={count}", f"gaussian:sigma={sigma},count=?",
                                  f"gaussian:sigma=?,q={q},count={count}", f"gaussian:sigma={sigma},q={q},count=?",
                                  f"gaussian:sigma={sigma},q=?,count={count}", f"laplace:scale=?",
                                  f"dp:epsilon=?,delta=1e-12,count={count}"])
            with self.subTest(word=word, epsilon=epsilon, delta=delta, seed=seed):
                done = pld("calibrate", word, "--epsilon", repr(epsilon), "--delta", repr(delta))
                if done.returncode == 2:  # not even a count of one: seen by the query of one
                    self.assertIn("count", word)
                    self.assertGreater(self.delta_at(1.0, [word], epsilon)[1], delta)
                    continue
                self.solved([word], [(epsilon, delta)])

    def test_unattainable(self):
        self.refused("calibrate", *TARGET, "gaussian:sigma=?", "dp:epsilon=0.1,delta=1e-5",
                     says=["epsilon 1, delta 1e-06", "1e-05"])
        self.refused("calibrate", *TARGET, "gaussian:sigma=?", "gaussian:sigma=1", says=["target"])
        self.refused("calibrate", *TARGET, "gaussian:sigma=0.5,count=?", says=["target", "range"])

    def test_met_everywhere(self):
        found = self.answer("calibrate", "--epsilon", "1", "--delta", "0.5", "gaussian:sigma=?,q=1e-9")
        self.assertIsNone(found["next"])

    def test_training(self):
        words = ("--dataset-size", "60000", "--batch", "256", "--epochs", "20")
        done = pld("calibrate", *TARGET, *words, "gaussian:sigma=?", "--json")
        self.assertEqual(done.returncode, 0)
        self.assertIn("count = 4688", done.stderr)
        self.assertIn("Poisson", done.stderr)
        same = self.answer("calibrate", *TARGET, f"gaussian:sigma=?,q={256 / 60000!r},count=4688")
        self.assertEqual(json.loads(done.stdout)["value"], same["value"])
        done = pld("calibrate", "--epsilon", "1", "--delta", "1e-4", *words, "gaussian:sigma=?")
        self.assertIn("exceeds 1/60000", done.stderr)
        self.refused("calibrate", *TARGET, "--dataset-size", "100", "--batch", "101", "--epochs", "1", "gaussian:sigma=?",
                     says=["batch is 101", "100"])
        self.refused("calibrate", *TARGET, "--batch", "101", "gaussian:sigma=?", says=["--dataset-size"])
        self.refused("calibrate", *TARGET, *words, "gaussian:sigma=?,q=0.1", says=["leave those out"])

    def test_bad_words(self):
        for words, *says in [
            (["gaussian:sigma=1"], "no unknown"),
            (["gaussian:sigma=?", "laplace:scale=?"], "written 2 times"),
            (["gaussian:sigma=?,count=?"], "cannot share"),
            (["gaussian:sigma=?*2,count=?*2"], "cannot share"),
            (["gaussian:sigma=1,count=?*2"], "no factor"),
            (["gaussian:sigma=?*0"], "factor", "> 0"),
            (["gaussian:sigma=?2"], "'?2'", "?*FACTOR"),
            (["gaussian:sgma=?"], "'sgma'"),
        ]:
            self.refused("calibrate", *TARGET, *words, says=says)
        self.refused("calibrate", "gaussian:sigma=?", says=["no target"])
        self.refused("calibrate", "--epsilon", "1", "gaussian:sigma=?", says=["--delta"])
        self.refused("calibrate", "--target", "1", "gaussian:sigma=?", says=["EPSILON,DELTA"])
        self.refused("calibrate", "--epsilon", "1", "--delta", "2", "gaussian:sigma=?", says=["delta is 2"])
        self.refused("epsilon", "--delta", "1e-6", "gaussian:sigma=?", says=["'?'"])

    def test_in_a_batch(self):
        line = json.dumps({"id": 1, "query": "calibrate", "epsilon": 1, "delta": 1e-6,
                           "mechanisms": [{"type": "gaussian", "sigma": "?", "count": 3}]})
        got = json.loads(pld("batch", stdin=line).stdout)
        alone = self.answer("calibrate", *TARGET, "gaussian:sigma=?,count=3")
        del got["seconds"], alone["seconds"]
        self.assertEqual(got, {"id": 1, **alone})
        rate = json.dumps({"query": "calibrate", "targets": [{"epsilon": 1, "delta": 1e-6}], "mechanisms": [
            {"type": "gaussian", "sigma": 1, "sampling": {"poisson": "?"}, "count": 10}]})
        self.assertEqual(json.loads(pld("batch", stdin=rate).stdout)["unknown"], "q")
        self.assertIn("no unknown", pld("batch", stdin=line.replace('"?"', "2")).stdout)


if __name__ == "__main__":
    unittest.main()
