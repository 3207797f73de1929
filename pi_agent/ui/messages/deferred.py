"""An entry that is built when it first comes into view."""

from __future__ import annotations

from collections.abc import Callable

from pi_tui.component import Component, Renderable, invalidate_all
from pi_tui.events import MouseEvent
from pi_tui.mouse_delivery import MouseAnswer, deliver_mouse


class Deferred(Component):
    """Stands for what `build` makes, so that a long session opens without making all of it."""

    def __init__(self, build: Callable[[], Renderable]) -> None:
        self._build = build
        self._built: Renderable | None = None

    def invalidate(self) -> None:
        """Drop the caches of what was built."""
        if self._built is not None:
            invalidate_all([self._built])

    def handle_mouse(self, event: MouseEvent) -> MouseAnswer:
        """Give the event to what was built."""
        return deliver_mouse(self._built, event) if self._built is not None else MouseAnswer()

    def render(self, width: int) -> list[str]:
        """Return the rows of what `build` makes."""
        if self._built is None:
            self._built = self._build()
        return self._built.render(width)
