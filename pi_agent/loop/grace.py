"""Let work end by itself after an abort, but not forever."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from pi_tui.abort import AbortError, AbortSignal

T = TypeVar("T")

DEFAULT_GRACE_SECONDS = 5.0
# Cancelled work may still tidy up.
_TIDY_SECONDS = 1.0


async def finish_or_cancel(
    work: Awaitable[T],
    signal: AbortSignal,
    grace: Callable[[], Awaitable[None]],
) -> T:
    """Return what `work` returns. Once the signal fires, `work` has as long as `grace` takes.

    Then it is cancelled and `AbortError` is raised, even if it does not let itself be cancelled.
    """
    task = asyncio.ensure_future(work)
    alarm = asyncio.ensure_future(_after_abort(signal, grace))
    try:
        await asyncio.wait({task, alarm}, return_when=asyncio.FIRST_COMPLETED)
        # A task that was cancelled from within must not look as if we were.
        if not task.done() or task.cancelled():
            raise AbortError("Operation aborted")
        return task.result()
    finally:
        alarm.cancel()
        if not task.done():
            task.add_done_callback(_take_result)
            task.cancel()
            await asyncio.wait({task}, timeout=_TIDY_SECONDS)


async def _after_abort(signal: AbortSignal, grace: Callable[[], Awaitable[None]]) -> None:
    await signal.wait()
    await grace()


def _take_result(task: asyncio.Task[Any]) -> None:
    """Keep asyncio from complaining about a late failure that nobody waits for."""
    if not task.cancelled():
        task.exception()
