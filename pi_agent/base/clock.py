"""Time as an object that tests can own, and waits that a limit or a signal ends."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

from pi_tui.abort import AbortSignal


class Clock(Protocol):
    """What tells the time and sleeps. `SystemClock` outside of tests."""

    def now(self) -> float:
        """Return seconds since 1970."""
        ...

    def monotonic(self) -> float:
        """Return seconds since an arbitrary moment; never goes back."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return after `seconds`."""
        ...


class SystemClock:
    """The time of the machine."""

    def now(self) -> float:
        """Return seconds since 1970."""
        return time.time()

    def monotonic(self) -> float:
        """Return seconds since an arbitrary moment; never goes back."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Return after `seconds`."""
        await asyncio.sleep(seconds)


class ManualClock:
    """A clock that stands still until `advance` moves it."""

    def __init__(self, now: float = 1_767_225_600.0) -> None:
        self._start = now
        self._elapsed = 0.0
        self._order = itertools.count()
        self._sleepers: list[tuple[float, int, asyncio.Event]] = []
        self._fell_asleep = asyncio.Event()

    @property
    def sleeping(self) -> int:
        """How many sleeps have not ended."""
        return len(self._sleepers)

    def now(self) -> float:
        """Return seconds since 1970."""
        return self._start + self._elapsed

    def monotonic(self) -> float:
        """Return the seconds advanced so far."""
        return self._elapsed

    async def sleep(self, seconds: float) -> None:
        """Return once `advance` has moved the clock by `seconds`."""
        if seconds <= 0:
            return
        due = asyncio.Event()
        sleeper = (self._elapsed + seconds, next(self._order), due)
        heapq.heappush(self._sleepers, sleeper)
        self._fell_asleep.set()
        try:
            await due.wait()
        finally:
            if sleeper in self._sleepers:
                self._sleepers.remove(sleeper)
                heapq.heapify(self._sleepers)

    async def until_sleeping(self) -> None:
        """Return as soon as somebody sleeps."""
        while not self._sleepers:
            self._fell_asleep.clear()
            await self._fell_asleep.wait()

    def advance(self, seconds: float) -> None:
        """Move the time on and wake every sleeper whose time has come."""
        self._elapsed += seconds
        while self._sleepers and self._sleepers[0][0] <= self._elapsed:
            heapq.heappop(self._sleepers)[2].set()


@asynccontextmanager
async def within(
    seconds: float | None, signal: AbortSignal | None = None
) -> AsyncIterator[asyncio.Timeout]:
    """Limit what is awaited in the block.

    Raises `TimeoutError` after `seconds` (`None`: never) and `AbortError` as soon as `signal` fires. What
    was awaited is cancelled in both cases. The value given moves the limit with `reschedule`.
    """
    if signal is not None:
        signal.raise_if_aborted()
    try:
        async with asyncio.timeout(seconds) as limit:
            # A limit in the past ends the wait at the loop's next step.
            unsubscribe = signal.on_abort(lambda: limit.reschedule(0)) if signal else None
            try:
                yield limit
            finally:
                if unsubscribe is not None:
                    unsubscribe()
    except TimeoutError:
        if signal is not None:
            signal.raise_if_aborted()
        raise
