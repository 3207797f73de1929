"""`TruncatedText`: the first line of a text, cut where the room ends."""

from __future__ import annotations

from pi_tui.component import Component
from pi_tui.padding import padding_of, whole
from pi_tui.width import expand_tabs, truncate_to_width
from pi_tui.wrap import fill_line


class TruncatedText(Component):
    """One row, with `...` where something was cut off, and blank rows around it."""

    def __init__(self, text: str, padding_x: int = 0, padding_y: int = 0) -> None:
        self._text = text
        self._padding_x = whole(padding_x, 0)
        self._padding_y = whole(padding_y, 0)
        self._cache: tuple[int, list[str]] | None = None

    def set_text(self, text: str) -> None:
        """Change the text; the same text keeps the rows already made."""
        if text != self._text:
            self._text = text
            self._cache = None

    def render(self, width: int) -> list[str]:
        """Return rows of exactly `width` cells."""
        if self._cache is None or self._cache[0] != width:
            self._cache = (width, self._make_rows(width))
        return self._cache[1]

    def _make_rows(self, width: int) -> list[str]:
        padding = padding_of(self._padding_x, width)
        line = next(iter(self._text.splitlines()), "")
        line = truncate_to_width(expand_tabs(line), width - 2 * padding)
        blank = [" " * width] * self._padding_y
        return [*blank, fill_line(" " * padding + line, width), *blank]
