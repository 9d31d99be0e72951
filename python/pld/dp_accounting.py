"""A drop-in for dp_accounting's PLDAccountant whose answers are upper ends of certified intervals.

>>> import dp_accounting
>>> from pld.dp_accounting import PLDAccountant
>>> step = dp_accounting.PoissonSampledDpEvent(0.005, dp_accounting.GaussianDpEvent(0.8))
>>> round(PLDAccountant().compose(step, 1000).get_epsilon(1e-6), 6)
2.004106

What has no theorem, or no law here, is refused as dp_accounting refuses: supports() is False, compose() raises
UnsupportedEventError with the library's line.
"""
from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Callable, Iterator

from dp_accounting import dp_event
from dp_accounting.pld import pld_privacy_accountant
from dp_accounting.privacy_accountant import NeighboringRelation, PrivacyAccountant

from . import mechanisms
from .arguments import is_number, number, numbers, refused, share, whole
from .composition import Composition

ADJACENCIES = {
    NeighboringRelation.ADD_OR_REMOVE_ONE: "add-remove",
    NeighboringRelation.REPLACE_ONE: "replace-one",
    NeighboringRelation.REPLACE_SPECIAL: "zero-out",
}


class NonPrivate(Exception):
    """The event releases the data."""


class Refused(Exception):
    """No law is known of the event."""


#: Relative width asked of delta and epsilon: answers are then smooth enough for any search for a parameter.
TOLERANCE = 1e-7


def _number(event: Any, field: str) -> float:
    return number(type(event).__name__, field, getattr(event, field))


def _noise(event: Any, field: str = "noise_multiplier") -> float:
    noise = _number(event, field)
    if noise == 0:
        raise NonPrivate
    return noise


def _rate(event: Any) -> float:
    """Rounded up where it is no double, as the command reads it."""
    found = share(type(event).__name__, "sampling_probability", event.sampling_probability)
    if not 0 <= found <= 1:
        raise refused(type(event).__name__, "sampling_probability", found, "from 0 to 1")
    return found


def _each(event: Any, field: str, read: Callable[[str, str, Any], Any]) -> list[Any]:
    """Of a list of numbers, or of one."""
    given = getattr(event, field)
    several = hasattr(given, "__iter__") and not isinstance(given, str) and not is_number(given)
    return [read(type(event).__name__, field, one) for one in (given if several else [given])]


def _randomized_response(event: Any, how: dict[str, Any]) -> Composition:
    """Answers from all k buckets with probability f: the true one with probability 1 - f + f / k, rounded up."""
    if how["adjacency"] == "add-remove":
        raise Refused("neighboring_relation must be `REPLACE_ONE` or `REPLACE_SPECIAL`: an added record adds an answer")
    f, k = _number(event, "noise_parameter"), whole(type(event).__name__, "num_buckets", event.num_buckets)
    if k == 1:
        return Composition(adjacency=how["adjacency"])
    if not 0 <= f <= 1 or k < 1:
        raise Refused(f"noise_parameter is {f:g} and num_buckets {k}, but must be from 0 to 1, and at least 1")
    p = 1 - Fraction(_noise(event, "noise_parameter")) * (k - 1) / k
    if how["adjacency"] == "replace-one":
        return mechanisms.randomized_response(p=share("randomized_response", "p", p), k=k, **how)
    # The special record's answer is drawn from all buckets. Of units of which all sums are doubles, more for the true
    # answer where it is told, and less where it is drawn: whoever sees that sees these.
    told, drawn = math.ceil(p * UNITS), UNITS // k
    return mechanisms.mass_table(p=[told / UNITS, (UNITS - told) / UNITS], q=[drawn / UNITS, (UNITS - drawn) / UNITS],
                                 **how)


UNITS = 2**53


def _mixture_of_gaussians(event: Any, how: dict[str, Any]) -> Composition:
    if how["adjacency"] == "replace-one":
        raise Refused("neighboring_relation must be `ADD_OR_REMOVE_ONE` or `REPLACE_SPECIAL`: the record that comes in "
                      "its place may have other sensitivities at other times, and no theorem says which are worst")
    shifts, weights = _each(event, "sensitivities", number), _each(event, "sampling_probs", number)
    if len(shifts) != len(weights):
        raise Refused("sensitivities and sampling_probs must have the same length")
    cases = [(c, p) for c, p in zip(shifts, weights) if p != 0]
    if all(c == 0 for c, _ in cases):
        return Composition(adjacency=how["adjacency"])
    return mechanisms.gaussian_mixture(sigma=_noise(event, "standard_deviation"), shifts=[c for c, _ in cases],
                                       weights=[p for _, p in cases], **how)


