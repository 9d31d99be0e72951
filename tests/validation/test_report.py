"""Runs $PLD_VALIDATE and checks what it writes: that every statement is judged by one of the verdicts and names its place, which ones
are called unsound, that the page and its pictures are whole, and, by routes of their own, the numbers accusations rest on."""
import math
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

VERDICTS = {"holds", "holds under a condition", "unsound", "does not hold", "misprint or transcription", "cannot be reproduced",
            "nothing to compute"}

# Each accusation is argued in its row; another one, or one fewer, is a change of mind to be made here too.
UNSOUND = {"adp-eq-8", "adp-twenty-percent", "variants-gaussian-noise", "variants-advanced", "variants-moments", "variants-arsinh",
           "variants-sampled-tcdp", "notes-approximate-1", "notes-approximate-2", "notes-approximate-3"}

COLUMNS = ["where", "claim", "stated", "computed", "verdict", "why"]
VOID = {"meta", "br"}


class Page(HTMLParser):
    """Rows (id, columns as text), ids, links and pictures of the page; fails where tags are not closed in order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.links, self.rows, self.row, self.sources = [], [], [], {}, None, []
        self.text, self.condition = "", {}
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        if "id" in given:
            self.ids.append(given["id"])
        self.links += [given["href"]] if "href" in given else []
        self.sources += [given[name] for name in ("src", "xlink:href") if name in given]
        if tag == "tr" and "id" in given:
            self.row = given["id"]
            self.rows[self.row] = []
        if self.row and tag in ("th", "td"):
            self.rows[self.row].append("")
        if self.row and tag == "b" and len(self.rows[self.row]) == 5:
            self.condition[self.row] = None  # what follows the verdict in its cell

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, (tag, self.getpos())
        if tag == "tr":
            self.row = None
        if self.row and tag == "b" and len(self.rows[self.row]) == 5:
            self.condition[self.row] = ""

    def handle_data(self, data):
        self.text += data
        if not self.row:
            return
        if self.condition.get(self.row) is not None and len(self.rows[self.row]) == 5:
            self.condition[self.row] += data
        else:
            self.rows[self.row][-1] += data

    def cell(self, row, column):
        return self.rows[row][COLUMNS.index(column)]


def bisect(f, low, high):
    """Where a falling f crosses 0."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    return low


def log_upper_tail(x):
    """log P(N(0,1) > x), by the continued series where the tail is no longer a double."""
    if x < 25:
        return math.log(math.erfc(x / math.sqrt(2)) / 2)
    return -x * x / 2 - math.log(x * math.sqrt(2 * math.pi)) + math.log1p(-1 / x**2 + 3 / x**4 - 15 / x**6)


def gaussian_epsilon(mu, delta):
    """The exact epsilon of Gaussian releases with this mu (Balle, Wang 2018, theorem 8)."""
    def excess(epsilon):
        first, second = log_upper_tail(epsilon / mu - mu / 2), epsilon + log_upper_tail(epsilon / mu + mu / 2)
        return first + math.log1p(-math.exp(second - first)) - math.log(delta)
    return bisect(excess, 1e-9, mu * mu + 60 * mu)


def responses_epsilon(epsilon, k, delta):
    """The exact epsilon of k randomized responses: a sum over how many told the truth."""
    truth = -math.log1p(math.exp(-epsilon))
    log_masses = [math.lgamma(k + 1) - math.lgamma(j + 1) - math.lgamma(k - j + 1) + j * truth + (k - j) * (truth - epsilon)
                  for j in range(k + 1)]
    def excess(total):
        return sum(math.exp(log_mass) * -math.expm1(total - (2 * j - k) * epsilon)
                   for j, log_mass in enumerate(log_masses) if (2 * j - k) * epsilon > total) - delta
    return bisect(excess, 0, k * epsilon)


def integral(f, low, high, n):
    step = (high - low) / n
    return math.fsum(f(low + i * step) for i in range(n + 1)) * step


def normal(x, mean, sigma):
    return math.exp(-((x - mean) / sigma) ** 2 / 2) / (sigma * math.sqrt(2 * math.pi))


def sampled_excess(rho, s, alpha):
    """E_Q[r^alpha] - 1 for r = 1 - s + s P/Q of Gaussians, without the first-order term, whose mean is 0."""
    sigma = 1 / math.sqrt(2 * rho)
    def term(x):
        u = s * math.expm1((x - 0.5) / sigma**2)
        if abs(u) < 1e-4:
            return normal(x, 0, sigma) * alpha * (alpha - 1) * (u * u / 2 + (alpha - 2) * u**3 / 6)
        return normal(x, 0, sigma) * (math.expm1(alpha * math.log1p(u)) - alpha * u)
    return integral(term, -12 * sigma, 30 * sigma, 20000)


