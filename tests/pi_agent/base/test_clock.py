"""Waits end at their limit, at an abort, or when the clock that tests own says so."""

from __future__ import annotations

import asyncio

import pytest

from pi_agent.base.clock import ManualClock, within
from pi_tui.abort import AbortController, AbortError

pytestmark = pytest.mark.anyio


async def never() -> None:
    await asyncio.Event().wait()


async def test_a_wait_ends_at_its_limit() -> None:
    with pytest.raises(TimeoutError):
        async with within(0.001):
            await never()


async def test_an_abort_ends_a_wait_at_once() -> None:
    controller = AbortController()
    waiting = asyncio.Event()

    async def work() -> None:
        async with within(None, controller.signal):
            waiting.set()
            await never()

    task = asyncio.create_task(work())
    await waiting.wait()
    controller.abort("enough")
    with pytest.raises(AbortError, match="enough"):
        await task


async def test_a_fired_signal_lets_nothing_start() -> None:
    controller = AbortController()
    controller.abort()
    with pytest.raises(AbortError):
        async with within(None, controller.signal):
            raise AssertionError("the block ran")


async def test_an_abort_after_the_wait_does_nothing() -> None:
    controller = AbortController()
    async with within(10, controller.signal):
        await asyncio.sleep(0)
    controller.abort()
    await asyncio.sleep(0)
    await asyncio.sleep(0)


async def test_cancelling_the_task_stays_a_cancellation() -> None:
    waiting = asyncio.Event()

    async def work() -> None:
        async with within(10, AbortController().signal):
            waiting.set()
            await never()

    task = asyncio.create_task(work())
    await waiting.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_manual_clock_wakes_sleepers_in_order_of_their_time() -> None:
    clock = ManualClock(now=100.0)
    woken: list[str] = []

    async def sleeper(name: str, seconds: float) -> None:
        await clock.sleep(seconds)
        woken.append(name)

    tasks = [asyncio.create_task(sleeper("b", 2)), asyncio.create_task(sleeper("a", 1))]
    await asyncio.sleep(0)
    assert clock.sleeping == 2
    clock.advance(1)
    await tasks[1]
    assert (woken, clock.now(), clock.monotonic()) == (["a"], 101.0, 1.0)
    clock.advance(1.5)
    await tasks[0]
    assert woken == ["a", "b"]
    await clock.sleep(0)


async def test_a_cancelled_sleeper_is_forgotten() -> None:
    clock = ManualClock()
    task = asyncio.create_task(clock.sleep(5))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert clock.sleeping == 0


async def test_a_test_can_wait_until_somebody_sleeps() -> None:
    clock = ManualClock()
    waiting = asyncio.create_task(clock.until_sleeping())
    await asyncio.sleep(0)
    assert not waiting.done()
    sleeping = asyncio.create_task(clock.sleep(1))
    await waiting
    assert clock.sleeping == 1
    clock.advance(1)
    await sleeping
