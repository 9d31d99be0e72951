"""Compositions in Python: composing, refusing, answers as numbers, arrays."""
import copy
import decimal
import fractions
import itertools
import json
import math
import pickle
import statistics
import threading
import time

import numpy as np
import pld
import pytest

STEP = pld.gaussian(sigma=0.8, poisson=0.005)
RUN = 1000 * STEP + 200 * pld.laplace(scale=50)


def gaussian_delta(sigma, count, epsilon):
    """Balle, Wang 2018, in the Gaussian's own closed form."""
    mu = math.sqrt(count) / sigma
    phi = lambda x: math.erfc(-x / math.sqrt(2)) / 2
    return phi(mu / 2 - epsilon / mu) - math.exp(epsilon) * phi(-mu / 2 - epsilon / mu)


@pytest.mark.parametrize("sigma, count, epsilon", list(itertools.product((0.7, 3.0), (1, 40), (-0.5, 0.0, 0.8))))
def test_deltas_of_gaussians(sigma, count, epsilon):
    found = (count * pld.gaussian(sigma=sigma)).delta(epsilon)
    truth = gaussian_delta(sigma, count, epsilon)
    assert found.lower - 1e-12 * truth <= truth <= found.upper + 1e-12 * truth
    assert found.upper - found.lower <= 1e-9 * truth


def test_published_value_of_dp_sgd():
    """delta(2) of 1000 steps, sigma 0.8, q 0.005, to 16 digits by contour integration in multiprecision."""
    delta = (1000 * STEP).delta(2)
    assert delta.lower <= 1.0221869417421848e-06 <= delta.upper < 1.0221869417421848e-06 * (1 + 1e-9)


def test_a_count_among_the_parameters_counts():
    thrice = 3 * pld.gaussian(sigma=2)
    for words in ({"count": 3}, {"steps": np.int64(3)}, {"count": 3.0, "sensitivity": None}):
        assert pld.mechanism("gaussian", {"sigma": 2, **words}) == thrice
    assert pld.mechanism("gaussian", {"sigma": 2, "count": None}, count=3) == thrice


def test_composing():
    g, other = pld.gaussian(sigma=2), pld.laplace(scale=3)
    thrice = pld.Composition("gaussian:sigma=2,count=3")
    assert g + g + other + g == other + 3 * g == sum([3 * g, other]) == thrice + other
    assert (0 * g).releases == [] and pld.Composition() + g == g
    assert 2 * (3 * g + other) == 6 * g + 2 * other
    assert g != 2 * g and hash(2 * g) == hash(g + g)
    with pytest.raises(pld.DomainError, match="adjacency is replace-one"):
        g + pld.gaussian(sigma=2, adjacency="replace-one")
    for not_a_count in ("2", None, [2]):
        with pytest.raises(TypeError):
            g * not_a_count
    assert 3.0 * g == np.float32(3) * g == g * np.array(3) == np.int64(3) * g == 3 * g
    for part in (1.5, np.float32(0.5), -1, math.nan, math.inf):
        with pytest.raises(pld.DomainError, match="composition: count is .*, but must be a whole number from 0 to 1e12"):
            part * g
    with pytest.raises(TypeError):
        g + 1


def test_adding_one_by_one_takes_no_longer_than_all_at_once():
    """To copy at each addition what is there took a hundred times as long."""
    def seconds(compose):
        begin = time.perf_counter()
        assert len(compose().releases) == 2000
        return time.perf_counter() - begin
    runs = [pld.gaussian(sigma=1 + i / 2000) for i in range(2000)]
    words = [run.releases[0][0] for run in runs]
    assert min(seconds(lambda: sum(runs)) for _ in range(3)) < 10 * min(seconds(lambda: pld.Composition(*words)) for _ in range(3))


