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


def _noise(noise: float) -> float:
    if noise == 0:
        raise NonPrivate
    return noise


def _randomized_response(event: Any, how: dict[str, Any]) -> Composition:
    """Answers from all k buckets with probability f: the true one with probability 1 - f + f / k."""
    if how["adjacency"] == "add-remove":
        raise Refused("neighboring_relation must be `REPLACE_ONE` or `REPLACE_SPECIAL`: an added record adds an answer")
    f, k = event.noise_parameter, event.num_buckets
    if k == 1:
        return Composition(adjacency=how["adjacency"])
    p = 1 - _noise(f) + f / k
    if how["adjacency"] == "replace-one":
        return mechanisms.randomized_response(p=p, k=k, **how)
    # The special record's answer is drawn from all buckets.
    return mechanisms.mass_table(p=[p, 1 - p], q=[1 / k, 1 - 1 / k], **how)


def _mixture_of_gaussians(event: Any, how: dict[str, Any]) -> Composition:
    if how["adjacency"] == "replace-one":
        raise Refused("neighboring_relation must be `ADD_OR_REMOVE_ONE` or `REPLACE_SPECIAL`: the record that comes in "
                      "its place may have other sensitivities at other times, and no theorem says which are worst")
    cases = [(c, p) for c, p in zip(event.sensitivities, event.sampling_probs) if p != 0]
    if all(c == 0 for c, _ in cases):
        return Composition(adjacency=how["adjacency"])
    return mechanisms.gaussian_mixture(sigma=_noise(event.standard_deviation), shifts=[c for c, _ in cases],
                                       weights=[p for _, p in cases], **how)


def _discrete_gaussian(event: Any, how: dict[str, Any]) -> Composition:
    sigma = _noise(event.sigma)
    if event.dimension == 1:
        return mechanisms.discrete_gaussian(sigma=sigma, sensitivity=event.sensitivity, **how)
    raise Refused("dimension must be 1: only the law of one dimension is known")


def _tree(event: Any, how: dict[str, Any]) -> Composition:
    """A record is in one tree, in a node of each level: bit_length(steps) of them (Kairouz et al. 2021, appendix D)."""
    if how["adjacency"] != "zero-out":
        raise Refused("neighboring_relation must be `REPLACE_SPECIAL`: an added record shifts the tree's leaves")
    counts = event.step_counts
    steps = max([counts] if isinstance(counts, int) else [*counts, 0])
    if steps == 0:
        return Composition(adjacency=how["adjacency"])
    return mechanisms.gaussian(sigma=_noise(event.noise_multiplier) / math.sqrt(steps.bit_length()), **how)


def _zcdp(event: Any, how: dict[str, Any]) -> Composition:
    if event.rho == 0 and event.xi == 0:
        return Composition(adjacency=how["adjacency"])
    return mechanisms.zcdp(rho=event.rho, xi=event.xi, **how)


def _truncated(event: Any, how: dict[str, Any]) -> Composition:
    if set(how) != {"adjacency"}:
        raise Refused("a sample of a truncated sample has no theorem")
    if event.sampling_probability == 0 or event.truncated_batch_size == 0:
        return Composition(adjacency=how["adjacency"])
    return mechanisms.gaussian(sigma=_noise(event.noise_multiplier), truncated_poisson=event.sampling_probability,
                               largest_batch=event.truncated_batch_size, records=event.dataset_size, **how)


#: What an event by this name releases, `how` it is sampled and under which adjacency.
RELEASES: dict[str, Callable[[Any, dict[str, Any]], Composition]] = {
    "GaussianDpEvent": lambda e, how: mechanisms.gaussian(sigma=_noise(e.noise_multiplier), **how),
    "LaplaceDpEvent": lambda e, how: mechanisms.laplace(scale=_noise(e.noise_multiplier), **how),
    "DiscreteLaplaceDpEvent": lambda e, how: mechanisms.discrete_laplace(a=_noise(e.noise_parameter),
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


def _product(rate: Any, other: Any) -> Any:
    """Exact, so that it is rounded up where it is no double."""
    if not (math.isfinite(rate) and math.isfinite(other)):
        return rate * other
    return Fraction(*rate.as_integer_ratio()) * Fraction(*other.as_integer_ratio())


def _sampled(event: Any, how: dict[str, Any]) -> Composition:
    """A sample of a sample of Poisson rates is one of the product; of a composition only if that is one release."""
    inner = list(_parts(event.event, 1))
    if not inner:
        return Composition(adjacency=how["adjacency"])
    if len(inner) > 1 or inner[0][1] != 1:
        raise Refused("only a single release can be sampled: of a composition's sample the law is another one")
    if type(event).__name__ == "PoissonSampledDpEvent":
        more = {"poisson": _product(event.sampling_probability, how.get("poisson", 1))}
        nothing = event.sampling_probability == 0
    else:
        more = {"sampler": "fixed-size", "batch": event.sample_size, "dataset": event.source_dataset_size}
        nothing = event.sample_size == 0
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
        composed = self.composition
        for part, times in _parts(event, count):
            try:
                release = _release(part, {"adjacency": self.composition.adjacency})
                if do_compose:
                    composed = composed + times * release
            except NonPrivate:
                self._private = self._private and not (do_compose and times > 0)
            except (Refused, ValueError) as refused:
                return self.CompositionErrorDetails(invalid_event=part, error_message=str(refused))
        self.composition = composed
        return None

    def get_epsilon(self, target_delta: float) -> float:
        """The upper end of epsilon's interval, at least 0."""
        if not self._private:
            return math.inf
        if not self.composition.releases:
            return 0.0
        return max(0.0, self.composition.epsilon(target_delta, tolerance=self.tolerance).upper)

    def get_delta(self, target_epsilon: float) -> float:
        """The upper end of delta's interval."""
        if not self._private:
            return 1.0
        if not self.composition.releases:
            return max(0.0, -math.expm1(target_epsilon))
        return self.composition.delta(target_epsilon, tolerance=self.tolerance).upper

    def get_true_positive_rates(self, false_positive_rates: Any, deltas: Any = None) -> Any:
        """The largest that any attack has: upper ends, from the whole law, so that `deltas` have no effect."""
        import numpy as np

        rates = np.asarray(false_positive_rates, dtype=np.float64)
        if self._private and self.composition.releases:
            rates = np.asarray(self.composition.true_positive_rate(np.atleast_1d(rates))).reshape(rates.shape)
        elif not self._private:
            rates = np.ones_like(rates)
        return rates if rates.ndim else float(rates)

    def get_gdp_parameter_estimate(self, false_positive_rates: Any = None, deltas: Any = None) -> float:
        """The least mu whose Gaussian covers the errors at each of these rates, rounded up.

        By default at 500 rates from 1e-12 to 0.5, as dp_accounting has it; infinite where the mass of an infinite loss
        is above the least of them. `deltas` have no effect.
        """
        import numpy as np
        from scipy.special import ndtri

        rates = np.geomspace(1e-12, 0.5, 500) if false_positive_rates is None else np.atleast_1d(false_positive_rates)
        if not self._private or (self.composition.releases and self.composition.epsilon(rates.min()).upper == math.inf):
            return math.inf
        if not self.composition.releases:
            return 0.0
        errors = np.asarray(self.composition.trade_off(rates))
        # ndtri has a relative error of a few units of round-off.
        quantiles = ndtri(rates), ndtri(errors)
        return max(0.0, float(np.max(-sum(quantiles) + 1e-14 * sum(map(abs, quantiles)))))
