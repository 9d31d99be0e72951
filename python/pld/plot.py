"""Pictures with matplotlib, which is asked for here only. Each draws the certified band and returns the axes.

>>> import pld, pld.plot
>>> axes = pld.plot.profile(pld.gaussian(sigma=1))
>>> axes.get_ylabel()
'delta'
"""
from __future__ import annotations

import matplotlib
import matplotlib.pyplot as plt
import numpy as np

from .answers import SIDES, Brackets, rounded
from .arguments import checked, refused
from .composition import Composition
from .many import epsilon_many

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Sequence

    from numpy.typing import NDArray

    from .arguments import Claim, Numbers, Real

#: Text that stays text in SVG and PDF, and no frame but two axes.
STYLE = {"svg.fonttype": "none", "pdf.fonttype": 42, "axes.spines.top": False, "axes.spines.right": False,
         "figure.constrained_layout.use": True}


def _row(where: str, name: str, values: Numbers) -> NDArray[np.float64]:
    """The points of a curve."""
    row = np.asarray(values, dtype=np.float64)
    if row.ndim != 1:
        raise refused(where, name, values, "a row of numbers")
    return row


def _claimed(where: str, claim: Claim) -> tuple[float, float]:
    epsilon, delta = map(float, claim)
    if not (np.isfinite(epsilon) and 0 <= delta <= 1):
        raise refused(where, "claim", claim, "a finite epsilon with a delta from 0 to 1")
    return epsilon, delta


def _axes(axes: Any, x: str, y: str) -> Any:
    if axes is None:
        with matplotlib.rc_context(STYLE):
            axes = plt.subplots(figsize=(4.8, 3.2))[1]
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    return axes


def _band(axes: Any, x: Numbers, found: Brackets, label: str | None) -> None:
    """The safe end as a line, the interval as a band below or above it. Where values are not in it, that is said."""
    exact = bool(np.all(found.exact))
    label = ", ".join(([label] if label else []) + ([] if exact else [SIDES[found._one._up]]))
    line, = axes.plot(x, np.asarray(found), "-" if exact else "--", label=label or None)
    lower = np.where(np.isfinite(found.lower), found.lower, np.asarray(found))
    axes.fill_between(x, lower, found.upper, color=line.get_color(), alpha=0.25, linewidth=0)
    if label:
        axes.legend(frameon=False)


@checked
def profile(run: Composition, epsilons: Numbers | None = None, *, label: str | None = None, axes: Any = None) -> Any:
    """delta(epsilon), on a logarithmic scale; by default from epsilon 0 to where delta is 1e-12."""
    if epsilons is None:
        highest = run.epsilon(1e-12).upper
        epsilons = np.linspace(0, highest if 0 < highest < np.inf else 10, 100)
    at = _row("profile", "epsilons", epsilons)
    found = run.delta(at)
    axes = _axes(axes, "epsilon", "delta")
    _band(axes, at, found, label)
    axes.set_yscale("log")
    return axes


@checked
def trade_off(run: Composition, alphas: Numbers | None = None, *, claim: Claim | None = None,
              label: str | None = None, axes: Any = None) -> Any:
    """f(alpha); claim=(epsilon, delta) adds the trade-off function that such a claim promises (Dong, Roth, Su 2022)."""
    at = np.linspace(0, 1, 101) if alphas is None else _row("trade_off", "alphas", alphas)
    claimed, found = claim and _claimed("trade_off", claim), run.trade_off(at)
    axes = _axes(axes, "type I error", "type II error")
    _band(axes, at, found, label)
    if claimed is not None:
        epsilon, delta = claimed
        promised = np.maximum(0, np.maximum(1 - delta - np.exp(epsilon) * at, np.exp(-epsilon) * (1 - delta - at)))
        axes.plot(at, promised, "k--", linewidth=1, label=f"({epsilon:g}, {delta:g})-DP")
        axes.legend(frameon=False)
    return axes


