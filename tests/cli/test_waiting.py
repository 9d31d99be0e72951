"""Who waits at a terminal sees the seconds pass, and stops what takes too long: through a terminal of the test's own."""
import os
import pty
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from command import CommandTest, number, pld

#: So many different laws on whole numbers, of no one family, take each query seconds.
KINDS = [word for i in range(1, 3201) for word in (f"discrete-gaussian:sigma=1.{i},count=3", f"skellam:variance=2.{i},count=2")]
FINE = ("--tolerance", "1e-7")
COMMANDS = (
    ("epsilon", "--delta", "1e-9", *FINE, *KINDS),
    ("compare", "--delta", "1e-5", *FINE, *KINDS),
    ("compare", "--delta", "1e-5", "--claim", "3", *FINE, *KINDS),
    ("curve", "--range", "800:1000:99", "--output", "curve.csv", *FINE, *KINDS),
    ("curve", "--of", "epsilon", "--against", "delta", "--range", "1e-9:1e-5:99", "--output", "curve.svg", *FINE, *KINDS),
    ("explain", "--output", "page.html", *KINDS),
    ("audit", "--delta", "1e-5", "--true-positives", "9/10", "--false-positives", "1/10", "--output", "roc.svg", *FINE, *KINDS),
    ("calibrate", "--epsilon", "2", "--delta", "1e-9", "--tries", "poisson:mean=10", "gaussian:sigma=?,allocation=43"),
)


class Terminal:
    """The command with a terminal for all its streams."""

    def __init__(self, *words, folder="."):
        self.shown = b""
        self.child, self.screen = pty.fork()
        if self.child == 0:
            os.chdir(folder)
            os.execv(os.environ["PLD"], [os.environ["PLD"], *words])

    def read(self, seconds):
        """What comes in that time; False where there is no more to come."""
        if not select.select([self.screen], [], [], seconds)[0]:
            return True
        try:
            got = os.read(self.screen, 4096)
        except OSError:  # Linux says so where the other end is closed
            return False
        self.shown += got
        return bool(got)

    def read_until(self, text, seconds=60):
        end = time.monotonic() + seconds
        while text not in self.shown and time.monotonic() < end and self.read(0.1):
            pass
        return text in self.shown

    def stop(self):
        os.write(self.screen, b"\x03")  # as Ctrl-C does
        return self.end()

    def end(self):
        while self.read(60):
            pass
        os.close(self.screen)
        return os.waitpid(self.child, 0)[1]


