"""Tell whoever set a callback; what a coroutine function returns runs as a task."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable, Coroutine
from typing import ParamSpec

Parameters = ParamSpec("Parameters")

_log = logging.getLogger("pi.tui")


class Callbacks:
    """Calls the callbacks of one component and keeps the tasks that they start."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[object]] = set()

    def call(
        self,
        callback: Callable[Parameters, object] | None,
        *args: Parameters.args,
        **kwargs: Parameters.kwargs,
    ) -> None:
        """Call `callback`, if one is set."""
        if callback is None:
            return
        result = callback(*args, **kwargs)
        if inspect.iscoroutine(result):
            coroutine: Coroutine[object, None, object] = result
            task = asyncio.ensure_future(coroutine)
            self._tasks.add(task)
            task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[object]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("a callback failed", exc_info=task.exception())
