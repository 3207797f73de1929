"""`Text`: wrapped text with padding and an optional background.

Text that only grows (a streamed answer) is wrapped again from the start of its last row on, so a token
costs a row however long the text is.
"""

from __future__ import annotations

from collections.abc import Callable

from pi_tui.component import Component, Style
from pi_tui.padding import padding_of, whole
from pi_tui.wrap import fill_line, wrap_text_with_ansi


class Text(Component):
    """Styled text, word-wrapped to the width less the padding; blank text takes no rows at all.

    `style` is applied to the text of each row, `bg` to whole rows, padding included.
    """

    def __init__(
        self,
        text: str = "",
        padding_x: int = 1,
        padding_y: int = 1,
        bg: Style | None = None,
        *,
        style: Style | None = None,
    ) -> None:
        self._text = text
        self._padding_x = whole(padding_x, 1)
        self._padding_y = whole(padding_y, 1)
        self._bg = bg
        self._style = style
        self._rows = _GrowingRows()
        self._cache: tuple[tuple[int, str], list[str]] | None = None

    @property
    def text(self) -> str:
        """The text as it was set."""
        return self._text

    def set_text(self, text: str) -> None:
        """Change the text; the same text keeps the rows already made."""
        if text != self._text:
            self._text = text
            self._cache = None

    def set_bg(self, bg: Style | None) -> None:
        """Change the background."""
        self._bg = bg
        self.invalidate()

    def set_padding_x(self, padding: int) -> None:
        """Change the columns kept free at both sides."""
        self._padding_x = whole(padding, 1)
        self.invalidate()

    def invalidate(self) -> None:
        """Drop the rows already made."""
        self._cache = None
        self._rows = _GrowingRows()

    def render(self, width: int) -> list[str]:
        """Return rows of exactly `width` cells."""
        sample = self._bg("test") if self._bg is not None else ""
        if self._style is not None:
            sample += self._style("test")
        look = (width, sample)
        if self._cache is not None and self._cache[0] == look:
            return self._cache[1]
        lines = self._make_rows(width, look)
        self._cache = (look, lines)
        return lines

    def _make_rows(self, width: int, look: tuple[int, str]) -> list[str]:
        if not self._text or self._text.isspace():
            return []
        padding = padding_of(self._padding_x, width)
        margin = " " * padding

        def make_row(line: str) -> str:
            styled = self._style(line) if self._style is not None and line else line
            return fill_line(f"{margin}{styled}", width, self._bg)

        text = self._text.replace("\t", "   ")
        rows = self._rows.update(text, max(1, width - 2 * padding), look, make_row)
        if not self._padding_y:
            return rows
        blank = [fill_line("", width, self._bg)] * self._padding_y
        return [*blank, *rows, *blank]


class _GrowingRows:
    """The rows of a text, and from where on to make them again when it grows."""

    def __init__(self) -> None:
        self._rows: list[str] = []
        self._text = ""
        self._look: tuple[int, str] | None = None
        self._tail_start: int | None = None  # where in the text the last row begins

    def update(
        self, text: str, width: int, look: tuple[int, str], make_row: Callable[[str], str]
    ) -> list[str]:
        """Return the rows of `text` wrapped to `width`, as a new list; `look` is what they depend on besides."""
        grows = self._tail_start is not None and look == self._look and text.startswith(self._text)
        kept = self._rows[:-1] if grows else []
        start = self._tail_start or 0 if grows else 0
        tail = wrap_text_with_ansi(text[start:], width)
        self._rows = [*kept, *map(make_row, tail)]
        self._text, self._look = text, look
        self._tail_start = _start_of_last_line(text, start, tail)
        return self._rows


def _start_of_last_line(text: str, start: int, lines: list[str]) -> int | None:
    """Return where the last of the `lines` that `text[start:]` was wrapped into begins in `text`.

    `None` where it cannot be told: styles carry over from line to line, and a `\r` may be half of a break.
    """
    if any("\x1b" in line for line in lines) or "\r" in text[start:]:
        return None
    position = start
    for line in lines[:-1]:
        if not text.startswith(line, position):
            return None
        position += len(line)
        while text.startswith(" ", position):
            position += 1
        if text.startswith("\n", position):
            position += 1
    return position if text.startswith(lines[-1], position) else None