def test_sums_are_what_they_were_made_of():
    parts = [STEP, pld.laplace(scale=3), pld.gaussian(sigma=2), 5 * STEP]
    left, right = (parts[0] + parts[1]) + (parts[2] + parts[3]), parts[0] + (parts[1] + (parts[2] + parts[3]))
    assert [text for text, *_ in left.releases] == [text for text, *_ in right.releases] == [
        "gaussian:sigma=0.8,q=0.005", "laplace:scale=3", "gaussian:sigma=2"]
    assert left.releases[0][2] == 6 and pickle.loads(pickle.dumps(sum(parts))) == left == sum(reversed(parts))
    deep = sum([STEP] * 20_000)
    heard = []
    threads = [threading.Thread(target=lambda: heard.append(deep.releases[0][2])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert heard == [20_000] * 4
    del deep
    with pytest.raises(pld.DomainError, match="group is 2, but must be 1"):
        STEP + STEP + pld.gaussian(sigma=1).in_groups(2)


@pytest.mark.parametrize("ask, says", [
    (lambda: pld.gaussian(sigma=-1), "gaussian: sigma is -1, but must "),
    (lambda: pld.gaussian(sigma=math.nan), "gaussian: sigma is 'nan', but must "),
    (lambda: pld.gaussian(sigma=1, count=0.5), "count is 0.5, but must be a whole number"),
    (lambda: pld.gaussian(sigma=1, poison=0.1), "poison"),
    (lambda: pld.gaussian(sigma=1, poison="0.1"), "gaussian: parameter 'poison' is not known (did you mean poisson?)"),
    (lambda: pld.gaussian(sigma=1, adjacancy="replace-one"), "gaussian: parameter 'adjacancy' is not known (did you mean adjacency?)"),
    (lambda: pld.gaussian(sigma=1, relation="replace-one"), "gaussian: parameter 'relation' is not known (did you mean adjacency?)"),
    (lambda: pld.gaussian(sigma=pld.unknown, samplr="poisson"), "gaussian: parameter 'samplr' is not known (did you mean sampler?)"),
    (lambda: pld.gaussian(sigma=1, coutn=None), "gaussian: parameter 'coutn' is not known (did you mean count?)"),
    (lambda: pld.gaussian(sigma=1, adjacency="bounded"), "adjacency is 'bounded' (did you mean replace-one?)"),
    (lambda: pld.mechanism("gausian", {"sigma": "1"}), "type is 'gausian' (did you mean gaussian?)"),
    (lambda: pld.gaussian(sigma=1, poisson=2), "2"),
    (lambda: pld.gaussian(sigma=1, adjacency="near"), "adjacency is 'near', but must "),
    (lambda: pld.gaussian(sigma=1, adjacency=""), "adjacency is '', but must be one of add-remove"),
    (lambda: pld.gaussian(sigma=pld.unknown, adjacency="near"), "adjacency is 'near', but must "),
    (lambda: pld.dp_sgd(examples=100, batch=10, epochs=1, noise_multiplier=1, adjacency=""), "adjacency is '', but must be one of add-remove"),
    (lambda: pld.epsilon_many({"type": "gaussian", "sigma": [1, 2]}, 1e-5, adjacency=""), "adjacency is '', but must be one of add-remove"),
    (lambda: pld.epsilon_many({"type": "gaussian", "sigma": [1], "adjacency": ["zero-out"]}, 1e-5), "adjacency is given row by row, but must be an argument"),
    (lambda: pld.gaussian(sigma=1, sampler=""), "gaussian: sampler is '', but must be the name of one"),
    (lambda: pld.mechanism("gauss", {"sigma": 1}), "gauss"),
    (lambda: -1 * STEP, "count is -1, but must be a whole number"),
    (lambda: STEP.epsilon(2), "epsilon: delta is 2, but must "),
    (lambda: STEP.epsilon([0.1, math.nan]), "delta is nan, but must "),
    (lambda: STEP.epsilon(1e-6, engine="magic"), "engine is 'magic', but must "),
    (lambda: STEP.epsilon(1e-6, direction="up"), "direction is 'up', but must "),
    (lambda: STEP.delta(math.nan), "epsilon is nan, but must "),
    (lambda: STEP.trade_off(1.5), "1.5, but must "),
    (lambda: 10**30 * STEP, "count is 1000000000000000000000000000000, but must be a whole number from 0 to 1e12"),
    (lambda: pld.epsilon_many([STEP, STEP], [0.1, 2]), "delta is 2, but must "),
    (lambda: pld.epsilon_many([STEP], [0.1, 0.2]), "delta has the shape (2,), but must be one number, or one for each"),
    (lambda: pld.epsilon_many([STEP], 0.1, threads=-1), "threads is -1, but must be 0"),
    (lambda: pld.from_json("{"), "line 1"),
    (lambda: STEP.calibrate(epsilon=1, delta=1e-6), "no number is unknown"),
    (lambda: pld.gaussian(sigma=pld.unknown).calibrate(), "target is missing"),
    (lambda: pld.gaussian(sigma=pld.unknown, x=1).calibrate(rho=1), "gaussian: parameter 'x' is not known, acc"),
    (lambda: pld.gaussian(sigma=pld.unknown, x=1).at(1), "gaussian: parameter 'x' is not known, accepted are "),
    (lambda: pld.gaussian(sigma=pld.unknown).calibrate(rho=math.nan), "calibrate: rho is nan, but must be a finite number"),
    (lambda: pld.gaussian(sigma=pld.unknown, sensitivity=math.inf).at(1), "gaussian: sensitivity is 'inf', but must be a finite"),
    (lambda: pld.gaussian(sigma=pld.unknown).epsilon(1e-6), "a number is unknown"),
    (lambda: STEP.epsilon("1e-5"), "epsilon: delta is '1e-5', but must be a number"),
    (lambda: STEP.epsilon(np.str_("1e-5")), "epsilon: delta is "),
    (lambda: STEP.epsilon(True), "epsilon: delta is True, but must be a number"),
    (lambda: STEP.delta(1, tolerance=True), "delta: tolerance is True, but must be a number"),
    (lambda: STEP.epsilon(np.array(True)), "epsilon: delta is array(True), but must be a number"),
    (lambda: STEP.epsilon(np.array([True])), "epsilon: delta is array([ True]), but must be a number"),
    (lambda: STEP.epsilon(np.complex128(0.1)), "but must be a number"),
    (lambda: True * STEP, "composition: count is True, but must be a whole number from 0 to 1e12"),
    (lambda: pld.gaussian(sigma=pld.unknown).in_groups(0), "group is 0, but must be"),
    (lambda: pld.gaussian(sigma=pld.unknown).in_groups(1001), "group is 1001, but must be"),
    (lambda: STEP.in_groups(True), "in_groups: records is True, but must be a whole number"),
    (lambda: pld.gaussian(sigma=True), "gaussian: sigma is True, but must be a number"),
    (lambda: pld.gaussian(sigma=1, sampler="\ud800"), r"gaussian: sampler is '\ud800', but must be without NUL and halves"),
    (lambda: pld.Composition("\ud800"), r"composition: mechanism is '\ud800', but must be without NUL and halves"),
    (lambda: STEP.best_of("geometric:mean=10\0"), r"best_of: tries is 'geometric:mean=10\x00', but must be without NUL"),
    (lambda: STEP.epsilon(None), "epsilon: delta is None, but must be a number"),
    (lambda: STEP.epsilon([0.1, "a"]), "epsilon: delta is [0.1, 'a'], but must be a number, or an array of numbers"),
    (lambda: STEP.epsilon([[0.1], [0.1, 0.2]]), "epsilon: delta is [[0.1], [0.1, 0.2]], but must be a number"),
    (lambda: STEP.delta(1, tolerance="fine"), "delta: tolerance is 'fine', but must be a number"),
    (lambda: STEP.delta(1, direction=1), "delta: direction is 1, but must be a string"),
    (lambda: pld.gaussian(sigma=1, poisson=None), "gaussian: poisson is None, but must be a number"),
    (lambda: pld.gaussian(sigma=1, poisson="256/50000"), "gaussian: poisson is '256/50000', but must be a number, as fractions.Fraction(256, 50000)"),
    (lambda: STEP.epsilon("1/60000"), "epsilon: delta is '1/60000', but must be a number, or an array of numbers"),
    (lambda: STEP.epsilon(0.1, tolerance="1/x"), "epsilon: tolerance is '1/x', but must be a number"),
    (lambda: pld.mechanism("gaussian", {"sigma": 1, "adjacency": "zero-out"}), "but must be beside the parameters: adjacency='zero-out'"),
    (lambda: pld.gaussian(sigma=1, sampling={"poisson": 0.1}), "sampling is {'poisson': 0.1}, but must be given number by "),
    (lambda: pld.gaussian(sigma="0.8"), "gaussian: sigma is '0.8', but must be a number"),
    (lambda: pld.gaussian(sigma=None), "gaussian: sigma is missing, but must "),
    (lambda: pld.gaussian(sigma=1, sampler="poisson,count=9"), "sampler is 'poisson,count=9', but must be a name without"),
    (lambda: pld.gaussian(sigma=1, count=1, steps=2), "gaussian: count is given twice"),
    (lambda: pld.gaussian(sigma=1, wor=0.1, without_replacement=0.1), "gaussian: wor is given twice"),
    (lambda: pld.mechanism("gaussian", {"sigma": 1, "count": 5}, count=6), "gaussian: count is 6, but must be given once"),
    (lambda: pld.mechanism("gaussian", {"sigma": 1, "steps": 5}, count=6), "gaussian: count is given twice"),
    (lambda: pld.mass_table(p={0.75, 0.25}, q=[0.25, 0.75]), "}, but must be in an order, as lists are"),
    (lambda: pld.epsilon_many({STEP}, 1e-5), "epsilon_many: runs is {Composition(gaussian:sigma="),
    (lambda: pld.mass_table(p=[0.5, "a"], q=[0.5, 0.5]), "mass-table: p is 'a', but must be a number"),
    (lambda: pld.Composition(3), "composition: mechanism is 3, but must be a string"),
    (lambda: STEP.best_of(""), "best_of: tries is '', but must be a law"),
    (lambda: pld.gaussian(sigma=pld.unknown).best_of(""), "best_of: tries is '', but must be a law"),
    (lambda: pld.gaussian(sigma=pld.unknown).best_of("often"), "tries is 'often', but must be geometric"),
    (lambda: pld.from_json('{"tries": "", "mechanisms": []}'), "ledger: tries is '', but must be a law"),
    (lambda: pld.epsilon_many([STEP], 0.1, progress=5), "epsilon_many: progress is 5, but must be a function"),
    (lambda: STEP.best_of(10), "best_of: tries is 10, but must be a string"),
    (lambda: STEP.in_groups(1.5), "in_groups: records is 1.5, but must be a whole number"),
    (lambda: 10**400 * STEP, "composition: count is 100000"),
    (lambda: STEP.audit("1", 1e-5), "audit: claim is '1', but must be a number"),
    (lambda: STEP.audit(pld.Evidence.of_guesses(correct=1, guessed=2, canaries=3), 1e-5), "(of data: Evidence.p_value(run))"),
    (lambda: pld.discrete_gaussian(sigma2=100), "discrete-gaussian: parameter 'sigma2' is not known (did you mean sigma?)"),
    (lambda: pld.laplace(epsilon=0.05), "laplace: parameter 'epsilon' is not known (did you mean scale = sensitivity / epsilon?)"),
    (lambda: pld.discrete_laplace(scale=2, poisson=0.1), "(did you mean a = 1 / scale?)"),
    (lambda: pld.gaussian(sigma="?"), "gaussian: sigma is '?', but must be a number, or pld.unknown for the one that calibrate() finds"),
    (lambda: pld.gaussian(sigma=1, count="?"), "count is '?', but must be a number, or pld.unknown"),
    (lambda: pld.Evidence.of_runs(true_positives="45/50", false_positives=(1, 50)), "'45/50', but must be a pair of whole numbers, as (45, 100)"),
    (lambda: STEP.renyi_divergence("2"), "renyi_divergence: order is '2', but must be a number"),
    (lambda: pld.from_json({"mechanisms": []}), "from_json: text is {'mechanisms': []}, but must be a string"),
    (lambda: pld.gaussian(sigma=pld.unknown).calibrate(epsilon="2", delta=1e-5), "calibrate: epsilon is '2', but must be a "),
    (lambda: pld.gaussian(sigma=pld.unknown).calibrate(targets=[(1, 1e-5)]), "targets is [(1, 1e-05)], but must be a list of"),
    (lambda: pld.gaussian(sigma=pld.unknown).calibrate(targets=[{"mu": "1"}]), "calibrate: mu is '1', but must be a number"),
    (lambda: 2 * pld.gaussian(sigma=1, count=pld.unknown), "an unknown count, and one of epochs, cannot be repeated"),
    (lambda: pld.gaussian(sigma=[1, 2]), "gaussian: sigma is [1, 2], but must be a number"),
    (lambda: pld.mass_table(p=[], q=[]), "mass-table: p is [], but must be one number or more"),
    (lambda: pld.mechanism("gaussian", 3), "mechanism: parameters is 3, but must be names with their values"),
    (lambda: pld.gaussian(sigma=2**2000), "..., but must be a number that doubles hold"),
    (lambda: pld.unknown * "a", "unknown: factor is 'a', but must be a number"),
    (lambda: STEP.trade_off(0.1, direction="both"), "trade-off: direction is 'both' (did you mean worst?), but must be one of worst, remove, add"),
    (lambda: STEP.zcdp_rho(direction="both"), "zcdp_rho: direction is 'both' (did you mean worst?), but must be one of worst, remove, add"),
    (lambda: pld.gaussian(sigma=pld.unknown).calibrate(epsilon=1), "calibrate: delta is missing, but must be a number"),
    (lambda: pld.epsilon_many([STEP], 0.1, threads=2**70), "threads is 1180591620717411303424, but must be a whole number below 2**63"),
    (lambda: pld.Evidence.of_guesses(correct=2**70, guessed=2**71, canaries=2**72), "of_guesses: correct is 1180591620717411303424, but "),
    (lambda: pld.Evidence.of_scores([1], [1], one_run="x"), "of_scores: one_run is 'x', but must be True or False"),
    (lambda: pld.TimeLimit("1"), "TimeLimit: seconds is '1', but must be a number"),
    (lambda: pld.gaussian(sigma=1, count=2**53 + 1), "gaussian: count is 9007199254740993, but must be a whole number from 0 to 1e12"),
    (lambda: pld.gaussian(sigma=np.int64(2**53 + 1)), "9007199254740993), but must be a number that doubles hold: 2**53, not"),
    (lambda: pld.gaussian(sigma=1, batch=3, dataset=2**53 + 1), "dataset is 9007199254740993, but must be a number that doubles"),
    (lambda: (2**53 + 1) * STEP, "composition: count is 9007199254740993, but must be a whole number from 0 to 1e12"),
    (lambda: STEP.in_groups(2).in_groups(3), "in_groups: group is 2, but must be 1: records of groups are not grouped again"),
    (lambda: pld.gaussian(sigma=pld.unknown).in_groups(2).in_groups(3), "in_groups: group is 2, but must be 1: records of groups"),
    (lambda: pld.from_json(STEP.in_groups(3).to_json()).in_groups(1), "in_groups: group is 3, but must be 1"),
    (lambda: pld.Bracket(), "Bracket: parts is (), but must be 3: lower, estimate, upper"),
    (lambda: pld.Floor(1, 2), "Floor: parts is (1, 2), but must be 3: lower, estimate, upper"),
    (lambda: pld.Epsilon(1, 2, 3), "Epsilon: parts is (1, 2, 3), but must be 11: lower, estimate, upper, direction, engine, converged, exact, only_guaranteed, "),
    (lambda: pld.epsilon_many(STEP, 1e-5), "epsilon_many: runs is Composition("),
    (lambda: pld.epsilon_many([STEP], "1e-5"), "epsilon_many: delta is '1e-5', but must be a number"),
    (lambda: pld.epsilon_many([STEP], 1e-5, threads=1.5), "epsilon_many: threads is 1.5, but must be a whole number"),
    (lambda: pld.matrix_sensitivity([["a"]]), "matrix_sensitivity: strategy is [['a']], but must be a number"),
    (lambda: pld.Evidence.of_runs(true_positives=3, false_positives=(1, 2)), "of_runs: true_positives is 3, but must be a pair"),
    (lambda: pld.Evidence.of_guesses(correct=1.5, guessed=2, canaries=9), "of_guesses: correct is 1.5, but must be a whole"),
    (lambda: pld.Evidence.of_guesses(correct=1, guessed=2, canaries=9).p_value(3), "p_value: hypothesis is 3, but must be a "),
], ids=lambda value: value if isinstance(value, str) else "")
def test_refusals_are_one_line_value_errors(ask, says):
    with pytest.raises(ValueError) as caught:
        ask()
    assert isinstance(caught.value, pld.DomainError)
    assert says in str(caught.value) and "\n" not in str(caught.value)
    assert "mechanisms[" not in str(caught.value)  # nobody wrote a list
    assert "column" not in str(caught.value) or says == "line 1"  # of a text that was given, not of one written for it


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int64, np.uint8, np.array, decimal.Decimal, fractions.Fraction])
def test_whatever_is_a_number_is_one(kind):
    one = kind(1)
    plain = pld.gaussian(sigma=1, poisson=1, count=1)
    for run in (pld.gaussian(sigma=one, poisson=one, count=one), pld.gaussian(noise_multiplier=one, steps=one),
                pld.dp_sgd(examples=one, batch=one, epochs=one, noise_multiplier=one, sampler="poisson")):
        assert run.epsilon(0.1) == plain.epsilon(0.1)
    assert type(plain.epsilon(one)) is pld.Epsilon and type(plain.delta(one)) is pld.Delta
    assert plain.delta(one, tolerance=one) == plain.delta(1, tolerance=1) and plain.renyi_divergence(one) == plain.renyi_divergence(1)
    assert plain.audit(one, 0.1) == plain.audit(1, 0.1)
    found = pld.gaussian(sigma=pld.unknown).calibrate(epsilon=one, delta=0.1)
    assert found == pld.gaussian(sigma=one * pld.unknown).calibrate(targets=[{"epsilon": one, "delta": 0.1}])
    assert found == pld.gaussian(sigma=pld.unknown / one).calibrate(epsilon=1, delta=0.1)
    if hasattr(one, "__index__"):
        assert plain * one == plain and (kind is np.array or one * plain == plain)


