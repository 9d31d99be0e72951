"""An accountant for jax_privacy: `PldAccountantConfig()` of this module wherever its own one is taken.

>>> from jax_privacy import accounting
>>> import pld.jax_privacy
>>> training = accounting.DpsgdTrainingAccountant(pld.jax_privacy.PldAccountantConfig())
>>> run = accounting.DpParams(num_samples=50_000, delta=1e-5, noise_multipliers=1.0, batch_size=256)
>>> round(training.compute_epsilon(5860, run), 5)
2.15808

Its calibrations (calibrate_noise_multiplier and the others) take that `training`; its experimental module, which asks for
an accountant's class, takes `pld.dp_accounting.PLDAccountant`.
"""
from __future__ import annotations

import dataclasses

from jax_privacy.accounting import accountants

from .dp_accounting import PLDAccountant


@dataclasses.dataclass(kw_only=True, slots=True)
class PldAccountantConfig(accountants.PldAccountantConfig):
    """Makes accountants whose epsilon is the upper end of a certified interval of this relative width.

    value_discretization_interval has no effect.
    """

    tolerance: float = 1e-5

    def create_accountant(self) -> PLDAccountant:
        return PLDAccountant(tolerance=self.tolerance)
