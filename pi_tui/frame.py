"""From component lines to the bytes of a frame: caret, width contract, resets.

Every row stands alone: it ends with a reset of style and link, and either fills the width or erases the
rest. A row that was finished before is taken from the last frame without looking at it again. Pictures are taken
out of the rows; they are drawn apart, after all text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, NamedTuple

from pi_tui.ansi import is_styled_ascii, strip_undrawable
from pi_tui.component import (
    CURSOR_MARKER,
    FAKE_CURSOR_END,
    FAKE_CURSOR_START,
    Renderable,
    WideRow,
)
from pi_tui.component_tree import origin_of
from pi_tui.frame_rows import FrameRow, PaintedRows, Piece, line_of_text, paint_layers
from pi_tui.frozen import slotted
from pi_tui.image_lines import find_image_lines
from pi_tui.layout import Box, Layer
from pi_tui.paint import Mark, composite_screen_row, is_image_line, paint_mark
from pi_tui.width import normalize_terminal_output, slice_by_column, visible_width

if TYPE_CHECKING:  # loaded with the first picture
    from pi_tui.frame_images import ImageSpot
    from pi_tui.image_block import ImageBlock

_RESET = "\x1b[0m"
_LINK_START = "\x1b]8;"
_LINK_END = "\x1b]8;;\x07"
_ERASE = "\x1b[K"
_PROMPT_MARKS = ("\x1b]133;A\x07", "\x1b]133;B\x07", "\x1b]133;C\x07")

# Called with the component to blame and its row.
TooWide = Callable[[Renderable, WideRow], None]


@slotted
class Frame:
    """What goes to the terminal: one byte string a row, and the caret's cell if there is one.

    `images` are the pictures in it. What draws them is written `before` and `after` the rows.
    """

    rows: list[bytes]
    columns: int
    cursor: tuple[int, int] | None = None
    images: Sequence[ImageSpot] = ()
    before: str = ""
    after: str = ""

    @property
    def has_images(self) -> bool:
        """Whether pictures show, come or go."""
        return bool(self.images or self.before or self.after)


class FinishedRow(NamedTuple):
    """A row as it is written, the caret's column if it is in this row, and the pictures taken out of it."""

    data: bytes
    caret: int | None
    images: tuple[ImageBlock, ...] = ()


# What a row is made of: the line that fills it, alone or with pieces over it and marks.
_RowKey = str | tuple[str | Piece | Mark, ...]


