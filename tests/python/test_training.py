"""DP-SGD in the words of a training script: what is certain of which sampler."""
import json
import math
import os
import pickle
import subprocess

import pld
import pytest

RUN = dict(examples=50_000, batch=256, epochs=30, noise_multiplier=1.0)


def gaussian_epsilon(mu, delta):
    """By bisection of the Gaussian's closed form (Balle, Wang 2018)."""
    phi = lambda x: math.erfc(-x / math.sqrt(2)) / 2
    at_most, at_least = 1000.0, -10.0
    for _ in range(200):
        middle = (at_most + at_least) / 2
        if phi(mu / 2 - middle / mu) - math.exp(middle + math.log(phi(-mu / 2 - middle / mu) or 5e-324)) > delta:
            at_least = middle
        else:
            at_most = middle
    return at_most


def test_with_no_sampler_named_it_answers_for_shuffled_batches():
    run = pld.dp_sgd(**RUN)
    answer = run.epsilon(1e-5)
    assert run.sampler == "shuffled" and not answer.exact and 12.2 < answer.lower < 12.24
    assert answer.upper == pytest.approx(gaussian_epsilon(math.sqrt(30), 1e-5), rel=1e-9)
    assert run.delta(answer.upper).upper == pytest.approx(1e-5, rel=1e-3)
    assert run.delta(answer.lower).lower <= 1.001e-5 and run.delta(2).lower > 0.1  # Poisson samples would leave 2e-5
    told = str(run.explain(1e-5))
    assert "at most; at least 12.2" in told and "2.15809 if they were 5860 Poisson samples" in told and 2.1580 < run.poisson.epsilon(1e-5) <= 2.15809


def test_steps_are_those_composed():
    for words, steps in (({}, 30 * 196), ({"sampler": "poisson"}, 5860), ({"sampler": "fixed-size"}, 5860),
                         ({"sampler": "allocation", "batch": 250}, 30 * 200), ({"epochs": 2}, 2 * 196)):
        assert pld.dp_sgd(**RUN | words).steps == steps


def test_more_steps_of_a_loop_are_said():
    """Four batches of 300 are 1000 records: 100 passes are 334 batches, and 400 steps of a loop."""
    words = dict(examples=1000, batch=300, epochs=100, noise_multiplier=1.0)
    for sampler, more in (("poisson", {}), ("fixed-size", {}), ("truncated", {"cap": 500})):
        run = pld.dp_sgd(**words, sampler=sampler, **more)
        assert (run.steps, run.loop_steps) == (334, 400)
        assert "334 steps (a loop over a data loader makes 400)" in repr(run)
    poisson = pld.dp_sgd(**words, sampler="poisson")
    assert "a loop over a data loader makes 400" in str(poisson.explain(1e-5))
    longer = pld.gaussian(noise_multiplier=1, sampler="poisson", batch=300, dataset=1000, count=poisson.loop_steps)
    assert longer.epsilon(1e-5) > poisson.epsilon(1e-5)
    for even in (pld.dp_sgd(**words), pld.dp_sgd(**words | {"batch": 250}, sampler="poisson")):
        assert even.steps == even.loop_steps == 400 and "loop" not in repr(even) + str(even.explain(1e-5))


def test_what_is_assumed_is_said():
    run, named = pld.dp_sgd(**RUN), pld.dp_sgd(**RUN, sampler="shuffled")
    said = lambda run: [json.loads(answer.to_json()).get("assumed") for answer in (run.epsilon(1e-5), run.delta(1), run.compare(1e-5))]
    assert said(run) == 3 * [{"sampler": "shuffled"}] and said(named) == 3 * [None]
    assert "assumed shuffled" in repr(run) and "assumed" not in repr(named) and run == named
    taken = "no sampler was named: that it is shuffled is taken for granted"
    assert taken in run.explain().page and taken in run.explain().fields["assumptions"] and taken not in named.explain().page
    assert "shuffled" in pld.dp_sgd.__doc__.splitlines()[0]
    assert repr(pld.dp_sgd(**run.arguments)) == repr(run)


