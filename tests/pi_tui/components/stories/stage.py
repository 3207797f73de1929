"""What stories need around a component: a screen that draws nothing, and a layout of a few rows."""

from __future__ import annotations

from pi_tui.component import Component, Renderable
from pi_tui.layout import Box, LayoutContext, Viewport, layout_box

# A text with all that is hard to measure.
MIXED = (
    "A line of text with wide 日本語 and 👍🏽, a family 👨‍👩‍👧 and é.\n\n"
    "  Indented, and a_very_long_word_that_does_not_fit_on_a_narrow_row."
)


class Host:
    """A screen of 24 rows that draws nothing."""

    columns = 80
    rows = 24

    def request_render(self, force: bool = False) -> None:
        """Do nothing."""


class LaidOut(Component):
    """A component as it lies in so many rows of a screen."""

    def __init__(self, component: Renderable, rows: int) -> None:
        self._component = component
        self._rows = rows

    def render(self, width: int) -> list[str]:
        """Return the rows."""
        context = LayoutContext(Viewport(width, self._rows))
        box = layout_box(self._component, context, 0, width, self._rows, 0, self._rows)
        rows = [""] * self._rows
        _put(box, rows)
        return rows


def _put(box: Box, rows: list[str]) -> None:
    """Lay the lines of boxes over the rows; for boxes as wide as the screen."""
    for number, line in enumerate(box.lines):
        if box.top <= box.y + number < box.bottom and box.x == 0:
            rows[box.y + number] = line
    for child in box.children:
        _put(child, rows)
