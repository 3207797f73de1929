"""Overlays: what one is asked for, and where that puts it on a terminal.

A wish that cannot be read is as good as none. What does not fit is cut, never refused.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple, TypedDict

from pi_tui.frozen import frozen

OverlayAnchor = Literal[
    "center",
    "top-left",
    "top-center",
    "top-right",
    "left-center",
    "right-center",
    "bottom-left",
    "bottom-center",
    "bottom-right",
]
# Cells, or a share like "50%".
OverlaySize = int | str

_DEFAULT_WIDTH = 80
_SHARE = re.compile(r"(\d+(?:\.\d+)?)%")


@frozen
class OverlayOptions:
    """How wide an overlay is, where it goes, and when it shows.

    Without `width` it takes 80 columns or what there are. `row` and `col` are cells or shares of the free
    space, and win over the anchor, each on its axis. `margin` keeps cells free at the edges of the terminal:
    a number, or some of `top`, `right`, `bottom` and `left`. `visible(columns, rows)` is asked for every frame
    and every input. `non_capturing` overlays do not take the keys when they are shown.
    """

    width: OverlaySize | None = None
    min_width: int | None = None
    max_height: OverlaySize | None = None
    anchor: OverlayAnchor = "center"
    offset_x: int = 0
    offset_y: int = 0
    row: OverlaySize | None = None
    col: OverlaySize | None = None
    margin: int | Mapping[str, int] = 0
    visible: Callable[[int, int], bool] | None = None
    non_capturing: bool = False


class OverlayFields(TypedDict, total=False):
    """The fields of `OverlayOptions` as keyword arguments."""

    width: OverlaySize | None
    min_width: int | None
    max_height: OverlaySize | None
    anchor: OverlayAnchor
    offset_x: int
    offset_y: int
    row: OverlaySize | None
    col: OverlaySize | None
    margin: int | Mapping[str, int]
    visible: Callable[[int, int], bool] | None
    non_capturing: bool


# Options, or who is asked for them before each frame.
OverlayOptionsSource = OverlayOptions | Callable[[], OverlayOptions]


@frozen
class OverlayBounds:
    """The cells that an overlay has on the screen."""

    row: int
    col: int
    width: int
    height: int


class OverlaySpace(NamedTuple):
    """The part of a terminal that the margins leave to an overlay."""

    top: int
    left: int
    width: int
    height: int
    bottom: int
    right: int

    @classmethod
    def inside(cls, margin: int | Mapping[str, int], columns: int, rows: int) -> OverlaySpace:
        """Return the space of a terminal inside a margin; at least one cell of it is left."""
        sides = ("top", "right", "bottom", "left")
        margins = margin if isinstance(margin, Mapping) else dict.fromkeys(sides, margin)
        top, right, bottom, left = (max(0, int(margins.get(side, 0))) for side in sides)
        width, height = max(1, columns - left - right), max(1, rows - top - bottom)
        return cls(top, left, width, height, rows - bottom, columns - right)


def overlay_width(options: OverlayOptions, columns: int, space: OverlaySpace) -> int:
    """Return the columns of an overlay."""
    width = _cells(options.width, columns)
    if width is None:
        width = min(_DEFAULT_WIDTH, space.width)
    return max(1, min(max(width, options.min_width or 0), space.width))


def overlay_max_height(options: OverlayOptions, rows: int, space: OverlaySpace) -> int | None:
    """Return the most rows that an overlay may have, if there is a limit."""
    limit = _cells(options.max_height, rows)
    return None if limit is None else max(1, min(limit, space.height))


def overlay_corner(
    options: OverlayOptions, space: OverlaySpace, width: int, height: int
) -> tuple[int, int]:
    """Return the row and the column of an overlay's top left cell."""
    row = _start(options.row, options.anchor, ("top", "bottom"), space.top, space.height - height)
    col = _start(options.col, options.anchor, ("left", "right"), space.left, space.width - width)
    row = max(space.top, min(row + int(options.offset_y), space.bottom - height))
    col = max(space.left, min(col + int(options.offset_x), space.right - width))
    return row, col


def _start(
    wish: OverlaySize | None, anchor: str, ends: tuple[str, str], first: int, free: int
) -> int:
    """Return where something starts on one axis, `free` being the cells it leaves there."""
    if isinstance(wish, int):
        return wish
    if wish is not None:
        share = _share(wish)
        return first + (math.floor(max(0, free) * share) if share is not None else free // 2)
    parts = anchor.split("-")
    if ends[0] in parts:
        return first
    return first + (free if ends[1] in parts else free // 2)


def _cells(size: OverlaySize | None, whole: int) -> int | None:
    """Return a size in cells; `None` if it says nothing."""
    if isinstance(size, str):
        share = _share(size)
        return None if share is None else math.floor(whole * share)
    return None if size is None else int(size)


def _share(text: str) -> float | None:
    match = _SHARE.fullmatch(text)
    return None if match is None else float(match[1]) / 100
