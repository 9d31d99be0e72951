"""The words that training engineers use, and what they stand for."""
import json
import re
import unittest
from fractions import Fraction

from command import CommandTest, pld


class Vocabulary(CommandTest):
    def asked(self, word):
        """The mechanism that a word stands for, as an answer states it."""
        (mechanism,) = self.answer("epsilon", "--delta", "1e-6", word)["mechanisms"]
        return mechanism

    def test_steps_and_noise_multiplier(self):
        plain = self.asked("gaussian:sigma=0.8,q=0.005,count=1000")
        self.assertEqual(self.asked("gaussian:noise_multiplier=0.8,q=0.005,steps=1000"), plain)
        self.assertEqual(self.asked("laplace:scale=9,steps=3"), self.asked("laplace:scale=9,count=3"))
        for word, says in [
            ("gaussian:sigma=1,steps=2,count=2", "count is given twice"),
            ("gaussian:sigma=1,noise_multiplier=1", "sigma is given twice"),
            ("gaussian:noise_multiplier=1,sensitivity=2", "noise_multiplier is sigma / sensitivity"),
            ("gaussian:sensitivity=2,noise_multiplier=1", "noise_multiplier is sigma / sensitivity"),
            ("laplace:noise_multiplier=1", "'noise_multiplier' is not known"),
            ("gaussian:noise_multiplier=0", "noise_multiplier is 0"),
            ("gaussian:noise_multiplier=-1", "noise_multiplier is -1"),
            ("gaussian:sigma=1,steps=1.5", "count is 1.5"),
        ]:
            with self.subTest(word=word):
                self.refused("epsilon", "--delta", "1e-6", word, says=[says])

    def test_samplers_and_epochs(self):
        for sampler, data, plain in [("poisson", "50000", "q=256/50000,count=5860"),
                                     ("fixed-size", "50000", "wor=256/50000,count=5860"),
                                     ("allocation", "49920", "allocation=195,count=30"),
                                     ("shuffled", "49920", "shuffled=195,count=30")]:
            sizes, run = f"batch=256,dataset={data}", ("--dataset-size", data, "--batch", "256", "--epochs", "30")
            with self.subTest(sampler=sampler):
                expected = pld("export", f"gaussian:sigma=1,{plain}").stdout
                self.assertIn("sampling", expected)
                for words in ([f"gaussian:sigma=1,sampler={sampler},{sizes},epochs=30"],
                              [*run, "--sampler", sampler, "gaussian:noise_multiplier=1"]):
                    self.assertEqual(pld("export", *words).stdout, expected)
        plain = pld("export", "gaussian:sigma=1,truncated=256/50000,cap=320,records=50000,count=5860").stdout
        self.assertIn("largest_batch", plain)
        run = ("--dataset-size", "50000", "--batch", "256", "--epochs", "30")
        for words in (["gaussian:sigma=1,sampler=truncated,batch=256,dataset=50000,cap=320,epochs=30"],
                      [*run, "--sampler", "truncated", "--cap", "320", "gaussian:noise_multiplier=1"]):
            self.assertEqual(pld("export", *words).stdout, plain)
        self.assertEqual(self.asked("gaussian:sigma=1,q=0.1,epochs=1")["count"], 10)  # 1 / 0.1 is no whole number
        self.assertEqual(self.asked("gaussian:sigma=1,q=0.3,epochs=1")["count"], 4)
        self.assertEqual(self.asked("gaussian: sigma=1, q=0.3"), self.asked("gaussian:sigma=1,q=0.3"))
        for word, says in [
            ("gaussian:sigma=1,q=0.1,epochs=2,steps=3", "epochs stands for count"),
            ("gaussian:sigma=1,q=0.1,epochs=0", "epochs is 0"),
            ("gaussian:sigma=1,allocation=9,epochs=1.5", "a whole number"),
            ("gaussian:sigma=1,allocation=9,passes=2,epochs=2", "epochs is given, but must be left out beside passes"),
            # 5850 steps are 30 passes: as a count of passes they would be 195 times as many.
            ("gaussian:sigma=1,allocation=195,steps=5850", "steps is given, but must be left out where a release is a pass of several: epochs is how many"),
            ("gaussian:sigma=1,steps=6000,sampler=shuffled,batch=250,dataset=50000", "epochs is how many passes of all steps"),
            ("gaussian:sigma=1,allocation=9,participations=2,steps=18", "epochs is how many"),
            ("gaussian:sigma=1,allocation=9,passes=2,steps=18", "count is how often the bins are drawn anew"),
            ("gaussian:sigma=1,q=0,epochs=1", "a sampling rate > 0"),
            ("gaussian:sigma=1,sampler=poison,batch=1,dataset=9", "did you mean poisson?"),
            ("laplace:epsilon=1", "(did you mean scale = sensitivity / epsilon?)"), ("discrete-laplace:scale=1", "(did you mean a = 1 / scale?)"),
            ("gaussian:variance=4", "(did you mean sigma = sqrt(variance)?)"), ("randomized-response:epsilon=1", "(did you mean p = e^epsilon / (e^epsilon + k - 1)?)"),
            ("gaussian:rho=.5", "(did you mean sigma = sensitivity / sqrt(2 rho)?)"), ("discrete-gaussian:rho=.5", "(did you mean sigma = sensitivity / sqrt(2 rho)?)"),
            ("gaussian:mu=1", "(did you mean sigma = sensitivity / mu?)"), ("gaussian:epsilon=1,delta=1e-5", "(did you mean calibrate, which finds the sigma of an epsilon and a delta?)"),
            ("gaussian:\u03c3=1", "(did you mean sigma?)"), ("dp:\u03b5=1", "(did you mean epsilon?)"), ("dp:epsilon=1,\u03b4=0", "(did you mean delta?)"), ("zcdp:\u03c1=1", "(did you mean rho?)"),
            ("1000*gaussian:sigma=1", "type is '1000*gaussian' (did you mean gaussian with count=1000?)"), ("20xlaplace:scale=1", "(did you mean laplace with count=20?)"),
            ("+", "type is '+' (mechanisms are named one after another, with nothing between them), but"), ("and", "with nothing between them"),
            ("versus", "type is 'versus' (did you mean vs, which begins another composition of pld curve?), but"),
            ("3 \u00d7 exponential", "(did you mean exponential with count=3?)"), ("mass-table:p=1/3/2/3,q=.5/.5/0/0", "sum of p is 9, but must be a sum of 1"),
            ("gaussian:sigma=1,sampler=shuffled,q=0.1", "must be poisson"),
            ("gaussian:sigma=1,sampler=poisson", "given with batch and dataset"),
            ("gaussian:sigma=1,sampler=poisson,q=0.1,batch=1,dataset=9", "one or the other"),
            ("gaussian:sigma=1,sampler=truncated,batch=1,dataset=9", "cap is missing, but must be the largest batch"),
            ("gaussian:sigma=1,sampler=truncated,batch=1,dataset=9,cap=2,records=9", "records is the size of the dataset"),
            ("gaussian:sigma=1,q=0.0043,batch=256,dataset=60000", "q and batch with dataset are two samplings"),
            ("gaussian:sigma=1,allocation=3,sampler=poisson,batch=3,dataset=9", "allocation and batch with dataset are two samplings"),
            ("gaussian:sigma=1,q=0.1,wor=0.1", "q and wor are two samplings"),
            ("gaussian:sigma=0,8", "decimals take a point"),
            # 195 batches of 256 and 80 records more: neither number of steps is the run's at both ends.
            ("gaussian:sigma=1,sampler=allocation,batch=256,dataset=50000", "allocation=196 for what is lost at least"),
            ("gaussian:sigma=1,sampler=shuffled,batch=256,dataset=50000,epochs=2.5", "epochs is 2.5, but must be a whole number"),
        ]:
            with self.subTest(word=word):
                self.refused("epsilon", "--delta", "1e-6", word, says=[says])
        for words, says in [
            ((*run[:4], "gaussian:sigma=1"), "belong together"),
            ((*run, "gaussian:sigma=1", "laplace:scale=1"), "name one mechanism"),
            ((*run, "gaussian:sigma=1,q=0.1"), "leave those out"),
            ((*run[:5], "?", "gaussian:sigma=1"), "epochs is '?'"),
            ((*run, "--sampler", "truncated", "gaussian:sigma=1"), "cap is missing"),
            ((*run, "--cap", "320", "gaussian:sigma=1"), "--cap is for --sampler truncated"),
            ((*run, "--sampler", "truncated", "--cap", "0", "gaussian:sigma=1"), "cap is '0', but must be > 0"),
            ((*run, "--sampler", "truncated", "--cap", "99.5", "gaussian:sigma=1"), "99.5"),
        ]:
            with self.subTest(words=words):
                self.refused("epsilon", "--delta", "1e-6", *words, says=[says])

    def test_a_shuffled_pass_keeps_its_last_smaller_batch(self):
        words = "epsilon", "--delta", "1e-6", "--adjacency", "zero-out"
        written = self.answer(*words, "gaussian:sigma=1,shuffled=196,count=2")
        for run in (("gaussian:sigma=1,sampler=shuffled,batch=256,dataset=50000,epochs=2",),
                    ("--dataset-size", "50000", "--batch", "256", "--epochs", "2", "--sampler", "shuffled", "gaussian:sigma=1")):
            self.assertEqual(self.answer(*words, *run)["epsilon"], written["epsilon"])

    def test_json_takes_the_words_of_text(self):
        for words in [{"noise_multiplier": 0.8, "q": 0.005, "steps": 1000},
                      {"sigma": 1, "sampler": "poisson", "batch": 256, "dataset": 50000, "epochs": 30},
                      {"sigma": 1, "sampler": "fixed-size", "batch": 256, "dataset": 50000, "epochs": 2},
                      {"sigma": 1, "sampler": "truncated", "batch": 256, "dataset": 50000, "cap": 320, "epochs": 30},
                      {"sigma": 1, "sampler": "shuffled", "batch": 256, "dataset": 49920, "epochs": 30},
                      {"sigma": 1, "allocation": 195, "participations": 3, "count": 4},
                      {"p": [0.75, 0.25], "q": [0.25, 0.75], "poisson": 0.1, "count": 2},
                      {"sigma": 1, "shifts": [0.0, 1.0], "weights": [0.5, 0.5]}]:  # no weighted sampler's
            kind = "mass-table" if "p" in words else "gaussian-mixture" if "shifts" in words else "gaussian"
            written = lambda value: "/".join(map(str, value)) if isinstance(value, list) else str(value)
            text = kind + ":" + ",".join(f"{word}={written(value)}" for word, value in words.items())
            ledger = json.dumps({"adjacency": "zero-out", "mechanisms": [{"type": kind, **words}]})
            with self.subTest(text=text):
                done = pld("export", "--ledger", self.ledger(ledger))
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(done.stdout, pld("export", "--adjacency", "zero-out", text).stdout)
            said = {word: "/".join(map(str, value)) if isinstance(value, list) else str(value) for word, value in words.items()}
            with self.subTest(said=said):  # all numbers in strings
                ledger = json.dumps({"adjacency": "zero-out", "mechanisms": [{"type": kind, **said}]})
                self.assertEqual(pld("export", "--ledger", self.ledger(ledger)).stdout, pld("export", "--adjacency", "zero-out", text).stdout)
        run = {"type": "gaussian", "sigma": 1, "sampling": {"poisson": 0.1}, "epochs": 2}
        self.assertEqual(self.answer("epsilon", "--delta", "1e-6", "--ledger", self.ledger(json.dumps({"mechanisms": [run]})))["mechanisms"],
                         [self.asked("gaussian:sigma=1,q=0.1,epochs=2")])
        known = lambda done: done.stderr.strip().split("accepted are ")[1].split(", ")
        for kind in ("gaussian", "mass-table"):  # one table: each word of the one door is a word of the other
            self.assertEqual(known(pld("epsilon", "--delta", "1e-6", "--ledger", self.ledger(json.dumps({"mechanisms": [{"type": kind, "x": 1}]})))),
                             known(pld("epsilon", "--delta", "1e-6", kind + ":x=1")) + ["type", "sampling", "assumed_sampler"])

    def test_words_that_json_refuses(self):
        for fields, says in [
            ({"sampling": {"poisson": 0.1}, "q": 0.1}, "sampling and q both say how records get into it: give one or the other"),
            ({"sampling": {"poisson": 0.1}, "batch": 1, "dataset": 9}, "sampling and batch both say"),
            ({"sampling": {"batch": 1, "dataset": 9}, "sampler": "poisson"}, "sampling and sampler both say"),
            ({"sampling": {"allocation": 9}, "participations": 2}, "sampling and participations both say"),
            ({"steps": 2, "count": 2}, "count is given twice"),
            ({"epochs": 2, "steps": 2, "q": 0.1}, "epochs stands for count"),
            ({"sampling": {"allocation": 195}, "steps": 5850}, "steps is given, but must be left out where a release is a pass"),
            ({"noise_multiplier": 1}, "sigma is given twice"),
            ({"batch": 1}, "batch and dataset belong together"),
            ({"sampler": 1}, "sampler is 1, but must be a string"),
            ({"sampler": "poison", "batch": 1, "dataset": 9}, "did you mean poisson?"), ({"variance": 4}, "(did you mean sigma = sqrt(variance)?)"),
            ({"batch": "a", "dataset": 9}, "batch is 'a', but must be a finite number"),
            ({"cap": 3}, "cap must be given with truncated and records"),
            ({"with_replacement": 0.1}, "sampling with replacement has no theorem here"),
            ({"weights": [0.1]}, "a weighted sampler has no theorem here"),
            ({"without_replacement": 0.1}, 'did you mean "sampling": {"without_replacement": ...}?'),
        ]:
            with self.subTest(fields=fields):
                ledger = self.ledger(json.dumps({"mechanisms": [{"type": "gaussian", "sigma": 1, **fields}]}))
                self.refused("epsilon", "--delta", "1e-6", "--ledger", ledger, says=["mechanisms[0]", says])

    def test_what_is_taken_for_granted_every_door_says(self):
        rates = ("--true-positives", "20/50", "--false-positives", "10/50")
        run = ("--dataset-size", "500", "--batch", "50", "--epochs", "1")
        ledger = {"mechanisms": [{"type": "gaussian", "sigma": 9, "batch": 50, "dataset": 500}]}
        best = {"mechanisms": [{"tries": "geometric:mean=2", "mechanisms": ledger["mechanisms"]}]}
        for query in (("epsilon", "--delta", "1e-6"), ("delta", "--epsilon", "1"), ("compare", "--delta", "1e-6"),
                      ("compare", "--delta", "1e-6", "--claim", "9"), ("explain",), ("audit", "--delta", "1e-5", *rates),
                      ("calibrate", "--epsilon", "1", "--delta", "1e-6"), ("curve", "--range", "0:1:3"),
                      ("curve", "--of", "epsilon", "--against", "sigma", "--delta", "1e-6", "--range", "1:2:3"), ("export",)):
            number = "?" if query[0] == "calibrate" else "1"
            word = f"gaussian:sigma={number},"
            fixed = ("--adjacency", "add-remove", f"gaussian:sigma={number}")  # beside what a ledger releases
            doors = [(None, (*run, "--sampler", "poisson", word[:-1])), (None, (word + "sampler=fixed-size,batch=50,dataset=500",)),
                     ("poisson", (*run, word[:-1])), ("fixed-size", (word + "batch=50,dataset=500",))]
            if "--against" not in query:
                doors += [("fixed-size", (*fixed, "--ledger", self.ledger(json.dumps(ledger))))]
            if query[0] in ("epsilon", "delta", "calibrate"):
                doors += [("fixed-size", (*fixed, "--ledger", self.ledger(json.dumps(best))))]
            for sampler, words in doors:
                with self.subTest(query=query, words=words):
                    done = pld(*query, *words, *(() if query[0] == "export" else ("--json",)))
                    self.assertIn(done.returncode, (0, 3, 4), done.stderr)
                    if query[0] != "export":
                        self.assertEqual(json.loads(done.stdout).get("assumed"), sampler and {"sampler": sampler})
                    self.assertEqual(done.stderr.count("holds where each batch is"), 1 if sampler else 0, done.stderr)
                    self.assertIn(f"sampler{'=' if sampler == 'fixed-size' else ' '}{sampler})" if sampler else "", done.stderr)
        kept = {"adjacency": "zero-out", "mechanisms": [{"type": "gaussian", "sigma": 9, "sampling": {"shuffled": 10}, "assumed_sampler": "shuffled"}]}
        done = pld("epsilon", "--delta", "1e-6", "--ledger", self.ledger(json.dumps(kept)), "--json")
        self.assertEqual(json.loads(done.stdout)["assumed"], {"sampler": "shuffled"})
        self.assertEqual(done.stderr, "pld: note: no sampler was named: that it is shuffled is taken for granted\n")
        for other, must in (({"sampling": {"poisson": 0.1}}, "poisson, which the sampling is of"), ({}, "left out: nothing is said of a sample"),
                            ({"batch": 10, "dataset": 100}, "fixed-size, which the sampling is of")):
            told = {"mechanisms": [{"type": "gaussian", "sigma": 9, "assumed_sampler": "shuffled", **other}]}
            self.refused("epsilon", "--delta", "1e-6", "--ledger", self.ledger(json.dumps(told)),
                         says=[f"mechanisms[0]: assumed_sampler is 'shuffled', but must be {must}"])
        # Bad input is told in one line all the same.
        self.refused("epsilon", "--delta", "1e-6", "gaussian:sigma=1,batch=50,dataset=500", "gaussian:sigma=-1", says=["sigma is -1"])
        self.refused("export", "gaussian:sigma=1,batch=50,dataset=500", "gaussian:sigma=-1", says=["sigma is -1"])

    def test_a_delta_that_publishes_a_record_is_warned_of(self):
        run = ("--dataset-size", "500", "--batch", "50", "--epochs", "1", "--sampler", "poisson")
        for delta, warned in (("1e-2", 1), ("1e-3", 0)):
            for query in (("epsilon",), ("compare",), ("compare", "--claim", "9"), ("calibrate", "--epsilon", "1")):
                done = pld(*query, "--delta", delta, *run, "gaussian:sigma=" + ("?" if query[0] == "calibrate" else "1"))
                self.assertEqual(done.stderr.count("exceeds 1/500: it lets a mechanism publish a record outright"), warned, (query, done.stderr))

    def test_what_shuffled_passes_leave_is_said(self):
        # By hand: 12.24 of 195 batches and 30 passes; the published .226 of 10,000 batches at epsilon 4.
        run = ("--dataset-size", "49920", "--batch", "256", "--epochs", "30")
        words = ("epsilon", "--delta", "1e-5", *run, "gaussian:sigma=1")
        self.assertRegex(pld(*words).stderr, r"shuffled for every pass epsilon is at least 12\.24\d* at delta 1e-05 \(shuffled=195, zero-out\)")
        self.assertRegex(pld("curve", "--of", "epsilon", "--against", "delta", "--range", "1e-6:1e-4:3", *words[3:]).stderr,
                         r"epsilon is at least 12\.24\d* at delta (1e-05|9.99\d+e-06) ")
        self.assertRegex(pld("explain", *words[3:]).stderr, r"epsilon is at least 13\.9\d* at delta 1e-06 ")
        for claim, says in [((), True), (("--claim", "3"), True), (("--claim", "13"), False)]:
            self.assertEqual("epsilon is at least 12.24" in pld("compare", "--delta", "1e-5", *claim, *run, "gaussian:sigma=1").stderr, says)
        # The middle of a curve: a test with alpha .01 has type II error .964 by Poisson samples.
        self.assertRegex(pld("curve", "--of", "tradeoff", "--range", "0.001:0.1:3", *words[3:]).stderr,
                         r"beta is at most 0\.69\d* at alpha 0\.01 ")
        against = ("curve", "--of", "epsilon", "--delta", "1e-5", "--range", "20:40:3", "--against")
        self.assertRegex(pld(*against, "epochs", *run[:4], "--epochs", "?", "gaussian:sigma=1").stderr, r"12\.24\d* at delta 1e-05, epochs 30 ")
        self.assertRegex(pld(*against, "epochs", *run, "gaussian:sigma=1").stderr, r"12\.24\d* at delta 1e-05, epochs 30 ")
        self.assertRegex(pld(*against[:5], "--range", "0.5:1.5:3", "--against", "sigma", *run, "gaussian:sigma=1").stderr,
                         r"12\.24\d* at delta 1e-05, sigma 1 ")
        self.assertNotIn("every pass", pld(*against[:5], "--range", "1000:3000:3", "--against", "steps", *run, "gaussian:sigma=1").stderr)
        run = ("--dataset-size", "10000", "--batch", "1", "--epochs", "1")
        self.assertRegex(pld("delta", "--epsilon", "4", *run, "gaussian:sigma=0.4").stderr,
                         r"shuffled for every pass delta is at least 0\.226\d* at epsilon 4 ")
        self.assertRegex(pld("curve", "--range", "3:5:3", *run, "gaussian:sigma=0.4").stderr, r"delta is at least 0\.226\d* at epsilon 4 ")
        # Nothing is known from below of other noise, and nothing is said of groups.
        for more in (["laplace:scale=1"], ["--group", "2", "gaussian:sigma=0.4"]):
            self.assertNotIn("every pass", pld("delta", "--epsilon", "4", *run, *more).stderr)
        # Nor of more batches than shuffled passes may have, which nobody asked about.
        done = pld("epsilon", "--delta", "1e-12", "--dataset-size", "1e10", *run[2:], "gaussian:sigma=1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("every pass", done.stderr)

    def test_epochs_are_found(self):
        found = pld("calibrate", "--epsilon", "3", "--delta", "1e-5", "--dataset-size", "50000", "--batch", "256", "--epochs", "?",
                    "--sampler", "poisson", "gaussian:sigma=1")
        self.assertEqual(found.returncode, 0, found.stderr)
        epochs = float(found.stdout.split()[2])
        at = lambda e: self.bracket("epsilon", "--delta", "1e-5", f"gaussian:sigma=1,q=256/50000,epochs={e}")
        self.assertLessEqual(at(epochs)[2], 3 * (1 + 1e-9))
        self.assertGreater(at(epochs * 1.001)[2], 3)

    def test_unknown_by_these_words(self):
        target = ("calibrate", "--epsilon", "2", "--delta", "1e-6")
        for plain, other in [("gaussian:sigma=?,count=10", "gaussian:noise_multiplier=?,steps=10"),
                             ("gaussian:sigma=9,count=?", "gaussian:noise_multiplier=9,steps=?")]:
            one, two = (self.answer(*target, word) for word in (plain, other))
            self.assertEqual((one["unknown"], one["value"], one["mechanisms"]), (two["unknown"], two["value"], two["mechanisms"]))
            # Answered in the word that was asked in.
            for word, answer in ((plain, one), (other, two)):
                asked = answer["written"]
                self.assertIn(asked + "=?", word)
                self.assertEqual(re.findall(r"^(\w+) = ", pld(*target, word).stdout, re.M), [asked, asked])
        self.refused(*target, "gaussian:noise_multiplier=?,sensitivity=2", says=["noise_multiplier is sigma / sensitivity"])

    def test_rates_as_quotients_are_rounded_up(self):
        below = 0
        for part, whole in [(256, 50000), (1, 3), (2, 3), (1, 10), (7, 10), (1, 1), (0, 5), (3, 7000001), (10**15 - 1, 10**15),
                            (1, 10**15), (123456789, 987654321987)]:
            exact = Fraction(part, whole)
            below += Fraction(part / whole) < exact
            for key, sampling in [(f"q={part}/{whole}", "poisson"), (f"poisson={part}/{whole}", "poisson"),
                                  (f"wor={part}/{whole}", "without_replacement"),
                                  (f"sampler=fixed-size,batch={part},dataset={whole}", "without_replacement")]:
                with self.subTest(key=key):
                    rate = Fraction(self.asked(f"gaussian:sigma=9,{key}").get("sampling", {sampling: 1})[sampling])
                    self.assertGreaterEqual(rate, exact)
                    self.assertLessEqual(rate, exact * (1 + Fraction(1, 2**52)))
        self.assertGreater(below, 2)  # the nearest double would not do

    def test_words_of_the_field_are_known(self):
        epsilon = ("epsilon", "--delta", "1e-6")
        for words, says in (
                (("geometric:a=1",), "discrete-laplace?"), (("rr:p=.7",), "randomized-response?"), (("dpsgd:sigma=1",), "gaussian?"),
                (("--batch-size", "1", "gaussian:sigma=1"), "--batch?"),
                (("--noise-multiplier", "1", "gaussian:q=1"), "noise_multiplier= of a mechanism"),
                (("--sample-rate", "1", "gaussian:sigma=1"), "q= of a mechanism"),
                (("gaussian:sigma=1.1", "q=0.01"), "joined to it by commas"), (("--tries", "10", "gaussian:sigma=1"), "must be random"),
                (("gaussian:z=1,q=0.01",), "noise_multiplier?"), (("gaussian:sigma=1,rounds=9",), "steps?"),
                (("gaussian:sigma=1,clients=900",), "dataset?"), (("--num-clients", "900", "gaussian:sigma=1"), "--dataset-size?"),
                (("--clients-per-round", "9", "gaussian:sigma=1"), "--batch?"), (("dp-ftrl:sigma=8",), "gaussian:sigma=SIGMA,matrix=FILE, "),
                (("subsampled-gaussian:sigma=1",), "gaussian:sigma=SIGMA,q=RATE?"), (("gumbel:epsilon=1",), "exponential:epsilon=EPSILON, "),
                (("noisy-max:scale=1",), "report-noisy-max?"), (("dp-fedavg:z=1",), "gaussian:noise_multiplier=Z, of users as records"), (("--tries", "logarithmic:gamma=.1", "gaussian:sigma=1"), "negative-binomial:shape=0,gamma=G?"),
                (("--tries", "geometric:gamma=.1", "gaussian:sigma=1"), "mean = 1 / gamma?"),
                (("--tries", "negative-binomial:eta=0,gamma=.1", "gaussian:sigma=1"), "did you mean shape?")):
            self.refused(*epsilon, *words, says=[says])
        self.refused("batch", "q.jsonl", says=["pld batch < q.jsonl"])
        self.assertIn("best of geometric:mean=10 tries", pld(*epsilon, "--tries", "geometric:mean=10", "gaussian:sigma=9").stdout)

    def test_other_ways_to_write_a_mechanism_are_told_the_one(self):
        epsilon = ("epsilon", "--delta", "1e-6")
        for words, says in ((["gaussian(sigma=1,q=0.005)"], "joined to it by commas, as in gaussian:sigma=1,q=0.01"),
                            (["gaussian:sigma=1;q=0.005"], "sigma is '1;q=0.005' (parts are joined by commas)"),
                            (["gaussian:sigma=1 q=0.005"], "sigma is '1 q=0.005' (parts are joined by commas)"),
                            (["gaussian:", "sigma=1,", "q=0.005"], "(a mechanism with blanks takes quotes)")):
            self.refused(*epsilon, *words, says=[says])
        for text, meant in (("10^-6", "1e-6"), ("10**-6", "1e-6"), ("2×10^-6", "2e-6"), ("2*10**-6", "2e-6"), ("1.5x10^-6", "1.5e-6")):
            self.refused("epsilon", "--delta", text, "gaussian:sigma=1", says=[f"delta is '{text}' (did you mean {meant}?)"])
        for text in ("10^x", "10^", "^10", "*10^2^3"):
            self.assertNotIn("did you mean", pld("epsilon", "--delta", text, "gaussian:sigma=1").stderr)

    def test_quotients_that_are_none(self):
        for text in ("1/0", "1/2/3", "/2", "1/", "0.5/2", "1/2.5", "-1/2", "1/-2", "1/1e16", "1/nan", "a/b", "/"):
            with self.subTest(text=text):
                self.refused("epsilon", "--delta", "1e-6", f"gaussian:sigma=1,q={text}", says=["gaussian: q is '"])
        self.refused("epsilon", "--delta", "1e-6", "gaussian:sigma=1,q=3/2", says=["q is 1.5"])
        self.refused("epsilon", "--delta", "1e-6", "gaussian:sigma=1/0", says=["sigma is '1/0'"])
        for quotient, decimal in (("1/2", "0.5"), ("50%", "0.5"), ("0.75/0.5", "1.5")):
            self.assertEqual(self.answer("epsilon", "--delta", "1/64", f"gaussian:sigma={quotient}")["epsilon"],
                             self.answer("epsilon", "--delta", "0.015625", f"gaussian:sigma={decimal}")["epsilon"])
        self.refused("epsilon", "--delta", "1e-6", "gaussian:sigma=1,count=5/2", says=["count is 5/2"])
        # In a table q is a list.
        self.assertEqual(self.asked("mass-table:p=0.75/0.25,q=0.25/0.75,poisson=1/2")["q"], [0.25, 0.75])


if __name__ == "__main__":
    unittest.main()
