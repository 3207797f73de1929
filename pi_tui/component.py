"""What a component is: anything with `render(width)`, and the conveniences most of them share.

A component returns the same list object while nothing changed and a new one when its output changed;
parents compare identity. Returned lists are read-only for everyone.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol, runtime_checkable

from pi_tui.events import KeyEvent, MouseEvent, MouseResult, PasteEvent

_log = logging.getLogger("pi.tui")

# Zero-width marks that never reach the terminal: where the caret is, and the cell that shows it.
CURSOR_MARKER = "\x1b_pi:c\x07"
FAKE_CURSOR_START = "\x1b_pi:fc\x07"
FAKE_CURSOR_END = "\x1b_pi:/fc\x07"

Style = Callable[[str], str]


def identity(text: str) -> str:
    """Return `text`: the style that changes nothing."""
    return text


def render_fake_cursor(text: str) -> str:
    """Mark `text` (one grapheme, or a space) as the cell that shows the caret."""
    return f"{FAKE_CURSOR_START}{text}{FAKE_CURSOR_END}"


class ComponentHost(Protocol):
    """What a component may ask of the screen it is on."""

    @property
    def columns(self) -> int:
        """Terminal width in cells."""
        ...

    @property
    def rows(self) -> int:
        """Terminal height in cells."""
        ...

    def request_render(self, force: bool = False) -> None:
        """Ask for a frame; any number of requests before it make one."""
        ...


@runtime_checkable
class Renderable(Protocol):
    """The one thing a component must have."""

    def render(self, width: int) -> list[str]:
        """Return one string a row, each at most `width` cells."""
        ...


@runtime_checkable
class Focusable(Protocol):
    """A component that can have the keys: it has the attribute `focused`."""

    focused: bool


class Component:
    """A base with no-op defaults. Any object with `render` is a component; inheriting is a convenience."""

    wants_key_release = False
    captures_viewport_input = False

    def render(self, width: int) -> list[str]:
        """Return one string a row, each at most `width` cells (`width` is at least 1), no newlines."""
        raise NotImplementedError

    def invalidate(self) -> None:
        """Drop cached output: the theme changed. Cheap and idempotent."""

    def handle_key(self, event: KeyEvent) -> bool | None:
        """Take a key while focused; `False` means it was not used."""
        return False

    def handle_paste(self, event: PasteEvent) -> None:
        """Take a paste while focused."""

    def handle_mouse(self, event: MouseEvent) -> MouseResult | bool | None:
        """Take a mouse event in own coordinates; `None` or `False` means it was not used."""
        return None

    def dispose(self) -> None:
        """Stop timers, tasks and watchers; idempotent. Called by whoever created the component."""


def is_focusable(component: object) -> bool:
    """Tell whether `component` can have the keys."""
    return hasattr(component, "focused")


class RenderGuard(Protocol):
    """What is told of a child that failed; the frame loop sets one while the terminal is its own."""

    def failed(self, component: Renderable, error: Exception, width: int) -> list[str]:
        """Report `error` (once a component) and return the rows to show instead; or raise."""
        ...

    def handler_failed(self, component: Renderable, error: Exception) -> None:
        """Report a handler that raised; or raise."""
        ...


class _Guard:
    """Holds the guard, from the taking over of a terminal to its giving back. There is one at a time."""

    current: RenderGuard | None = None


def set_render_guard(guard: RenderGuard | None) -> None:
    """Install the guard; `None` lets errors through again."""
    _Guard.current = guard


@contextmanager
def render_guard(guard: RenderGuard | None) -> Iterator[None]:
    """Let `guard` be told of the children that are drawn meanwhile; `None` lets their errors through."""
    before, _Guard.current = _Guard.current, guard
    try:
        yield
    finally:
        _Guard.current = before


def get_render_guard() -> RenderGuard | None:
    """Return who is told at the moment."""
    return _Guard.current


def failed_rows(component: Renderable, error: Exception, width: int) -> list[str]:
    """Report that drawing a component failed; returns the rows to show. Without a guard `error` is raised."""
    if _Guard.current is None:
        raise error
    return _Guard.current.failed(component, error, width)


def handler_failed(component: Renderable, error: Exception) -> None:
    """Report that a handler of a component failed. Without a guard `error` is raised."""
    if _Guard.current is None:
        raise error
    _Guard.current.handler_failed(component, error)


def render_child(component: Renderable, width: int) -> list[str]:
    """Render a child so that its failure costs its own rows only.

    Containers draw their children with this. Without a guard errors go through.
    """
    try:
        lines = component.render(width)
        if not isinstance(lines, list):
            raise TypeError(f"render() returned {type(lines).__name__}, not a list of strings")
    except Exception as error:
        return failed_rows(component, error, width)
    return lines


def render_plainly(component: Renderable, width: int) -> list[str]:
    """Render a component so that a failure of any of its children comes through, guard or not.

    For whoever has a guard of its own around the component.
    """
    with render_guard(None):
        return component.render(width)


def invalidate_all(components: Iterable[object]) -> None:
    """Call `invalidate()` on every component that has it; one that fails keeps none of the others from it."""
    for component in components:
        invalidate = getattr(component, "invalidate", None)
        if invalidate is None:
            continue
        try:
            invalidate()
        except Exception:
            _log.exception("%s: invalidate() failed", type(component).__name__)