class Waiting(CommandTest):
    def stopped(self, *words):
        """Shows its seconds, ends by Ctrl-C (of which shells make the status 130), leaves no file."""
        with tempfile.TemporaryDirectory() as folder:
            terminal = Terminal(*words, folder=folder)
            self.assertTrue(terminal.read_until(b" s (Ctrl-C stops)"), (words[:6], terminal.shown[-200:]))
            status = terminal.stop()
            self.assertTrue(os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGINT, (words[:6], status, terminal.shown[-200:]))
            self.assertEqual(os.listdir(folder), [], words[:6])

    def test_seconds_are_counted_and_ctrl_c_stops(self):
        for words in COMMANDS:
            with self.subTest(words=words[:6]):
                self.stopped(*words)

    def test_a_file_is_written_wholly_or_not_at_all(self):
        """Stopped at any moment, also while the file is written: no part of it, nor its passing name, stays."""
        with tempfile.TemporaryDirectory() as folder:
            whole, times = 0, 40
            words = [os.environ["PLD"], "curve", "--range", "0:5:20000", "--output", "c.csv", "gaussian:sigma=1"]
            start = time.monotonic()
            subprocess.run(words, cwd=folder, check=True)
            takes = time.monotonic() - start
            os.remove(os.path.join(folder, "c.csv"))
            for i in range(times):
                child = subprocess.Popen(words, cwd=folder)
                time.sleep(takes * 1.2 * i / times)
                child.send_signal(signal.SIGINT)
                self.assertIn(child.wait(), (0, -signal.SIGINT))
                self.assertIn(os.listdir(folder), ([], ["c.csv"]))
                if os.listdir(folder):
                    whole += 1
                    with open(os.path.join(folder, "c.csv")) as file:
                        self.assertEqual(len(file.readlines()), 20001)
                    os.remove(os.path.join(folder, "c.csv"))
            print(f"{whole} of {times} were written", file=sys.stderr)

    def test_what_is_counted_goes_before_the_answer(self):
        terminal = Terminal("epsilon", "--delta", "1e-9", "--tolerance", "1e-7", *KINDS)
        self.assertTrue(terminal.read_until(b"1 s (Ctrl-C stops)"))
        self.assertEqual(os.waitstatus_to_exitcode(terminal.end()), 3)
        counted, answer = terminal.shown.split(b"\r  ", 1)  # blanks over it
        self.assertNotIn(b"epsilon <= ", counted)
        self.assertTrue(answer.lstrip(b" ").startswith(b"\repsilon <= "), answer[:99])

    def test_a_timeout_gives_what_is_known(self):
        dear = ("--tolerance", "1e-7", "laplace:scale=1,allocation=300,count=30")
        whole = self.answer("epsilon", "--delta", "0.01", *dear, status=3)["epsilon"]
        short = self.answer("epsilon", "--delta", "0.01", "--timeout", "1e-6", *dear, status=3)["epsilon"]
        self.assertTrue(number(short["lower"]) <= whole["lower"] <= whole["upper"] <= number(short["upper"]), (short, whole))
        self.assertEqual(self.answer("epsilon", "--delta", "0.01", "--timeout", "1000", *dear, status=3)["epsilon"], whole)
        for words in COMMANDS:
            with self.subTest(words=words[:6]), tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([os.environ["PLD"], *words, "--timeout", "0.01"], cwd=folder, capture_output=True, text=True)
                # Some are answered all the same: a claim may be far off, and deltas of 1 need no time.
                told = 4 if "--claim" in words else 0 if words[0] in ("audit", "curve") or "--tries" in words else 3
                self.assertIn(done.returncode, (told, 3), done.stderr)
        # What lists the outcomes of integer noise in groups takes all the work of an answer.
        listed = ("--group", "3", "discrete-laplace:a=0.1,q=0.01,count=10", "zcdp:rho=0.3,count=2")
        for words in (("--timeout", "0.01", *listed), ("--tries", "geometric:mean=5", *listed),
                      ("--timeout", "1e-5", "--group", "3", "--adjacency", "zero-out", "discrete-laplace:a=0.1,q=0.3", "binomial:n=500,count=50")):
            for query in (("epsilon", "--delta", "1e-6"), ("delta", "--epsilon", "2")):
                with self.subTest(words=words, query=query):
                    done = pld(*query, *words)
                    self.assertIn(done.returncode, (0, 3), done.stderr)
                    self.assertRegex(done.stdout, "^(epsilon|delta) <= [0-9]")
        done = pld("calibrate", "--timeout", "1e-6", "--epsilon", "1", "--delta", "1e-6", "gaussian:sigma=?,allocation=300,count=30")
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertEqual(done.stderr, "pld: calibrate: no value is certified within the time limit\n")
        page = pld("explain", "--timeout", "1e-6", *(f"sinh-normal:sigma={i},a=30,q=0.1,count={i}" for i in range(3, 15)))
        self.assertEqual((page.returncode, page.stderr), (3, ""))
        self.assertIn("Smallest epsilon", page.stdout)
        self.assertNotIn("What each mechanism costs", page.stdout)
        for seconds in ("0", "-2", "nan", "a"):
            done = pld("epsilon", "--timeout", seconds, "--delta", "0.01", *dear)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertRegex(done.stderr, "^pld: epsilon: timeout is .*, but must be [^\n]*\n$")

    def test_nothing_is_shown_of_what_is_quick(self):
        terminal = Terminal("epsilon", "--delta", "1e-5", "gaussian:sigma=1")
        self.assertEqual(terminal.end(), 0)
        self.assertNotIn(b"Ctrl-C", terminal.shown)
        self.assertIn(b"epsilon <= ", terminal.shown)

    def test_nothing_is_counted_where_nobody_looks(self):
        done = pld("explain", *KINDS[:60], "--tolerance", "1e-6")
        self.assertEqual(done.stderr, "")


if __name__ == "__main__":
    unittest.main()
