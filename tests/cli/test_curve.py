"""pld curve: numbers that hold the exact curve, and pictures that are there."""
import csv
import io
import json
import math
import os
import re
import tempfile
import unittest
import zlib
from decimal import Decimal as D

import exact
from command import CommandTest, number, pld, refuse_constant

SGD = "gaussian:sigma=0.8,q=0.005,count=1000"


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


class Curve(CommandTest):
    def curve(self, *words):
        done = pld("curve", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return done.stdout

    def file(self, ending):
        name = os.path.join(tempfile.mkdtemp(), "curve" + ending)
        self.addCleanup(lambda: os.path.exists(name) and os.unlink(name))
        return name

    def test_the_note_has_no_number_that_is_drawn_against(self):
        run = ("--dataset-size", "60000", "--batch", "512", "--epochs", "7", "gaussian:sigma=1")
        rate = "q = 0.008533333333333334"
        for against, numbers in (("noise_multiplier", rate + ", count = 821 (a loop over a data loader makes 826): "), ("epochs", rate + ": "),
                                 ("steps", rate + ": "), ("batch", "q = batch / dataset: "), ("rate", "")):
            low, high = ("0.01", "0.1") if against == "rate" else ("100", "500")
            done = pld("curve", "--of", "epsilon", "--against", against, "--delta", "1e-5", "--range", f"{low}:{high}:2", *run)
            self.assertEqual((done.returncode, done.stderr.split("holds where")[0]), (0, "pld: note: " + numbers), against)

    def test_profile_holds_the_gaussian(self):
        found = rows(self.curve("--range", "-1:4:11", "gaussian:sigma=2,count=4"))
        self.assertEqual([float(row["epsilon"]) for row in found], [-1 + 0.5 * i for i in range(11)])
        for row in found:
            truth = exact.gaussian(D(1), D(row["epsilon"]))
            self.assertTrue(D(row["lower"]) <= truth <= D(row["upper"]), row)
            self.assertLessEqual(float(row["upper"]) - float(row["lower"]), 1e-10 * float(row["upper"]))

    def test_many_kinds_share_few_pieces(self):
        # Where the work was spent each reading made one more, of all kinds: four times as long.
        kinds = [f"gaussian:sigma={i + 2},wor=0.0{10 + i},count={100 * i}" for i in range(1, 21)]
        kinds += [f"laplace:scale={9 * i + 20},q=0.1,count={1000 * i}" for i in range(1, 21)]
        kinds += [f"gaussian:sigma={i},allocation={7 * i},count={100 * i}" for i in (57, 37, 14)]
        before = os.times().children_user
        self.assertEqual(pld("curve", "--of", "tradeoff", *kinds).stderr.count("internal error"), 0)
        self.assertLess(os.times().children_user - before, 2.3)

    def test_wider_points_are_counted_and_the_first_is_named(self):
        for tolerance in (1e-13, 1e-16):  # one that some points meet, and one that few do
            done = pld("curve", "--json", "--range", "0:2:9", "--tolerance", repr(tolerance), "laplace:scale=1,count=3", SGD)
            found, said = json.loads(done.stdout)["compositions"], iter(done.stderr.splitlines())
            for one in found:
                log_delta = one["log_delta"]
                wide = [x for x, low, high in zip(one["epsilon"], log_delta["lower"], log_delta["upper"]) if number(high) - number(low) > tolerance]
                self.assertEqual(one["converged"], not wide)
                if wide:
                    line = next(said)
                    self.assertIn(f" at {len(wide)} point{'s, the first' if len(wide) > 1 else ','} epsilon ", line)
                    self.assertEqual(float(re.search(r"epsilon (\S+);", line)[1]), wide[0])
            self.assertEqual(list(said), [])
            self.assertEqual(done.returncode, 0 if all(one["converged"] for one in found) else 3)

    def test_lower_ends_are_null_only_where_nothing_is_known(self):
        """A logarithm of 0 is a delta of 1."""
        certain = ("--range", "0:1:2", "dp:epsilon=0,delta=1", "zcdp:rho=0.1")
        for words in (certain, ("--range", "0:1:2", "zcdp:rho=0.1")):
            one = json.loads(pld("curve", "--json", *words).stdout)["compositions"][0]
            self.assertEqual([low is None for low in one["delta"]["lower"]], [low is None for low in one["log_delta"]["lower"]])

    def test_profile_agrees_with_delta(self):
        words = (SGD, "laplace:scale=50,count=200")
        for row in rows(self.curve("--range", "0:4:3", *words)):
            lower, _, upper = self.bracket("delta", "--epsilon", row["epsilon"], *words)
            self.assertTrue(float(row["lower"]) <= upper and lower <= float(row["upper"]), row)

    def test_says_whose_the_lower_ends_of_guarantees_are(self):
        words = ("--range", "0:1:2", "zcdp:rho=0.1", "vs", "exponential:epsilon=1")
        self.assertEqual([row["only_guaranteed"] for row in rows(self.curve(*words))], ["true"] * 2 + ["false"] * 2)
        one, other = json.loads(self.curve("--json", *words))["compositions"]
        self.assertEqual((one.get("only_guaranteed"), other.get("only_guaranteed")), (True, None))
        self.assertNotIn("only_guaranteed", self.curve(*words[:2], words[-1]))

    def test_guarantees_are_no_internal_error(self):
        """Their converted pairs lose infinitely where real neighbours lose more than any finite loss of these."""
        for words in (["zcdp:rho=0.01"], ["--adjacency", "replace-one", "laplace:scale=3.5,count=20", "rdp:orders=2/4,epsilons=.02/.04"]):
            self.assertEqual(len(rows(self.curve("--range", "-0.25:0.5:2", *words))), 2)

    def test_trade_off_of_randomized_response(self):
        for row in rows(self.curve("--of", "tradeoff", "--range", "0:1:11", "randomized-response:p=0.75")):
            alpha = float(row["alpha"])
            beta = 1 - 3 * alpha if alpha <= 0.25 else (1 - alpha) / 3
            self.assertAlmostEqual(float(row["lower"]), beta, delta=1e-10)
            self.assertAlmostEqual(float(row["upper"]), beta, delta=1e-10)
            self.assertAlmostEqual(float(row["power_estimate"]), 1 - beta, delta=1e-10)

    def test_small_alphas_are_spaced_on_the_logarithmic_scale(self):
        found = rows(self.curve("--of", "tradeoff", "--range", "1e-12:1:13", "gaussian:sigma=1"))
        for i, row in enumerate(found):
            self.assertAlmostEqual(float(row["alpha"]) / 10 ** (i - 12), 1, delta=1e-9)
        self.assertAlmostEqual(float(found[0]["power_estimate"]), 7.97358010464e-10, delta=1e-20)

    def test_several_compositions(self):
        found = rows(self.curve("--range", "0:1:2", "gaussian:sigma=1", "vs", "gaussian:sigma=2", "laplace:scale=9"))
        self.assertEqual([row["composition"] for row in found], ["1", "1", "2", "2"])
        self.assertGreater(float(found[0]["lower"]), float(found[2]["upper"]))

    def test_json_has_the_same_numbers(self):
        words = ("--range", "0:2:3", "gaussian:sigma=1", "vs", "laplace:scale=1")
        table = rows(self.curve(*words))
        found = json.loads(self.curve(*words, "--json"), parse_constant=refuse_constant)
        self.assertEqual((found["of"], found["direction"]), ("profile", "worst"))
        self.assertEqual([c["name"] for c in found["compositions"]], ["gaussian:sigma=1", "laplace:scale=1"])
        self.assertEqual((found["asked_direction"], found["tolerance"]), ("worst", 1e-3))
        self.assertEqual([c["mechanisms"] for c in found["compositions"]],
                         [[{"type": "gaussian", "sigma": 1}], [{"type": "laplace", "scale": 1}]])
        for index, composition in enumerate(found["compositions"]):
            for i, upper in enumerate(composition["delta"]["upper"]):
                self.assertEqual(number(upper), float(table[3 * index + i]["upper"]))

    def test_json_is_printed_beside_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "beside.csv")
            printed = self.curve("--range", "0:2:3", "--output", name, "gaussian:sigma=1", "--json")
            self.assertEqual(printed, self.curve("--range", "0:2:3", "gaussian:sigma=1", "--json"))
            with open(name, encoding="utf-8") as file:
                self.assertEqual(file.read(), self.curve("--range", "0:2:3", "gaussian:sigma=1"))

    def test_files(self):
        for ending, begins in ((".csv", b"epsilon,lower"), (".json", b'{"query":"curve"'), (".png", b"\x89PNG\r\n"), (".svg", b"<?xml")):
            for of in ("profile", "tradeoff"):
                if ending == ".csv" and of == "tradeoff":
                    begins = b"alpha,lower"
                name = self.file(ending)
                self.assertEqual(self.curve("--of", of, "--output", name, SGD), "")
                with open(name, "rb") as file:
                    content = file.read()
                self.assertTrue(content.startswith(begins), (ending, content[:40]))
                self.assertGreater(len(content), 1000)

    def test_picture_names_what_it_shows(self):
        name = self.file(".svg")
        self.curve("--of", "tradeoff", "--output", name, SGD, "vs", "laplace:scale=10")
        with open(name, encoding="utf-8") as file:
            picture = file.read()
        for text in (SGD, "laplace:scale=10", "Gaussian, μ = 0.297", "type I error", "type II error", "no information"):
            self.assertIn(text, picture)
        self.curve("--no-reference", "--output", name, SGD)
        with open(name, encoding="utf-8") as file:
            picture = file.read()
        self.assertNotIn("Gaussian, μ", picture)
        self.assertIn("δ(ε)", picture)

    def is_pdf_of(self, pdf, title):
        """Its last table has its title where it says, and goes on to the table before."""
        self.assertTrue(pdf.startswith(b"%PDF"))
        self.assertEqual(pdf.count(b"CreationDate"), 0)  # of the same curves there is one file
        place = int(re.findall(rb"startxref\n(\d+)\n%%EOF\n$", pdf)[0])
        own, offset, before = re.match(rb"xref\n(\d+) 1\n(\d{10}) 00000 n \ntrailer\n<< .*/Prev (\d+) >>", pdf[place:]).groups()
        self.assertTrue(pdf[int(before):].startswith(b"xref\n0 " + own))
        self.assertIn(b"/Info " + own + b" 0 R", pdf[place:])
        digits = re.match(own + rb" 0 obj\n<< /Title <([0-9A-F]+)> >>", pdf[int(offset):]).group(1)
        self.assertEqual(bytes.fromhex(digits.decode()).decode("utf-16"), title)

    def test_a_pdf_has_the_font_s_size_in_print(self):
        name = self.file(".pdf")
        for font, points in ((), "8"), (("--font", "Helvetica,11"), "11"):
            self.curve("--of", "tradeoff", "--output", name, *font, "gaussian:sigma=2")
            with open(name, "rb") as file:
                streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", file.read(), re.S)
            text = b"".join(zlib.decompress(stream) for stream in streams if stream[:1] == b"\x78")
            self.assertEqual({size.decode() for size in re.findall(rb"([\d.]+) 0 0 -[\d.]+ [\d.]+ [\d.]+ Tm", text)}, {points})

    def test_epsilon_against_numbers_is_epsilon(self):
        words = {"steps": "gaussian:sigma=1,q=0.01,steps={}", "epochs": "gaussian:sigma=1,q=0.01,epochs={}",
                 "sigma": "gaussian:sigma={},q=0.01,steps=100", "q": "gaussian:sigma=1,q={},steps=100",
                 "noise_multiplier": "gaussian:noise_multiplier={},q=0.01,steps=100", "rate": "gaussian:sigma=1,wor={},steps=9",
                 "batch": "gaussian:sigma=1,sampler=poisson,batch={},dataset=50000,epochs=3"}
        ranges = {"steps": "100:300:3", "epochs": "1:3:3", "sigma": "1:2:3", "q": "0.01:0.02:3", "noise_multiplier": "1:2:3",
                  "rate": "0.01:0.02:3", "batch": "100:300:3"}
        for against, word in words.items():
            # What the mechanism says of that number itself is replaced, and may be left out.
            mechanism = word.format("1")
            found = rows(self.curve("--of", "epsilon", "--against", against, "--delta", "1e-5", "--range",
                                    ranges[against], mechanism))
            self.assertEqual(len(found), 3)
            for row in found:
                lower, _, upper = self.bracket("epsilon", "--delta", "1e-5", word.format(row[against]))
                self.assertTrue(float(row["lower"]) <= upper and lower <= float(row["upper"]), row)
        found = rows(self.curve("--of", "epsilon", "--against", "delta", "--range", "1e-9:1e-3:3", "gaussian:sigma=1"))
        for row in found:
            self.assertEqual(float(row["upper"]), self.bracket("epsilon", "--delta", row["delta"], "gaussian:sigma=1")[2])
        deltas = [float(row["delta"]) for row in rows(self.curve("--of", "epsilon", "--against", "delta", "--range", "5e-324:1e-2:5", "gaussian:sigma=1"))]
        self.assertEqual([round(math.log10(delta)) for delta in deltas], [-323, -243, -163, -82, -2])
        shared = rows(self.curve("--of", "epsilon", "--against", "noise", "--delta", "1e-5", "--range", "1:2:2",
                                 "gaussian:sigma=?*1", "gaussian:sigma=?*2", "laplace:scale=9"))
        lower, _, upper = self.bracket("epsilon", "--delta", "1e-5", "gaussian:sigma=2", "gaussian:sigma=4", "laplace:scale=9")
        self.assertTrue(float(shared[1]["lower"]) <= upper and lower <= float(shared[1]["upper"]))

    def test_points_that_a_few_digits_spell_are_those(self):
        """A table is read at delta 1e-10, not at 9.999999999999981e-11."""
        decades = [f"1e-{i}" for i in range(20, 0, -1)]
        found = rows(self.curve("--of", "epsilon", "--against", "delta", "--range", "1e-20:1e-1:20", "gaussian:sigma=1"))
        self.assertEqual([float(row["delta"]) for row in found], [float(decade) for decade in decades])
        lower, _, upper = self.bracket("epsilon", "--delta", "1e-10", "gaussian:sigma=1")
        self.assertTrue(float(found[10]["lower"]) <= upper and lower <= float(found[10]["upper"]), found[10])
        found = rows(self.curve("--range", "0:3:11", "gaussian:sigma=1"))
        self.assertEqual([row["epsilon"] for row in found], ["0", "0.3", "0.6", "0.9", "1.2", "1.5", "1.8", "2.1", "2.4", "2.7", "3"])
        found = rows(self.curve("--of", "tradeoff", "--range", "1e-3:1:4", "gaussian:sigma=1"))
        self.assertEqual([row["alpha"] for row in found], ["0.001", "0.01", "0.1", "1"])
        thirds = [float(row["epsilon"]) for row in rows(self.curve("--range", "0:1:4", "gaussian:sigma=1"))]
        self.assertEqual(thirds, [0, 1 / 3, 2 / 3, 1])  # no few digits spell these

    def test_epsilon_against_passes_is_at_whole_ones(self):
        of = ("--of", "epsilon", "--delta", "1e-5", "--adjacency", "zero-out", "--against")
        for sampling in ("allocation=20", "shuffled=20"):
            found = rows(self.curve(*of, "epochs", "--range", "1:4:3", f"gaussian:sigma=4,{sampling}"))
            self.assertEqual([row["epochs"] for row in found], ["1", "3", "4"])  # 2.5 passes have no theorem
            lower, _, upper = self.bracket("epsilon", "--delta", "1e-5", "--adjacency", "zero-out", f"gaussian:sigma=4,{sampling},count=3")
            self.assertTrue(float(found[1]["lower"]) <= upper and lower <= float(found[1]["upper"]), found[1])
            self.refused("curve", *of, "steps", "--range", "20:80:3", f"gaussian:sigma=4,{sampling}",
                         says=["steps is given, but must be left out where a release is a pass"])

    def test_epsilon_against_the_group(self):
        of = ("--of", "epsilon", "--against", "group", "--delta", "1e-5", "--range", "1:4:4")
        found = self.answer("curve", *of, "gaussian:sigma=20", "laplace:scale=60", "vs", "--tries", "geometric:mean=3", "gaussian:sigma=90")
        for curve, words in zip(found["compositions"], (["gaussian:sigma=20", "laplace:scale=60"], ["gaussian:sigma=90"])):
            self.assertEqual(curve["x"], [1, 2, 3, 4])
            for group, upper in zip(curve["x"], curve["epsilon"]["upper"]):
                want = self.answer("epsilon", "--delta", "1e-5", "--group", str(group), "--tries", "geometric:mean=3", *words)["epsilon"]["upper"]
                self.assertLessEqual(abs(upper / want - 1), 2e-3)
        self.assertEqual(found["compositions"][0]["group"], 4)
        self.assertEqual(found["compositions"][0]["name"], "best of geometric:mean=3 tries of gaussian:sigma=20 + laplace:scale=60")

    def test_x_is_called_what_it_is(self):
        words = ("--of", "epsilon", "--delta", "1e-5", "--range", "1:3:3", "--against")
        for against, mechanism, accepted in (
                ("sigma", ("gaussian:sigma=1", "laplace:scale=?"), "scale, the number written '?'"),
                ("scale", ("gaussian:sigma=?", "laplace:scale=1"), "sigma, the number"),
                ("noise", ("gaussian:sigma=?", "laplace:scale=1"), "sigma, the number"),
                ("sigma", ("gaussian:sigma=2,steps=?",), "steps, the number"),
                ("sigma", ("gaussian:sigma=?*2",), "no number's name"),
                ("sigma", ("gaussian:sigma=?", "vs", "gaussian:sigma=1", "laplace:scale=?"), "scale, the number")):
            self.refused("curve", *words, against, *mechanism, says=(f"against is '{against}'", accepted))
        for against, mechanism in (("noise_multiplier", "gaussian:sigma=?"), ("count", "gaussian:sigma=1,steps=?"), ("steps", "gaussian:sigma=1,count=?"),
                                   ("noise", "gaussian:sigma=?*2"), ("sigma", "gaussian:noise_multiplier=?")):
            self.assertEqual([row[against] for row in rows(self.curve(*words, against, mechanism, "laplace:scale=9"))], ["1", "2", "3"])
        words = ("--of", "epsilon", "--delta", "1e-5", "--against", "rate", "--range", "0.1:0.2:2")
        self.assertEqual(len(rows(self.curve(*words, "gaussian:sigma=1,q=?", "laplace:scale=9"))), 2)

    def test_whole_numbers_stay_within_the_range(self):
        words = ("--of", "epsilon", "--against", "steps", "--delta", "1e-5", "gaussian:sigma=2", "--range")
        for given, found in (("1:3.5:4", "123"), ("1.4:3.6:4", "23"), ("1:3:3", "123"), ("1.5:2.2:5", "2")):
            self.assertEqual([row["steps"] for row in rows(self.curve(*words, given))], list(found), given)
        self.refused("curve", *words, "1.2:1.8:3", says=("range is '1.2:1.8:3'", "whole number"))

    def test_a_trade_off_is_exact_where_a_test_attains_it(self):
        """In the worst direction between the convex envelope, which no test beats, and the better direction's best test."""
        found = {}
        for direction in ("worst", "remove", "add"):
            done = self.answer("curve", "--of", "tradeoff", "--range", "0:1:11", "--direction", direction, "mass-table:p=.5/.5,q=.05/.95")
            found[direction] = done["compositions"][0]
        self.assertEqual([found[one]["exact"] for one in ("worst", "remove", "add")], [False, True, True])
        one = {direction: {end: found[direction]["power"][end][1] for end in ("lower", "upper")} for direction in found}
        self.assertAlmostEqual(one["worst"]["upper"], 0.55, delta=1e-4)
        self.assertAlmostEqual(one["remove"]["upper"], 0.5 + 0.05 * 0.5 / 0.95, delta=1e-4)
        self.assertAlmostEqual(one["add"]["upper"], 0.19, delta=1e-4)
        self.assertTrue(one["worst"]["lower"] <= one["remove"]["upper"])
        symmetric = self.answer("curve", "--of", "tradeoff", "--range", "0:1:3", "gaussian:sigma=1")
        self.assertTrue(symmetric["compositions"][0]["exact"])

    def picture(self, *words):
        name = self.file(".svg")
        self.curve(*words, "--output", name)
        with open(name, encoding="utf-8") as file:
            return file.read()

    def test_pictures_of_epsilon(self):
        name = self.file(".pdf")
        words = ("--of", "epsilon", "--against", "steps", "--delta", "1e-5", "--range", "1:100:3", "--title", "A title",
                 "--name", "one", "--name", "other", "gaussian:sigma=2", "vs", "gaussian:sigma=3")
        self.curve(*words, "--output", name)
        with open(name, "rb") as file:
            self.is_pdf_of(file.read(), "A title")
        self.curve(*words[:8], "--title", "Größe (ε) 𝔓", "--output", name, "gaussian:sigma=2")
        with open(name, "rb") as file:
            self.is_pdf_of(file.read(), "Größe (ε) 𝔓")
        picture = self.picture(*words, "--size", "5x3", "--font", "Times,9")
        for text in ("A title", ">one<", ">other<", ">steps<", "ε at δ = 1e-05", "narrower than the lines", "Times",
                     'width="750" height="450"'):
            self.assertIn(text, picture)

    def test_every_decade_has_a_mark(self):
        """Labels two decades apart leave the decade between a mark, and no marks at 2 to 9."""
        import re
        picture = self.picture("--range", "0:5:50", "--no-reference", SGD)
        labels = sorted({int(n) for n in re.findall(r"10</tspan><tspan[^>]*>\s*(-?\d+)", picture)})
        self.assertGreater(len(labels), 3)
        self.assertEqual({b - a for a, b in zip(labels, labels[1:])}, {2})

    def test_kinks_are_at_their_places(self):
        """Of p = .75, f bends at alpha = 1/4: the line through 12 points has a thirteenth there."""
        picture = self.picture("--of", "tradeoff", "--range", "0:1:12", "--no-reference", "randomized-response:p=0.75")
        import re
        line = re.search(r"<title>randomized-response.*?<path[^>]*d='([^']*)'", picture, re.S).group(1)
        corners = [tuple(map(float, p.split(","))) for p in re.findall(r"[\d.]+,[\d.]+", line.split("M")[2])]
        self.assertEqual(len(corners), 13)
        (left, top), (right, bottom) = corners[0], corners[-1]
        kink = min(corners, key=lambda at: abs((at[0] - left) / (right - left) - 0.25))
        self.assertAlmostEqual((kink[0] - left) / (right - left), 0.25, delta=1e-4)
        self.assertAlmostEqual((bottom - kink[1]) / (bottom - top), 0.25, delta=1e-4)

    def test_long_legends_are_broken_and_take_their_room(self):
        long = ["laplace:scale=%d" % i for i in range(50, 70)]
        picture = self.picture("--range", "0:1:3", "--no-reference", *long)
        import re
        self.assertGreater(int(re.search(r'height="(\d+)"', picture).group(1)), 600)
        self.assertLess(max(len(text) for text in re.findall(r">([^<>]*laplace[^<>]*)<", picture)), 140)

    def test_legends_of_narrow_pictures_leave_room(self):
        import re
        words = ("gaussian:noise_multiplier=1.1,q=256/60000,steps=14000", "vs", "laplace:scale=20,count=30", "discrete-gaussian:sigma=10,count=50",
                 "vs", "gaussian:sigma=1,q=0.01,count=1000")

        def plot_height(picture):
            """Of all, by the axes' grid."""
            lines = re.findall(r"class=\"gridline\"[^>]*d='([^']*)'", picture)
            places = [float(y) for line in lines for y in re.findall(r"[\d.]+,([\d.]+)", line)]
            return (max(places) - min(places)) / float(re.search(r'height="(\d+)"', picture).group(1))
        for kind in (("--of", "profile"), ("--of", "tradeoff")):
            narrow = self.picture(*kind, "--size", "3.25x2.2", *words)
            self.assertGreater(plot_height(narrow), 0.33)
            self.assertIn("count=1000", "".join(re.findall(r">([^<>]*)<", narrow)))  # nothing is cut off
            self.assertNotIn("narrower than", narrow)
        # Of a width alone the height is as much as it takes.
        grown = self.picture("--size", "3.25", *words)
        self.assertGreater(plot_height(grown), 0.4)
        self.assertIn("narrower than", self.picture("--size", "6x4", *words))

    def test_a_gaussian_needs_no_reference(self):
        self.assertNotIn("μ =", self.picture("--range", "0:1:3", "gaussian:sigma=1"))

    def test_default_range_ends_where_delta_is_tiny(self):
        last = rows(self.curve(SGD))[-1]
        self.assertLessEqual(float(last["upper"]), 1e-10)
        self.assertGreaterEqual(float(last["lower"]), 1e-13)
        self.curve("dp:epsilon=0.5,delta=0.01")  # an infinite epsilon at 1e-10

    def test_refusals(self):
        self.refused("curve", "--range", "-1e308:1e308:3", "gaussian:sigma=1", says=("range is '-1e308:1e308:3'", "HI must be no more than"))
        self.refused("curve", says=("no mechanism",))
        self.refused("curve", "gaussian:sigma=1", "vs", says=("no mechanism",))
        self.refused("curve", "--of", "roc", "gaussian:sigma=1", says=("roc", "profile, tradeoff, epsilon"))
        self.refused("curve", "--output", "a.eps", "gaussian:sigma=1", says=("a.eps", ".png or .pdf"))
        self.refused("curve", "--of", "epsilon", "gaussian:sigma=1", says=("--against",))
        self.refused("curve", "--of", "epsilon", "--against", "steps", "gaussian:sigma=1", says=("--delta",))
        self.refused("curve", "--of", "epsilon", "--against", "q", "--delta", "1e-6", "--range", "0.1:0.2:2",
                     "gaussian:sigma=1", "laplace:scale=1", says=("several mechanisms", "?"))
        self.refused("curve", "--of", "epsilon", "--against", "noise", "--delta", "1e-6", "--range", "1:2:2",
                     "gaussian:sigma=1", says=("noise", "one of"))
        self.refused("curve", "--name", "a", "--name", "b", "gaussian:sigma=1", says=("name", "at most once"))
        of_epsilon = ("--of", "epsilon", "--delta", "1e-5", "gaussian:sigma=1", "--range", "0:1:3", "--against")
        self.refused("curve", *of_epsilon, "noise_multiplier", says=("at noise_multiplier 0 of --range: gaussian: sigma is 0, but must be > 0",))
        self.refused("curve", "--of", "epsilon", "--against", "delta", "--range", "0:2:3", "gaussian:sigma=1",
                     says=("range is '0:2:3'", "within 0 and 1, as every delta"))
        against_group = ("--of", "epsilon", "--against", "group", "--delta", "1e-5")
        self.refused("curve", *against_group, "--range", "0:3:4", "gaussian:sigma=9", says=("at group 0 of --range: ", "group"))
        self.refused("curve", *against_group, "--range", "1:3:3", "--group", "2", "gaussian:sigma=9", says=("group is 2, but is what epsilon is drawn against",))
        self.refused("curve", *against_group, "--range", "1:3:3", "gaussian:sigma=?", says=("is not what epsilon is drawn against, group",))
        self.refused("curve", *against_group, "gaussian:sigma=9", says=("--range LO:HI:N is required",))
        self.refused("curve", "--size", "6x", "--output", "a.svg", "gaussian:sigma=1", says=("height", "''"))
        self.refused("curve", "--size", "0", "--output", "a.svg", "gaussian:sigma=1", says=("width is '0'",))
        for look in (("--title", "x"), ("--font", "Times"), ("--size", "3"), ("--y-range", "0:1"), ("--no-reference",)):
            for words in ((), ("--json",), ("--output", "a.csv")):
                self.refused("curve", *look, *words, "gaussian:sigma=1", says=(f"{look[0]} is of a picture: name one by --output FILE.svg, .png or .pdf",))
        self.refused("curve", "--x-axis", "lin", "gaussian:sigma=1", says=("x-axis", "did you mean linear?"))
        for bad in ("1:2", "2:1:5", "0:1:1", "0:1:2.5", "x:1:5", "0:1:5:6", "0:inf:5", "0:1:1e9"):
            self.refused("curve", "--range", bad, "gaussian:sigma=1", says=("range",))
        self.refused("curve", "--of", "tradeoff", "--range", "0:2:5", "gaussian:sigma=1", says=("range", "0 and 1"))
        self.refused("curve", "--output", "/nonexistent/a.csv", "gaussian:sigma=1", says=("/nonexistent/a.csv",))


if __name__ == "__main__":
    unittest.main()
