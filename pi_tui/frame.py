"""From component lines to the bytes of a frame: caret, width contract, resets.

Every row stands alone: it ends with a reset of style and link, and either fills the width or erases the
rest. A row that was finished before is taken from the last frame without looking at it again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from pi_tui.component import (
    CURSOR_MARKER,
    FAKE_CURSOR_END,
    FAKE_CURSOR_START,
    Renderable,
    failed_rows,
)
from pi_tui.layout import Box
from pi_tui.width import normalize_terminal_output, slice_by_column, visible_width

_RESET = "\x1b[0m"
_LINK_START = "\x1b]8;"
_LINK_END = "\x1b]8;;\x07"
_ERASE = "\x1b[K"
_PROMPT_MARKS = ("\x1b]133;A\x07", "\x1b]133;B\x07", "\x1b]133;C\x07")

# Called with the component, the row of the frame, the line's width and the frame's.
TooWide = Callable[[Renderable, str, int, int], None]


@dataclass(slots=True)
class Frame:
    """What goes to the terminal: one byte string a row, and the caret's cell if there is one."""

    rows: list[bytes]
    columns: int
    cursor: tuple[int, int] | None = None


class _Finished(NamedTuple):
    """A row as it is written, and the caret's column if it is in this row."""

    data: bytes
    caret: int | None


@dataclass(slots=True)
class FrameMaker:
    """Makes frames from layout boxes; keeps the rows of the last frame to reuse them."""

    on_too_wide: TooWide
    show_hardware_cursor: bool = False
    rows_finished: int = 0
    _columns: int = 0
    _finished: dict[str, _Finished] = field(default_factory=dict)

    def forget(self) -> None:
        """Drop the rows kept for reuse."""
        self._finished.clear()

    def make(self, box: Box, columns: int, rows: int) -> Frame:
        """Return the frame that shows `box`."""
        lines: list[str] = [""] * rows
        owners: list[Renderable] = [box.component] * rows
        _paint(box, lines, owners)
        before = self._finished if columns == self._columns else {}
        kept: dict[str, _Finished] = {}
        finished: list[bytes] = []
        cursor: tuple[int, int] | None = None
        for y, line in enumerate(lines):
            row = before.get(line) or self._finish(line, columns, owners[y])
            kept[line] = row
            finished.append(row.data)
            if row.caret is not None:
                cursor = (row.caret, y)
        self._columns, self._finished = columns, kept
        return Frame(finished, columns, cursor)

    def _finish(self, line: str, columns: int, owner: Renderable) -> _Finished:
        self.rows_finished += 1
        caret = None
        if CURSOR_MARKER in line:
            caret = min(visible_width(line[: line.index(CURSOR_MARKER)]), columns - 1)
        line = strip_prompt_marks(line)
        line = resolve_cursor(line, self.show_hardware_cursor)
        line = normalize_terminal_output(line)
        width = visible_width(line)
        if width > columns:
            self.on_too_wide(owner, line, width, columns)
            line = slice_by_column(line, 0, columns, True)
            width = visible_width(line)
        end = _RESET + (_LINK_END if _LINK_START in line else "")
        if width < columns:
            end += _ERASE
        return _Finished((line + end).encode("utf-8", "replace"), caret)


def strip_prompt_marks(line: str) -> str:
    """Remove the leading OSC 133 marks, which a terminal would take for a shell prompt."""
    while line.startswith("\x1b]133;"):
        for mark in _PROMPT_MARKS:
            if line.startswith(mark):
                line = line[len(mark) :]
                break
        else:
            return line
    return line


def resolve_cursor(line: str, show_hardware_cursor: bool) -> str:
    """Turn the marked caret cell into reverse video and remove all marks.

    With the hardware cursor shown, a marked cell right behind `CURSOR_MARKER` stays plain.
    """
    if "\x1b_pi:" not in line:
        return line
    if show_hardware_cursor:
        line = line.replace(CURSOR_MARKER + FAKE_CURSOR_START, "")
    line = line.replace(CURSOR_MARKER, "")
    start = line.find(FAKE_CURSOR_START)
    if start < 0:
        return line.replace(FAKE_CURSOR_END, "")
    line = line.replace(FAKE_CURSOR_START, "\x1b[7m")
    if FAKE_CURSOR_END not in line:
        return line + "\x1b[27m"
    return line.replace(FAKE_CURSOR_END, "\x1b[27m")


def _paint(box: Box, lines: list[str], owners: list[Renderable]) -> None:
    """Write the visible part of a box and its children into the frame's rows."""
    for child in box.children:
        _paint(child, lines, owners)
    first = max(0, box.top, box.y)
    last = min(len(lines), box.bottom, box.y + len(box.lines))
    for y in range(first, last):
        line = box.lines[y - box.y]
        if not isinstance(line, str):
            error = TypeError(f"render() returned a row that is {type(line).__name__}, not str")
            line = failed_rows(box.component, error, box.width)[0]
        elif "\n" in line or "\r" in line:
            line = line.splitlines()[0] if line.splitlines() else ""
        lines[y] = line
        owners[y] = box.component
