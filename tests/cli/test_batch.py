"""pld batch: one answer a line, in order, whatever the lines are."""
import json
import os
import subprocess
import unittest

from command import CommandTest, pld, refuse_constant

GAUSSIAN = {"type": "gaussian", "sigma": 5, "count": 10}


def question(**fields):
    return json.dumps({"query": "epsilon", "delta": 1e-6, "mechanisms": [GAUSSIAN], **fields})


class Batch(CommandTest):
    def answers(self, lines, *words):
        done = pld("batch", *words, stdin="".join(line + "\n" for line in lines))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.count("\n"), len(lines))
        return [json.loads(line, parse_constant=refuse_constant) for line in done.stdout.splitlines()]

    def test_a_folder_for_input(self):
        folder = os.open("/", os.O_RDONLY)
        self.addCleanup(os.close, folder)
        done = subprocess.run([os.environ["PLD"], "batch"], stdin=folder, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, "pld: batch: standard input cannot be read, but must hold one JSON query a line\n")

    def test_each_answer_is_the_one_of_the_single_command(self):
        deltas = [1e-3, 1e-6, 1e-12]
        got = self.answers([question(id=i, delta=delta) for i, delta in enumerate(deltas)])
        for i, (answer, delta) in enumerate(zip(got, deltas)):
            alone = self.answer("epsilon", "--delta", str(delta), "gaussian:sigma=5,count=10")
            del answer["seconds"], alone["seconds"]
            self.assertEqual(answer, {"id": i, **alone})

        got = self.answers([question(query="delta", epsilon="inf"), '{"query":"delta","epsilon":1,"direction":"add",'
                            '"tolerance":1e-5,"mechanisms":[{"type":"laplace","scale":2}]}'])
        self.assertIn("delta", got[1])
        self.assertIn('"delta"', got[0]["error"])  # an epsilon query's field in a delta query

    def test_order_is_kept(self):
        hard = {"type": "laplace", "scale": 50, "count": 200}  # slower by far than the others
        lines = [question(id=i, mechanisms=[hard] if i % 40 == 0 else [GAUSSIAN]) for i in range(200)]
        for threads in ("1", "7"):
            got = self.answers(lines, "--threads", threads)
            self.assertEqual([answer["id"] for answer in got], list(range(200)))
            self.assertTrue(all("epsilon" in answer for answer in got))

    def test_bad_lines_do_not_stop_the_others(self):
        bad = [
            ("", None, ["line 1"]),
            ("{", None, ["line 1, column 2"]),
            ("[]", None, ["object"]),
            ("7", None, ["object"]),
            ("\x01", None, ["line 1"]),
            (question(id="a", delta=2), "a", ["delta is 2", "0 <= delta <= 1"]),
            (question(id="b", delta="inf"), "b", ["delta", "number"]),
            (question(id="c", query="curve"), "c", ["'curve'", "epsilon, delta, calibrate"]),
            (question(id="d", colour="red"), "d", ["colour"]),
            (question(id="e", mechanisms=[{"type": "gaus"}]), "e", ["mechanisms[0]", "'gaus'"]),
            (question(id=1.5, mechanisms=7), 1.5, ["mechanisms is 7"]),
            (question(id=[1]), None, ["id is an array"]),
            ('{"id":' + "[" * 100000 + "]" * 100000 + "}", None, ["id is an array"]),
            ('{"id":9}', 9, ["query is missing"]),
            ('{"id":3,"id":4}', None, ["twice"]),
            (question(id="f", engine="fast"), "f", ["'fast'"]),
            (question(id="g", direction="up"), "g", ["'up'"]),
            (question(id="h", tolerance=0), "h", ["tolerance is 0"]),
        ]
        lines = [text for line, _, _ in bad for text in (line, question(id="good"))]
        got = self.answers(lines)
        for answer in got[1::2]:
            self.assertEqual((answer["id"], "epsilon" in answer), ("good", True))
        for number, (answer, (line, name, says)) in enumerate(zip(got[::2], bad)):
            with self.subTest(line=line[:80]):
                self.assertEqual(list(answer), ["id", "line", "error"])
                self.assertEqual(answer["line"], 2 * number + 1)
                self.assertEqual(answer["id"], name)
                for text in says:
                    self.assertIn(text, answer["error"])

    def test_no_lines_and_no_line_end(self):
        self.assertEqual(self.answers([]), [])
        done = pld("batch", stdin=question(id=1))
        self.assertEqual(json.loads(done.stdout)["id"], 1)

    def test_an_answer_comes_before_the_next_question(self):
        with subprocess.Popen([os.environ["PLD"], "batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True) as process:
            for i in range(3):
                process.stdin.write(question(id=i) + "\n")
                process.stdin.flush()
                self.assertEqual(json.loads(process.stdout.readline())["id"], i)
            process.stdin.close()
            self.assertEqual(process.wait(), 0)

    def test_stdout_that_cannot_be_written(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([os.environ["PLD"], "batch"], input=question() + "\n", stdout=full,
                                  stderr=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, done.stderr), (1, "pld: cannot write to standard output\n"))

    def test_memory_does_not_grow_with_the_lines(self):
        def peak(lines):
            """Largest resident set of a batch of so many lines, in KiB."""
            text = (question() + "\n") * 1000
            with subprocess.Popen([os.environ["PLD"], "batch"], stdin=subprocess.PIPE,
                                  stdout=subprocess.DEVNULL) as process:
                for _ in range(lines // 1000):
                    process.stdin.write(text.encode())
                process.stdin.close()
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = status
            self.assertEqual(status, 0)
            return usage.ru_maxrss

        few, many = peak(1000), peak(30000)
        self.assertLess(many, few + 3000)  # the questions alone are 3.4 MB, with their answers 10 MB


if __name__ == "__main__":
    unittest.main()
