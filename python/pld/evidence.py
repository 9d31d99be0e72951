"""What attacks observed, against claims and compositions."""
from __future__ import annotations

from collections.abc import Callable

from . import _core
from ._core import DomainError
from .answers import Fixed, Least, SafeEnd, dumped, loaded
from .arguments import checked, number, refused
from .composition import Composition

TYPE_CHECKING = False  # typing takes longer to import than everything here
if TYPE_CHECKING:
    from typing import Any

    from ._core import Evidence as Observed
    from .arguments import Real, Scores, Whole


class Evidence(Fixed):
    """Data of attacks; what is assumed of them, and each test, is in docs/audit.md of the project.

    >>> import pld
    >>> seen = pld.Evidence.of_runs(true_positives=(900, 1000), false_positives=(20, 1000))
    >>> round(seen.refuted_epsilon(delta=1e-5), 3)
    3.354
    >>> seen.p_value(pld.gaussian(sigma=1)) < 1e-80, seen.p_value((4, 1e-5)) > 0.05
    (True, True)
    """

    _core: Observed
    _kind: str
    _data: dict[str, Any]

    def __init__(self, *given: Any, **named: Any) -> None:
        raise TypeError("Evidence is made by Evidence.of_runs(true_positives=, false_positives=), "
                        "of_guesses(correct=, guessed=, canaries=) or of_scores(in_scores, out_scores)")

    @classmethod
    def _of(cls, core: Observed, kind: str, data: dict[str, Any]) -> Evidence:
        made = cls.__new__(cls)
        made._set(_core=core, _kind=kind, _data=data)
        return made

    @classmethod
    @checked
    def of_runs(cls, *, true_positives: tuple[Whole, Whole], false_positives: tuple[Whole, Whole]) -> Evidence:
        """Rates of independent runs, each as (part, total): of those with the record, and of those without it.

        How the attack decides was fixed before the runs.
        """
        data = {"true_positives": list(true_positives), "false_positives": list(false_positives)}
        counts = (*map(int, true_positives), *map(int, false_positives))
        return cls._of(_core.Evidence.of_runs(*counts), "of_runs", data)

    @classmethod
    @checked
    def of_guesses(cls, *, correct: Whole, guessed: Whole, canaries: Whole) -> Evidence:
        """Right guesses about the canaries of one run, each in or out by a fair coin; their number was fixed before."""
        data = {"correct": correct, "guessed": guessed, "canaries": canaries}
        return cls._of(_core.Evidence.of_guesses(int(correct), int(guessed), int(canaries)), "of_guesses", data)

    @classmethod
    @checked
    def of_scores(cls, in_scores: Scores, out_scores: Scores, *, one_run: bool = False) -> Evidence:
        """Scores, larger where the attack says "in": of independent runs, or of the canaries of one run."""
        import numpy as np

        in_row, out_row = (np.ascontiguousarray(scores, dtype=np.float64) for scores in (in_scores, out_scores))
        data = {"in_scores": in_row.tolist(), "out_scores": out_row.tolist(), "one_run": one_run}
        return cls._of(_core.Evidence.of_scores(in_row, out_row, one_run), "of_scores", data)

    @classmethod
    @checked
    def from_json(cls, text: str) -> Evidence:
        """What to_json() wrote. Raises DomainError for anything else."""
        try:
            (kind, data), = loaded(text).items()
            makers: dict[str, Callable[..., Evidence]] = {
                "of_runs": cls.of_runs, "of_guesses": cls.of_guesses, "of_scores": cls.of_scores}
            return makers[kind](**data)
        except DomainError:
            raise
        except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
            raise DomainError("evidence: the text must be what Evidence.to_json() wrote") from None

    def to_json(self) -> str:
        return dumped({self._kind: self._data})

    def __reduce__(self) -> tuple[Any, ...]:
        return Evidence.from_json, (self.to_json(),)

    def __repr__(self) -> str:
        counts = {name: f"{len(value)} of them" if isinstance(value, list) and len(value) > 2 else value
                  for name, value in self._data.items()}
        return f"Evidence.{self._kind}({', '.join(f'{name}={value}' for name, value in counts.items())})"

    @checked
    def p_values(self, hypothesis: Composition | tuple[Real, Real], *, tolerance: Real = 1e-3,
                 engine: str = "auto") -> dict[str, float]:
        """The p-value of each test that takes such data; the hypothesis is a composition or a claim (epsilon, delta)."""
        return self._p_values("p_values", hypothesis, tolerance, engine)

    def _p_values(self, where: str, hypothesis: Any, tolerance: Real, engine: str) -> dict[str, float]:
        if isinstance(hypothesis, Composition):
            return self._core.p_values_of_run(hypothesis._accounted, float(tolerance), engine)
        try:
            epsilon, delta = (number(where, "hypothesis", one) for one in hypothesis)
        except (TypeError, ValueError):
            raise refused(where, "hypothesis", hypothesis, "a Composition or a claim (epsilon, delta)") from None
        return self._core.p_values_of_claim(epsilon, delta)

    @checked
    def p_value(self, hypothesis: Composition | tuple[Real, Real], *, tolerance: Real = 1e-3,
                engine: str = "auto") -> float:
        """The smallest p-value of all tests: if the hypothesis is true, it is at most any level with at most that probability.

        The hypothesis is a composition or a claim (epsilon, delta).
        """
        return SafeEnd(min(self._p_values("p_value", hypothesis, tolerance, engine).values()))

    @checked
    def refuted_epsilons(self, delta: Real, confidence: Real = 0.95) -> dict[str, float]:
        """With this confidence the mechanism is (epsilon, delta)-DP for no smaller epsilon than this, by each test; 0: none is refuted."""
        return self._core.refuted_epsilons(float(delta), float(confidence))

    @checked
    def refuted_epsilon(self, delta: Real, confidence: Real = 0.95) -> float:
        """With this confidence the mechanism is (epsilon, delta)-DP for no smaller epsilon: the largest of all tests, 0 where none is refuted."""
        return Least(max(self._core.refuted_epsilons(float(delta), float(confidence)).values()))