@slotted
class FrameMaker:
    """Makes frames from layers; keeps the rows of the last frame to reuse them.

    `stand_in` is written for pictures by other protocols than kitty's, where the screen does not draw them.
    """

    on_too_wide: TooWide
    show_hardware_cursor: bool = False
    rows_finished: int = 0
    stand_in: str = ""
    _columns: int = 0
    _finished: dict[_RowKey, FinishedRow] = field(default_factory=dict)

    def forget(self) -> None:
        """Drop the rows kept for reuse."""
        self._finished.clear()

    def make(
        self, layers: Sequence[Layer], columns: int, rows: int, marks: Iterable[Mark] = ()
    ) -> Frame:
        """Return the frame that shows `layers`, the last one on top, with `marks` painted over them."""
        marked: dict[int, tuple[Mark, ...]] = {}
        for mark in marks:
            marked[mark.row] = (*marked.get(mark.row, ()), mark)
        painted = paint_layers(layers, columns, rows)
        keys = _keys(painted, marked)
        known = self._finished if columns == self._columns else {}
        for key, y in {key: y for y, key in enumerate(keys) if key not in known}.items():
            known[key] = self.finish(painted.row(y), columns, marked.get(y, ()))
        finished = [known[key] for key in keys]
        self._columns, self._finished = columns, dict(zip(keys, finished, strict=True))
        carets = [(row.caret, y) for y, row in enumerate(finished) if row.caret is not None]
        caret = carets[-1] if carets else None
        images = self._images(layers, columns, rows, any(row.images for row in finished))
        return Frame([row.data for row in finished], columns, caret, images)

    def _images(
        self, layers: Sequence[Layer], columns: int, rows: int, are_in_rows: bool
    ) -> Sequence[ImageSpot]:
        """Return the pictures that show, also those that begin above what shows of a component."""
        lines = find_image_lines(layers, columns, rows, are_in_rows)
        if not lines:
            return ()
        from pi_tui.frame_images import spots_of

        return spots_of(lines, layers)

    def finish(self, row: FrameRow, columns: int, marks: Sequence[Mark] = ()) -> FinishedRow:
        """Return a row as it is written, with `marks` painted over them."""
        self.rows_finished += 1
        line, width = "", 0
        images: tuple[ImageBlock, ...] = ()
        if row.box is not None:
            line, width, images = self._prepare(Piece(0, columns, row.line), row.box)
        for piece, box in row.over:
            part, _, more = self._prepare(piece, box)
            images += more
            line = composite_screen_row(line, part, piece.column, piece.width, columns)
        caret = None
        if CURSOR_MARKER in line:
            caret = min(visible_width(line[: line.index(CURSOR_MARKER)]), columns - 1)
            line = line.replace(CURSOR_MARKER, "")
        for mark in marks if not images else ():
            line = paint_mark(line, mark)
        if row.over or marks:
            width = visible_width(line)
        end = (
            _RESET
            + (_LINK_END if _LINK_START in line else "")
            + (_ERASE if width < columns else "")
        )
        return FinishedRow((line + end).encode("utf-8", "replace"), caret, images)

    def _prepare(self, piece: Piece, box: Box) -> tuple[str, int, tuple[ImageBlock, ...]]:
        """Return a piece as the terminal may have it, but for the caret's mark, and its width: its columns at most.

        The third is the pictures that were in it.
        """
        line = line_of_text(piece.line, box)
        images: tuple[ImageBlock, ...] = ()
        if not is_styled_ascii(line):
            if is_image_line(line):
                line, images = take_images(line, piece.column)
                line += self.stand_in * any(image.image_id is None for image in images)
            line = self._drawable(line)
        width = visible_width(line)
        if width > box.width:
            origin, number = origin_of(box.component, _number_of(piece.line, box))
            self.on_too_wide(origin, WideRow(number, line, width, box.width))
        if width <= piece.width:
            return line, width, images
        line = _cut(line, piece.width)
        return line, visible_width(line), images

    def _drawable(self, line: str) -> str:
        """Return a line without what is no text or style, with the cell of the caret as it is drawn."""
        line = resolve_fake_cursor(strip_prompt_marks(line), self.show_hardware_cursor)
        return strip_undrawable(normalize_terminal_output(line))


def take_images(line: str, column: int) -> tuple[str, tuple[ImageBlock, ...]]:
    """Return the text of a row that begins in a column, and the pictures in it."""
    from pi_tui.image_block import split_images

    text, images = split_images(line)
    return text, tuple(replace(image, column=image.column + column) for image in images)


def _keys(painted: PaintedRows, marked: Mapping[int, tuple[Mark, ...]]) -> list[_RowKey]:
    """Return what each row is made of."""
    keys: list[_RowKey] = list(painted.lines)
    for y in painted.over.keys() | marked.keys():
        pieces = (piece for piece, _ in painted.over.get(y, ()))
        keys[y] = (painted.lines[y], *pieces, *marked.get(y, ()))
    return keys


def _number_of(line: str, box: Box) -> int:
    """Return which row of its component a line is."""
    return box.first + (box.lines.index(line) if line in box.lines else 0)


def _cut(line: str, width: int) -> str:
    """Cut a row; a caret right behind the last cell that is left stays with it."""
    cut = slice_by_column(line, 0, width, True)
    before, marker, _ = line.partition(CURSOR_MARKER)
    is_at_edge = marker and CURSOR_MARKER not in cut and visible_width(before) == width
    return cut + CURSOR_MARKER if is_at_edge else cut


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
    """Turn the marked caret cell into reverse video and remove all marks."""
    if "\x1b_pi:" not in line:
        return line
    return resolve_fake_cursor(line, show_hardware_cursor).replace(CURSOR_MARKER, "")


def resolve_fake_cursor(line: str, show_hardware_cursor: bool) -> str:
    """Turn the marked caret cell into reverse video; `CURSOR_MARKER` stays.

    With the hardware cursor shown, a marked cell right behind `CURSOR_MARKER` stays plain.
    """
    if "\x1b_pi:" not in line:
        return line
    if show_hardware_cursor:
        line = line.replace(CURSOR_MARKER + FAKE_CURSOR_START, CURSOR_MARKER)
    if FAKE_CURSOR_START not in line:
        return line.replace(FAKE_CURSOR_END, "")
    line = line.replace(FAKE_CURSOR_START, "\x1b[7m")
    if FAKE_CURSOR_END not in line:
        return line + "\x1b[27m"
    return line.replace(FAKE_CURSOR_END, "\x1b[27m")
