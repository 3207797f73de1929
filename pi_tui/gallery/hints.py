"""`Hints`: what one can do, with its keys; a click does it, too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pi_tui import Component, MouseEvent, MouseResult, Theme, visible_width

_GAP = 2


@dataclass(frozen=True, slots=True)
class Hint:
    """A text that is asked for when it is drawn, and what a click on it does."""

    text: Callable[[], str]
    act: Callable[[], object]


class Hints(Component):
    """A row of as many hints as fit whole, the most important first."""

    def __init__(self, hints: list[Hint], theme: Theme) -> None:
        self._hints = hints
        self._theme = theme
        self._ends: list[int] = []

    def render(self, width: int) -> list[str]:
        """Return the hints that fit."""
        self._ends, shown = [], ""
        for hint in self._hints:
            text = (" " * _GAP if shown else "") + hint.text()
            if visible_width(shown + text) > width:
                break
            shown += text
            self._ends.append(visible_width(shown))
        return [self._theme.fg("dim", shown)]

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Do what the hint under the pointer says."""
        if event.type not in ("press", "click"):
            return None
        for hint, end in zip(self._hints, self._ends, strict=False):
            if event.x < end:
                if event.type == "click":
                    hint.act()
                return MouseResult(handled=True)
        return None
