"""docs/json.md says every field that a command prints with --json, and no other."""
import json
import os
import pathlib
import re
import tempfile
import unittest

from command import pld

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "json.md"
SCALARS = {
    "number": lambda v: v in ("inf", "-inf") if isinstance(v, str) else type(v) in (int, float),
    "whole": lambda v: type(v) is int,
    "text": lambda v: isinstance(v, str),
    "flag": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
}
ENDS = ("lower", "estimate", "upper")
TARGETS = ({"epsilon", "delta"}, {"advantage"}, {"fpr", "tpr"}, {"mu"}, {"rho"})


def is_number(value):
    return SCALARS["number"](value)


def is_array(value, element):
    return isinstance(value, list) and all(map(element, value))


def is_bracket(value, lower_may_be_null=False):
    return (isinstance(value, dict) and tuple(value) == ENDS and all(map(is_number, list(value.values())[1:]))
            and (is_number(value["lower"]) or (lower_may_be_null and value["lower"] is None)))


def is_mechanism(value, open_too=False):
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        return False
    numbers = [v for key, v in value.items() if key not in ("type", "sampling", "assumed_sampler")] + list(value.get("sampling", {}).values())
    return all(is_number(v) or is_array(v, is_number) or (open_too and isinstance(v, str) and v.startswith("?"))
               for v in numbers)


COMPOUND = {
    "numbers": lambda v: is_array(v, is_number),
    "texts": lambda v: is_array(v, SCALARS["text"]),
    "columns": lambda v: isinstance(v, dict) and tuple(v) == ENDS
    and all(is_array(end, lambda x: is_number(x) or x is None) for end in v.values()),
    "bracket": is_bracket,
    "finding": lambda v: is_bracket(v, lower_may_be_null=True),
    "finding and exact": lambda v: isinstance(v.pop("exact", None), bool) and v.pop("only_guaranteed", True) is True
    and isinstance(v.pop("converged", True), bool)
    and is_bracket(v, lower_may_be_null=True),
    "mechanism": is_mechanism,
    "open mechanism": lambda v: is_mechanism(v, open_too=True),
    "target": lambda v: isinstance(v, dict) and set(v) in TARGETS and all(map(is_number, v.values())),
}


def sections():
    """Heading -> {field: type} of each table with a column "field"."""
    found, heading = {}, None
    for line in PAGE.read_text().split("\n"):
        if line.startswith("## "):
            heading = line[3:]
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 3 and cells[0].startswith("`"):
            for field in re.findall(r"`([^`]+)`", cells[0]):
                found.setdefault(heading, {})[field] = cells[1]
    return found


class Fields:
    """What of a section has been seen, and what was not there."""

    def __init__(self, documented):
        self.documented = documented
        self.patterns = {field: re.compile(re.escape(field).replace("NAME", ".+") + "$") for field in documented}
        self.seen, self.wrong = set(), set()

    def known(self, path):
        return next((field for field, pattern in self.patterns.items() if pattern.match(path)), None)

    def read(self, value, path=""):
        field = self.known(path)
        if field and not (value is not None and self.documented[field] == "null"):
            self.seen.add(field)
            types = self.documented[field].split(" or ")
            checks = [{**SCALARS, **COMPOUND}[t] for t in types]
            if not any(check(value) for check in checks):
                self.wrong.add(f"{path} is {value!r:.60}, not {self.documented[field]}")
        elif isinstance(value, dict):
            for key, inner in value.items():
                self.read(inner, f"{path}.{key}" if path else key)
        elif isinstance(value, list):
            for inner in value:
                self.read(inner, path + "[]")
        else:
            self.wrong.add(f"{path} is not documented")


