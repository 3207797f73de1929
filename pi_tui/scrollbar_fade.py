"""Lets scrollbars that come and go go, some time after their view was scrolled last."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pi_tui.components.scroll_view import ScrollView
from pi_tui.flash import Timer
from pi_tui.hit_test import all_boxes
from pi_tui.layout import Layer


class ScrollbarFade:
    """Watches the views of a screen from frame to frame."""

    def __init__(
        self,
        call_later: Callable[[float, Callable[[], None]], Timer | None],
        request_view: Callable[[], None],
    ) -> None:
        self._call_later = call_later
        self._request_view = request_view
        self._timers: dict[ScrollView, Timer | None] = {}
        self._scrolled: dict[ScrollView, int] = {}

    def frame_laid_out(self, layers: Sequence[Layer]) -> None:
        """Give every view that was scrolled since the last frame its time."""
        boxes = all_boxes([layer.box for layer in layers])
        views = [box.component for box in boxes if isinstance(box.component, ScrollView)]
        shown = [view for view in views if view.scrollbar == "auto"]
        before, self._scrolled = self._scrolled, {view: view.scrolled for view in shown}
        for view in shown:
            if view.scrolled != before.get(view, 0):
                self._restart(view)

    def clear(self) -> None:
        """Let nothing happen any more."""
        for timer in self._timers.values():
            if timer is not None:
                timer.cancel()
        self._timers.clear()

    def _restart(self, view: ScrollView) -> None:
        timer = self._timers.get(view)
        if timer is not None:
            timer.cancel()
        self._timers[view] = self._call_later(view.scrollbar_hide_delay, lambda: self._hide(view))

    def _hide(self, view: ScrollView) -> None:
        self._timers.pop(view, None)
        view.hide_scrollbar()
        self._request_view()
