"""DP-SGD from the words of a training script."""
from __future__ import annotations

from math import ceil

from . import _core, mechanisms
from ._core import DomainError
from .answers import Epsilon, rounded
from .arguments import checked, number, one_of, refused, whole
from .composition import Composition, Open, Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, overload

    from .arguments import Real, Whole
    from .composition import Number
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

PASSES = "allocation", "shuffled"  # a release of these is a pass, of as many steps as it has batches
NO_BATCH_UNKNOWN = {  # what to do where a pass is cut into batches
    "shuffled": "a number of shuffled batches, whose bound is the same for every size: name another sampler",
    "allocation": "a number with this sampler: pld.gaussian(noise_multiplier=, allocation=pld.unknown, count=) finds "
                  "into how many steps an epoch is cut",
}
DEFAULT = "shuffled"  # what a training loop does unless somebody wrote another sampler


def _relation(sampler: str, adjacency: str | None) -> str:
    """Under add-remove shuffled batches have no theorem."""
    return adjacency if adjacency is not None else "zero-out" if sampler == "shuffled" else "add-remove"


def _words(examples: Any, batch: Any, epochs: Any, noise_multiplier: Any, sampler: str, cap: Any,
           adjacency: str | None) -> Composition:
    """The run as the command reads it from the same words, rates rounded up."""
    besides = {"cap": cap} if sampler == "truncated" else {}
    return mechanisms.gaussian(noise_multiplier=noise_multiplier, sampler=sampler, batch=batch, dataset=examples,
                               epochs=epochs, adjacency=_relation(sampler, adjacency), **besides)