@checked
def power(run: Composition, fprs: Numbers | None = None, *, claim: Claim | None = None,
          label: str | None = None, axes: Any = None) -> Any:
    """The largest true positive rate of any attack, on logarithmic scales: where a claim that under-reports is crossed.

    fprs are false positive rates, by default from 1e-9; claim=(epsilon, delta) adds the most that such a claim allows.
    """
    at = np.geomspace(1e-9, 1, 91) if fprs is None else _row("power", "fprs", fprs)
    claimed, found = claim and _claimed("power", claim), run.true_positive_rate(at)
    axes = _axes(axes, "false positive rate", "true positive rate")
    axes.set_xscale("log")
    axes.set_yscale("log")
    _band(axes, at, found, label)
    if claimed is not None:
        epsilon, delta = claimed
        allowed = np.minimum(np.exp(epsilon) * at + delta, 1 - np.exp(-epsilon) * (1 - delta - at))
        axes.plot(at, np.minimum(1, allowed), "k--", linewidth=1, label=f"({epsilon:g}, {delta:g})-DP")
        axes.legend(frameon=False)
    return axes


@checked
def epsilon_against(values: Sequence[float], run: Callable[[Any], Composition], delta: Real, *, name: str,
                    label: str | None = None, axes: Any = None) -> Any:
    """epsilon at `delta` of run(value) for each value: steps, sigma, rate, whatever `name` says.

    >>> import pld, pld.plot
    >>> step = pld.gaussian(sigma=1, poisson=0.01)
    >>> pld.plot.epsilon_against([100, 200, 400], lambda k: k * step, 1e-6, name="steps").get_xlabel()
    'steps'
    """
    found = epsilon_many([run(value) for value in values], delta)
    axes = _axes(axes, name, f"epsilon at delta {delta:g}")
    _band(axes, values, found, label)
    return axes


@checked
def epsilon_against_delta(run: Composition, deltas: Numbers, *, label: str | None = None, axes: Any = None) -> Any:
    """epsilon(delta), with delta on a logarithmic scale."""
    at = _row("epsilon_against_delta", "deltas", deltas)
    found = run.epsilon(at)
    axes = _axes(axes, "delta", "epsilon")
    _band(axes, at, found, label)
    axes.set_xscale("log")
    return axes


@checked
def bounds(run: Composition, delta: Real, *, loosest: Real = 20, axes: Any = None) -> Any:
    """The literature's bounds beside the answer, at most `loosest` times as large; approximations are hollow.

    >>> import pld, pld.plot
    >>> axes = pld.plot.bounds(pld.gaussian(sigma=1, poisson=0.01, count=100), 1e-6)
    >>> axes.get_xlabel()
    'epsilon at delta 1e-06'
    """
    found = run.compare(delta)
    near = [(bound, bound.ratio) for bound in found.applicable if bound.ratio is not None and bound.ratio <= loosest]
    shown = [bound for bound, _ in reversed(near)]
    if axes is None:
        with matplotlib.rc_context(STYLE):
            axes = plt.subplots(figsize=(5.6, 0.6 + 0.22 * max(4, len(shown))))[1]
    axes = _axes(axes, f"epsilon at delta {delta:g}", "")
    colour = plt.rcParams["axes.prop_cycle"].by_key()["color"][0]
    answer = found.answer
    axes.axvline(answer.upper, color="black", linewidth=1)
    if answer._has_lower():
        axes.axvspan(answer.lower, answer.upper, color="black", alpha=0.15, linewidth=0)
    axes.text(answer.upper, 1.01, f"{answer._whose() if answer.exact else 'proved here'}: {rounded(answer.upper, True, 4)}",
              transform=axes.get_xaxis_transform(), ha="center", va="bottom", fontsize="small")
    for place, bound in enumerate(shown):
        theorem = bound.claims == "upper bound"
        axes.plot([bound.epsilon], [place], "o", color=colour, markersize=4.5,
                  markerfacecolor=colour if theorem else "none")
    axes.set_yticks(range(len(shown)), [bound.name for bound in shown], fontsize="small")
    axes.grid(axis="y", linewidth=0.4, alpha=0.5)
    wide = 5  # times the answer
    if any(ratio > wide for _, ratio in near):
        axes.set_xscale("log")
    return axes
