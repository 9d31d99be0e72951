"""docs/schemes.md and docs/groups.md say what the command prints; groups are the same by every door."""
import json
import pathlib
import re
import unittest

from command import CommandTest, number, pld

DOCS = pathlib.Path(__file__).parents[2] / "docs"


class Pages(unittest.TestCase):
    def check(self, page, rows):
        self.assertGreaterEqual(len(rows), 4)
        for words, answer in rows:
            with self.subTest(words):
                done = pld("epsilon", "--delta", "1e-5", *words.split())
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertTrue(done.stdout.startswith(answer), done.stdout)

    def test_schemes(self):
        text = (DOCS / "schemes.md").read_text()
        rows = re.findall(r"^\|[^|]+\| `([^`]*gaussian:[^`]+)` \| `([^`]+)` \|$", text, re.M)
        self.assertGreaterEqual(len(rows), 7)
        self.check("schemes", rows)

    def test_groups(self):
        text = (DOCS / "groups.md").read_text()
        self.check("groups", re.findall(r"^\| `(--group [^`]+)` \| `([^`]+)` \|$", text, re.M))

    def test_private_selection(self):
        text = (DOCS / "private_selection.md").read_text()
        rows = re.findall(r"^\| `([^`]*gaussian:[^`]+)` \| `([^`]+)` \|$", text, re.M)
        self.assertGreaterEqual(len(rows), 3)
        for words, answer in rows:
            with self.subTest(words):
                printed = pld("epsilon", "--delta", "1e-5", *words.split()).stdout
                self.assertTrue(printed.startswith(answer), printed)


