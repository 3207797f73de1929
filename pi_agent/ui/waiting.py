"""Which extension is being waited for, in the status row: only while something is awaited at all."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from pi_agent.extensions.runner import ExtensionRunner
from pi_agent.extensions.waiting import Waiting
from pi_agent.ui.status import StatusRow

_NOTICE_SECONDS = 2.0
_LOOK_SECONDS = 0.5


class WaitingNotice:
    """Says `waiting for NAME: EVENT (12s) · esc skips it` once a handler takes longer than two seconds.

    `runner` gives the extensions at work; `restore` puts back what the status row showed before.
    """

    def __init__(
        self,
        runner: Callable[[], ExtensionRunner],
        status: StatusRow,
        restore: Callable[[], None],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._runner = runner
        self._status = status
        self._restore = restore
        self._now = now
        self._blocks = 0
        self._task: asyncio.Task[None] | None = None

    def slow(self) -> Waiting | None:
        """Return what has been waited for so long that it is named."""
        waiting = self._runner().waiting()
        if waiting is None or self._now() - waiting.since < _NOTICE_SECONDS:
            return None
        return waiting

    def skip(self) -> bool:
        """Stop waiting for what is named; `False` if nothing is."""
        return self.slow() is not None and self._runner().skip_current()

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Watch while the block runs; one watcher is enough for any number of blocks."""
        self._blocks += 1
        if self._task is None:
            self._task = asyncio.create_task(self._watch())
        try:
            yield
        finally:
            self._blocks -= 1
            if not self._blocks:
                self._task.cancel()
                self._task = None

    async def _watch(self) -> None:
        is_named = False
        try:
            while True:
                await asyncio.sleep(_LOOK_SECONDS)
                waiting = self.slow()
                if waiting is not None:
                    is_named = True
                    seconds = int(self._now() - waiting.since)
                    place = f"{waiting.extension}: {waiting.event}"
                    self._status.show(f"waiting for {place} ({seconds}s) · esc skips it")
                elif is_named:
                    is_named = False
                    self._restore()
        finally:
            if is_named:
                self._restore()
