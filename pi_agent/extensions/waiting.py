"""Which piece of extension code is being waited for, since when, and how to stop waiting for it.

The time in which the code has a dialog open does not count: then it is the person who is waited for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal

from pi_tui.frozen import frozen

EndReason = Literal["skipped", "aborted"]


@frozen
class Waiting:
    """An extension that is waited for. `since` is on the clock of the runner's `now`."""

    extension: str
    event: str
    since: float


class HandlerCall:
    """One call of extension code that is being awaited."""

    def __init__(self, extension: str, event: str, now: Callable[[], float]) -> None:
        self.extension = extension
        self.event = event
        # Resolves when it need not be waited for any longer.
        self.given_up: asyncio.Future[EndReason] = asyncio.get_running_loop().create_future()
        self._now = now
        self._since = now()
        self._dialogs = 0
        self._dialog_opened = 0.0

    def waiting(self) -> Waiting | None:
        """Return who is waited for; `None` while it is a person."""
        return None if self._dialogs else Waiting(self.extension, self.event, self._since)

    def give_up(self, reason: EndReason) -> None:
        """Wait no longer."""
        if not self.given_up.done():
            self.given_up.set_result(reason)

    @contextmanager
    def dialog(self) -> Iterator[None]:
        """Stop the watch while a dialog is open."""
        if self._dialogs == 0:
            self._dialog_opened = self._now()
        self._dialogs += 1
        try:
            yield
        finally:
            self._dialogs -= 1
            if self._dialogs == 0:
                self._since += self._now() - self._dialog_opened


current_call: ContextVar[HandlerCall | None] = ContextVar("current_call", default=None)


@contextmanager
def dialog_open() -> Iterator[None]:
    """Tell whoever waits for the running code that a dialog is open."""
    call = current_call.get()
    if call is None:
        yield
        return
    with call.dialog():
        yield
