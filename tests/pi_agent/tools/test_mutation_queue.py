"""Changes of one file wait for each other; nothing else does."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from pi_agent.tools.mutation_queue import MutationQueue

pytestmark = pytest.mark.anyio


class Held:
    """A change that goes on until it is let go."""

    def __init__(self, log: list[str], name: str) -> None:
        self.started = threading.Event()
        self.let_go = threading.Event()
        self._log = log
        self._name = name

    def __call__(self) -> None:
        self._log.append(f"{self._name} starts")
        self.started.set()
        assert self.let_go.wait(10)
        self._log.append(f"{self._name} ends")


def noted(log: list[str], name: str) -> Callable[[], str]:
    def change() -> str:
        log.append(name)
        return name

    return change


async def started(held: Held) -> None:
    await asyncio.to_thread(held.started.wait, 10)


async def test_one_after_the_other_by_whatever_name_and_others_beside(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("file")
    queue = MutationQueue()
    log: list[str] = []
    first = Held(log, "first")
    running = [
        asyncio.create_task(queue.run(path, change))
        for path, change in (
            (tmp_path / "file", first),
            (tmp_path / "link", noted(log, "second")),
            (tmp_path / "other" / ".." / "file", noted(log, "third")),
        )
    ]
    await started(first)
    assert await queue.run(tmp_path / "else", noted(log, "else")) == "else"
    first.let_go.set()
    await asyncio.gather(*running)
    assert log == ["first starts", "else", "first ends", "second", "third"]


async def test_a_change_that_nobody_waits_for_any_more_keeps_its_file(tmp_path: Path) -> None:
    queue = MutationQueue()
    log: list[str] = []
    first = Held(log, "first")
    abandoned = asyncio.create_task(queue.run(tmp_path / "a", first))
    await started(first)
    waiting = asyncio.create_task(queue.run(tmp_path / "a", noted(log, "never")))
    last = asyncio.create_task(queue.run(tmp_path / "a", noted(log, "last")))
    await asyncio.sleep(0)
    abandoned.cancel()
    waiting.cancel()
    await asyncio.wait({abandoned, waiting})
    assert log == ["first starts"]
    first.let_go.set()
    assert await last == "last"
    assert log == ["first starts", "first ends", "last"]


async def test_a_failure_is_the_callers_and_the_next_one_runs(tmp_path: Path) -> None:
    queue = MutationQueue()

    def fail() -> None:
        raise OSError("no")

    failing = asyncio.create_task(queue.run(tmp_path / "a", fail))
    following = asyncio.create_task(queue.run(tmp_path / "a", lambda: "next"))
    assert await following == "next"
    with pytest.raises(OSError, match="no"):
        await failing
