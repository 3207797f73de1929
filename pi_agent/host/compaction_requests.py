"""Compactions that extensions ask for: they do not wait for them, and hear of the end if they want to."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from pi_agent.base.errors import PiError
from pi_agent.extensions.context import CompactionWish
from pi_agent.loop.summary_events import CompactionResult
from pi_tui.abort import AbortError


class CompactionRequests:
    """Carries out what is asked for in the background.

    `compact` stops a run that goes on; a wish that is not `at_once` waits until `settled`.
    """

    def __init__(
        self,
        compact: Callable[[str | None], Awaitable[CompactionResult]],
        settled: Callable[[], Awaitable[None]],
    ) -> None:
        self._compact = compact
        self._settled = settled
        self._tasks: set[asyncio.Task[None]] = set()

    def add(self, wish: CompactionWish) -> None:
        """Begin with a wish, and return at once."""
        task = asyncio.get_running_loop().create_task(self._carry_out(wish))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def aclose(self) -> None:
        """Forget what has not been done."""
        tasks = self._tasks - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _carry_out(self, wish: CompactionWish) -> None:
        if not wish.at_once:
            await self._settled()
        try:
            result = await self._compact(wish.custom_instructions)
        except (PiError, AbortError) as error:
            await wish.failed(error)
        else:
            await wish.done(result)
