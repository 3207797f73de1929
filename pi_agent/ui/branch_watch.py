"""Notices that another branch was checked out, by whoever."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from pi_agent.base.git import current_branch

_LOOK_SECONDS = 5.0


async def watch_branch(
    folder: Path,
    changed: Callable[[], None],
    wait: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> None:
    """Call `changed` whenever the branch of `folder` is another one. Never returns.

    git writes a small file then; reading it now and again needs no watcher and no process.
    """
    known = current_branch(folder)
    while True:
        await wait(_LOOK_SECONDS)
        branch = current_branch(folder)
        if branch != known:
            known = branch
            changed()