class Training(Composition):
    """A run of DP-SGD, a composition; see dp_sgd(). What batches it was counted for stands in its repr."""

    examples: int
    batch: int
    epochs: float
    noise_multiplier: float
    sampler: str
    cap: Whole | None
    poisson: Composition  #: the epochs as Poisson samples, epochs * examples / batch of them, rounded up
    steps: int  #: those that are composed; a pass counts for all of its batches
    loop_steps: int  #: those of a loop over a data loader, ceil(examples / batch) an epoch: perhaps more
    composition: Composition  #: what upper ends are read off
    _named: bool  # whether somebody named the sampler
    _asked: str | None  # the adjacency that somebody named

    def __new__(cls, examples: int, batch: int, epochs: float, noise_multiplier: float, sampler: str | None = None,
                cap: Whole | None = None, adjacency: str | None = None) -> Training:
        made = object.__new__(cls)
        made._set(examples=examples, batch=batch, epochs=epochs, noise_multiplier=noise_multiplier,
                  sampler=sampler or DEFAULT, cap=cap, _named=sampler is not None, _asked=adjacency)
        numbers = examples, batch, epochs, noise_multiplier
        poisson = _words(*numbers, "poisson", None, adjacency)
        run = _words(*numbers, made.sampler, cap, adjacency)
        if not made._named:
            run = Composition._of(run._accounted.assuming(DEFAULT))
        of_a_pass = -(-examples // batch)
        steps = run.releases[0][2] * (of_a_pass if made.sampler in PASSES else 1)
        made._set(composition=run, poisson=poisson, steps=steps, loop_steps=ceil(epochs * of_a_pass * (1 - 1e-15)))
        return made

    @property
    def _accounted(self) -> _core.Accounted:
        return self.composition._accounted

    _known = _first = _accounted
    _sum = None  # it is no sum

    def _line(self, answer: Epsilon, of: str = "") -> str:
        """What holds for this run, and where that is another one, what Poisson samples would give."""
        line = super()._line(answer, f"{of}, {SAMPLERS[self.sampler]}{self._more_in_loops()}")
        if self.sampler == "poisson":
            return line
        samples = self.poisson.releases[0][2]
        return f"{line}; {rounded(self.poisson.epsilon(answer.delta).upper, True)} if they were {samples} Poisson samples"

    def _more_in_loops(self) -> str:
        return f" (a loop over a data loader makes {self.loop_steps})" if self.loop_steps > self.steps else ""

    @property
    def arguments(self) -> dict[str, Any]:
        """Those of dp_sgd()."""
        return {"examples": self.examples, "batch": self.batch, "epochs": self.epochs,
                "noise_multiplier": self.noise_multiplier, "sampler": self.sampler if self._named else None,
                **({} if self.cap is None else {"cap": self.cap}),
                **({} if self._asked is None else {"adjacency": self._asked})}

    def __reduce__(self) -> tuple[Any, ...]:
        sampler = self.sampler if self._named else None
        return Training, (self.examples, self.batch, self.epochs, self.noise_multiplier, sampler, self.cap, self._asked)

    def _repr_html_(self) -> str:
        from html import escape

        return f"{escape(repr(self))}: {escape(str(self.explain(1e-5)))}"

    def __repr__(self) -> str:
        assumed = "" if self._named else "assumed "
        return (f"Training({self.steps} steps{self._more_in_loops()}, noise {self.noise_multiplier:g}, rate {self.batch / self.examples:g}, "
                f"{assumed}{self.sampler}{'' if self._asked is None else f', {self._asked}'})")


@overload
def dp_sgd(*, examples: Whole, batch: Whole, epochs: Real, noise_multiplier: Real, sampler: str | None = ...,
           cap: Whole | None = ..., adjacency: str | None = ...) -> Training: ...
@overload
def dp_sgd(*, examples: Whole, batch: Whole | Unknown, epochs: Number, noise_multiplier: Number,
           sampler: str | None = ..., cap: Whole | None = ..., adjacency: str | None = ...) -> Composition: ...


@checked
def dp_sgd(*, examples: Whole, batch: Any, epochs: Any, noise_multiplier: Any, sampler: str | None = None,
           cap: Whole | None = None, adjacency: str | None = None) -> Composition:
    """DP-SGD in batches of a shuffled data set, unless another sampler is named: what training loops do by default.

    The epsilon of a Poisson sampler, the one most often published, may be many times smaller: it holds for loops whose
    batches are Poisson samples, and is had by sampler="poisson" (which is what the command's --dataset-size stands for).

    `examples` records in batches of (expected) size `batch`; noise_multiplier is sigma over the norm. Samplers, as the
    command names them: "poisson" (each example by itself with rate batch / examples, rounded up), "fixed-size" (each
    batch without replacement from all), "allocation" (each example in one batch of each epoch, drawn by itself),
    "truncated" (Poisson samples of which cap= records are kept at most; all add-remove, where neighbours have one record
    less than `examples`, or one more) or "shuffled" (the data set is shuffled every epoch, of which there are a whole
    number, and cut into batches, the last one perhaps smaller; zero-out, at most what no sampling gives and at least
    what real neighbours attain). These adjacencies are taken where none is named. Runs of several samplers compose under
    one: "zero-out" and "replace-one" take all samplers, "add-remove" all but "shuffled".

    One of epochs, noise_multiplier and, of "poisson", "fixed-size" and "truncated", batch may be pld.unknown, for
    calibrate(): the batch that it finds is a whole number of records that is certified where the next is not.

    Of "poisson", "fixed-size" and "truncated" epochs * examples / batch steps are composed, rounded up once. A loop over
    a data loader makes ceil(examples / batch) an epoch, which are more unless batch divides examples: `loop_steps`, and
    repr() and explain(delta) say so. What holds for it is pld.gaussian(noise_multiplier=, sampler=, batch=, dataset=,
    count=run.loop_steps).

    >>> import pld
    >>> run = pld.dp_sgd(examples=50_000, batch=256, epochs=30, noise_multiplier=1.0)
    >>> run
    Training(5880 steps, noise 1, rate 0.00512, assumed shuffled)
    >>> print(run.explain(delta=1e-5))
    epsilon <= 37.6225 at delta 1e-05, batches of a shuffled data set (at most; at least 12.2183); 2.15809 if they were 5860 Poisson samples
    >>> pld.dp_sgd(examples=50_000, batch=256, epochs=30, noise_multiplier=1.0, sampler="poisson").epsilon(1e-5)
    Epsilon(2.15808 <= 2.15809)
    >>> needed = pld.dp_sgd(examples=50_000, batch=256, epochs=30, noise_multiplier=pld.unknown, sampler="poisson")
    >>> f"{needed.calibrate(epsilon=2, delta=1e-5):.5f}"  # rounded up: enough
    '1.04174'
    """
    chosen = DEFAULT if sampler is None else sampler
    given = {"examples": examples, "batch": batch, "epochs": epochs, "noise_multiplier": noise_multiplier}
    is_open = any(isinstance(value, Unknown) for value in given.values())
    for name, value in given.items():
        if isinstance(value, Unknown) and name != "examples":
            continue
        given[name] = (number if name in ("epochs", "noise_multiplier") else whole)("dp_sgd", name, value)
        if not given[name] > 0:
            raise refused("dp_sgd", name, value, "> 0")
    if not isinstance(given["batch"], Unknown) and given["batch"] > examples:
        raise refused("dp_sgd", "batch", batch, f"at most the number of examples, {examples}")
    names = _core.sampler_names()
    chosen = one_of("dp_sgd", "sampler", chosen, names)
    if isinstance(batch, Unknown) and chosen in PASSES:
        raise refused("dp_sgd", "batch", batch, NO_BATCH_UNKNOWN[chosen])
    if (cap is None) == (chosen == "truncated"):
        raise DomainError("dp_sgd: cap, the largest batch, belongs to the sampler 'truncated': give both or neither")
    size, share, passes, noise = given.values()
    if not is_open:
        return Training(size, share, passes, noise, sampler, cap, adjacency)
    if sampler is not None:
        return _words(size, share, passes, noise, sampler, cap, adjacency)
    words = {"noise_multiplier": noise, "sampler": DEFAULT, "batch": share, "dataset": size, "epochs": passes}
    open = {name: str(value) if isinstance(value, Unknown) else value for name, value in words.items()}
    return Open._opened([{"type": "gaussian", **open, "assumed_sampler": DEFAULT}], _relation(DEFAULT, adjacency))