class Groups(CommandTest):
    ledger = {"group": 3, "mechanisms": [{"type": "gaussian", "sigma": 10, "count": 100}]}

    def test_every_door(self):
        of_command = self.answer("epsilon", "--delta=1e-5", "--group=3", "gaussian:sigma=10,count=100")
        of_scaled = self.answer("epsilon", "--delta=1e-5", "gaussian:sigma=10,sensitivity=3,count=100")
        self.assertEqual(of_command["epsilon"], of_scaled["epsilon"])
        self.assertEqual(of_command["group"], 3)
        by_ledger = json.loads(pld("epsilon", "--delta=1e-5", "--ledger=-", "--json", stdin=json.dumps(self.ledger)).stdout)
        self.assertEqual(by_ledger["epsilon"], of_command["epsilon"])
        line = {"query": "epsilon", "delta": 1e-5, **self.ledger}
        by_batch = json.loads(pld("batch", stdin=json.dumps(line)).stdout)
        self.assertEqual(by_batch["epsilon"], of_command["epsilon"])
        curve = self.answer("curve", "--range=1:4:3", "--group=3", "gaussian:sigma=10,count=100")["compositions"][0]
        scaled = self.answer("curve", "--range=1:4:3", "gaussian:sigma=10,sensitivity=3,count=100")["compositions"][0]
        self.assertEqual(curve["delta"], scaled["delta"])
        self.assertIn("up to 3 records", pld("explain", "--group=3", "gaussian:sigma=10").stdout)

    def test_calibrate(self):
        goal = ("--epsilon=2", "--delta=1e-6")
        group = self.answer("calibrate", *goal, "--group=4", "gaussian:sigma=?")
        self.assertEqual(group["group"], 4)
        one = self.answer("calibrate", *goal, "gaussian:sigma=?")
        self.assertLess(abs(group["value"] / one["value"] - 4), 1e-4)
        batch = {"query": "calibrate", "epsilon": 2, "delta": 1e-6, "group": 4,
                 "mechanisms": [{"type": "gaussian", "sigma": "?"}]}
        self.assertEqual(json.loads(pld("batch", stdin=json.dumps(batch)).stdout)["value"], group["value"])

    def test_a_direction_and_a_bound(self):
        found = self.answer("epsilon", "--delta=1e-5", "--group=2", "randomized-response:p=0.6,count=10")
        self.assertFalse(found["exact"])
        self.assertLess(number(found["epsilon"]["upper"]), 8.11)
        remove = self.answer("delta", "--epsilon=1", "--group=2", "--direction=remove", "gaussian:sigma=1,q=0.3")
        add = self.answer("delta", "--epsilon=1", "--group=2", "--direction=add", "gaussian:sigma=1,q=0.3")
        self.assertTrue(remove["exact"] and add["exact"])
        self.assertLess(number(add["delta"]["upper"]), number(remove["delta"]["lower"]))

    def test_refused(self):
        for words, told in ((("--group=0", "gaussian:sigma=1"), "group is 0"),
                            (("--group=2.5", "gaussian:sigma=1"), "group is 2.5"),
                            (("--group=2", "gaussian:sigma=1,wor=0.1"), "replace-one or zero-out"),
                            (("--group=2", "gaussian:sigma=1,truncated=0.1,cap=9,records=50"), "replace-one or zero-out")):
            done = pld("epsilon", "--delta=1e-5", *words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(told, done.stderr)
        done = pld("epsilon", "--delta=1e-5", "--ledger=-", "--group=2", stdin=json.dumps(self.ledger))
        self.assertEqual(done.returncode, 2)
        self.assertIn("group is 3", done.stderr)


class Tries(CommandTest):
    one_run = {"mechanisms": [{"type": "gaussian", "sigma": 8, "count": 10}]}

    def test_every_door(self):
        words = ("--delta=1e-6", "--tries=geometric:mean=10")
        of_command = self.answer("epsilon", *words, "gaussian:sigma=8,count=10")
        self.assertFalse(of_command["exact"])
        ledger = {**self.one_run, "tries": "negative-binomial:shape=1,gamma=0.1"}
        by_ledger = json.loads(pld("epsilon", "--delta=1e-6", "--ledger=-", "--json", stdin=json.dumps(ledger)).stdout)
        self.assertEqual(by_ledger["epsilon"], of_command["epsilon"])
        by_batch = json.loads(pld("batch", stdin=json.dumps({"query": "epsilon", "delta": 1e-6, **ledger})).stdout)
        self.assertEqual(by_batch["epsilon"], of_command["epsilon"])
        one = self.answer("epsilon", "--delta=1e-6", "gaussian:sigma=8,count=10")
        self.assertGreater(number(of_command["epsilon"]["upper"]), number(one["epsilon"]["upper"]))

    def test_calibrates_the_run(self):
        found = self.answer("calibrate", "--epsilon=4", "--delta=1e-6", "--tries=geometric:mean=5", "--tolerance=1e-3",
                            "gaussian:sigma=?,count=10")
        best = self.answer("epsilon", "--delta=1e-6", "--tries=geometric:mean=5", f"gaussian:sigma={found['value']},count=10")
        self.assertLessEqual(number(best["epsilon"]["upper"]), 4.001)
        self.assertGreater(number(best["epsilon"]["upper"]), 3.95)

    def test_refused(self):
        for tries, told in (("geometric:mean=0.5", "mean from 1"), ("poisson", "poisson:mean=M"),
                            ("poisson:mean=1,mean=2", "twice"), ("negative-binomial:shape=1", "shape"),
                            ("poisson:mean=nan", "mean"), ("negative-binomial:shape=-1,gamma=0.5", "shape is -1")):
            done = pld("epsilon", "--delta=1e-6", "--tries=" + tries, "gaussian:sigma=8")
            self.assertEqual((done.returncode, done.stdout), (2, ""), tries)
            self.assertIn(told, done.stderr)
        self.assertEqual(pld("compare", "--delta=1e-6", "--tries=poisson:mean=2", "gaussian:sigma=8").returncode, 2)


class OneSample(CommandTest):
    """A sample is of one release: several on it are never counted as independent samples."""

    def refused(self, text, told):
        done = pld("epsilon", "--delta=1e-5", "--ledger=-", stdin=json.dumps(text))
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn(told, done.stderr)

    def test_a_list_inside_a_sample(self):
        gaussian = {"type": "gaussian", "sigma": 1}
        self.refused({"mechanisms": [{"sampling": {"poisson": 0.1}, "mechanisms": [gaussian, gaussian]}]}, "one sample")
        self.refused({"sampling": {"poisson": 0.1}, "mechanisms": [gaussian, gaussian]}, "one sample")

    def test_events(self):
        def event(name, **fields):
            return {"module_name": "dp_accounting.dp_event", "class_name": name, **fields}

        gaussian = event("GaussianDpEvent", noise_multiplier=1.0)
        laplace = event("LaplaceDpEvent", noise_multiplier=1.0)
        for inside in (event("ComposedDpEvent", events=[gaussian, laplace]),
                       event("ComposedDpEvent", events=[gaussian, gaussian]),
                       event("SelfComposedDpEvent", event=gaussian, count=2),
                       event("ComposedDpEvent", events=[event("SelfComposedDpEvent", event=gaussian, count=2)])):
            self.refused(event("PoissonSampledDpEvent", sampling_probability=0.1, event=inside), "one sample")


class Refusals(CommandTest):
    """Each names the theorem that is missing and the nearest scheme that has one."""

    def test_schemes_without_a_theorem(self):
        for word, told in (("weighted=0.1", "Poisson samples at the largest"),
                           ("replacement=0.1", "batch= with dataset="),
                           ("normalised=0.1", "expected number")):
            done = pld("epsilon", "--delta=1e-5", "gaussian:sigma=1," + word)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("no theorem", done.stderr)
            self.assertIn(told, done.stderr)


if __name__ == "__main__":
    unittest.main()
