"""How what the handlers of an event return adds up: what a rule says, read by the one loop that dispatches.

`NOTIFY` is the rule of every event without a result; `rules.py` has the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, Generic, TypeVar

from pi_tui.frozen import frozen

E = TypeVar("E")
R = TypeVar("R")


@frozen
class Failure:
    """A handler that gave no answer: it was skipped, given up because of an abort, or it raised `error`."""

    extension: str
    how: str
    error: BaseException | None


@frozen
class Rule(Generic[E, R]):
    """The rule of one event.

    `read` makes a result of what a handler returned; `None` is no opinion, and `ResultShapeError` no result.
    `apply` gives the event that the next handler gets. A result that `ends` is the last one. `when_failed`
    gives the result of a handler that gives none, for events that must fail closed. `tidy` takes back what a
    handler may not do to the event's containers and says what that was.
    """

    read: Callable[[object], R | None]
    apply: Callable[[E, R], E] = lambda event, result: event
    ends: Callable[[R], bool] = lambda result: False
    when_failed: Callable[[Failure], R | None] = lambda failure: None
    tidy: Callable[[E], Iterable[str]] = lambda event: ()


NOTIFY: Final[Rule[Any, Any]] = Rule(read=lambda returned: None)  # of any event, without a result
