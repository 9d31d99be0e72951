"""`pld mechanisms` tells what the words take, and nothing else."""
import json
import re
import tempfile
import unittest

from command import CommandTest, pld

PARAMETERS = {
    "gaussian": ["sigma", "sensitivity", "replace_sensitivity", "attained_sensitivity"],
    "laplace": ["scale", "sensitivity", "replace_sensitivity"],
    "logistic": ["scale", "sensitivity"],
    "generalized": ["shape", "scale", "sensitivity"],
    "sinh-normal": ["sigma", "a", "sensitivity"],
    "truncated-laplace": ["scale", "bound", "sensitivity"],
    "randomized-response": ["p", "k"],
    "exponential": ["epsilon"],
    "report-noisy-max": ["scale", "sensitivity"],
    "permute-and-flip": ["epsilon"],
    "dp": ["epsilon", "delta"],
    "discrete-laplace": ["a", "sensitivity", "replace_sensitivity"],
    "discrete-gaussian": ["sigma", "sensitivity", "replace_sensitivity"],
    "binomial": ["n", "p", "sensitivity", "replace_sensitivity"],
    "skellam": ["variance", "sensitivity", "replace_sensitivity"],
    "poisson-difference": ["plus", "minus", "sensitivity", "replace_sensitivity"],
    "integer-noise": ["masses", "sensitivity", "replace_sensitivity"],
    "mass-table": ["p", "q"],
    "gaussian-mixture": ["sigma", "shifts", "weights"],
    "dp-points": ["epsilons", "deltas"],
    "trade-off": ["alphas", "betas"],
    "zcdp": ["rho", "xi"],
    "tcdp": ["rho", "omega"],
    "rdp": ["orders", "epsilons"],
}


class Mechanisms(CommandTest):
    def test_list(self):
        done = pld("mechanisms")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        listed = {}
        for paragraph in done.stdout.split("\n\n"):
            name = re.match(r"([a-z-]+): ", paragraph)
            if name:
                fields = re.findall(r"^    (\w+): (.+)$", paragraph, re.MULTILINE)
                self.assertEqual(fields[-1][0], "source", paragraph)
                listed[name[1]] = [field for field, _ in fields[:-1]]
        self.assertEqual(listed, PARAMETERS)

    def test_markdown(self):
        done = pld("mechanisms", "--markdown")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        types, defaults, known, legend = done.stdout.split("\n\n")
        self.assertIn("In parentheses", defaults)
        head, rule, *rows = types.splitlines()
        self.assertEqual({re.subn(r"(?<!\\)\|", "", row)[1] for row in (head, rule, *rows)}, {5})
        listed = {re.match(r"\| `([a-z-]+)`", row)[1]: re.findall(r"`(\w+)`", re.split(r"(?<!\\)\|", row)[3]) for row in rows}
        self.assertEqual(listed, PARAMETERS)
        head, rule, *rows = known.splitlines()
        schemes = head.lower().strip("| ").split(" | ")[1:]
        self.assertEqual(schemes, ["all data", "poisson", "without replacement", "random allocation", "several steps", "persistent bins",
                                   "shuffled", "truncated poisson"])
        cells = {}
        for row in rows:
            types, *known = row.strip("| ").split(" | ")
            of_relations = [word for cell in known for word in (cell.split(", ") if "," in cell else 3 * [cell])]
            for name in types.split(", "):
                self.assertNotIn(name.strip("`"), cells)
                cells[name.strip("`")] = of_relations
        self.assertEqual(cells.keys(), PARAMETERS.keys())
        self.assertEqual(len(rows), len({tuple(row) for row in cells.values()}))
        self.assertEqual({len(row) for row in cells.values()}, {3 * len(schemes)})
        self.assertEqual({cell for row in cells.values() for cell in row}, {"exact", "alone", "upper", "refused"})
        exact, alone, upper, refused = "exact", "alone", "upper", "refused"
        allocated, several = [exact, upper, exact], [upper] * 3
        known = {name: row[:21] for name, row in cells.items()}
        rest = allocated + several + allocated + [refused, upper, upper]
        self.assertEqual(known["gaussian"], [exact] * 7 + [alone, alone] + rest)
        self.assertEqual(known["discrete-gaussian"], [exact] * 7 + [alone, upper] + rest)
        self.assertEqual(known["dp"], [exact, exact, exact, exact, refused, exact, refused, alone, refused] + allocated + several
                         + allocated + [refused, upper, upper])
        self.assertEqual(known["exponential"], [alone] * 4 + [upper] + [alone] * 3 + [upper] + 3 * several + [refused, upper, upper])
        self.assertEqual(known["gaussian-mixture"],
                         [exact, refused, exact, exact, refused, exact] + 3 * [refused] + [exact, refused, exact, upper, refused, upper]
                         + [exact, refused, exact] + [refused, refused, upper])
        self.assertIn("theorem 11", legend)

    def test_one_form_at_a_time(self):
        self.refused("mechanisms", "--json", "--markdown", says=["two forms"])

    def test_every_parameter_is_accepted_by_name(self):
        values = {"sigma": "5", "scale": "5", "p": "0.6", "epsilon": "0.5", "delta": "1e-9", "a": "5", "shape": "1.5",
                  "bound": "50", "k": "3", "n": "90", "variance": "30", "plus": "20", "minus": "9",
                  "masses": ".0625/.25/.375/.25/.0625", "shifts": "0/2", "weights": ".5/.5", "epsilons": ".5/1",
                  "deltas": "1e-3/1e-6", "orders": "2/8", "alphas": "0/.25/1", "betas": ".75/.375/0", "rho": ".1",
                  "xi": ".1", "omega": "20", "sensitivity": "2", "replace_sensitivity": "3",
                  "attained_sensitivity": "0"}  # not known beside replace_sensitivity
        for name, parameters in PARAMETERS.items():
            own = {**values, "p": ".75/.25", "q": ".25/.75"} if name == "mass-table" else values
            word = f"{name}:" + ",".join(f"{parameter}={own[parameter]}" for parameter in parameters)
            lower, _, upper = self.bracket("delta", "--epsilon", "0.1", word)
            self.assertTrue(0 < lower <= upper < 1, word)


