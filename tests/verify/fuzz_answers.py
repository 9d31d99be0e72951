"""Fuzzes the checker of validation/verify with answers, receipts, exports and vectors that were changed somewhere.

usage: PLD=... python3 fuzz_answers.py FORMS DECISIONS   how many of each test; the same ones every time
"""
import copy
import importlib.util
import io
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from contextlib import ExitStack
from unittest import mock

try:
    from hypothesis import HealthCheck, given, settings, strategies as st
except ImportError:
    sys.exit(77)  # skipped
from answers import FALSE, NOT_PROVED, PROVED, claims_of, verdict_of
from attempts import Attempts
from chains import chained
from claims import BadInput, bracket
from random_answers import answers_to

ROOT = pathlib.Path(__file__).parents[2]
specification = importlib.util.spec_from_file_location("verify", ROOT / "validation" / "verify" / "__main__.py")
verify = importlib.util.module_from_spec(specification)
specification.loader.exec_module(verify)

COMMANDS = (["epsilon", "--delta", "1e-3", "gaussian:sigma=2,q=0.1,count=10", "laplace:scale=5"],
            ["delta", "--epsilon", "1", "exponential:epsilon=0.5,count=3", "mass-table:p=0.5/0.5,q=0.25/0.75"],
            ["epsilon", "--delta", "1e-3", "--adjacency", "replace-one", "laplace:scale=4,wor=0.1", "dp:epsilon=0.1,delta=1e-6"],
            ["delta", "--epsilon", "0.5", "--adjacency", "zero-out", "gaussian:sigma=1,truncated=0.1,cap=9,records=50"],
            ["epsilon", "--delta", "1e-3", "--group", "2", "gaussian:sigma=2,q=0.1", "randomized-response:p=0.6"],
            ["delta", "--epsilon", "1", "--adjacency", "replace-one", "--group", "3", "gaussian:sigma=9,replace_sensitivity=1.5", "dp:epsilon=0.1"],
            ["curve", "--range", "0:1:2", "discrete-gaussian:sigma=3,count=4"],
            ["curve", "--of", "tradeoff", "--range", "0.01:0.5:2", "laplace:scale=2,count=2"],
            ["calibrate", "--epsilon", "1", "--delta", "1e-5", "gaussian:sigma=?,count=10"],
            ["calibrate", "--fpr", "0.01", "--tpr", "0.1", "dp:epsilon=?,delta=1e-6"],
            ["epsilon", "--delta", "1e-5", "rdp:orders=2/4,epsilons=0.1/0.2", "zcdp:rho=0.01"],
            ["compare", "--delta", "1e-5", "--claim", "2.5", "laplace:scale=2,count=3"],
            ["explain", "gaussian:sigma=2,count=3", "randomized-response:p=0.6"],
            ["audit", "--delta", "1e-5", "--true-positives", "9/20", "--false-positives", "4/20", "--claim", "1", "gaussian:sigma=2"],
            ["audit", "--delta", "1e-5", "--correct", "6/9", "--canaries", "20", "--claim", "1", "laplace:scale=2,q=0.1,count=2"])


def pld(*words):
    return subprocess.run([os.environ["PLD"], *words], capture_output=True, text=True, check=True).stdout


def ledgers():
    """The export and the receipts of one."""
    with tempfile.TemporaryDirectory() as folder:
        ledger = str(pathlib.Path(folder) / "survey")
        pld("ledger", "init", ledger, "--epsilon", "1", "--delta", "1e-6")
        receipts = [pld("ledger", "spend", ledger, "--json", *words) for words in (["gaussian:sigma=20", "laplace:scale=50,count=2"],
                                                                                   ["randomized-response:p=0.51,count=2"],
                                                                                   ["--tries", "geometric:mean=2", "laplace:scale=100"])]
        pld("ledger", "undo", ledger, "1")
        return [[json.loads(line) for line in text.splitlines()] for text in (pld("ledger", "export", ledger), *receipts)]


def documents():
    """What the checker reads, as lists of lines."""
    rows = json.loads((ROOT / "tests" / "vectors" / "selection.json").read_text())
    return [[json.loads(pld(*words, "--json"))] for words in COMMANDS] + ledgers() + [[{**rows, "rows": rows["rows"][:2]}]]


def places(value):
    """(container, key) of everything inside."""
    for key, item in list(value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()):
        yield value, key
        yield from places(item)


WORDS = ["", "inf", "-inf", "nan", "?", "?*2", "?*x", "1/0", "worst", "remove", "replace-one", "laplace", "a\nb", "\ud800", "query", "mechanisms"]
NUMBERS = st.sampled_from([0, -0.0, 1, -1, 0.5, 2.0, 1e-300, 5e-324, 1e308, 10**400, -(10**20), 1e12, math.inf, math.nan]) | st.floats()
VALUES = st.none() | st.booleans() | NUMBERS | st.sampled_from(WORDS) | st.sampled_from([[], {}, [[]], [{}], {"lower": 1}, [0.5, 0.5]])


@st.composite
def changed(draw, documents, changes):
    """A document with some of its values changed, left out or said twice."""
    document = copy.deepcopy(documents[draw(st.integers(0, len(documents) - 1))])
    for change in draw(st.lists(changes, min_size=1, max_size=3)):
        found = list(places(document))
        if found:
            container, key = found[draw(st.integers(0, len(found) - 1))]
            change(container, key, draw)
    return document


