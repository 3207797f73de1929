"""The label over the last row of a view that was scrolled away from its end: pressed, it goes there."""

from __future__ import annotations

from collections.abc import Callable

from pi_tui.component import Component
from pi_tui.components.scroll_view import ScrollView
from pi_tui.events import MouseEvent, MouseResult
from pi_tui.layout import Box, Layer
from pi_tui.width import slice_by_column, visible_width


class ScrollToEndLabel(Component):
    """Shows what `text` returns, if that is anything."""

    passes_mouse = True

    def __init__(self, text: Callable[[], str], scroll_to_end: Callable[[], None]) -> None:
        self._text = text
        self._scroll_to_end = scroll_to_end

    def render(self, width: int) -> list[str]:
        """Return the text, cut to the width."""
        return [self._cut(width)]

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Scroll to the end at a press."""
        if event.type == "press" and event.button == "left":
            self._scroll_to_end()
            return MouseResult(handled=True)
        return None

    def layer_over(self, view: ScrollView, box: Box) -> Layer | None:
        """Return the label over the box of a view, if the view is away from the end that it follows.

        A view of one row keeps it for its text.
        """
        room = view.content_width
        if view.is_following_end or not view.follows_end or room < 1 or box.bottom - box.top < 2:
            return None
        line = self._cut(room)
        width = visible_width(line)
        if not width:
            return None
        label = Box(self, 0, width, 1, 0, 1, [line])
        return Layer(label, box.bottom - 1, box.x + (room - width) // 2)

    def _cut(self, width: int) -> str:
        return slice_by_column(self._text(), 0, width, True)
