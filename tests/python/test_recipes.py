"""docs/recipes.md's Python, and the sensitivity of matrices against all participations and signs."""
import doctest
import itertools
import json
import pathlib
import pickle

import numpy as np
import pytest

import pld

RECIPES = pathlib.Path(__file__).parents[2] / "docs" / "recipes.md"


def test_recipes():
    assert doctest.testfile(str(RECIPES), module_relative=False).failed == 0


def choices(steps, participations, min_separation):
    for size in range(1, participations + 1):
        for rows in itertools.combinations(range(steps), size):
            if all(b - a >= min_separation for a, b in zip(rows, rows[1:])):
                yield rows


def largest_move(c, participations, min_separation):
    """With contributions of one dimension, +1 and -1."""
    return max(np.linalg.norm(c[:, rows] @ signs) for rows in choices(c.shape[1], participations, min_separation)
               for signs in itertools.product([1, -1], repeat=len(rows)))


@pytest.mark.parametrize("seed", range(6))
def test_no_choice_of_rows_moves_more(seed):
    c = np.random.default_rng(seed).normal(size=(5, 6))
    for participations, min_separation in [(1, 1), (2, 1), (2, 3), (3, 2), (6, 1), (9, 1), (2, 50)]:
        bound = pld.matrix_sensitivity(c, participations=participations, min_separation=min_separation)
        truth = largest_move(c, participations, min_separation)
        assert truth <= bound <= 3 * truth
        assert participations > 1 or bound <= truth * (1 + 1e-12)
    positive = np.abs(c)
    assert pld.matrix_sensitivity(positive, participations=6) <= largest_move(positive, 6, 1) * (1 + 1e-12)


def test_files_and_refusals(tmp_path):
    c = np.tril(np.ones((4, 4)))
    np.save(tmp_path / "c.npy", c)
    np.savetxt(tmp_path / "c.csv", c, delimiter=",")
    assert pld.matrix_sensitivity(tmp_path / "c.npy") == pld.matrix_sensitivity(str(tmp_path / "c.csv")) == \
        pld.matrix_sensitivity(c)
    for bad in ([1, 2], [[np.nan]], [[np.inf]], np.zeros((0, 3)), "c.txt"):
        with pytest.raises(pld.DomainError):
            pld.matrix_sensitivity(bad)
    for bad in ({"participations": 0}, {"min_separation": 1.5}):
        with pytest.raises(pld.DomainError):
            pld.matrix_sensitivity(c, **bad)


def test_selections_and_groups():
    run = pld.gaussian(sigma=8, count=10)
    best = run.best_of("geometric:mean=10")
    assert run.epsilon(1e-6) < best.epsilon(1e-6) and not best.is_exact
    assert pld.from_json(best.to_json()) == best
    assert best.in_groups(2).epsilon(1e-6) == run.in_groups(2).best_of("geometric:mean=10").epsilon(1e-6)
    once, twice = best + run, best + run + best
    assert twice == run + 2 * best == pld.from_json(twice.to_json()) == pickle.loads(pickle.dumps(twice))
    assert best.epsilon(1e-6) < once.epsilon(1e-6) < twice.epsilon(1e-6) < best.best_of("poisson:mean=2").epsilon(1e-6) + twice.epsilon(1e-6)
    told = {"tries": "geometric:mean=10", "mechanisms": [{"type": "gaussian", "sigma": 8.0, "count": 10}]}
    assert json.loads(once.to_json())["mechanisms"] == [told, {"type": "gaussian", "sigma": 8.0, "count": 10}]
    ledger = {"tries": "geometric:mean=10", "mechanisms": ["gaussian:sigma=8,count=10"]}
    assert pld.from_json(json.dumps(ledger)) == best and pld.from_json(json.dumps({"mechanisms": [ledger]})) == best
    assert pld.Composition().best_of("geometric:mean=10") == pld.Composition()
    shuffled = pld.gaussian(sigma=8, shuffled=10, adjacency="zero-out")  # under add-remove there is no theorem of it
    assert (shuffled.best_of("geometric:mean=10") + shuffled).epsilon(1e-6) > shuffled.best_of("geometric:mean=10").epsilon(1e-6)
    beside = (pld.gaussian(sigma=pld.unknown) + best).calibrate(epsilon=4, delta=1e-6)
    assert 3.99 < beside.composition.epsilon(1e-6) and beside.composition.audit(4, 1e-6) == "valid"
    found = pld.gaussian(sigma=pld.unknown, count=10).best_of("geometric:mean=10").calibrate(epsilon=2, delta=1e-6)
    assert 1.99 < found.composition.epsilon(1e-6) <= 2
    tuned = (2 * pld.gaussian(sigma=pld.unknown, count=10).best_of("geometric:mean=10") + pld.laplace(scale=50)).in_groups(2)
    found = pickle.loads(pickle.dumps(tuned)).calibrate(epsilon=4, delta=1e-6)
    want = (2 * pld.gaussian(sigma=float(found), count=10).best_of("geometric:mean=10") + pld.laplace(scale=50)).in_groups(2)
    assert tuned.at(float(found)) == found.composition == want and 3.98 < want.epsilon(1e-6) and want.audit(4, 1e-6) == "valid"
    assumed = pld.gaussian(sigma=pld.unknown, batch=5, dataset=500).best_of("geometric:mean=2") + run
    assert "assumed fixed-size" in repr(assumed.calibrate(epsilon=4, delta=1e-6)) and "assumed fixed-size" in repr(assumed)
    nested = (best + pld.laplace(scale=50)).best_of("poisson:mean=2")
    assert nested == pld.from_json(nested.to_json()) and json.loads(nested.epsilon(1e-6).to_json())["mechanisms"] == json.loads(nested.to_json())["mechanisms"]
    cells = pld.discrete_gaussian(sigma=10, replace_sensitivity=1.41422, adjacency="replace-one")
    assert abs(cells.epsilon(1e-6) - pld.discrete_gaussian(sigma=10, count=2).epsilon(1e-6)) < 1e-4
    pairs = pld.dp(epsilon=0.1, count=3).in_groups(2)
    assert pairs.zcdp_rho() < 1 and pairs.true_positive_rate(0.01).upper < 0.05 and pairs.gaussian_mu() < 2
