"""Which pictures show on a full screen, and which part of each: what does not fit is cut, what is covered is gone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pi_tui.frozen import frozen
from pi_tui.image_block import ImageBlock, split_images
from pi_tui.image_lines import ImageLine
from pi_tui.kitty_images import Crop
from pi_tui.layout import Layer


@frozen
class Cells:
    """A rectangle of the screen; `bottom` and `right` are the first row and column outside."""

    top: int
    left: int
    bottom: int
    right: int

    def meets(self, other: Cells) -> bool:
        """Tell whether two rectangles have a cell in common."""
        rows = self.top < other.bottom and other.top < self.bottom
        return rows and self.left < other.right and other.left < self.right

    def inside(self, other: Cells) -> Cells:
        """Return what of this rectangle lies in another one; nothing may be left."""
        return Cells(
            max(self.top, other.top),
            max(self.left, other.left),
            min(self.bottom, other.bottom),
            min(self.right, other.right),
        )

    def above_or_below(self, row: int) -> Cells:
        """Return the larger part of this rectangle that a row leaves."""
        above = Cells(self.top, self.left, row, self.right)
        below = Cells(row + 1, self.left, self.bottom, self.right)
        return max(above, below, key=lambda part: part.bottom - part.top)

    def lower(self, rows: int) -> Cells:
        """Return the rectangle so many rows further down."""
        return Cells(self.top + rows, self.left, self.bottom + rows, self.right)

    def __bool__(self) -> bool:
        """Whether it holds a cell."""
        return self.top < self.bottom and self.left < self.right


@frozen
class ImageSpot:
    """A picture on the screen: the cells in which it, or the part `crop` of it, shows."""

    block: ImageBlock
    cells: Cells
    crop: Crop | None


def spots_of(lines: Sequence[ImageLine], layers: Sequence[Layer]) -> list[ImageSpot]:
    """Return the kitty pictures of lines that show; `layers` lie over each other, the last one on top."""
    covers = [cells_of(layer) for layer in layers]
    return [
        spot
        for line in lines
        for block in split_images(line.line)[1]
        if block.protocol == "kitty"
        for spot in _spot(line, block, covers[line.depth + 1 :])
    ]


def _spot(line: ImageLine, block: ImageBlock, covers: Sequence[Cells]) -> Iterator[ImageSpot]:
    left = line.column + block.column
    whole = Cells(line.row, left, line.row + block.rows, left + block.columns)
    shown = whole.inside(Cells(line.top, 0, line.bottom, line.right))
    for cover in covers:
        if not shown.meets(cover):
            continue
        # A label of one row takes that row; over anything larger nobody misses half a picture.
        if cover.bottom - cover.top > 1:
            return
        shown = shown.above_or_below(cover.top)
    if shown:
        columns, rows = shown.right - shown.left, shown.bottom - shown.top
        crop = block.part(shown.left - whole.left, shown.top - whole.top, columns, rows)
        yield ImageSpot(block, shown, crop)


def cells_of(layer: Layer) -> Cells:
    """Return where a layer lies."""
    row, column, box = layer.row, layer.column, layer.box
    return Cells(row, column, row + box.height, column + box.width)
