"""pld explain: the page says what the other commands say."""
import html
import html.parser
import json
import math
import os
import re
import tempfile
import unittest

from command import CommandTest, number, pld

SGD = "gaussian:sigma=0.8,q=0.005,count=1000"
LAPLACE = "laplace:scale=50,count=200"


class Wellformed(html.parser.HTMLParser):
    """Every element is closed, in order."""

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attributes):
        if tag not in ("meta", "link"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()


class Explain(CommandTest):
    def middle(self, bracket):
        self.assertLessEqual(number(bracket["lower"]), number(bracket["upper"]))
        return number(bracket["estimate"])

    def test_ends_that_are_the_input_are_printed_as_it(self):
        for words, says in (("zcdp:rho=2.56", "rho of zCDP +<= 2[.]560\n"), ("zcdp:rho=0.2", "rho of zCDP +<= 0[.]2000\n"),
                            ("gaussian:sigma=1,count=0", "wrong at even odds +>= 50[.]0 %")):
            self.assertRegex(pld("explain", words).stdout, says)
        self.assertIn("some mechanism with the guarantee >= ", pld("explain", "zcdp:rho=2.56").stdout)

    def test_a_guarantee_is_called_an_upper_bound_by_text_and_page(self):
        for guarantee in ("dp:epsilon=1,delta=1e-9", "zcdp:rho=0.1"):
            page = pld("explain", guarantee).stdout
            self.assertIn("Smallest epsilon (an upper bound: what a guarantee allows, of which a mechanism may lose less)\n", page)
            self.assertNotIn("exact", page)
            self.assertRegex(page, "delta 1e-06 +<= [0-9.]+ +some mechanism with the guarantee >= [0-9.]+; engine")
        self.assertIn("Smallest epsilon (exact, rounded up)\n", pld("explain", "laplace:scale=1").stdout)

    def test_gaussian_equals_its_closed_forms(self):
        found = self.answer("explain", "gaussian:sigma=2")
        normal = lambda x: 0.5 * math.erfc(-x / math.sqrt(2))
        self.assertAlmostEqual(self.middle(found["advantage"]), 2 * normal(0.25) - 1, delta=1e-10)
        self.assertAlmostEqual(self.middle(found["bayes_error"]), normal(-0.25), delta=1e-10)
        self.assertAlmostEqual(self.middle(found["zcdp_rho"]), 0.125, delta=1e-3)
        self.assertAlmostEqual(self.middle(found["gaussian"]["smallest_mu"]), 0.5, delta=1e-6)
        self.assertAlmostEqual(self.middle(found["central_limit"]["mu"]), 0.5, delta=1e-9)
        self.assertEqual(found["shares"], [])

    def test_says_what_epsilon_says(self):
        found = self.answer("explain", SGD, LAPLACE)
        for entry in found["epsilons"]:
            lower, _, upper = self.bracket("epsilon", "--delta", repr(entry["delta"]), SGD, LAPLACE)
            self.assertTrue(number(entry["epsilon"]["lower"]) <= upper and lower <= number(entry["epsilon"]["upper"]))
        without = {share["mechanism"].split(":")[0]: share for share in found["shares"]}
        _, alone, _ = self.bracket("epsilon", "--delta", "1e-6", LAPLACE)
        self.assertAlmostEqual(self.middle(without["gaussian"]["epsilon_without"]), alone, delta=1e-3 * alone)
        whole = max(self.middle(found["directions"][d]) for d in ("remove", "add"))
        self.assertAlmostEqual(without["gaussian"]["share"], 1 - alone / whole, delta=1e-3)
        self.assertGreater(without["gaussian"]["share"], without["laplace"]["share"])
        _, advantage, _ = self.bracket("delta", "--epsilon", "0", SGD, LAPLACE)
        self.assertAlmostEqual(self.middle(found["advantage"]), advantage, delta=1e-3 * advantage)

    def test_rho_is_what_batch_says(self):
        found = self.answer("explain", "logistic:scale=3,count=3", "laplace:scale=2")
        asked = {"query": "rho", "mechanisms": found["mechanisms"]}
        self.assertEqual(json.loads(pld("batch", stdin=json.dumps(asked)).stdout)["rho"], found["zcdp_rho"])

    def test_a_title_is_of_a_page(self):
        self.refused("explain", "--title", "x", "gaussian:sigma=1", says=["--title is of the page that --output FILE.html writes"])

    def test_page(self):
        done = pld("explain", SGD, LAPLACE)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for text in ("delta 1e-06", "worst direction", "membership advantage", "1 % false", "mu down to delta 1e-10", "rho of zCDP",
                     "without it", "Poisson", "added or removed", "<= 2.27"):
            self.assertIn(text, done.stdout)
        lines = done.stdout.splitlines()
        self.assertLessEqual(len(lines), 60)
        self.assertLessEqual(max(map(len, lines)), 120)
        # Sampling is named only where there is any.
        self.assertNotIn("Poisson", pld("explain", "gaussian:sigma=2").stdout)

    def test_other_neighbours(self):
        for adjacency, says in (("replace-one", "replaced by another"), ("zero-out", "blanked out")):
            found = self.answer("explain", SGD, LAPLACE, "--adjacency", adjacency)
            for entry in found["epsilons"]:
                lower, _, upper = self.bracket("epsilon", "--delta", repr(entry["delta"]), SGD, LAPLACE, "--adjacency", adjacency)
                self.assertTrue(number(entry["epsilon"]["lower"]) <= upper and lower <= number(entry["epsilon"]["upper"]))
            _, alone, _ = self.bracket("epsilon", "--delta", "1e-6", LAPLACE, "--adjacency", adjacency)
            without = {share["mechanism"].split(":")[0]: share for share in found["shares"]}
            self.assertAlmostEqual(self.middle(without["gaussian"]["epsilon_without"]), alone, delta=1e-3 * alone)
            self.assertIn(says, pld("explain", SGD, LAPLACE, "--adjacency", adjacency).stdout)

    def test_asymmetric_noise_is_of_queries_that_a_record_only_raises(self):
        says = "a record only raises the query where its noise is not symmetric"
        for words in ("binomial:n=100,p=0.3", "poisson-difference:plus=3,minus=1,q=0.1", "integer-noise:masses=0.2/0.5/0.3,allocation=2"):
            self.assertTrue(any(one.startswith(says) for one in self.answer("explain", words)["assumptions"]), words)
        for words in ("binomial:n=100", "integer-noise:masses=0.2/0.6/0.2", "randomized-response:p=0.7,q=0.1"):
            self.assertFalse(any(one.startswith(says) for one in self.answer("explain", words)["assumptions"]), words)

    def test_shares_of_many(self):
        kinds = [f"laplace:scale={scale}" for scale in (10, 20, 30, 40, 50, 60)]
        kinds += ["gaussian:sigma=2,q=0.01,count=900", "gaussian:sigma=9", "randomized-response:p=0.6", "discrete-gaussian:sigma=8"]
        found = json.loads(pld("explain", "--json", *kinds).stdout)
        whole = json.loads(pld("epsilon", "--delta", "1e-6", "--json", *kinds).stdout)["epsilon"]["upper"]
        for entry in found["epsilons"]:  # each little work: as the command has it, not as the lattice of the shares does
            alone = json.loads(pld("epsilon", "--delta", repr(entry["delta"]), "--json", *kinds).stdout)
            self.assertEqual(entry["engine"], "contour")
            self.assertEqual([entry["epsilon"][end] for end in ("lower", "upper")], [alone["epsilon"][end] for end in ("lower", "upper")])
        self.assertEqual(len(found["shares"]), len(kinds))
        for share in found["shares"]:
            others = kinds[:share["place"]] + kinds[share["place"] + 1:]
            epsilon = json.loads(pld("epsilon", "--delta", "1e-6", "--json", *others).stdout)["epsilon"]
            without = share["epsilon_without"]
            self.assertGreaterEqual(without["upper"], epsilon["lower"])
            self.assertLessEqual(without["lower"], epsilon["upper"])
            self.assertLess(without["upper"], epsilon["upper"] * 1.003)
            self.assertAlmostEqual(share["share"], 1 - epsilon["upper"] / whole, delta=0.002)

    def test_nothing_less_costs_more(self):
        found = self.answer("explain", *(f"zcdp:rho={0.001 * i:g}" for i in range(1, 21)))
        at = next(entry for entry in found["epsilons"] if entry["delta"] == 1e-6)
        for share in found["shares"]:
            self.assertLessEqual(share["epsilon_without"]["upper"], at["epsilon"]["upper"])

    def test_rows_of_a_page_contradict_none(self):
        """Epsilon was more at 1e-5 than at 1e-6, and 0.1 % of false positives had 100 % of true ones where epsilon is 3.9."""
        done = pld("explain", "--json", "--group", "3", "discrete-laplace:a=1e-5,allocation=4,passes=3,count=1e9")
        page = json.loads(done.stdout)
        rows = [(row["delta"], number(row["epsilon"]["upper"])) for row in page["epsilons"]]
        self.assertEqual(rows, sorted(rows, reverse=True))
        self.assertEqual([epsilon for _, epsilon in rows], sorted(epsilon for _, epsilon in rows))
        for fpr, tpr in page["tpr_at_fpr"].items():
            for delta, epsilon in rows[:2]:
                self.assertLessEqual(tpr["upper"], (delta + math.exp(epsilon) * float(fpr)) * (1 + 1e-12))
        for one in page["directions"]["remove"], page["directions"]["add"]:
            self.assertLessEqual(one["upper"], dict(rows)[page["directions"]["delta"]])

    def test_a_page_takes_no_longer_than_some_answers(self):
        # Its work grew with the kinds, and laws on nodes were made finer for each number: half a minute.
        before = os.times().children_user
        found = self.answer("explain", *(f"gaussian:sigma={i + 1},allocation={20 + 10 * i}" for i in range(1, 21)), status=3)
        self.assertLess(os.times().children_user - before, 6)
        self.assertLess(number(found["epsilons"][0]["epsilon"]["upper"]), 0.5)

    def test_the_dearest_of_many_are_told(self):
        kinds = [f"gaussian:sigma={sigma}" for sigma in range(10, 40)]
        self.assertEqual(len(self.answer("explain", *kinds)["shares"]), 30)
        shares = re.search("What each mechanism costs.*\n((?:  .*\n)+)", pld("explain", *kinds).stdout)[1].splitlines()
        self.assertEqual([line.split()[0] for line in shares[:10]], kinds[:10])
        self.assertRegex(shares[10], "^  and 20 more, each +about [0-9.]+ % less at most$")
        self.assertEqual(len(shares), 11)

    def test_a_page_names_the_first_of_many_kinds(self):
        kinds = [f"gaussian:sigma={sigma},count=2" for sigma in range(10, 40)]
        def told(some):
            return re.search("^Composition\n((?:  .*\n)+)", pld("explain", *some).stdout)[1].splitlines()
        names = [f"  gaussian:sigma={sigma} x 2" for sigma in range(10, 40)]
        self.assertEqual(told(kinds[:20]), names[:20])
        self.assertEqual(told(kinds), names[:19] + ["  and 11 more kinds, 22 releases"])

    def test_a_replaced_record_has_no_direction(self):
        for words in (("explain",), ("epsilon", "--delta", "1e-6"), ("compare", "--delta", "1e-6")):
            for adjacency, says in (("add-remove", True), ("replace-one", False)):
                done = pld(*words, "--adjacency", adjacency, "gaussian:sigma=1,q=0.01,count=10")
                self.assertEqual(("direction" in done.stdout, done.stderr), (says, ""), (words, adjacency))

    def test_infinite_losses(self):
        found = self.answer("explain", "dp:epsilon=0.5,delta=0.01")
        self.assertEqual(number(found["epsilons"][0]["epsilon"]["lower"]), math.inf)
        self.assertEqual(number(found["zcdp_rho"]["lower"]), math.inf)
        self.assertEqual(pld("explain", "dp:epsilon=0.5,delta=0.01").returncode, 0)

    def html(self, *words):
        name = os.path.join(tempfile.mkdtemp(), "page.html")
        done = pld("explain", *words, "--output", name)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        with open(name, encoding="utf-8") as file:
            return file.read()

    def test_html_page(self):
        page = self.html(SGD, "--title", "R&D <1>")
        Wellformed().feed(page)
        for text in ("R&amp;D &lt;1&gt;", 'lang="en"', "width=device-width", "@media print", "ε at most 2.005", "What was released",
                     "Whom it protects", "What an attacker can do", "What it stands on", "What shuffling would change",
                     "200 batches", "worse than stated above", "How to check it", SGD):
            self.assertIn(text, page)
        self.assertEqual(page.count("<svg"), page.count("<desc"))
        self.assertNotIn("http", page.replace("http-equiv", ""))  # nothing from a network
        self.assertNotIn("<script", page)
        # Its numbers are those of the other answers, on the safe side.
        found = self.answer("explain", SGD)
        percent = float(re.search(r"at least ([\d.]+) %", page).group(1))
        self.assertLessEqual(percent, 100 * number(found["bayes_error"]["lower"]))
        self.assertNotRegex(self.html("laplace:scale=2"), r">0\.\d{5,}</text>")  # labels of axes are short
        self.assertIn("Nothing: no release", self.html("laplace:scale=2"))
        self.assertIn("replaced", self.html("laplace:scale=2", "--adjacency", "replace-one"))
        name = os.path.join(tempfile.mkdtemp(), "page.html")
        self.assertEqual(json.loads(pld("explain", "--json", "--output", name, SGD).stdout)["query"], "explain")
        self.assertTrue(os.path.exists(name))
        self.refused("explain", "--output", "page.pdf", SGD, says=("output", ".html"))

    def test_html_says_no_more_than_is_proved(self):
        # (epsilon, delta) limits probabilities: it gives no chance of delta that odds move further.
        page = self.html(SGD)
        for text in ("at most 7.42 times its probability without, plus 1e-06", "for some data it is at least 2.004", "fixed in advance",
                     "in which one record is blank"):
            self.assertIn(text, page)
        for text in ("hardly", "except with", "exception", "no better calculation", "even chance"):
            self.assertFalse(text in page, text)
        # Without a limit there is no promise, nor "for some data".
        endless = self.html("dp:epsilon=0.5,delta=0.01")
        for text in ("No finite ε", "keeps it, for these neighbours"):
            self.assertIn(text, endless)
        self.assertNotIn("In words: take any", endless)
        far = self.html("dp:epsilon=800")
        self.assertIn("e<sup>800.0</sup> times", far)

    def test_html_of_an_adaptive_budget(self):
        budget = os.path.join(tempfile.mkdtemp(), "budget")
        for words in (("init", budget, "--epsilon", "3", "--delta", "1e-6"), ("spend", budget, "gaussian:sigma=10")):
            self.assertEqual(pld("ledger", *words).returncode, 0)
        page = self.html("--ledger", budget)
        self.assertIn("adaptive budget", page)
        self.assertIn("delta at epsilon 3 at most 1e-06", page)
        self.assertIn("pld epsilon --delta 1e-06 --ledger FILE", page)
        self.assertNotIn("adaptive", self.html("gaussian:sigma=10"))

    def test_html_of_nothing(self):
        page = self.html("gaussian:sigma=1,count=0")
        self.assertIn("<p>Nothing.</p>", page)
        for text in ("pld epsilon", "Each release is a result"):
            self.assertNotIn(text, page)
        self.assertTrue(pld("explain", "gaussian:sigma=1,count=0").stdout.startswith("Composition\n  nothing is released\n"))

    def test_numbers_just_beyond_a_short_one_keep_near_it(self):
        page = self.html("randomized-response:p=0.75")
        for text in ("at least 24.9999 %", "at most 50.0001 %", "3.00001"):
            self.assertIn(text, page)
        self.assertRegex(pld("explain", "dp:epsilon=0.1,count=10").stdout, r"delta 0 \(pure DP\) +<= 1[.]00000001 ")

    def test_a_sampler_that_nobody_named_is_said_to_be_assumed(self):
        run = ("--dataset-size", "500", "--batch", "5", "--epochs", "1", "gaussian:sigma=2")
        said = "no sampler was named: that it is poisson is taken for granted"
        self.assertIn(said, pld("explain", *run).stdout)
        self.assertIn(said, self.html(*run))
        self.assertNotIn("no sampler", pld("explain", "--sampler", "poisson", *run).stdout)

    def test_directions_that_are_alike_are_not_told(self):
        alike, other = (pld("explain", words).stdout for words in ("gaussian:sigma=1", "gaussian:sigma=1,q=0.1"))
        self.assertNotIn("direction remove", alike)
        self.assertRegex(alike, "worst direction at delta 1e-06 +both alike")
        self.assertRegex(other, "delta 1e-05 .* direction remove, engine ")

    def test_html_names_its_neighbours(self):
        for words, says, not_said in (((), "in the data at all", "its content"), (("--adjacency", "replace-one"), "which of two contents it has", "at all"),
                                      (("--adjacency", "zero-out"), "its content or it is blank", "at all"),
                                      (("--group", "3"), "any 3 records together", "any one record")):
            page = self.html("laplace:scale=2", *words)
            self.assertTrue(says in page and not_said not in page, words)

    def test_no_mu_is_told_of_which_nothing_is_known(self):
        row = "largest that it is nowhere better than"
        self.assertNotIn(row, pld("explain", "--tries", "geometric:mean=10", "gaussian:sigma=1").stdout)
        self.assertIn(row, pld("explain", "gaussian:sigma=1").stdout)

    def test_html_of_a_selection(self):
        page = self.html("--tries", "poisson:mean=10", "gaussian:sigma=4,q=0.1,count=5", "laplace:scale=50")
        for text in ("put out alone", "with q=", "This ε is an upper bound: the truth may be smaller, never larger.",
                     "--tries poisson:mean=10 gaussian:sigma=4,q=0.1,count=5 laplace:scale=50"):
            self.assertIn(text, page)
        # The command that is printed asks for the same.
        command = html.unescape(re.search("<pre>pld (.*?)</pre>", page).group(1)).split()
        self.assertIn("ε at most 0.5051", page)
        self.assertAlmostEqual(self.answer(*command)["epsilon"]["upper"], 0.5051, delta=1e-4)
        # Of two releases, one of them a selection, no command line speaks.
        ledger = self.ledger('{"mechanisms":[{"tries":"geometric:mean=3","mechanisms":["laplace:scale=9"]},"laplace:scale=5"]}')
        mixed = self.html("--ledger", ledger)
        self.assertIn("--ledger FILE", mixed)
        self.assertIn("“Best of", mixed)

    def test_html_says_nothing_of_shuffling_that_was_not_worked_out(self):
        for words, says in (((SGD, LAPLACE), "By how much is not worked out"), ((SGD, "--group", "2"), "By how much is not worked out"),
                            (("gaussian:sigma=1,shuffled=100", "--adjacency", "zero-out"), "those of shuffled data")):
            self.assertIn(says, self.html(*words))

    def test_a_page_about_another_delta(self):
        word, delta = "gaussian:sigma=1,q=0.1,count=5", "3e-8"
        found = self.answer("explain", "--delta", delta, word, LAPLACE)
        self.assertEqual([row["delta"] for row in found["epsilons"]], [1e-5, 1e-6, 3e-8, 1e-9, 1e-12])
        self.assertEqual(found["directions"]["delta"], 3e-8)
        asked = found["epsilons"][2]["epsilon"]
        self.assertAlmostEqual(asked["upper"], self.bracket("epsilon", "--delta", delta, word, LAPLACE)[2], delta=1e-3 * asked["upper"])
        alone = self.bracket("epsilon", "--delta", delta, word)[2]
        self.assertAlmostEqual(next(s for s in found["shares"] if "laplace" in s["mechanism"])["epsilon_without"]["upper"], alone, delta=1e-3 * alone)
        text = pld("explain", "--delta", delta, word, LAPLACE).stdout
        for says in ("delta 3e-08 ", "worst direction at delta 3e-08", "epsilon at delta 3e-08 without it"):
            self.assertIn(says, text)
        page = self.html("--delta", delta, word)
        self.assertIn(f"pld epsilon --delta 3e-08 {word}", page)
        self.assertEqual(len(self.answer("explain", "--delta", "1e-9", word)["epsilons"]), 4)
        for bad in ("0", "1", "2", "nan", "x"):
            self.refused("explain", "--delta", bad, word, says=("delta",))

    def test_neighbours_attain_less_in_one_direction_than_a_symmetric_pair(self):
        words = ["--adjacency", "zero-out", "--delta", "1e-6", "--json", "gaussian:sigma=1,shuffled=196,count=30"]
        rows = json.loads(pld("explain", *words).stdout)["directions"]
        self.assertNotEqual(rows["remove"]["lower"], rows["add"]["lower"])
        for direction in ("remove", "add"):
            alone = json.loads(pld("epsilon", "--direction", direction, *words).stdout)["epsilon"]
            for end in ("lower", "upper"):
                self.assertAlmostEqual(rows[direction][end], alone[end], delta=1e-9 * alone[end])

    def test_refusals(self):
        self.refused("explain", "--delta", "0", "laplace:scale=2", says=["delta is 0", "is a row of every page (and `pld epsilon --delta 0`)"])
        self.assertRegex(pld("explain", "laplace:scale=2").stdout, r"delta 0 \(pure DP\) +<= 0\.500000\n")
        self.refused("explain", says=("no mechanism",))
        self.refused("explain", "--direction", "add", "gaussian:sigma=1", says=("direction", "worst"))
        self.refused("explain", "--engine", "closed-form", SGD, says=("engine",))


if __name__ == "__main__":
    unittest.main()
