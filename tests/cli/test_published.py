"""docs/published.md is what its script writes; verdicts follow from what is proved."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "validation/published"))
import write

NUMBER = re.compile(r"\d+\.\d+(?:e-?\d+)?")


class Published(unittest.TestCase):
    def test_the_page_is_what_its_script_writes(self):
        """Word for word, but for the last digits of intervals: another FFTW may round otherwise."""
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "published.md")
            subprocess.run([sys.executable, "-B", write.__file__, os.environ["PLD"], name], check=True)
            written = pathlib.Path(name).read_text()
        page = (ROOT / "docs/published.md").read_text()
        self.assertEqual(NUMBER.sub("#", written), NUMBER.sub("#", page), "bash tools/published")
        for got, there in zip(NUMBER.findall(written), NUMBER.findall(page)):
            self.assertLessEqual(abs(float(got) - float(there)), 1e-5 * float(there))

    def test_verdicts(self):
        for claim, printed, allowed, lower, upper, verdict in (
                ("at most", "1.5", "", 1.0, 1.5, "valid"), ("at most", "1.4", "", 1.5, 1.6, "**under-reports**"),
                ("at most", "1.5", "", 1.4, 1.6, "undecided"), ("at most", "1.4", "", None, 1.6, "undecided"),
                ("at least", ".226", "", 0.2261, 0.24, "valid"),
                ("at least", ".226", "", 0.2, 0.22, "**wrong**"), ("at least", ".226", "", None, 0.24, "undecided"),
                ("is", "3.77", "", 3.765, 3.775, "right"), ("is", "3.77", "", 3.7649, 3.77, "undecided"),
                ("is", "3.77", "", 3.776, 3.78, "**wrong**"), ("is", "1.2e-5", "", 1.16e-5, 1.24e-5, "right"),
                ("is", "3.77", "0.1", 3.7, 3.8, "right"), ("is", "155", "0", 155, 155, "right"),
                ("is", "155", "0", 154, 154, "**wrong**"), ("is", "2", "", None, 2.1, "undecided")):
            with self.subTest(claim=claim, printed=printed, lower=lower, upper=upper):
                self.assertEqual(write.verdict(claim, printed, allowed, lower, upper), verdict)


if __name__ == "__main__":
    unittest.main()