def arsinh_divergence(rho, a, alpha):
    sigma = 1 / math.sqrt(2 * rho)
    def density(y):
        return normal(a * math.sinh(y / a), 0, sigma) * math.cosh(y / a)
    # Beyond, the normal variable is more than 30 standard deviations out.
    reach = a * math.asinh(30 * sigma / a)
    moment = integral(lambda y: density(y) * (density(y - 1) / density(y)) ** alpha, -reach, reach, 20000)
    return math.log(moment) / (alpha - 1)


def response_divergence(epsilon, order):
    truth = 1 / (1 + math.exp(-epsilon))
    lie = 1 - truth
    return math.log(truth**order * lie ** (1 - order) + lie**order * truth ** (1 - order)) / (order - 1)


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        done = subprocess.run([os.environ["PLD_VALIDATE"], cls.folder.name], capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        cls.path = pathlib.Path(cls.folder.name)
        cls.html = (cls.path / "report.html").read_text()
        cls.markdown = (cls.path / "report.md").read_text()
        cls.page = Page(cls.html)

    def test_every_row_is_whole(self):
        self.assertGreater(len(self.page.rows), 100)
        for row, cells in self.page.rows.items():
            self.assertEqual(len(cells), len(COLUMNS), row)
            self.assertTrue(all(cell.strip() for cell in cells), (row, cells))
            self.assertIn(self.page.cell(row, "verdict"), VERDICTS, row)
            # A place in the source: a numbered one, or the words it begins with.
            self.assertRegex(self.page.cell(row, "where"), r"\d|\"|[Tt]able|[Ff]ormula|Proof|Abstract|tCDP|that formula", row)
            named = bool(self.page.condition[row].strip())
            self.assertEqual(named, self.page.cell(row, "verdict") == "holds under a condition", row)

    def test_unsound_are_those_argued(self):
        self.assertEqual({row for row in self.page.rows if self.page.cell(row, "verdict") == "unsound"}, UNSOUND)
        listed = self.html[self.html.index('id="unsound"'):self.html.index("</ol>")]
        self.assertEqual(set(re.findall(r'<li><a href="#([^"]+)"', listed)), UNSOUND)

    def test_counts(self):
        counts = {verdict: 0 for verdict in VERDICTS}
        for row in self.page.rows:
            counts[self.page.cell(row, "verdict")] += 1
        stated = re.search(r"(\d+) statements: (.*?)\. (\d+) figures", self.page.text)
        self.assertEqual(int(stated[1]), len(self.page.rows))
        self.assertEqual({text.rsplit(" ", 1)[0]: int(text.rsplit(" ", 1)[1]) for text in stated[2].split(", ")}, counts)
        self.assertEqual(int(stated[3]), self.html.count("<figure "))

    def test_no_nan(self):
        for text in (self.page.text, self.markdown):
            found = re.search(r"(?i).{0,60}(\bnan\b|[-\d]nan|\binf\b)", text)
            self.assertIsNone(found, found and found[0])

    def test_links_and_ids(self):
        self.assertEqual(len(self.page.ids), len(set(self.page.ids)), "an id twice")
        for link in self.page.links:
            self.assertTrue(link.startswith("#") and link[1:] in self.page.ids, link)
        figures = re.findall(r'<figure id="([^"]+)"', self.html)
        for figure in figures:
            self.assertIn("#" + figure, self.page.links, "no row links to it")

    def test_self_contained(self):
        self.assertEqual(self.page.sources, [])
        self.assertNotRegex(self.html, r"<(script|link|img|iframe)\b|url\(|@import")
        self.assertIn('name="viewport"', self.html)

    def test_pictures(self):
        files = sorted((self.path / "figures").glob("*.svg"))
        self.assertEqual(len(files), self.html.count("<svg"))
        svg = "{http://www.w3.org/2000/svg}"
        for file in files:
            root = ElementTree.parse(file).getroot()
            self.assertEqual(root.tag, svg + "svg", file.name)
            self.assertEqual(root.get("role"), "img", file.name)
            title = root.find(svg + "title")
            self.assertEqual(root.get("aria-labelledby"), title.get("id"), file.name)
            self.assertRegex(title.text, "against .*; curves: ", file.name)
            self.assertIn(file.read_text(), self.html, file.name)
            self.assertIn(f"](figures/{file.name})", self.markdown)
            # Something is drawn: coordinates, all of them numbers.
            paths = [path.get("d") for path in root.iter(svg + "path")]
            self.assertGreater(max(len(path) for path in paths), 60, file.name)
            self.assertNotIn("nan", " ".join(paths).lower(), file.name)

    def test_markdown_has_the_same_rows(self):
        rows = re.findall(r'^\| <a id="([^"]+)"></a>(.*)\|$', self.markdown, re.M)
        self.assertEqual([row for row, _ in rows], list(self.page.rows))
        for row, cells in rows:
            columns = cells.split(" | ")
            self.assertEqual(len(columns), len(COLUMNS), row)
            self.assertTrue(columns[4].startswith(self.page.cell(row, "verdict")), (row, columns[4]))

    def assert_shows(self, row, column, number):
        """The cell holds this number, to as many digits as it prints, or has it between two close ends."""
        text = self.page.cell(row, column)
        ends = re.search(r"\[(\S+), (\S+)\]", text)
        if ends and float(ends[1]) <= number <= float(ends[2]) <= float(ends[1]) * (1 + 1e-6):
            return
        for shown in re.findall(r"\d+\.?\d*(?:e-?\d+)?", text):
            mantissa, _, exponent = shown.partition("e")
            unit = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
            if len(mantissa.replace(".", "").strip("0")) >= 3 and abs(float(shown) - number) <= unit:
                return
        self.fail(f"{row}: no {number} in '{text}'")

    def test_equation_8(self):
        truth = gaussian_epsilon(1 / math.sqrt(2 * math.log(1.25e5) / 0.1), 1e-5)
        self.assertAlmostEqual(truth, 0.2140363, 7)
        self.assert_shows("adp-eq-8", "computed", truth)

    def test_twenty_percent(self):
        renyi = min(50 * alpha / 20000 + math.log(1e15) / (alpha - 1) for alpha in range(2, 1000))
        truth = gaussian_epsilon(math.sqrt(50) / 100, 1e-15)
        self.assertLess(0.8 * renyi, truth)
        self.assert_shows("adp-twenty-percent", "stated", 0.8 * renyi)
        self.assert_shows("adp-twenty-percent", "computed", truth)

    def test_lines_of_figure_6(self):
        adp, rdp = ((math.log(1e15) / (order - 1), order / 20000) for order in (164, 119))
        self.assert_shows("adp-lower-intercept", "computed", (rdp[0] - adp[0]) / (adp[1] - rdp[1]))

    def test_classical_noise(self):
        truth = gaussian_epsilon(10 / math.sqrt(2 * math.log(1.25e6)), 1e-6)
        self.assertGreater(truth, 10.25)
        self.assert_shows("variants-gaussian-noise", "computed", truth)

    def test_advanced_composition(self):
        k = int(re.match(r"\d+", self.page.cell("variants-advanced", "stated"))[0])
        stated, truth = 0.2 * math.sqrt(2 * k * math.log(1e6)), responses_epsilon(0.1, k, 1e-6)
        self.assertLess(stated, truth)
        self.assert_shows("variants-advanced", "stated", stated)
        self.assert_shows("variants-advanced", "computed", truth)

    def test_moments_accountant(self):
        k = int(re.match(r"\d+", self.page.cell("variants-moments", "stated"))[0])
        stated = 2 * math.sqrt(2 * k * math.log(1e5))
        truth = gaussian_epsilon(math.sqrt(k) * 0.5 / math.sqrt(2 * math.log(1.25e5)), 1e-5)
        self.assertLess(stated, truth)
        self.assert_shows("variants-moments", "stated", stated)
        self.assert_shows("variants-moments", "computed", truth)

    def test_arsinh(self):
        truth = arsinh_divergence(1e-4, 9, 1.1)
        self.assert_shows("variants-arsinh", "computed", truth)
        self.assert_shows("variants-arsinh", "computed", truth / (16e-4 * 1.1))

    def test_sampled_tcdp(self):
        rho, s = 3, 1e-8
        alpha = 1 + 0.999 * (math.log(1 / s) / (4 * rho) - 1)
        truth = sampled_excess(rho, s, alpha) / (alpha - 1)
        self.assert_shows("variants-sampled-tcdp", "computed", truth / (13 * s * s * rho * alpha))

    def test_approximate_renyi(self):
        divergence = response_divergence(0.5, 8)
        self.assert_shows("notes-approximate-2", "computed", divergence)
        printed = 1e-6 + math.exp(7 * (0.1 - divergence)) / 8 * (7 / 8) ** 7
        truth = 1e-6 + (1 - 1e-6) * (math.exp(0.5) - math.exp(0.1)) / (1 + math.exp(0.5))
        self.assertLess(printed, truth)
        self.assert_shows("notes-approximate-3", "stated", printed)
        self.assert_shows("notes-approximate-3", "computed", truth)


if __name__ == "__main__":
    unittest.main()
