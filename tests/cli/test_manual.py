"""The manual page and bash's completion, which the build makes from the command itself."""
import re
import shutil
import subprocess
import unittest

from command import CommandTest, pld

# What bash hands over while a word is typed: it breaks words at : and =.
DRIVER = r"""
compopt() { :; }
complete_at() {
  COMP_LINE="$1"; COMP_POINT=${#1}; shift
  COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
  _pld; echo "${COMPREPLY[*]}"
}
"""


class Manual(CommandTest):
    def commands(self):
        return re.findall(r"^  (\w[\w-]*) ", pld("--help").stdout.partition("Subcommands:")[2], re.MULTILINE)

    def test_page_has_every_command_and_option(self):
        page = pld("man-page").stdout.replace("\\-", "-")
        commands = self.commands()
        self.assertIn("calibrate", commands)
        self.assertNotIn("man-page", commands)
        for command in commands:
            self.assertRegex(page, rf"\n\.SS {command}\b")
            for option in re.findall(r"^  (--[\w-]+)", pld(command, "--help").stdout, re.MULTILINE):
                self.assertIn(f"\n.B {option}", page, (command, option))
        for kind in ("gaussian", "laplace", "binomial"):
            self.assertIn(f"\n.B {kind}\n", page)

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_page_is_good_roff(self):
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=pld("man-page").stdout, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def completed(self, line, *words):
        script = pld("bash-completion").stdout + DRIVER + "complete_at " + " ".join(f"'{word}'" for word in (line, *words))
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def test_completion(self):
        self.assertEqual(self.completed("pld ca", "pld", "ca"), ["calibrate"])
        self.assertEqual(set(self.completed("pld ", "pld", "")), {*self.commands(), "--help", "--version"})
        self.assertEqual(self.completed("pld epsilon --to", "pld", "epsilon", "--to"), ["--tolerance"])
        self.assertEqual(self.completed("pld epsilon gau", "pld", "epsilon", "gau"), ["gaussian:", "gaussian-mixture:"])
        self.assertEqual(self.completed("pld epsilon gaussian:", "pld", "epsilon", "gaussian", ":"),
                         ["sigma=", "sensitivity=", "q=", "wor=", "count="])
        self.assertEqual(self.completed("pld epsilon gaussian:si", "pld", "epsilon", "gaussian", ":", "si"), ["sigma="])
        self.assertEqual(self.completed("pld epsilon gaussian:sigma=1,c", "pld", "epsilon", "gaussian", ":", "sigma", "=", "1,c"),
                         ["1,count="])
        self.assertEqual(self.completed("pld ledger s", "pld", "ledger", "s"), ["spend", "status"])


if __name__ == "__main__":
    unittest.main()
