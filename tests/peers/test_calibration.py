"""The noise that each package's own search finds with its accountant and with ours, side by side."""
import time

import dp_accounting
import pytest
from dp_accounting.pld import pld_privacy_accountant

RATE, STEPS, DELTA = 256 / 50_000, 5860, 1e-5


def by_dp_accounting(ours):
    from pld.dp_accounting import PLDAccountant

    accountant = PLDAccountant if ours else pld_privacy_accountant.PLDAccountant
    return dp_accounting.calibrate_dp_mechanism(
        accountant, lambda sigma: dp_accounting.SelfComposedDpEvent(
            dp_accounting.PoissonSampledDpEvent(RATE, dp_accounting.GaussianDpEvent(sigma)), STEPS),
        target_epsilon=2, target_delta=DELTA, tol=1e-4)


def by_jax_privacy(ours):
    accounting = pytest.importorskip("jax_privacy").accounting
    from pld.jax_privacy import PldAccountantConfig

    training = accounting.DpsgdTrainingAccountant((PldAccountantConfig if ours else accounting.PldAccountantConfig)())
    return accounting.calibrate_noise_multiplier(accountant=training, target_epsilon=2.0, target_delta=DELTA,
                                                 batch_sizes=256, num_updates=STEPS, num_samples=50_000, tol=1e-4)


def by_opacus(ours):
    pytest.importorskip("torch")
    import pld.opacus  # noqa: F401
    from opacus.accountants.utils import get_noise_multiplier

    return get_noise_multiplier(target_epsilon=2, target_delta=DELTA, sample_rate=RATE, steps=STEPS,
                                epsilon_tolerance=1e-4, accountant="pld" if ours else "prv")


def by_riskcal(ours):
    pytest.importorskip("riskcal")
    from pld.riskcal import dpsgd_evaluator
    from riskcal.calibration.core import CalibrationConfig, CalibrationTarget, calibrate_parameter
    from riskcal.calibration.dpsgd import create_dpsgd_evaluator

    return calibrate_parameter((dpsgd_evaluator if ours else create_dpsgd_evaluator)(RATE, STEPS),
                               CalibrationTarget(kind="advantage", advantage=0.1),
                               CalibrationConfig(increasing=False, target_tol=1e-4)).noise_multiplier


def timed(search, ours):
    start = time.process_time()
    return search(ours), time.process_time() - start


@pytest.mark.parametrize("search, near", [(by_dp_accounting, 3e-4), (by_jax_privacy, 3e-4), (by_opacus, 5e-3),
                                          (by_riskcal, 2e-3)], ids=lambda value: getattr(value, "__name__", ""))
def test_ours_is_faster_and_no_further(search, near):
    search(True)  # what is imported is not timed
    (ours, took), (theirs, theirs_took) = timed(search, True), timed(search, False)
    print(f"\n{search.__name__}: sigma {ours:.5f} in {took:.3f} s with our accountant, {theirs:.5f} in "
          f"{theirs_took:.3f} s with theirs")
    assert ours == pytest.approx(theirs, abs=near) and took < theirs_took
