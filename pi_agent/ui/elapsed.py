"""How long running calls have been running: one timer for all rows, none while nothing runs."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from typing import Protocol


class Timed(Protocol):
    """What shows how long it has been running."""

    def set_elapsed(self, seconds: int) -> None:
        """Show whole seconds."""
        ...


class ElapsedTimes:
    """Tells each running row once a second. Which of them are in sight is the frame's business.

    `now` is a clock that never goes back; `on_change` asks for a frame.
    """

    def __init__(
        self, now: Callable[[], float], on_change: Callable[[], None], *, period: float = 1.0
    ) -> None:
        self._now = now
        self._period = period
        self._on_change = on_change
        self._started: dict[Timed, float] = {}
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_running(self) -> bool:
        """Whether the timer is set."""
        return self._timer is not None

    def start(self, row: Timed) -> None:
        """Count for a row from now on."""
        self._started.setdefault(row, self._now())
        self._schedule()

    def stop(self, row: Timed) -> None:
        """Count no longer for a row."""
        self._started.pop(row, None)
        if not self._started and self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _schedule(self) -> None:
        if self._timer is None and self._started:
            self._timer = asyncio.get_running_loop().call_later(self._period, self._tick)

    def _tick(self) -> None:
        self._timer = None
        for row, started in self._started.items():
            seconds = math.floor(self._now() - started)
            if seconds:
                row.set_elapsed(seconds)
        self._on_change()
        self._schedule()


def took(seconds: float) -> str:
    """Return how long a call took, for its last line."""
    return f"Took {seconds:.1f}s" if seconds < 60 else f"Took {duration(int(seconds))}"


def duration(seconds: int) -> str:
    """Return seconds as people say them: `42s`, `1m 30s`, `2h 3m 4s`."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}h {minutes}m {rest}s"
    return f"{minutes}m {rest}s" if minutes else f"{rest}s"
