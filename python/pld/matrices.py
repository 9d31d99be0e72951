"""Sensitivities of matrix mechanisms: tree aggregation, DP-FTRL, matrix factorisation without amplification."""
from __future__ import annotations

import os

from . import _core
from ._core import DomainError
from .arguments import checked, numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Union

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from .arguments import Whole


@checked
def matrix_sensitivity(strategy: Union[ArrayLike, str, os.PathLike[str]], *, participations: Whole = 1,
                       min_separation: Whole = 1) -> float:
    """An upper bound of the l2 sensitivity of C G + noise to one record, where each row of G has that record's
    contribution, of norm 1 at most, in up to `participations` rows, at least `min_separation` apart (1: any rows).

    strategy: C, one column a step, as an array, or a file .npy, .csv. The mechanism is then one Gaussian release of this
    sensitivity, also where gradients depend on earlier outputs and C is lower triangular (Denisov, McMahan, Rush, Smith,
    Thakurta 2022). Of one participation it is the largest column norm, of more it may be above the truth. All rounding
    is upward.

    The bound: the square is at most the sum of |C_i . C_j| over the rows taken part in; each row's sum is at most its
    largest over all choices of rows, and the sum of these at most the largest again (Choquette-Choo, Ganesh, McKenna,
    McMahan, Rush, Thakurta, Xu 2023). Raises DomainError for other than finite numbers in two dimensions.

    >>> import pld
    >>> round(pld.matrix_sensitivity([[1, 0, 0], [1, 1, 0], [1, 1, 1]]), 12)
    1.732050807569
    >>> round(pld.matrix_sensitivity([[1, 0, 0], [0, 1, 0], [0, 0, 1]], participations=2, min_separation=2), 12)
    1.414213562373
    """
    import numpy as np

    if isinstance(strategy, (str, os.PathLike)):
        return _core.matrix_sensitivity(os.fspath(strategy), int(participations), int(min_separation))
    entries = _matrix(np.asarray(numbers("matrix_sensitivity", "strategy", strategy)))
    return _core.matrix_sensitivity(entries, int(participations), int(min_separation))


def _matrix(strategy: NDArray[Any]) -> NDArray[np.float64]:
    import numpy as np

    if strategy.ndim != 2:
        raise DomainError(f"matrix_sensitivity: strategy has {strategy.ndim} dimensions, but must have two")
    return np.ascontiguousarray(strategy, dtype=np.float64)
