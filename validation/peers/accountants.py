"""What each accountant is asked, in its own terms. Bounds are (lower, estimate, upper), None where it claims nothing.
Imports are inside the methods: a worker pays only for the accountant it runs."""
import functools
import importlib.util
import json
import math
import os
import subprocess
import sys
import types

ENDS = ("lower", "estimate", "upper")
GRID_ERROR = 0.01  # the error of epsilon asked of prv-accountant and opacus
TINY = 1e-13  # the error of delta asked of them for a curve, whose deltas are larger


def kind(mechanism):
    if "allocation" in mechanism:
        return "random allocation"
    return ("sampled " if "q" in mechanism else "") + mechanism["type"]


def only(run, *kinds):
    unknown = sorted({kind(mechanism) for mechanism in run} - set(kinds))
    if unknown:
        raise NotImplementedError("no " + ", no ".join(unknown))


def words(run):
    """As they are typed."""
    return [
        mechanism["type"] + ":" + ",".join(f"{key}={value}" for key, value in mechanism.items() if key != "type")
        for mechanism in run
    ]


class Accountant:
    """What one has no function for is not supported."""

    def epsilon(self, run, delta):
        """The bounds of epsilon."""
        raise NotImplementedError("no epsilon of a delta")

    def calibrate(self, rate, count, epsilon, delta):
        """The bounds of the least noise multiplier for sampled Gaussian steps: the upper one is what it returns."""
        raise NotImplementedError("no calibration")

    def profile(self, run, epsilons):
        """The bounds of delta at each epsilon."""
        raise NotImplementedError("no delta of an epsilon")


class Command(Accountant):
    """Ours: the built command, start of the process included."""

    def epsilon(self, run, delta):
        found = self._ask("epsilon", "--delta", repr(delta), *words(run))["epsilon"]
        return tuple(float(found[end]) for end in ENDS)

    def calibrate(self, rate, count, epsilon, delta):
        run = [{"type": "gaussian", "sigma": "?", "q": rate, "count": count}]
        found = self._ask("calibrate", "--epsilon", repr(epsilon), "--delta", repr(delta), *words(run))
        if not found["next"]["fails"]:
            raise RuntimeError("no smaller sigma is certain to miss the target")
        return found["next"]["value"], None, found["value"]

    def profile(self, run, epsilons):
        points = f"{epsilons[0]!r}:{epsilons[-1]!r}:{len(epsilons)}"
        (curve,) = self._ask("curve", "--range", points, *words(run))["compositions"]
        if curve["epsilon"] != epsilons:
            raise RuntimeError("the curve is at other points than those asked")
        return list(zip(*(curve["delta"][end] for end in ENDS)))

    @staticmethod
    def _ask(*asked):
        done = subprocess.run([os.environ["PLD"], *asked, "--json"], capture_output=True, text=True)
        if done.returncode not in (0, 3):
            raise RuntimeError(done.stderr.strip())
        return json.loads(done.stdout)


class Package(Accountant):
    """Ours too: the Python package, with no process to start."""

    def epsilon(self, run, delta):
        found = self._composition(run).epsilon(delta)
        return tuple(getattr(found, end) for end in ENDS)

    def calibrate(self, rate, count, epsilon, delta):
        import pld

        run = pld.gaussian(sigma=pld.unknown, poisson=rate, count=count)
        return None, None, run.calibrate(epsilon=epsilon, delta=delta)

    def profile(self, run, epsilons):
        found = self._composition(run).profile().delta(epsilons)
        return list(zip(*(getattr(found, end) for end in ENDS)))

    @staticmethod
    def _composition(run):
        import pld

        return pld.Composition(*words(run))


class PldAccounting(Accountant):
    """PLD_accounting, of random allocation, with its own choice of grids: an interval. count is its epochs."""

    def epsilon(self, run, delta):
        from PLD_accounting import gaussian_allocation_epsilon_range

        only(run, "random allocation")
        (mechanism,) = run
        upper, lower = gaussian_allocation_epsilon_range(
            delta=delta, sigma=mechanism["sigma"], num_steps=mechanism["allocation"], num_epochs=mechanism["count"])
        return lower, None, upper


def dp_accounting_sigma(accountant, rate, count, epsilon, delta):
    """By calibrate_dp_mechanism at its default tolerance, 1e-6 of sigma."""
    import dp_accounting

    def steps(sigma):
        step = dp_accounting.PoissonSampledDpEvent(rate, dp_accounting.GaussianDpEvent(sigma))
        return dp_accounting.SelfComposedDpEvent(step, count)

    return None, None, dp_accounting.calibrate_dp_mechanism(accountant, steps, epsilon, delta)