@pytest.mark.parametrize("rate", [fractions.Fraction(1, 3), fractions.Fraction(1, 49), fractions.Fraction(1, 7), fractions.Fraction(2, 3)])
@pytest.mark.parametrize("word", ["poisson", "q", "wor", "without_replacement", "truncated"])
def test_a_fraction_that_is_no_double_is_rounded_up(rate, word):
    """As the command reads q=1/3: a larger rate gives away more."""
    others = {"cap": 20, "records": 1000} if word == "truncated" else {}
    run = pld.gaussian(sigma=2, **{word: rate}, **others)
    (number,) = [n for n in json.loads(run.to_json())["mechanisms"][0]["sampling"].values() if n < 1]
    assert math.nextafter(number, 0) < rate < number  # as exact fractions
    short = {"without_replacement": "wor"}.get(word, word)
    assert run == pld.Composition(f"gaussian:sigma=2,{short}={rate.numerator}/{rate.denominator}"
                                  + "".join(f",{name}={value}" for name, value in others.items()))
    column = pld.epsilon_many({"type": "gaussian", "sigma": 2, word: np.array([rate], object), **others}, 1e-5)
    assert column.upper[0] == run.epsilon(1e-5).upper


def test_a_fraction_that_is_a_double_is_it():
    assert pld.gaussian(sigma=2, poisson=decimal.Decimal("0.3")) == pld.Composition("gaussian:sigma=2,q=0.3")  # the nearest one
    for half in (fractions.Fraction(1, 2), fractions.Fraction(0.1)):
        assert pld.gaussian(sigma=2, poisson=half) == pld.gaussian(sigma=2, poisson=float(half))
    assert pld.gaussian(sigma=fractions.Fraction(1, 3)) == pld.Composition("gaussian:sigma=1/3")  # to nearest at both doors


def test_no_rate_is_below_0():
    assert repr(pld.gaussian(sigma=1, poisson=-0.0)) == "Composition(gaussian:sigma=1,q=0)"
    assert pld.gaussian(sigma=1, poisson=-0.0).to_json() == pld.gaussian(sigma=1, poisson=0).to_json()
    assert repr(pld.from_json('{"mechanisms": [{"type": "gaussian", "sigma": 1, "sampling": {"poisson": -0.0}}]}')) == (
        "Composition(gaussian:sigma=1,q=0)")