def test_what_is_assumed_of_an_open_run_is_said():
    """And of what is found: as of a run whose noise is known."""
    opened = pld.dp_sgd(**RUN | {"noise_multiplier": pld.unknown})
    named = pld.dp_sgd(**RUN | {"noise_multiplier": pld.unknown}, sampler="shuffled")
    found, same = (run.calibrate(epsilon=100, delta=1e-5) for run in (opened, named))
    said = repr(opened), opened._repr_html_(), repr(found), found._repr_html_(), repr(found.composition), found.composition._repr_html_()
    assert all("assumed shuffled" in one for one in said), said
    assert json.loads(opened.to_json())["mechanisms"][0]["assumed_sampler"] == "shuffled"
    assert json.loads(found.to_json())["assumed"] == {"sampler": "shuffled"}
    assert json.loads(found.composition.to_json())["mechanisms"][0]["assumed_sampler"] == "shuffled"
    taken = "no sampler was named: that it is shuffled is taken for granted"
    assert taken in found.composition.explain().page and "assumed shuffled" in str(found.composition.explain(1e-5))
    assert (float(found), found.composition) == (float(same), same.composition) and pickle.loads(pickle.dumps(opened)) == opened
    for quiet in (named, same, same.composition):
        assert "assumed" not in repr(quiet) + quiet._repr_html_()
    assert "assumed shuffled" in repr(opened + pld.gaussian(sigma=9, adjacency="zero-out"))
    with pytest.raises(pld.DomainError, match="one of epochs, cannot be repeated"):
        2 * opened


def test_batches_of_a_mechanism_without_a_sampler_are_said_to_be_assumed():
    words = dict(batch=256, dataset=50_000, epochs=1)
    for run, sampler in ((pld.gaussian(sigma=9, **words), "fixed-size"), (pld.gaussian(sigma=9, sampler="fixed-size", **words), None)):
        for said in (repr(run), str(run), run._repr_html_(), str(run.explain(1e-5)), repr(2 * run + pld.laplace(scale=9)),
                     repr(pickle.loads(pickle.dumps(run)))):
            assert ("assumed fixed-size" in said) == (sampler is not None), said
    for more in (dict(), dict(largest_batch=300)):
        assert ("assumed fixed-size" in repr(pld.gaussian(sigma=pld.unknown, sampler="truncated", **words, **more))) is False
    found = pld.gaussian(sigma=pld.unknown, **words)
    assert "assumed fixed-size" in repr(found) and "assumed fixed-size" in repr(found.calibrate(epsilon=1, delta=1e-5).composition)


def test_a_run_is_a_composition():
    run = pld.dp_sgd(**RUN | {"epochs": 2})
    passes = run.composition
    assert run == passes and hash(run) == hash(passes) and 2 * run == 2 * passes and run + passes == 2 * run == sum([run, run])
    assert run.trade_off(0.1) == passes.trade_off(0.1) and run.advantage() == passes.advantage()
    assert run.compare(1e-5).best.epsilon == passes.compare(1e-5).best.epsilon
    assert run.explain().page == passes.explain().page and "poisson" not in run.explain().page.lower()
    assert run.audit(1.0, 1e-5) == passes.audit(1.0, 1e-5) == "under-reports"
    assert pld.epsilon_many([run, passes], 1e-5).upper.tolist() == [run.epsilon(1e-5).upper] * 2
    poisson = pld.dp_sgd(**RUN, sampler="poisson")
    assert poisson.in_groups(2) == poisson.composition.in_groups(2)
    assert poisson.best_of("geometric:mean=3").epsilon(1e-5) > poisson.epsilon(1e-5)
    line = poisson.composition.explain(1e-5)
    assert str(line) == "epsilon <= 2.15809 at delta 1e-05" and line.fields["epsilon"]["upper"] == poisson.epsilon(1e-5).upper


def test_poisson_and_fixed_batches():
    poisson = pld.dp_sgd(**RUN, sampler="poisson")
    assert poisson.steps == 5860 and poisson.epsilon(1e-5).exact
    assert poisson.composition == pld.gaussian(sigma=1, poisson=256 / 50_000, count=5860)
    thirds = pld.dp_sgd(**RUN | {"examples": 768}, sampler="poisson").composition  # 1/3 is no double: the one above it
    assert thirds == pld.gaussian(sigma=1, poisson=math.nextafter(1 / 3, 1), count=90)
    fixed = pld.dp_sgd(**RUN, sampler="fixed-size")
    assert fixed.composition == pld.gaussian(sigma=1, batch=256, dataset=50_000, count=5860)
    assert pld.dp_sgd(**RUN | {"epochs": 0.1}, sampler="poisson").composition.releases[0][2] == 20
    # 0.3 * 1000 / 100 is above 3 by a round-off only.
    assert pld.dp_sgd(examples=1000, batch=100, epochs=0.3, noise_multiplier=1, sampler="poisson").steps == 3


