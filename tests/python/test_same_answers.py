"""One door: the package and the command give the same doubles."""
import itertools
import json
import os
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
    del theirs["seconds"]
    if not mine["exact"]:
        # Of pairs that only dominate nothing need be known from below: null, minus infinity or 0.
        for answer, name in itertools.product((mine, theirs), ("epsilon", "delta", "log_delta")):
            if isinstance(answer.get(name), dict) and answer[name]["lower"] in (0, "-inf"):
                answer[name]["lower"] = None
        assert ("renyi_routes" in mine) == ("renyi_routes" in theirs)
        for name in ("added_first", "converted_first") if "renyi_routes" in mine else ():
            assert mine["renyi_routes"][name]["upper"] == theirs["renyi_routes"][name]["upper"]
        mine.pop("renyi_routes", None)
    assert {name: mine[name] for name in theirs if name in mine} == {n: v for n, v in theirs.items() if n in mine}
    assert {"query", "epsilon", "delta", "direction", "engine", "converged"} <= set(theirs) & set(mine)
    assert ("log_delta" in theirs) == ("log_delta" in mine)


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
