"""The accountant for Opacus in Opacus's own tests, unchanged from its wheel, in place of each of its accountants."""
import importlib
import io
import unittest
from unittest import mock

import pytest

pytest.importorskip("torch")
opacus = pytest.importorskip("opacus")
pytest.importorskip("hypothesis")
from pld.opacus import PLDAccountant  # noqa: E402

# Their tests that fail with our accountant in place of theirs by Renyi divergences: the digits are the Renyi bound's.
EXPECTED = {
    "AccountingTest.test_rdp_accountant": "7.32911 for 6.76739",
    "AccountingTest.test_accountant_load_state_dict": "the same number, after loading",
}


class RDPAccountant(PLDAccountant):
    """Ours, by the name of the one it stands in for."""

    @classmethod
    def mechanism(cls) -> str:
        return "rdp"


def test_their_accounting_tests():
    theirs = importlib.import_module("opacus.tests.accountants_test")
    with mock.patch.object(theirs, "RDPAccountant", RDPAccountant):
        suite = unittest.defaultTestLoader.loadTestsFromModule(theirs)
        result = unittest.TextTestRunner(stream=io.StringIO()).run(suite)
    failed = {".".join(test.id().split(".")[-2:]): text for test, text in result.failures + result.errors}
    print(f"\nOpacus {opacus.__version__}: {result.testsRun - len(failed)} of {result.testsRun} pass")
    assert result.testsRun >= 15 and not result.errors and set(failed) <= set(EXPECTED), failed
    assert all("!= 7.32911117143" in text for text in failed.values())


def test_their_values_of_prv_accounting():
    """Numbers of Microsoft's prv_accountant, upper bounds with an error of 0.01: ours lie so much lower, and no more."""
    values = importlib.import_module("opacus.tests.prv_accountant").msr_values
    excess = []
    for history, value in values.items():
        accountant = PLDAccountant()
        accountant.history = [history]
        bracket = accountant.bracket(1e-6)
        assert bracket.upper <= value, history
        excess.append(value - bracket.upper)
    print(f"\nPRV: {len(values)} values, {min(excess):.4f} to {max(excess):.4f} above ours")
    assert len(values) >= 34 and max(excess) < 0.012