def test_the_words_of_the_command():
    """Its synonyms, a training script's words and the longer names of ledgers."""
    step = pld.gaussian(sigma=2, poisson=0.01)
    assert 30 * step == pld.gaussian(noise_multiplier=2, q=0.01, steps=30)
    assert pld.gaussian(sigma=2, wor=0.1) == pld.gaussian(sigma=2, without_replacement=0.1)
    cut = pld.gaussian(sigma=2, truncated=0.01, cap=20, records=1000)
    assert cut == pld.gaussian(sigma=2, truncated_poisson=0.01, largest_batch=20, records=1000)
    assert 300 * step == pld.gaussian(sigma=2, sampler="poisson", batch=10, dataset=1000, epochs=3)
    columns = {"type": "gaussian", "noise_multiplier": [2.0, 2.0], "q": 0.01, "steps": [30, 300]}
    assert list(pld.epsilon_many(columns, 1e-5).upper) == [(k * step).epsilon(1e-5).upper for k in (30, 300)]
    with pytest.raises(pld.DomainError) as caught:
        pld.gaussian(sigma=1, stps=30)
    assert str(caught.value).count(" poisson,") == 1 and "sampling" not in str(caught.value)
    assert "did you mean steps?" in str(caught.value)


@pytest.mark.parametrize("ask, says", [
    (lambda: pld.dp_sgd(examples=9, batch=1, epochs=1, sigma=1), "dp_sgd() got an unexpected keyword argument 'sigma' (did you mean noise_multiplier?)"),
    (lambda: pld.dp_sgd(dataset_size=9, batch=1, epochs=1, noise_multiplier=1), "argument 'dataset_size' (did you mean examples?)"),
    (lambda: pld.dp_sgd(examples=9, batch_size=1, epochs=1, noise_multiplier=1), "argument 'batch_size' (did you mean batch?)"),
    (lambda: pld.gaussian(sigma=pld.unknown).calibrate(eps=1, delta=1e-5), "Composition.calibrate() got an unexpected keyword argument 'eps' (did you mean epsilon?)"),
    (lambda: STEP.epsilon(target_delta=1e-5), "Composition.epsilon() got an unexpected keyword argument 'target_delta' (did you mean delta?)"),
    (lambda: STEP.epsilon(1e-5, xyzzy=1), "argument 'xyzzy' (it takes delta, tolerance, direction, engine)"),
    (lambda: pld.Evidence.of_runs(tp=(1, 2), fp=(1, 2)), "argument 'tp' (did you mean true_positives?)"),
    (lambda: pld.Evidence(true_positives=(9, 10), false_positives=(1, 10)), "Evidence is made by Evidence.of_runs(true_positives=, false_positives=), "
     "of_guesses(correct=, guessed=, canaries=) or of_scores(in_scores, out_scores)"),
    (lambda: pld.dp_sgd(50000, 256, 30, 1.0), "dp_sgd() takes examples, batch, epochs, noise_multiplier, sampler, cap, adjacency by name"),
    (lambda: pld.Evidence.of_runs((9, 10), (1, 10)), "Evidence.of_runs() takes true_positives, false_positives by name"),
    (lambda: pld.gaussian(1.0), "gaussian() takes its parameters by name, as gaussian(sigma=...)"),
    (lambda: pld.discrete_laplace(2), "discrete_laplace() takes its parameters by name, as discrete_laplace(a=...)"),
    (lambda: pld.laplace(count=3), "laplace() missing 1 required keyword-only argument: 'scale'"),
    (lambda: pld.laplace(without_replacement=0.1, adjacency="replace-one"), "argument: 'scale'"),
])
def test_arguments_that_are_called_otherwise(ask, says):
    with pytest.raises(TypeError) as caught:
        ask()
    assert str(caught.value).endswith(says)


@pytest.mark.parametrize("name, hint", [
    ("calibrate", " (did you mean a composition's, as pld.gaussian(sigma=1).calibrate?)"),
    ("gdp", " (did you mean gaussian(sigma=1/mu,replace_sensitivity=1)?)"),
    ("guassian", " (did you mean gaussian?)"), ("rr", " (did you mean randomized_response?)"), ("dpsgd", " (did you mean dp_sgd?)"), ("xyzzy", ""), ("__wrapped__", ""),
])
def test_names_that_are_not_here(name, hint):
    with pytest.raises(AttributeError) as caught:
        getattr(pld, name)
    assert str(caught.value) == f"module 'pld' has no attribute '{name}'{hint}"


def test_an_unknown_of_the_commands_words():
    """The smallest noise for so many epochs of such batches, by each of its doors."""
    words = "gaussian:noise_multiplier=?,sampler=poisson,batch=256,dataset=50000,epochs=30"
    run = dict(examples=50_000, batch=256, epochs=30, sampler="poisson")
    one = pld.Composition(words).calibrate(epsilon=2, delta=1e-5)
    assert one.unknown == "noise_multiplier" and pld.dp_sgd(**run, noise_multiplier=float(one)).epsilon(1e-5) <= 2
    assert pld.dp_sgd(**run, noise_multiplier=one.next).epsilon(1e-5).upper > 2
    for other in (pld.dp_sgd(**run, noise_multiplier=pld.unknown), pld.gaussian(
            sigma=pld.unknown, sampler="poisson", batch=256, dataset=50_000, epochs=30)):
        assert other.calibrate(epsilon=2, delta=1e-5) == one
        assert other.at(1) == pld.dp_sgd(**run, noise_multiplier=1).composition
    epochs = pld.dp_sgd(**run | {"epochs": pld.unknown}, noise_multiplier=1).calibrate(epsilon=2, delta=1e-5)
    assert epochs.unknown == "epochs" and pld.dp_sgd(**run | {"epochs": float(epochs)}, noise_multiplier=1).epsilon(1e-5) <= 2
    shuffled = dict(examples=1000, batch=30, epochs=3)
    noise = pld.dp_sgd(**shuffled, noise_multiplier=pld.unknown).calibrate(epsilon=2, delta=1e-5)
    assert pld.dp_sgd(**shuffled, noise_multiplier=float(noise)).epsilon(1e-5) <= 2
    assert pld.dp_sgd(**shuffled, noise_multiplier=noise.next).epsilon(1e-5).upper > 2
    twice = 2 * pld.Composition("gaussian:sigma=?,steps=3", "laplace:scale=9") + pld.Composition("gaussian:sigma=?*2")
    assert twice.at(3) == pld.gaussian(sigma=3, count=6) + 2 * pld.laplace(scale=9) + pld.gaussian(sigma=6)


def test_what_no_theorem_answers():
    with pytest.raises(pld.MissingTheorem, match="replace-one"):
        pld.poisson_difference(plus=2, minus=1, adjacency="replace-one")
    shuffled = {"type": "gaussian", "sigma": 1, "sampling": {"shuffled": 3}}
    mixture = dict(shifts=[0, 1], weights=[0.5, 0.5], adjacency="replace-one")
    at = pld.gaussian_mixture(sigma=pld.unknown, **mixture | {"adjacency": "zero-out"})
    for asked, says in [
        (lambda: pld.from_json(json.dumps({"mechanisms": [shuffled]})), r"^mechanisms\[0\]: gaussian:sigma=1,shuffled=3: "),
        (lambda: pld.from_json(json.dumps({"mechanisms": ["gaussian:sigma=1,shuffled=3"]})), r"^mechanisms\[0\]: gaussian:"),
        (lambda: pld.gaussian_mixture(sigma=pld.unknown, **mixture).calibrate(epsilon=1, delta=1e-5), r"^gaussian-mixture:sigma=\?: "),
        (lambda: pld.gaussian(sigma=pld.unknown, shuffled=3).calibrate(epsilon=1, delta=1e-5), r"^gaussian:sigma=\?: "),
        (lambda: pld.gaussian(sigma=pld.unknown, shuffled=3).at(2), r"^gaussian:sigma=2,shuffled=3: "),
        (lambda: pld.epsilon_many({"type": "gaussian", "sigma": [2.0, 1.0], "shuffled": [None, 2]}, 1e-5), "^row 1: gaussian:sigma=1,"),
    ]:
        with pytest.raises(pld.MissingTheorem, match=says):
            asked()
    assert at.at(1).epsilon(1e-5).exact
    for asked in (lambda: pld.from_json('{"mechanisms": [{"type": "gaussian", "sigma": 0}]}'),
                  lambda: pld.gaussian(sigma=pld.unknown).calibrate(epsilon=-1, delta=2)):
        with pytest.raises(pld.DomainError) as refused:
            asked()
        assert refused.type is pld.DomainError


