"""Sensitivities of matrix mechanisms: tree aggregation, DP-FTRL, matrix factorisation without amplification."""
from __future__ import annotations

from ._core import DomainError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Union

    import numpy as np
    from numpy.typing import ArrayLike, NDArray


def matrix_sensitivity(strategy: Union[ArrayLike, str, os.PathLike[str]], *, participations: int = 1,
                       min_separation: int = 1) -> float:
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
    import math

    import numpy as np

    c = _matrix(strategy)
    for name, value in (("participations", participations), ("min_separation", min_separation)):
        if not (hasattr(value, "__index__") and value >= 1):
            raise DomainError(f"matrix_sensitivity: {name} is {value!r}, but must be a whole number >= 1")
    rows, steps = c.shape
    unit = 2.0**-52
    size = np.abs(c)
    # A computed product is within rows * unit of the sum of its terms' sizes, and so is the computed sum of these.
    products = np.abs(c.T @ c) + (2 * rows + 4) * unit * (size.T @ size) + 1e-300
    inner = [_largest_choice(row, participations, min_separation) for row in products]
    square = _largest_choice(np.array(inner), participations, min_separation)
    return math.nextafter(math.sqrt(square * (1 + (4 * steps + 8) * unit)), math.inf)


def _matrix(strategy: Union[ArrayLike, str, os.PathLike[str]]) -> NDArray[np.float64]:
    import numpy as np

    if isinstance(strategy, str) or hasattr(strategy, "__fspath__"):
        path = str(strategy)
        if path.endswith(".npy"):
            strategy = np.load(path, allow_pickle=False)
        elif path.endswith(".csv"):
            strategy = np.loadtxt(path, delimiter=",", ndmin=2)
        else:
            raise DomainError(f"matrix_sensitivity: strategy is '{path}', but must be a file named .npy or .csv")
    c = np.asarray(strategy, dtype=np.float64)
    if c.ndim != 2 or c.size == 0 or not np.all(np.isfinite(c)):
        raise DomainError(f"matrix_sensitivity: strategy has the shape {c.shape}, but must be finite numbers in two "
                          "dimensions")
    return c


def _largest_choice(values: NDArray[np.float64], most: int, apart: int) -> float:
    """The largest sum of up to `most` values >= 0 whose places are `apart` or more from each other."""
    import numpy as np

    best = np.zeros(len(values) + 1)  # of the first so many values
    for _ in range(min(most, 1 + (len(values) - 1) // apart)):
        taken = values + np.concatenate([np.zeros(min(apart, len(values))), best[1:len(values) - apart + 1]])
        best = np.concatenate([[0.0], np.maximum.accumulate(taken)])
    return float(best[-1])
