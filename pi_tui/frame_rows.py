"""The rows of a frame before they are text: which component's line fills each, and what lies over parts of it.

Nothing is cut or measured here, so that a row of which no piece changed is known without looking at its text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pi_tui.component import failed_rows
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


@dataclass(slots=True)
class FrameRow:
    """The line of a box that fills the row, and the pieces over it with their boxes, the top-most last."""

    line: str = ""
    box: Box | None = None
    over: Sequence[tuple[Piece, Box]] = ()

    def put(self, piece: Piece, box: Box) -> None:
        """Lay a piece over the others; what it covers is gone."""
        self.over = [*(below for below in self.over if not piece.covers(below[0])), (piece, box)]


def paint_layers(layers: Sequence[Layer], columns: int, rows: int) -> list[FrameRow]:
    """Return the rows that show the layers, the last one on top."""
    painted = [FrameRow() for _ in range(rows)]
    for layer in layers[:1]:
        _Painter(layer, columns, painted).paint(layer.box)
    paint_over(painted, layers[1:], columns)
    return painted


def paint_over(painted: list[FrameRow], layers: Sequence[Layer], columns: int) -> None:
    """Lay layers over rows, the last one on top: each is opaque in all of its box."""
    for layer in layers:
        painter = _Painter(layer, columns, painted)
        painter.blank()
        painter.paint(layer.box)


class _Painter:
    """Puts the lines of one layer into the rows of a frame."""

    def __init__(self, layer: Layer, columns: int, rows: list[FrameRow]) -> None:
        self._layer = layer
        self._columns = columns
        self._rows = rows
        self._right = min(columns, layer.column + layer.box.width)

    def blank(self) -> None:
        """Show nothing in all of the layer."""
        box = self._layer.box
        for y in self._visible(box, box.height):
            self._put(y, box, "")

    def paint(self, box: Box) -> None:
        """Draw a box, what is in it first."""
        for child in box.children:
            self.paint(child)
        top = self._layer.row + box.y
        for y in self._visible(box, len(box.lines)):
            line: object = box.lines[y - top]
            if not isinstance(line, str) or "\n" in line or "\r" in line:
                line = _mended(line, box)
            self._put(y, box, line)

    def _visible(self, box: Box, height: int) -> range:
        """Return the rows of the screen that show the first `height` rows of a box."""
        top = self._layer.row + max(box.top, box.y)
        bottom = self._layer.row + min(box.bottom, box.y + height)
        return range(max(0, top), min(len(self._rows), bottom))

    def _put(self, y: int, box: Box, line: str) -> None:
        row = self._rows[y]
        column = self._layer.column + box.x
        width = min(self._right, column + box.width) - column
        if width >= self._columns:
            row.line, row.box, row.over = line, box, ()
        elif width > 0:
            row.put(Piece(column, width, line), box)


def _mended(line: object, box: Box) -> str:
    """Return what stands in for a row that is no text, which is reported, or no single row."""
    if not isinstance(line, str):
        error = TypeError(f"render() returned a row that is {type(line).__name__}, not str")
        return failed_rows(box.component, error, box.width)[0]
    return line.splitlines()[0] if line.splitlines() else ""
