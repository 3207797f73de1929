"""A line above the editor: how far the tour is, and what goes on. A click on it opens the panel of stops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from pi_tui import (
    TUI,
    Component,
    MouseEvent,
    Theme,
    truncate_to_width,
    visible_width,
    wrap_text_with_ansi,
)

from .stops import STOPS

WELCOME = (
    "This is the tour of pi. Enter asks the question in the editor; typing puts yours in its place."
)
_ROOMY = 40


class Place(Protocol):
    """Where the tour is."""

    @property
    def seen(self) -> set[int]:
        """The stops that were seen."""
        ...

    @property
    def current(self) -> int | None:
        """The stop that was seen last."""
        ...

    @property
    def upcoming(self) -> int:
        """The stop that comes next."""
        ...

    @property
    def is_talking(self) -> bool:
        """Whether the model is saying something."""
        ...


class Progress(Component):
    """One row, before the tour begins with a few words above it. What has no room is left out from the right."""

    def __init__(self, place: Place, tui: TUI, theme: Theme, on_click: Callable[[], None]) -> None:
        self._place = place
        self._tui = tui
        self._theme = theme
        self._on_click = on_click

    def changed(self) -> None:
        """Ask for a frame: the tour has moved on."""
        self._tui.request_render()

    def render(self, width: int) -> list[str]:
        """Return a dot for each stop, the name of the last one, and what Enter or Escape does."""
        theme, place = self._theme, self._place
        dots = "".join(
            theme.fg("accent", "●") if number in place.seen else theme.fg("dim", "○")
            for number in range(len(STOPS))
        )
        title = "Press Enter" if place.current is None else STOPS[place.current].title
        left = f" {dots} {theme.style(title, fg='text', bold=True)}"
        right = theme.fg("muted", f"{self._hint()} ")
        gap = width - visible_width(left) - visible_width(right)
        row = f"{left}{' ' * gap}{right}" if gap > 1 else left
        return [*self._welcome(width), truncate_to_width(row, width, "…")]

    def handle_mouse(self, event: MouseEvent) -> bool | None:
        """Open the panel."""
        if event.type != "click" or event.button != "left":
            return None
        self._on_click()
        return True

    def _welcome(self, width: int) -> list[str]:
        """Return what to do, until the tour has begun; a small screen says it in the title alone."""
        if self._place.current is not None or self._place.is_talking or width < _ROOMY:
            return []
        lines = wrap_text_with_ansi(WELCOME, width - 2)
        return [*(self._theme.fg("text", f" {line}") for line in lines), ""]

    def _hint(self) -> str:
        if self._place.is_talking:
            return "Esc stops"
        return f"Enter: {STOPS[self._place.upcoming].title}"
