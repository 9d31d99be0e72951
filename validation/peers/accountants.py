"""What each accountant is asked, in its own terms. One function an accountant: (workload, delta) -> (lower, estimate,
upper), None where it claims nothing. Imports are inside the functions: a worker pays only for the one it runs."""
import importlib.util
import json
import os
import subprocess
import sys
import types


def pld(workload, delta):
    """Ours: the built command, start of the process included."""
    parameter = {"gaussian": "sigma", "laplace": "scale", "randomized-response": "p"}[workload["mechanism"]]
    sampling = f"allocation={workload['allocation']}" if "allocation" in workload else f"q={workload['q']}"
    word = f"{workload['mechanism']}:{parameter}={workload['noise']},{sampling},count={workload['count']}"
    done = subprocess.run([os.environ["PLD"], "epsilon", "--delta", repr(delta), "--json", word], capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise RuntimeError(done.stderr.strip())
    return tuple(float(json.loads(done.stdout)["epsilon"][end]) for end in ("lower", "estimate", "upper"))


def pld_accounting(workload, delta):
    """PLD_accounting, of random allocation only, with its own choice of grids: an interval. count is its epochs."""
    from PLD_accounting import gaussian_allocation_epsilon_range

    if "allocation" not in workload:
        raise NotImplementedError("random allocation only")
    upper, lower = gaussian_allocation_epsilon_range(
        delta=delta, sigma=workload["noise"], num_steps=workload["allocation"], num_epochs=workload["count"])
    return lower, None, upper


def dp_accounting_pld(workload, delta):
    """PLDAccountant: pessimistic, connecting the dots, a grid of 1e-4 (its defaults): an upper bound. Randomized response
    it takes for replaced records only, which is the same pair of laws."""
    import dp_accounting
    from dp_accounting import pld as pld_accountant

    relations = dp_accounting.NeighboringRelation
    replaced = workload["mechanism"] == "randomized-response"
    accountant = pld_accountant.PLDAccountant(relations.REPLACE_ONE if replaced else relations.ADD_OR_REMOVE_ONE)
    accountant.compose(dp_event(dp_accounting, workload), workload["count"])
    return None, None, accountant.get_epsilon(delta)


def dp_accounting_rdp(workload, delta):
    """RdpAccountant at its default orders: an upper bound."""
    import dp_accounting
    from dp_accounting import rdp

    accountant = rdp.RdpAccountant()
    accountant.compose(dp_event(dp_accounting, workload), workload["count"])
    return None, None, accountant.get_epsilon(delta)


def dp_event(dp_accounting, workload):
    kind, value = workload["mechanism"], workload["noise"]
    event = {
        "gaussian": lambda: dp_accounting.GaussianDpEvent(value),
        "laplace": lambda: dp_accounting.LaplaceDpEvent(value),
        "randomized-response": lambda: dp_accounting.RandomizedResponseDpEvent(2 - 2 * value, 2),
    }[kind]()
    return dp_accounting.PoissonSampledDpEvent(workload["q"], event) if workload["q"] < 1 else event


def prv_accountant(workload, delta):
    """PRVAccountant, with errors of 1% of epsilon's scale and a thousandth of delta, as its documentation advises."""
    import prv_accountant as library

    kind, value = workload["mechanism"], workload["noise"]
    if workload["q"] < 1 and kind == "gaussian":
        prv = library.PoissonSubsampledGaussianMechanism(workload["q"], value)
    elif workload["q"] == 1 and kind in ("gaussian", "laplace"):
        prv = library.GaussianMechanism(value) if kind == "gaussian" else library.LaplaceMechanism(1 / value)
    else:
        raise NotImplementedError(f"no {kind} with q = {workload['q']}")
    count = workload["count"]
    accountant = library.PRVAccountant(prvs=[prv], max_self_compositions=[count], eps_error=0.01, delta_error=delta / 1000)
    return accountant.compute_epsilon(delta=delta, num_self_compositions=[count])


def opacus_prv(workload, delta):
    """PRVAccountant of opacus, at its defaults. Its package imports torch, its accountants do not: they are loaded
    without the package's own start and its optimizer."""
    if "opacus" not in sys.modules:
        folder = importlib.util.find_spec("opacus").submodule_search_locations[0]
        for name, path in (("opacus", folder), ("opacus.accountants", folder + "/accountants")):
            sys.modules[name] = types.ModuleType(name)
            sys.modules[name].__path__ = [path]
        sys.modules["opacus.optimizers"] = types.SimpleNamespace(DPOptimizer=None)  # named in a signature
    from opacus.accountants.prv import PRVAccountant

    if workload["mechanism"] != "gaussian":
        raise NotImplementedError("sampled Gaussians only")
    accountant = PRVAccountant()
    accountant.history = [(workload["noise"], workload["q"], workload["count"])]
    dprv = accountant._get_dprv(eps_error=0.01, delta_error=delta / 1000)
    return dprv.compute_epsilon(delta, delta / 1000, 0.01)


def riskcal_ctd(workload, delta):
    """riskcal's accountant (connect the dots, through dp-accounting), at its default grid."""
    from riskcal.accountants import CTDAccountant

    if workload["mechanism"] != "gaussian":
        raise NotImplementedError("sampled Gaussians only")
    accountant = CTDAccountant()
    accountant.history = [(workload["noise"], workload["q"], workload["count"])]
    return None, None, accountant.get_epsilon(delta=delta)


def not_of_allocation(ask):
    """An accountant that has no random allocation."""

    def answer(workload, delta):
        if "allocation" in workload:
            raise NotImplementedError("no random allocation")
        return ask(workload, delta)

    return answer


ACCOUNTANTS = {
    "pld": pld,
    "dp-accounting PLD": not_of_allocation(dp_accounting_pld),
    "dp-accounting RDP": not_of_allocation(dp_accounting_rdp),
    "prv-accountant": not_of_allocation(prv_accountant),
    "opacus PRV": not_of_allocation(opacus_prv),
    "riskcal": not_of_allocation(riskcal_ctd),
    "PLD_accounting": pld_accounting,
}