GAUSSIAN, UPPER, GUARANTEE = "gaussian:sigma=2,count=3", "exponential:epsilon=0.5,count=2", "zcdp:rho=0.1"
REPLACED = ["--adjacency", "replace-one", "gaussian:sigma=2"]
QUERIES = {
    "epsilon": [["--delta", "1e-6", GAUSSIAN], ["--delta", "1e-6", "gaussian:sigma=2,q=0.01,count=9"],
                ["--delta", "1e-6", *REPLACED, "--group", "2", "zcdp:rho=0.1"], ["--delta", "1e-6", UPPER], ["--delta", "0", GAUSSIAN]],
    "delta": [["--epsilon", "1", GAUSSIAN], ["--epsilon", "inf", GAUSSIAN], ["--epsilon", "1", *REPLACED], ["--epsilon", "1", GUARANTEE]],
    "calibrate": [["--epsilon", "1", "--delta", "1e-6", "gaussian:sigma=?,count=3"], ["--mu", "1", "gaussian:sigma=?"],
                  ["--advantage", "0.1", "--fpr", "0.1", "--tpr", "0.2", "--rho", "1", "gaussian:sigma=?"],
                  ["--epsilon", "50", "--delta", "0.5", "gaussian:sigma=1,q=?"], ["--epsilon", "1", "--delta", "1e-6", "zcdp:rho=?"],
                  ["--advantage", "0.1", "--adjacency", "zero-out", "gaussian:sigma=?,shuffled=20"]],
    "compare": [["--delta", "1e-6", GAUSSIAN], ["--delta", "1e-6", "--claim", "1", GAUSSIAN], ["--delta", "1e-6", GUARANTEE]],
    "explain": [[GAUSSIAN, "laplace:scale=9"], [UPPER], [GUARANTEE]],
    "curve": [["--range", "0:1:3", GAUSSIAN], ["--range", "0:1:3", GUARANTEE], ["--of", "tradeoff", "--range", "0:1:3", GAUSSIAN, "vs", UPPER],
              ["--of", "epsilon", "--against", "steps", "--delta", "1e-6", "--range", "1:3:3", "gaussian:sigma=2"]],
    "audit": [["--delta", "1e-5", "--true-positives", "20/50", "--false-positives", "10/50", GAUSSIAN],
              ["--delta", "1e-5", "--correct", "65/100", "--canaries", "1000", "--claim", "2"]],
    "mechanisms": [[]],
}
COMPOSED = {"epsilon": "", "delta": "", "calibrate": "", "compare": "", "explain": "", "audit": "",
            "curve": "compositions[]."}


