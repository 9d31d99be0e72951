"""pld ledger, and ledgers in the form of dp-accounting's events."""
import json
import os
import subprocess
import tempfile
import unittest

from command import CommandTest, pld


class Budget(CommandTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "budget")

    def ledger(self, command, *words, status=0):
        done = pld("ledger", command, self.file, *words)
        self.assertEqual((done.returncode, done.stderr), (status, ""))
        return done.stdout

    def test_spend_until_over(self):
        self.ledger("init", "--epsilon", "1", "--delta", "1e-6")
        fits = json.loads(pld("calibrate", "--json", "--epsilon", "1", "--delta", "1e-6",
                              "gaussian:sigma=20,count=?").stdout)["value"]
        for _ in range(2):
            self.assertIn("spent", self.ledger("spend", "gaussian:sigma=20"))
        self.assertIn(f"room: {fits - 2:.0f} more", self.ledger("status", "gaussian:sigma=20"))
        self.assertIn("spent", self.ledger("spend", f"gaussian:sigma=20,count={fits - 2:.0f}"))
        self.assertIn("refused", self.ledger("spend", "gaussian:sigma=20", status=4))
        self.assertIn("room: 0 more", self.ledger("status", "gaussian:sigma=20"))
        self.assertIn("spent: 2 entries", self.ledger("undo"))

    def test_a_pure_budget_has_room_for_what_it_says(self):
        self.ledger("init", "--epsilon", "1", "--delta", "0")
        self.assertIn("room: 1 more", self.ledger("status", "dp:epsilon=1"))
        self.ledger("spend", "dp:epsilon=1")
        self.ledger("spend", "dp:epsilon=1e-15", status=4)
        self.refused("ledger", "status", self.file, "gaussian:sigma=1e300", says=["sensitivity / sigma"])

    def test_a_pure_budget_has_room_for_tenths(self):
        # 10 * (1 / 10), which no double divides into: exactly 1
        self.ledger("init", "--epsilon", "1", "--delta", "0")
        self.assertIn("room: 1 more", self.ledger("status", "laplace:scale=1"))
        self.assertIn("room: 10 more", self.ledger("status", "laplace:scale=10"))
        for _ in range(10):
            self.ledger("spend", "laplace:scale=10")
        self.ledger("spend", "laplace:scale=1e15", status=4)

    def test_a_name_without_a_folder(self):
        done = subprocess.run([os.environ["PLD"], "ledger", "init", "here", "--epsilon", "1", "--delta", "1e-6"],
                              cwd=os.path.dirname(self.file), capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_refused(self):
        self.refused("ledger", "status", self.file, says=[self.file, "ledger init"])
        self.ledger("init", "--epsilon", "1", "--delta", "1e-6")
        self.refused("ledger", "init", self.file, "--epsilon", "1", "--delta", "1e-6", says=["exists"])
        self.refused("ledger", "spend", self.file, "gaussian:sigma=-1", says=["sigma is -1"])
        self.refused("ledger", "undo", self.file, says=["nothing is spent"])
        self.refused("ledger", "init", "/no/such/folder", "--epsilon", "1", "--delta", "1e-6", says=["/no/such"])
        self.refused("ledger", "init", self.file + "2", "--epsilon", "1", "--delta", "2", says=["delta is 2"])
        self.refused("ledger", "init", self.file + "2", "--epsilon", "-1", "--delta", "1e-6", says=["epsilon is -1"])
        self.refused("ledger", "init", self.file + "2", "--epsilon", "nan", "--delta", "1e-6", says=["epsilon is 'nan'"])
        self.refused("ledger", "frob", self.file, says=["'frob'", "init, spend, status, undo"])
        self.refused("ledger", says=["ledger: command is missing"])
        self.refused("ledger", "spend", self.file, "gaussian:sigma=?", says=["sigma is '?'"])
        self.refused("ledger", "spend", self.file, says=["mechanism is required"])

    def test_files_that_are_no_ledgers(self):
        folder = os.path.dirname(self.file)
        for text, *says in [("", "the file is empty"), ("{}", "line 1", "cut short"), ("{}\n", "line 1", "pld-budget is missing"),
                            ("x\n", "line 1", "syntax error"), ('{"pld-budget":2,"epsilon":1,"delta":0}\n', "version is 2")]:
            with open(self.file, "w") as file:
                file.write(text)
            for command in (["status"], ["spend"], ["undo"]):
                with self.subTest(text=text, command=command):
                    words = ["gaussian:sigma=9"] if command == ["spend"] else []
                    self.refused("ledger", *command, self.file, *words, says=[self.file, *says])
        for name in (folder, "/dev/zero"):
            for command in (["status"], ["spend"], ["undo"]):
                self.refused("ledger", *command, name, *(["gaussian:sigma=9"] if command == ["spend"] else []),
                             says=["is not a regular file"])
        self.refused("ledger", "spend", os.path.join(folder, "no"), "gaussian:sigma=9", says=["does not exist", "ledger init"])
        self.assertEqual(os.listdir(folder), [os.path.basename(self.file)])


def event(name, **fields):
    return {"module_name": "dp_accounting.dp_event", "class_name": name, **fields}


def as_array(value):
    """What json.dump writes of a named tuple."""
    if isinstance(value, dict):
        return [as_array(part) for part in value.values()]
    return [as_array(part) for part in value] if isinstance(value, list) else value


GAUSSIAN = event("GaussianDpEvent", noise_multiplier=1.1)


class Events(CommandTest):
    def epsilon_of(self, value):
        return self.bracket("epsilon", "--delta", "1e-6", "--ledger", self.ledger(json.dumps(value)))

    def test_each_event(self):
        for value, *words in [
            (GAUSSIAN, "gaussian:sigma=1.1"),
            (event("LaplaceDpEvent", noise_multiplier=2), "laplace:scale=2"),
            (event("RandomizedResponseDpEvent", noise_parameter=0.5, num_buckets=2), "randomized-response:p=0.75"),
            (event("RandomizedResponseDpEvent", noise_parameter=0.5, num_buckets=4), "randomized-response:p=0.625,k=4"),
            (event("PoissonSampledDpEvent", sampling_probability=0.5, event=event(
                "PoissonSampledDpEvent", sampling_probability=0.5, event=GAUSSIAN)), "gaussian:sigma=1.1,q=0.25"),
            (event("EpsilonDeltaDpEvent", epsilon=1, delta=1e-8), "dp:epsilon=1,delta=1e-8"),
            (event("DiscreteLaplaceDpEvent", noise_parameter=0.5, sensitivity=2), "discrete-laplace:a=0.5,sensitivity=2"),
            (event("DiscreteGaussianDpEvent", sigma=3, sensitivity=1, dimension=1), "discrete-gaussian:sigma=3"),
            (event("NonPrivateDpEvent"), "dp:epsilon=0,delta=1"),
            (event("PoissonSampledDpEvent", sampling_probability=0.01, event=GAUSSIAN), "gaussian:sigma=1.1,q=0.01"),
            (event("SelfComposedDpEvent", event=event("SelfComposedDpEvent", event=GAUSSIAN, count=3), count=5),
             "gaussian:sigma=1.1,count=15"),
            (event("ComposedDpEvent", events=[GAUSSIAN, event("NoOpDpEvent"), event("ComposedDpEvent", events=[
                event("SelfComposedDpEvent", event=event("LaplaceDpEvent", noise_multiplier=2), count=3)])]),
             "gaussian:sigma=1.1", "laplace:scale=2,count=3"),
        ]:
            with self.subTest(event=value):
                want = self.bracket("epsilon", "--delta", "1e-6", *words)
                self.assertEqual(self.epsilon_of(value), want)
                self.assertEqual(self.epsilon_of(as_array(value)), want)

    def test_refused(self):
        for value, *says in [
            (event("ZCDpEvent", xi=0), "'ZCDpEvent'", "GaussianDpEvent"),
            (event("GaussianDpEvent"), "noise_multiplier is missing"),
            (event("GaussianDpEvent", noise_multiplier=-1), "event: gaussian: sigma is -1"),
            (event("GaussianDpEvent", noise_multiplier=1, colour=2), "colour"),
            (["dp_accounting.dp_event", "GaussianDpEvent"], "2 elements", "3"),
            (event("RandomizedResponseDpEvent", noise_parameter=0.5, num_buckets=1), "k is 1"),
            (event("DiscreteGaussianDpEvent", sigma=3, sensitivity=1, dimension=None), "dimension"),
            (event("PoissonSampledDpEvent", sampling_probability=0.1, event=event(
                "SelfComposedDpEvent", event=GAUSSIAN, count=2)), "single"),
            (event("ComposedDpEvent", events=[GAUSSIAN, 7]), "event.events[1]"),
            (event("SelfComposedDpEvent", event=GAUSSIAN, count=1.5), "count is 1.5"),
        ]:
            path = self.ledger(json.dumps(value))
            self.refused("epsilon", "--delta", "1e-6", "--ledger", path, says=says)

    def test_compared_with_the_bounds(self):
        sampled = event("SelfComposedDpEvent", count=100, event=event(
            "PoissonSampledDpEvent", sampling_probability=0.01, event=GAUSSIAN))
        path = self.ledger(json.dumps(event("ComposedDpEvent", events=[sampled, event("LaplaceDpEvent", noise_multiplier=9)])))
        got = self.answer("compare", "--delta", "1e-6", "--ledger", path)
        want = self.answer("compare", "--delta", "1e-6", "gaussian:sigma=1.1,q=0.01,count=100", "laplace:scale=9")
        del got["seconds"], want["seconds"]
        self.assertEqual(got, want)

    def test_version(self):
        good = {"version": 1, "mechanisms": [{"type": "gaussian", "sigma": 1}]}
        self.assertEqual(self.epsilon_of(good), self.bracket("epsilon", "--delta", "1e-6", "gaussian:sigma=1"))
        path = self.ledger(json.dumps({**good, "version": 2}))
        self.refused("epsilon", "--delta", "1e-6", "--ledger", path, says=["version is 2"])


if __name__ == "__main__":
    unittest.main()