def _discrete_gaussian(event: Any, how: dict[str, Any]) -> Composition:
    sigma = _noise(event, "sigma")
    if event.dimension == 1:
        return mechanisms.discrete_gaussian(sigma=sigma, sensitivity=event.sensitivity, **how)
    raise Refused("dimension must be 1: only the law of one dimension is known")


def _tree(event: Any, how: dict[str, Any]) -> Composition:
    """A record is in one tree, in a node of each level: bit_length(steps) of them (Kairouz et al. 2021, appendix D)."""
    if how["adjacency"] != "zero-out":
        raise Refused("neighboring_relation must be `REPLACE_SPECIAL`: an added record shifts the tree's leaves")
    steps = [0, *_each(event, "step_counts", whole)]
    if min(steps) < 0:
        raise refused(type(event).__name__, "step_counts", min(steps), "at least 0")
    if max(steps) == 0:
        return Composition(adjacency=how["adjacency"])
    noise, levels = _noise(event), max(steps).bit_length()
    sigma = noise / math.sqrt(levels)
    while Fraction(sigma) ** 2 * levels > Fraction(noise) ** 2:  # less noise gives away more
        sigma = math.nextafter(sigma, 0)
    return mechanisms.gaussian(sigma=sigma, **how)


def _zcdp(event: Any, how: dict[str, Any]) -> Composition:
    if _number(event, "rho") == 0 and _number(event, "xi") == 0:
        return Composition(adjacency=how["adjacency"])
    return mechanisms.zcdp(rho=event.rho, xi=event.xi, **how)


def _truncated(event: Any, how: dict[str, Any]) -> Composition:
    if set(how) != {"adjacency"}:
        raise Refused("a sample of a truncated sample has no theorem")
    rate = _rate(event)
    if rate == 0 or _number(event, "truncated_batch_size") == 0:
        return Composition(adjacency=how["adjacency"])
    return mechanisms.gaussian(sigma=_noise(event), truncated_poisson=rate, largest_batch=event.truncated_batch_size,
                               records=event.dataset_size, **how)


#: What an event by this name releases, `how` it is sampled and under which adjacency.
RELEASES: dict[str, Callable[[Any, dict[str, Any]], Composition]] = {
    "GaussianDpEvent": lambda e, how: mechanisms.gaussian(sigma=_noise(e), **how),
    "LaplaceDpEvent": lambda e, how: mechanisms.laplace(scale=_noise(e), **how),
    "DiscreteLaplaceDpEvent": lambda e, how: mechanisms.discrete_laplace(a=_noise(e, "noise_parameter"),
                                                                         sensitivity=e.sensitivity, **how),
    "DiscreteGaussianDpEvent": _discrete_gaussian,
    "EpsilonDeltaDpEvent": lambda e, how: mechanisms.dp(epsilon=e.epsilon, delta=e.delta, **how),
    "RandomizedResponseDpEvent": _randomized_response,
    "MixtureOfGaussiansDpEvent": _mixture_of_gaussians,
    "SingleEpochTreeAggregationDpEvent": _tree,
    "TruncatedSubsampledGaussianDpEvent": _truncated,
    "ZCDpEvent": _zcdp,
}


def _parts(event: Any, count: int) -> Iterator[tuple[Any, int]]:
    """The events that are no compositions, and how often each."""
    name = type(event).__name__
    if name == "ComposedDpEvent":
        for part in event.events:
            yield from _parts(part, count)
    elif name == "SelfComposedDpEvent":
        yield from _parts(event.event, count * event.count)
    elif name != "NoOpDpEvent":
        yield event, count


def _sampled(event: Any, how: dict[str, Any]) -> Composition:
    """A sample of a sample of Poisson rates is one of the product; of a composition only if that is one release."""
    inner = list(_parts(event.event, 1))
    if not inner:
        return Composition(adjacency=how["adjacency"])
    if len(inner) > 1 or inner[0][1] != 1:
        raise Refused("only a single release can be sampled: of a composition's sample the law is another one")
    if type(event).__name__ == "PoissonSampledDpEvent":
        rate = _rate(event)
        more: dict[str, Any] = {"poisson": Fraction(rate) * Fraction(how.get("poisson", 1))}  # rounded up where it is no double
        nothing = rate == 0
    else:
        more = {"sampler": "fixed-size", "batch": event.sample_size, "dataset": event.source_dataset_size}
        nothing = _number(event, "sample_size") == 0
    if len({*how, *more} - {"adjacency"}) > len(more):
        raise Refused("a sample of a sample of another kind has no theorem")
    if nothing:
        return Composition(adjacency=how["adjacency"])
    return _release(inner[0][0], {**how, **more})


