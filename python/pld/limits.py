"""How long an answer may take."""
from __future__ import annotations

from . import _core
from .arguments import checked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .arguments import Real


class TimeLimit(_core.TimeLimit):
    """The seconds (> 0) that all that is asked within a `with` block may take. What is certified by then is the answer.

    Of several of a thread, those of its coroutines among them, the earliest end counts; they may be left in any order.
    Raises DomainError where one is entered again before it is left.
    """

    @checked
    def __init__(self, seconds: Real) -> None:
        super().__init__(seconds)
