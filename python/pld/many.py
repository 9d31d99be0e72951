"""Many compositions at once, from a list or from columns."""
from __future__ import annotations

from functools import cache

from . import _core
from ._core import DomainError
from .answers import Brackets
from .arguments import ORDERED, checked, is_unordered, refused
from .composition import Composition, mechanism

TYPE_CHECKING = False  # typing and NumPy take longer to import than everything here
if TYPE_CHECKING:
    from typing import Any, Callable, Iterator, Sequence

    from .arguments import Numbers, Real, Whole


#: More of them would not find cores, and no system starts as many.
MOST_THREADS = 1024


@checked
def epsilon_many(runs: Sequence[Composition] | Any, delta: Numbers, *, adjacency: str | None = None,
                 tolerance: Real = 1e-4, direction: str = "worst", engine: str = "auto", threads: Whole = 0,
                 progress: Callable[[int], object] | None = None) -> Brackets:
    """The epsilon of each run, at one delta or each at its own, on all cores (or as many threads as are named).

    runs is a sequence of compositions, or columns with a row a mechanism: a mapping of names to arrays, an Arrow table
    or record batch, a pandas data frame. The columns are "type" (its name, as `pld mechanisms` lists them), that type's
    parameters, and where wanted "count" or "steps" and the sampling ("poisson", "batch" with "dataset", ...), in the words
    that the command has for them. A null (None, NaN, what is masked) stands where a row's type has no such parameter, or
    where it is not sampled so; as a count, or as a parameter that the type has, it is refused. `adjacency` ("add-remove"
    where it is not given) is that of columns; a composition has its own. Of steps of one mechanism a direction that is
    known to be the lesser one is not asked again; each answer is that of Composition.epsilon().

    progress is called with how many runs more are done, about twenty times a second: a tqdm bar's `update`. Ctrl-C is
    heard.

    >>> import numpy as np, pld
    >>> step = pld.gaussian(sigma=1, poisson=0.01)
    >>> [round(one, 4) for one in pld.epsilon_many([k * step for k in (10, 100, 1000)], 1e-5)]
    [0.38, 0.7181, 1.8283]
    >>> columns = {"type": "gaussian", "sigma": 1.0, "poisson": 0.01, "count": np.array([10, 100, 1000])}
    >>> [round(one, 4) for one in pld.epsilon_many(columns, 1e-5)]
    [0.38, 0.7181, 1.8283]
    """
    import os

    import numpy as np

    if isinstance(runs, (str, Composition)) or not hasattr(runs, "__iter__") or getattr(runs, "ndim", 1) == 0:
        raise refused("epsilon_many", "runs", runs, "a sequence of compositions, or a table")
    if is_unordered(runs):
        raise refused("epsilon_many", "runs", runs, ORDERED)
    if adjacency is not None and not _is_columns(runs):
        raise refused("epsilon_many", "adjacency", adjacency, "left out: each composition has its own")
    compositions = list(_rows(runs, "add-remove" if adjacency is None else adjacency) if _is_columns(runs) else runs)
    for row, run in enumerate(compositions):
        if not isinstance(run, Composition):
            raise refused("epsilon_many", f"run {row}", run, "a Composition")
    deltas = np.asarray(delta)
    if deltas.shape not in ((), (1,), (len(compositions),)):
        raise DomainError(f"epsilon_many: delta has the shape {deltas.shape}, but must be one number, or one for each "
                          f"of {len(compositions)} runs")
    deltas = np.ascontiguousarray(np.broadcast_to(deltas, (len(compositions),)))
    if not 0 <= threads <= MOST_THREADS:
        raise DomainError(f"epsilon_many: threads is {threads}, but must be 0 (one for each core) to {MOST_THREADS}")
    found = _core.epsilon_many([run._accounted for run in compositions], deltas, float(tolerance), direction, engine,
                               int(threads) or os.cpu_count() or 1, progress)
    return Brackets(found[0], found[1], found[2], converged=found[3].astype(bool), exact=found[4].astype(bool))


def _is_columns(runs: Any) -> bool:
    if getattr(runs, "ndim", 2) == 1 and hasattr(runs, "keys"):  # a series: a column of compositions, or a table's row
        return "type" in runs.keys()
    return hasattr(runs, "keys") or hasattr(runs, "column_names")


def _rows(columns: Any, adjacency: str) -> Iterator[Composition]:
    """A mechanism of each row."""
    import numpy as np

    names = list(columns.column_names if hasattr(columns, "column_names") else columns.keys())
    if "type" not in names:
        raise DomainError("epsilon_many: the column type is missing, but must name the mechanism of each row")
    if "adjacency" in names:
        raise DomainError("epsilon_many: adjacency is given row by row, but must be an argument, the same for all")
    cells_of = {name: _cells(columns[name]) for name in names}
    if len({cells.shape for cells in cells_of.values()} - {(1,)}) > 1:
        found = ", ".join(f"{name} {len(cells)}" for name, cells in cells_of.items())
        raise DomainError(f"epsilon_many: the columns' lengths are {found}, but must be the same, or 1")
    values = np.broadcast_arrays(*cells_of.values())
    for row, cells in enumerate(zip(*(value.tolist() for value in values))):
        try:
            given = _given(dict(zip(names, cells)))
            yield mechanism(given.pop("type"), {}, None, adjacency, given)
        except DomainError as error:
            raise type(error)(f"row {row}: {error}") from None


def _cells(column: Any) -> Any:
    """In one dimension at least; what is masked is None."""
    import numpy as np

    if not isinstance(column, np.ma.MaskedArray):
        return np.atleast_1d(np.asarray(column))
    cells = np.array(np.atleast_1d(column.data), dtype=object)
    cells[np.atleast_1d(np.ma.getmaskarray(column))] = None
    return cells


def _given(row: dict[str, Any]) -> dict[str, Any]:
    """Without its nulls. DomainError where one stands for a number that the row must have."""
    nulls = [name for name, cell in row.items() if _is_null(cell)]
    for name in nulls:
        if name == "type" or name in _needed(row["type"]):
            raise refused("mechanism" if name == "type" else row["type"], name, row[name],
                          "there: a row's type, count and parameters have no nulls")
    return {name: cell for name, cell in row.items() if name not in nulls}


def _is_null(cell: Any) -> bool:
    try:
        return cell is None or type(cell).__name__ == "NAType" or bool(cell != cell)
    except ArithmeticError:  # a signalling NaN of decimal compares with nothing
        return True


@cache
def _needed(type: str) -> set[str]:
    """The words for a type's parameters and for how often it is released."""
    return {"count", "steps", "epochs"}.union(*({parameter for parameter, *_ in parameters} | set(others)
                                                for name, _, _, parameters, _, others in _core.mechanism_types()
                                                if name == type))
