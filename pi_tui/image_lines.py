"""Where on the screen lines lie that hold pictures, also those that begin above what shows of a component.

Every frame asks this, most have no pictures: only C looks at lines that are text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress, repeat
from operator import contains
from typing import Final, NamedTuple

from pi_tui.layout import MOST_IMAGE_ROWS, Box, Layer

# Only kitty's pictures cover rows below their line, and only they are drawn on a full screen.
_KITTY: Final = "\x1b_G"


class ImageLine(NamedTuple):
    """A line with pictures: its place, which may be above the screen, and the cells that its box shows them in.

    `depth` is the number of its layer.
    """

    line: str
    row: int
    column: int
    top: int
    bottom: int
    right: int
    depth: int


def find_image_lines(
    layers: Sequence[Layer], columns: int, rows: int, are_in_rows: bool
) -> list[ImageLine]:
    """Return the lines of pictures that may show; `are_in_rows` says whether any line does that is in sight itself."""
    return [
        line
        for depth, layer in enumerate(layers)
        for box in _boxes(layer.box)
        for line in _lines_of(box, layer, depth, columns, rows, are_in_rows)
    ]


def _boxes(box: Box) -> Iterator[Box]:
    for child in box.children:
        yield from _boxes(child)
    if box.lines:
        yield box


def _lines_of(
    box: Box, layer: Layer, depth: int, columns: int, rows: int, are_in_rows: bool
) -> Iterator[ImageLine]:
    first = layer.row + box.y
    top = max(0, layer.row + max(box.top, box.y))
    bottom = min(rows, layer.row + min(box.bottom, box.y + len(box.lines)))
    if top >= bottom or not (are_in_rows or box.above or top > first):
        return
    hidden = [*box.above, *box.lines[max(0, top - first - MOST_IMAGE_ROWS) : top - first]]
    lines = [*hidden, *box.lines[top - first : bottom - first]]
    column = layer.column + box.x
    right = min(columns, layer.column + layer.box.width, column + box.width)
    for y, line in compress(enumerate(lines, top - len(hidden)), _hold_pictures(lines)):
        yield ImageLine(line, y, column, top, bottom, right, depth)


def _hold_pictures(lines: Sequence[str]) -> list[bool]:
    try:
        return list(map(contains, lines, repeat(_KITTY)))
    except TypeError:  # one of them is no text, which is reported where it is drawn
        return list(map(_holds_picture, lines))


def _holds_picture(line: object) -> bool:
    return isinstance(line, str) and _KITTY in line