class DpAccountingPld(Accountant):
    """The privacy loss distributions of dp_accounting: pessimistic, connecting the dots, a grid of 1e-4 (its defaults):
    an upper bound. Its accountant has no event for discrete Gaussian noise, the distributions below it have."""

    def epsilon(self, run, delta):
        return None, None, self._distribution(run).get_epsilon_for_delta(delta)

    def calibrate(self, rate, count, epsilon, delta):
        from dp_accounting.pld import PLDAccountant

        return dp_accounting_sigma(PLDAccountant, rate, count, epsilon, delta)

    def profile(self, run, epsilons):
        return [(None, None, delta) for delta in self._distribution(run).get_delta_for_epsilon(epsilons)]

    def _distribution(self, run):
        only(run, "gaussian", "sampled gaussian", "laplace", "discrete-gaussian", "randomized-response")
        return functools.reduce(lambda one, other: one.compose(other), map(self._repeated, run))

    @staticmethod
    def _repeated(mechanism):
        from dp_accounting.pld import privacy_loss_distribution as library

        count = mechanism["count"]
        if kind(mechanism) == "gaussian":  # one release, as its accountant takes it
            return library.from_gaussian_mechanism(mechanism["sigma"] / math.sqrt(count))
        once = {
            "sampled gaussian": lambda: library.from_gaussian_mechanism(
                mechanism["sigma"], sampling_prob=mechanism["q"]),
            "laplace": lambda: library.from_laplace_mechanism(mechanism["scale"]),
            "discrete-gaussian": lambda: library.from_discrete_gaussian_mechanism(
                mechanism["sigma"], use_connect_dots=True),
            # For replaced records only, which is the same pair of laws.
            "randomized-response": lambda: library.from_randomized_response(2 - 2 * mechanism["p"], 2),
        }[kind(mechanism)]()
        return once.self_compose(count)


class DpAccountingRdp(Accountant):
    """RdpAccountant at its default orders: an upper bound. Randomized response it takes for replaced records only."""

    def epsilon(self, run, delta):
        return None, None, self._accountant(run).get_epsilon(delta)

    def calibrate(self, rate, count, epsilon, delta):
        from dp_accounting.rdp import RdpAccountant

        return dp_accounting_sigma(RdpAccountant, rate, count, epsilon, delta)

    def profile(self, run, epsilons):
        accountant = self._accountant(run)
        return [(None, None, accountant.get_delta(epsilon)) for epsilon in epsilons]

    def _accountant(self, run):
        from dp_accounting import NeighboringRelation
        from dp_accounting.rdp import RdpAccountant

        only(run, "gaussian", "sampled gaussian", "laplace", "discrete-gaussian", "randomized-response")
        replaced = any(kind(mechanism) == "randomized-response" for mechanism in run)
        relation = NeighboringRelation.REPLACE_ONE if replaced else NeighboringRelation.ADD_OR_REMOVE_ONE
        accountant = RdpAccountant(neighboring_relation=relation)
        for mechanism in run:
            accountant.compose(self._event(mechanism), mechanism["count"])
        return accountant

    @staticmethod
    def _event(mechanism):
        import dp_accounting as library

        return {
            "gaussian": lambda: library.GaussianDpEvent(mechanism["sigma"]),
            "sampled gaussian": lambda: library.PoissonSampledDpEvent(
                mechanism["q"], library.GaussianDpEvent(mechanism["sigma"])),
            "laplace": lambda: library.LaplaceDpEvent(mechanism["scale"]),
            # It has no event of its own; Canonne, Kamath and Steinke 2020 prove this rho of zCDP.
            "discrete-gaussian": lambda: library.ZCDpEvent(1 / (2 * mechanism["sigma"] ** 2)),
            "randomized-response": lambda: library.RandomizedResponseDpEvent(2 - 2 * mechanism["p"], 2),
        }[kind(mechanism)]()


