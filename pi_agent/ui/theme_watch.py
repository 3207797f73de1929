"""Looks at a theme's file, and tells when it has changed and come to rest."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path

_LOOK_SECONDS = 0.1

StartTask = Callable[[Coroutine[object, object, None]], None]


class ThemeWatch:
    """Looks every tenth of a second, as long as there is a file to look at.

    A file that two looks find the same is no longer being written.
    """

    def __init__(
        self, start_task: StartTask, on_change: Callable[[], None], seconds: float = _LOOK_SECONDS
    ) -> None:
        self.seconds = seconds
        self._start_task = start_task
        self._on_change = on_change
        self._path: Path | None = None
        self._is_watching = False

    def follow(self, path: Path | None) -> None:
        """Look at this file, which need not be there, and at no other."""
        self._path = path
        if path is not None and not self._is_watching:
            self._is_watching = True
            self._start_task(self._watch())

    async def _watch(self) -> None:
        try:
            seen = taken = self._state()
            while self._path is not None:
                await asyncio.sleep(self.seconds)
                state = self._state()
                if state == seen != taken:
                    taken = state
                    self._on_change()
                seen = state
        finally:
            self._is_watching = False

    def _state(self) -> tuple[object, ...]:
        """Return what tells one content of the file from another."""
        if self._path is None:
            return ()
        try:
            status = self._path.stat()
        except OSError:
            return (self._path,)
        return self._path, status.st_mtime_ns, status.st_size, status.st_ino
