"""The boundary around every piece of extension code: it knows the owner and the place.

Whatever the code raises ends here, is told once, and never reaches the rest of pi. Only two things pass: the
user's Ctrl+C, and a cancellation that is meant for the task the code runs in.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Awaitable, Callable
from typing import Final, Generic, TypeVar

from pi_tui.abort import AbortError
from pi_tui.frozen import frozen

T = TypeVar("T")

# What code raises that did not fail but was told to stop.
ENDED_EARLY: Final = (asyncio.CancelledError, AbortError)

# What says nothing without its class: the text of `{}["x"]` is "'x'".
_SAYS_ONLY_A_VALUE: Final = (KeyError, SystemExit)

_log = logging.getLogger("pi.extensions")


@frozen
class ExtensionError:
    """A failure of an extension as it is told to people: who, where, what, and the traceback."""

    extension_path: str
    event: str
    error: str
    stack: str
    detail: str = ""

    @property
    def place(self) -> str:
        """Where it failed, in words: `turn_end`, `command /deploy`."""
        return f"{self.event} {self.detail}".rstrip()


ReportError = Callable[[ExtensionError], None]


class FailureReports:
    """The failures of one generation. Each is told once per owner, place and distinct error."""

    def __init__(self, report: ReportError) -> None:
        self._report: ReportError | None = report
        self._told: set[tuple[str, str, type[BaseException], str]] = set()

    def add(self, owner: str, place: str, error: BaseException, called: str = "") -> None:
        """Log and report a failure, unless the same one is known.

        `called` names what a person called at this place: each of its failures is told, for silence would
        look like success.
        """
        message = describe(error)
        key = (owner, place, type(error), message)
        if key in self._told and not called:
            return
        self._told.add(key)
        stack = "".join(traceback.format_exception(error))
        failure = ExtensionError(owner, place, message, stack, called)
        _log.error("%s failed in %s", owner, failure.place, exc_info=error)
        if self._report is not None:
            self._report(failure)

    def only_log(self) -> None:
        """Report nothing any more: what a past generation does is no news in the next one."""
        self._report = None


@frozen
class Attempt(Generic[T]):
    """How a piece of extension code ended: with a value, or with the error it was stopped for."""

    value: T | None = None
    error: BaseException | None = None


class ExtensionGuard:
    """Runs code of `owner` that stands at `place` (an event, a command, a slot on the screen).

    `called` is the command as it was typed.
    """

    def __init__(self, owner: str, place: str, failures: FailureReports, called: str = "") -> None:
        self._owner = owner
        self._place = place
        self._failures = failures
        self._called = called

    def call(self, function: Callable[[], T]) -> Attempt[T]:
        """Call `function`; its failure is reported and handed back."""
        try:
            return Attempt(value=function())
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self.failed(error)
            return Attempt(error=error)

    async def run(self, work: Awaitable[T]) -> Attempt[T]:
        """Await `work`; its failure is reported and handed back.

        That `work` says it was cancelled or aborted is handed back unreported: only the caller knows
        whether it is a failure.
        """
        try:
            return Attempt(value=await work)
        except BaseException as error:
            if is_not_for_extensions(error):
                raise
            if not isinstance(error, ENDED_EARLY):
                self.failed(error)
            return Attempt(error=error)

    def failed(self, error: BaseException) -> None:
        """Report a failure that was found otherwise, such as a result of the wrong shape."""
        self._failures.add(self._owner, self._place, error, self._called)


def is_not_for_extensions(error: BaseException) -> bool:
    """Return whether an exception passes through extension code rather than coming from it."""
    if isinstance(error, asyncio.CancelledError):
        task = asyncio.current_task()
        return task is not None and task.cancelling() > 0
    return isinstance(error, KeyboardInterrupt | GeneratorExit)


def describe(error: BaseException) -> str:
    """Return what an exception says, or its class if it says nothing or fails even at that."""
    name = type(error).__name__
    try:
        said = str(error)
    except Exception:
        return name
    if said and isinstance(error, _SAYS_ONLY_A_VALUE):
        return f"{name}: {said}"
    return said or name
