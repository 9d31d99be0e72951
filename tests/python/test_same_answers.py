"""One door: the package and the command give the same doubles."""
import json
import math
import os
import pathlib
import subprocess

import pld
import pytest

COMMAND = os.environ.get("PLD")
needs_command = pytest.mark.skipif(not COMMAND, reason="PLD names no command")

COMPOSITIONS = [
    ["gaussian:sigma=0.8,q=0.005,count=1000"],
    ["gaussian:sigma=0.8,q=0.005,count=1000", "laplace:scale=50,count=200"],
    ["gaussian:sigma=3,count=7"],
    ["randomized-response:p=0.75,count=40"],
    ["gaussian:sigma=1,q=0.3,count=3", "discrete-gaussian:sigma=3,count=5"],
    ["mass-table:p=0.75/0.25,q=0.25/0.75,poisson=0.1,count=9"],
    ["gaussian:sigma=2,batch=64,dataset=6400,count=50"],
    ["dp:epsilon=0.1,delta=1e-8,count=20", "dp:epsilon=0.3,delta=0,count=2"],
    ["zcdp:rho=0.01,count=3", "gaussian:sigma=8,count=4"],
    ["laplace:scale=2,allocation=20,count=3"],
    ["randomized-response:p=0.7,allocation=9,participations=2", "randomized-response:p=0.7,allocation=9,passes=2"],
    ["gaussian:sigma=2,truncated=0.01,cap=20,records=1000,count=9"],
]
QUERIES = [("epsilon", "delta", 1e-6, {}), ("epsilon", "delta", 0.3, {"direction": "add"}),
           ("delta", "epsilon", 0.7, {}), ("delta", "epsilon", -0.2, {"tolerance": 1e-5}),
           ("delta", "epsilon", 300.0, {"engine": "lattice"})]


def command(*words):
    done = subprocess.run([COMMAND, *words, "--json"], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode in (0, 3) else done.stderr


def ours(words, adjacency, query, asked, options):
    try:
        run = pld.Composition(*words, adjacency=adjacency)
        return json.loads(getattr(run, query)(asked, **options).to_json())
    except pld.DomainError as refused:
        return f"pld: {refused}\n"


@needs_command
@pytest.mark.parametrize("words", COMPOSITIONS, ids=" ".join)
@pytest.mark.parametrize("query", QUERIES, ids=lambda q: f"{q[0]} {q[2]}")
@pytest.mark.parametrize("adjacency", ["add-remove", "zero-out"])
def test_bit_for_bit(words, query, adjacency):
    what, given, value, options = query
    flags = [word for name, option in options.items() for word in (f"--{name}", str(option))]
    theirs = command(what, f"--{given}={value!r}", "--adjacency", adjacency, *flags, *words)
    mine = ours(words, adjacency, what, value, options)
    if isinstance(theirs, str):
        assert mine == theirs
        return
    assert mine.pop("seconds") >= 0 and theirs.pop("seconds") >= 0
    assert mine == theirs


@needs_command
@pytest.mark.parametrize("run, words, exact", [
    (pld.gaussian(sigma=1, poisson=0.1, count=3), "gaussian:sigma=1,q=.1,count=3", math.inf),
    (pld.randomized_response(p=0.75, count=3), "randomized-response:p=.75,count=3", 3 * math.log(3)),
])
def test_delta_of_0(run, words, exact):
    found, theirs = run.epsilon(0), command("epsilon", "--delta", "0", words)["epsilon"]
    assert (found.lower, found.estimate, found.upper) == tuple(float(theirs[end]) for end in ("lower", "estimate", "upper"))
    assert found.lower <= exact * (1 + 1e-15) and exact <= found.upper and found.upper <= exact * (1 + 1e-14)
    assert pld.epsilon_many([run], 0).upper[0] == found.upper


def test_what_is_taken_for_granted_is_said():
    run = pld.gaussian(sigma=2, batch=64, dataset=6400)
    named = pld.gaussian(sigma=2, sampler="fixed-size", batch=64, dataset=6400)
    fields = lambda run: [json.loads(run.epsilon(1e-6).to_json()), json.loads(run.delta(1).to_json()), run.explain().fields,
                          json.loads(run.compare(1e-6).to_json())]
    assert run == named and [one.get("assumed") for one in fields(run)] == 4 * [{"sampler": "fixed-size"}]
    assert [one.get("assumed") for one in fields(named)] == 4 * [None]


FLINT = pathlib.Path(__file__).resolve().parents[2] / "build/flint/bin/python"


@pytest.mark.skipif(not FLINT.exists(), reason="no build/flint, which tools/test makes")
@pytest.mark.parametrize("answer", [
    pld.gaussian(sigma=1, count=10).epsilon(1e-5), pld.gaussian(sigma=2, adjacency="zero-out").delta(0.5),
    pld.laplace(scale=9, count=3).compare(1e-5).answer, pld.gaussian(sigma=1).audit(4.3, 1e-5).epsilon,
], ids=repr)
def test_the_checker_proves_them(answer, tmp_path):
    (tmp_path / "answer.json").write_text(answer.to_json())
    checked = subprocess.run([FLINT, "-B", FLINT.parents[3] / "validation/verify", tmp_path / "answer.json"],
                             capture_output=True, text=True)
    assert checked.returncode == 0 and checked.stdout.startswith("PROVED"), checked.stdout + checked.stderr


@needs_command
@pytest.mark.parametrize("words", COMPOSITIONS[-3:], ids=" ".join)
def test_replaced_records_of_schemes(words):
    test_bit_for_bit(words, QUERIES[0], "replace-one")


@needs_command
@pytest.mark.parametrize("words", COMPOSITIONS, ids=" ".join)
def test_ledgers_are_read_by_both(words, tmp_path):
    run = pld.Composition(*words)
    assert pld.from_json(run.to_json()) == run
    ledger = tmp_path / "ledger.json"
    ledger.write_text(run.to_json())
    theirs = command("epsilon", "--delta", "1e-5", "--ledger", str(ledger))
    assert theirs["epsilon"] == json.loads(run.epsilon(1e-5).to_json())["epsilon"]


@needs_command
def test_calibrations():
    theirs = command("calibrate", "--epsilon", "2", "--delta", "1e-6", "gaussian:sigma=?,q=0.01,count=500")
    opened = pld.gaussian(sigma=pld.unknown, poisson=0.01, count=500)
    mine = json.loads(opened.calibrate(epsilon=2, delta=1e-6).to_json())
    for answer in (theirs, mine):
        del answer["seconds"], answer["mechanisms"]  # one spells defaults out
    assert mine == theirs
