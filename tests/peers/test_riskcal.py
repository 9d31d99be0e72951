"""The accountant for riskcal against riskcal's own. (Its wheel has no tests.)"""
import doctest

import numpy as np
import pytest

riskcal = pytest.importorskip("riskcal")
import pld.riskcal  # noqa: E402
from riskcal.accountants import CTDAccountant  # noqa: E402
from riskcal.analysis import get_advantage_from_pld, get_bayes_risk_from_pld, get_beta_from_pld  # noqa: E402
from riskcal.calibration.core import CalibrationConfig, CalibrationTarget, calibrate_parameter  # noqa: E402

RATES = np.array([1e-3, 0.01, 0.1, 0.5])


def test_examples():
    assert doctest.testmod(pld.riskcal).failed == 0


@pytest.fixture(params=[[(0.8, 0.005, 1000)], [(1.5, 0.04, 200), (1.0, 0.01, 500)]], ids=["one", "two"])
def accountants(request):
    ours, theirs = pld.riskcal.PLDAccountant(), CTDAccountant()
    for sigma, rate, steps in request.param:
        for _ in range(steps):
            for one in (ours, theirs):
                one.step(noise_multiplier=sigma, sample_rate=rate)
    assert ours.history == theirs.history == request.param and len(ours) == len(theirs)
    return ours, theirs


def test_read_outs_are_theirs_without_the_grid(accountants):
    """Theirs are of one upper bound of the loss on a grid: never safer than ours, and near."""
    ours, theirs = accountants
    for delta in (1e-3, 1e-5):
        bracket = ours.bracket(delta)
        assert bracket.lower <= theirs.get_epsilon(delta=delta) < ours.get_epsilon(delta=delta) + 0.01
    assert ours.get_advantage() == pytest.approx(theirs.get_advantage(), rel=2e-3)
    assert ours.get_beta(alpha=RATES) == pytest.approx(theirs.get_beta(alpha=RATES), rel=2e-3)
    composition = ours.composition
    assert ours.get_advantage() == composition.advantage().upper
    assert list(ours.get_beta(alpha=RATES)) == list(composition.trade_off(RATES).lower)


def test_their_functions_take_our_distribution(accountants):
    ours, theirs = accountants
    distribution, grid = ours.get_pld(grid_step=1e-3), theirs.get_pld()
    assert get_advantage_from_pld(distribution) == pytest.approx(ours.get_advantage(), rel=2e-3)
    assert ours.get_bayes_risk(prior=0.3) == pytest.approx(get_bayes_risk_from_pld(grid, 0.3), rel=2e-3)
    assert get_beta_from_pld(grid, 0.1) == pytest.approx(ours.get_beta(alpha=0.1), rel=2e-3)


@pytest.mark.parametrize("target", [
    CalibrationTarget(kind="advantage", advantage=0.1),
    CalibrationTarget(kind="err_rates", alpha=0.01, beta=0.95),
    CalibrationTarget(kind="epsilon_delta", epsilon=2, delta=1e-5),
], ids=lambda target: target.kind)
def test_their_calibration(target):
    evaluator = pld.riskcal.dpsgd_evaluator(0.005, 1000, target_alpha=target.alpha, target_delta=target.delta)
    config = CalibrationConfig(increasing=target.kind == "err_rates", param_min=0.1)  # as they configure them
    sigma = calibrate_parameter(evaluator, target, config).noise_multiplier
    run = pld.gaussian(sigma=sigma, poisson=0.005, count=1000)
    met = {"advantage": lambda: run.advantage().upper - 0.1, "err_rates": lambda: 0.95 - run.trade_off(0.01).lower,
           "epsilon_delta": lambda: (run.epsilon(1e-5).upper - 2) / 2}[target.kind]()
    assert abs(met) < 2e-3
