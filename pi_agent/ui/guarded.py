"""A component of an extension on the screen, behind its boundary: whatever it does, the rest goes on.

While it fails, its fallback is shown and it is asked again at the next frame. Three failures within ten frames
quarantine it: it is not asked any more.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final, TypeVar

from pi_agent.extensions.guard import ExtensionGuard, describe
from pi_agent.ui.plain import plain_line
from pi_tui.ansi import strip_undrawable
from pi_tui.component import (
    Component,
    Renderable,
    RenderGuard,
    WideRow,
    get_render_guard,
    is_focusable,
    render_guard,
    render_plainly,
)
from pi_tui.events import KeyEvent, MouseEvent, MouseResult, PasteEvent
from pi_tui.layout import Box, LayoutContext, divides, natural_height
from pi_tui.paint import is_image_line
from pi_tui.problems import LineTooWideError
from pi_tui.width import slice_by_column, visible_width

_FRAMES: Final = 10
_FAILURES: Final = 3
_T = TypeVar("_T")

# Returns the rows that stand in for a piece: with what is wrong with it, or with nothing once it is quarantined.
Fallback = Callable[[int, str | None], list[str]]


class Guarded(Component):
    """Draws `component`, or what `fallback(width, problem)` gives in its place."""

    def __init__(self, component: Renderable, guard: ExtensionGuard, fallback: Fallback) -> None:
        self.on_quarantine: Callable[[BaseException], None] = lambda error: None
        self._component = component
        self._guard = guard
        self._fallback = fallback
        self._recent: deque[bool] = deque(maxlen=_FRAMES)
        self._quarantined = False
        self._disposed = False
        self._told_too_wide = False
        self._checked: tuple[list[str], int, list[str]] | None = None

    @property
    def child(self) -> Renderable:
        """What the extension made."""
        return self._component

    @property
    def is_quarantined(self) -> bool:
        """Whether it has failed too often."""
        return self._quarantined

    @property
    def focused(self) -> bool:
        """Whether it has the keys."""
        return bool(getattr(self._component, "focused", False))

    @focused.setter
    def focused(self, value: bool) -> None:
        if is_focusable(self._component):
            self._guard.call(lambda: setattr(self._component, "focused", value))

    @property
    def wants_key_release(self) -> bool:  # type: ignore[override]  # the component's own answer
        """Whether it is told of keys that are let go."""
        return bool(getattr(self._component, "wants_key_release", False))

    @property
    def captures_viewport_input(self) -> bool:  # type: ignore[override]  # the component's own answer
        """Whether keys that scroll the document are its own."""
        return bool(getattr(self._component, "captures_viewport_input", False))

    def render(self, width: int) -> list[str]:
        """Return its rows, each as wide as there is room; the same list while it returns the same."""
        if self._quarantined:
            return self._fallback(width, None)
        try:
            rows = self._rows(width)
        except Exception as error:
            return self._failed(error, width)
        self._recent.append(True)
        return rows

    def invalidate(self) -> None:
        """Drop its caches."""
        self._checked = None
        self._guard.call(lambda: _call(self._component, "invalidate"))

    def handle_key(self, event: KeyEvent) -> bool | None:
        """Give it a key; one that it fails at is lost."""
        if not hasattr(self._component, "handle_key"):
            return False
        return self._handled(lambda: _call(self._component, "handle_key", event))

    def handle_paste(self, event: PasteEvent) -> None:
        """Give it a paste."""
        self._handled(lambda: _call(self._component, "handle_paste", event))

    def handle_mouse(self, event: MouseEvent) -> MouseResult | bool | None:
        """Give it a mouse event; one that it fails at counts as not used."""
        if self._quarantined:
            return None
        return self._guard.call(lambda: _call(self._component, "handle_mouse", event)).value

    def dispose(self) -> None:
        """Tell it, once, that it is gone."""
        if not self._disposed:
            self._disposed = True
            self._guard.call(lambda: _call(self._component, "dispose"))

    def _rows(self, width: int) -> list[str]:
        rows = render_plainly(self._component, width)
        if self._checked is not None and self._checked[0] is rows and self._checked[1] == width:
            return self._checked[2]
        if not isinstance(rows, list):
            raise TypeError(f"render() returned {type(rows).__name__}, not a list of strings")
        fitting = [part for row in rows for part in self._parts(row, width)]
        shown = rows if fitting == rows else fitting
        self._checked = (rows, width, shown)
        return shown

    def _parts(self, row: object, width: int) -> list[str]:
        """Return a row as rows that fit, which it should be already."""
        if not isinstance(row, str):
            raise TypeError(f"render() returned a row that is {type(row).__name__}, not str")
        if "\n" in row or "\r" in row:
            self._tell_once("render() returned a row with a line break in it")
            return [part for line in row.splitlines() for part in self._parts(line, width)]
        if is_image_line(row):
            return [row]
        if (drawable := strip_undrawable(row)) != row:
            self._tell_once("render() returned a row with a control sequence in it")
            row = drawable
        cells = visible_width(row)
        if cells <= width:
            return [row]
        self._tell_once(f"render() returned a row of {cells} cells where {width} fit")
        return [slice_by_column(row, 0, width, True)]

    def _failed(self, error: Exception, width: int) -> list[str]:
        self._guard.failed(error)
        self._recent.append(False)
        if self._recent.count(False) < _FAILURES:
            return self._fallback(width, plain_line(describe(error)))
        self._quarantined = True
        self.on_quarantine(error)
        return self._fallback(width, None)

    def _tell_once(self, problem: str) -> None:
        if not self._told_too_wide:
            self._told_too_wide = True
            self._guard.failed(ValueError(problem))

    def _handled(self, function: Callable[[], bool | None]) -> bool | None:
        if self._quarantined:
            return False
        attempt = self._guard.call(function)
        return True if attempt.error is not None else attempt.value


class _GuardedLayout(Guarded):
    """The same for a component that divides its space: a part that fails costs its own rows."""

    def layout_box(
        self, context: LayoutContext, y: int, width: int, height: int, top: int, bottom: int
    ) -> Box:
        """Lay it out, or its fallback."""
        box = Box(self, y, width, height, max(top, y), min(bottom, y + height))
        if self.is_quarantined or not divides(self.child):
            box.lines = self.render(width)[:height]
            return box
        try:
            with render_guard(_Parts(self._guard, get_render_guard())):
                box.children = [self.child.layout_box(context, y, width, height, top, bottom)]
        except Exception as error:
            box.lines = self._failed(error, width)[:height]
        else:
            self._recent.append(True)
        return box

    def natural_height(self, width: int, context: LayoutContext) -> int:
        """Return the rows that it would take; a row for what stands in for it."""
        if self.is_quarantined:
            return 1
        with render_guard(_Parts(self._guard, get_render_guard())):
            return natural_height(self.child, width, context)


class _Parts:
    """Told of the parts that fail while a component divides its space: the extension is named, the others go on."""

    def __init__(self, guard: ExtensionGuard, outer: RenderGuard | None) -> None:
        self._guard = guard
        self._outer = outer

    def failed(self, component: Renderable, error: Exception, width: int) -> list[str]:
        """Report the failure, and return what the screen shows for any part that fails."""
        self._guard.failed(error)
        if self._outer is None:
            raise error
        return self._outer.failed(component, error, width)

    def handler_failed(self, component: Renderable, error: Exception) -> None:
        """Report a handler that raised."""
        self._guard.failed(error)

    def too_wide(self, component: Renderable, row: WideRow) -> None:
        """Report a row that has to be cut."""
        self._guard.failed(LineTooWideError(component, row))


def guard_component(component: Renderable, guard: ExtensionGuard, fallback: Fallback) -> Guarded:
    """Return the boundary that fits a component."""
    kind = _GuardedLayout if divides(component) else Guarded
    return kind(component, guard, fallback)


def as_component(made: object) -> Renderable:
    """Return what a factory made; raises `TypeError` if that cannot be drawn."""
    if not isinstance(made, Renderable):
        raise TypeError(f"the factory returned {type(made).__name__}, which has no render(width)")
    return made


def _call(component: Renderable, name: str, *arguments: object) -> bool | None:
    """Call a method that components may have."""
    method = getattr(component, name, None)
    result: bool | None = method(*arguments) if method is not None else None
    return result