def test_samplers_are_those_of_the_command():
    from pld.training import SAMPLERS
    assert list(SAMPLERS) == pld._core.sampler_names()
    truncated = pld.dp_sgd(**RUN, sampler="truncated", cap=320)
    assert truncated.composition == pld.gaussian(sigma=1, truncated_poisson=256 / 50_000, largest_batch=320, records=50_000,
                                                 count=5860)
    assert truncated.epsilon(1e-5, tolerance=1e-3) > truncated.poisson.epsilon(1e-5)
    drawn = pld.dp_sgd(**RUN | {"batch": 250, "epochs": 3}, sampler="allocation")
    assert drawn.composition == pld.gaussian(sigma=1, allocation=200, count=3)
    assert pickle.loads(pickle.dumps(truncated)).composition == truncated.composition
    assert pld.dp_sgd(**truncated.arguments).composition == truncated.composition


@pytest.mark.parametrize("words", [{}, {"sampler": "shuffled"}, {"sampler": "poisson"}, {"sampler": "fixed-size"},
                                   {"sampler": "truncated", "cap": 320}, {"sampler": "allocation", "batch": 250}], ids=str)
def test_a_run_is_written_as_a_ledger(words):
    run = pld.dp_sgd(**RUN | {"epochs": 2} | words)
    assert pld.from_json(run.to_json()) == run == run.composition
    assert pld.epsilon_many([pld.from_json(run.to_json())], 1e-5).upper[0] == run.epsilon(1e-5).upper
    if "PLD" in os.environ:
        for command in (["epsilon", "--delta", "1e-5", "--ledger", "-", "--json"], ["batch"]):
            asked = run.to_json()
            if command == ["batch"]:
                asked = json.dumps({"query": "epsilon", "delta": 1e-5, **json.loads(asked)})
            said = subprocess.run([os.environ["PLD"], *command], input=asked, capture_output=True, text=True, check=True).stdout
            assert json.loads(said)["epsilon"]["upper"] == run.epsilon(1e-5).upper


@pytest.mark.parametrize("sampler, words", [("poisson", ()), ("fixed-size", ()), ("truncated", ("--cap", "320")),
                                            ("shuffled", ("--adjacency", "zero-out"))])
@pytest.mark.skipif("PLD" not in os.environ, reason="PLD names no command")
def test_the_command_says_the_same(sampler, words):
    cap = {"cap": 320} if sampler == "truncated" else {}
    own = pld.dp_sgd(**RUN, sampler=sampler, **cap).epsilon(1e-5)
    command = [os.environ["PLD"], "epsilon", "--delta", "1e-5", "--dataset-size", "50000", "--batch", "256", "--epochs", "30",
               "--sampler", sampler, *words, "gaussian:noise_multiplier=1", "--json"]
    said = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)["epsilon"]
    assert (own.lower, own.upper) == (said["lower"], said["upper"])


