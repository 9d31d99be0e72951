"""Compositions in Python: composing, refusing, answers as numbers, arrays."""
import itertools
import json
import math
import pickle
import statistics
import threading

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


def test_composing():
    g, other = pld.gaussian(sigma=2), pld.laplace(scale=3)
    thrice = pld.Composition("gaussian:sigma=2,count=3")
    assert g + g + other + g == other + 3 * g == sum([3 * g, other]) == thrice + other
    assert (0 * g).releases == [] and pld.Composition() + g == g
    assert 2 * (3 * g + other) == 6 * g + 2 * other
    assert g != 2 * g and hash(2 * g) == hash(g + g)
    with pytest.raises(pld.DomainError, match="adjacency is replace-one"):
        g + pld.gaussian(sigma=2, adjacency="replace-one")
    for not_a_count in (1.5, "2", None):
        with pytest.raises(TypeError):
            g * not_a_count
    with pytest.raises(TypeError):
        g + 1


@pytest.mark.parametrize("ask, says", [
    (lambda: pld.gaussian(sigma=-1), "gaussian: sigma is -1, but must "),
    (lambda: pld.gaussian(sigma=math.nan), "gaussian: sigma is nan, but must "),
    (lambda: pld.gaussian(sigma=1, count=0.5), "count is 0.5, but must be a whole number"),
    (lambda: pld.gaussian(sigma=1, poison=0.1), "poison"),
    (lambda: pld.gaussian(sigma=1, poisson=2), "2"),
    (lambda: pld.gaussian(sigma=1, adjacency="near"), "adjacency is 'near', but must "),
    (lambda: pld.mechanism("gauss", {"sigma": 1}), "gauss"),
    (lambda: -1 * STEP, "count is -1, but must be a whole number"),
    (lambda: STEP.epsilon(2), "epsilon: delta is 2, but must "),
    (lambda: STEP.epsilon([0.1, math.nan]), "delta is nan, but must "),
    (lambda: STEP.epsilon(1e-6, engine="magic"), "engine is 'magic', but must "),
    (lambda: STEP.epsilon(1e-6, direction="up"), "direction is 'up', but must "),
    (lambda: STEP.delta(math.nan), "epsilon is nan, but must "),
    (lambda: STEP.trade_off(1.5), "1.5, but must "),
    (lambda: 10**30 * STEP, "count is 1e30, but must be a whole number"),
    (lambda: pld.epsilon_many([STEP, STEP], [0.1, 2]), "delta is 2, but must "),
    (lambda: pld.epsilon_many([STEP], [0.1, 0.2]), "delta has the shape (2,), but must be one number, or one for each"),
    (lambda: pld.epsilon_many([STEP], 0.1, threads=-1), "threads is -1, but must be 0"),
    (lambda: pld.from_json("{"), "line 1"),
    (lambda: STEP.calibrate(epsilon=1, delta=1e-6), "no number is unknown"),
    (lambda: pld.gaussian(sigma=pld.unknown).calibrate(), "target is missing"),
    (lambda: pld.gaussian(sigma=pld.unknown, x=1).calibrate(rho=1), "mechanisms[0].sampling: field \"x\" is not known"),
    (lambda: pld.gaussian(sigma=pld.unknown, x=1).at(1), "mechanisms[0].sampling: field \"x\" is not known"),
    (lambda: pld.gaussian(sigma=pld.unknown).calibrate(rho=math.nan), "calibrate: rho is nan, but must be a finite number"),
    (lambda: pld.gaussian(sigma=pld.unknown, sensitivity=math.inf), "gaussian: sensitivity is inf, but must be a finite"),
    (lambda: pld.gaussian(sigma=pld.unknown).epsilon(1e-6), "a number is unknown"),
], ids=lambda value: value if isinstance(value, str) else "")
def test_refusals_are_one_line_value_errors(ask, says):
    with pytest.raises(ValueError) as caught:
        ask()
    assert isinstance(caught.value, pld.DomainError)
    assert says in str(caught.value) and "\n" not in str(caught.value)
    assert "column" not in str(caught.value) or says == "line 1"  # of a text that was given, not of one written for it


def test_what_no_theorem_answers():
    with pytest.raises(pld.MissingTheorem, match="replace-one"):
        pld.poisson_difference(plus=2, minus=1, adjacency="replace-one")


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
    assert f"{answer}" == str(answer) and f"{pld.dp(epsilon=1, delta=0.01).epsilon(0.001):.2f}" == "inf"
    for exactly in (0.1, 2.56, 1e-5, 1e300, 5e-324, 0.0, -0.25):  # what is short is what it is
        assert repr(pld.Bracket(exactly, exactly, exactly)) == f"Bracket({exactly:g} <= {exactly:g})"
        assert round(pld.Bracket(exactly, exactly, exactly), 400) == exactly
    assert repr(pld.zcdp(rho=2.56).zcdp_rho()).endswith("<= 2.56)")
    noise = pld.gaussian(sigma=pld.unknown, poisson=0.005, count=1000).calibrate(epsilon=2, delta=1e-6)
    rate = pld.gaussian(sigma=0.8, poisson=pld.unknown, count=1000).calibrate(epsilon=2, delta=1e-6)
    assert f"{noise:.3f}" == "0.801" and noise.composition.epsilon(1e-6) <= 2 and f"{rate:.3g}" == "0.00498" and round(rate, 4) == 0.0049


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
    assert repr(answer).startswith("Epsilon(at most ") and "<=" not in repr(answer)
    assert run.audit(answer.upper, 1e-6) == "valid"
    assert run.audit(answer.upper * 0.999, 1e-6) == "undecided"
    exact = pld.gaussian(sigma=1).epsilon(1e-5)
    assert pld.gaussian(sigma=1).audit(exact.lower * (1 - 1e-9), 1e-5) == "under-reports"


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
                         (run.advantage(), 2 * phi(mu / 2) - 1), (run.bayes_error(), phi(-mu / 2)),
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
    with pytest.raises(TypeError, match="run 1 is 3, but must be a Composition"):
        pld.epsilon_many([STEP, 3], 1e-5)


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
