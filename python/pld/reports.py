"""Pages about a composition: the literature's bounds beside it, what it gives away, what is proved of a claim."""
from __future__ import annotations

from .answers import Epsilon, Fixed, dumped, number, rounded

TYPE_CHECKING = False  # typing and json take longer to import than everything here
if TYPE_CHECKING:
    from typing import Any, Iterator


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    from html import escape

    cells = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return "<table><thead><tr>" + "".join(f"<th>{name}</th>" for name in head) + f"</tr></thead>{cells}</table>"


class Bound(Fixed):
    """A bound's answer: `epsilon`, or None and why it is `refused`."""

    __slots__ = ("name", "source", "claims", "epsilon", "ratio", "sound", "refused", "verdict")
    name: str
    source: str
    claims: str  #: "upper bound", "approximation" or "as printed"
    epsilon: float | None
    ratio: float | None  #: over the answer
    sound: bool | None  #: whether it is certain not to be below what real neighbours have; None where undecided
    refused: str | None
    verdict: str  #: the word of `pld compare`: "sound", "UNSOUND", "above here", ...; "does not apply" where refused

    def __init__(self, fields: dict[str, Any], verdict: str) -> None:
        self._set(name=fields["name"], source=fields["source"], claims=fields["claims"],
                  epsilon=number(fields["epsilon"]) if "epsilon" in fields else None,
                  ratio=None if fields.get("ratio") is None else number(fields["ratio"]),
                  sound=fields.get("sound"), refused=fields.get("refused"), verdict=verdict or "does not apply")

    def __reduce__(self) -> tuple[Any, ...]:
        fields = {name: getattr(self, name) for name in self.__slots__ if name != "verdict"}
        if self.epsilon is None:
            del fields["epsilon"]
        return Bound, (fields, self.verdict)

    def _digits(self) -> str:
        """An upper bound rounded up, an approximation to the nearest."""
        if self.epsilon is None:
            return "-"
        return rounded(self.epsilon, True) if self.claims == "upper bound" else f"{self.epsilon:.6g}"

    def __repr__(self) -> str:
        said = self.refused if self.epsilon is None else f"{self._digits()} ({self.verdict})"
        return f"Bound({self.name}: {said})"


class Comparison(Fixed):
    """Composition.compare(): the answer, and every bound of the literature, the sharpest first; iterating gives them.

    >>> import pld
    >>> found = pld.gaussian(sigma=1, poisson=0.01, count=100).compare(delta=1e-6)
    >>> found.answer
    Epsilon(0.954217 <= 0.954218)
    >>> found.best
    Bound(Renyi DP, optimal conversion: 1.45399 (sound))
    >>> found.bounds[0]
    Bound(central limit: 0.523056 (UNSOUND, approximation))
    """

    __slots__ = ("answer", "bounds", "_verdicts", "_fields")
    answer: Epsilon  #: the composition's own, as Composition.epsilon() has it
    bounds: list[Bound]
    _verdicts: list[str]
    _fields: dict[str, Any]

    def __init__(self, answer: Epsilon, verdicts: list[str], fields: dict[str, Any]) -> None:
        self._set(answer=answer, bounds=list(map(Bound, fields["bounds"], verdicts)), _verdicts=verdicts,
                  _fields=fields)

    @property
    def applicable(self) -> list[Bound]:
        return [bound for bound in self.bounds if bound.refused is None]

    @property
    def best(self) -> Bound | None:
        """The least that is a theorem; the others are approximations."""
        return next((bound for bound in self.applicable if bound.claims == "upper bound"), None)

    def __iter__(self) -> Iterator[Bound]:
        return iter(self.bounds)

    def __len__(self) -> int:
        return len(self.bounds)

    def _rows(self) -> list[tuple[str, ...]]:
        return [(b.name, b._digits(), "-" if b.ratio is None else f"{b.ratio:.6g}", b.verdict,
                 b.source) for b in self.applicable if b.epsilon != float("inf")]

    def _infinite(self) -> str:
        """How many are left out of the rows, where there are any."""
        count = sum(b.epsilon == float("inf") for b in self.bounds)
        return f"{count} bound{' is' if count == 1 else 's are'} infinite" if count else ""

    def __str__(self) -> str:
        lines = [f"{self.answer} at delta {self.answer.delta!r}"]
        lines += [f"{name:34} {epsilon:>12} {times:>12}  {verdict:22} {source}"
                  for name, epsilon, times, verdict, source in self._rows()]
        return "\n".join([*lines, *filter(None, [self._infinite()])])

    def __repr__(self) -> str:
        return f"Comparison({self.answer}, {len(self.applicable)} bounds of {len(self)} apply)"

    def _repr_html_(self) -> str:
        head = ("bound", "epsilon", f"x {self.answer._whose()}", "", "source")
        return self.answer._repr_html_() + _table(head, self._rows()) + self._infinite()

    def to_json(self) -> str:
        """The fields that `pld compare --json` prints."""
        return dumped(self._fields)

    def __reduce__(self) -> tuple[Any, ...]:
        return Comparison, (self.answer, self._verdicts, self._fields)


class Explanation(Fixed):
    """Composition.explain(): one page for a person; `fields` are what `pld explain --json` prints."""

    __slots__ = ("page", "fields")
    page: str
    fields: dict[str, Any]

    def __init__(self, page: str, fields: dict[str, Any]) -> None:
        self._set(page=page, fields=fields)

    def __str__(self) -> str:
        return self.page

    def __repr__(self) -> str:
        return self.page

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(self.page)}</pre>"

    def to_json(self) -> str:
        return dumped(self.fields)

    def __reduce__(self) -> tuple[Any, ...]:
        return Explanation, (self.page, self.fields)


class Verdict(Fixed, str):
    """Composition.audit(): "valid", "under-reports" or "undecided", and the answer that says so. True only if valid."""

    claim: float
    epsilon: Epsilon  #: narrow enough to decide, where anything is
    _fields: dict[str, Any]

    def __new__(cls, verdict: str, claim: float, epsilon: Epsilon, fields: dict[str, Any]) -> Verdict:
        made = str.__new__(cls, verdict)
        made._set(claim=claim, epsilon=epsilon, _fields=fields)
        return made

    def __bool__(self) -> bool:
        return str(self) == "valid"

    def __reduce__(self) -> tuple[Any, ...]:
        return Verdict, (str(self), self.claim, self.epsilon, self._fields)

    def _repr_html_(self) -> str:
        return f"<b>{self}</b>: claimed {self.claim!r}; {self.epsilon._repr_html_()}"

    def to_json(self) -> str:
        """The fields that `pld compare --claim --json` prints."""
        return dumped(self._fields)

