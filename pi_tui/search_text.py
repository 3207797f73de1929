"""Finding words in rows as they are drawn: through styles, over wide characters and from one row into the next.

A run of blanks is one space, and so is the end of a row. Where a word may have been cut, because the row is full or
between wide characters, which are written without spaces, the end is a space or nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pi_tui.ansi import strip_terminal_sequences
from pi_tui.paint import is_image_line
from pi_tui.width import visible_width

# What the end of a row is that may have cut a word, and what one may be in the midst of a word.
_CUT = "\n"
_MAYBE_CUT = r"(?:\n *)?"
# Cells that are free behind the text of a full row: a margin, and half of a wide character.
_FREE_CELLS = 2


class Found(NamedTuple):
    """A match: the rows it begins and ends in, and the columns, the last one not included."""

    row: int
    column: int
    last_row: int
    end: int


class SearchPattern:
    """Words to find literally, whatever their case."""

    def __init__(self, query: str) -> None:
        self.words = tuple(query.split())
        literal = r"\s+".join(map(re.escape, self.words))
        cut = r"\s+".join(_MAYBE_CUT.join(map(re.escape, word)) for word in self.words)
        self._whole = re.compile(literal, re.IGNORECASE)
        self._cut = re.compile(cut, re.IGNORECASE)

    def __bool__(self) -> bool:
        """Whether there is anything to find."""
        return bool(self.words)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where it is in a text, without overlaps."""
        pattern = self._cut if _CUT in text else self._whole
        return (match.span() for match in pattern.finditer(text))


class SearchText:
    """Rows as one text, added a few at a time."""

    def __init__(self, width: int) -> None:
        self._full = width - _FREE_CELLS
        self._rows: list[str] = []
        self._parts: list[str] = []
        self._starts: list[int] = []
        self._length = 0

    @property
    def row_count(self) -> int:
        """How many rows there are so far."""
        return len(self._rows)

    def add(self, rows: Iterable[str]) -> None:
        """Add rows as they are drawn. A picture is no text."""
        for row in rows:
            text = "" if is_image_line(row) else strip_terminal_sequences(row)
            text = text.replace(_CUT, " ").rstrip()
            if self._parts and visible_width(text.lstrip()[:1]) > 1:
                self._parts[-1] = self._rows[-1] + _CUT
            self._rows.append(text)
            is_cut = visible_width(text) >= self._full or visible_width(text[-1:]) > 1
            self._parts.append(text + (_CUT if is_cut else " "))
            self._starts.append(self._length)
            self._length += len(text) + 1

    def find(self, pattern: SearchPattern) -> list[Found]:
        """Return the matches, in reading order."""
        if not pattern:
            return []
        return [self._found(*span) for span in pattern.spans("".join(self._parts))]

    def _found(self, start: int, stop: int) -> Found:
        starts = self._starts
        row = bisect_right(starts, start) - 1
        last_row = bisect_right(starts, stop - 1) - 1
        column = visible_width(self._rows[row][: start - starts[row]])
        end = visible_width(self._rows[last_row][: stop - starts[last_row]])
        if row == last_row and end <= column:  # a mark, which is drawn on the character before
            column = max(0, end - 1)
        return Found(row, column, last_row, end)
