"""From one frame to the next with few bytes: the part of a row that changed, and rows that moved.

What is certain in every terminal is text in ASCII. Behind other characters terminals may disagree about the
column, so a row is written from there to its end. Rows are finished ones: they end plain.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from pi_tui.ansi import RESET, AnsiState

# A style, or text in which a byte is a cell.
_PIECE = re.compile(rb"(\x1b\[[0-9;:]*m)|[ -~]+")
_ESCAPE = re.compile(rb"\x1b\[[0-9;:]*[mK]")
# What a part that stays may begin with: nothing may join what is written before it.
_KEPT = re.compile(rb"(?:\x1b\[[0-9;:]*[mK])*(?:[ -~]|\Z)")
_PLAIN_END = RESET.encode()

# Of a row that is another one from its first cell on, a shorter end is written again: to look at the rest takes longer.
_LEAST_KEPT = 16

# A shorter move is hardly cheaper than writing the rows, and a longer one is a jump, not a growing text.
_LEAST_ROWS_MOVED = 3
_MOST_ROWS_MOVED = 12


class RowPatch(NamedTuple):
    """What to write at a column of a row, and the column it ends before; `end` is None if that is uncertain."""

    column: int
    data: bytes
    end: int | None


class RowsMoved(NamedTuple):
    """The rows `top`..`bottom` show what was `up` rows further down, and the last `up` of them are blank.

    If `up` is negative they show what was further up, and the first ones are blank.
    """

    top: int
    bottom: int
    up: int

    def sequence(self) -> bytes:
        """Return what moves the rows on a terminal: deleting and inserting, which more know than scrolling."""
        top, how = self.top + 1, b"M" if self.up > 0 else b"L"
        return b"\x1b[%d;%dr\x1b[%d;1H\x1b[%d%s\x1b[r" % (top, self.bottom, top, abs(self.up), how)

    def rows_after(self, rows: Sequence[bytes], blank: bytes) -> list[bytes]:
        """Return what the terminal shows after the move."""
        down = [blank] * -self.up
        kept = rows[max(self.top, self.top + self.up) : min(self.bottom, self.bottom + self.up)]
        return [*rows[: self.top], *down, *kept, *[blank] * self.up, *rows[self.bottom :]]


def blank_row(columns: int) -> bytes:
    """Return a row of blanks."""
    return b" " * columns + _PLAIN_END


def patch_row(old: bytes, new: bytes) -> RowPatch:
    """Return what makes a terminal's row that shows `old` show `new`."""
    state = AnsiState()
    start, column = _start(old, new, state)
    if start == 0:
        state = AnsiState()
    opened = state.open_codes().encode()
    kept = _kept(old[start:], new[start:])
    if start == 0 and kept < _LEAST_KEPT:
        return RowPatch(0, new, None)
    if kept:
        before, after = state, state.copy()
        old_cells = _walk(old[start : len(old) - kept], before)
        new_cells = _walk(new[start : len(new) - kept], after)
        if old_cells is not None and old_cells == new_cells and before == after:
            data = opened + new[start : len(new) - kept]
            if after or data.endswith(
                b" "
            ):  # urwid makes blanks at the end erase the rest of the row
                data += _PLAIN_END
            return RowPatch(column, data, column + new_cells)
    return RowPatch(column, opened + new[start:], None)


def find_moved_rows(old: Sequence[bytes], new: Sequence[bytes]) -> RowsMoved | None:
    """Return a move of rows that spares writing most, if there is one that pays."""
    changed = [y for y, row in enumerate(new) if row != old[y]]
    if len(changed) < _LEAST_ROWS_MOVED:
        return None
    up, spared_up = _best_move(old, new, changed[0])
    # Upside down, rows that have moved down have moved up.
    down, spared_down = _best_move(old[::-1], new[::-1], len(new) - 1 - changed[-1])
    if down is None or spared_up >= spared_down:
        return up
    return RowsMoved(len(new) - down.bottom, len(new) - down.top, -down.up)


def _best_move(
    old: Sequence[bytes], new: Sequence[bytes], first: int
) -> tuple[RowsMoved | None, int]:
    """Return the move up from the first changed row that spares writing most rows, and how many."""
    best, spared = None, 0
    for up in range(1, min(_MOST_ROWS_MOVED, len(new) - first) + 1):
        moved, gain = _move(old, new, first, up)
        if moved is not None and gain > spared:
            best, spared = moved, gain
    return best, spared


def _move(
    old: Sequence[bytes], new: Sequence[bytes], top: int, up: int
) -> tuple[RowsMoved | None, int]:
    """Return the longest move by `up` from `top` on, and how many rows it spares writing."""
    bottom, gain = top, 0
    while bottom + up < len(new) and new[bottom] == old[bottom + up]:
        gain += new[bottom] != old[bottom]
        bottom += 1
    # Rows that scroll in at the end must be written, also those that were right before.
    bottom += up
    gain -= sum(new[y] == old[y] for y in range(bottom - up, bottom))
    return (RowsMoved(top, bottom, up), gain) if gain >= _LEAST_ROWS_MOVED else (None, 0)


def _start(old: bytes, new: bytes, state: AnsiState) -> tuple[int, int]:
    """Return up to where the rows are certainly equal: the byte and the column; `state` is the style there."""
    equal = _common_start(old, new)
    start = column = text = 0
    while start < equal and (piece := _PIECE.match(new, start)) is not None:
        if piece[1]:
            if piece.end() > equal:
                break
            state.feed(piece[1].decode())
            start, text = piece.end(), 0
        else:
            text = min(piece.end(), equal) - start
            start, column = start + text, column + text
    if start and (_may_join(old, start) or _may_join(new, start)):
        return (start - 1, column - 1) if text else (0, 0)
    return start, column


def _may_join(row: bytes, position: int) -> bool:
    """Tell whether the character at `position` could be one that joins the one before it."""
    while (escape := _ESCAPE.match(row, position)) is not None:
        position = escape.end()
    return position < len(row) and not 0x20 <= row[position] < 0x7F


def _kept(old: bytes, new: bytes) -> int:
    """Return how many bytes at the end are equal and begin with what stands for itself."""
    kept = _common_end(old, new)
    while kept:
        begin = max(_end_of_escape_at(row, len(row) - kept) - len(row) + kept for row in (old, new))
        if begin == 0 and _KEPT.match(new, len(new) - kept):
            return kept
        kept -= max(begin, 1)
    return 0


def _end_of_escape_at(row: bytes, position: int) -> int:
    """Return `position`, or the end of the escape sequence that it cuts."""
    begin = row.rfind(b"\x1b", 0, position)
    escape = _ESCAPE.match(row, begin) if begin >= 0 else None
    return max(position, escape.end()) if escape is not None else position


def _walk(part: bytes, state: AnsiState) -> int | None:
    """Return the cells of a part and bring `state` to its end; None if it holds more than styles and ASCII."""
    position = cells = 0
    while position < len(part):
        piece = _PIECE.match(part, position)
        if piece is None:
            return None
        if piece[1]:
            state.feed(piece[1].decode())
        else:
            cells += piece.end() - position
        position = piece.end()
    return cells


def _common_start(one: bytes, other: bytes) -> int:
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_end(one: bytes, other: bytes) -> int:
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low
