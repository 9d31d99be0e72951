"""pld export: what it writes --ledger reads, and dp-accounting."""
import json
import math
import os
import tempfile
import unittest
from fractions import Fraction

from command import CommandTest, pld

EVERY_EVENT = ["gaussian:sigma=2,sensitivity=1", "laplace:scale=3,count=4",
               "dp:epsilon=0.1,delta=1e-9", "discrete-laplace:a=0.5,sensitivity=2", "discrete-gaussian:sigma=5,sensitivity=3",
               "zcdp:rho=0.001,xi=0.001", "gaussian-mixture:sigma=4,shifts=0/1,weights=0.5/0.5",
               "gaussian:sigma=1,q=0.01,count=100", "laplace:scale=9,wor=0.25"]

ANSWERS = ("randomized-response:p=0.75,k=4", "--adjacency", "replace-one")  # its event has no such law under others
NOT_IN_0_6_0 = {"DiscreteGaussianDpEvent", "EpsilonDeltaDpEvent"}  # of dp-accounting


def classes_in(event):
    if isinstance(event, list):
        return set().union(*map(classes_in, event))
    if not isinstance(event, dict):
        return set()
    return ({event["class_name"]} if "class_name" in event else set()).union(*map(classes_in, event.values()))


class Export(CommandTest):
    def export(self, *words):
        """What is said on stderr is that dp-accounting's release has not all of its classes."""
        done = pld("export", *words)
        self.assertEqual(done.returncode, 0, words)
        if "--dp-event" in words and "--adjacency" in words:
            relation, _, done.stderr = done.stderr.partition("\n")
            self.assertIn("an event does not say which data sets are neighbours", relation)
        unreleased = sorted(classes_in(json.loads(done.stdout)) & NOT_IN_0_6_0)
        self.assertEqual(done.stderr, f"pld: note: dp-accounting 0.6.0 has no {', '.join(unreleased)}: it takes a version of "
                         "dp-accounting from its repository to read the event\n" if unreleased else "", words)
        return done.stdout

    def read_back(self, text, *words):
        name = os.path.join(tempfile.mkdtemp(), "mechanisms.json")
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
        return self.bracket("epsilon", "--delta", "1e-5", "--ledger", name, *words)

    def test_composition(self):
        words = ("--adjacency", "replace-one", *EVERY_EVENT[:2])
        self.assertEqual(json.loads(self.export(*words))["adjacency"], "replace-one")
        self.assertEqual(self.read_back(self.export(*words)), self.bracket("epsilon", "--delta", "1e-5", *words))

    def test_events_read_back(self):
        for word, *relation in [*((word,) for word in EVERY_EVENT), ANSWERS]:
            with self.subTest(word=word):
                event = self.export("--dp-event", word, *relation)
                upper, again = self.bracket("epsilon", "--delta", "1e-5", word, *relation)[2], self.read_back(event, *relation)[2]
                self.assertGreaterEqual(again, upper * (1 - 1e-9))
                self.assertLessEqual(again, upper * (1 + 1e-9))
        together = self.export("--dp-event", *EVERY_EVENT)
        self.assertEqual(json.loads(together)["class_name"], "ComposedDpEvent")
        # A truncated sample has no profile from both sides: what is written is what was named.
        event = json.loads(self.export("--dp-event", "gaussian:sigma=1,truncated=0.02,cap=1024,records=50000"))
        self.assertEqual(event, {"module_name": "dp_accounting.dp_event", "class_name": "TruncatedSubsampledGaussianDpEvent",
                                 "dataset_size": 50000, "sampling_probability": 0.02, "truncated_batch_size": 1024,
                                 "noise_multiplier": 1.0})

    def test_sizes_are_those_that_were_written(self):
        sizes = lambda event: (event["sample_size"], event["source_dataset_size"])
        event = json.loads(self.export("--dp-event", "gaussian:sigma=1,sampler=fixed-size,batch=256,dataset=50000"))
        self.assertEqual(sizes(event), (256, 50000))
        again = self.ledger(json.dumps(event))
        self.assertEqual(json.loads(self.export("--dp-event", "--ledger", again)), event)
        written = {"type": "gaussian", "sigma": 1, "sampling": {"batch": 6, "dataset": 8}}
        event = json.loads(self.export("--dp-event", "--ledger", self.ledger(json.dumps({"mechanisms": [written]}))))
        self.assertEqual(sizes(event), (6, 8))
        # Of a share alone, the least.
        self.assertEqual(sizes(json.loads(self.export("--dp-event", "gaussian:sigma=1,wor=0.75"))), (3, 4))

    def test_what_was_taken_for_granted_is_kept(self):
        said = lambda text: [one.get("assumed_sampler") for one in json.loads(text)["mechanisms"]]
        read = lambda *words: pld("export", *words).stdout
        assumed = read("gaussian:sigma=4,batch=256,dataset=50000,epochs=1", "laplace:scale=9")
        self.assertEqual(said(assumed), ["fixed-size", None])
        self.assertEqual(said(read("--ledger", self.ledger(assumed))), ["fixed-size", None])
        run = ("--dataset-size", "50000", "--batch", "256", "--epochs", "1", "gaussian:sigma=4")
        self.assertEqual(said(read(*run)), ["poisson"])
        self.assertEqual(said(self.export(*run, "--sampler", "poisson")), [None])
        name = os.path.join(tempfile.mkdtemp(), "budget")
        pld("ledger", "init", name, "--epsilon", "9", "--delta", "1e-6", "--kind", "planned", *run)
        pld("ledger", "spend", name, *run)
        self.assertEqual(said(read("--ledger", name)), ["poisson"])
        records = json.loads(pld("ledger", "list", name, "--json").stdout)["records"]
        self.assertEqual([records[0]["plan"][0]["assumed_sampler"], records[1]["spend"][0]["assumed_sampler"]], ["poisson"] * 2)
        for file in (name, self.ledger(pld("ledger", "export", name).stdout), self.ledger(read("--ledger", name))):
            self.assertEqual(json.loads(pld("epsilon", "--delta", "1e-6", "--json", "--ledger", file).stdout)["assumed"], {"sampler": "poisson"})

    def test_noise_is_rounded_down(self):
        event = json.loads(self.export("--dp-event", "gaussian:sigma=1,sensitivity=3"))
        self.assertLessEqual(3 * Fraction(event["noise_multiplier"]), 1)
        self.assertGreater(event["noise_multiplier"], 1 / 3 - 1e-15)
        for p, k in ((0.75, 2), (0.9, 2), (0.1, 11), (0.7, 4), (1, 2)):
            noise = json.loads(self.export("--dp-event", *ANSWERS[1:], f"randomized-response:p={p},k={k}"))["noise_parameter"]
            exact = (1 - Fraction(p)) * Fraction(k, k - 1)
            self.assertTrue(Fraction(noise) <= exact < Fraction(math.nextafter(noise, 1)), (p, k))

    def test_a_budget(self):
        name = os.path.join(tempfile.mkdtemp(), "budget")
        pld("ledger", "init", name, "--epsilon", "2", "--delta", "1e-6")
        pld("ledger", "spend", name, "gaussian:sigma=20,count=3")
        done = pld("export", "--dp-event", "--ledger", name)  # whoever reads it takes the spends for fixed in advance
        self.assertEqual((done.returncode, done.stderr.count("is an adaptive budget")), (0, 1))
        event = json.loads(done.stdout)
        self.assertEqual((event["class_name"], event["count"], event["event"]["noise_multiplier"]),
                         ("SelfComposedDpEvent", 3, 20.0))

    def test_refusals(self):
        self.refused("export", says=("no mechanism",))
        for relation in ("add-remove", "zero-out"):
            self.refused("export", "--dp-event", "--adjacency", relation, ANSWERS[0], says=(f"adjacency is {relation}, but must be replace-one",))
        self.refused("export", "--dp-event", *ANSWERS[1:], "randomized-response:p=0.75,q=0.1", says=("a sample of randomized-response has no event",))
        self.refused("export", "--dp-event", *ANSWERS[1:], "randomized-response:p=0.2", says=("dp-event: randomized-response's p is 0.2, but must be 1/k or more",))
        self.refused("export", "--dp-event", "--adjacency", "replace-one", "gaussian-mixture:sigma=1,shifts=0/1,weights=0.5/0.5",
                     says=("gaussian-mixture", "adjacency is replace-one, but must be add-remove or zero-out"))
        self.refused("export", "--dp-event", "skellam:variance=9", says=("skellam", "no event"))
        self.refused("export", "--dp-event", "gaussian:sigma=1,allocation=9", says=("sampling", "no event"))
        self.refused("export", "--dp-event", "--group", "2", "gaussian:sigma=1", says=("group is 2, but must be 1 with --dp-event",))
        done = pld("export", "--dp-event", "--adjacency", "replace-one", "gaussian:sigma=1")
        self.assertEqual(done.returncode, 0)
        self.assertIn("replace-one", done.stderr)


if __name__ == "__main__":
    unittest.main()
