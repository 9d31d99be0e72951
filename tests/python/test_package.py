"""The package as it is installed: what it exports, how fast it is there, what it says about itself."""
import doctest
import importlib
import importlib.metadata
import inspect
import os
import pathlib
import pickle
import pkgutil
import re
import subprocess
import sys

import pld
import pytest
from examples import examples_told

ROOT = pathlib.Path(__file__).resolve().parents[2]
OPTIONAL = {"plot": "matplotlib", "budgets": "psycopg", **{name: name for name in ("dp_accounting", "jax_privacy", "opacus", "riskcal")}}


def modules():
    return ["pld"] + [f"pld.{m.name}" for m in pkgutil.iter_modules(pld.__path__) if m.name != "_core"]


@pytest.mark.parametrize("name", modules())
def test_examples_in_docstrings(name):
    needed = OPTIONAL.get(name.removeprefix("pld."))
    if needed:
        pytest.importorskip(needed)
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def test_examples_in_docs():
    assert examples_told((ROOT / "docs/python.md").read_text()) >= 4


def test_every_public_name_has_a_docstring():
    for name in pld.__all__:
        thing = getattr(pld, name)
        if inspect.isfunction(thing) or inspect.isclass(thing):
            assert inspect.getdoc(thing), name


def test_functions_are_those_of_the_registry():
    """Refresh by `python python/write_mechanisms.py > python/pld/mechanisms.py`."""
    sys.path.insert(0, str(ROOT / "python"))
    try:
        written = importlib.import_module("write_mechanisms").module(pld._core)
    finally:
        sys.path.pop(0)
    assert (ROOT / "python/pld/mechanisms.py").read_text() == written


def test_importing_imports_no_numpy():
    heavy = ("numpy", "decimal", "json", "inspect", "matplotlib")
    loaded = f"import sys, pld; print([name for name in {heavy} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True).stdout.strip() == "[]"


def test_a_number_needs_no_numpy():
    """Which takes longer to import than an answer takes, and warns in a subinterpreter."""
    program = ("import sys, pld; run = 3 * pld.gaussian(sigma=2); run.epsilon(1e-6); run.delta(1); "
               "sys.exit('numpy' in sys.modules)")
    assert subprocess.run([sys.executable, "-c", program], timeout=60).returncode == 0


def test_numpy_is_all_it_needs():
    needed = [r for r in importlib.metadata.requires("pld") or [] if "extra ==" not in r] if installed() else ["numpy"]
    assert [re.match(r"[\w-]+", r)[0] for r in needed] == ["numpy"]


def installed():
    return any(d.metadata["Name"] == "pld" for d in importlib.metadata.distributions())


def test_version_is_the_projects():
    assert f'version = "{pld.__version__}"' in (ROOT / "pyproject.toml").read_text()
    assert f"project(pld VERSION {pld.__version__} " in (ROOT / "CMakeLists.txt").read_text()


@pytest.mark.parametrize("type_", pld._core.mechanism_types(), ids=lambda t: t[0])
def test_every_mechanism_by_its_function(type_):
    name, _, _, parameters, example, _ = type_
    made = getattr(pld, name.replace("-", "_"))(**example, count=3)
    assert made.releases[0][0].startswith(f"{name}:") and made.releases[0][2] == 3
    assert made == 3 * pld.mechanism(name, example | {p[0]: p[3] for p in parameters
                                                      if p[3] is not None and p[0] not in example})
    copy = pickle.loads(pickle.dumps(made))
    assert copy == made and copy.epsilon(1e-3).upper == made.epsilon(1e-3).upper


def test_types():
    pytest.importorskip("mypy")
    checked = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", os.devnull], cwd=ROOT, capture_output=True,
                             text=True)
    assert checked.returncode == 0, checked.stdout


TYPED = """
from decimal import Decimal
from fractions import Fraction
from typing import assert_type
import numpy as np
import pld
run = pld.gaussian(sigma=np.float32(1), count=np.int64(3), noise_multiplier=1, sampler="poisson")
assert_type(run * np.int64(2), pld.Composition)
assert_type(2 * run, pld.Composition)
assert_type(run.epsilon(1e-5), pld.Epsilon)
assert_type(run.epsilon(np.float64(1e-5)), pld.Epsilon)
assert_type(run.epsilon(Fraction(1, 60000)), pld.Epsilon)
assert_type(run.delta(Decimal("0.5"), tolerance=Fraction(1, 1000)), pld.Delta)
assert_type(run.audit(Decimal(3), delta=Fraction(1, 10**5)), pld.Verdict)
assert_type(run.calibrate(epsilon=Fraction(1, 3), delta=Decimal("1e-5")), pld.Calibration)
assert_type(run.epsilon([1e-5]), pld.Brackets)
assert_type(run.epsilon(np.array([1e-5])), pld.Brackets)
assert_type(run.delta(np.float32(1)), pld.Delta)
assert_type(pld.gaussian(sigma=Decimal(2), poisson=Fraction(1, 3)), pld.Composition)
assert_type(pld.mass_table(p=np.array([0.5, 0.5]), q=(0.5, 0.5)), pld.Composition)
assert_type(pld.mass_table(p=[Fraction(1, 3), Fraction(2, 3)], q=(Decimal(0), Decimal(1))), pld.Composition)
assert_type(run.epsilon([Fraction(1, 3)]), pld.Brackets)
assert_type(run.trade_off(0.1), pld.Floor)
assert_type(run.trade_off([0.1]), pld.Brackets)
assert_type(run.true_positive_rate(0.1), pld.Bracket)
assert_type(run.renyi_divergence(2), pld.Bracket)
assert_type(run.renyi_divergence([2, 3]), pld.Brackets)
assert_type(run.profile().delta(1), pld.Bracket)
assert_type(run.profile().trade_off([1, 2]), pld.Brackets)
assert_type(round(run.epsilon(1e-5), 3), float)
assert_type(run.epsilon(1e-5) + 1, float)
assert_type(pld.unknown / 2 * 3, pld.composition.Unknown)
trained = pld.dp_sgd(examples=np.int64(5), batch=np.int32(2), epochs=1.5, noise_multiplier=np.float64(1))
assert_type(trained, pld.Training)
assert_type(trained.epsilon([1e-5]), pld.Brackets)
assert_type(trained.trade_off(0.1), pld.Floor)
opened = pld.dp_sgd(examples=5, batch=2, epochs=1, noise_multiplier=pld.unknown)
assert_type(opened.calibrate(epsilon=np.float32(2), delta=1e-5), pld.Calibration)
"""


def test_types_of_calls(tmp_path):
    """np.float64(1) runs, and is a number to mypy too; what an answer is follows from what was asked."""
    pytest.importorskip("mypy")
    (tmp_path / "calls.py").write_text(TYPED)
    checked = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--config-file", os.devnull, "--cache-dir", os.devnull,
                              tmp_path / "calls.py"], capture_output=True, text=True, cwd=tmp_path,
                             env={**os.environ, "MYPYPATH": str(ROOT / "python")})
    assert checked.returncode == 0, checked.stdout
