"""Another branch, checked out while nothing else happens."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pi_agent.ui.branch_watch import watch_branch

pytestmark = pytest.mark.anyio


async def test_only_another_branch_is_told(tmp_path: Path) -> None:
    """One look after the other, each when the test says so."""
    head = tmp_path / ".git" / "HEAD"
    head.parent.mkdir()
    branches = ["main", "main", "topic", "topic", None, "topic"]
    told: list[int] = []

    async def wait(seconds: float) -> None:
        if not branches:
            raise asyncio.CancelledError
        branch = branches.pop(0)
        head.unlink(missing_ok=True)
        if branch is not None:
            head.write_text(f"ref: refs/heads/{branch}\n")

    head.write_text("ref: refs/heads/main\n")
    with pytest.raises(asyncio.CancelledError):
        await watch_branch(tmp_path, lambda: told.append(len(branches)), wait)
    assert told == [3, 1, 0]