class PrvAccountant(Accountant):
    """prv-accountant, with an error of a thousandth of delta, as its documentation advises."""

    def epsilon(self, run, delta):
        accountant, counts = self._accountant(run, delta / 1000)
        return accountant.compute_epsilon(delta=delta, num_self_compositions=counts)

    def calibrate(self, rate, count, epsilon, delta):
        from prv_accountant.dpsgd import find_noise_multiplier

        return None, None, find_noise_multiplier(rate, count, epsilon, delta, eps_error=GRID_ERROR)

    def profile(self, run, epsilons):
        """Upper ends, as its compute_delta reads them, which would compose anew for each point."""
        accountant, counts = self._accountant(run, TINY)
        delta = accountant.compute_composition(counts).compute_delta_estimate
        return [(None, None, delta(epsilon - GRID_ERROR) + TINY) for epsilon in epsilons]

    def _accountant(self, run, delta_error):
        from prv_accountant import PRVAccountant

        only(run, "gaussian", "sampled gaussian", "laplace")
        counts = [mechanism["count"] for mechanism in run]
        return PRVAccountant([self._variable(mechanism) for mechanism in run], GRID_ERROR, delta_error, counts), counts

    @staticmethod
    def _variable(mechanism):
        import prv_accountant as library

        return {
            "gaussian": lambda: library.GaussianMechanism(mechanism["sigma"]),
            "sampled gaussian": lambda: library.PoissonSubsampledGaussianMechanism(mechanism["q"], mechanism["sigma"]),
            "laplace": lambda: library.LaplaceMechanism(1 / mechanism["scale"]),
        }[kind(mechanism)]()


def history(run):
    """Steps in the form that the accountants of opacus and riskcal keep them."""
    only(run, "gaussian", "sampled gaussian")
    return [(mechanism["sigma"], mechanism.get("q", 1), mechanism["count"]) for mechanism in run]


class OpacusPrv(Accountant):
    """PRVAccountant of opacus, at its defaults."""

    def epsilon(self, run, delta):
        return self._variable(run, delta / 1000).compute_epsilon(delta, delta / 1000, GRID_ERROR)

    def calibrate(self, rate, count, epsilon, delta):
        """At its default tolerance, 0.01 of epsilon."""
        self._load()
        from opacus.accountants.utils import get_noise_multiplier

        return None, None, get_noise_multiplier(
            target_epsilon=epsilon, target_delta=delta, sample_rate=rate, steps=count, accountant="prv")

    def profile(self, run, epsilons):
        variable = self._variable(run, TINY)
        return [(None, variable.compute_delta_estimate(epsilon), None) for epsilon in epsilons]

    def _variable(self, run, delta_error):
        self._load()
        from opacus.accountants import PRVAccountant

        accountant = PRVAccountant()
        accountant.history = history(run)
        return accountant._get_dprv(eps_error=GRID_ERROR, delta_error=delta_error)

    @staticmethod
    def _load():
        """Its package imports torch, its accountants do not: they are loaded without the package's own start."""
        if "opacus" not in sys.modules:
            package = types.ModuleType("opacus")
            package.__path__ = importlib.util.find_spec("opacus").submodule_search_locations
            sys.modules["opacus"] = package
            sys.modules["opacus.optimizers"] = types.SimpleNamespace(DPOptimizer=None)  # named in a signature


class Riskcal(Accountant):
    """riskcal's accountant (connect the dots, through dp-accounting), at its default grid."""

    def epsilon(self, run, delta):
        return None, None, self._accountant(run).get_epsilon(delta=delta)

    def calibrate(self, rate, count, epsilon, delta):
        """At its default tolerances, 0.001 of epsilon and of sigma."""
        from riskcal.accountants import CTDAccountant
        from riskcal.calibration import find_noise_multiplier_for_epsilon_delta

        return None, None, find_noise_multiplier_for_epsilon_delta(CTDAccountant, rate, count, epsilon, delta)

    def profile(self, run, epsilons):
        return [(None, None, delta) for delta in self._accountant(run).get_pld().get_delta_for_epsilon(epsilons)]

    @staticmethod
    def _accountant(run):
        from riskcal.accountants import CTDAccountant

        accountant = CTDAccountant()
        accountant.history = history(run)
        return accountant


OURS = ("pld", "pld in Python")
ACCOUNTANTS = {
    "pld": Command(),
    "pld in Python": Package(),
    "dp-accounting PLD": DpAccountingPld(),
    "dp-accounting RDP": DpAccountingRdp(),
    "prv-accountant": PrvAccountant(),
    "opacus PRV": OpacusPrv(),
    "riskcal": Riskcal(),
    "PLD_accounting": PldAccounting(),
}
