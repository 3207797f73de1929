"""The rows of a frame before they are text: which component's line fills each, and what lies over parts of it.

Nothing is cut or measured here, so that a row of which no piece changed is known without looking at its text.
Lines that fill their rows are laid down a box at a time, what lies over parts of them row by row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import NamedTuple

from pi_tui.component import failed_rows
from pi_tui.frozen import slotted
from pi_tui.layout import Box, Layer


class Piece(NamedTuple):
    """A line in the columns where it shows."""

    column: int
    width: int
    line: str

    def covers(self, other: Piece) -> bool:
        """Tell whether nothing of `other` shows below this one."""
        end = self.column + self.width
        return self.column <= other.column and end >= other.column + other.width


class FrameRow(NamedTuple):
    """The line of a box that fills the row, and the pieces over it with their boxes, the top-most last."""

    line: str = ""
    box: Box | None = None
    over: tuple[tuple[Piece, Box], ...] = ()


@slotted
class PaintedRows:
    """Rows of a screen on which layers are laid, one after another.

    `lines` and `boxes` say for each row what fills it, `over` what lies over parts of some.
    """

    columns: int
    lines: list[str]
    boxes: list[Box | None]
    over: dict[int, tuple[tuple[Piece, Box], ...]] = field(default_factory=dict)

    def row(self, y: int) -> FrameRow:
        """Return all that is known of one row."""
        return FrameRow(self.lines[y], self.boxes[y], self.over.get(y, ()))

    def rows(self) -> list[FrameRow]:
        """Return the rows, top to bottom."""
        return [self.row(y) for y in range(len(self.lines))]

    def paint(self, layer: Layer) -> None:
        """Draw the boxes of a layer; where it has none, what was there still shows."""
        self._paint(layer, layer.box)

    def cover(self, layer: Layer) -> None:
        """Draw a layer that is opaque in all of its box."""
        self._put(layer, layer.box, [""] * layer.box.height)
        self._paint(layer, layer.box)

    def _paint(self, layer: Layer, box: Box) -> None:
        """Draw a box, what is in it first."""
        for child in box.children:
            self._paint(layer, child)
        if box.lines:
            self._put(layer, box, box.lines)

    def _put(self, layer: Layer, box: Box, lines: Sequence[str]) -> None:
        first = layer.row + box.y
        top = max(0, layer.row + max(box.top, box.y))
        bottom = min(len(self.lines), layer.row + min(box.bottom, box.y + len(lines)))
        if top >= bottom:
            return
        shown = lines[top - first : bottom - first]
        column = layer.column + box.x
        right = min(self.columns, layer.column + layer.box.width, column + box.width)
        if right - column >= self.columns:
            self._fill(top, bottom, box, shown)
        elif right > column:
            for y, line in enumerate(shown, top):
                text = line_of_text(line, box)
                self._put_over(y, Piece(column, right - column, text), box)

    def _fill(self, top: int, bottom: int, box: Box, lines: Sequence[str]) -> None:
        self.lines[top:bottom] = lines
        self.boxes[top:bottom] = [box] * (bottom - top)
        if self.over:
            self.over = {y: over for y, over in self.over.items() if not top <= y < bottom}

    def _put_over(self, y: int, piece: Piece, box: Box) -> None:
        """Lay a piece over the others; what it covers is gone."""
        kept = (below for below in self.over.get(y, ()) if not piece.covers(below[0]))
        self.over[y] = (*kept, (piece, box))


def paint_layers(layers: Sequence[Layer], columns: int, rows: int) -> PaintedRows:
    """Return the rows that show the layers, the last one on top."""
    painted = PaintedRows(columns, [""] * rows, [None] * rows)
    for number, layer in enumerate(layers):
        if number == 0:
            painted.paint(layer)
        else:
            painted.cover(layer)
    return painted


def cover_rows(rows: Sequence[FrameRow], layers: Sequence[Layer], columns: int) -> list[FrameRow]:
    """Return rows with layers over them, the last one on top."""
    over = {y: row.over for y, row in enumerate(rows) if row.over}
    painted = PaintedRows(columns, [row.line for row in rows], [row.box for row in rows], over)
    for layer in layers:
        painted.cover(layer)
    return painted.rows()


def line_of_text(line: object, box: Box) -> str:
    """Return a row that a component returned; what stands in for it if it is no text, or no single row."""
    if not isinstance(line, str):
        error = TypeError(f"render() returned a row that is {type(line).__name__}, not str")
        return failed_rows(box.component, error, box.width)[0]
    if "\n" in line or "\r" in line:
        return line.splitlines()[0] if line.splitlines() else ""
    return line
