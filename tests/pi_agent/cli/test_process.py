"""The event loop of the process: what it returns, and what becomes of everything else that runs in it."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator

import pytest

from pi_agent.cli.process import run_to_end
from tests.pi_process import ROOT


def test_the_result_and_the_failure_are_those_of_the_work() -> None:
    async def work() -> int:
        await asyncio.sleep(0)
        return 7

    async def fails() -> int:
        await asyncio.sleep(0)
        raise LookupError("no")

    async def leaves() -> int:
        await asyncio.sleep(0)
        sys.exit(3)

    assert run_to_end(work()) == 7
    with pytest.raises(LookupError):
        run_to_end(fails())
    with pytest.raises(SystemExit):
        run_to_end(leaves())


def test_what_still_runs_is_told_to_end_and_may_tidy_up() -> None:
    done: list[str] = []

    async def task() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            done.append("task")

    async def numbers() -> AsyncIterator[int]:
        try:
            yield 1
        finally:
            await asyncio.sleep(0)
            done.append("generator")

    left = numbers()

    async def work() -> int:
        tasks.append(asyncio.create_task(task()))
        async for number in left:
            return number
        return 0

    tasks: list[asyncio.Task[None]] = []
    assert run_to_end(work()) == 1
    assert sorted(done) == ["generator", "task"]


def test_an_exit_of_another_task_is_told_and_ends_nothing() -> None:
    told: list[str] = []

    async def leaves() -> None:
        sys.exit(3)

    async def work() -> int:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda loop, context: told.append(str(context["exception"])))
        task = asyncio.create_task(leaves())
        await asyncio.wait({task})
        return 7

    assert run_to_end(work()) == 7
    assert told[0] == "it called sys.exit"


INTERRUPTED = """
import asyncio
from pi_agent.cli.process import run_to_end

async def work():
    print("running", flush=True)
    try:
        await asyncio.Event().wait()
    finally:
        print("tidied up", flush=True)

try:
    run_to_end(work())
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_an_interrupt_lets_the_work_tidy_up() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "running\n"
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=20)
    assert out == "tidied up\ninterrupted\n"
