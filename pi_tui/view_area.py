"""Where on the screen a scroll view shows its content, and what of it no layer lies over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pi_tui.components.scroll_view import ScrollView
from pi_tui.frozen import frozen
from pi_tui.hit_test import find_box
from pi_tui.layout import Layer
from pi_tui.paint import Mark


@frozen
class Area:
    """Where on the screen the content shows."""

    column: int
    row: int
    width: int
    height: int


def area_of(view: ScrollView, layers: Sequence[Layer]) -> Area | None:
    """Return where a view shows its content, if it is in sight."""
    for layer in layers:
        box = find_box([layer.box], view)
        if box is not None:
            column, row = layer.column + box.x, layer.row + box.y
            return Area(column, row, view.uncovered_width, box.height)
    return None


def uncovered(mark: Mark, layers: Sequence[Layer]) -> Iterator[Mark]:
    """Yield what of a mark no layer lies over."""
    parts = [mark]
    for layer in layers:
        if not layer.row <= mark.row < layer.row + layer.box.height:
            continue
        left, right = layer.column, layer.column + layer.box.width
        parts = [
            mark._replace(start=start, end=end)
            for part in parts
            for start, end in (
                (part.start, min(part.end, left)),
                (max(part.start, right), part.end),
            )
            if start < end
        ]
    yield from parts
