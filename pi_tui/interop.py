"""urwid and the toolkit in one program: a widget as a component, a component as a widget."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

import urwid

from pi_tui.component import Component, ComponentHost, Renderable, render_child
from pi_tui.events import KeyEvent, MouseEvent, MouseResult, PasteEvent
from pi_tui.image_support import without_images
from pi_tui.interop_keys import (
    PasteCollector,
    key_event,
    mouse_event,
    paste_input_filter,
    urwid_key,
    urwid_mouse,
)
from pi_tui.interop_text import PaletteEntry, canvas_lines, lines_canvas, styles_of

__all__ = ["ComponentWidget", "UrwidWidget", "paste_input_filter"]

# What urwid tells a widget of its size: nothing, columns, or columns and rows.
_Size = tuple[()] | tuple[int] | tuple[int, int]


class UrwidWidget(Component):
    """A widget of urwid as a component. One that fills a box needs a `height`, or a function that returns it.

    `palette` is what urwid's own loop would get. With `host` (the `TUI`) a widget that changes by itself, from a
    timer, asks for a frame.
    """

    def __init__(
        self,
        widget: urwid.Widget,
        height: int | Callable[[], int] | None = None,
        *,
        palette: Sequence[PaletteEntry] = (),
        host: ComponentHost | None = None,
    ) -> None:
        sizing = widget.sizing()
        if height is None and not sizing & {urwid.FLOW, urwid.FIXED}:
            raise ValueError(f"{type(widget).__name__} fills a box: give its height")
        self.widget = widget
        self.focused = False
        self._height = height
        self._is_fixed = height is None and urwid.FLOW not in sizing
        self._styles = styles_of(palette)
        self._host = host
        self._drawn: tuple[urwid.Canvas, int, list[str]] | None = None
        self._watched: dict[int, urwid.Widget] = {}
        self._width = 1

    def invalidate(self) -> None:
        """Draw the widget anew."""
        self.widget._invalidate()

    def render(self, width: int) -> list[str]:
        """Return the rows of the widget; the same list while it is the same."""
        self._width = width
        canvas = self.widget.render(self._size(), self.focused)
        if self._drawn is None or self._drawn[0] is not canvas or self._drawn[1] != width:
            lines = canvas_lines(canvas, self._styles, width, shows_cursor=self.focused)
            self._drawn = (canvas, width, lines)
            self._watch(canvas)
        return self._drawn[2]

    def handle_key(self, event: KeyEvent) -> bool:
        """Press the key; what the widget gives back was not used."""
        if not self.widget.selectable():
            return False
        return self.widget.keypress(self._size(), urwid_key(event)) is None

    def handle_paste(self, event: PasteEvent) -> None:
        """Type the text: widgets know no pastes."""
        for character in event.text.replace("\r\n", "\n").replace("\r", "\n"):
            if self.widget.selectable():
                self.widget.keypress(self._size(), "enter" if character == "\n" else character)

    def handle_mouse(self, event: MouseEvent) -> MouseResult:
        """Give the widget what the mouse did."""
        theirs = urwid_mouse(event)
        if theirs is None or not hasattr(self.widget, "mouse_event"):
            return MouseResult()
        used = self.widget.mouse_event(self._size(), *theirs, event.x, event.y, self.focused)
        return MouseResult(handled=bool(used), focus=bool(used) and event.type == "press")

    def _size(self) -> _Size:
        if self._is_fixed:
            return ()
        if self._height is None:
            return (self._width,)
        return (self._width, self._height() if callable(self._height) else self._height)

    def _watch(self, canvas: urwid.Canvas) -> None:
        """Ask for a frame when a widget that is shown says that it has changed."""
        host = self._host
        if host is None:
            return
        for widget in _widgets_in(canvas):
            if id(widget) not in self._watched:
                self._watched[id(widget)] = widget
                changed = widget._invalidate

                def invalidated(changed: Callable[[], None] = changed) -> None:
                    changed()
                    host.request_render()

                widget._invalidate = invalidated  # type: ignore[method-assign]  # urwid has no signal for it


class ComponentWidget(urwid.Widget):
    """A component as a widget of urwid: as high as its lines, or, as a `box`, as high as it is told to be.

    Let the loop have `paste_input_filter` as `input_filter`, so that pastes arrive whole. `request_render` makes a
    component that changes by itself seen; `loop` is asked to draw.
    """

    no_cache: ClassVar[list[str]] = ["rows"]
    ignore_focus = False

    def __init__(
        self, component: Renderable, box: bool = False, *, loop: urwid.MainLoop | None = None
    ) -> None:
        super().__init__()
        self.component = component
        self.loop = loop
        self._is_box = box
        self._pastes = PasteCollector()
        self._pressed: tuple[int, int] | None = None

    def sizing(self) -> frozenset[urwid.Sizing]:
        """Return how its size is decided."""
        return frozenset((urwid.BOX,) if self._is_box else (urwid.FLOW,))

    def selectable(self) -> bool:
        """Return whether the component takes keys."""
        return hasattr(self.component, "handle_key")

    def request_render(self, force: bool = False) -> None:
        """Draw the component anew when the loop is idle."""
        self._invalidate()
        if self.loop is not None:
            self.loop.set_alarm_in(0, lambda *_: None)

    def rows(self, size: tuple[int], focus: bool = False) -> int:
        """Return the number of the component's lines."""
        return self._measures(size, focus)[1]

    def render(self, size: _Size, focus: bool = False) -> urwid.Canvas:
        """Return the component's lines, as many as there is room for."""
        width, height = self._measures(size, focus)
        lines = self._lines(width, focus)
        return lines_canvas([*lines[:height], *[""] * (height - len(lines))], width)

    def get_cursor_coords(self, size: _Size) -> tuple[int, int] | None:
        """Return the cell of the caret."""
        cursor: tuple[int, int] | None = self.render(size, True).cursor
        return cursor

    def keypress(self, size: _Size, key: str) -> str | None:
        """Give the component a key or a paste; a key that it does not use goes on."""
        belongs, text = self._pastes.take(key)
        if belongs:
            if text is not None and hasattr(self.component, "handle_paste"):
                self.component.handle_paste(PasteEvent(text))
                self._invalidate()
            return None
        handle = getattr(self.component, "handle_key", None)
        if handle is None or handle(key_event(key)) is False:
            return key
        self._invalidate()
        return None

    def mouse_event(
        self,
        size: _Size,
        event: str,
        button: int,
        col: int,
        row: int,
        focus: bool,
    ) -> bool:
        """Give the component what the mouse did, and a click after a release on the same cell."""
        ours = mouse_event(event, button, col, row, self._measures(size, focus))
        handle = getattr(self.component, "handle_mouse", None)
        if ours is None or handle is None:
            return False
        answers = [handle(ours)]
        if ours.type == "press":
            self._pressed = (col, row)
        elif ours.type == "release" and self._pressed == (col, row):
            answers.append(handle(_click(ours)))
        self._invalidate()
        return any(map(_is_handled, answers))

    def _measures(self, size: _Size, focus: bool) -> tuple[int, int]:
        """Return the columns, and the rows that are given or needed."""
        if len(size) == 2:
            return size
        if not size:
            raise ValueError("a component needs to be told its width")
        return size[0], max(1, len(self._lines(size[0], focus)))

    def _lines(self, width: int, focus: bool) -> list[str]:
        if hasattr(self.component, "focused"):
            self.component.focused = focus
        with without_images():  # urwid's screens know nothing of them
            return render_child(self.component, width)


def _widgets_in(canvas: urwid.Canvas) -> Iterator[urwid.Widget]:
    """Yield the widgets that have drawn a canvas."""
    if canvas.widget_info and isinstance(canvas.widget_info[0], urwid.Widget):
        yield canvas.widget_info[0]
    for child in getattr(canvas, "children", ()):
        yield from _widgets_in(child[2])


def _click(event: MouseEvent) -> MouseEvent:
    return MouseEvent(
        "click",
        "left",
        event.x,
        event.y,
        event.screen_x,
        event.screen_y,
        event.width,
        event.height,
        click_count=1,
    )


def _is_handled(answer: object) -> bool:
    return answer.handled if isinstance(answer, MouseResult) else bool(answer)
