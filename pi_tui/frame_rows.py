"""The rows of a frame as pieces: which component's line lies in which columns, bottom to top.

Nothing is cut or measured here, so that a row of which no piece changed is known without looking at its text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
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
    """The pieces of a row, the top-most last, and the box that each is from."""

    pieces: list[Piece] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)

    def put(self, piece: Piece, box: Box) -> None:
        """Lay a piece over the others; what it covers is gone."""
        while self.pieces and piece.covers(self.pieces[-1]):
            self.pieces.pop()
            self.boxes.pop()
        self.pieces.append(piece)
        self.boxes.append(box)


def paint_layers(layers: Sequence[Layer], columns: int, rows: int) -> list[FrameRow]:
    """Return the rows that show the layers, the last one on top."""
    painted = [FrameRow() for _ in range(rows)]
    for layer in layers:
        _Painter(layer, columns, painted).paint()
    return painted


class _Painter:
    """Puts the lines of one layer into the rows of a frame."""

    def __init__(self, layer: Layer, columns: int, rows: list[FrameRow]) -> None:
        self._layer = layer
        self._rows = rows
        self._left = layer.column
        self._right = min(columns, layer.column + layer.box.width)

    def paint(self) -> None:
        """Blank the layer's rectangle, then draw its boxes."""
        box = self._layer.box
        for y in self._visible(box, box.height):
            self._put(y, box, self._right, "")
        self._paint(box, self._right)

    def _paint(self, box: Box, right: int) -> None:
        """Draw a box, which shows up to the column `right`."""
        right = min(right, self._left + box.x + box.width)
        for child in box.children:
            self._paint(child, right)
        for y in self._visible(box, len(box.lines)):
            self._put(y, box, right, _row_of(box, y - self._layer.row - box.y))

    def _visible(self, box: Box, height: int) -> range:
        """Return the rows of the screen that show the first `height` rows of a box."""
        top = self._layer.row + max(box.top, box.y)
        bottom = self._layer.row + min(box.bottom, box.y + height)
        return range(max(0, top), min(len(self._rows), bottom))

    def _put(self, y: int, box: Box, right: int, line: str) -> None:
        column = self._left + box.x
        if column < right:
            self._rows[y].put(Piece(column, right - column, line), box)


def _row_of(box: Box, index: int) -> str:
    """Return a row of a leaf; what is no text is reported and shows as an error."""
    line = box.lines[index]
    if not isinstance(line, str):
        error = TypeError(f"render() returned a row that is {type(line).__name__}, not str")
        return failed_rows(box.component, error, box.width)[0]
    if "\n" in line or "\r" in line:
        return line.splitlines()[0] if line.splitlines() else ""
    return line
