"""pld ledger."""
import contextlib
import hashlib
import json
import math
import os
import sqlite3
import subprocess
import tempfile
import time
import unittest
from fractions import Fraction
from unittest import mock

from command import CommandTest, pld


#: What `pld ledger export` wrote before records had a time.
WITHOUT_TIMES = """\
{"pld-budget":2,"kind":"adaptive","adjacency":"add-remove","targets":[{"epsilon":1.0,"delta":1e-06}],"filter":{"name":"zcdp","cap":0.02435597035953816,"delta":0.0},"ledger":"8839c6a2234c4bad25defcb7d8978db5","chain":"e33cce039222d11b9542819ea1c77c5a7e9fff91e69ffde4fb0b18afe36f5b2d"}
{"id":1,"spend":[{"type":"gaussian","sigma":50.0}],"name":"US","token":"a","counts":{"loss":"1/5000","delta":"0","sum":0.0002},"composed":[5e-324],"chain":"46e5c85daa7048cb08981505ad2c07f3c1dffd14692805060183d4f763bb9353"}
{"id":2,"spend":[{"type":"laplace","scale":100.0}],"token":"b","counts":{"loss":"7354163337092755/147573952589676412928","delta":"0","sum":0.0002498337491680576},"composed":[5e-324],"chain":"347c3f52a204c553399b5556d0117847721fb6033227a57b46321557883a571c"}
{"id":3,"undo":1,"chain":"97bfa08f687eab7af94b4e4f072ef43a0010eb2144df33813e38f4b278e86163"}
{"end":3,"chain":"67bdc2b31be25c82a853ace567ea8939000cf77c1a7eb8323e8981d1e4f793a5"}
"""


def written(x):
    """What a double stands for in budgets: the decimal of up to 15 digits that reads back as it, or itself."""
    decimal = f"{x:.15g}"
    return Fraction(decimal) if float(decimal) == x else Fraction(x)