@pytest.mark.parametrize("wrong, says", [
    ({"sampler": "fixed_size"}, r"sampler is 'fixed_size' \(did you mean fixed-size\?\), but must be one of poisson, fixed-size"),
    ({"sampler": "Poisson"}, r"\(did you mean poisson\?\)"),
    ({"sampler": "guess"}, "sampler is 'guess', but must be one of poisson, fixed-size, allocation, shuffled, truncated"),
    ({"sampler": "truncated"}, "cap, the largest batch, belongs to"),
    ({"cap": 320}, "cap, the largest batch, belongs to"),
    ({"sampler": "allocation"}, "batch is 256, but must be a divisor of 50000"),
    ({"batch": 60_000}, "batch is 60000, but must be at most the number of examples, 50000"),
    ({"epochs": 0}, "epochs is 0, but must be > 0"),
    ({"epochs": 2.5}, "epochs is 2.5, but must be a whole number: a part of a pass has no theorem"),
    ({"epochs": 0.05, "sampler": "shuffled"}, "epochs is 0.05, but must be a whole number: a part of a pass has no theorem"),
    ({"epochs": 2.5, "sampler": "allocation", "batch": 250}, "epochs is 2.5, but must be a whole number"),
    ({"examples": math.nan}, "examples is nan, but must be a whole number"),
    ({"examples": 100.5}, "examples is 100.5, but must be a whole number"),
    ({"batch": "256"}, "batch is '256', but must be a whole number"),
    ({"batch": pld.unknown}, "batch is pld.unknown, but must be a number of shuffled batches, whose bound is the same for every size"),
    ({"batch": pld.unknown, "sampler": "allocation"}, "batch is pld.unknown, but must be a number with this sampler: pld.gaussian\\("),
    ({"adjacency": "add-remove"}, "adjacency is add-remove, but must be zero-out or replace-one"),
    ({"adjacency": "bounded", "sampler": "poisson"}, "adjacency is 'bounded' \\(did you mean replace-one\\?\\)"),
    ({"epochs": None}, "epochs is None, but must be a number"),
    ({"noise_multiplier": 0}, "noise_multiplier is 0, but must be > 0"),
    ({"noise_multiplier": "1"}, "noise_multiplier is '1', but must be a number"),
    ({"sampler": 1}, "sampler is 1, but must be a string"),
])
def test_refusals(wrong, says):
    with pytest.raises(pld.DomainError, match=says):
        pld.dp_sgd(**RUN | wrong)


def test_what_was_unknown_is_called_by_its_word():
    for sampler in ("shuffled", "poisson"):
        found = pld.dp_sgd(examples=500, batch=50, epochs=pld.unknown, noise_multiplier=2, sampler=sampler).calibrate(epsilon=10, delta=1e-5)
        assert found.unknown == "epochs"


@pytest.mark.parametrize("sampler, cap", [("poisson", None), ("fixed-size", None), ("truncated", 320)])
def test_the_largest_batch_is_a_whole_number_that_is_certified(sampler, cap):
    words = RUN | {"epochs": 3, "sampler": sampler, **({} if cap is None else {"cap": cap})}
    found = pld.dp_sgd(**words | {"batch": pld.unknown}).calibrate(epsilon=1 if sampler != "fixed-size" else 6, delta=1e-5)
    run = pld.dp_sgd(**words | {"batch": int(found)})
    assert found.unknown == "batch" and found == int(found) and found.composition == run.composition
    goal = json.loads(found.to_json())["targets"][0]["epsilon"]
    assert run.delta(goal).upper <= 1e-5
    if found < (cap or math.inf):
        assert pld.dp_sgd(**words | {"batch": int(found) + 1}).delta(goal).upper > 1e-5


def test_phases_of_several_samplers():
    first, then = pld.dp_sgd(**RUN), pld.dp_sgd(**RUN, sampler="poisson")
    open = pld.dp_sgd(**RUN | {"noise_multiplier": pld.unknown}, sampler="poisson")
    for one, other in ((first, then), (then, first), (first, open), (open, first)):
        with pytest.raises(pld.DomainError, match="make both with one adjacency="):
            one + other
    for adjacency in ("zero-out", "replace-one"):
        phases = [pld.dp_sgd(**RUN, adjacency=adjacency, sampler=sampler) for sampler in (None, "poisson", "fixed-size")]
        both = phases[0] + phases[1]
        assert both.adjacency == adjacency and both.epsilon(1e-5).upper > max(one.epsilon(1e-5).upper for one in phases[:2])
        assert all(pickle.loads(pickle.dumps(one)) == one == pld.dp_sgd(**one.arguments) for one in phases)
        assert repr(phases[1]).endswith(f", poisson, {adjacency})") and repr(pickle.loads(pickle.dumps(phases[0]))) == repr(phases[0])
        assert (pld.dp_sgd(**RUN | {"noise_multiplier": pld.unknown}, adjacency=adjacency) + phases[1]).adjacency == adjacency
    assert first.arguments == RUN | {"sampler": None} and first.poisson.adjacency == "add-remove"
