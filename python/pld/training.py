"""DP-SGD from the words of a training script."""
from __future__ import annotations

from . import _core, mechanisms
from ._core import DomainError
from .answers import Brackets, Delta, Epsilon, Fixed, dumped, rounded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, overload

    from numpy.typing import ArrayLike

    from .composition import Composition
else:

    def overload(function):
        return function

#: How batches are drawn, by the command's names, and what that is called in a sentence.
SAMPLERS = {
    "poisson": "batches that are Poisson samples",
    "fixed-size": "batches drawn without replacement, each from all examples",
    "allocation": "each example in one batch of each epoch, drawn by itself",
    "shuffled": "batches of a shuffled data set",
    "truncated": "batches that are Poisson samples cut to the cap",
}


def _steps(examples: int, batch: int, epochs: float) -> int:
    """epochs examples / batch, rounded up as the command does: a round-off above a whole number is no step."""
    from math import ceil

    return ceil(epochs * examples / batch * (1 - 1e-15))


class Training(Fixed):
    """A run of DP-SGD; see dp_sgd()."""

    examples: int
    batch: int
    epochs: float
    noise_multiplier: float
    sampler: str
    cap: int | None
    poisson: Composition  #: what the steps would be if every batch were a Poisson sample
    steps: int
    composition: Composition  #: what upper ends are read off

    def __init__(self, examples: int, batch: int, epochs: float, noise_multiplier: float, sampler: str,
                 cap: int | None = None) -> None:
        self._set(examples=examples, batch=batch, epochs=epochs, noise_multiplier=noise_multiplier, sampler=sampler,
                  cap=cap)
        self._set(poisson=self._sampled("poisson"))
        self._set(steps=self.poisson.releases[0][2])
        self._set(composition=self._passes(_steps(1, 1, self.epochs)) if sampler == "shuffled" else
                  self._sampled(sampler))

    def _sampled(self, sampler: str) -> Composition:
        """The steps as the command reads them from the same words, rates rounded up."""
        from .composition import Composition

        words = {"noise_multiplier": self.noise_multiplier, "sampler": sampler, "batch": self.batch,
                 "dataset": self.examples, "epochs": self.epochs}
        if sampler == "truncated" and self.cap is not None:
            words["cap"] = self.cap
        written = "gaussian:" + ",".join(f"{name}={value}" for name, value in words.items())
        return Composition._of(_core.Accounted.from_words([written]))

    def _passes(self, count: int) -> Composition:
        batches = _steps(self.examples, self.batch, 1)
        return mechanisms.gaussian(sigma=self.noise_multiplier, shuffled=batches, count=count, adjacency="zero-out")

    def _whole_passes(self) -> Composition | None:
        """Of a part of a pass nothing is known from below: the whole ones, where another is begun after them."""
        return self._passes(int(self.epochs)) if self.epochs >= 1 else None

    @overload
    def epsilon(self, delta: float, **options: Any) -> Epsilon: ...
    @overload
    def epsilon(self, delta: ArrayLike, **options: Any) -> Brackets: ...

    def epsilon(self, delta: Any, **options: Any) -> Any:
        """Composition.epsilon() of the run; of a shuffled one an interval from what real neighbours attain up."""
        return self._read(lambda run: run.epsilon(delta, **options), float("-inf"))

    @overload
    def delta(self, epsilon: float, **options: Any) -> Delta: ...
    @overload
    def delta(self, epsilon: ArrayLike, **options: Any) -> Brackets: ...

    def delta(self, epsilon: Any, **options: Any) -> Any:
        """Composition.delta() of the run, likewise."""
        return self._read(lambda run: run.delta(epsilon, **options), 0.0)

    def _read(self, ask: Callable[[Composition], Any], nothing: float) -> Any:
        """Of a part of a pass the lower end is that of the whole passes before it; of none, `nothing` is known."""
        found = ask(self.composition)
        if self.sampler != "shuffled" or self.epochs == int(self.epochs):
            return found
        whole = self._whole_passes()
        return found._from(ask(whole) if whole else None, nothing)

    def explain(self, delta: float) -> str:
        """One line: what holds for this run, and where that is another one, what Poisson samples would give."""
        own = self.epsilon(delta)
        line = f"epsilon <= {rounded(own.upper, True)} at delta {delta:g}, {SAMPLERS[self.sampler]}"
        if not own.exact:
            line += " (at most" + (f"; at least {rounded(own.lower, False)})" if own.lower > float("-inf") else ")")
        if self.sampler != "poisson":
            line += f"; {rounded(self.poisson.epsilon(delta).upper, True)} if every batch were Poisson"
        return line

    def _words(self) -> dict[str, Any]:
        return {"examples": self.examples, "batch": self.batch, "epochs": self.epochs,
                "noise_multiplier": self.noise_multiplier, "sampler": self.sampler,
                **({} if self.cap is None else {"cap": self.cap})}

    def to_json(self) -> str:
        """The arguments of dp_sgd()."""
        return dumped(self._words())

    def __reduce__(self) -> tuple[Any, ...]:
        return Training, tuple(self._words().values())

    def _repr_html_(self) -> str:
        from html import escape

        return f"{escape(repr(self))}: {escape(self.explain(1e-5))}"

    def __repr__(self) -> str:
        return (f"Training({self.steps} steps, noise {self.noise_multiplier:g}, rate {self.batch / self.examples:g}, "
                f"{self.sampler})")


def dp_sgd(*, examples: int, batch: int, epochs: float, noise_multiplier: float, sampler: str | None = None,
           cap: int | None = None) -> Training:
    """DP-SGD on `examples` records in batches of (expected) size `batch`; noise_multiplier is sigma over the norm.

    sampler names how batches are drawn, as the command does: "poisson" (each example by itself with rate batch /
    examples, rounded up), "fixed-size" (each batch without replacement from all), "allocation" (each example in one
    batch of each epoch, drawn by itself), "truncated" (Poisson samples of which cap= records are kept at most; all
    add-remove) or "shuffled" (the data set is shuffled every epoch and cut into batches, the last one perhaps smaller;
    zero-out, at most what no sampling gives and at least what real neighbours attain). With none named it is
    "shuffled": what a training loop does unless somebody wrote another sampler, however often the Poisson number is
    published.

    >>> import pld
    >>> run = pld.dp_sgd(examples=50_000, batch=256, epochs=30, noise_multiplier=1.0)
    >>> print(run.explain(delta=1e-5))
    epsilon <= 37.6225 at delta 1e-05, batches of a shuffled data set (at most; at least 12.2183); 2.15809 if every batch were Poisson
    >>> pld.dp_sgd(examples=50_000, batch=256, epochs=30, noise_multiplier=1.0, sampler="poisson").epsilon(1e-5)
    Epsilon(2.15808 <= 2.15809)
    """
    for name, value in (("examples", examples), ("batch", batch), ("epochs", epochs)):
        if not value > 0:
            raise DomainError(f"dp_sgd: {name} is {value}, but must be > 0")
    if batch > examples:
        raise DomainError(f"dp_sgd: batch is {batch}, but must be at most the number of examples, {examples}")
    chosen = "shuffled" if sampler is None else sampler
    names = _core.sampler_names()
    if chosen not in names:
        raise DomainError(f"dp_sgd: sampler is {sampler!r}, but must be one of {', '.join(names)}")
    if (cap is None) == (chosen == "truncated"):
        raise DomainError("dp_sgd: cap, the largest batch, belongs to the sampler 'truncated': give both or neither")
    return Training(examples, batch, epochs, noise_multiplier, chosen, cap)
