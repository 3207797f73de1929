"""Which component gets a mouse event: the one that holds the mouse, else what lies under the pointer.

A press that a component takes makes it the holder until the release. One that nobody takes begins a selection;
if the pointer has not moved when it ends, it was a click.
"""

from __future__ import annotations

from dataclasses import replace

from pi_tui.click_count import ClickCount
from pi_tui.component import Renderable, has, is_focusable, tell
from pi_tui.components.scroll_view import ScrollView
from pi_tui.events import MouseEvent
from pi_tui.frozen import frozen, slotted
from pi_tui.hit_test import all_boxes, boxes_at, find_box, target_of
from pi_tui.layout import Box, Layer
from pi_tui.mouse_delivery import (
    MouseAnswer,
    MouseTarget,
    ask_handler,
    deliver_mouse,
    handler_of,
    keys_through,
)
from pi_tui.mouse_host import MouseHost, Selects

_RENDERING = frozenset({"press", "click", "drag", "wheel"})


@frozen
class _Hit:
    """An answer, and the box that was asked for it."""

    answer: MouseAnswer
    host: Box
    layer: Layer


@slotted
class _Press:
    """A button that is down. `target` is who took the press, `None` if nobody did."""

    event: MouseEvent
    target: MouseTarget | None
    host: Renderable | None = None
    columns: int = 0  # of the target from its host
    rows: int = 0
    has_moved: bool = False


