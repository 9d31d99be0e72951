"""docs/schemes.md and docs/groups.md say what the command prints; groups are the same by every door."""
import json
import math
import os
import pathlib
import re
import struct
import tempfile
import unittest

from command import CommandTest, number, pld

DOCS = pathlib.Path(__file__).parents[2] / "docs"


class Pages(unittest.TestCase):
    def check(self, rows):
        self.assertGreaterEqual(len(rows), 4)
        for words, answer in rows:
            with self.subTest(words):
                done = pld("epsilon", "--delta", "1e-5", "--digits", "5", *words.split())
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                # All of the number and of what is said of it: a shorter one would lie below the bound.
                self.assertRegex(done.stdout, "^" + re.escape(answer) + r"( \(exact[^)]*\))? at delta")

    def test_schemes(self):
        text = (DOCS / "schemes.md").read_text()
        rows = re.findall(r"^\|[^|]+\| `([^`]*gaussian:[^`]+)` \| `([^`]+)` \|$", text, re.M)
        self.assertGreaterEqual(len(rows), 7)
        self.check(rows)

    def test_groups(self):
        text = (DOCS / "groups.md").read_text()
        self.check(re.findall(r"^\| `(--group [^`]+)` \| `([^`]+)` \|$", text, re.M))

    def test_private_selection(self):
        text = (DOCS / "private_selection.md").read_text()
        self.check(re.findall(r"^\| `([^`]*gaussian:[^`]+)` \| `([^`]+)` \|$", text, re.M))


    def test_budgets(self):
        text = (DOCS / "budgets.md").read_text()
        rows = re.findall(r"^\| `([^`]+)` \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", text, re.M)
        self.assertEqual(len(rows), 3)
        target = ("--epsilon=1", "--delta=1e-6")
        with tempfile.TemporaryDirectory() as folder:
            for mechanism, composed, *rooms in rows:
                self.assertIn(f"count = {composed} meets", pld("calibrate", *target, f"{mechanism},count=?").stdout)
                for kind, room in zip(("gdp", "zcdp", "renyi"), rooms):
                    with self.subTest((kind, mechanism)):
                        path = os.path.join(folder, kind + mechanism)
                        self.assertEqual(pld("ledger", "init", path, *target, "--filter", kind, mechanism).returncode, 0)
                        self.assertIn(f"room: {room} more", pld("ledger", "status", path, mechanism).stdout)