def _release(event: Any, how: dict[str, Any]) -> Composition:
    name = type(event).__name__
    if name == "NonPrivateDpEvent":
        raise NonPrivate
    if name in ("PoissonSampledDpEvent", "SampledWithoutReplacementDpEvent"):
        return _sampled(event, how)
    if name not in RELEASES:
        raise Refused("Unsupported event.")
    return RELEASES[name](event, how)


class PLDAccountant(pld_privacy_accountant.PLDAccountant):
    """dp_accounting's accountant by privacy loss distributions; `composition` has the brackets behind its numbers.

    value_discretization_interval is accepted, and without effect: answers have no grid to choose. `tolerance` is the
    relative width asked of them; where no closed form and no contour answers, 1e-5 takes a tenth of the time of 1e-7.
    """

    def __init__(self, neighboring_relation: NeighboringRelation = NeighboringRelation.ADD_OR_REMOVE_ONE,
                 value_discretization_interval: float = 1e-4, *, tolerance: float = TOLERANCE) -> None:
        PrivacyAccountant.__init__(self, neighboring_relation)
        self.tolerance = tolerance
        self._private = True
        self.composition = Composition(adjacency=ADJACENCIES[neighboring_relation])

    def _maybe_compose(self, event: dp_event.DpEvent, count: int,
                       do_compose: bool) -> PrivacyAccountant.CompositionErrorDetails | None:
        """All is composed in the check already, and kept afterwards: whatever is refused is refused there."""
        composed, private = self.composition, self._private
        part = event
        try:
            for part, times in _parts(event, count if do_compose else max(count, 1)):  # supports() asks for none
                try:
                    composed += _release(part, {"adjacency": ADJACENCIES[self.neighboring_relation]})._times(times)
                except NonPrivate:
                    private = False
            composed.releases  # those of a mechanism are counted together: there may be too many
        except (Refused, ValueError) as refusal:
            return self.CompositionErrorDetails(invalid_event=part, error_message=str(refusal))
        if do_compose:
            self.composition, self._private = composed, private
        return None

    @property
    def _asked(self) -> Composition:
        """Where all is lost, arguments are looked at all the same."""
        return self.composition if self._private else Composition()

    def get_epsilon(self, target_delta: float) -> float:
        """The upper end of epsilon's interval, at least 0."""
        found = self._asked.epsilon(target_delta, tolerance=self.tolerance).upper
        return max(0.0, found) if self._private else math.inf

    def get_delta(self, target_epsilon: float) -> float:
        """The upper end of delta's interval."""
        found = self._asked.delta(target_epsilon, tolerance=self.tolerance).upper
        return found if self._private else 1.0

    def get_true_positive_rates(self, false_positive_rates: Any, deltas: Any = None) -> Any:
        """The largest that any attack has: upper ends, from the whole law, so that `deltas` have no effect."""
        import numpy as np

        rates = np.asarray(numbers("get_true_positive_rates", "false_positive_rates", false_positive_rates))
        found = np.asarray(self._asked.true_positive_rate(np.atleast_1d(rates))).reshape(rates.shape)
        if not self._private:
            found = np.ones_like(rates)
        return found if found.ndim else float(found)

    def get_gdp_parameter_estimate(self, false_positive_rates: Any = None, deltas: Any = None) -> float:
        """The least mu whose Gaussian covers the errors at each of these rates, rounded up.

        By default at 500 rates from 1e-12 to 0.5, as dp_accounting has it; infinite where the mass of an infinite loss
        is above the least of them, and at 0 where any loss is. `deltas` have no effect.
        """
        import numpy as np
        from scipy.special import ndtri

        where, name = "get_gdp_parameter_estimate", "false_positive_rates"
        rates = (np.geomspace(1e-12, 0.5, 500) if false_positive_rates is None
                 else np.atleast_1d(numbers(where, name, false_positive_rates)).ravel())
        if not rates.size or not np.all((rates >= 0) & (rates <= 1)):
            raise refused(where, name, false_positive_rates, "numbers from 0 to 1, one or more")
        if not self.composition.releases and self._private:
            return 0.0
        if not self._private or self.composition.epsilon(rates.min()).upper == math.inf:
            return math.inf
        errors = np.asarray(self.composition.trade_off(rates))
        left = (rates < 1) & (errors < 1)  # of the others no Gaussian has more
        quantiles = ndtri(rates[left]), ndtri(errors[left])
        # ndtri has a relative error of a few units of round-off.
        return float(max([0.0, *(-sum(quantiles) + 1e-14 * sum(map(abs, quantiles))).tolist()]))
