"""Lay one row over another at a column.

What lies above is opaque: every column it has is its own, and nothing of its style reaches the row below.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from pi_tui.ansi import RESET
from pi_tui.width import extract_segments, slice_by_column, slice_with_width, visible_width

_REVERSE, _REVERSE_OFF = "\x1b[7m", "\x1b[27m"
_SGR = re.compile(r"\x1b\[[0-9;:]*m")
_PLAIN = f"{RESET}\x1b]8;;\x07"
# Kitty, iTerm2 and sixel.
IMAGE_START = re.compile(r"\x1b_G|\x1b\]1337;File=|\x1bP[0-9;]*q")


class Mark(NamedTuple):
    """Cells of a row of the screen that are painted in another style: in reverse video, unless it says how."""

    row: int
    start: int
    end: int
    opening: str = _REVERSE
    closing: str = _REVERSE_OFF


def is_image_line(line: str) -> bool:
    """Tell whether a row holds a picture, which is no text to cut."""
    return "\x1b" in line and IMAGE_START.search(line) is not None


def composite_line(base: str, over: str, start: int, over_width: int, total: int) -> str:
    """Return `base` with `over` in the columns from `start` to `start + over_width`, `total` cells in all.

    `over` is cut to its columns, or filled up with unstyled blanks. A row with a picture comes back unchanged.
    """
    if is_image_line(base):
        return base
    return _PLAIN.join(part for part, _ in _parts(base, over, start, over_width, total))


def composite_screen_row(base: str, over: str, start: int, over_width: int, total: int) -> str:
    """Return `composite_line` for a row that begins in the terminal's first column.

    Behind characters that terminals may measure or join in other ways, each part is moved to its column, so
    that edges stay straight. Plain blanks at the end are left out.
    """
    if is_image_line(base):
        return base
    row = ""
    for part, column in _parts(base, over, start, over_width, total):
        move = "" if row.isascii() and part.isascii() else f"\x1b[{column + 1}G"
        row += (_PLAIN if row else "") + move + part
    return row.rstrip(" ")


def paint_mark(line: str, mark: Mark) -> str:
    """Return a row with the cells of a mark in its style, over whatever styles they have.

    A row with a picture comes back unchanged.
    """
    if is_image_line(line):
        return line
    _, start, end, opening, closing = mark
    before, _, after, _ = extract_segments(line, start, end, max(0, visible_width(line) - end))
    part = _SGR.sub(
        lambda code: f"{code[0]}{opening}", slice_by_column(line, start, end - start, True)
    )
    return f"{before}{opening}{part}{closing}{after}"


def _parts(base: str, over: str, start: int, over_width: int, total: int) -> list[tuple[str, int]]:
    """Return what shows before, in and behind the columns of `over`, and where it begins, without empty parts."""
    hidden = max(0, -start)
    start = min(start + hidden, total)
    width = max(0, min(over_width - hidden, total - start))
    end = start + width
    before, before_width, after, after_width = extract_segments(base, start, end, total - end)
    shown, shown_width = over, visible_width(over)
    if hidden or shown_width > width:
        shown, shown_width = slice_with_width(over, hidden, width, True)
    elif "\x1b" in over:
        shown += _PLAIN
    parts = (
        (before + " " * (start - before_width), 0),
        (shown + " " * (width - shown_width), start),
        (after + " " * (total - end - after_width), end),
    )
    return [(part, column) for part, column in parts if part]
