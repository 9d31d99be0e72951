"""pld explain: the page says what the other commands say."""
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

    def test_shares_of_many(self):
        kinds = [f"laplace:scale={scale}" for scale in (10, 20, 30, 40, 50, 60)]
        kinds += ["gaussian:sigma=2,q=0.01,count=900", "gaussian:sigma=9", "randomized-response:p=0.6", "discrete-gaussian:sigma=8"]
        found = json.loads(pld("explain", "--json", *kinds).stdout)
        whole = json.loads(pld("epsilon", "--delta", "1e-6", "--json", *kinds).stdout)["epsilon"]["upper"]
        self.assertEqual(len(found["shares"]), len(kinds))
        for share in found["shares"]:
            others = kinds[:share["place"]] + kinds[share["place"] + 1:]
            epsilon = json.loads(pld("epsilon", "--delta", "1e-6", "--json", *others).stdout)["epsilon"]
            without = share["epsilon_without"]
            self.assertGreaterEqual(without["upper"], epsilon["lower"])
            self.assertLessEqual(without["lower"], epsilon["upper"])
            self.assertLess(without["upper"], epsilon["upper"] * 1.003)
            self.assertAlmostEqual(share["share"], 1 - epsilon["upper"] / whole, delta=0.002)

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
        self.assertIn("Nothing: no release", self.html("laplace:scale=2"))
        self.assertIn("replaced", self.html("laplace:scale=2", "--adjacency", "replace-one"))
        self.refused("explain", "--output", "page.pdf", SGD, says=("output", ".html"))

    def test_refusals(self):
        self.refused("explain", says=("no mechanism",))
        self.refused("explain", "--direction", "add", "gaussian:sigma=1", says=("direction", "worst"))
        self.refused("explain", "--engine", "closed-form", SGD, says=("engine",))


if __name__ == "__main__":
    unittest.main()
