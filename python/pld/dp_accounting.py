"""A drop-in for dp_accounting's PLDAccountant whose answers are upper ends of certified intervals.

>>> import dp_accounting
>>> from pld.dp_accounting import PLDAccountant
>>> step = dp_accounting.PoissonSampledDpEvent(0.005, dp_accounting.GaussianDpEvent(0.8))
>>> round(PLDAccountant().compose(step, 1000).get_epsilon(1e-6), 6)
2.004106

An event means what it does to the command's `--ledger` (docs/dp_events.md). What has no theorem, or no law here, is
refused as dp_accounting refuses: supports() is False, compose() raises UnsupportedEventError with the library's line.
"""
from __future__ import annotations

import json
import math
from typing import Any, Iterator

import attr
from dp_accounting import dp_event
from dp_accounting.pld import pld_privacy_accountant
from dp_accounting.privacy_accountant import NeighboringRelation, PrivacyAccountant

from .arguments import is_number, number, numbers, refused, share
from .composition import Composition, from_json

ADJACENCIES = {
    NeighboringRelation.ADD_OR_REMOVE_ONE: "add-remove",
    NeighboringRelation.REPLACE_ONE: "replace-one",
    NeighboringRelation.REPLACE_SPECIAL: "zero-out",
}

#: Relative width asked of delta and epsilon: answers are then smooth enough for any search for a parameter.
TOLERANCE = 1e-7


def _value(where: str, field: str, value: Any) -> Any:
    """Of a field as JSON. A rate is rounded up where it is no double, as the command reads it."""
    if isinstance(value, dp_event.DpEvent):
        return _as_json(value)
    if hasattr(value, "__iter__") and not isinstance(value, str) and not is_number(value):
        return [_value(where, field, one) for one in value]
    found = (share if field == "sampling_probability" else number)(where, field, value)
    if math.isfinite(found):
        return found
    if field == "shape" and found == math.inf:
        return "inf"
    raise refused(where, field, value, "a finite number")


def _as_json(event: Any) -> dict[str, Any]:
    name = type(event).__name__
    fields = attr.asdict(event, recurse=False) if attr.has(type(event)) else {}
    return {"module_name": type(event).__module__, "class_name": name,
            **{field: _value(name, field, value) for field, value in fields.items()}}


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
class PLDAccountant(pld_privacy_accountant.PLDAccountant):
    """dp_accounting's accountant by privacy loss distributions; `composition` has the brackets behind its numbers.

    value_discretization_interval is accepted, and without effect: answers have no grid to choose. `tolerance` is the
    relative width asked of them; where no closed form and no contour answers, 1e-5 takes a tenth of the time of 1e-7.
    """

    def __init__(self, neighboring_relation: NeighboringRelation = NeighboringRelation.ADD_OR_REMOVE_ONE,
                 value_discretization_interval: float = 1e-4, *, tolerance: float = TOLERANCE) -> None:
        PrivacyAccountant.__init__(self, neighboring_relation)
        self.tolerance = tolerance
        self.composition = Composition(adjacency=ADJACENCIES[neighboring_relation])

    def _maybe_compose(self, event: dp_event.DpEvent, count: int,
                       do_compose: bool) -> PrivacyAccountant.CompositionErrorDetails | None:
        """All is composed in the check already, and kept afterwards: whatever is refused is refused there."""
        composed, part = self.composition, event
        try:
            for part, times in _parts(event, count if do_compose else max(count, 1)):  # supports() asks for none
                composed += from_json(json.dumps(_as_json(part)), adjacency=self.composition.adjacency)._times(times)
            composed.releases  # those of a mechanism are counted together: there may be too many
        except ValueError as refusal:
            return self.CompositionErrorDetails(invalid_event=part, error_message=str(refusal))
        if do_compose:
            self.composition = composed
        return None

    def get_epsilon(self, target_delta: float) -> float:
        """The upper end of epsilon's interval, at least 0; of what tells all it is infinite at delta 1 too."""
        found = self.composition.epsilon(target_delta, tolerance=self.tolerance).upper
        return math.inf if target_delta == 1 and self.get_delta(math.inf) == 1 else max(0.0, found)

    def get_delta(self, target_epsilon: float) -> float:
        """The upper end of delta's interval."""
        return self.composition.delta(target_epsilon, tolerance=self.tolerance).upper

    def get_true_positive_rates(self, false_positive_rates: Any, deltas: Any = None) -> Any:
        """The largest that any attack has: upper ends, from the whole law, so that `deltas` have no effect."""
        import numpy as np

        rates = np.asarray(numbers("get_true_positive_rates", "false_positive_rates", false_positive_rates))
        found = np.asarray(self.composition.true_positive_rate(np.atleast_1d(rates))).reshape(rates.shape)
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
        if not self.composition.releases:
            return 0.0
        if self.composition.epsilon(rates.min()).upper == math.inf:
            return math.inf
        errors = np.asarray(self.composition.trade_off(rates))
        left = (rates < 1) & (errors < 1)  # of the others no Gaussian has more
        quantiles = ndtri(rates[left]), ndtri(errors[left])
        # ndtri has a relative error of a few units of round-off.
        return float(max([0.0, *(-sum(quantiles) + 1e-14 * sum(map(abs, quantiles))).tolist()]))
