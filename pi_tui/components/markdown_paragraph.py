"""Paragraphs of Markdown that may be long: a few lines that nothing goes on from are drawn once."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pi_tui.components.markdown_text import Look, Margin, RowMaker
from pi_tui.markdown_inline import Span

_PIECE = 4  # lines

# What is left as it was written and may open something that a later line closes.
_OPEN = re.compile(r"[\[`]|[*~](?! )|(?<!\w)_|<(?=[A-Za-z/!?])")

# What reads the text of a paragraph.
ReadText = Callable[[str], list[list[Span]]]


class ParagraphRows:
    """Draws a paragraph again and again as it grows."""

    def __init__(self, maker: RowMaker, margin: Margin, look: Look) -> None:
        self._maker = maker
        self._margin = margin
        self._look = look
        self._done = ""
        self._rows: list[str] = []

    def draw(self, text: str, read: ReadText, *, in_pieces: bool) -> list[str]:
        """Return the rows of `text`; without `in_pieces` it is read as a whole."""
        if not in_pieces or not text.startswith(self._done):
            self._done, self._rows = "", []
        rest = text[len(self._done) :]
        while in_pieces and (size := _piece_size(rest)) is not None:
            lines = read(rest[: size - 1])
            if _goes_on(rest[:size], lines):
                break
            self._rows = self._rows + self._draw(lines)
            self._done += rest[:size]
            rest = rest[size:]
        return self._rows + self._draw(read(rest))

    def _draw(self, lines: Sequence[Sequence[Span]]) -> list[str]:
        margin = self._margin.after_first() if self._rows else self._margin
        return self._maker.text(lines, margin, self._look)


def _piece_size(text: str) -> int | None:
    """Return the length of the first lines, with the end of the last one; `None` if no others follow."""
    end = 0
    for _ in range(_PIECE):
        end = text.find("\n", end) + 1
        if not end:
            return None
    return end


def _goes_on(piece: str, lines: Sequence[Sequence[Span]]) -> bool:
    """Tell whether what stands in a piece may depend on the lines after it."""
    if piece.endswith("\\\n") or "<!--" in piece:
        return True
    return any(
        "code" not in span.marks and _OPEN.search(span.text) for line in lines for span in line
    )
