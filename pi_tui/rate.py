"""How fast something goes on, from when how much of it was done."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable

# The rate is that of the last ten seconds: long enough to stand still, short enough to tell of a change.
_WINDOW = 10.0
_BETWEEN = 0.1
_ENOUGH = 0.5


class Rate:
    """Amount per second over the last seconds. `clock` counts seconds; it never goes back."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._noted: deque[tuple[float, float]] = deque()

    def note(self, done: float) -> None:
        """Take down that so much is done now. Less than before is a new beginning."""
        now = self._clock()
        if self._noted and done < self._noted[-1][1]:
            self._noted.clear()
        if len(self._noted) > 1 and now - self._noted[-2][0] < _BETWEEN:
            self._noted.pop()
        self._noted.append((now, done))
        while len(self._noted) > 2 and now - self._noted[1][0] > _WINDOW:
            self._noted.popleft()

    def per_second(self) -> float | None:
        """Return how much is done a second; `None` as long as that cannot be told."""
        if not self._noted:
            return None
        start, before = self._noted[0]
        seconds = self._clock() - start
        return (self._noted[-1][1] - before) / seconds if seconds >= _ENOUGH else None

    def seconds_for(self, amount: float) -> float | None:
        """Return how long so much more takes; `None` if nothing goes on, or that cannot be told."""
        rate = self.per_second()
        if not rate or not math.isfinite(amount):
            return None
        return max(0.0, amount) / rate