def test_counts_that_are_repeated_are_read_as_the_command_reads_them():
    for written, count in (("6/2", 6), ("300%", 6), ("+3.0", 6), ("1e3", 2000)):
        opened = 2 * pld.Composition(f"gaussian:sigma=?,count={written}")
        assert opened.at(3) == pld.gaussian(sigma=3, count=count)
    for too_many in (lambda: 2 * pld.Composition("gaussian:sigma=?,count=1e12"),
                     lambda: 10**12 * pld.Composition("gaussian:sigma=?,steps=2"), lambda: -1 * pld.Composition("gaussian:sigma=?,count=1"),
                     lambda: 3 * pld.Composition("gaussian:sigma=?,count=1/3")):
        with pytest.raises(pld.DomainError, match="count is .*, but must be a whole number from 0 to 1e12"):
            too_many()


def test_an_answer_is_its_safe_end():
    answer = RUN.epsilon(1e-6)
    assert answer.lower < answer.estimate < answer.upper == float(answer) == answer
    assert answer.exact and answer.converged and answer.direction == "remove" and answer.delta == 1e-6
    shown = [float(end) for end in repr(answer).removeprefix("Epsilon(").removesuffix(")").split(" <= ")]
    assert shown[0] <= answer.lower and answer.upper <= shown[1] < answer.upper + 2e-5
    assert f"{shown[1]:g}" in answer._repr_html_()
    copy = pickle.loads(pickle.dumps(answer))
    assert (copy, copy.lower, copy.engine, copy.exact, copy.delta) == (answer, answer.lower, answer.engine, True, 1e-6)
    delta = pickle.loads(pickle.dumps(RUN.delta(900)))
    assert delta.upper < 1e-300 and -math.inf < delta.log_delta.lower <= delta.log_delta.upper < -700
    assert RUN.trade_off(0.1) == RUN.trade_off(0.1).lower


@pytest.mark.parametrize("spec", [".4f", ".0f", "f", ".3e", "E", ".3g", "g", ".2%", ".5", ">14.3f", "*^+12.1f", "012.4f", ".30f", "20"])
def test_rounding_never_crosses_the_safe_end(spec):
    """A number read back from text, or rounded, is still proved: up for losses, down for errors of an attack."""
    for answer in (RUN.epsilon(1e-6), RUN.delta(2.5), RUN.advantage(), pld.Bracket(-2.0, -1.5, -1.0004999), pld.Bracket(0, 1, 9.99999)):
        shown = format(answer, spec)
        assert "f" not in spec or len(shown) == len(format(answer.upper, spec)) or shown.startswith("10")
        assert read_back(shown) >= answer.upper and abs(read_back(shown) - read_back(format(answer.upper, spec))) <= 1
    floor = RUN.trade_off(0.1)
    assert read_back(format(floor, spec)) <= floor.lower


def read_back(text):
    number = text.strip(" *")
    return float(number[:-1]) / 100 if number.endswith("%") else float(number)


def test_rounded_numbers_are_safe():
    answer, floor = (1000 * STEP).epsilon(1e-6), RUN.trade_off(0.1)
    assert (f"{answer:.4f}", round(answer, 4), round(answer), type(round(answer))) == ("2.0042", 2.0042, 3, int)
    assert round(floor, 2) <= floor.lower < round(floor, 2) + 0.01 and round(floor) == 0
    assert f"{answer:.2%}" == "200.42%" and f"{answer}" == str(answer) and f"{pld.dp(epsilon=1, delta=0.01).epsilon(0.001):.2f}" == "inf"
    for exactly in (0.1, 2.56, 1e-5, 1e300, 5e-324, 0.0, -0.25):  # what is short is what it is
        assert repr(pld.Bracket(exactly, exactly, exactly)) == f"Bracket({exactly:g} <= {exactly:g})"
        assert round(pld.Bracket(exactly, exactly, exactly), 400) == exactly
    assert repr(pld.zcdp(rho=2.56).zcdp_rho()).endswith("at most 2.56)")
    noise = pld.gaussian(sigma=pld.unknown, poisson=0.005, count=1000).calibrate(epsilon=2, delta=1e-6)
    rate = pld.gaussian(sigma=0.8, poisson=pld.unknown, count=1000).calibrate(epsilon=2, delta=1e-6)
    assert f"{noise:.3f}" == "0.801" and noise.composition.epsilon(1e-6) <= 2 and f"{rate:.3g}" == "0.00498" and round(rate, 4) == 0.0049


def test_whole_numbers_of_it_are_safe():
    """int(), math.trunc() and NumPy's round go to the safe side; "%" and arithmetic see a plain float, as is said."""
    epsilon, floor = pld.gaussian(sigma=1).epsilon(1e-5), 100 * pld.gaussian(sigma=1).trade_off(0.5)
    assert 4 < epsilon < 5 and (int(epsilon), math.trunc(epsilon), "%d" % epsilon) == (5, 5, "5")
    assert (np.round(epsilon, 3), np.around(epsilon, 1), np.round(epsilon)) == (4.378, 4.4, 5)
    least = pld.Floor(3.7, 3.8, 3.9)
    assert (int(least), np.round(least, 0), int(pld.Bracket(-2.5, -2.0, -1.5))) == (3, 3, -1)
    assert int(pld.Bracket(7, 7, 7)) == math.trunc(pld.Bracket(7, 7, 7)) == 7 and math.floor(epsilon) == 4
    noise = pld.gaussian(sigma=pld.unknown).calibrate(epsilon=1, delta=1e-5)
    steps = pld.gaussian(sigma=20, count=pld.unknown).calibrate(epsilon=1, delta=1e-5)
    assert int(noise) == math.ceil(float(noise)) and int(steps) == float(steps)
    assert "%.3f" % epsilon == "4.377" and '"%.3f" %' in pld.Epsilon.__mro__[3].__doc__ and type(floor) is float
    with pytest.raises(OverflowError):
        int(pld.dp(epsilon=1, delta=0.01).epsilon(0.001))


def test_what_was_asked_is_told_in_full():
    """delta rounded down would make another claim."""
    run = pld.gaussian(sigma=1)
    assert "at delta 1.2345649e-06" in str(run.explain(1.2345649e-6)) and "1.2345649e-06" in run.epsilon(1.2345649e-6)._repr_html_()
    assert "at delta 1.2345649e-06" in str(run.compare(1.2345649e-6)) and "0.1234564" in run.delta(0.1234564)._repr_html_()


def test_arithmetic_gives_floats():
    answer = RUN.epsilon(1e-6)
    for found in (answer + 1, 2 * answer, -answer, statistics.mean([answer, answer]), statistics.mean([RUN.trade_off(0.1)] * 2)):
        assert type(found) is float
    assert statistics.mean([answer, answer]) == answer.upper


def test_infinities():
    leaky = pld.dp(epsilon=1, delta=0.01)
    assert leaky.epsilon(0.001) == math.inf and json.loads(leaky.epsilon(0.001).to_json())["epsilon"]["upper"] == "inf"
    assert pld.gaussian(sigma=1).epsilon(1) == -math.inf
    assert repr(leaky.epsilon(0.001)) == "Epsilon(inf <= inf)"