class Groups(CommandTest):
    ledger = {"group": 3, "mechanisms": [{"type": "gaussian", "sigma": 10, "count": 100}]}

    def test_epochs_of_loud_noise_of_nearly_bounded_losses(self):
        """They are next to those of Laplace noise; an end of the losses where no outcome is a double never ended."""
        for words in ("allocation=10", "allocation=10,count=10", "allocation=4,participations=2,count=2", "allocation=2,passes=2"):
            near = self.bracket("epsilon", "--delta", "1e-5", "--tolerance", "1e-2", f"generalized:shape=1.0001,scale=1000,{words}")
            laplace = self.bracket("epsilon", "--delta", "1e-5", "--tolerance", "1e-2", f"laplace:scale=1000,{words}")
            self.assertAlmostEqual(near[2], laplace[2], delta=2e-3 * laplace[2])

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
                            (("--group=2", "exponential:epsilon=400"), "exponential:epsilon=400 in groups of 2: epsilon is 800, but"),
                            (("--group=3", "discrete-laplace:a=1,sensitivity=4e5"),
                             "discrete-laplace:a=1,sensitivity=400000 in groups of 3: sensitivity is 1.2e6, but"),
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
        ledger = {**self.one_run, "tries": "geometric:mean=10"}
        by_ledger = json.loads(pld("epsilon", "--delta=1e-6", "--ledger=-", "--json", stdin=json.dumps(ledger)).stdout)
        self.assertEqual(by_ledger["epsilon"], of_command["epsilon"])
        by_batch = json.loads(pld("batch", stdin=json.dumps({"query": "epsilon", "delta": 1e-6, **ledger})).stdout)
        self.assertEqual(by_batch["epsilon"], of_command["epsilon"])
        entry = {"tries": ledger["tries"], **self.one_run}
        self.assertEqual(of_command["mechanisms"], [entry])
        by_answer = json.loads(pld("epsilon", "--delta=1e-6", "--ledger=-", "--json", stdin=json.dumps({"mechanisms": of_command["mechanisms"]})).stdout)
        self.assertEqual(by_answer["epsilon"], of_command["epsilon"])
        one = self.answer("epsilon", "--delta=1e-6", "gaussian:sigma=8,count=10")
        self.assertGreater(number(of_command["epsilon"]["upper"]), number(one["epsilon"]["upper"]))

    def test_calibrates_the_run(self):
        found = self.answer("calibrate", "--epsilon=4", "--delta=1e-6", "--tries=geometric:mean=5", "--tolerance=1e-3",
                            "gaussian:sigma=?,count=10")
        best = self.answer("epsilon", "--delta=1e-6", "--tries=geometric:mean=5", f"gaussian:sigma={found['value']},count=10")
        self.assertLessEqual(number(best["epsilon"]["upper"]), 4.001)
        self.assertGreater(number(best["epsilon"]["upper"]), 3.95)

    def batch(self, **fields):
        """A line's answer."""
        return json.loads(pld("batch", stdin=json.dumps(fields)).stdout)

    def test_what_is_exported_is_one_release(self):
        words = ("--tries=geometric:mean=10", "gaussian:sigma=8,count=10", "laplace:scale=50")
        ledger = json.loads(pld("export", *words).stdout)
        self.assertEqual(ledger["mechanisms"], [{"tries": "geometric:mean=10", "mechanisms": [
            {"type": "gaussian", "sigma": 8, "count": 10}, {"type": "laplace", "scale": 50}]}])
        again = json.loads(pld("epsilon", "--delta=1e-6", "--json", "--ledger=-", stdin=json.dumps(ledger)).stdout)
        self.assertEqual(again["epsilon"], self.answer("epsilon", "--delta=1e-6", *words)["epsilon"])
        self.refused("export", "--tries=poisson:mean=1e9", "gaussian:sigma=8", says=["mean is 1e9, but must be from 1e-3 to 1e6"])

    def test_events_read_back(self):
        for tries, mean, shape in (("geometric:mean=10", 10, 1), ("negative-binomial:shape=0.5,gamma=1", 1, 0.5)):
            words = (f"--tries={tries}", "gaussian:sigma=8,count=10", "laplace:scale=50")
            event = json.loads(pld("export", "--dp-event", *words).stdout)
            self.assertEqual((event["class_name"], event["shape"]), ("RepeatAndSelectDpEvent", shape))
            self.assertTrue(mean <= event["mean"] <= mean * (1 + 3e-9))  # rounded up: more tries
            again = json.loads(pld("delta", "--epsilon=1", "--json", "--ledger=-", stdin=json.dumps(event)).stdout)["delta"]["upper"]
            upper = self.answer("delta", "--epsilon=1", *words)["delta"]["upper"]
            self.assertTrue(upper <= again <= upper * (1 + 1e-6), (upper, again))
        for tries in ("poisson:mean=10", "negative-binomial:shape=-0.5,gamma=0.1"):
            self.refused("export", "--dp-event", f"--tries={tries}", "gaussian:sigma=8", says=[f"tries are '{tries}'", "geometric"])

    def test_a_curve_of_epsilon(self):
        found = self.answer("curve", "--of=epsilon", "--against=sigma", "--delta=1e-6", "--range=6:10:3", "--tries=geometric:mean=10",
                            "gaussian:sigma=1,count=10")["compositions"][0]
        for i, sigma in enumerate((6, 8, 10)):
            one = self.answer("epsilon", "--delta=1e-6", "--tries=geometric:mean=10", "--tolerance=1e-3", f"gaussian:sigma={sigma},count=10")
            self.assertAlmostEqual(found["epsilon"]["upper"][i], one["epsilon"]["upper"], delta=2e-3 * one["epsilon"]["upper"])
        self.assertEqual((found["exact"], found["epsilon"]["lower"]), (False, [None] * 3))
        self.assertEqual(found["mechanisms"], [{"tries": "geometric:mean=10", "mechanisms": [{"type": "gaussian", "sigma": 10, "count": 10}]}])

    def test_a_selection_of_a_selection(self):
        inner = {"tries": "geometric:mean=2", "mechanisms": [{"type": "gaussian", "sigma": 20}, {"type": "laplace", "scale": 50}]}
        beside = {"tries": "geometric:mean=2", "mechanisms": inner["mechanisms"][:1]}
        for tried in ([inner], [beside, inner["mechanisms"][1]]):
            outer = {"tries": "poisson:mean=3", "mechanisms": tried}
            found = self.batch(query="epsilon", delta=1e-6, mechanisms=[outer])
            self.assertEqual(found["mechanisms"], [outer])
            self.assertIn("put out alone", pld("explain", "--ledger=-", stdin=json.dumps({"mechanisms": [outer]})).stdout)
        page = self.ledger(json.dumps({"mechanisms": [outer]})) + ".html"
        self.assertEqual(pld("explain", "--ledger", page[:-5], "--output", page).returncode, 0)
        with open(page, encoding="utf-8") as file:
            self.assertIn("--ledger FILE", file.read())  # no command line speaks of it

    def test_an_open_run_beside_other_releases(self):
        goal = {"query": "calibrate", "epsilon": 4, "delta": 1e-6, "tolerance": 1e-3}
        others = ["laplace:scale=20", {"type": "gaussian", "sigma": 30}]
        selection = {"tries": "geometric:mean=5", "mechanisms": ["gaussian:sigma=?,count=10", {"type": "laplace", "scale": 90}]}
        found = self.batch(**goal, mechanisms=[selection, *others])
        self.assertEqual((found["unknown"], found["mechanisms"][0]["mechanisms"][0]["sigma"]), ("sigma", "?"))
        again = self.batch(**goal, mechanisms=found["mechanisms"])
        self.assertEqual((again["value"], again["chosen"]), (found["value"], found["chosen"]))
        run = [f"gaussian:sigma={found['value']!r},count=10", selection["mechanisms"][1]]
        best = self.batch(query="epsilon", delta=1e-6, mechanisms=[{**selection, "mechanisms": run}, *others])
        self.assertLessEqual(best["epsilon"]["upper"], 4.001)
        self.assertGreater(best["epsilon"]["upper"], 3.9)
        # How often a selection is released, noise shared by a run and what is beside it, and an answer that says of what it is.
        often = self.batch(**goal, mechanisms=[{"tries": "geometric:mean=5", "mechanisms": ["gaussian:sigma=60"], "count": "?"}, *others])
        self.assertEqual((often["unknown"], often["value"] >= 1), ("count", True))
        shared = self.batch(**goal, mechanisms=[{**selection, "mechanisms": ["gaussian:sigma=?*2"]}, "gaussian:sigma=?"])
        self.assertEqual(shared["unknown"], "sigma")
        alone = self.answer("calibrate", "--epsilon=4", "--delta=1e-6", "--tolerance=1e-3", "--tries=geometric:mean=5", "gaussian:sigma=?,count=10")
        self.assertEqual(alone["mechanisms"], [{"tries": "geometric:mean=5", "mechanisms": [{"type": "gaussian", "sigma": "?", "count": 10}]}])
        for bad, told in (({"tries": "geometric:mean=?", "mechanisms": ["gaussian:sigma=8"]}, "must be known numbers"),
                          ({"tries": "geometric:mean=2", "mechanisms": ["gaussian:sgma=?"]}, "mechanisms[0].mechanisms[0]: gaussian"),
                          ({"tries": "geometric:mean=2", "mechanisms": ["gaussian:sigma=8"], "count": "?*2"}, "takes no factor"),
                          ({"tries": "geometric:mean=2", "mechanisms": []}, "one mechanism or more")):
            self.assertIn(told, self.batch(**goal, mechanisms=[bad, "gaussian:sigma=9"])["error"])

    def test_a_ledger_that_is_one_selection_is_one_release_at_every_door(self):
        ledger = self.ledger(json.dumps({"tries": "geometric:mean=10", **self.one_run}))
        entry = {"tries": "geometric:mean=10", "mechanisms": [{"type": "gaussian", "sigma": 8, "count": 10}]}
        self.assertEqual(json.loads(pld("export", "--ledger", ledger).stdout)["mechanisms"], [entry])
        found = self.answer("calibrate", "--epsilon=4", "--delta=1e-6", "--ledger", ledger, "gaussian:sigma=?")
        self.assertEqual(found["mechanisms"][1], entry)
        both = self.answer("epsilon", "--delta=1e-6", "--ledger", ledger, f"gaussian:sigma={found['value']!r}")
        self.assertLessEqual(both["epsilon"]["upper"], 4.0001)

    def test_refused(self):
        for tries, told in (("geometric:mean=0.5", "mean from 1"), ("poisson", "poisson:mean=M"),
                            ("poisson:mean=1,mean=2", "twice"), ("negative-binomial:shape=1", "shape"),
                            ("poisson:mean=nan", "mean"), ("negative-binomial:shape=-1,gamma=0.5", "shape is -1")):
            done = pld("epsilon", "--delta=1e-6", "--tries=" + tries, "gaussian:sigma=8")
            self.assertEqual((done.returncode, done.stdout), (2, ""), tries)
            self.assertIn(told, done.stderr)
        self.refused("calibrate", "--epsilon=1", "--delta=1e-6", "--tries=geometric:mean=?", "gaussian:sigma=8",
                     says=["tries is 'geometric:mean=?', but must be known numbers"])
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
                       event("ComposedDpEvent", events=[gaussian, event("PoissonSampledDpEvent", sampling_probability=0.5, event=gaussian)]),
                       event("SelfComposedDpEvent", event=laplace, count=2),
                       event("ComposedDpEvent", events=[event("SelfComposedDpEvent", event=laplace, count=2)])):
            self.refused(event("PoissonSampledDpEvent", sampling_probability=0.1, event=inside), "one sample")


