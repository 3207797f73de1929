"""Selecting with the mouse: from a press that no component takes to the text that is handed out.

A selection belongs to the scroll view under the press; elsewhere, or while an overlay shows, to the screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from pi_tui.ansi import strip_terminal_sequences
from pi_tui.click_count import CLICK_SECONDS
from pi_tui.components.scroll_view import ScrollView
from pi_tui.events import MouseEvent
from pi_tui.flash import Timer
from pi_tui.frozen import slotted
from pi_tui.hit_test import boxes_at
from pi_tui.layout import Layer
from pi_tui.paint import Mark
from pi_tui.selection import (
    UNITS,
    ScreenRows,
    Selection,
    Span,
    Unit,
    ViewRows,
)
from pi_tui.view_area import Area, area_of, uncovered

_SCROLL_SECONDS = 0.05


class SelectingHost(Protocol):
    """What selecting needs of the screen."""

    @property
    def layers(self) -> Sequence[Layer]:
        """The layers of the last frame, the last one on top."""
        ...

    @property
    def columns(self) -> int:
        """Width of the screen in cells."""
        ...

    @property
    def rows(self) -> int:
        """Height of the screen in cells."""
        ...

    @property
    def now(self) -> Callable[[], float]:
        """The clock by which clicks are counted."""
        ...

    def call_later(self, seconds: float, function: Callable[[], None]) -> Timer | None:
        """Call `function` in so many seconds."""
        ...

    def get_screen_lines(self) -> list[str]:
        """Return the last frame, one string a row."""
        ...

    def request_view(self) -> None:
        """Ask for a frame of the same content."""
        ...


@slotted
class _Active:
    """A selection and where it is made; `view` is `None` for one of the screen."""

    selection: Selection
    view: ScrollView | None
    screen: ScreenRows | None
    width: int
    pressed_row: int


class Selecting:
    """The one selection of a screen. `on_selected` gets the text when the button is released."""

    def __init__(self, host: SelectingHost, on_selected: Callable[[str], None]) -> None:
        self._host = host
        self._on_selected = on_selected
        self._active: _Active | None = None
        self._is_dragging = False
        self._pointer = (0, 0)
        self._timer: Timer | None = None
        self._pressed_at = float("-inf")
        self._pressed_word: Span | None = None
        self._presses = 0

    @property
    def text(self) -> str:
        """What is selected."""
        return self._active.selection.text() if self._active is not None else ""

    @property
    def is_active(self) -> bool:
        """Whether anything is selected."""
        return self._active is not None and self._active.selection.span is not None

    def begin(self, event: MouseEvent) -> None:
        """Start at a cell; the second quick press on a word takes the word, the third the line."""
        now, x, y = self._host.now(), event.screen_x, event.screen_y
        word = self._start(x, y, "word").selection.first_unit
        is_quick = now - self._pressed_at <= CLICK_SECONDS and word == self._pressed_word
        self._presses = self._presses % len(UNITS) + 1 if is_quick else 1
        self._pressed_at, self._pressed_word = now, word
        self._stop_scrolling()
        self._active = self._start(x, y, UNITS[self._presses - 1])
        self._is_dragging = True
        self._host.request_view()

    def extend(self, event: MouseEvent) -> None:
        """Select up to the pointer; at the edges of the view it scrolls as long as the pointer is there."""
        self._pointer = (event.screen_x, event.screen_y)
        self._extend_to_pointer()
        if self._edge() == 0:
            self._stop_scrolling()
        elif self._timer is None:
            self._timer = self._host.call_later(_SCROLL_SECONDS, self._scroll)

    def finish(self) -> None:
        """Hand out what is selected. A press without a drag selected nothing."""
        self._stop_scrolling()
        was_dragging, self._is_dragging = self._is_dragging, False
        if not was_dragging:
            return
        text = self.text
        if text:
            self._on_selected(text)

    def clear(self) -> None:
        """Select nothing."""
        self._stop_scrolling()
        self._is_dragging = False
        self._pressed_word = None
        if self._active is not None:
            self._active = None
            self._host.request_view()

    def abandon(self) -> None:
        """Drop a selection whose end will not come; one that was finished stays."""
        if self._is_dragging:
            self.clear()

    def marks(self) -> Iterator[Mark]:
        """Yield the cells of the screen to paint."""
        active = self._active
        if active is None:
            return
        area = self._area(active)
        if area is None:
            return
        if active.width != self._text_width(active.view):  # the rows have been wrapped anew
            self._active = None
            return
        for mark in active.selection.marks(area):
            yield from uncovered(mark, self._host.layers[1:] if active.view is not None else ())

    def frame_drawn(self) -> None:
        """Take note of the new frame, if it is what is selected from."""
        if self._active is not None and self._active.screen is not None:
            self._active.screen.lines = self._screen_lines()

    # Starting

    def _start(self, x: int, y: int, unit: Unit) -> _Active:
        view = self._view_at(x, y)
        if view is None:
            rows = ScreenRows(self._screen_lines())
            selection = Selection(rows, y, x, unit)
            return _Active(selection, None, rows, self._text_width(None), y)
        area = area_of(view, self._host.layers)
        assert area is not None  # the pointer is on it
        selection = Selection(ViewRows(view), y - area.row, x - area.column, unit)
        return _Active(selection, view, None, self._text_width(view), y)

    def _view_at(self, x: int, y: int) -> ScrollView | None:
        root, *above = self._host.layers
        if any(not getattr(layer.box.component, "passes_mouse", False) for layer in above):
            return None
        boxes = boxes_at(root.box, x - root.column, y - root.row)
        return next((box.component for box in boxes if isinstance(box.component, ScrollView)), None)

    def _text_width(self, view: ScrollView | None) -> int:
        return self._host.columns if view is None else view.content_width

    def _screen_lines(self) -> list[str]:
        return [strip_terminal_sequences(line) for line in self._host.get_screen_lines()]

    # Where it is made

    def _area(self, active: _Active) -> Area | None:
        if active.view is None:
            return Area(0, 0, self._host.columns, self._host.rows)
        return area_of(active.view, self._host.layers)

    # Dragging

    def _extend_to_pointer(self) -> None:
        active = self._active
        area = self._area(active) if active is not None else None
        if active is None or area is None or not self._is_dragging:
            return
        x, y = self._pointer
        row = max(0, min(y - area.row, area.height - 1))
        active.selection.extend(row, max(0, min(x - area.column, area.width)))
        self._host.request_view()

    def _edge(self) -> int:
        """Return -1 or 1 while the pointer is at the first or last row of the view, or beyond.

        The row of the press does not count: whoever selects in it need not mean to scroll.
        """
        active = self._active
        area = self._area(active) if active is not None and active.view is not None else None
        y = self._pointer[1]
        if active is None or area is None or y == active.pressed_row:
            return 0
        if y <= area.row:
            return -1
        return 1 if y >= area.row + area.height - 1 else 0

    def _scroll(self) -> None:
        self._timer = None
        edge = self._edge()
        active = self._active
        if not edge or active is None or active.view is None or not self._is_dragging:
            return
        if active.view.scroll_by(edge) == 0:
            self._extend_to_pointer()
            self._timer = self._host.call_later(_SCROLL_SECONDS, self._scroll)

    def _stop_scrolling(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