def test_where_pairs_only_dominate_the_answer_says_so():
    run = pld.zcdp(rho=0.1)
    answer = run.epsilon(1e-6)
    assert not run.is_exact and not answer.exact
    assert run.is_only_guaranteed and answer.only_guaranteed and pickle.loads(pickle.dumps(answer)).only_guaranteed
    named = pld.exponential(epsilon=1, count=2).epsilon(delta=1e-6)
    assert not named.exact and not named.only_guaranteed
    for text in (repr(answer), answer._repr_html_(), str(run.explain(1e-6)), repr(run.delta(1)), run.delta(1)._repr_html_()):
        assert "for some mechanism with the guarantee" in text, text
    for text in (repr(named), named._repr_html_()):
        assert "at least" in text and "guarantee" not in text, text
    assert repr(answer).startswith("Epsilon(at most ") and "<=" not in repr(answer)
    assert run.audit(answer.upper, 1e-6) == "valid" and run.audit(answer.upper, 1e-6)
    assert run.audit(answer.upper * 0.999, 1e-6) == "undecided" and not run.audit(answer.upper * 0.999, 1e-6)
    exact = pld.gaussian(sigma=1).epsilon(1e-5)
    assert pld.gaussian(sigma=1).audit(exact.lower * (1 - 1e-9), 1e-5) == "under-reports"


def test_what_met_its_tolerance_says_so():
    loose = pld.laplace(scale=pld.unknown, poisson=0.5, count=3).calibrate(epsilon=1, delta=1e-6, tolerance=1e-15)
    assert not loose.converged and "tolerance not reached" in repr(loose) and "tolerance not reached" in loose._repr_html_()
    met = pld.gaussian(sigma=pld.unknown).calibrate(epsilon=1, delta=1e-6)
    assert met.converged and "tolerance" not in repr(met)
    runs = [STEP, pld.laplace(scale=1, allocation=100)]
    many = pld.epsilon_many(runs, 1e-6, tolerance=1e-10)
    assert many.converged.tolist() == [run.epsilon(1e-6, tolerance=1e-10).converged for run in runs] == [True, False]
    assert "; tolerance not reached by 1)" in repr(many)
    assert pickle.loads(pickle.dumps(many)).converged.tolist() == many[:].converged.tolist() == many.converged.tolist()
    table = STEP.profile().delta([[0.0, 1.0], [2.0, 3.0]])
    assert table.converged is None and repr(table).startswith("Brackets(4 intervals <= ")


class Series(np.ndarray):
    """As pandas has it: an array with keys, which need not be names."""

    def keys(self):
        return [10, 11, 12]


def test_a_series_of_compositions_is_no_table():
    runs = np.array([pld.gaussian(sigma=sigma) for sigma in (1, 2, 3)], dtype=object)
    assert np.array_equal(pld.epsilon_many(runs.view(Series), 1e-5).upper, pld.epsilon_many(list(runs), 1e-5).upper)


def test_arrays_compare_as_their_safe_ends():
    deltas = [1e-9, 1e-6, 1e-3]
    answers = pld.gaussian(sigma=1).epsilon(deltas)
    singles = [pld.gaussian(sigma=1).epsilon(delta) for delta in deltas]
    assert (answers < 5).tolist() == [one < 5 for one in singles] == [False, True, True]
    assert (answers > 5).tolist() == (5 < answers).tolist() == [True, False, False]
    assert (answers <= answers.upper).all() and (answers >= answers.upper).all() and (np.array([9, 9, 1]) >= answers).tolist() == [True, True, False]
    floors = pld.gaussian(sigma=1).trade_off([0.1, 0.5])
    assert (floors >= floors.lower).all() and not (floors >= floors.upper).any()


def test_many_kinds_are_shown_by_the_first():
    run = sum([pld.gaussian(sigma=1 + i, count=2) for i in range(1234)])
    kinds = [f"2 * gaussian:sigma={1 + i}" for i in range(10)]
    assert repr(run) == f"Composition({' + '.join(kinds)} + 1,224 more)"
    page = run._repr_html_()
    assert page.count("<tr>") == 12 and "gaussian:sigma=10<" in page and "and 1,224 kinds more" in page
    ten = sum([pld.gaussian(sigma=1 + i, count=2) for i in range(10)])
    assert repr(ten) == f"Composition({' + '.join(kinds)})" and "more" not in ten._repr_html_()


def test_arrays_show_their_safe_ends():
    run = pld.gaussian(sigma=1)
    for answers, sign in ((run.delta(np.array([[0.0, 1.0], [2.0, 3.0]])), "<="), (run.trade_off(np.linspace(0.1, 0.9, 7)), ">=")):
        shown = repr(answers).split(sign, 1)[1].split(";")[0].split(",")
        safe = np.ravel(np.asarray(answers))
        assert len(shown) == min(len(safe), 6) and (len(safe) <= 6 or shown[-1] == " ...")
        for text, end in zip(shown[:5], safe):
            off = float(text) / float(end) - 1
            assert 0 <= (off if sign == "<=" else -off) < 1e-5
    assert repr(run.delta(np.array([]))) == "Brackets(0 intervals; .lower .estimate .upper)"


def test_arrays_hold_what_single_queries_hold():
    profile = RUN.profile()
    at = np.linspace(0, 5, 24).reshape(4, 6)
    deltas = RUN.delta(at)
    assert deltas.upper.shape == (4, 6) and np.all(deltas.lower <= deltas.upper)
    for i, j in ((0, 0), (2, 3), (3, 5)):
        one = RUN.delta(at[i, j])
        assert max(one.lower, deltas.lower[i, j]) <= min(one.upper, deltas.upper[i, j])
        assert np.exp(profile.log_delta(at[i, j]).estimate) == pytest.approx(one.estimate, rel=1e-3)
    epsilons = RUN.epsilon([1e-3, 1e-6, 1e-9])
    assert len(epsilons) == 3 and list(np.asarray(epsilons)) == list(epsilons.upper)
    assert max(epsilons[1].lower, RUN.epsilon(1e-6).lower) <= min(epsilons[1].upper, RUN.epsilon(1e-6).upper)
    assert isinstance(epsilons[1:], pld.Brackets) and isinstance(RUN.epsilon(np.float64(1e-6)), pld.Epsilon)
    rates = RUN.true_positive_rate(np.geomspace(1e-12, 1, 30))
    errors = RUN.trade_off(np.geomspace(1e-12, 1, 30))
    assert np.all(abs(rates.estimate + errors.estimate - 1) < 1e-12) and np.all(np.asarray(errors) == errors.lower)


def test_other_currencies_of_a_gaussian():
    """All of them closed forms of mu = sqrt(count) / sigma."""
    run, mu = 9 * pld.gaussian(sigma=2), 1.5
    phi = lambda x: math.erfc(-x / math.sqrt(2)) / 2
    for found, truth in ((run.zcdp_rho(), mu**2 / 2), (run.renyi_divergence(7), 7 * mu**2 / 2), (run.gaussian_mu(), mu),
                         (run.renyi_divergence([2, 7])[1], 7 * mu**2 / 2), (run.advantage(), 2 * phi(mu / 2) - 1), (run.bayes_error(), phi(-mu / 2)),
                         (run.trade_off(0.5), phi(-mu))):
        assert found.lower * (1 - 1e-12) <= truth <= found.upper * (1 + 1e-12) and found.upper < truth * 1.01


@pytest.mark.parametrize("runs, delta", [
    ([k * STEP for k in range(1000, 1012)], 1e-6),
    ([k * pld.gaussian(sigma=1, poisson=0.2) + pld.laplace(scale=3) for k in (5, 1, 3)], 1e-4),
    ([k * STEP for k in (7, 500, 20_000, 3000, 500)] + [pld.gaussian(sigma=1), pld.zcdp(rho=0.1), STEP],
     [1e-5, 1e-9, 1e-5, 1e-5, 1e-4, 1e-5, 1e-5, 0.9]),
], ids=["steps", "mixed", "deltas"])
def test_many_at_once(runs, delta):
    found = pld.epsilon_many(runs, delta, threads=3)
    alone = [run.epsilon(d) for run, d in zip(runs, np.broadcast_to(delta, len(runs)))]
    assert list(found.upper) == [one.upper for one in alone] and list(found.lower) == [one.lower for one in alone]