class Budget(CommandTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "budget")

    def run_on(self, command, *words, status=0):
        done = pld("ledger", command, self.file, *words)
        self.assertEqual((done.returncode, done.stderr), (status, ""), words)
        return done.stdout

    def answer_on(self, command, *words, status=0):
        return self.answer("ledger", command, self.file, *words, status=status)

    def test_adaptive_until_over(self):
        said = self.run_on("init", "--epsilon", "1", "--delta", "1e-6")
        self.assertIn("adaptive budget", said)
        self.assertIn("filter: zcdp, rho <= 0.0243", said)
        cap = self.answer_on("status")["filter"]["cap"]
        fits = int(cap * 2 * 20**2)  # rho of one is 1 / 800
        self.assertEqual(self.answer_on("status", "gaussian:sigma=20")["room"], {"mechanism": "gaussian:sigma=20", "count": fits})
        for i in range(2):
            self.assertIn(f"spent: record {i + 1}", self.run_on("spend", "gaussian:sigma=20"))
        self.assertIn(f"room: {fits - 2} more", self.run_on("status", "gaussian:sigma=20"))
        self.run_on("spend", f"gaussian:sigma=20,count={fits - 2}")
        refused = self.run_on("spend", "gaussian:sigma=20", status=4)
        self.assertIn("refused: rho would be", refused)
        self.assertIn("fixed in advance", refused)  # says why the composed number is another
        self.assertIn("room: 0 more", self.run_on("status", "gaussian:sigma=20"))
        status = self.run_on("status")
        for text in ("counted: rho <= ", "composed: delta <= ", "filter's sum, by which spending goes"):
            self.assertIn(text, status)
        # Both numbers: the composed one is that of the query, and the smaller one.
        status = self.answer_on("status")
        composed = self.bracket("delta", "--epsilon", "1", f"gaussian:sigma=20,count={fits}")
        self.assertLessEqual(status["composed"][0]["delta"]["lower"], composed[2])
        self.assertGreaterEqual(status["composed"][0]["delta"]["upper"], composed[0])
        self.assertLess(composed[2], 1e-6)
        self.assertEqual(status["counted"]["exact"], f"{fits}/800")

    def test_a_composition_that_takes_long_is_left_to_status(self):
        self.run_on("init", "--epsilon", "1", "--delta", "1e-6")
        both = "composed: delta <= .* at epsilon 1\n    composed is what all is together if it was fixed in advance"
        self.assertRegex(self.run_on("spend", "gaussian:sigma=1000,count=10000"), both)
        self.assertRegex(self.run_on("spend", "laplace:scale=100000,count=900"), "composed: left to `pld ledger status`, as it may take long")
        self.assertEqual(self.answer_on("spend", "laplace:scale=100000,count=900")["composed"], [])
        self.assertRegex(self.run_on("status"), "counted: rho <= (.|\n)*composed: delta <= ")

    def test_status_is_not_said_to_have_what_was_refused(self):
        self.run_on("init", "--epsilon", "3", "--delta", "1e-6", "--filter", "renyi", "--order", "8")
        refused = self.run_on("spend", "--tries", "geometric:mean=10", "gaussian:sigma=4", status=4)
        self.assertRegex(refused, r"\Arefused: D would be \S+, of \S+\n    counted with it: D <= [^\n]*\n\Z")

    def test_planned(self):
        plan = ["gaussian:sigma=20,count=3", "laplace:scale=50", "gaussian:sigma=20"]
        self.run_on("init", "--kind", "planned", "--epsilon", "1", "--delta", "1e-6", *plan)
        self.assertEqual(self.answer_on("status")["plan"], [
            {"mechanism": "gaussian:sigma=20", "planned": 4, "made": 0}, {"mechanism": "laplace:scale=50", "planned": 1, "made": 0}])
        spent = self.answer_on("spend", "gaussian:sigma=20,count=4")
        self.assertEqual((spent["accepted"], spent["id"]), (True, 4))
        whole = self.bracket("delta", "--epsilon", "1", *plan)
        self.assertGreaterEqual(spent["composed"][0]["delta_upper"], whole[0])
        self.assertLessEqual(spent["composed"][0]["delta_upper"], whole[2] * 1.01)
        self.assertIn("the plan has 4, of which 4 are made", self.run_on("spend", "gaussian:sigma=20", status=4))
        self.assertIn("not in the plan", self.run_on("spend", "gaussian:sigma=21", status=4))
        self.assertEqual(self.answer_on("status", "laplace:scale=50")["room"]["count"], 1)
        self.run_on("undo", "4")
        self.run_on("spend", "gaussian:sigma=20", "laplace:scale=50")
        self.assertIn("made: 2 of 5 releases", self.run_on("status"))
        other = self.file + "2"
        self.refused("ledger", "init", other, "--kind", "planned", "--epsilon", "1", "--delta", "1e-6", "gaussian:sigma=2",
                     says=["plan: delta at epsilon 1 is", "1e-06"])
        self.refused("ledger", "init", other, "--kind", "planned", "--epsilon", "1", "--delta", "1e-6", says=["lists its releases"])
        self.refused("ledger", "init", other, "--kind", "fixed", "--epsilon", "1", "--delta", "1e-6", says=["'fixed'", "one of adaptive, planned"])
        for word, near in (("plan", "planned"), ("adaptiv", "adaptive")):
            self.refused("ledger", "init", other, "--kind", word, "--rho", "1", says=[f"did you mean {near}?"])
        for field, value in (("adjacency", "replace-one"), ("group", 2)):
            elsewhere = self.ledger(json.dumps({field: value, "mechanisms": [{"type": "gaussian", "sigma": 30}]}))
            self.refused("ledger", "init", other, "--kind", "planned", "--epsilon", "1", "--delta", "1e-6", "--plan", elsewhere,
                         says=[f"{field} is", "as was asked for"])
        more = self.ledger(json.dumps({"mechanisms": [{"type": "gaussian", "sigma": 30}]}))
        self.assertEqual(pld("ledger", "init", other, "--kind", "planned", "--rho", "0.1", "--plan", more, "gaussian:sigma=40").returncode, 0)
        self.assertEqual(len(self.answer("ledger", "status", other)["plan"]), 2)

    def test_a_pure_budget_has_room_for_what_it_says(self):
        self.run_on("init", "--epsilon", "1", "--delta", "0")
        self.assertEqual(self.answer_on("status")["filter"]["name"], "basic")
        self.assertIn("room: 1 more", self.run_on("status", "dp:epsilon=1"))
        self.run_on("spend", "dp:epsilon=1")
        self.run_on("spend", "dp:epsilon=1e-15", status=4)
        self.refused("ledger", "status", self.file, "gaussian:sigma=1e300", says=["sensitivity / sigma"])
        self.refused("ledger", "spend", self.file, "gaussian:sigma=1", says=["basic", "gaussian:sigma=1", "pure DP"])

    def test_a_pure_budget_takes_the_exponential_mechanism(self):
        self.run_on("init", "--epsilon", "2.1", "--delta", "0")
        for _ in range(3):
            self.run_on("spend", "exponential:epsilon=0.7")
        self.run_on("spend", "exponential:epsilon=1e-6", status=4)

    def test_what_loses_nothing_fits_in_a_full_budget(self):
        self.run_on("init", "--epsilon", "1", "--delta", "0")
        self.run_on("spend", "dp:epsilon=1")
        for nothing in ("dp:epsilon=0", "randomized-response:p=0.5", "randomized-response:p=0.25,k=4", "randomized-response:p=0.5,q=0.1"):
            self.assertEqual(self.answer_on("spend", nothing)["counted"]["upper"], 1, nothing)

    def test_answers_are_of_doubles_and_budgets_of_decimals(self):
        """Three times the double 0.1 are above the double 0.3; three tenths are not."""
        self.assertEqual(self.answer("calibrate", "--rho", "0.3", "zcdp:rho=0.1,count=?")["value"], 2)
        self.assertEqual(self.answer("calibrate", "--rho", "0.375", "zcdp:rho=0.125,count=?")["value"], 3)
        self.run_on("init", "--rho", "0.3")
        self.run_on("spend", "zcdp:rho=0.1,count=3")
        self.run_on("spend", "zcdp:rho=1e-12", status=4)
        # The rho of this sigma is a quarter of a unit in the last place above the target.
        target, noise = "5.5555555555555535", "gaussian:sigma=0.30000000000000004"
        self.refused("calibrate", "--rho", target, f"{noise},count=?", says=("rho at most",))

    def test_a_pure_budget_has_room_for_tenths(self):
        # 10 * (1 / 10), which no double divides into: exactly 1
        self.run_on("init", "--epsilon", "1", "--delta", "0")
        self.assertIn("room: 1 more", self.run_on("status", "laplace:scale=1"))
        self.assertIn("room: 10 more", self.run_on("status", "laplace:scale=10"))
        for _ in range(10):
            self.run_on("spend", "laplace:scale=10")
        self.run_on("spend", "laplace:scale=1e15", status=4)

    def test_decimals_are_what_is_written(self):
        """A budget takes what adds up to it as it is written, though the double 0.1 is above 1/10; and nothing more."""
        for i, (budget, word, times, more) in enumerate([
            (["--epsilon", "1", "--delta", "0"], "dp:epsilon=0.1", 10, "dp:epsilon=1e-15"),
            (["--epsilon", "0.3", "--delta", "0"], "exponential:epsilon=0.1", 3, "dp:epsilon=1e-15"),
            (["--rho", "0.3"], "zcdp:rho=0.1", 3, "zcdp:rho=1e-12"),
            (["--rho", "0.3", "--filter", "gdp"], "gaussian:sigma=5,sensitivity=1", 15, "gaussian:sigma=1e15"),
            (["--mu", "0.1"], "gaussian:sigma=20", 4, "gaussian:sigma=1e15"),
            (["--epsilon", "1", "--delta", "1e-6", "--reserve", "1e-7"], "dp:epsilon=0.001,delta=1e-8", 10, "dp:epsilon=0,delta=1e-20"),
            (["--rho", "0.1", "--adjacency", "replace-one"], "discrete-gaussian:sigma=10,replace_sensitivity=1.41422", 10,
             "discrete-gaussian:sigma=1e5,replace_sensitivity=1.41422"),
            (["--rho", "0.0225", "--adjacency", "replace-one"], "gaussian:sigma=10,replace_sensitivity=1.5", 2, "gaussian:sigma=1e15"),
        ]):
            with self.subTest(budget=budget, word=word):
                file = f"{self.file}d{i}"
                self.answer("ledger", "init", file, *budget)
                self.assertEqual(self.answer("ledger", "status", file, word)["room"]["count"], times)
                for _ in range(times - 1):
                    self.answer("ledger", "spend", file, word)
                self.assertTrue(self.answer("ledger", "spend", file, word)["accepted"])
                counted = self.answer("ledger", "status", file)["counted"]
                self.assertEqual(counted["delta_upper"] if "--reserve" in budget else counted["left"], 1e-7 if "--reserve" in budget else 0)
                self.assertEqual(pld("ledger", "spend", file, more).returncode, 4)

    def test_what_is_written_never_exceeds_the_budget(self):
        """As exact fractions of the decimals, where the doubles next to them would fit once more."""
        for i, (budget, word) in enumerate([("2.9625431019", "0.00156169905213495"), ("4.472483", "0.00226454835443038")]):
            file = f"{self.file}{i}"
            self.answer("ledger", "init", file, "--epsilon", budget, "--delta", "0")
            room = self.answer("ledger", "status", file, f"dp:epsilon={word}")["room"]["count"]
            self.assertEqual(room, Fraction(budget) // Fraction(word))
        self.run_on("init", "--rho", "0.3")
        self.run_on("spend", "zcdp:rho=0.1,count=2")
        self.assertIn("rho <= 0.2, left 0.1\n", self.run_on("status"))
        self.assertIn("rho <= 0.3 of 0.3, by this 0.1\n", self.run_on("spend", "zcdp:rho=0.1"))

    def test_a_plan_of_decimals(self):
        told = self.answer("ledger", "init", self.file, "--kind", "planned", "--epsilon", "1", "--delta", "0", "dp:epsilon=0.1,count=10")
        self.assertEqual(told["kind"], "planned")
        self.refused("ledger", "init", self.file + "2", "--kind", "planned", "--epsilon", "1", "--delta", "0",
                     "dp:epsilon=0.1,count=10", "dp:epsilon=1e-9", says=["delta at epsilon 1"])

    def test_a_refused_plan_says_what_is_known_of_it(self):
        for plan, says in (("gaussian:sigma=1", "at least 0[.]1269"), ("zcdp:rho=0.5", r"known to be at most 0[.]\d{3,4} only"),
                           ("dp:epsilon=2", r"known to be at most 0[.]\d{3,4} only")):
            told = pld("ledger", "init", self.file, "--kind", "planned", "--epsilon", "1", "--delta", "1e-6", plan)
            self.assertRegex(told.stderr, f"plan: delta at epsilon 1 is {says}, but must be at most 1e-06\n")

    def test_status_says_whose_numbers_are_composed(self):
        for spend, exact, guaranteed in (("gaussian:sigma=90", True, None), ("zcdp:rho=1e-6", False, True), ("dp:epsilon=0.001", True, True)):
            file = self.file + spend[:4]
            pld("ledger", "init", file, "--epsilon", "1", "--delta", "1e-6", "--filter", "zcdp")
            pld("ledger", "spend", file, spend)
            for one in self.answer("ledger", "status", file)["composed"]:
                for found in (one["delta"], one["epsilon_at_delta"]):
                    self.assertEqual((found["exact"], found.get("only_guaranteed"), type(found["converged"])), (exact, guaranteed, bool), spend)

    def test_a_budget_that_promises_nothing(self):
        for words in ([], ["--kind", "planned", "gaussian:sigma=3"], ["--filter", "basic"]):
            self.refused("ledger", "init", self.file, "--epsilon", "1", "--delta", "1", *words, says=["budget: delta is 1, but must be", "< 1"])

    def test_room_is_counted_in_releases(self):
        self.run_on("init", "--rho", "1")
        for word in ("gaussian:sigma=20,count=5", "gaussian:sigma=20,steps=0", "gaussian:sigma=20,q=0.5,epochs=1"):
            self.refused("ledger", "status", self.file, word, says=["count is ", "left out: it is releases that room is counted in"])
        run = ("--dataset-size", "100", "--batch", "10", "--epochs", "3", "--sampler", "poisson")
        for words in (("gaussian:sigma=20,count=1",), ("gaussian:sigma=20", *run)):
            self.assertEqual(self.answer_on("status", *words)["room"]["count"], 800)

    @unittest.skipIf(os.geteuid() != 0, "only root becomes another user")
    def test_what_may_not_be_written_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            file = os.path.join(folder, "budget")
            self.answer("ledger", "init", file, "--rho", "1")
            for mode, said in ((0o666, "its folder may not be written to, where every change keeps a journal meanwhile"),
                               (0o444, "the file may not be written to")):
                os.chmod(file, mode)
                done = subprocess.run([os.environ["PLD"], "ledger", "spend", file, "gaussian:sigma=20"], user=65534, group=65534,
                                      extra_groups=[], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"pld: cannot write '{file}': {said}\n"))

    def test_room_for_more_than_is_counted(self):
        self.run_on("init", "--epsilon", "1", "--delta", "1e-6")
        self.assertIn("room: 1000000000000 or more of gaussian:sigma=1e9\n", self.run_on("status", "gaussian:sigma=1e9"))
        self.assertIn(" more of gaussian:sigma=10\n", self.run_on("status", "gaussian:sigma=10"))
        self.assertNotIn("or more", self.run_on("status", "gaussian:sigma=10"))

    def test_targets_and_filters(self):
        for i, (words, kind, room) in enumerate([
            (["--rho", "1"], "zcdp", 200), (["--mu", "1"], "gdp", 100), (["--rho", "1", "--filter", "gdp"], "gdp", 200),
            (["--rho", "1", "--epsilon", "1", "--delta", "1e-6"], "zcdp", None),
            (["--epsilon", "1", "--delta", "1e-6", "--epsilon", "2", "--delta", "1e-12"], "zcdp", None),
            (["--epsilon", "1", "--delta", "1e-6", "--filter", "renyi", "--order", "20"], "renyi", None),
        ]):
            file = f"{self.file}{i}"
            started = self.answer("ledger", "init", file, *words)
            self.assertEqual(started["filter"]["name"], kind)
            self.assertEqual(len(started["targets"]), sum(word in ("--rho", "--mu", "--delta") for word in words))
            found = self.answer("ledger", "status", file, "gaussian:sigma=10")["room"]["count"]
            if room is not None:
                self.assertEqual(found, room)
        # Sampled releases cost renyi less.
        sampled = "gaussian:sigma=4,q=0.01"
        self.assertEqual(self.answer("ledger", "status", self.file + "3", sampled)["room"]["count"], 0)
        self.assertGreater(self.answer("ledger", "status", self.file + "5", sampled)["room"]["count"], 100)
        # What is expected chooses: Gaussians alone gdp, sampled ones the best order of renyi, a pure budget basic.
        for i, (word, delta, kind) in enumerate([("gaussian:sigma=20", "1e-6", "gdp"), ("laplace:scale=20", "1e-6", "renyi"),
                                                 ("gaussian:sigma=1,q=0.001", "1e-6", "renyi"), ("laplace:scale=20", "0", "basic")]):
            chosen = self.answer("ledger", "init", f"{self.file}c{i}", "--epsilon", "1", "--delta", delta, word)["filter"]
            self.assertEqual(chosen["name"], kind)
            count = self.answer("ledger", "status", f"{self.file}c{i}", word)["room"]["count"]
            for other in ("zcdp", "gdp", "renyi") if word == "laplace:scale=20" and delta != "0" else ():
                file = f"{self.file}c{i}{other}"
                self.answer("ledger", "init", file, "--epsilon", "1", "--delta", delta, "--filter", other, word)
                self.assertLessEqual(self.answer("ledger", "status", file, word)["room"]["count"], count)
        other = self.file + "x"
        for words, *says in [
            ([], "no target"), (["--epsilon", "1"], "belong together"),
            (["--epsilon", "1", "--delta", "1e-6", "--epsilon", "2"], "as many"),
            (["--rho", "1", "--filter", "renyi"], "rho", "implies"), (["--mu", "1", "--filter", "zcdp"], "mu"),
            (["--epsilon", "1", "--delta", "0", "--filter", "zcdp"], "delta", "basic"), (["--rho", "0"], "rho is 0"),
            (["--rho", "nan"], "rho is 'nan'"), (["--rho", "1", "--order", "3"], "order"),
            (["--rho", "1", "--filter", "rdp"], "'rdp'", "basic, zcdp, renyi, gdp"), (["--rho", "1", "--filter", "zCPD"], "did you mean zcdp?"),
            (["--epsilon", "1", "--delta", "1e-6", "--reserve", "1e-5"], "reserve is 1e-05"),
            (["--rho", "1", "--kind", "planned", "--filter", "zcdp", "gaussian:sigma=3"], "adaptive budgets"),
        ]:
            self.refused("ledger", "init", other, *words, says=says)
            self.assertFalse(os.path.exists(other))

    def test_releases_with_a_delta(self):
        self.run_on("init", "--epsilon", "1", "--delta", "1e-6", "--reserve", "1e-7")
        self.run_on("spend", "dp:epsilon=0.01,delta=6e-8")
        self.assertIn("own deltas would add up", self.run_on("spend", "dp:epsilon=0.01,delta=6e-8", status=4))
        self.assertIn("own deltas <= 6e-08", self.run_on("status"))

    def test_tokens_names_notes_and_json(self):
        self.run_on("init", "--epsilon", "1", "--delta", "1e-6")
        words = ("gaussian:sigma=50", "--token", "job 7", "--name", "US", "--note", "red\x1b[31m\nline")
        first = self.run_on("spend", *words)
        self.assertTrue(first.startswith("spent: record 1\n"))
        self.assertEqual(self.run_on("spend", *words), first.replace("1\n", "1, by an earlier request with this token\n", 1))
        again = self.answer_on("spend", *words)
        self.assertEqual((again["id"], again["repeated"]), (1, True))
        self.refused("ledger", "spend", self.file, "gaussian:sigma=51", "--token", "job 7", says=["'job 7'", "record 1"])
        listed = self.run_on("list")
        self.assertEqual(listed.count("\n"), 1)
        self.assertIn("name US  note red\\x1b[31m\\x0aline  token job 7", listed)  # nothing for a terminal to obey
        record, = self.answer_on("list")["records"]
        del record["time"]
        self.assertEqual(record, {"id": 1, "spend": [{"type": "gaussian", "sigma": 50.0}], "standing": True, "name": "US",
                                  "note": "red\x1b[31m\nline", "token": "job 7", "counts": 0.0002})
        head = self.answer_on("status")["head"]
        self.assertEqual(self.answer_on("undo", "1"), {"id": 2, "undo": 1})
        undone = self.answer_on("status")
        self.assertNotEqual(undone["head"], head)
        self.assertEqual(self.answer_on("undo", "1"), {"id": 2, "undo": 1})  # the answer may have been lost
        self.assertEqual(self.run_on("undo", "1"), "undone: record 1, by record 2\n")
        self.assertEqual(self.answer_on("status"), undone)
        self.assertEqual([r.get("standing") for r in self.answer_on("list")["records"]], [False, None])
        self.refused("ledger", "spend", self.file, *words, says=["'job 7'", "undone"])
        self.refused("ledger", "undo", self.file, "2", says=["id is 2", "that of a spend"])
        self.refused("ledger", "undo", self.file, "x", says=["x"])

    def test_when_it_was(self):
        form = "%Y-%m-%dT%H:%M:%SZ"
        before = time.strftime(form, time.gmtime())
        self.run_on("init", "--epsilon", "1", "--delta", "1e-6")
        self.run_on("spend", "gaussian:sigma=50")
        self.run_on("undo", "1")
        after = time.strftime(form, time.gmtime())
        times = [record["time"] for record in self.answer_on("list")["records"]]
        self.assertEqual([before, *times, after], sorted([before, *times, after]))
        self.assertEqual(len(times), 2)
        self.assertIn(f"1  {times[0]}  spend, undone: gaussian:sigma=50", self.run_on("list"))
        # By another clock, of which the chain keeps what it said.
        with mock.patch.dict(os.environ, SOURCE_DATE_EPOCH="951782400"):
            self.run_on("spend", "gaussian:sigma=50")
        self.assertEqual(self.answer_on("list")["records"][2]["time"], "2000-02-29T00:00:00Z")
        text = self.run_on("export")
        self.assertIn('"time":"2000-02-29T00:00:00Z"', text)
        self.refused("ledger", "import", self.file + "2", self.ledger(text.replace("2000-02-29", "2000-03-01")), says=["line 4", "checksum"])
        for wrong in ("", "-1", "1e9", "253402300800"):
            with mock.patch.dict(os.environ, SOURCE_DATE_EPOCH=wrong):
                self.refused("ledger", "spend", self.file, "gaussian:sigma=50", says=[f"SOURCE_DATE_EPOCH is '{wrong}', but must be"])

    def test_records_of_older_versions_have_no_time(self):
        self.assertEqual(pld("ledger", "import", self.file, self.ledger(WITHOUT_TIMES)).returncode, 0)
        self.assertEqual(self.run_on("export"), WITHOUT_TIMES)
        self.assertEqual([record.get("time") for record in self.answer_on("list")["records"]], [None, None, None])
        self.assertEqual(self.answer_on("spend", "gaussian:sigma=50")["id"], 4)
        self.assertIn("1  spend, undone: gaussian:sigma=50", self.run_on("list"))
        # A link fits what it is of; a time of another form is no time.
        head, lines = "", []
        for line in WITHOUT_TIMES.splitlines():
            body = line[:-76].replace('"token"', '"time":"yesterday","token"') + "}"
            head = hashlib.sha256(f"{head}\n{body}".encode()).hexdigest()
            lines.append(f'{body[:-1]},"chain":"{head}"}}\n')
        self.refused("ledger", "import", self.file + "2", self.ledger("".join(lines)), says=["line 2", "time is of another form"])

    def test_a_composed_delta_below_doubles_is_told_by_its_logarithm(self):
        self.run_on("init", "--epsilon", "3", "--delta", "1e-6")
        self.run_on("spend", "gaussian:sigma=150")
        self.assertRegex(self.run_on("status"), r"composed: delta <= (exp\(-[0-9.]+\)) \(exact to \S+: exp\(-[0-9.]+\) \.\. \1\) at epsilon 3\n")

    def test_an_empty_budget(self):
        self.run_on("init", "--epsilon", "2", "--delta", "1e-6")
        status = self.run_on("status")
        self.assertIn("spent: 0 spends", status)
        self.assertIn("counted: rho <= 0, left 0.088", status)
        self.assertNotIn("-", status.replace("add-remove", "").replace("1e-06", ""))  # no negative epsilon
        self.assertEqual(self.answer_on("status")["composed"], [])

    def test_of_an_empty_budget_all_is_left(self):
        self.run_on("init", "--rho", "0.5")
        self.assertIn("counted: rho <= 0, left 0.5\n", self.run_on("status"))

    def test_export_and_import(self):
        self.run_on("init", "--epsilon", "1", "--delta", "1e-6")
        self.run_on("spend", "gaussian:sigma=50", "--token", "a")
        lines, copy = self.file + ".lines", self.file + ".copy"
        text = self.run_on("export")
        self.assertEqual([json.loads(line).get("id") for line in text.splitlines()], [None, 1, None])
        self.run_on("export", "--output", lines)
        with open(lines) as written:
            self.assertEqual(written.read(), text)
        # Anybody can check the chain: SHA-256 of the link before, a line end and the line without its link.
        head = ""
        for line in text.splitlines():
            body, chain = line[:-76] + "}", line[-66:-2]
            head = hashlib.sha256(f"{head}\n{body}".encode()).hexdigest()
            self.assertEqual(head, chain)
        self.assertEqual(pld("ledger", "import", copy, lines).returncode, 0)
        self.assertEqual(self.answer("ledger", "status", copy)["head"], self.answer_on("status")["head"])
        self.assertEqual(pld("ledger", "import", copy, lines).stderr, f"pld: '{copy}' exists already\n")
        self.assertRegex(pld("ledger", "import", "/no/such/place", lines).stderr, "^pld: cannot write '/no/such/place': ")
        self.refused("ledger", "import", copy + "0", lines, "--kind", "planned",
                     says=[f"{lines}: line 1: budget: version is 2, but must be 1, of before there were kinds of budgets: a later one says"])
        long = os.path.join(os.path.dirname(copy), 248 * "n")  # which no journal's name fits behind
        self.refused("ledger", "import", long, lines, says=["shorter name", "-journal"])
        self.refused("ledger", "init", long, "--rho", "1", says=["shorter name", "-journal"])
        self.assertFalse(os.path.exists(long))
        done = subprocess.run([os.environ["PLD"], "ledger", "import", copy + "2", "-"], input=text, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = subprocess.run([os.environ["PLD"], "ledger", "import", copy + "9", "-"], input="{}", capture_output=True, text=True)
        self.assertTrue(done.stderr.startswith("pld: standard input: line 1: "), done.stderr)
        for i, changed in enumerate(("\ufeff" + text, text.replace("\n", "\r\n"))):  # as mail and editors leave it
            done = subprocess.run([os.environ["PLD"], "ledger", "import", f"{copy}-{i}", "-"], input=changed.encode(), capture_output=True)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertEqual(self.answer("ledger", "status", f"{copy}-{i}")["head"], self.answer_on("status")["head"])
        bad = self.ledger(text.replace("50.0", "51.0"))
        self.refused("ledger", "import", copy + "3", bad, says=[bad, "line 2", "checksum"])
        self.assertFalse(os.path.exists(copy + "3"))
        self.refused("ledger", "import", copy + "3", "/dev/zero", says=["not a regular file"])
        # The text is named also where its message quotes what the ledger happens to be called.
        with tempfile.TemporaryDirectory() as folder:
            twice = self.ledger('{"id":1,"id":2}\n')
            done = subprocess.run([os.environ["PLD"], "ledger", "import", "id", twice, "--kind", "planned"], cwd=folder, capture_output=True, text=True)
            self.assertTrue(done.stderr.startswith(f"pld: {twice}: line 1, column 9: field 'id' is given twice"), done.stderr)
        self.refused("ledger", "import", copy + "3", "/no/such", says=["No such file"])

    def test_a_budget_of_older_versions(self):
        old = self.ledger('{"pld-budget":1,"epsilon":1,"delta":1e-06}\n{"spend":{"type":"gaussian","sigma":50.0}}\n')
        self.refused("ledger", "status", old, says=["import"])
        self.refused("ledger", "import", self.file, old, says=["line 1: ", "--kind planned or --kind adaptive for a budget of before there were kinds"])
        more = self.ledger('{"pld-budget":1,"epsilon":1,"delta":1e-06,"odd":1}\n')
        self.refused("ledger", "import", self.file, more, "--kind", "planned", says=[f"{more}: line 1, column 43: budget: field \"odd\" is not known"])
        self.run_on("import", old, "--kind", "adaptive", "--filter", "gdp")
        self.assertEqual(self.answer_on("status")["counted"]["exact"], "1/2500")
        planned = self.file + "p"
        self.assertEqual(pld("ledger", "import", planned, old, "--kind", "planned").returncode, 0)
        self.assertEqual(self.answer("ledger", "status", planned)["plan"], [{"mechanism": "gaussian:sigma=50", "planned": 1, "made": 1}])

    def answer(self, *words, status=0):
        """Of what was spent adaptively it is said that it is composed as if fixed in advance."""
        if "--ledger" not in words:
            return super().answer(*words, status=status)
        done = pld(*words, "--json")
        answer = json.loads(done.stdout)
        said = "is an adaptive budget, whose spends are composed here as if fixed in advance: of them only its target is proved, delta at epsilon "
        self.assertEqual((done.returncode, done.stderr.count(said)), (status, 1 if "assumed" in answer else 0), done.stderr)
        if "assumed" in answer:
            self.assertEqual(answer["assumed"], {"ledger": "fixed in advance"})
        return answer

    def test_of_adaptive_spends_only_the_target_is_proved(self):
        for kind in ("adaptive", "planned"):
            file = self.file + kind
            words = ("gaussian:sigma=50",)
            self.assertEqual(pld("ledger", "init", file, "--epsilon", "1", "--delta", "1e-6", "--kind", kind, *(words if kind == "planned" else ())).returncode, 0)
            self.assertEqual(pld("ledger", "spend", file, *words).returncode, 0)
            for query in (("epsilon", "--delta", "1e-6"), ("delta", "--epsilon", "1"), ("compare", "--delta", "1e-6", "--claim", "2"),
                          ("explain",), ("curve", "--range", "0:1:3"), ("calibrate", "--epsilon", "1", "--delta", "1e-6", "gaussian:sigma=?"),
                          ("audit", "--delta", "1e-6", "--true-positives", "2/5", "--false-positives", "1/5")):
                self.assertIs("assumed" in self.answer(*query, "--ledger", file), kind == "adaptive", query)

    def calibrated(self, *words, status=0):
        return self.answer("calibrate", "--ledger", self.file, *words, status=status)

    def test_the_number_that_a_filter_takes(self):
        self.run_on("init", "--epsilon", "1", "--delta", "1e-6")
        self.run_on("spend", "gaussian:sigma=20")
        cap = written(self.answer_on("status")["filter"]["cap"])
        count = self.calibrated("gaussian:sigma=30,count=?")
        self.assertEqual(count["value"], int((cap - Fraction(1, 800)) * 1800))  # rho of one is 1 / 1800
        self.assertEqual(count["next"]["value"], count["value"] + 1)
        noise = self.calibrated("gaussian:sigma=?")
        sigma, smaller = noise["value"], noise["next"]["value"]
        self.assertEqual(math.nextafter(sigma, 0), smaller)
        self.assertTrue(written(smaller) ** 2 < Fraction(1, 2) / (cap - Fraction(1, 800)) <= written(sigma) ** 2)
        self.assertEqual((noise["unknown"], noise["converged"], noise["chosen"]["takes"], noise["next"]["takes"]), ("sigma", True, True, False))
        self.assertEqual(noise["spend"], [{"type": "gaussian", "sigma": sigma}])
        self.assertEqual(noise["chosen"]["counted"]["cap"], float(cap))
        # What the composition would still take is less noise, and the filter refuses it.
        self.assertLess(self.answer("calibrate", "--epsilon", "1", "--delta", "1e-6", "--ledger", self.file, "gaussian:sigma=?")["value"], sigma)
        # The export is the same budget, and a person reads the same.
        export = self.ledger(self.run_on("export"))
        self.assertEqual(self.answer("calibrate", "--ledger", export, "gaussian:sigma=?")["value"], sigma)
        done = pld("calibrate", "--ledger", self.file, "gaussian:sigma=?")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, f"\\Asigma = {sigma!r} is accepted by the budget's filter\n    counted with it: rho <= \\S+ of {float(cap)!r}, by this ")
        self.assertIn(f"\nsigma = {smaller!r}, the next, is refused: rho would be ", done.stdout)
        self.assertIn("count = 1 is accepted", pld("calibrate", "--ledger", self.file, f"gaussian:sigma={sigma!r},count=?").stdout)
        # The budget itself agrees, in the words that were printed.
        self.run_on("spend", f"gaussian:sigma={smaller!r}", status=4)
        self.run_on("spend", f"gaussian:sigma={sigma!r}")

    def test_the_number_of_a_training_run_or_a_selection_that_a_filter_takes(self):
        self.run_on("init", "--epsilon", "3", "--delta", "1e-5", "--filter", "renyi", "--order", "8")
        run = ["--dataset-size", "50000", "--batch", "256", "--sampler", "poisson"]
        found = self.calibrated(*run, "--epochs", "20", "gaussian:noise_multiplier=?")
        self.assertEqual((found["unknown"], found["written"]), ("sigma", "noise_multiplier"))
        spend = [*run, "--epochs", "20"]
        self.run_on("spend", *spend, f"gaussian:noise_multiplier={found['next']['value']!r}", status=4)
        selected = self.calibrated("--tries", "geometric:mean=3", "laplace:scale=?")
        self.run_on("spend", "--tries", "geometric:mean=3", f"laplace:scale={selected['next']['value']!r}", status=4)
        self.run_on("spend", "--tries", "geometric:mean=3", f"laplace:scale={selected['value']!r}")
        self.run_on("undo", "1")
        self.run_on("spend", *spend, f"gaussian:noise_multiplier={found['value']!r}")
        self.run_on("undo", "3")
        done = pld("calibrate", "--ledger", self.file, "--dataset-size", "50000", "--batch", "256", "--epochs", "?", "gaussian:sigma=1", "--json")
        self.assertEqual((done.returncode, done.stderr.count("holds where each batch is a Poisson sample")), (0, 1))
        self.assertEqual(json.loads(done.stdout)["assumed"], {"sampler": "poisson"})

    def test_samples_that_count_in_full_are_said_to(self):
        self.run_on("init", "--epsilon", "3", "--delta", "1e-5")
        advice = "samples, as in DP-SGD, count in full here"
        self.assertIn(advice, pld("calibrate", "--ledger", self.file, "gaussian:sigma=?,q=0.01,count=100").stdout)
        self.assertNotIn(advice, pld("calibrate", "--ledger", self.file, "gaussian:sigma=?,count=100").stdout)

    def test_what_a_target_of_its_own_leaves_to_the_filter(self):
        self.run_on("init", "--epsilon", "1", "--delta", "1e-6")
        self.run_on("spend", "gaussian:sigma=20")
        words = ["calibrate", "--epsilon", "1", "--delta", "1e-6", "--ledger", self.file]
        done = pld(*words, "gaussian:sigma=?")
        finds = f"; `pld calibrate --ledger {self.file} 'gaussian:sigma=?'`, without a target, finds what it takes"
        self.assertRegex(done.stdout, "\nthe budget's filter, which decides what may be spent, refuses it: rho would be ")
        self.assertIn(finds, done.stdout)
        budget = self.answer(*words, "gaussian:sigma=?")["budget"]
        self.assertFalse(budget["takes"])
        self.assertGreater(budget["counted"]["upper"], budget["counted"]["cap"])
        less = ["calibrate", "--epsilon", "1", "--delta", "1e-9", "--ledger", self.file, "gaussian:sigma=?"]
        self.assertIn("decides what may be spent, takes it (rho <= 0.0", pld(*less).stdout)
        self.assertTrue(self.answer(*less)["budget"]["takes"])
        # What it can count for nothing at all is a reason too.
        self.assertIn("refuses it: filter zcdp: release is skellam", pld(*words, "skellam:variance=?").stdout)
        self.assertNotIn("budget", self.answer("calibrate", "--epsilon", "1", "--delta", "1e-6", "gaussian:sigma=?"))

    def test_calibration_to_a_budget_that_is_refused(self):
        planned, asked = self.file + "p", ["calibrate", "--ledger", self.file]
        self.assertEqual(pld("ledger", "init", planned, "--epsilon", "1", "--delta", "1e-6", "--kind", "planned", "gaussian:sigma=20").returncode, 0)
        self.refused("calibrate", "--ledger", planned, "gaussian:sigma=?", says=["budget is a planned one, whose releases were fixed when it was started", "--epsilon and --delta"])
        self.refused("calibrate", "gaussian:sigma=?", says=["no target: give --epsilon and --delta", "adaptive budget"])
        self.refused("calibrate", "--ledger", self.ledger('{"mechanisms": []}'), "gaussian:sigma=?", says=["no target"])
        self.run_on("init", "--epsilon", "1", "--delta", "1e-6")
        for words, says in ((["gaussian:sigma=20"], "no unknown"), (["skellam:variance=?"], "no rho of zCDP that is known"),
                            (["gaussian:sigma=0.1,count=?"], "refuses even the safest, count = 1: rho would be 50, of 0.0243"),
                            (["--group", "2", "gaussian:sigma=?"], "group is 1, but must be 2"),
                            (["--adjacency", "zero-out", "gaussian:sigma=?"], "adjacency is 'add-remove'"),
                            (["--direction", "add", "gaussian:sigma=?"], "--direction is add, but must be left out where no target is given"),
                            (["--tolerance", "1e-3", "gaussian:sigma=?"], "--tolerance"), (["--engine", "lattice", "gaussian:sigma=?"], "--engine"),
                            (["--epochs", "3", "gaussian:sigma=?", "laplace:scale=3"], "one mechanism")):
            self.refused(*asked, *words, says=[says])

    def test_what_to_do_where_samples_count_in_full(self):
        advice = "samples, as in DP-SGD, count in full here"
        run = "gaussian:noise_multiplier=1.1,q=0.005,steps=1000"
        self.assertIn(advice, self.run_on("init", "--epsilon", "3", "--delta", "1e-5"))
        refused = pld("ledger", "spend", self.file, run)
        self.assertEqual(refused.returncode, 4)
        self.assertIn(advice, refused.stdout)
        for more in (("--filter", "renyi", "--order", "8"), (run,)):
            file = self.file + str(len(more))
            self.assertNotIn(advice, pld("ledger", "init", file, "--epsilon", "3", "--delta", "1e-5", *more).stdout)
            self.assertEqual(pld("ledger", "spend", file, run).returncode, 0)

    def test_a_training_run_is_spent_in_the_words_of_queries(self):
        run = ("--dataset-size", "50000", "--batch", "256", "--epochs", "3")
        word = "gaussian:noise_multiplier=4"
        self.run_on("init", "--epsilon", "3", "--delta", "1e-5", "--filter", "renyi", "--order", "8")
        plain = self.answer_on("spend", "gaussian:sigma=4,q=256/50000,count=586")
        named = self.answer_on("spend", *run, "--sampler", "poisson", word)
        self.assertEqual((named["spend"], named["counted"]["by_this"]), (plain["spend"], plain["counted"]["by_this"]))
        fixed = self.answer_on("spend", *run, "--sampler", "fixed-size", word)
        self.assertEqual(fixed["spend"][0]["sampling"], {"without_replacement": 256 / 50000})
        room = lambda *words: self.answer_on("status", *words)["room"]
        self.assertEqual(room(*run, "--sampler", "poisson", word), room("gaussian:sigma=4,q=256/50000"))
        for words, status in ((("spend", self.file), 0), (("status", self.file), 0),
                              (("init", self.file + "q", "--epsilon", "9", "--delta", "1e-5", "--kind", "planned"), 0)):
            done = pld("ledger", *words, *run, word, "--json")
            self.assertEqual((done.returncode, done.stderr.count("holds where each batch is a Poisson sample")), (status, 1), done.stderr)
            self.assertEqual(json.loads(done.stdout)["assumed"], {"sampler": "poisson"})
        self.assertEqual(self.answer("ledger", "status", self.file + "q")["plan"], [{"mechanism": "gaussian:sigma=4,q=0.00512", "planned": 586, "made": 0}])
        for words, says in (((*run[:4], word), "ledger: --dataset-size, --batch and --epochs belong together"),
                            ((*run, word, word), "ledger: --dataset-size"), ((*run[:5], "?", word), "ledger: epochs is '?'"),
                            ((*run, "gaussian:sigma=4,q=0.1"), "leave those out"),
                            ((*run, "--sampler", "allocation", word), "a divisor of 50000")):
            self.refused("ledger", "spend", self.file, *words, says=[says])
        self.refused("ledger", "status", self.file, *run, says=["name one mechanism"])
        self.refused("ledger", "spend", self.file, "--dataset-size", "512", "--batch", "64", "--epochs", "3", "--sampler", "shuffled", word,
                     says=["zero-out or replace-one"])

    def test_shuffled_passes_are_charged_by_their_upper_end(self):
        # Whatever their order, a record is in one batch of a pass: 3 releases, rho 1/32 each. What neighbours attain is less.
        run = ("--dataset-size", "512", "--batch", "64", "--epochs", "3", "--sampler", "shuffled", "gaussian:noise_multiplier=4")
        whole = self.bracket("delta", "--epsilon", "1", "--adjacency", "zero-out", "gaussian:sigma=4,count=3")
        lower = self.bracket("delta", "--epsilon", "1", "--adjacency", "zero-out", *run)[0]
        self.assertLess(lower, whole[0] / 2)
        target = ("--epsilon", "1", "--delta", "1e-2", "--adjacency", "zero-out")
        for filter, cost in (("zcdp", 3 / 32), ("renyi", 3 * 8 / 32)):
            file = self.file + filter
            order = ("--order", "8") if filter == "renyi" else ()
            self.assertEqual(pld("ledger", "init", file, *target, "--filter", filter, *order).returncode, 0)
            spent = self.answer("ledger", "spend", file, *run)
            self.assertTrue(cost <= spent["counted"]["by_this"] <= cost * (1 + 1e-9), spent)
            self.assertGreaterEqual(self.answer("ledger", "status", file)["composed"][0]["delta"]["upper"], whole[0])
        # A plan within whose target the lower end lies, but not the upper.
        between = str((lower + whole[0]) / 2)
        planned = ("--kind", "planned", "--adjacency", "zero-out", "--epsilon", "1", "--delta")
        self.refused("ledger", "init", self.file + "p", *planned, between, *run, says=["delta"])
        self.assertEqual(pld("ledger", "init", self.file + "p", *planned, str(whole[2] * 1.01), *run).returncode, 0)

    def test_words_that_are_none(self):
        self.run_on("init", "--epsilon", "3", "--delta", "1e-5")
        self.refused("ledger", "spend", self.file, "gaussian:sigma=50", "--token", "", says=["token: is empty, but must be a name"])
        self.run_on("spend", "gaussian:sigma=50")
        for word in ("x", "1.5", "-1", "0x1", "01x", "99999999999999999999"):
            self.refused("ledger", "undo", self.file, word, says=[f"ledger: id is '{word}', but must be a record's number (see `pld ledger list`)"])
        self.run_on("undo", "0000000001")  # not octal

    def test_every_query_reads_it(self):
        self.run_on("init", "--epsilon", "3", "--delta", "1e-6", "--adjacency", "replace-one")
        for word in ("gaussian:sigma=20,count=3", "laplace:scale=40", "gaussian:sigma=9"):
            self.run_on("spend", word)
        self.run_on("undo", "3")
        lines = self.ledger(self.run_on("export"))
        named = ["--adjacency", "replace-one", "gaussian:sigma=20,count=3", "laplace:scale=40"]
        for words in (["epsilon", "--delta", "1e-6"], ["delta", "--epsilon", "1"]):
            want = self.bracket(*words, *named)
            for file in (self.file, lines):
                self.assertEqual(self.bracket(*words, "--ledger", file), want)
            with open(lines) as text:
                done = subprocess.run([os.environ["PLD"], *words, "--json", "--ledger", "-"], stdin=text, capture_output=True, text=True)
            self.assertEqual(json.loads(done.stdout)[words[0]]["upper"], want[2])
        for command in (["explain"], ["curve", "--range", "0:1:3"], ["compare", "--delta", "1e-6"]):
            self.assertEqual(pld(*command, "--ledger", self.file).returncode, 0, command)
        self.refused("epsilon", "--delta", "1e-6", "--adjacency", "zero-out", "--ledger", self.file, says=["replace-one", "zero-out"])

    def test_of_groups(self):
        self.assertIn("groups of 3", self.run_on("init", "--epsilon", "1", "--delta", "1e-6", "--group", "3"))
        self.run_on("spend", "gaussian:sigma=100")
        want = self.bracket("epsilon", "--delta", "1e-6", "--group", "3", "gaussian:sigma=100")
        copy = self.file + "2"
        self.assertEqual(pld("ledger", "import", copy, self.ledger(self.run_on("export"))).returncode, 0)
        for file in (self.file, copy):
            self.assertEqual(self.bracket("epsilon", "--delta", "1e-6", "--ledger", file), want)
        status = self.answer_on("status", "gaussian:sigma=100")
        self.assertEqual((status["group"], status["counted"]["exact"]), (3, "9/20000"))
        self.assertEqual(status["composed"][0]["epsilon_at_delta"]["upper"], want[2])
        self.assertEqual(status["room"]["count"], int((status["filter"]["cap"] - 9 / 20000) / (9 / 20000)))
        self.refused("epsilon", "--delta", "1e-6", "--group", "2", "--ledger", self.file, says=["group is 3", "must be 2"])
        planned = self.file + "3"
        words = ["--epsilon", "1", "--delta", "1e-6", "--kind", "planned", "--group", "2", "gaussian:sigma=6"]
        self.refused("ledger", "init", planned, *words, says=["delta at epsilon 1"])
        self.assertEqual(pld("ledger", "init", planned, *words[:-3], "gaussian:sigma=6").returncode, 0)

    def test_selections(self):
        tries = ["--tries", "geometric:mean=10"]
        self.run_on("init", "--epsilon", "3", "--delta", "1e-6", "--filter", "renyi", "--order", "12")
        self.run_on("spend", *tries, "gaussian:sigma=4", "laplace:scale=10")

        def bound(*words):
            return self.answer("epsilon", "--delta", "1e-6", *words)["epsilon"]["upper"]

        want = bound(*tries, "gaussian:sigma=4", "laplace:scale=10")
        for file in (self.file, self.ledger(self.run_on("export"))):
            self.assertEqual(bound("--ledger", file), want)
        self.assertIn("best of", self.run_on("list"))
        status = self.answer_on("status", *tries, "gaussian:sigma=40")
        self.assertEqual(status["composed"][0]["epsilon_at_delta"]["upper"], want)
        self.assertIn("best of", status["room"]["mechanism"])
        self.refused("ledger", "status", self.file, *tries, says=["--tries", "none is named"])
        self.refused("ledger", "spend", self.file, "--tries", "weekly:mean=3", "laplace:scale=10", says=["'weekly:mean=3'", "geometric"])
        planned = self.file + "2"
        self.assertEqual(pld("ledger", "init", planned, "--epsilon", "3", "--delta", "1e-6", "--kind", "planned", *tries, "gaussian:sigma=6").returncode, 0)
        self.assertEqual(pld("ledger", "spend", planned, "gaussian:sigma=6").returncode, 4)
        self.assertEqual(pld("ledger", "spend", planned, *tries, "gaussian:sigma=6").returncode, 0)
        # In a ledger of JSON a selection is one of its mechanisms.
        one = {"tries": "geometric:mean=10", "mechanisms": ["gaussian:sigma=4", "laplace:scale=10"]}
        self.assertEqual(bound("--ledger", self.ledger(json.dumps({"mechanisms": [one]}))), want)
        for wrong, says in (({**one, "mechanisms": []}, "empty"), ({**one, "type": "laplace"}, "type")):
            self.refused("epsilon", "--delta", "1e-6", "--ledger", self.ledger(json.dumps({"mechanisms": [wrong]})), says=[says])

    def test_a_name_without_a_folder(self):
        for name in ("here", "file:there?mode=memory", ":memory:", "-dash"):
            words = [os.environ["PLD"], "ledger", "init", "--epsilon", "1", "--delta", "1e-6", "--", name]
            done = subprocess.run(words, cwd=os.path.dirname(self.file), capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertTrue(os.path.isfile(os.path.join(os.path.dirname(self.file), name)), name)

    def test_refused(self):
        self.refused("ledger", "status", self.file, says=[self.file, "ledger init"])
        self.run_on("init", "--epsilon", "1", "--delta", "1e-6")
        self.refused("ledger", "init", self.file, "--epsilon", "1", "--delta", "1e-6", says=["exists"])
        self.refused("ledger", "spend", self.file, "gaussian:sigma=-1", says=["sigma is -1"])
        self.refused("ledger", "spend", self.file, "skellam:variance=100", says=["zcdp", "skellam", "rho"])
        self.refused("ledger", "init", "/no/such/folder", "--epsilon", "1", "--delta", "1e-6", says=["/no/such"])
        other = self.file + "2"
        self.refused("ledger", "init", other, "--epsilon", "1", "--delta", "2", says=["delta is 2"])
        self.refused("ledger", "init", other, "--epsilon", "-1", "--delta", "1e-6", says=["epsilon is -1"])
        self.refused("ledger", "init", other, "--epsilon", "nan", "--delta", "1e-6", says=["epsilon is 'nan'"])
        self.refused("ledger", "frob", self.file, says=["'frob'", "init, spend, status, list, undo, export, import"])
        self.refused("ledger", says=["ledger: command is missing"])
        self.refused("ledger", "spend", self.file, "gaussian:sigma=?", says=["sigma is '?'"])
        self.refused("ledger", "spend", self.file, says=["mechanism is required"])
        self.assertEqual(os.listdir(os.path.dirname(self.file)), ["budget"])  # no lock, no journal, no half a file

    def test_files_that_are_no_ledgers(self):
        folder = os.path.dirname(self.file)
        other_database = os.path.join(folder, "database")
        with contextlib.closing(sqlite3.connect(other_database)) as database:
            database.execute("CREATE TABLE record(id)")
        for name, text, *says in [(self.file, "", "is empty"), (self.file, "{}\n", "no budget"), (self.file, "x" * 5000, "no budget"),
                                  (other_database, None, "no budget"), (folder, None, "not a regular file"),
                                  ("/dev/zero", None, "not a regular file"), (os.path.join(folder, "no"), None, "does not exist", "ledger init")]:
            if text is not None:
                with open(name, "w") as file:
                    file.write(text)
            for command in (["status"], ["list"], ["export"], ["spend", "gaussian:sigma=9"], ["undo", "1"]):
                with self.subTest(name=name, command=command):
                    self.refused("ledger", command[0], name, *command[1:], says=[name, *says])


class Version(CommandTest):
    def test_version(self):
        good = {"version": 1, "mechanisms": [{"type": "gaussian", "sigma": 1}]}
        path = self.ledger(json.dumps(good))
        self.assertEqual(self.bracket("epsilon", "--delta", "1e-6", "--ledger", path),
                         self.bracket("epsilon", "--delta", "1e-6", "gaussian:sigma=1"))
        path = self.ledger(json.dumps({**good, "version": 2}))
        self.refused("epsilon", "--delta", "1e-6", "--ledger", path, says=["version is 2"])


if __name__ == "__main__":
    unittest.main()
