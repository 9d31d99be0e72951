"""docs/schemes.md says what the command prints."""
import pathlib
import re
import unittest

from command import pld

PAGE = pathlib.Path(__file__).parents[2] / "docs/schemes.md"


class Schemes(unittest.TestCase):
    def test_answers_on_the_page(self):
        rows = re.findall(r"^\|[^|]+\| `([^`]*gaussian:[^`]+)` \| `([^`]+)` \|$", PAGE.read_text(), re.M)
        self.assertGreaterEqual(len(rows), 7)
        for words, answer in rows:
            with self.subTest(words):
                done = pld("epsilon", "--delta", "1e-5", *words.split())
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertTrue(done.stdout.startswith(answer), done.stdout)


if __name__ == "__main__":
    unittest.main()