def test_many_from_columns():
    assert len(pld.epsilon_many([], 1e-6)) == 0
    count = np.array([10, 100, 1000])
    truth = pld.epsilon_many([int(k) * pld.gaussian(sigma=1, batch=10, dataset=1000, adjacency="replace-one")
                              for k in count], 1e-5)
    columns = {"type": "gaussian", "sigma": 1.0, "batch": 10, "dataset": np.full(3, 1000), "count": count}
    found = pld.epsilon_many(columns, 1e-5, adjacency="replace-one")
    assert list(found.upper) == list(truth.upper) and list(found.lower) == list(truth.lower)
    for wrong, says in (({"sigma": [1.0]}, "the column type is missing"),
                        ({"type": "gaussian", "sigma": [1.0, -1.0]}, "row 1: gaussian: sigma is -1, but must "),
                        ({"type": ["gaussian"], "sigma": [1.0], "sigmoid": [2]}, "row 0: .*sigmoid"),
                        ({"type": ["gaussian"] * 2, "sigma": [1.0] * 3}, "lengths are type 2, sigma 3, but must ")):
        with pytest.raises(pld.DomainError, match=says):
            pld.epsilon_many(wrong, 1e-5)
    with pytest.raises(pld.DomainError, match="run 1 is 3, but must be a Composition"):
        pld.epsilon_many([STEP, 3], 1e-5)


STEPS = {"type": "gaussian", "sigma": np.ones(2), "poisson": 0.01}


@pytest.mark.parametrize("columns, says", [
    ({**STEPS, "count": np.array([10, np.nan])}, "row 1: gaussian: count is nan, but must be there"),
    ({**STEPS, "steps": np.array([10, None], object)}, "row 1: gaussian: steps is None, but must be there"),
    ({**STEPS, "count": np.ma.array([10, 1000], mask=[0, 1])}, "row 1: gaussian: count is None, but must be there"),
    ({**STEPS, "sensitivity": np.array([3, np.nan])}, "row 1: gaussian: sensitivity is nan, but must be there"),
    ({**STEPS, "noise_multiplier": np.array([np.nan, 3])}, "row 0: gaussian: noise_multiplier is nan, but must be there"),
    ({**STEPS, "sigma": np.ma.array([1.0, 2.0], mask=[1, 0])}, "row 0: gaussian: sigma is None, but must be there"),
    ({"type": np.array(["gaussian", None], object), "sigma": 1.0}, "row 1: mechanism: type is None, but must be there"),
    ({"type": ["dp", "dp"], "epsilon": 1.0, "delta": np.array([1e-6, np.nan])}, "row 1: dp: delta is nan, but must be there"),
], ids=range(8))
def test_a_null_is_no_number(columns, says):
    with pytest.raises(pld.DomainError, match=says):
        pld.epsilon_many(columns, 1e-5)


def test_a_null_is_what_a_row_does_not_have():
    mixed = {"type": ["gaussian", "laplace", "gaussian"], "sigma": [2.0, np.nan, 2.0], "scale": [None, 3.0, None],
             "poisson": np.ma.array([0.5, 0.5, 0.5], mask=[0, 0, 1])}
    runs = pld.gaussian(sigma=2, poisson=0.5), pld.laplace(scale=3, poisson=0.5), pld.gaussian(sigma=2)
    assert list(pld.epsilon_many(mixed, 1e-5).upper) == [run.epsilon(1e-5).upper for run in runs]
    with pytest.raises(pld.DomainError, match="adjacency is 'replace-one', but must be left out: each composition has its own"):
        pld.epsilon_many(runs, 1e-5, adjacency="replace-one")
    with pytest.raises(pld.DomainError, match="delta is .*, but must be without masked ones"):
        pld.epsilon_many(runs, np.ma.array([1e-5, 1e-5, 1e-5], mask=[0, 0, 1]))


@pytest.mark.parametrize("ask, said", [
    (lambda run: pld.epsilon_many([run], 0.1, threads=10**12), r"threads is 1000000000000, but must be 0 \(one for each core\) to 1024"),
    (lambda run: pld.epsilon_many(np.array(0.1), 0.1), r"runs is array\(0.1\), but must be a sequence of compositions, or a table"),
    (lambda run: pld.epsilon_many({"type": "gaussian", "sigma": decimal.Decimal("sNaN")}, 0.1), "row 0: gaussian: sigma is Decimal.*, but must be there"),
    (lambda run: pld.epsilon_many([run], np.ma.masked), "delta is masked, but must be a number"),
    (lambda run: run.epsilon(np.ma.masked), "delta is masked, but must be a number"),
    (lambda run: run.epsilon(np.ma.array(0.1, mask=True)), "delta is masked_array.*, but must be a number"),
    (lambda run: run.epsilon([0.1, np.ma.masked]), "delta is .*, but must be a number, or an array of numbers, without masked ones"),
    (lambda run: run.epsilon(np.array([0.1, np.ma.masked], dtype=object)), "delta is .*, but must be a number, or an array of numbers"),
    (lambda run: run.epsilon(0.1, tolerance=np.ma.masked), "tolerance is masked, but must be a number"),
    (lambda run: run.in_groups(np.ma.masked), "records is masked, but must be a whole number"),
    (lambda run: pld.gaussian(sigma=np.ma.masked), "sigma is masked, but must be a number"),
    (lambda run: pld.gaussian_mixture(sigma=1, shifts=np.ma.masked, weights=[1]), "shifts is masked, but must be a number"),
    (lambda run: pld.gaussian_mixture(sigma=1, shifts=np.ma.array([1.0], mask=[1]), weights=[1]), "shifts is masked, but must be a number"),
    (lambda run: pld.TimeLimit(np.ma.masked), "seconds is masked, but must be a number"),
])
@pytest.mark.filterwarnings("error")
def test_whatever_is_no_number_is_told_in_one_line(ask, said):
    with pytest.raises(pld.DomainError, match=said) as told:
        ask(pld.gaussian(sigma=1))
    assert "\n" not in str(told.value)


def test_calibration_with_a_file(tmp_path):
    """One that epsilon() reads: the tree's sensitivity is the root of 2."""
    np.save(tmp_path / "tree.npy", np.array([[1.0, 0.0], [1.0, 1.0]]))
    found = pld.gaussian(sigma=pld.unknown, matrix=str(tmp_path / "tree.npy")).calibrate(epsilon=1, delta=1e-5)
    plain = pld.gaussian(sigma=pld.unknown, sensitivity=np.sqrt(2)).calibrate(epsilon=1, delta=1e-5)
    assert found == pytest.approx(plain, rel=1e-9) and found.composition.delta(1).upper <= 1e-5


def test_a_factor_that_is_a_quotient():
    third = pld.Composition("gaussian:sigma=?*1/3")
    found = third.calibrate(epsilon=1, delta=1e-5)
    assert found.composition == third.at(float(found)) == pld.gaussian(sigma=float(found) * (1 / 3))
    with pytest.raises(pld.DomainError, match="factor"):
        pld.Composition("gaussian:sigma=?*x").at(1)


def test_what_is_only_an_upper_bound_says_so():
    run, exact = pld.zcdp(rho=0.1), pld.gaussian(sigma=1)
    shuffled = pld.gaussian(sigma=1, shuffled=10, adjacency="zero-out")
    many = pld.epsilon_many([run, exact, shuffled], 1e-5)
    assert list(many.exact) == [False, True, False] and "at most, not exact: 2" in repr(many)
    arrays = (many, many[1:], pickle.loads(pickle.dumps(many)), run.epsilon([1e-5]), run.delta([1.0]), run.renyi_divergence([2]),
              run.profile().log_delta([1.0]))
    singles = (many[0], run.profile().epsilon(1e-5), run.advantage(), run.zcdp_rho(), run.gaussian_mu(), run.renyi_divergence(2),
               run.precision(0.1, 0.5), run.true_positive_rate(0.1), run.delta(1).log_delta)
    floors = run.trade_off(0.1), run.bayes_error(), copy.copy(run.trade_off(0.1)), run.trade_off([0.1])[0]
    assert all("at most, not exact: " in repr(found) and "at most" in found._repr_html_() for found in arrays)
    assert all(not one.exact and repr(one).startswith("Bracket(at most ") and "at most" in one._repr_html_() for one in singles)
    assert all(not one.exact and repr(one).startswith("Floor(at least ") for one in floors)
    assert "at least, not exact: 1" in repr(run.trade_off([0.1]))
    assert exact.advantage().exact and pickle.loads(pickle.dumps(run.advantage())).exact is False
    assert "not exact" not in repr(exact.epsilon([1e-5])) and repr(pld.Bracket(1.0, 2.0, 3.0)) == "Bracket(1 <= 3)"