class JsonTest(unittest.TestCase):
    maxDiff = None

    def printed(self, *words):
        done = pld(*words)
        self.assertIn(done.returncode, (0, 3, 4), (words, done.stderr))
        return [json.loads(line) for line in done.stdout.splitlines()]

    def check(self, documented, answers):
        fields = Fields(documented)
        for answer in answers:
            fields.read(answer)
        self.assertEqual(fields.wrong, set())
        self.assertEqual(set(documented) - fields.seen, set(), "documented, but never printed")

    def test_queries(self):
        page = sections()
        shared, common_seen = page["Fields that all queries share"], set()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        budget = folder.name + "/budget"
        self.printed("ledger", "init", budget, "--epsilon", "1", "--delta", "1e-6", "--json")
        self.printed("ledger", "spend", budget, GAUSSIAN.replace("=2", "=90"), "--json")
        training = ["--dataset-size", "6400", "--batch", "64", "--epochs", "1"]
        for command, runs in QUERIES.items():
            if command in COMPOSED:  # what they take for granted
                one = [word.replace(",count=3", "") for word in runs[0] if not word.startswith("laplace")]
                runs = runs + [[*one, *training], [*one, "--ledger", budget]]
            with self.subTest(command=command):
                answers = [answer for run in runs for answer in self.printed(command, *run, "--json")]
                if command in COMPOSED:
                    self.assertEqual([answer.get("assumed") for answer in answers[-2:]], [{"sampler": "poisson"}, {"ledger": "fixed in advance"}])
                documented = dict(page[command])
                if command in COMPOSED:
                    common = {COMPOSED[command] + field if field.split(".")[0] not in ("asked_direction", "tolerance", "version", "assumed") else field:
                              kind for field, kind in shared.items()}
                    fields = Fields(common)
                    for answer in answers:
                        for field in common:
                            common_seen.update({field.removeprefix(COMPOSED[command])} if self.has(answer, field) else ())
                    documented.update({field: kind for field, kind in fields.documented.items()
                                       if any(self.has(answer, field) for answer in answers)})
                self.check(documented, answers)
        self.assertEqual(set(shared) - common_seen, set())

    def has(self, value, field):
        for key in field.split("."):
            value = value[0] if isinstance(value, list) and value else value
            if not isinstance(value, dict) or key.removesuffix("[]") not in value:
                return False
            value = value[key.removesuffix("[]")]
        return True

    def test_ledger(self):
        page = sections()
        with tempfile.TemporaryDirectory() as folder:
            path = lambda name: os.path.join(folder, name)
            target = ["--epsilon", "3", "--delta", "1e-6"]
            states, spends, lists = [], [], []
            ledger = lambda *words: self.printed("ledger", *words, "--json")
            states += ledger("init", path("a"), *target)
            spends += ledger("spend", path("a"), "gaussian:sigma=20", "--token", "t", "--name", "n", "--note", "why")
            states += ledger("status", path("a"), "gaussian:sigma=20")
            undone = ledger("undo", path("a"), "1")
            lists += ledger("list", path("a"))
            pld("ledger", "export", path("a"), "--output", path("lines"))
            states += ledger("import", path("b"), path("lines"))
            states += ledger("init", path("g"), *target, "--group", "2")
            spends += ledger("spend", path("g"), "gaussian:sigma=50")
            states += ledger("init", path("p"), "--kind", "planned", *target, "gaussian:sigma=20,count=3")
            spends += ledger("spend", path("p"), "gaussian:sigma=20")
            spends += ledger("spend", path("p"), "gaussian:sigma=2")
            run = ("--dataset-size", "500", "--batch", "50", "--epochs", "1", "gaussian:sigma=20")
            spends += ledger("spend", path("a"), *run)
            states += ledger("status", path("a"), *run) + ledger("init", path("q"), *target, *run)  # which takes the filter renyi
            spends += ledger("spend", path("q"), *run)
            found = [calibrated for words in (("a", "gaussian:sigma=?"), ("g", "laplace:scale=?"), ("a", "gaussian:sigma=50,q=?"), ("q", "gaussian:sigma=?", *run[:-1]))
                     for calibrated in self.printed("calibrate", "--ledger", path(words[0]), *words[1:], "--json")]
            states += ledger("status", path("p"))
            lists += ledger("list", path("p"))
        self.check(page["ledger init, ledger import, ledger status"], states)
        self.check(page["ledger spend"], spends)
        self.check(page["calibrate to a budget"], found)
        self.check(page["ledger list"], lists)
        self.check(page["ledger undo"], undone)

    def test_batch(self):
        done = pld("batch", stdin='{"id":"a"}\n{"id":7}\nno JSON\n')
        page = sections()
        self.check(page["A line of batch that is refused"], [json.loads(line) for line in done.stdout.splitlines()])
        lines = [json.dumps({"query": query, "mechanisms": [GAUSSIAN, "gaussian:sigma=2,batch=1,dataset=9"][:1 if query in ("mu", "rho") else 2], **more})
                 for query, more in (("advantage", {}), ("tpr", {"fpr": 0.1}), ("mu", {}), ("rho", {}))]
        lines.append(json.dumps({"query": "rho", "mechanisms": [GUARANTEE]}))
        shared = {field: kind for field, kind in page["Fields that all queries share"].items()
                  if not field.startswith(("group", "accounted_as", "assumed.ledger"))}
        answers = pld("batch", stdin="\n".join(lines)).stdout.splitlines()
        self.check({**page["advantage, tpr, mu, rho (lines of batch)"], **shared}, map(json.loads, answers))

    def test_every_command_is_here(self):
        text = {"help", "completion", "man-page", "batch", "export"}  # see the page's first lines
        names = set(re.findall(r"^  ([a-z-]+)  ", pld("--help").stdout.split("Subcommands:")[1], re.M))
        self.assertEqual(names - text - set(QUERIES), {"ledger"})


if __name__ == "__main__":
    unittest.main()
