"""Who gets which rows of the screen: sharing sizes among children, and the boxes of one frame.

Layout walks the tree once a frame. A component that divides its space has `layout_box`; any other is a
leaf, asked for its lines at its width. Every box says where it lies and which part of it is visible.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Literal, Protocol, TypeGuard

from pi_tui.component import CURSOR_MARKER, Renderable, failed_rows, render_child
from pi_tui.frozen import frozen, slotted
from pi_tui.paint import is_image_line
from pi_tui.width import visible_width

# As many rows as anybody looks above what shows of a component for a picture that reaches into it.
MOST_IMAGE_ROWS = 256


@frozen
class Viewport:
    """The size an entry's `visible` is asked about, in cells."""

    width: int
    height: int


@slotted
class StackEntry:
    """A child of a stack with its wishes: `basis` to start from, `grow` and `shrink` weights, limits."""

    component: Renderable
    basis: int | Literal["auto"] | None = "auto"
    grow: float = 0
    shrink: float = 1
    min_size: int = 0
    max_size: float = math.inf
    visible: Callable[[Viewport], bool] | None = None


@frozen
class Share:
    """A child's part in dividing space: its size so far, its weights and its limits."""

    size: int
    grow: float = 0
    shrink: float = 1
    min_size: int = 0
    max_size: float = math.inf

    @property
    def start(self) -> int:
        """The size before anything is divided: within the limits."""
        return int(max(self.min_size, min(self.size, self.max_size)))


def share_sizes(shares: Sequence[Share], available: int, gap: int = 0) -> list[int]:
    """Divide `available` cells (gaps included) among `shares`; limits hold even when that overflows."""
    sizes = [share.start for share in shares]
    if not sizes:
        return sizes
    free = available - gap * (len(sizes) - 1) - sum(sizes)
    if free > 0:
        _grow(sizes, shares, free)
    elif free < 0:
        _shrink(sizes, shares, -free)
    return sizes


def _grow(sizes: list[int], shares: Sequence[Share], free: int) -> None:
    def room(index: int) -> float:
        return shares[index].max_size - sizes[index] if shares[index].grow > 0 else 0

    _distribute(sizes, [share.grow for share in shares], room, free, 1)


def _shrink(sizes: list[int], shares: Sequence[Share], missing: int) -> None:
    def room(index: int) -> float:
        return sizes[index] - shares[index].min_size if shares[index].shrink > 0 else 0

    weights = [share.shrink * max(1, size) for share, size in zip(shares, sizes, strict=True)]
    _distribute(sizes, weights, room, missing, -1)


def _distribute(
    sizes: list[int],
    weights: Sequence[float],
    room: Callable[[int], float],
    amount: int,
    direction: Literal[1, -1],
) -> None:
    """Hand out `amount` cells by weight in passes, then single cells to the largest weights in turn."""
    while amount > 0:
        open_ones = [index for index in range(len(sizes)) if room(index) >= 1]
        total = sum(weights[index] for index in open_ones)
        if not open_ones or total <= 0:
            return
        at_start = amount
        for index in open_ones:
            part = int(min(math.floor(at_start * weights[index] / total), room(index)))
            sizes[index] += direction * part
            amount -= part
        if amount == at_start:
            for index in sorted(open_ones, key=lambda i: (-weights[i], i))[:amount]:
                sizes[index] += direction
                amount -= 1


@slotted
class Box:
    """Where a component lies in a frame. Rows outside `top`..`bottom` (its clip) are not shown.

    A leaf has `lines`; `first` is the row of the component that `lines[0]` is, and `above` are rows before that one
    that may hold a picture which reaches down to it. A box whose `x` is not 0 lies over what was painted before it.
    """

    component: Renderable
    y: int
    width: int
    height: int
    top: int
    bottom: int
    lines: list[str] = field(default_factory=list)
    first: int = 0
    children: list[Box] = field(default_factory=list)
    x: int = 0
    above: list[str] = field(default_factory=list)


@frozen
class Layer:
    """A laid-out tree of boxes, and the cell of the screen where its top left corner lies.

    Boxes count rows and columns from that corner. A frame has one for the root and one for each overlay, from
    bottom to top; a layer is opaque in all of its box.
    """

    box: Box
    row: int = 0
    column: int = 0


# A scrolled view meets ever more components. When it has met so many, those that it left behind are let go.
_MOST_KEPT = 1000