def test_what_is_assumed_stays_with_it():
    named = pld.gaussian(sigma=2, batch=64, dataset=6400, sampler="fixed-size")
    run = pld.gaussian(sigma=2, batch=64, dataset=6400)
    assumed = lambda run: json.loads(run.epsilon(1e-6).to_json()).get("assumed")
    kept = [run, 3 * run, run + pld.laplace(scale=3), named + run, run + named, run.best_of("geometric:mean=2"),
            pickle.loads(pickle.dumps(run)), copy.copy(run), copy.deepcopy(run), pld.from_json(run.to_json()),
            pld.from_json(run.best_of("geometric:mean=2").to_json()),
            pld.from_json((2 * pld.dp_sgd(examples=100, batch=10, epochs=2, noise_multiplier=5)).to_json())]
    assert [assumed(one)["sampler"] for one in kept] == 11 * ["fixed-size"] + ["shuffled"]
    opened = pld.gaussian(sigma=pld.unknown) + run
    assert assumed(opened.at(3))["sampler"] == "fixed-size" and opened.calibrate(epsilon=9, delta=1e-6).composition == opened.at(
        float(opened.calibrate(epsilon=9, delta=1e-6)))
    assert assumed(named) is None and assumed(pickle.loads(pickle.dumps(named))) is None and run == named
    with pytest.raises(pld.DomainError, match="assumed_sampler is 'guess', but must be one of poisson, fixed-size"):
        pld.from_json('{"mechanisms": [{"type": "gaussian", "sigma": 1, "assumed_sampler": "guess"}]}')


def test_a_trade_off_is_exact_where_a_test_attains_it():
    """In the worst direction of a pair in two orders, as curve and batch have it."""
    run = pld.mass_table(p=[0.5, 0.5], q=[0.01, 0.99], count=2)
    errors, rates = run.trade_off([0.1, 0.3]), run.true_positive_rate([[0.1], [0.3]])
    assert errors.exact.tolist() == [False, True] and rates.exact.tolist() == [[False], [True]]
    assert [run.trade_off(0.1).exact, run.true_positive_rate(0.1).exact, run.precision(0.1, 0.5).exact] == 3 * [False]
    assert [run.trade_off(0.3).exact, run.true_positive_rate(0.3).exact, run.precision(0.3, 0.5).exact] == 3 * [True]
    assert repr(run.trade_off(0.1)) == "Floor(at least 0.169899)"
    assert run.trade_off(0.1, direction="remove").exact and run.trade_off([]).exact.shape == (0,)
    # By hand: of each order the test that takes the outcomes of the largest loss, and the line that touches both.
    assert 0.1698 < run.trade_off(0.1).lower <= 0.1699 < 0.2295684 < run.trade_off(0.1).upper


@pytest.mark.parametrize("run", [pld.exponential(epsilon=1), pld.permute_and_flip(epsilon=1), pld.gaussian(sigma=1, without_replacement=0.1, adjacency="replace-one")])
def test_what_looks_at_all_epsilons_is_exact_of_one_pair_of_neighbours(run):
    """As batch, curve and explain have it: of these other neighbours are the worst ones at other epsilons."""
    assert run.is_exact and run.epsilon(0.1).exact and run.advantage().exact and run.bayes_error().exact and run.gaussian_mu(0.01).exact
    for one in (run.trade_off(0.1), run.true_positive_rate(0.1), run.precision(0.1, 0.5), run.renyi_divergence(2), run.zcdp_rho(),
                run.profile().trade_off(0.1), run.trade_off([0.1])[0], run.renyi_divergence([2])[0]):
        assert not one.exact and repr(one)[repr(one).index("("):].startswith(("(at least ", "(at most "))
    assert run.explain().fields["exact"] and pld.gaussian(sigma=1).zcdp_rho().exact and pld.gaussian(sigma=1).trade_off([0.1]).exact.all()


def test_many_from_arrow():
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"type": ["gaussian", "laplace"], "sigma": [2.0, None], "scale": [None, 3.0], "count": [4, 4]})
    found = pld.epsilon_many(table, 1e-5)
    assert list(found.upper) == [(4 * run).epsilon(1e-5).upper for run in (pld.gaussian(sigma=2), pld.laplace(scale=3))]


def test_other_threads_run_meanwhile():
    heard = []
    epoch = pld.gaussian(sigma=1, allocation=100_000)  # some tenths of a second
    thread = threading.Thread(target=lambda: heard.append(epoch.epsilon(1e-7, tolerance=1e-3).upper))
    thread.start()
    turns = 0
    while thread.is_alive():
        turns += 1
    assert heard == [epoch.epsilon(1e-7, tolerance=1e-3).upper] and turns > 100


def test_calibration():
    opened = pld.gaussian(sigma=pld.unknown, poisson=0.005, count=1000)
    found = opened.calibrate(epsilon=2, delta=1e-6)
    assert found.unknown == "sigma" and found.converged and found.next < found
    assert found.composition == opened.at(float(found)) and found.composition.delta(2).upper <= 1e-6
    assert opened.at(found.next).delta(2).upper > 1e-6
    copy = pickle.loads(pickle.dumps(found))
    assert (copy, copy.composition, copy.next) == (found, found.composition, found.next)
    both = 2 * (pld.gaussian(sigma=pld.unknown) + pld.gaussian(sigma=2 * pld.unknown)) + pld.laplace(scale=9)
    tied = both.calibrate(advantage=0.3, mu=2)
    assert len(tied.attained) == 2 and tied.attained[0] <= 0.3 and tied.composition.advantage().lower <= 0.3
    steps = pld.gaussian(sigma=0.8, poisson=0.005, count=pld.unknown).calibrate(epsilon=2, delta=1e-6)
    assert (steps.composition.epsilon(1e-6) <= 2) and not ((int(steps) + 1) * STEP).epsilon(1e-6) <= 2


def test_text_of_others_reads_no_file_where_that_is_forbidden(tmp_path):
    table = tmp_path / "pair.csv"
    table.write_text("p,q\n0.75,0.25\n0.25,0.75\n")
    for mechanism in ({"type": "mass-table", "file": str(table)}, f"mass-table:file={table}"):
        text = json.dumps({"mechanisms": [mechanism]})
        assert pld.from_json(text) == pld.mass_table(p=[0.75, 0.25], q=[0.25, 0.75])
        with pytest.raises(pld.DomainError, match="pair.csv', but files are forbidden here"):
            pld.from_json(text, files=False)
    assert pld.from_json('{"mechanisms": ["gaussian:sigma=1"]}', files=False) == pld.gaussian(sigma=1)
    with pytest.raises(pld.DomainError, match="from_json: files is 0, but must be True or False"):
        pld.from_json('{"mechanisms": []}', files=0)


def test_what_is_not_proved_of_the_next_value_is_said():
    at_most = pld.zcdp(rho=pld.unknown).calibrate(epsilon=2, delta=1e-5)
    exact = pld.gaussian(sigma=pld.unknown).calibrate(epsilon=2, delta=1e-5)
    for found, said in ((at_most, True), (exact, False)):
        assert found.next_fails is not said
        for text in (repr(found), str(found), found._repr_html_()):
            assert ("the next value is not proved to fail" in text) is said


    assert at_most.failing is exact.failing is None
    shuffled = pld.gaussian(sigma=pld.unknown, shuffled=20, adjacency="zero-out").calibrate(advantage=0.1)
    assert shuffled.failing < shuffled.next < shuffled and shuffled.composition.is_exact is False
    assert pld.gaussian(sigma=shuffled.failing, shuffled=20, adjacency="zero-out").advantage().lower > 0.1
    assert pickle.loads(pickle.dumps(shuffled)).failing == shuffled.failing


def test_a_whole_unknown_is_a_whole_number():
    steps = pld.gaussian(sigma=3, steps=pld.unknown).calibrate(epsilon=2, delta=1e-5)
    assert len(range(steps)) == steps == 2 and repr(steps).startswith("Calibration(steps = 2") and "<b>2</b>" in steps._repr_html_()
    sigma = pld.gaussian(sigma=pld.unknown).calibrate(epsilon=2, delta=1e-5)
    with pytest.raises(TypeError, match="sigma is no whole number"):
        range(sigma)
