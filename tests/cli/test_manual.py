"""Help, the manual page and the completions, which all come from the command itself."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from command import CommandTest, pld

# As on a user's machine: the scripts ask `pld`.
ENVIRONMENT = {**os.environ, "PATH": os.path.dirname(os.environ["PLD"]) + ":" + os.environ["PATH"]}
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
        return re.findall(r"^  (\w[\w-]*)  ", pld("--help").stdout.partition("Subcommands:")[2], re.MULTILINE)

    def test_page_has_every_command_and_option(self):
        page = pld("man-page").stdout.replace("\\-", "-")
        commands = self.commands()
        self.assertIn("calibrate", commands)
        self.assertIn("man-page", commands)
        self.assertIn("pld man-page", pld("help", "man-page").stdout)
        for command in commands:
            self.assertRegex(page, rf"\n\.SS {command}\b")
            for option in re.findall(r"^  (--[\w-]+)", pld(command, "--help").stdout, re.MULTILINE):
                self.assertIn(f"\n.B {option}", page, (command, option))
        for kind in ("gaussian", "laplace", "binomial"):
            self.assertIn(f"\n.B {kind}\n", page)

    def test_options_that_are_always_refused_are_not_shown(self):
        page = pld("man-page").stdout.replace("\\-", "-")
        for command, option, value in (("audit", "--direction", "add"), ("explain", "--direction", "add")):
            with self.subTest(command=command):
                self.assertNotIn(option, pld(command, "--help").stdout)
                self.assertNotIn(f".B {option}", page.partition(f"\n.SS {command}")[2].partition("\n.SS")[0])
                self.assertNotIn(option, self.complete(command, option[:5]))
                self.assertNotIn("not expected", pld(command, option, value, "gaussian:sigma=1").stderr)
                self.assertEqual(pld(command, option, value, "gaussian:sigma=1").returncode, 2)

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_page_is_good_roff(self):
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=pld("man-page").stdout, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_help_is_that_of_the_command(self):
        self.assertEqual(pld("help").stdout, pld("--help").stdout)
        for command in self.commands():
            with self.subTest(command=command):
                self.assertEqual(pld("help", command).stdout, pld(command, "--help").stdout)
                self.assertIn("Examples:\n  ", pld("help", command).stdout)
        self.assertEqual(pld("help", "ledger", "spend").stdout, pld("ledger", "spend", "--help").stdout)

    def test_help_on_a_mechanism(self):
        listed = pld("mechanisms").stdout
        for kind in re.findall(r"^([\w-]+): .*\n    ", listed, re.MULTILINE):
            said = pld("help", kind)
            self.assertEqual((said.returncode, said.stderr), (0, ""))
            self.assertTrue(said.stdout.startswith(kind + ": ") and "\n    source: " in said.stdout, kind)
            self.assertIn(said.stdout.partition("Each also")[0], listed)
        self.refused("help", "guassian", says=["help: name is 'guassian' (did you mean gaussian?)"])
        self.refused("help", "epsilom", says=["(did you mean epsilon?)"])
        self.refused("help", "ledger", "spnd", says=["(did you mean spend?)"])
        self.refused("help", "epsilon", "spend", says=["'spend'", "the last word"])
        self.refused("help", "engines", "x", says=["help: name is 'x', but must be left out: engines is the last word"])
        self.refused("help", "gaussian", "x", says=["help: name is 'x', but must be left out: gaussian is the last word"])

    def test_every_example_runs(self):
        helps = [pld("--help").stdout, *(pld(command, "--help").stdout for command in self.commands())]
        for command in ("init", "spend", "status", "list", "export", "import", "undo"):
            helps.append(pld("ledger", command, "--help").stdout)
        page = pld("man-page").stdout.replace("\\-", "-").replace("\\e", "\\")
        with tempfile.TemporaryDirectory() as folder:
            for said in helps:
                lines = re.findall(r"^  (.*pld .*)$", said.partition("Examples:")[2], re.MULTILINE)
                self.assertTrue(lines, said)
                for line in lines:
                    with self.subTest(line=line):
                        done = subprocess.run(["bash", "-c", line], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True)
                        self.assertEqual(done.returncode, 0, done.stderr)
                        self.assertIn(line, page)

    def test_a_mark_for_the_unknown_is_quoted(self):
        pages = [pld("man-page").stdout.replace("\\-", "-").replace("\\e", "\\"), *(pld(command, "--help").stdout for command in self.commands())]
        root = pathlib.Path(__file__).resolve().parents[2]
        pages += [page.read_text() for page in (root / "README.md", *sorted((root / "docs").glob("*.md")))]
        for page in pages:
            typed = re.findall(r"^(?: *|    |[$] )(pld .*)$|`((?:pld |calibrate )[^`]*)`", page, re.MULTILINE)
            for line in map("".join, typed):
                self.assertNotRegex(re.sub("'[^']*'|\"[^\"]*\"", "", line).replace("$?", ""), r"[?]", line)
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "b").touch()
            pathlib.Path(folder, "c").touch()
            asked = lambda words: subprocess.run(["sh", "-c", f"pld calibrate --epsilon 1 --delta 1e-5 {words}"], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True).stderr
            run = "--dataset-size 500 --batch 50 gaussian:sigma=9 --epochs"
            self.assertIn("is a file here: did a shell put it in the place of a ?, which must be quoted?)", " ".join(asked(f"{run} ?").split()))
            self.assertEqual(asked(f"{run} '?' --sampler poisson"), "")
            self.assertNotIn("a file here", asked("gaussian:sigma=9 --ledger b"))
            self.assertEqual(asked("'gaussian:sigma=?'; pld ledger init b --rho 1"), "pld: 'b' exists already\n")
            pathlib.Path(folder, "d").mkdir()  # a folder that somebody named, whatever the message quotes
            self.assertEqual(asked("'gaussian:sigma=?' --ledger d"), "pld: 'd' is not a regular file\n")

    def completed(self, line, *words):
        script = pld("completion", "bash").stdout + DRIVER + "complete_at " + " ".join(f"'{word}'" for word in (line, *words))
        return self.run_in("bash", "-c", script)

    def run_in(self, *words):
        done = subprocess.run(words, capture_output=True, text=True, env=ENVIRONMENT)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def complete(self, *words):
        return pld("complete", *words).stdout.split()

    def test_completion(self):
        self.assertEqual(self.complete("ca"), ["calibrate"])
        self.assertEqual(self.complete(""), self.commands())
        self.assertEqual(self.complete("--v"), ["--version"])
        self.assertIn("--delta", self.complete("epsilon", "--"))
        self.assertEqual(self.complete("epsilon", "--to"), ["--tolerance"])
        self.assertEqual(self.complete("epsilon", "--engine", ""), ["auto", "lattice", "contour", "closed-form"])
        self.assertEqual(self.complete("calibrate", "--adjacency", "r"), ["replace-one"])
        self.assertEqual(self.complete("delta", "--direction", ""), ["worst", "remove", "add"])
        self.assertEqual(self.complete("curve", "--of", ""), ["profile", "tradeoff", "epsilon"])
        self.assertEqual(self.complete("epsilon", "--delta", ""), [])
        self.assertEqual(self.complete("curve", "--output", "x"), [":files"])
        self.assertEqual(self.complete("epsilon", "--ledger", ""), [":files"])
        self.assertEqual(self.complete("epsilon", "--delta", "1e-6", "gau"), ["gaussian:", "gaussian-mixture:"])
        self.assertEqual(self.complete("epsilon", "gaussian:sigma=1,co"), ["gaussian:sigma=1,count="])
        self.assertEqual(self.complete("epsilon", "gaussian:sigma=1,sampler=t"), ["gaussian:sigma=1,sampler=truncated"])
        self.assertEqual(len(self.complete("epsilon", "gaussian:sampler=")), 5)
        self.assertIn("rate", self.complete("curve", "--against", ""))
        self.assertNotIn("gaussian:sigma=1,sigma=", self.complete("epsilon", "gaussian:sigma=1,"))
        self.assertEqual(self.complete("epsilon", "nobody:"), [])
        self.assertEqual(self.complete("curve", "gaussian:sigma=1", "v"), ["vs"])
        self.assertEqual(self.complete("ledger", "s"), ["spend", "status"])
        self.assertEqual(self.complete("ledger", "spend", ""), [":files"])
        self.assertEqual(self.complete("ledger", "spend", "--token", "x", "b.db", "lap"), ["laplace:"])
        for option in ("--filter", "--kind"):  # as the refusal of another name lists them
            offered = self.complete("ledger", "init", "b.db", option, "")
            self.assertTrue(offered)
            self.refused("ledger", "init", "b.db", "--epsilon", "1", "--delta", "1e-6", option, "x", says=[", ".join(offered)])
        self.assertEqual(self.complete("help", "lap"), ["laplace"])
        self.assertEqual(self.complete("completion", ""), ["bash", "zsh", "fish"])
        self.assertEqual(self.complete("batch", ""), [])

    def test_every_key_that_is_completed_is_accepted(self):
        for kind in self.complete("epsilon", ""):
            for word in self.complete("epsilon", kind):
                self.assertNotIn("is not known", pld("epsilon", "--delta", "1e-6", word + "1").stderr)

    def test_bash(self):
        self.assertEqual(self.completed("pld ca", "pld", "ca"), ["calibrate"])
        self.assertEqual(self.completed("pld ", "pld", ""), self.commands())
        self.assertEqual(self.completed("pld epsilon gau", "pld", "epsilon", "gau"), ["gaussian:", "gaussian-mixture:"])
        self.assertEqual(self.completed("pld epsilon gaussian:", "pld", "epsilon", "gaussian", ":")[:4],
                         ["sigma=", "sensitivity=", "replace_sensitivity=", "attained_sensitivity="])
        self.assertEqual(self.completed("pld epsilon gaussian:si", "pld", "epsilon", "gaussian", ":", "si"), ["sigma="])
        self.assertEqual(self.completed("pld epsilon gaussian:sigma=1,co", "pld", "epsilon", "gaussian", ":", "sigma", "=", "1,co"),
                         ["1,count="])
        self.assertEqual(self.completed("pld epsilon gaussian:sigma=1,sampler=al", "pld", "epsilon", "gaussian", ":", "sigma", "=", "1,sampler", "=", "al"),
                         ["allocation"])
        self.assertIn("test_manual.py", self.completed("pld epsilon --ledger " + __file__[:-3], "pld", "epsilon", "--ledger",
                                                       __file__[:-3])[0])

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh(self):
        driver = """
compdef() { :; }
compadd() { [[ $1 == -S ]] && shift 2; shift; print -rl -- "$@" }
_files() { print FILES }
""" + pld("completion", "zsh").stdout
        for words, expected in [(["ca"], ["calibrate"]), (["epsilon", "gau"], ["gaussian:", "gaussian-mixture:"]),
                                (["epsilon", "--engine", "la"], ["lattice"]), (["epsilon", "--ledger", ""], ["FILES"])]:
            typed = " ".join(f"'{word}'" for word in words)
            self.assertEqual(self.run_in("zsh", "-f", "-c", f"{driver}\nwords=(pld {typed}) CURRENT={len(words) + 1}\n_pld"),
                             expected)

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish(self):
        script = pld("completion", "fish").stdout
        for line, expected in [("pld ca", ["calibrate"]), ("pld epsilon gau", ["gaussian-mixture:", "gaussian:"]),
                               ("pld epsilon --engine la", ["lattice"])]:
            done = self.run_in("fish", "--no-config", "-c", f"{script}\ncomplete -C '{line}'")
            self.assertEqual(sorted(done), expected)


if __name__ == "__main__":
    unittest.main()
