"""One change to a file at a time, in the order in which they were asked for.

A change holds its file until its work has ended, whether or not anybody still waits for it: a thread that was
abandoned in the middle of a write must not meet the next one.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from pi_tui.threads import start_in_thread

T = TypeVar("T")


class MutationQueue:
    """Lets changes of one file wait for each other, by whatever names they call it; others run side by side."""

    def __init__(self) -> None:
        # The end of the newest change of each file.
        self._ends: dict[str, asyncio.Future[None]] = {}

    async def run(self, path: Path, change: Callable[[], T]) -> T:
        """Run `change` in a thread once it is its turn. The place in the line is taken at the first step."""
        file = os.path.realpath(path)
        before = self._ends.get(file)
        end: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._ends[file] = end
        end.add_done_callback(partial(self._forget, file))
        try:
            if before is not None:
                await asyncio.shield(before)
            working = start_in_thread(change, name="pi-mutation")
        except BaseException:
            _end_after(before, end)
            raise
        _end_after(working, end)
        return await asyncio.shield(working)

    def _forget(self, file: str, end: asyncio.Future[None]) -> None:
        if self._ends.get(file) is end:
            del self._ends[file]


def _end_after(work: asyncio.Future[T] | None, end: asyncio.Future[None]) -> None:
    """End a change when `work` has ended, now if there is none."""

    def finish(done: object) -> None:
        end.set_result(None)

    if work is None:
        finish(None)
    else:
        work.add_done_callback(finish)