class LayoutContext:
    """What a layout may look at: the terminal's size, and the lines that components have returned.

    A *view* frame (scrolling) is laid out in the context of the frame before, for `render` to be called only for
    what has not been drawn since the content changed.
    """

    def __init__(self, viewport: Viewport, previous: LayoutContext | None = None) -> None:
        self.viewport = viewport
        self._before = previous._lines if previous is not None else {}
        self._lines: dict[tuple[int, int], tuple[Renderable, list[str]]] = {}

    def lines_of(self, component: Renderable, width: int) -> list[str]:
        """Return the component's lines at `width`, rendering it at most once."""
        key = (id(component), width)
        known = self._lines.get(key)
        if known is None:
            _, before = self._before.get(key, (None, None))
            known = self._lines[key] = (component, render_child(component, width, before))
        return known[1]

    @property
    def is_full(self) -> bool:
        """Whether it is time to begin with another one."""
        return len(self._lines) > _MOST_KEPT


class FrameContexts:
    """The contexts of frames, one after another: the last one serves again as long as the content is the same."""

    def __init__(self) -> None:
        self._last: LayoutContext | None = None

    def next(self, viewport: Viewport, content_changed: bool) -> LayoutContext:
        """Return the context of the next frame."""
        last = self._last
        if content_changed or last is None or last.is_full or last.viewport != viewport:
            last = self._last = LayoutContext(viewport, last)
        return last

    def forget(self) -> None:
        """Let nothing serve again that has been returned."""
        self._last = None


class Divides(Renderable, Protocol):
    """A component that divides its space among children in fullscreen mode."""

    def layout_box(
        self, context: LayoutContext, y: int, width: int, height: int, top: int, bottom: int
    ) -> Box:
        """Lay out in the rows `y`..`y + height`, of which `top`..`bottom` can be seen."""
        ...


def divides(component: object) -> TypeGuard[Divides]:
    """Tell whether a component divides its space. `isinstance` with a protocol takes 25 µs, too much for a frame."""
    return hasattr(component, "layout_box")


def natural_height(component: Renderable, width: int, context: LayoutContext) -> int:
    """Return the rows that a component would take if it had them: its own word, else those it renders."""
    own = getattr(component, "natural_height", None)
    if own is None:
        return len(context.lines_of(component, width))
    try:
        return int(own(width, context))
    except Exception as error:
        return len(failed_rows(component, error, width))


def natural_width(component: Renderable, width: int, context: LayoutContext) -> int:
    """Return the columns that a component would take of `width`: its own word, else its widest line.

    One that divides its space and says nothing takes all.
    """
    own = getattr(component, "natural_width", None)
    if own is None:
        return width if divides(component) else widest_line(context.lines_of(component, width))
    try:
        return int(own(width, context))
    except Exception as error:
        return widest_line(failed_rows(component, error, width))


def widest_line(lines: Sequence[str]) -> int:
    """Return the cells of the widest line, pictures included."""
    return max(map(_columns_of, lines), default=0)


def _columns_of(line: str) -> int:
    if not is_image_line(line):
        return visible_width(line)
    from pi_tui.image_block import split_images

    text, images = split_images(line)
    return max(visible_width(text), *(image.column + image.columns for image in images), 0)


def move_right(box: Box, columns: int) -> Box:
    """Move a box, with all that is in it, and return it."""
    box.x += columns
    for child in box.children:
        move_right(child, columns)
    return box


def layout_box(
    component: Renderable,
    context: LayoutContext,
    y: int,
    width: int,
    height: int,
    top: int,
    bottom: int,
) -> Box:
    """Lay out any component: by itself if it divides its space, else as a leaf cut to its height."""
    if divides(component):
        try:
            return _checked_box(component.layout_box(context, y, width, height, top, bottom))
        except Exception as error:
            lines = failed_rows(component, error, width)
    else:
        lines = context.lines_of(component, width)
    first = rows_to_skip(lines, height)
    visible = lines if first == 0 and len(lines) <= height else lines[first : first + height]
    box = Box(component, y, width, height, max(top, y), min(bottom, y + height), visible, first)
    box.above = lines[max(0, first - MOST_IMAGE_ROWS) : first]
    return box


def _checked_box(box: object) -> Box:
    if not isinstance(box, Box):
        raise TypeError(f"layout_box() returned {type(box).__name__}, not a Box")
    return box


def rows_to_skip(lines: Sequence[str], height: int) -> int:
    """Return how many rows to drop at the top so that the caret's row stays in `height` rows."""
    if len(lines) <= height or height <= 0:
        return 0
    for index in range(len(lines) - 1, height - 1, -1):
        if CURSOR_MARKER in lines[index]:
            return index - height + 1
    return 0
