"""Giving a mouse event to a component, and from a component to its child.

A container forwards with `deliver_mouse`. The answer names the component that took the event and where it
lies, so that the rest of the gesture and the focus find it whatever it is inside of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from pi_tui.component import Renderable, contained
from pi_tui.events import MouseEvent, MouseResult
from pi_tui.frozen import frozen

MouseHandler = Callable[[MouseEvent], MouseResult | Mapping[str, bool] | bool | None]


@frozen
class MouseTarget:
    """A component, and where it lies on the screen; rows and columns of it may be out of sight."""

    component: Renderable
    x: int
    y: int
    width: int
    height: int

    def localized(self, event: MouseEvent) -> MouseEvent:
        """Return the event as this component sees it."""
        return replace(
            event,
            x=event.screen_x - self.x,
            y=event.screen_y - self.y,
            width=self.width,
            height=self.height,
        )

    def moved(self, columns: int, rows: int) -> MouseTarget:
        """Return the same component somewhere else."""
        return replace(self, x=self.x + columns, y=self.y + rows)


@frozen
class MouseAnswer(MouseResult):
    """An answer, who gave it, and who is to have the keys if that is somebody around it."""

    target: MouseTarget | None = None
    keys: Renderable | None = None


def deliver_mouse(component: Renderable, event: MouseEvent) -> MouseAnswer:
    """Give an event, in the component's own coordinates, and return the answer in full.

    A handler that raises has not handled it.
    """
    handler = handler_of(component)
    return ask_handler(component, handler, event) if handler is not None else MouseAnswer()


def handler_of(component: Renderable, *, has_asked_children: bool = False) -> MouseHandler | None:
    """Return what to ask a component.

    One that forwards events is not to ask its children again when they have been asked: it says with
    `handle_unclaimed_mouse` what it does with what they did not take.
    """
    unclaimed: MouseHandler | None = getattr(component, "handle_unclaimed_mouse", None)
    if has_asked_children and unclaimed is not None:
        return unclaimed
    handler: MouseHandler | None = getattr(component, "handle_mouse", None)
    return handler


def ask_handler(component: Renderable, handler: MouseHandler, event: MouseEvent) -> MouseAnswer:
    """Ask `handler` for `component`."""
    result = MouseResult()
    with contained(component):
        result = _result(handler(event))
    if isinstance(result, MouseAnswer) and result.target is not None:
        return result
    handled = result.handled or result.capture or result.focus
    left, top = event.screen_x - event.x, event.screen_y - event.y
    target = MouseTarget(component, left, top, event.width, event.height) if handled else None
    return MouseAnswer(handled, result.capture, result.focus, result.render, target)


def keys_through(component: Renderable, around: Iterable[Renderable]) -> Renderable:
    """Return what hands a component its keys (`passes_keys_to`): one around it, the inner ones first, or itself."""
    for container in around:
        passes = getattr(container, "passes_keys_to", None)
        if passes is not None and passes(component):
            component = container
    return component


def deliver_by_rows(
    parts: Iterable[tuple[Renderable, int]], event: MouseEvent, *, inset: int = 0
) -> MouseAnswer:
    """Give an event to the one of the children, each so many rows high, that lies at its row.

    `inset` columns on either side belong to the container.
    """
    top = 0
    for child, rows in parts:
        if top <= event.y < top + rows:
            width = event.width - 2 * inset
            if not 0 <= event.x - inset < width:
                break
            own = replace(event, x=event.x - inset, y=event.y - top, width=width, height=rows)
            return deliver_mouse(child, own)
        top += rows
    return MouseAnswer()


def _result(value: object) -> MouseResult:
    if isinstance(value, MouseResult):
        return value
    if isinstance(value, Mapping):
        return MouseResult(**value)
    return MouseResult(handled=value is True)
