"""Pages about a composition are those of the command; everything can be pickled, written as JSON and shown in a notebook."""
import copy
import json
import math
import os
import pickle
import subprocess
import sys

import numpy as np
import pld
import pytest

COMMAND = os.environ.get("PLD")
needs_command = pytest.mark.skipif(not COMMAND, reason="PLD names no command")
WORDS = ["gaussian:sigma=1,q=0.01,count=100", "laplace:scale=20,count=3"]
RUN = pld.Composition(*WORDS)


def command(*words):
    fields = json.loads(subprocess.run([COMMAND, *words], capture_output=True, text=True).stdout)
    fields.pop("seconds", None)
    return fields


@needs_command
@pytest.mark.parametrize("adjacency", ["add-remove", "replace-one"])
def test_compare(adjacency):
    run = pld.Composition(*WORDS, adjacency=adjacency)
    found = run.compare(delta=1e-6)
    assert json.loads(found.to_json()) == command("compare", "--json", "--delta=1e-6", "--adjacency", adjacency, *WORDS)
    assert found.answer == run.epsilon(1e-6) and found.answer.delta == 1e-6
    told = [bound.epsilon for bound in found.applicable]
    assert len(found) > len(told) > 3 and told == sorted(told)
    assert all(bound.epsilon is None and bound.verdict == "does not apply" for bound in found if bound.refused)
    assert found.best.sound and found.best.epsilon > found.answer.lower and found.best.source in str(found)


def test_a_bound_below_the_answer_is_unsound():
    limit = next(b for b in pld.gaussian(sigma=1, poisson=0.01, count=100).compare(1e-6) if b.name == "central limit")
    assert limit.sound is False and limit.claims == "approximation" and "UNSOUND, approximation" in repr(limit)


@needs_command
@pytest.mark.parametrize("words", [WORDS, ["laplace:scale=1,count=40"], ["gaussian:sigma=1,q=0.2,count=2000"]], ids=" ".join)
def test_bounds_are_printed_as_the_command_prints_them(words):
    """Names, digits and verdicts: an approximation above the answer is not called sound."""
    printed = subprocess.run([COMMAND, "compare", "--all", "--delta=1e-6", *words], capture_output=True, text=True).stdout
    found = pld.Composition(*words).compare(1e-6)
    verdicts = {bound.verdict for bound in found.applicable}
    assert "sound" in verdicts and verdicts & {"above here", "UNSOUND, approximation"}
    for name, epsilon, _, verdict, source in found._rows():
        line = next(one for one in printed.splitlines() if one[:34].rstrip() == name)
        said, told = line[34:].split(maxsplit=1)
        assert float(said) == float(epsilon) and verdict in told and source in told
        assert verdict != "UNSOUND" or "UNSOUND," not in told


def test_bounds_that_are_infinite_are_counted():
    """As of a selection, no divergence of which has a bound."""
    found = pld.gaussian(sigma=8).best_of("geometric:mean=3").compare(1e-6)
    infinite = [bound for bound in found.applicable if bound.epsilon == float("inf")]
    assert len(infinite) == len(found.applicable) > 1
    for shown in (str(found), found._repr_html_()):
        assert shown.endswith(f"{len(infinite)} bounds are infinite") and "Renyi" not in shown
    assert "infinite" not in str(pld.laplace(scale=1).compare(1e-6))


@needs_command
def test_explain():
    found = RUN.explain()
    assert json.loads(found.to_json()) == command("explain", "--json", *WORDS)
    assert found.page == subprocess.run([COMMAND, "explain", *WORDS], capture_output=True, text=True).stdout
    assert str(found) == found.page and "<pre>" in found._repr_html_()


@needs_command
@pytest.mark.parametrize("claim", ["0.1", "1.2", "60"])
def test_claims(claim):
    verdict = RUN.audit(float(claim), 1e-6)
    assert json.loads(verdict.to_json()) == command("compare", "--json", "--delta=1e-6", "--claim", claim, *WORDS)
    assert verdict == ("valid" if verdict.epsilon.upper <= float(claim) else "under-reports")
    assert verdict.claim == float(claim)


def test_claims_within_the_answer():
    answer = RUN.epsilon(1e-6)
    assert RUN.audit(answer.upper, 1e-6) == "valid"
    assert RUN.audit(answer.lower * (1 - 1e-9), 1e-6) == "under-reports"
    with pytest.raises(pld.DomainError, match="claim is nan"):
        RUN.audit(math.nan, 1e-6)


def read(thing):
    """What there is to see of it."""
    names = [name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())] or vars(thing)
    return {name: getattr(thing, name) for name in names
            if name not in ("_core", "_text", "_known", "_first", "_sum")}


