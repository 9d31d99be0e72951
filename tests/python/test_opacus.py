"""The accountant for Opacus against the package itself; where torch is not at hand, its accountants run without."""
import importlib.machinery
import importlib.util
import sys
import types

import pld
import pytest

if importlib.util.find_spec("opacus") is None:
    pytest.skip("opacus is not installed", allow_module_level=True)

if importlib.util.find_spec("torch") is None:
    # opacus/__init__.py imports torch at once; opacus.accountants only wants the name of an optimizer.
    folders = importlib.util.find_spec("opacus").submodule_search_locations
    for name, path in (("opacus", folders), ("opacus.optimizers", [])):
        stub = types.ModuleType(name)
        stub.__path__ = list(path)
        stub.__spec__ = importlib.machinery.ModuleSpec(name, None, is_package=True)
        stub.DPOptimizer = object
        sys.modules[name] = stub

from opacus.accountants import PRVAccountant, create_accountant  # noqa: E402
from opacus.accountants.utils import get_noise_multiplier  # noqa: E402
from pld.opacus import PLDAccountant  # noqa: E402


def test_is_registered_by_its_name():
    assert isinstance(create_accountant("pld"), PLDAccountant) and PLDAccountant.mechanism() == "pld"


def test_steps():
    accountant = PLDAccountant()
    assert accountant.get_epsilon(1e-5) == 0 and len(accountant) == 0
    for _ in range(700):
        accountant.step(noise_multiplier=0.8, sample_rate=0.005)
    accountant.step(noise_multiplier=1.1, sample_rate=0.005)
    for _ in range(300):
        accountant.step(noise_multiplier=0.8, sample_rate=0.005)
    assert len(accountant) == 1001 and len(accountant.history) == 3
    assert accountant.composition == (1000 * pld.gaussian(sigma=0.8, poisson=0.005)
                                      + pld.gaussian(sigma=1.1, poisson=0.005))
    assert accountant.get_epsilon(delta=1e-6, eps_error=0.1) == accountant.bracket(1e-6).upper


def test_a_step_without_noise_has_no_epsilon():
    accountant = PLDAccountant()
    accountant.step(noise_multiplier=1, sample_rate=0.01)
    accountant.step(noise_multiplier=0, sample_rate=0.01)
    assert accountant.get_epsilon(1e-5) == float("inf")


def test_checkpoints():
    accountant, copy = PLDAccountant(), PLDAccountant()
    for _ in range(10):
        accountant.step(noise_multiplier=1.5, sample_rate=0.04)
    state = accountant.state_dict()
    assert state["mechanism"] == "pld" and state["history"] is not accountant.history
    copy.load_state_dict(state)
    assert copy.get_epsilon(1e-5) == accountant.get_epsilon(1e-5)
    with pytest.raises(ValueError):
        PRVAccountant().load_state_dict(state)


@pytest.mark.parametrize("sigma, rate, steps",
                         [(1.5, 0.04, 2250), (0.8, 0.005, 1000), (1.0, 0.01, 5000), (0.6, 0.001, 90)])
@pytest.mark.parametrize("delta", [1e-4, 1e-6])
def test_theirs_is_an_upper_bound_of_the_same(sigma, rate, steps, delta):
    """Opacus's PRV accountant promises an upper bound at most 2 eps_error above the truth."""
    ours, theirs = PLDAccountant(), PRVAccountant()
    ours.history = theirs.history = [(sigma, rate, steps)]
    bracket = ours.bracket(delta)
    assert bracket.lower <= theirs.get_epsilon(delta) <= bracket.upper + 0.025


def test_their_noise_search():
    asked = {"target_epsilon": 8, "target_delta": 1e-5, "sample_rate": 0.04, "epochs": 90}
    sigma = get_noise_multiplier(**asked, accountant="pld", epsilon_tolerance=1e-4)
    run = pld.gaussian(sigma=sigma, poisson=0.04, count=int(90 / 0.04))
    assert 8 - 2e-4 < run.epsilon(1e-5) <= 8
    assert sigma < get_noise_multiplier(**asked, accountant="rdp")