class Refusals(CommandTest):
    """Each names the theorem that is missing and the nearest scheme that has one."""

    def test_schemes_without_a_theorem(self):
        for word, told in (("weighted=0.1", "Poisson samples at the largest"),
                           ("replacement=0.1", "batch= with dataset="),
                           ("data_dependent_batch_size=1", "the divisor tells who took part"),
                           ("normalised=0.1", "expected number")):
            done = pld("epsilon", "--delta=1e-5", "gaussian:sigma=1," + word)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("no theorem", done.stderr)
            self.assertIn(told, done.stderr)


class Matrices(CommandTest):
    def test_strategy_matrices(self):
        leaves = 8  # a complete binary tree: its nodes' sums
        rows = [[float(at >> level == node) for at in range(leaves)] for level in range(4) for node in range(leaves >> level)]
        with tempfile.TemporaryDirectory() as folder:
            def file(name, content):
                path = os.path.join(folder, name)
                with open(path, "wb") as out:
                    out.write(content)
                return path

            def npy(kind, by_columns, numbers, shape="(15, 8)"):
                heading = "{'descr': '<%s', 'fortran_order': %s, 'shape': %s, }\n" % (kind, by_columns, shape)
                code = {"f8": "d", "f4": "f", "b1": "?", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q"}[kind]
                numbers = numbers if kind[0] == "f" else [int(x) for x in numbers]
                return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(heading)) + heading.encode() + struct.pack(f"<{len(numbers)}{code}", *numbers)

            flat, turned = [x for row in rows for x in row], [row[i] for i in range(leaves) for row in rows]
            text = "".join(",".join(map(str, row)) + "\n" for row in rows)
            files = [file("c.csv", text.encode()), file("b.csv", text.encode("utf-8-sig")), file("d.csv", text.replace("\n", "\r\n").encode()), file("e.csv", text.encode() + b"\n\n"), file("c.npy", npy("f8", False, flat)),
                     file("t.npy", npy("f8", True, turned)), file("f.npy", npy("f4", False, flat))]
            files += [file(f"{kind}.npy", npy(kind, False, flat)) for kind in ("b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")]
            # By hand: columns (7, 7) and (7, -7) are orthogonal, so that one record in both moves the sums by 14.
            for kind in ("i1", "i2", "i4", "i8"):
                signed = file(f"signed_{kind}.npy", npy(kind, False, [7, 7, 7, -7], "(2, 2)"))
                found = self.bracket("epsilon", "--delta", "1e-6", f"gaussian:sigma=14,matrix={signed},participations=2")
                want = self.bracket("epsilon", "--delta", "1e-6", "gaussian:sigma=1")
                self.assertTrue(want[0] * (1 - 1e-12) <= found[2] <= want[2] * (1 + 1e-12), (kind, want, found))
            # By hand: two leaves 4 apart move the root by 2 and six other nodes by 1.
            want = self.bracket("epsilon", "--delta", "1e-6", f"gaussian:sigma=8,sensitivity={math.sqrt(10)}")
            for name in files:
                found = self.bracket("epsilon", "--delta", "1e-6", f"gaussian:sigma=8,matrix={name},participations=2,min_separation=4")
                self.assertTrue(want[0] * (1 - 1e-12) <= found[2] <= want[2] * (1 + 1e-12), (want, found))
            ledger = self.ledger(json.dumps({"mechanisms": [{"type": "gaussian", "sigma": 8, "matrix": files[0], "participations": 2, "min_separation": 4}]}))
            self.assertEqual(self.bracket("epsilon", "--delta", "1e-6", "--ledger", ledger), found)
            self.refused("epsilon", "--delta", "1e-6", "--no-files", "--ledger", ledger, says=["files are forbidden"])
            self.assertIs(self.answer("epsilon", "--delta", "1e-6", f"gaussian:sigma=8,matrix={files[0]},participations=2,min_separation=4")["exact"], True)
            # Three columns at 120 degrees: records of any dimension move it by sqrt(4.5), the bound is sqrt(6).
            apart = file("apart.csv", b"1,-0.5,-0.5\n0,0.8660254037844386,-0.8660254037844386\n")
            word = f"gaussian:sigma=8,matrix={apart},participations=3"
            for adjacency, moves in (("add-remove", 1), ("replace-one", 2)):
                true = self.bracket("epsilon", "--delta", "1e-6", f"gaussian:sigma=8,sensitivity={moves * math.sqrt(4.5)}")
                found = self.bracket("epsilon", "--delta", "1e-6", "--adjacency", adjacency, word)
                self.assertTrue(found[0] < true[0] < true[2] < found[2], (true, found))
            self.assertIs(self.answer("epsilon", "--delta", "1e-6", word)["exact"], False)
            judged = pld("compare", "--delta", "1e-6", "--claim", "1.3", word)  # above the truth, 1.1303
            self.assertEqual((judged.returncode, "undecided" in judged.stdout), (3, True), judged.stdout)
            ledger = self.ledger(pld("export", word).stdout)
            self.assertEqual(self.bracket("epsilon", "--delta", "1e-6", "--ledger", ledger), self.bracket("epsilon", "--delta", "1e-6", word))
            # Cyclic Poisson samples: bands and rounds are counted.
            banded = file("b.csv", b"3,0,0,0\n4,3,0,0\n0,4,3,0\n0,0,4,3\n")
            words = "gaussian:sigma=10,q=0.1,matrix={},min_separation={},count={}"
            self.assertEqual(self.bracket("epsilon", "--delta", "1e-6", "gaussian:sigma=2,q=0.1,count=2")[0],
                             self.bracket("epsilon", "--delta", "1e-6", "gaussian:sigma=10,sensitivity=5,q=0.1,count=2")[0])
            found = self.bracket("epsilon", "--delta", "1e-6", words.format(banded, 2, 2))
            self.assertAlmostEqual(found[2], self.bracket("epsilon", "--delta", "1e-6", "gaussian:sigma=2,q=0.1,count=2")[2], 9)
            self.assertIs(self.answer("epsilon", "--delta", "1e-6", words.format(banded, 2, 2))["exact"], True)
            # Of three steps the first part's records have columns of norms 5 and 3, the second's only one.
            cut = file("cut.csv", b"3,0,0\n4,3,0\n0,4,3\n")
            found = self.bracket("epsilon", "--delta", "1e-6", words.format(cut, 2, 2))
            least = self.bracket("epsilon", "--delta", "1e-6", "gaussian:sigma=10,sensitivity=3,q=0.1,count=2")
            truth = self.bracket("epsilon", "--delta", "1e-6", "gaussian:sigma=10,sensitivity=3,q=0.1", "gaussian:sigma=10,sensitivity=5,q=0.1")
            self.assertTrue(least[0] * (1 - 1e-9) <= found[0] < truth[0] < truth[2] < found[2], (least, truth, found))
            for word, says in [
                (words.format(banded, 1, 4), "no more bands"), (words.format(banded, 2, 3), "2 or a multiple"), (words.format(files[0], 8, 1), "lower triangular"),
                (f"gaussian:sigma=1,matrix={banded},allocation=4", "cyclic Poisson"), (f"gaussian:sigma=1,matrix={banded},batch=1,dataset=9", "cyclic Poisson"),
                (f"gaussian:sigma=1,sensitivity=2,matrix={banded}", "leave sensitivity out"), ("gaussian:sigma=1,min_separation=2", "matrix=FILE"),
                (f"gaussian:sigma=1,matrix={banded},participations=0", "participations is 0"), ("gaussian:sigma=1,matrix=/no/c.csv", "does not exist"),
                ("gaussian:sigma=1,matrix=c.txt", ".npy or .csv"), (f"gaussian:sigma=1,matrix={file('x.csv', b'1,x')}", "line 1"),
                (f"gaussian:sigma=1,matrix={file('y.csv', b'1,2' + bytes([10]) + b'3')}", "number of cells is 1"),
                (f"gaussian:sigma=1,matrix={file('e.csv', b'')}", "empty"), (f"gaussian:noise_multiplier=1,matrix={banded}", "a matrix has its own"),
                (f"gaussian:sigma=1,matrix={file('z.csv', b'0,0')}", "largest entry is 0"),
                (f"laplace:scale=1,matrix={banded}", "'matrix' is not known"),
                (f"gaussian:sigma=1,matrix={file('n.npy', npy('f8', False, [math.nan] * 120))}", "finite"),
                (f"gaussian:sigma=1,matrix={file('s.npy', npy('f8', False, flat, '(120,)'))}", "two dimensions"),
                (f"gaussian:sigma=1,matrix={file('h.npy', npy('f8', False, flat, '(16, 8)'))}", "two dimensions"),
                (f"gaussian:sigma=1,matrix={file('w.npy', npy('i8', False, [1, -2**53 - 1], '(1, 2)'))}", "whole numbers up to 2^53"),
                (f"gaussian:sigma=1,matrix={file('u.npy', npy('u8', False, [1, 2**64 - 1], '(1, 2)'))}", "whole numbers up to 2^53"),
                (f"gaussian:sigma=1,matrix={file('m.npy', b'NUMPY')}", "two dimensions")]:
                with self.subTest(word=word):
                    self.refused("epsilon", "--delta", "1e-6", word, says=[says])


if __name__ == "__main__":
    unittest.main()
