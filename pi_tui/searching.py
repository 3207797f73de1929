"""Searching in the primary view of a screen: the panel over it, the match one is at, and what is painted.

The document is read in slices between frames. Escape goes back to where one was before; the key that opened the
panel closes it and stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from pi_tui.component import Renderable, Style
from pi_tui.components.scroll_view import ScrollView
from pi_tui.events import KeyEvent
from pi_tui.flash import Timer
from pi_tui.frozen import frozen
from pi_tui.keybindings import get_keybindings
from pi_tui.layout import Layer
from pi_tui.overlay import (
    OverlayAnchor,
    OverlayOptions,
    OverlayOptionsSource,
    OverlaySpace,
    overlay_width,
)
from pi_tui.overlay_handle import OverlayHandle
from pi_tui.paint import Mark
from pi_tui.search_panel import PANEL_ROWS, ButtonStyle, SearchAction, SearchPanel
from pi_tui.search_walk import SearchWalk
from pi_tui.view_area import area_of, uncovered

# What is read between two frames.
SLICE_ROWS = 512
_SLICE_SECONDS = 0.008
# On smaller screens the panel has no margin.
_ROWS_FOR_MARGIN = 12
# What a style is put around to see what it begins and ends with.
_SAMPLE = "x"


class SearchHost(Protocol):
    """What searching needs of the screen."""

    @property
    def layers(self) -> Sequence[Layer]:
        """The layers of the last frame, the last one on top."""
        ...

    @property
    def primary_view(self) -> ScrollView | None:
        """Where to search."""
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
        """A clock, so that no slice takes long."""
        ...

    def call_later(self, seconds: float, function: Callable[[], None]) -> Timer | None:
        """Call `function` in so many seconds."""
        ...

    def show_overlay(
        self, component: Renderable, options: OverlayOptionsSource | None = None
    ) -> OverlayHandle:
        """Show the panel."""
        ...

    def request_render(self) -> None:
        """Ask for a frame."""
        ...


@frozen
class SearchStyles:
    """How matches look, the one that one is at, and the buttons of the panel."""

    match: Style
    current: Style
    button: ButtonStyle


class Searching:
    """The search of a screen."""

    def __init__(self, host: SearchHost, styles: SearchStyles) -> None:
        self._host = host
        self._styles = styles
        self._open: _OpenPanel | None = None

    @property
    def has_keys(self) -> bool:
        """Whether the panel has the keys."""
        return self._open is not None and self._open.panel.focused

    def take_key(self, event: KeyEvent) -> bool:
        """Open or close the panel at its key."""
        if not get_keybindings().matches(event, "tui.altScreen.search"):
            return False
        if event.kind == "press":
            self._toggle()
        return True

    def settle(self, root: Layer, content_changed: bool) -> None:
        """Follow the view, which was just laid out; the panel comes after it."""
        if self._open is not None and not self._open.is_there:  # somebody hid all overlays
            self.close()
        if self._open is not None:
            self._open.settle(root, content_changed)

    def marks(self) -> Iterator[Mark]:
        """Yield the cells of the screen to paint."""
        return self._open.marks() if self._open is not None else iter(())

    def close(self) -> None:
        """Close the panel and stay where one is."""
        panel, self._open = self._open, None
        if panel is not None:
            panel.close()

    def pause(self) -> None:
        """Read no further until there is a frame again."""
        if self._open is not None:
            self._open.pause()

    def _toggle(self) -> None:
        view = self._host.primary_view
        if self._open is not None:
            self.close()
        elif view is not None:
            self._open = _OpenPanel(self._host, self._styles, view, self.close)


class _OpenPanel:
    """A panel over a view, and the search in it."""

    def __init__(
        self, host: SearchHost, styles: SearchStyles, view: ScrollView, close: Callable[[], None]
    ) -> None:
        self._host = host
        self._styles = styles
        self._close = close
        self._came_from = view.place
        self._walk = SearchWalk(view)
        self._timer: Timer | None = None
        self._is_low = False
        self.panel = SearchPanel(self._look_for, self._go_back, self._actions(), styles.button)
        self._handle = host.show_overlay(self.panel, self._options)

    @property
    def is_there(self) -> bool:
        """Whether nobody else has taken the panel away."""
        return self._handle.is_there

    def close(self) -> None:
        """Take the panel away."""
        self.pause()
        self._handle.hide()

    def pause(self) -> None:
        """Read no further for the moment."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def settle(self, root: Layer, content_changed: bool) -> None:
        """Follow the view, and keep out of the way of the match one is at."""
        self._walk.follow_view(content_changed)
        self._is_low = any(self._lies_over(mark) for mark in self._current_marks(root))
        self._read_on()

    def marks(self) -> Iterator[Mark]:
        """Yield what of the matches no layer lies over."""
        for _, mark in self._all_marks(self._host.layers):
            yield from uncovered(mark, self._host.layers[1:])

    def _actions(self) -> list[SearchAction]:
        return [
            SearchAction("tui.altScreen.searchPrevious", "↑", lambda: self._step(-1)),
            SearchAction("tui.altScreen.searchNext", "↓", lambda: self._step(1)),
            SearchAction("tui.altScreen.searchClose", "×", self._go_back),
        ]

    def _look_for(self, query: str) -> None:
        self._walk.look_for(query)
        self._read_slice()

    def _step(self, step: int) -> None:
        self._walk.step(step)
        self._changed()

    def _go_back(self) -> None:
        self._close()
        self._walk.view.go_back(self._came_from)
        self._host.request_render()

    # Reading

    def _read_slice(self) -> None:
        """Read on, but no longer than nobody notices."""
        self._timer = None
        stop = self._host.now() + _SLICE_SECONDS
        self._walk.read(SLICE_ROWS, lambda: self._host.now() >= stop)
        self._changed()
        self._read_on()

    def _read_on(self) -> None:
        """Read the next slice when whatever else is to be done has been done."""
        if self._timer is None and not self._walk.is_done:
            self._timer = self._host.call_later(0, self._read_slice)

    def _changed(self) -> None:
        self.panel.status = self._walk.status()
        self._host.request_render()

    # Where things are

    def _options(self) -> OverlayOptions:
        margin = 1 if self._host.rows >= _ROWS_FOR_MARGIN else 0
        anchor: OverlayAnchor = "bottom-right" if self._is_low else "top-right"
        return OverlayOptions(width="40%", min_width=32, margin=margin, anchor=anchor)

    def _lies_over(self, mark: Mark) -> bool:
        """Tell whether the panel would lie over cells if it were at the top."""
        options = self._options()
        space = OverlaySpace.inside(options.margin, self._host.columns, self._host.rows)
        left = space.right - overlay_width(options, self._host.columns, space)
        is_beside = mark.end <= left or mark.start >= space.right
        return not is_beside and space.top <= mark.row < space.top + PANEL_ROWS

    def _current_marks(self, root: Layer) -> Iterator[Mark]:
        return (mark for is_current, mark in self._all_marks([root]) if is_current)

    def _all_marks(self, layers: Sequence[Layer]) -> Iterator[tuple[bool, Mark]]:
        area = area_of(self._walk.view, layers)
        if area is None:
            return
        for row, start, end, is_current in self._walk.highlights():
            end = min(end, area.width)
            if start < end:
                style = self._styles.current if is_current else self._styles.match
                opening, _, closing = style(_SAMPLE).partition(_SAMPLE)
                left, right = area.column + start, area.column + end
                yield is_current, Mark(area.row + row, left, right, opening, closing)
