"""Pages about a composition: the literature's bounds beside it, what it gives away, what is proved of a claim."""
from __future__ import annotations

from .answers import Epsilon, dumped, number, rounded

TYPE_CHECKING = False  # typing and json take longer to import than everything here
if TYPE_CHECKING:
    from typing import Any, Iterator


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    from html import escape

    cells = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return "<table><thead><tr>" + "".join(f"<th>{name}</th>" for name in head) + f"</tr></thead>{cells}</table>"


class Bound:
    """A bound's answer: `epsilon`, or None and why it is `refused`."""

    __slots__ = ("name", "source", "claims", "epsilon", "ratio", "sound", "refused")
    name: str
    source: str
    claims: str  #: "upper bound", "approximation" or "as printed"
    epsilon: float | None
    ratio: float | None  #: over the answer
    sound: bool | None  #: whether it is certain not to be below what real neighbours have; None where undecided
    refused: str | None

    def __init__(self, fields: dict[str, Any]) -> None:
        self.name, self.source, self.claims = fields["name"], fields["source"], fields["claims"]
        self.epsilon = number(fields["epsilon"]) if "epsilon" in fields else None
        self.ratio = None if fields.get("ratio") is None else number(fields["ratio"])
        self.sound, self.refused = fields.get("sound"), fields.get("refused")

    @property
    def verdict(self) -> str:
        if self.refused is not None:
            return "does not apply"
        return "undecided" if self.sound is None else "sound" if self.sound else "UNSOUND"

    def __repr__(self) -> str:
        said = self.refused if self.epsilon is None else f"{rounded(self.epsilon, True)} ({self.verdict})"
        return f"Bound({self.name}: {said})"


class Comparison:
    """Composition.compare(): the answer, and every bound of the literature, the sharpest first; iterating gives them.

    >>> import pld
    >>> found = pld.gaussian(sigma=1, poisson=0.01, count=100).compare(delta=1e-6)
    >>> found.answer
    Epsilon(0.954217 <= 0.954218)
    >>> found.best
    Bound(Renyi DP, optimal conversion: 1.45399 (sound))
    >>> found.bounds[0]
    Bound(central limit: 0.523057 (UNSOUND))
    """

    __slots__ = ("answer", "bounds", "_fields")

    def __init__(self, fields: dict[str, Any]) -> None:
        self._fields = fields
        #: The composition's own answer, as Composition.epsilon() has it.
        self.answer: Epsilon = _epsilon_of(fields)
        self.bounds = [Bound(row) for row in fields["bounds"]]

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
        return [(b.name, rounded(b.epsilon or 0.0, True), "-" if b.ratio is None else f"{b.ratio:.6g}", b.verdict,
                 b.source) for b in self.applicable]

    def __str__(self) -> str:
        lines = [f"{self.answer} at delta {self.answer.delta:g}"]
        lines += [f"{name:34} {epsilon:>12} {times:>12}  {verdict:10} {source}"
                  for name, epsilon, times, verdict, source in self._rows()]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"Comparison({self.answer}, {len(self.applicable)} bounds of {len(self)} apply)"

    def _repr_html_(self) -> str:
        head = ("bound", "epsilon", "x exact" if self.answer.exact else "x at most", "", "source")
        return self.answer._repr_html_() + _table(head, self._rows())

    def to_json(self) -> str:
        """The fields that `pld compare --json` prints."""
        return dumped(self._fields)

    def __reduce__(self) -> tuple[Any, ...]:
        return Comparison, (self._fields,)


class Explanation:
    """Composition.explain(): one page for a person; `fields` are what `pld explain --json` prints."""

    __slots__ = ("page", "fields")

    def __init__(self, page: str, fields: dict[str, Any]) -> None:
        self.page, self.fields = page, fields

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


class Verdict(str):
    """Composition.audit(): "valid", "under-reports" or "undecided", and the answer that says so."""

    claim: float
    epsilon: Epsilon  #: narrow enough to decide, where anything is
    _fields: dict[str, Any]

    def __new__(cls, verdict: str, claim: float, epsilon: Epsilon, fields: dict[str, Any]) -> Verdict:
        made = str.__new__(cls, verdict)
        made.claim, made.epsilon, made._fields = claim, epsilon, fields
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (str(self), self.claim, self.epsilon, self._fields)

    def __getstate__(self) -> None:
        return None

    def _repr_html_(self) -> str:
        return f"<b>{self}</b>: claimed {self.claim:g}; {self.epsilon._repr_html_()}"

    def to_json(self) -> str:
        """The fields that `pld compare --claim --json` prints."""
        return dumped(self._fields)


def _epsilon_of(fields: dict[str, Any]) -> Epsilon:
    lower, estimate, upper = (number(fields["epsilon"][end]) for end in ("lower", "estimate", "upper"))
    answer = Epsilon(lower, estimate, upper, fields["direction"], fields["engine"], fields["converged"],
                     fields["exact"], None, number(fields["delta"]))
    assert isinstance(answer, Epsilon)
    return answer
