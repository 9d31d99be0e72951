"""An accountant for Opacus: `import pld.opacus`, then `PrivacyEngine(accountant="pld")`.

Its epsilon is the upper end of a certified interval for Poisson samples, which Opacus draws by default
(`poisson_sampling=True`); batches of a shuffled data set are another scheme, that no accountant of Opacus's is about.
"""
from __future__ import annotations

from typing import Any

from opacus.accountants import IAccountant, register_accountant

from .answers import Epsilon
from .composition import Composition
from .mechanisms import gaussian


class PLDAccountant(IAccountant):
    """Steps of DP-SGD; all that it knows is `history`, as Opacus's noise search and checkpoints expect."""

    def __init__(self) -> None:
        super().__init__()

    def step(self, *, noise_multiplier: float, sample_rate: float) -> None:
        if self.history and self.history[-1][:2] == (noise_multiplier, sample_rate):
            self.history[-1] = (noise_multiplier, sample_rate, self.history[-1][2] + 1)
        else:
            self.history.append((noise_multiplier, sample_rate, 1))

    @property
    def composition(self) -> Composition:
        """The steps so far; sigma 0 is refused."""
        return sum((gaussian(sigma=sigma, poisson=rate, count=count) for sigma, rate, count in self.history),
                   start=Composition())

    def bracket(self, delta: float, **options: Any) -> Epsilon:
        """The whole answer; options are those of Composition.epsilon()."""
        answer: Epsilon = self.composition.epsilon(delta, **options)
        return answer

    def get_epsilon(self, delta: float, *_: Any, **__: Any) -> float:
        """The upper end, at least 0; what other accountants are told of their grids and orders is not needed."""
        if not any(sigma_rate_count[2] for sigma_rate_count in self.history):
            return 0.0
        if any(sigma == 0 and rate > 0 and count for sigma, rate, count in self.history):  # no noise
            return float("inf")
        return max(0.0, self.bracket(delta).upper)

    def __len__(self) -> int:
        return sum(count for _, _, count in self.history)

    @classmethod
    def mechanism(cls) -> str:
        return "pld"


register_accountant("pld", PLDAccountant, force=True)