def leave_out(container, key, draw):
    del container[key]


def replace(container, key, draw):
    container[key] = copy.deepcopy(draw(VALUES))


def nudge(container, key, draw):
    """A number close to the one that is there."""
    if type(container[key]) in (int, float) and abs(container[key]) < 1e300:
        container[key] *= draw(st.sampled_from([1 + 1e-6, 1 - 1e-6, 1.5, 0.5, 2, -1]))


def copy_here(container, key, draw):
    """What stands elsewhere in the same container."""
    other = draw(st.sampled_from(list(container) if isinstance(container, dict) else range(len(container))))
    container[key] = copy.deepcopy(container[other])


def rename(container, key, draw):
    if isinstance(container, dict):
        container[draw(st.sampled_from(WORDS))] = container.pop(key)


FORM = st.sampled_from([leave_out, replace, nudge, copy_here, rename])
MEANING = st.sampled_from([leave_out, nudge, copy_here])


@st.composite
def texts(draw, documents):
    lines = draw(changed(documents, FORM))
    if len(lines) > 1 and all(isinstance(line, dict) for line in lines) and draw(st.booleans()):
        text = "\n".join(chained(lines)) + "\n"
    else:
        text = "".join(json.dumps(line) + "\n" for line in lines)
    if draw(st.integers(0, 9)) == 0:
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.sampled_from(["", "[" * 100000, "{", "\0", "\n", ",", '"'])) + text[at + draw(st.integers(0, 3)) :]
    return text


def run(text):
    """Exit status, standard output and standard error of the command on that text; the checks themselves are left out."""
    streams = {name: io.TextIOWrapper(io.BytesIO(), "utf-8", errors) for name, errors in (("stdout", "strict"), ("stderr", "backslashreplace"))}
    with ExitStack() as stack:
        for name, value in {**streams, "stdin": io.StringIO(text), "argv": ["verify", "--seconds", "1", "-"]}.items():
            stack.enter_context(mock.patch.object(sys, name, value))
        stack.enter_context(mock.patch.object(Attempts, "run", lambda *_: (NOT_PROVED, "")))
        status = verify.main()
    for stream in streams.values():
        stream.flush()
    return status, *(stream.buffer.getvalue().decode() for stream in streams.values())


def question(answer):
    """What `pld batch` is asked for the same; the ends are left out."""
    return {"id": 0, "direction": answer["asked_direction"],
            **{name: value for name, value in answer.items() if name in ("query", "mechanisms", "adjacency", "group")},
            **{name: value for name, value in answer.items() if name in ("epsilon", "delta") and name != answer["query"]}}


def no_less(ends, others):
    """Whether one bracket is as wide as another, or wider; an end that is None says nothing."""
    (lower, upper), (low, high) = ends, others
    return (lower is None or low is not None and lower <= low) and (upper is None or high is not None and upper >= high)


def meet(ends, others):
    (lower, upper), (low, high) = ends, others
    return (lower is None or high is None or lower <= high) and (upper is None or low is None or low <= upper)


LINE = re.compile(r"(.*: )?(PROVED|NOT PROVED|FALSE)|    (PROVED|NOT PROVED|FALSE): .*")


class Fuzz(unittest.TestCase):
    forms, decisions = 100, 20

    @classmethod
    def setUpClass(cls):
        cls.documents = documents()

    def fuzz(self, examples, strategy, property):
        always = settings(max_examples=examples, derandomize=True, deadline=None, database=None,
                          suppress_health_check=list(HealthCheck))
        always(given(strategy)(property))()

    def test_what_is_no_answer_is_refused_in_one_line(self):
        def one_line(text):
            status, out, err = run(text)
            self.assertEqual([line for line in out.splitlines() if not LINE.fullmatch(line)], [])
            if status == 2:
                self.assertRegex(err, r"\Averify: [^\n]+\n\Z")
            else:
                self.assertIn(status, (0, 1, 4))
                self.assertEqual(err, "")

        self.fuzz(self.forms, texts(self.documents), one_line)

    def test_verdicts_agree_with_the_library(self):
        """Of an answer to another question: nothing is PROVED that the library excludes, and nothing FALSE that it says."""
        fields = ("query", "epsilon", "delta", "mechanisms", "adjacency", "group", "asked_direction")
        asked = [{name: lines[0][name] for name in fields if name in lines[0]} for lines in self.documents
                 if lines[0].get("query") in ("epsilon", "delta")]

        def agrees(answer):
            try:
                verdict = verdict_of(claims_of(answer, 1))
            except (BadInput, ValueError):
                return
            found = answers_to([question(answer)])[0]
            if "error" not in found:
                said, truth = (bracket(one[answer["query"]], answer["query"]) for one in (answer, found))
                self.assertFalse(verdict == PROVED and not meet(said, truth), (answer, found))
                self.assertFalse(verdict == FALSE and no_less(said, truth), (answer, found))

        self.fuzz(self.decisions, changed(asked, MEANING), agrees)


if __name__ == "__main__":
    Fuzz.forms, Fuzz.decisions = (int(count) for count in sys.argv[1:])
    unittest.main(argv=sys.argv[:1])