class Lists(CommandTest):
    def test_words_files_and_ledgers_agree(self):
        table = {"p": [0.625, 0.25, 0.125], "q": [0.125, 0.25, 0.625]}
        texts = {".json": json.dumps(table),
                 ".csv": "q, p\r\n" + "".join(f"{q},{p}\r\n" for p, q in zip(table["p"], table["q"]))}
        answers = {self.bracket("delta", "--epsilon", "1", "mass-table:p=.625/.25/.125,q=.125/.25/.625,count=5")}
        texts[".marked.csv"] = "\ufeff" + texts[".csv"]  # a spreadsheet's "CSV UTF-8"
        texts[".blank.csv"] = texts[".csv"] + "\r\n \t\n\n"
        texts[".quoted.csv"] = '"p","q"\n' + "".join(f'"{p}", {q}\n' for p, q in zip(table["p"], table["q"]))  # as R writes words
        said = {"p": ["5/8", "25%", ".125"], "q": ["1/8", 0.25, "62.5%"]}  # cells of columns may be quotients too
        texts[".said.csv"] = "p,q\n" + "".join(f"{p},{q}\n" for p, q in zip(said["p"], said["q"]))
        texts[".said.json"] = json.dumps(said)
        for suffix, text in texts.items():
            with tempfile.NamedTemporaryFile("w", suffix=suffix, newline="", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                answers.add(self.bracket("delta", "--epsilon", "1", f"mass-table:file={file.name},count=5"))
                ledger = self.ledger(json.dumps({"mechanisms": [{"type": "mass-table", "file": file.name, "count": 5}]}))
                answers.add(self.bracket("delta", "--epsilon", "1", "--ledger", ledger))
        ledger = self.ledger(json.dumps({"mechanisms": [{"type": "mass-table", **table, "count": 5}]}))
        answers.add(self.bracket("delta", "--epsilon", "1", "--ledger", ledger))
        self.assertEqual(len(answers), 1, answers)


class Relations(CommandTest):
    def test_replacing_doubles_and_says_so(self):
        answer = self.answer("epsilon", "--delta", "1e-6", "--adjacency", "replace-one", "gaussian:sigma=2,count=3")
        self.assertEqual(answer["adjacency"], "replace-one")
        self.assertEqual(answer["accounted_as"],
                         [{"mechanism": "gaussian:sigma=2,sensitivity=2", "count": 3, "exact": True}])
        same = self.answer("epsilon", "--delta", "1e-6", "gaussian:sigma=2,sensitivity=2,count=3")
        self.assertEqual(answer["epsilon"], same["epsilon"])
        self.assertEqual(same["adjacency"], "add-remove")
        self.assertNotIn("accounted_as", same)
        said = pld("epsilon", "--delta", "1e-6", "--adjacency", "replace-one", "gaussian:sigma=2,count=3").stdout
        self.assertIn("adjacency replace-one", said)
        self.assertIn("gaussian:sigma=2 counts as gaussian:sigma=2,sensitivity=2", said)

    def test_every_way_to_name_a_batch(self):
        ledgers = [self.ledger(json.dumps({"adjacency": "replace-one", "mechanisms": [
            {"type": "gaussian", "sigma": 1, "sampling": sampling, "count": 50}]}))
            for sampling in ({"without_replacement": 0.01}, {"batch": 10, "dataset": 1000})]
        answers = {self.bracket("epsilon", "--delta", "1e-6", "--adjacency", "replace-one", word)
                   for word in ("gaussian:sigma=1,wor=.01,count=50", "gaussian:sigma=1,sampler=fixed-size,batch=10,dataset=1000,count=50")}
        answers |= {self.bracket("epsilon", "--delta", "1e-6", "--ledger", ledger) for ledger in ledgers}
        self.assertEqual(len(answers), 1, answers)
        poisson = self.bracket("epsilon", "--delta", "1e-6", "gaussian:sigma=1,q=.01,count=50")
        self.assertGreater(min(answers)[0], poisson[2])

    def test_batch_calibrate_and_budget_take_it(self):
        line = {"query": "delta", "epsilon": 1, "adjacency": "replace-one", "mechanisms": [{"type": "laplace", "scale": 4}]}
        got = json.loads(pld("batch", stdin=json.dumps(line) + "\n").stdout)
        self.assertEqual(got["accounted_as"][0]["mechanism"], "laplace:scale=4,sensitivity=2")
        value = {adjacency: self.answer("calibrate", "--epsilon", "1", "--delta", "1e-6", "--adjacency", adjacency,
                                        "gaussian:sigma=?")["value"] for adjacency in ("add-remove", "replace-one")}
        self.assertAlmostEqual(value["replace-one"] / value["add-remove"], 2, 4)
        with tempfile.TemporaryDirectory() as folder:
            file = folder + "/budget"
            pld("ledger", "init", file, "--epsilon", "1", "--delta", "1e-6", "--adjacency", "replace-one")
            self.assertEqual(pld("ledger", "spend", file, "gaussian:sigma=8").returncode, 4)
            self.assertEqual(pld("ledger", "spend", file, "gaussian:sigma=10").returncode, 0)
            self.assertIn("adjacency replace-one", pld("ledger", "status", file).stdout)


if __name__ == "__main__":
    unittest.main()
