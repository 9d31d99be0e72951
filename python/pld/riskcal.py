"""An accountant for riskcal, with its read-outs of attack risk, and evaluators for its calibrations.

>>> import pld.riskcal
>>> accountant = pld.riskcal.PLDAccountant()
>>> for _ in range(1000):
...     accountant.step(noise_multiplier=0.8, sample_rate=0.005)
>>> round(accountant.get_advantage(), 4), round(float(accountant.get_beta(alpha=0.01)), 4)
(0.1181, 0.9766)

Each number is the safe end of a certified interval: the upper one of epsilon, delta and advantage, the lower one of the
errors that an attack must make. `bracket` and `composition` have the whole.
"""
from __future__ import annotations

from typing import Any, Callable

from numpy.typing import ArrayLike
from riskcal.accountants import CTDAccountant
from riskcal.calibration.core import PrivacyMetrics

from .answers import Epsilon
from .composition import Composition, Profile
from .mechanisms import gaussian


class Distribution:
    """What riskcal's functions of a privacy loss distribution ask of it."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile

    def get_delta_for_epsilon(self, epsilon: ArrayLike) -> Any:
        return _safe(self._profile.delta(epsilon))

    def get_epsilon_for_delta(self, delta: ArrayLike) -> Any:
        return _safe(self._profile.epsilon(delta))


def _safe(found: Any) -> Any:
    import numpy as np

    return float(found) if isinstance(found, float) else np.asarray(found)


class PLDAccountant(CTDAccountant):
    """riskcal's accountant of DP-SGD, by what it keeps of the steps: `history`."""

    @property
    def composition(self) -> Composition:
        """The steps so far; sigma 0 is refused."""
        return sum((gaussian(sigma=sigma, poisson=rate, count=count) for sigma, rate, count in self.history),
                   start=Composition())

    def bracket(self, delta: float, **options: Any) -> Epsilon:
        """The whole answer; options are those of Composition.epsilon()."""
        answer: Epsilon = self.composition.epsilon(delta, **options)
        return answer

    def get_pld(self, **_: Any) -> Distribution:
        """For get_advantage_from_pld and get_bayes_risk_from_pld; a grid step it is given has no effect."""
        return Distribution(self.composition.profile())

    def get_epsilon(self, *, delta: float, **_: Any) -> float:
        """Negative where delta exceeds the advantage: searches for an epsilon of 0 look for that sign."""
        return self.bracket(delta).upper

    def get_beta(self, *, alpha: ArrayLike, **_: Any) -> Any:
        """The least false negative rate."""
        return _safe(self.composition.trade_off(alpha))

    def get_advantage(self, **_: Any) -> float:
        return self.composition.advantage().upper

    def get_bayes_risk(self, *, prior: float) -> float:
        """The least probability of a wrong guess about a record that is present with this probability."""
        return self.composition.bayes_error(prior).lower

    @classmethod
    def mechanism(cls) -> str:
        return "pld"



def dpsgd_evaluator(sample_rate: float, num_steps: int, *, target_alpha: float | None = None,
                    target_delta: float | None = None) -> Callable[[float], PrivacyMetrics]:
    """What riskcal.calibration.core.calibrate_parameter() asks for each noise multiplier: the advantage, and where they
    are named beta at target_alpha and epsilon at target_delta.

    >>> from riskcal.calibration.core import CalibrationConfig, CalibrationTarget, calibrate_parameter
    >>> found = calibrate_parameter(dpsgd_evaluator(0.005, 1000), CalibrationTarget(kind="advantage", advantage=0.1),
    ...                             CalibrationConfig(increasing=False))
    >>> round(found.noise_multiplier, 2)
    0.88
    """
    def evaluate(noise_multiplier: float) -> PrivacyMetrics:
        run = gaussian(sigma=noise_multiplier, poisson=sample_rate, count=num_steps)
        metrics = PrivacyMetrics(advantage=run.advantage().upper)
        if target_alpha is not None:
            metrics.alpha, metrics.beta = target_alpha, run.trade_off(target_alpha).lower
        if target_delta is not None:
            metrics.delta, metrics.epsilon = target_delta, run.epsilon(target_delta).upper
        return metrics

    return evaluate
