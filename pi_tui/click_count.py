"""How many clicks in a row: 1, 2, 3 and 1 again, while they come quickly on one cell of one component."""

from __future__ import annotations

from collections.abc import Callable

from pi_tui.component import Renderable

CLICK_SECONDS = 0.5
_MOST = 3


class ClickCount:
    """Counts the clicks of one mouse. `now` is the clock."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._component: Renderable | None = None
        self._cell = (-1, -1)
        self._at = float("-inf")
        self._count = 0

    def clicked(self, component: Renderable, x: int, y: int) -> int:
        """Take a click; return its place in the row."""
        at = self._now()
        is_same = component is self._component and self._cell == (x, y)
        is_quick = at - self._at <= CLICK_SECONDS
        self._count = self._count % _MOST + 1 if is_same and is_quick else 1
        self._component, self._cell, self._at = component, (x, y), at
        return self._count
