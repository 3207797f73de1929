"""Text whose colours follow the theme: made anew when caches are dropped."""

from __future__ import annotations

from collections.abc import Callable

from pi_tui.component import Component, Style
from pi_tui.components.text import Text


class ThemedText(Component):
    """An empty row (unless `spaced` is off), then the text that `build` makes."""

    def __init__(
        self,
        build: Callable[[], str],
        *,
        padding_x: int = 1,
        padding_y: int = 0,
        bg: Style | None = None,
        spaced: bool = True,
    ) -> None:
        self._build = build
        self._text = Text(build(), padding_x, padding_y, bg)
        self._spaced = spaced
        self._rows: tuple[list[str], list[str]] | None = None

    def refresh(self) -> None:
        """Make the text again: what it is made from has changed."""
        self._text.set_text(self._build())

    def invalidate(self) -> None:
        """Make the text again in the colours of the theme."""
        self._text.invalidate()
        self.refresh()

    def render(self, width: int) -> list[str]:
        """Return the rows; the same list while nothing changed."""
        lines = self._text.render(width)
        if not self._spaced or not lines:
            return lines
        if self._rows is None or self._rows[0] is not lines:
            self._rows = (lines, ["", *lines])
        return self._rows[1]
