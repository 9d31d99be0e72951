"""Data of attacks: the command's numbers, and what is wrong with an argument."""
import json
import math
import os
import pickle
import subprocess

import numpy as np
import pld
import pytest


def command(*words):
    return json.loads(subprocess.run([os.environ["PLD"], "audit", *words, "--json"], capture_output=True, text=True).stdout)


def test_the_commands_numbers():
    seen = pld.Evidence.of_runs(true_positives=(90, 100), false_positives=(2, 100))
    found = command("--delta", "1e-5", "--true-positives", "90/100", "--false-positives", "2/100", "--claim", "1.5",
                    "gaussian:sigma=1")
    assert seen.refuted_epsilons(1e-5) == found["epsilon"]["by_test"]
    assert seen.p_values((1.5, 1e-5)) == found["hypotheses"][0]["by_test"]
    assert seen.p_values(pld.gaussian(sigma=1)) == found["hypotheses"][1]["by_test"]


def test_one_run():
    seen = pld.Evidence.of_guesses(correct=70, guessed=100, canaries=1000)
    tail = sum(math.comb(100, k) for k in range(70, 101)) / 2**100
    assert seen.p_values((0, 0))["one-run"] == pytest.approx(tail, rel=1e-8)
    assert seen.p_value((0, 0)) == min(seen.p_values((0, 0)).values())
    assert set(seen.p_values((0, 0))) == {"one-run", "one-run f-DP"}


def test_numbers_of_tests_are_rounded_to_their_safe_side():
    """Neither is more refuted, nor a p-value smaller, than the data say."""
    seen = pld.Evidence.of_runs(true_positives=(45, 50), false_positives=(1, 50))
    for digits in range(1, 7):
        epsilon, p = seen.refuted_epsilon(1e-5), seen.p_value((1, 1e-5))
        assert round(epsilon, digits) <= epsilon < round(epsilon, digits) + 10**-digits
        assert float(f"{p:.{digits}e}") >= p > float(f"{p:.{digits}e}") * (1 - 10**-digits)
    assert type(epsilon + 0) is float and repr(pickle.loads(pickle.dumps(epsilon))) == repr(float(epsilon))


def test_scores():
    chance = np.random.default_rng(3)
    scores = chance.normal(2, 1, 400), chance.normal(0, 1, 400)
    for one_run in (False, True):
        seen = pld.Evidence.of_scores(*scores, one_run=one_run)
        assert seen.refuted_epsilon(1e-5) > 1 and seen.p_value(pld.gaussian(sigma=0.5)) > 0.05
        assert pld.Evidence.of_scores(*reversed(scores), one_run=one_run).refuted_epsilon(1e-5) == 0


@pytest.mark.parametrize("scores, held", [(np.ones((200, 2)), "an array of shape (200, 2)"), ([[1.0], [2.0]], "an array of shape (2, 1)"),
                                          (np.array(3.0), "3.0"), (3, "3.0")], ids=["columns", "a column", "an array of none", "a number"])
def test_scores_are_one_a_run(scores, held):
    """Columns of (id, score) are not twice as many runs."""
    for name, given in (("in_scores", (scores, [0.0])), ("out_scores", ([0.0], scores))):
        for one_run in (False, True):
            with pytest.raises(pld.DomainError) as told:
                pld.Evidence.of_scores(*given, one_run=one_run)
            said = str(told.value)
            assert said.startswith(f"of_scores: {name} is ") and said.endswith(", but must be one score a run (one dimension)")
            assert held in said


@pytest.mark.parametrize("scores", [[2**53 + 1], [2**53 + 1, 0.5], [np.int64(2**53 + 1), 1], np.array([2**53 + 1]), np.array([2**64 - 1], np.uint64)])
def test_scores_that_no_double_holds(scores):
    """Rounded, two that differ would be a tie."""
    with pytest.raises(pld.DomainError, match=r"in_scores is .*, but must be of numbers that doubles hold: 2\*\*53, not 2\*\*53 \+ 1$"):
        pld.Evidence.of_scores(scores, [2**53])
    pld.Evidence.of_scores([2**53, 2.0**60, -2**63], np.array([2**62]))


def test_parts_name_what_they_are_of():
    for correct, guessed, said in [(1, 4, "number of guesses is 4, but must be a whole number from 0 to the number of canaries, which is 3"),
                                   (3, 2, "correct guesses is 3, but must be a whole number from 0 to the number of guesses, which is 2")]:
        with pytest.raises(pld.DomainError, match=said):
            pld.Evidence.of_guesses(correct=correct, guessed=guessed, canaries=3)


def test_refusals_name_the_function_that_was_called():
    seen = pld.Evidence.of_runs(true_positives=(9, 10), false_positives=(1, 10))
    for name, call in (("refuted_epsilon", lambda: seen.refuted_epsilon("x")), ("refuted_epsilons", lambda: seen.refuted_epsilons("x")),
                       ("p_value", lambda: seen.p_value(3)), ("p_values", lambda: seen.p_values(3)),
                       ("p_value", lambda: seen.p_value((1, 0), tolerance="x"))):
        with pytest.raises(pld.DomainError, match=f"^{name}: "):
            call()


@pytest.mark.parametrize("text", ["", "3", "{}", "[" * 100000, '{"of_runs": 3}', '{"of_runs": {}}', '{"of_runs": {"true_positives": [1], "false_positives": [0, 1]}}',
                                  '{"of_guesses": {"correct": "1", "guessed": 1, "canaries": 1}}', '{"of_scores": {"in_scores": {}, "out_scores": [0]}}',
                                  '{"from_json": {"text": "3"}}', '{"mro": {}}', '{"of_runs": {}, "of_scores": {}}'])
def test_other_json_is_refused(text):
    with pytest.raises(pld.DomainError, match="must be (what Evidence.to_json|a pair of whole|a whole number|a number)"):
        pld.Evidence.from_json(text)


def test_bad_input():
    with pytest.raises(pld.DomainError, match="true positives is 3"):
        pld.Evidence.of_runs(true_positives=(3, 2), false_positives=(0, 1))
    with pytest.raises(pld.DomainError, match="score"):
        pld.Evidence.of_scores([1.0, math.nan], [0.0])
    with pytest.raises(pld.DomainError, match="confidence"):
        pld.Evidence.of_guesses(correct=1, guessed=1, canaries=1).refuted_epsilon(0, 1)