def test_nothing_answered_can_be_changed():
    for thing in THINGS:
        for name in read(thing):
            before = repr(thing)
            with pytest.raises(AttributeError, match="read-only"):
                setattr(thing, name, 3)
            with pytest.raises(AttributeError, match="read-only"):
                delattr(thing, name)
            assert repr(thing) == before
    with pytest.raises(ValueError, match="read-only"):
        RUN.epsilon([1e-3, 1e-6]).upper[0] = 0


THINGS = [
    pld.unknown, 2 * pld.unknown, RUN, pld.gaussian(sigma=pld.unknown), RUN.epsilon(1e-6), RUN.delta(900.0),
    RUN.advantage(), RUN.bayes_error(), pld.rdp(orders=[2, 4], epsilons=[0.1, 0.3], count=2).epsilon(1e-6),
    RUN.epsilon([1e-3, 1e-6]), RUN.compare(1e-6), RUN.compare(1e-6).bounds[0], RUN.explain(), RUN.audit(1, 1e-6),
    pld.Evidence.of_runs(true_positives=(45, 50), false_positives=(1, 50)),
    pld.Evidence.of_guesses(correct=48, guessed=50, canaries=100),
    pld.Evidence.of_scores([1.0, 3.0], [0.5, 0.25], one_run=True),
    pld.dp_sgd(examples=1000, batch=10, epochs=2, noise_multiplier=1.0),
    pld.gaussian(sigma=pld.unknown, count=3).calibrate(epsilon=1, delta=1e-5),
]


@pytest.mark.parametrize("thing", THINGS, ids=repr)
def test_everything_is_copied(thing):
    for copied in (pickle.loads(pickle.dumps(thing)), copy.copy(thing), copy.deepcopy(thing)):
        assert type(copied) is type(thing) and repr(copied) == repr(thing)
        if hasattr(thing, "to_json"):
            assert copied.to_json() == thing.to_json()
        for name, value in read(thing).items():
            same = np.array_equal(value, read(copied)[name]) if isinstance(value, np.ndarray) else read(copied)[name] == value
            assert same or repr(read(copied)[name]) == repr(value), name


def test_a_profile_is_composed_again_by_pickle():
    profile = RUN.profile(tolerance=1e-2)
    copy = pickle.loads(pickle.dumps(profile))
    assert copy.delta(1.0).upper == profile.delta(1.0).upper and copy.tolerance == 1e-2


@pytest.mark.parametrize("thing", [one for one in THINGS if hasattr(one, "to_json")], ids=repr)
def test_json_is_read_by_anybody(thing):
    def refuse(constant):
        raise AssertionError(f"{constant} is no JSON")
    assert json.loads(thing.to_json(), parse_constant=refuse)


def test_json_is_read_back():
    assert pld.from_json(RUN.to_json()) == RUN
    for evidence in (one for one in THINGS if isinstance(one, pld.Evidence)):
        copy = pld.Evidence.from_json(evidence.to_json())
        assert copy.refuted_epsilons(1e-5) == evidence.refuted_epsilons(1e-5)
    training = next(one for one in THINGS if isinstance(one, pld.Training))
    assert pld.from_json(training.to_json()) == pld.dp_sgd(**training.arguments) == training
    assert json.loads(RUN.epsilon([1e-3, 0.0]).to_json())["upper"][1] == "inf"


@pytest.mark.parametrize("thing", [one for one in THINGS if hasattr(one, "_repr_html_")], ids=repr)
def test_notebooks_show_rounded_outward(thing):
    shown = thing._repr_html_()
    assert shown and "<script" not in shown
    if isinstance(thing, pld.Epsilon):
        up = float(shown.split("<b>")[1].split("</b>")[0])
        assert thing.upper <= up <= thing.upper * (1 + 1e-5)




ASKED = """import locale, sys, pld
locale.setlocale(locale.LC_ALL, sys.argv[1])
run = pld.gaussian(sigma=.8, poisson=.005, count=1000) + pld.laplace(scale=50, count=10)
print(locale.localeconv()["decimal_point"], run, run.epsilon(1e-6), run.explain(), run.compare(1e-6), pld.from_json(run.to_json()))"""


def test_numbers_are_those_of_any_locale(tmp_path):
    place = tmp_path / "de_DE.UTF-8"
    if subprocess.run(["sh", "-c", f"localedef -i de_DE -f UTF-8 {place}"], capture_output=True).returncode:
        pytest.skip("no sources of locales")
    told = [subprocess.run([sys.executable, "-c", ASKED, name], capture_output=True, text=True, check=True,
                           env={**os.environ, "LOCPATH": str(tmp_path)}).stdout for name in ("C", place.name)]
    assert [text[0] for text in told] == [".", ","] and "epsilon" in told[0]
    assert told[0][1:] == told[1][1:]
