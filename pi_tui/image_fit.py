"""How many cells a picture takes: as large as its box allows, in its own proportions.

A cell is given by its width and height in pixels.
"""

from __future__ import annotations

from pi_tui.frozen import frozen
from pi_tui.image_header import ImageSize


@frozen
class CellBox:
    """Columns and rows."""

    columns: int
    rows: int


def square_rows(columns: int, cell: tuple[int, int]) -> int:
    """Return the rows that are as high as so many columns are wide."""
    width, height = cell
    return max(1, -(-columns * width // height))


def fit_image(
    size: ImageSize, box: CellBox, cell: tuple[int, int], *, is_stretched: bool
) -> CellBox:
    """Return the cells for a picture, which may be enlarged, that touches two opposite sides of `box`.

    The other way it rarely ends at the edge of a cell. A terminal that stretches pictures to whole cells gets one
    cell less if that distorts less.
    """
    cell_width, cell_height = cell
    across = box.columns * cell_width * max(1, size.height)
    down = box.rows * cell_height * max(1, size.width)
    if across <= down:
        rows = _whole(across, cell_height * max(1, size.width), box.rows, is_stretched)
        return CellBox(box.columns, rows)
    columns = _whole(down, cell_width * max(1, size.height), box.columns, is_stretched)
    return CellBox(columns, box.rows)


def _whole(part: int, whole: int, limit: int, is_stretched: bool) -> int:
    """Return `part / whole` cells as whole ones."""
    more = max(1, -(-part // whole))
    less = more - 1
    # `more` enlarges by more / exact, `less` makes smaller by exact / less.
    if is_stretched and less and part * part < more * less * whole * whole:
        more = less
    return min(more, limit)