class MouseRouter:
    """Follows one mouse."""

    def __init__(self, host: MouseHost, selection: Selects) -> None:
        self._host = host
        self._selection = selection
        self._press: _Press | None = None
        self._clicks = ClickCount(host.now)
        self._hovered: Renderable | None = None

    def take(self, event: MouseEvent) -> None:
        """Deliver an event in coordinates of the screen."""
        if not self._host.layers:
            return  # before the first frame there is nothing to point at
        match event.type:
            case "press":
                self._take_press(event)
            case "drag":
                self._take_drag(event)
            case "release":
                self._take_release(event)
            case "move":
                self._hover(event)
                self._offer(event)
            case "wheel":
                if self._offer(event) is None:
                    self._scroll(event)
            case "click":  # a terminal reports none: they are made here
                pass

    def forget(self) -> None:
        """End what is going on: the terminal has lost the focus or is given back."""
        if self._press is not None and self._press.target is None:
            self._selection.abandon()
        self._press = None
        self._set_hovered(None)

    # Buttons

    def _take_press(self, event: MouseEvent) -> None:
        self._hover(event)
        hit = self._offer(event)
        self._press = _held(event, hit) if hit is not None else _Press(event, None)
        if hit is not None:
            self._selection.clear()
        elif event.button == "left":
            self._selection.begin(event)
        elif event.button == "right":
            self._host.right_clicked()

    def _take_drag(self, event: MouseEvent) -> None:
        press = self._press
        if press is None:
            self._offer(event)
            return
        if _cell(event) != _cell(press.event):
            press.has_moved = True
        if press.target is not None:
            self._deliver(press, event)
        elif press.event.button == "left" and press.has_moved:
            self._selection.extend(event)

    def _take_release(self, event: MouseEvent) -> None:
        press, self._press = self._press, None
        if press is None:
            self._offer(event)
            return
        is_click = not press.has_moved and _cell(event) == _cell(press.event)
        if press.target is not None:
            self._deliver(press, event)
            if is_click:
                self._deliver(press, self._counted(event, press.target))
        elif is_click:
            self._offer(event)
            self._click_on_nobody(event)
        if press.target is None and press.event.button == "left":
            self._selection.finish()

    def _click_on_nobody(self, event: MouseEvent) -> None:
        """Take a click whose press nobody took: a link comes first, then whoever takes clicks only."""
        if event.button == "left" and self._host.open_link_at(event.screen_x, event.screen_y):
            return
        target = self._target_at(event)
        if target is not None and self._offer(self._counted(event, target)) is not None:
            self._selection.clear()

    def _counted(self, event: MouseEvent, target: MouseTarget) -> MouseEvent:
        """Return the click that a release makes, with its place in a row of quick ones."""
        local = target.localized(event)
        count = self._clicks.clicked(target.component, local.x, local.y)
        return replace(event, type="click", click_count=count)

    def _deliver(self, press: _Press, event: MouseEvent) -> None:
        """Give an event to the holder, wherever it lies by now."""
        assert press.target is not None
        host = self._find(press.host)
        if host is not None:
            moved = replace(press.target, x=host.x + press.columns, y=host.y + press.rows)
            press.target = moved
        answer = deliver_mouse(press.target.component, press.target.localized(event))
        self._after(event, answer)
        if answer.focus:
            self._focus(press.target.component, press.host)

    # Whoever lies under the pointer

    def _offer(self, event: MouseEvent) -> _Hit | None:
        """Ask the boxes under the pointer, top-most layer and deepest box first, until one takes the event."""
        for layer in reversed(self._host.layers):
            boxes = _boxes_of(layer, event)
            for number, box in enumerate(boxes):
                target = _on_screen(layer, box)
                handler = handler_of(box.component, has_asked_children=number > 0)
                if handler is None:
                    continue
                answer = ask_handler(box.component, handler, target.localized(event))
                if answer.handled:
                    self._taken(event, _Hit(answer, box, layer))
                    return _Hit(answer, box, layer)
            if boxes and not getattr(layer.box.component, "passes_mouse", False):
                return None
        return None

    def _taken(self, event: MouseEvent, hit: _Hit) -> None:
        self._after(event, hit.answer)
        if hit.answer.focus:
            is_overlay = hit.layer is not self._host.layers[0]
            host = hit.layer.box.component if is_overlay else hit.host.component
            target = hit.answer.target
            answered = hit.answer.keys or (target.component if target is not None else host)
            self._focus(answered, host)

    def _focus(self, answered: Renderable, host: Renderable | None) -> None:
        """Focus who answered, or the host through which it was reached if that takes keys itself."""
        component = host if host is not None and is_focusable(host) else answered
        around = (box.component for layer in self._host.layers for box in _inner_first(layer.box))
        self._host.set_focus(keys_through(component, around))

    def _after(self, event: MouseEvent, answer: MouseAnswer) -> None:
        wanted = answer.render
        if wanted is None:
            wanted = answer.handled and (event.type in _RENDERING or answer.focus)
        if wanted:
            self._host.request_render()

    def _target_at(self, event: MouseEvent) -> MouseTarget | None:
        for layer in reversed(self._host.layers):
            boxes = _boxes_of(layer, event)
            if boxes and not getattr(layer.box.component, "passes_mouse", False):
                return _on_screen(layer, boxes[0])
        return None

    def _find(self, component: Renderable | None) -> MouseTarget | None:
        """Return where a component lies in the last frame."""
        for layer in self._host.layers:
            box = find_box([layer.box], component) if component is not None else None
            if box is not None:
                return _on_screen(layer, box)
        return None

    # Wheel and hover

    def _scroll(self, event: MouseEvent) -> None:
        """Scroll the views under the pointer, innermost first, with what is left of the wheel each time."""
        left = event.wheel_delta or 0
        views = [
            box.component
            for layer in reversed(self._host.layers)
            for box in _boxes_of(layer, event)
            if isinstance(box.component, ScrollView)
        ]
        primary = self._host.primary_view
        if primary is not None and not any(view is primary for view in views):
            views.append(primary)
        for view in views:
            left = view.scroll_by(left)
            if not left or view.overscroll == "contain":
                break
        self._host.request_view()

    def _hover(self, event: MouseEvent) -> None:
        """Tell the component under the pointer that it is there: the attribute `hovered`, if it has one."""
        target = self._target_at(event)
        hoverable = target is not None and has(target.component, "hovered")
        self._set_hovered(target.component if target is not None and hoverable else None)

    def _set_hovered(self, component: Renderable | None) -> None:
        before = self._hovered
        if component is before:
            return
        self._hovered = component
        for one, is_hovered in ((before, False), (component, True)):
            if one is not None:
                tell(one, "hovered", is_hovered)
        self._host.request_view()


def _held(event: MouseEvent, hit: _Hit) -> _Press:
    host = _on_screen(hit.layer, hit.host)
    target = hit.answer.target if hit.answer.target is not None else host
    return _Press(event, target, host.component, target.x - host.x, target.y - host.y)


def _cell(event: MouseEvent) -> tuple[int, int]:
    return event.screen_x, event.screen_y


def _boxes_of(layer: Layer, event: MouseEvent) -> list[Box]:
    return boxes_at(layer.box, event.screen_x - layer.column, event.screen_y - layer.row)


def _inner_first(box: Box) -> list[Box]:
    return list(all_boxes([box]))[::-1]


def _on_screen(layer: Layer, box: Box) -> MouseTarget:
    return target_of(box).moved(layer.column, layer.row)
