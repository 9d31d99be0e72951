"""pld batch: one answer a line, in order, whatever the lines are."""
import json
import math
import os
import statistics
import subprocess
import time
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

    def test_what_calibrate_limits_is_read_off(self):
        run = ["gaussian:sigma=0.8,q=0.005,count=1000"]
        lines = [json.dumps({"query": query, "mechanisms": run, **more}) for query, more in
                 [("advantage", {}), ("tpr", {"fpr": 0.01}), ("tpr", {"fpr": 0.001, "direction": "add"})]]
        advantage, tpr, one_way = self.answers(lines)
        page = self.answer("explain", *run)
        for got, want in [(advantage["advantage"], page["advantage"]), (tpr["tpr"], page["tpr_at_fpr"]["0.01"])]:
            self.assertTrue(got["lower"] <= want["upper"] and want["lower"] <= got["upper"], (got, want))
            self.assertLessEqual(got["upper"] - got["lower"], 1e-3 * got["upper"])
        self.assertEqual((tpr["query"], tpr["fpr"], tpr["exact"], tpr["converged"]), ("tpr", 0.01, True, True))
        self.assertLessEqual(one_way["tpr"]["upper"], page["tpr_at_fpr"]["0.001"]["upper"] * 1.01)
        self.assertEqual(one_way["asked_direction"], "add")
        # By theorems: Gaussians of mu .3 and .4 have .5, and rho .125.
        both = ["gaussian:sigma=10,sensitivity=3", "gaussian:sigma=10,sensitivity=4"]
        mu, rho, wide = self.answers([json.dumps({"query": "mu", "mechanisms": both}), json.dumps({"query": "rho", "mechanisms": both}),
                                      json.dumps({"query": "mu", "mechanisms": both, "adjacency": "replace-one"})])
        guarantee, = self.answers([json.dumps({"query": "rho", "mechanisms": ["zcdp:rho=0.1"]})])
        self.assertEqual((guarantee["exact"], guarantee["only_guaranteed"]), (False, True))
        for mechanism in ("zcdp:rho=0.1", "exponential:epsilon=0.5,count=20"):  # as the page has it
            found, = self.answers([json.dumps({"query": "rho", "mechanisms": [mechanism]})])
            self.assertEqual(found["rho"], self.answer("explain", mechanism)["zcdp_rho"])
            self.assertGreater(found["rho"]["lower"], 0)
        for query in ({"query": "epsilon", "delta": 1e-6}, {"query": "delta", "epsilon": 1}, {"query": "advantage"},
                      {"query": "tpr", "fpr": 0.01}, {"query": "rho"}):
            with self.subTest(query=query):
                known, named = self.answers([json.dumps({**query, "mechanisms": [one]}) for one in ("zcdp:rho=0.1", "exponential:epsilon=1")])
                self.assertEqual((known.get("only_guaranteed"), named.get("only_guaranteed")), (True, None))
        # Of sampled noise known to about 1e-5, which is what converged tells.
        for mechanism, tolerance in (("laplace:scale=2,q=0.1", 1e-3), ("laplace:scale=2,q=0.1", 1e-9), ("gaussian:sigma=20,wor=0.5", 1e-5)):
            with self.subTest(mechanism=mechanism, tolerance=tolerance):
                found, = self.answers([json.dumps({"query": "rho", "adjacency": "replace-one", "tolerance": tolerance, "mechanisms": [mechanism]})])
                ends = found["rho"]
                self.assertEqual(found["converged"], ends["upper"] - ends["lower"] <= tolerance * ends["lower"])
                self.assertEqual(found["converged"], tolerance > 1e-9)
        found, = self.answers([json.dumps({"query": "calibrate", "epsilon": 1, "delta": 1e-6, "mechanisms": [{"type": "zcdp", "rho": "?"}]})])
        self.assertTrue(all(one["only_guaranteed"] for one in found["chosen"]["attained"] + found["next"]["attained"]))
        for got, want in [(mu["mu"], 0.5), (rho["rho"], 0.125), (wide["mu"], 1)]:
            self.assertTrue(got["lower"] <= want <= got["upper"] and got["upper"] - got["lower"] < 1e-12, got)

    def test_mu_is_known_from_below_where_calibrate_knows_it(self):
        for mechanism in ("gaussian:sigma=%s,allocation=3", "gaussian:sigma=%s,allocation=3,passes=2", "laplace:scale=%s"):
            with self.subTest(mechanism=mechanism):
                limited = self.answer("calibrate", "--mu", "0.5", mechanism % "?")["chosen"]
                found, = self.answers([json.dumps({"query": "mu", "tolerance": 1e-5, "mechanisms": [mechanism % limited["value"]]})])
                self.assertEqual({**found["mu"], "exact": found["exact"]}, limited["attained"][0])
                self.assertTrue(0.4999 < found["mu"]["lower"] <= 0.5, found)
                self.assertEqual(found["exact"], mechanism.startswith("laplace"))

    def test_false_positive_rates_from_0_to_1_as_a_curve_s(self):
        for fpr in (0, 1):
            found, = self.answers([json.dumps({"query": "tpr", "fpr": fpr, "mechanisms": ["dp:epsilon=1,delta=0.25"]})])
            curve = json.loads(pld("curve", "--of", "tradeoff", "--range", "0:1:2", "--json", "dp:epsilon=1,delta=0.25").stdout)
            power = curve["compositions"][0]["power"]
            self.assertEqual(found["tpr"], {end: power[end][fpr] for end in power})
            self.assertTrue(found["converged"])

    def test_nothing_composed_loses_nothing(self):
        # Of a group of three, each in the sample or not, the mu of the records add up: less than that of their largest loss, 3 log(1 + q (e^eps - 1)).
        sampled = "randomized-response:p=0.75,q=0.1"
        one, three = self.answers([json.dumps({"query": "mu", "group": group, "mechanisms": [sampled]}) for group in (1, 3)])
        loss = 3 * math.log1p(0.1 * 2)
        of_loss = 2 * statistics.NormalDist().inv_cdf(math.exp(loss) / (1 + math.exp(loss)))
        self.assertAlmostEqual(three["mu"]["upper"], 3 * one["mu"]["upper"], delta=1e-9)
        self.assertTrue(three["mu"]["upper"] < 0.7 * of_loss, (three, of_loss))
        group = {"group": 3, "mechanisms": [sampled]}
        for query in ("advantage", "mu", "rho"):
            found, = self.answers([json.dumps({"id": None, "query": query, "mechanisms": []})])
            self.assertEqual((found["id"], found[query], found["converged"]), (None, {"lower": 0, "estimate": 0, "upper": 0}, True))

    def test_mechanisms_in_the_command_line_s_words(self):
        words = ["gaussian:sigma=5,count=10"]
        by_words, by_object, bad = self.answers(
            [question(mechanisms=words), question(), question(mechanisms=["laplace:scal=4"])])
        self.assertEqual(by_words["epsilon"], by_object["epsilon"])
        self.assertIn("mechanisms[0]: laplace: parameter 'scal'", bad["error"])
        found = self.answers([question(query="calibrate", epsilon=1, mechanisms=["gaussian:sigma=?,count=3"])])
        self.assertEqual(found[0]["unknown"], "sigma")
        refused = self.answers([question(query="calibrate", epsilon=1, mechanisms=["gaussian:sigm=?"])])
        self.assertIn("mechanisms[0]: ", refused[0]["error"])

    def test_samplings_by_the_command_line_s_words(self):
        def with_sampling(**numbers):
            return question(mechanisms=[{**GAUSSIAN, "sampling": numbers}])
        same = [({"q": 0.01}, {"poisson": 0.01}), ({"wor": 0.01}, {"without_replacement": 0.01}),
                ({"truncated": 0.01, "cap": 3, "records": 100}, {"truncated_poisson": 0.01, "largest_batch": 3, "records": 100})]
        for words, fields in same:
            by_words, by_fields = self.answers([with_sampling(**words), with_sampling(**fields)])
            self.assertEqual([by_words[key] for key in ("epsilon", "mechanisms")], [by_fields[key] for key in ("epsilon", "mechanisms")])
        opened = {**GAUSSIAN, "sampling": {"q": "?"}}
        found = self.answers([question(query="calibrate", epsilon=1, mechanisms=[opened])])
        self.assertEqual(found[0]["unknown"], "q")
        for numbers, says in (({"q": 0.1, "poisson": 0.1}, "q and poisson are one number"), ({"rate": 0.1}, "did you mean poisson?"),
                              ({"truncated": 0.1, "cap": 3}, "beside largest_batch and truncated_poisson must be given records"),
                              ({"participations": 3}, "beside participations must be given allocation"),
                              ({"batch": 3, "dataset": 9, "q": 0.1}, "batch with dataset must be given alone"),
                              ({"q": 0.1, "shuffled": 3}, "one of poisson, without_replacement, ")):
            self.assertIn(says, self.answers([with_sampling(**numbers)])[0]["error"], numbers)

    def test_what_is_taken_for_granted_is_said(self):
        sizes = {"type": "gaussian", "sigma": 9, "batch": 50, "dataset": 500}
        opened = {"query": "calibrate", "epsilon": 1, "mechanisms": [{**sizes, "sigma": "?"}]}
        lines = [{}, {"query": "delta", "delta": None, "epsilon": 1}, {"query": "advantage"}, {"query": "tpr", "fpr": 0.1}, opened]
        for line in lines:
            line = {"mechanisms": [sizes], **line}
            fields = {key: value for key, value in json.loads(question(**line)).items() if value is not None}
            if fields["query"] in ("advantage", "tpr"):
                del fields["delta"]
            named = json.loads(json.dumps(fields).replace('"batch"', '"sampler": "fixed-size", "batch"'))
            said, asked = self.answers([json.dumps(fields), json.dumps(named)])
            self.assertEqual(said.pop("assumed"), {"sampler": "fixed-size"}, said)
            del said["seconds"], asked["seconds"]
            self.assertEqual(said, asked)

    def test_words_of_a_mechanism_beside_the_query(self):
        for field, word in (("batch", "batch"), ("dataset_size", "dataset"), ("epochs", "epochs"), ("sampler", "sampler")):
            line = {"query": "epsilon", "delta": 1e-5, field: 30, "mechanisms": [{"type": "gaussian", "sigma": 1}]}
            self.assertIn(f'field "{field}" is not known (it belongs to a mechanism: {{"type": ..., "{word}": ...}})', self.answers([json.dumps(line)])[0]["error"])

    def test_an_unknown_by_the_words_of_training(self):
        run = {"type": "gaussian", "sampler": "poisson", "batch": 256, "dataset": 50000}
        for fields, text in (({**run, "noise_multiplier": "?", "epochs": 3}, "noise_multiplier=?,epochs=3"),
                             ({**run, "sigma": 1, "epochs": "?"}, "sigma=1,epochs=?"),
                             ({"type": "gaussian", "sigma": 1, "q": "?", "steps": 9}, "sigma=1,q=?,steps=9"),
                             ({"type": "gaussian", "sigma": 1, "sampler": "truncated", "dataset": 500, "cap": 90, "batch": "?"},
                              "sigma=1,sampler=truncated,batch=?,dataset=500,cap=90")):
            by_fields, = self.answers([question(query="calibrate", epsilon=1, mechanisms=[fields])])
            sizes = ",sampler=poisson,batch=256,dataset=50000" if fields.get("batch") == 256 else ""
            by_text, = self.answers([question(query="calibrate", epsilon=1, mechanisms=["gaussian:" + text + sizes])])
            del by_fields["seconds"], by_text["seconds"]
            self.assertEqual(by_fields, by_text)
            again, = self.answers([question(query="calibrate", epsilon=1, mechanisms=by_text["mechanisms"])])
            self.assertEqual(again.get("value"), by_text["value"], again)
        table = {"type": "mass-table", "p": [0.5, 0.5], "q": "?"}
        for fields, says in (({**run, "sigma": 1, "dataset": "?"}, "dataset is '?', but must be the size of the data at hand"), (table, "a list of numbers"),
                             ({"type": "gaussian", "sigma": "x"}, "sigma is 'x', but must be a finite number")):
            self.assertIn(says, self.answers([question(query="calibrate", epsilon=1, mechanisms=[fields])])[0]["error"])
        # What is fixed beside it may be a selection.
        best = {"tries": "geometric:mean=2", "mechanisms": ["gaussian:sigma=90"]}
        found, = self.answers([question(query="calibrate", epsilon=1, mechanisms=[best, {"type": "gaussian", "sigma": "?"}])])
        self.assertEqual(found.get("unknown"), "sigma", found)

    def test_a_string_says_a_number_as_the_command_line_does(self):
        same = lambda answer: {field: value for field, value in answer.items() if field != "seconds"}
        for said, written in (
                ({"query": "epsilon", "delta": "1/60000", "group": "2", "tolerance": "1e-6",
                  "mechanisms": [{"type": "gaussian", "sigma": "1/2", "q": "256/768", "steps": "1e1"}]},
                 {"query": "epsilon", "delta": 1 / 60000, "group": 2, "tolerance": 1e-6, "mechanisms": ["gaussian:sigma=0.5,q=256/768,steps=10"]}),
                ({"query": "tpr", "fpr": "1%", "mechanisms": ["gaussian:sigma=1"]}, {"query": "tpr", "fpr": 0.01, "mechanisms": ["gaussian:sigma=1"]}),
                ({"query": "calibrate", "epsilon": "1", "delta": "1e-5", "targets": [{"advantage": "10%"}],
                  "mechanisms": [{"type": "gaussian", "sigma": "?", "q": "1/3", "steps": "10"}]},
                 {"query": "calibrate", "epsilon": 1, "delta": 1e-5, "targets": [{"advantage": 0.1}], "mechanisms": ["gaussian:sigma=?,q=1/3,steps=10"]})):
            first, second = self.answers([json.dumps(said), json.dumps(written)])
            self.assertNotIn("error", first)
            self.assertEqual(same(first), same(second))
        for fields, says in (({"delta": "x"}, "query: delta is 'x', but must be a finite number"), ({"delta": "inf"}, "delta is 'inf'"),
                             ({"delta": True}, "delta is true, but must be a number")):
            self.assertIn(says, self.answers([question(**fields)])[0]["error"])
        quotient, infinity = ' (quotients and percentages are strings: "1/60000", "0.5%")', ' (an infinity is the string "inf")'
        for number, hint in (("1/60000", quotient), ("0.5%", quotient), ("Infinity", infinity), ("-Infinity", infinity), ("x", ""), ("1 2", "")):
            told = self.answers(['{"query":"epsilon","mechanisms":[],"delta":%s}' % number])[0]["error"]
            self.assertTrue(told.endswith("each number a double" + hint), told)

    def test_blank_lines_have_no_answer(self):
        done = pld("batch", stdin=f"\n{question(id=1)}\n \t\r\n{{\n")
        got = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([answer["id"] for answer in got], [1, None])
        self.assertEqual(got[1]["line"], 4)  # of the input

    def test_order_is_kept(self):
        hard = {"type": "laplace", "scale": 50, "count": 200}  # slower by far than the others
        lines = [question(id=i, mechanisms=[hard] if i % 40 == 0 else [GAUSSIAN]) for i in range(200)]
        for threads in ("1", "7"):
            got = self.answers(lines, "--threads", threads)
            self.assertEqual([answer["id"] for answer in got], list(range(200)))
            self.assertTrue(all("epsilon" in answer for answer in got))

    def test_an_answer_does_not_depend_on_those_before_it(self):
        def line(epsilon, mechanism):
            return json.dumps({"query": "delta", "epsilon": epsilon, "mechanisms": [mechanism]})

        few, once, thrice = ("gaussian:sigma=2.2731,allocation=1000,count=10", "gaussian:sigma=1.54,allocation=2474",
                             "gaussian:sigma=1.54,allocation=2474,count=3")
        lines = [line(1.798, few), line(1.798, few), *(line(epsilon, once) for epsilon in (0.01, 0.6733333333, 1.005, 1.3366, 2)),
                 line(0.01, thrice), line(0.6733333333, thrice)]
        together = self.answers(lines, "--threads", "1")
        self.assertFalse(together[-1]["converged"])  # all the work that there is
        for alone, among in ((self.answers(lines[:1]), together[1]), (self.answers(lines[-1:]), together[-1])):
            self.assertEqual([alone[0][key] for key in ("delta", "log_delta")], [among[key] for key in ("delta", "log_delta")])

    def test_bad_lines_do_not_stop_the_others(self):
        bad = [
            ("{", None, ["column 2: it must be JSON, each field once"]),
            ("[]", None, ["object"]),
            ("7", None, ["object"]),
            ("\x01", None, ["column 1"]),
            (question(id="a", delta=2), "a", ["delta is 2", "from 0 to 1"]),
            (question(id="b", delta="inf"), "b", ["delta", "number"]),
            (question(id="c", query="curve"), "c", ["'curve'", "epsilon, delta, advantage, tpr, mu, rho, calibrate"]),
            (question(id="d", colour="red"), "d", ["colour"]),
            (question(id="e", mechanisms=[{"type": "gaus"}]), "e", ["mechanisms[0]", "'gaus'"]),
            (question(id=1.5, mechanisms=7), 1.5, ["mechanisms is 7"]),
            (question(id=[1]), None, ["id is an array"]),
            ('{"id":' + "[" * 99 + "]" * 99 + "}", None, ["id is an array"]),
            ('{"id":' + "[" * 100000 + "]" * 100000 + "}", None, ["column 106: JSON is nested more than 100 deep"]),
            ('{"id":"t","query":"calibrate","mechanisms":[' + "[" * 140000 + "]" * 140000 + "]}", "t", ["nested more than 100 deep"]),
            ('{"id":"u","query":"mu","mechanisms":[' + "7," * 1000000 + "7]}", "u", ["JSON is more than a million values"]),
            ('{"id":9}', 9, ["query is missing"]),
            (question(id=12345678901234567890123), None, ["id is a number of too many digits, but must be a string"]),
            (question(id=2**53 + 1, delta=2), 2**53 + 1, ["delta is 2"]),
            ('{"id":3,"id":4}', None, ["twice"]),
            ('{"id":"i","delta":1,"delta":1}', "i", ["'delta' is given twice"]),
            ('{"id":-5,"query":', -5, ["column 18: it must be JSON"]),
            (question(id="v") + "\0" + question(id="w"), "v", [f"column {len(question(id='v')) + 1}: it must be JSON"]),
            ('{"a":{"id":6},"id":[1],"b":7,"b":8}', None, ["twice"]),
            ('{"mechanisms":[{"id":6,"id":6}],"id":7.5}', 7.5, ["twice"]),
            (question(id="j", mechanisms=[{**GAUSSIAN, "q": 2}]), "j", ["q is 2"]),
            (question(id="k", mechanisms=[{**GAUSSIAN, "batch": 1}]), "k", ["batch and dataset belong together"]),
            (question(id="l", mechanisms=[{**GAUSSIAN, "steps": 1}]), "l", ["count is given twice"]),
            (question(id="m", mechanisms=[{**GAUSSIAN, "noise_multiplier": 1}]), "m", ["sigma is given twice"]),
            (question(id="n", mechanisms=[{**GAUSSIAN, "name": "US"}]), "n", ["a spend's"]),
            (question(id="o", query="tpr", delta=None), "o", ['"delta"']),
            ('{"id":"p","query":"tpr","fpr":2,"mechanisms":[]}', "p", ["fpr is 2, but must be from 0 to 1"]),
            ('{"id":true,"query":"mu","mechanisms":[]}', None, ["query: id is true, but must be a string or a number"]),
            ('{"id":"q","query":"tpr","mechanisms":[]}', "q", ["fpr is missing"]),
            ('{"id":"r","query":"rho","rho":1,"mechanisms":[]}', "r", ['"rho" is not known']),
            ('{"id":"s","query":"mu","mechanisms":["skellam:variance=9"]}', "s", ["mu: mechanism is skellam:variance=9, but must be a Gaussian"]),
            (question(id="f", engine="fast"), "f", ["'fast'"]),
            (question(id="g", direction="up"), "g", ["'up'"]),
            (question(id="h", tolerance=0), "h", ["tolerance is 0"]),
            *((f'{{"id":"{query}","query":"{query}","tolerance":-1,"mechanisms":["gaussian:sigma=5"]}}', query, [f"{query}: tolerance is -1, but must be > 0 and finite"])
              for query in ("mu", "rho", "advantage")),
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

    def test_no_line_takes_time_that_grows_like_a_power(self):
        selection = GAUSSIAN
        for _ in range(45):
            selection = {"tries": "geometric:mean=2", "mechanisms": [selection]}
        start = time.monotonic()
        (answer,) = self.answers([question(mechanisms=[selection])])
        self.assertEqual((answer["exact"], answer["epsilon"]["lower"]), (False, None))
        self.assertLess(time.monotonic() - start, 30)

    def test_a_line_has_its_time(self):
        dear = ["gaussian:sigma=2,allocation=300,count=30"]
        short, whole = (self.answers([question(id=7, delta=0.01, tolerance=1e-7, mechanisms=dear)], "--timeout", seconds)[0] for seconds in ("1e-6", "1000"))
        self.assertEqual((short["id"], short["converged"]), (7, False))
        ends = [end for answer in (short, whole) for end in (answer["epsilon"]["lower"], answer["epsilon"]["upper"])]
        low, high, least, most = (float(end) for end in ends)
        self.assertTrue(low <= least <= most <= high and high - low > 10 * (most - least), ends)
        for bad in ("0", "-1", "soon"):
            done = pld("batch", "--timeout", bad, stdin=question() + "\n")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertTrue(done.stderr.startswith("pld: batch: timeout is "), done.stderr)

    def test_input_that_cannot_be_read_to_its_end(self):
        done = subprocess.run(["bash", "-c", "ulimit -v 300000; exec \"$PLD\" batch --threads 1"], capture_output=True,
                              input=question(id=1) + "\n" + " " * 200_000_000 + "\n" + question(id=2) + "\n", text=True)
        self.assertEqual((done.returncode, json.loads(done.stdout)["id"]), (1, 1))
        self.assertEqual(done.stderr, "pld: standard input cannot be read to its end\n")

    def test_threads_that_cannot_be_started(self):
        for kilobytes, answers in ((400000, 3), (20000, 0)):  # a thread takes 8 MB
            limited = f"ulimit -v {kilobytes}; exec \"$PLD\" batch --threads 4096"
            done = subprocess.run(["bash", "-c", limited], input=(question(id=1) + "\n") * 3, capture_output=True, text=True)
            if answers == 0 and "thread" not in done.stderr:
                continue  # the command itself may not fit
            self.assertEqual((done.returncode, done.stdout.count("\n")), (0 if answers else 1, answers), done.stderr)

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
