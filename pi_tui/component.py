"""What a component is: anything with `render(width)`, and the conveniences most of them share.

A component returns the same list object while nothing changed and a new one when its output changed;
parents compare identity. Returned lists are read-only for everyone.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol, runtime_checkable

from pi_tui.events import KeyEvent, MouseEvent, MouseResult, PasteEvent
from pi_tui.frozen import frozen
from pi_tui.width import visible_width

_log = logging.getLogger("pi.tui")

_LINE_BREAK = re.compile(r"\r\n|\r|\n")

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
    return has(component, "focused")


def has(component: object, attribute: str) -> bool:
    """Tell whether `component` has an attribute, be it one that fails when it is read."""
    try:
        return hasattr(component, attribute)
    except Exception:
        return True


@frozen
class WideRow:
    """A row that is wider than the `limit` it was drawn for; `number` counts the component's rows from 0."""

    number: int
    text: str
    width: int
    limit: int


class RenderGuard(Protocol):
    """What is told of a child that failed; the frame loop sets one while the terminal is its own."""

    def failed(self, component: Renderable, error: Exception, width: int) -> list[str]:
        """Report `error` (once a component) and return the rows to show instead; or raise."""
        ...

    def handler_failed(self, component: Renderable, error: Exception) -> None:
        """Report a handler that raised; or raise."""
        ...

    def too_wide(self, component: Renderable, row: WideRow) -> None:
        """Report a row that has to be cut; or raise."""
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


def report_failure(component: Renderable, error: Exception) -> None:
    """Report that something of a component failed that is never needed; without a guard it is logged."""
    if _Guard.current is None:
        _log.error("%s failed", type(component).__name__, exc_info=error)
    else:
        _Guard.current.handler_failed(component, error)


def report_wide_rows(component: Renderable, rows: Sequence[str], width: int) -> None:
    """Report a child of which a row has to be cut: for containers that lay out rows by themselves."""
    guard = _Guard.current
    if guard is None:
        return
    for number, row in enumerate(rows):
        cells = visible_width(row)
        if cells > width:
            guard.too_wide(component, WideRow(number, row, cells, width))
            return


@contextmanager
def contained(component: Renderable) -> Iterator[None]:
    """Report what fails inside as a failure of the component's handlers, and go on after it."""
    try:
        yield
    except asyncio.CancelledError as error:
        handler_failed(component, _cancelled(error))
    except Exception as error:
        handler_failed(component, error)


def tell(component: Renderable, attribute: str, value: bool) -> None:
    """Set an attribute by which a component is told something (`focused`, `hovered`), if it has that."""
    if has(component, attribute):
        with contained(component):
            setattr(component, attribute, value)


def says(component: Renderable | None, attribute: str) -> bool:
    """Return what a component says of itself with an attribute that it need not have."""
    if component is None:
        return False
    with contained(component):
        return bool(getattr(component, attribute, False))
    return False


def render_child(component: Renderable, width: int, before: list[str] | None = None) -> list[str]:
    """Render a child so that its failure costs its own rows only.

    Containers draw their children with this; `before` is what they got last time. Without a guard errors go
    through.
    """
    try:
        rows = component.render(width)
        return rows if before is not None and rows is before else checked_rows(rows)
    except asyncio.CancelledError as error:
        return failed_rows(component, _cancelled(error), width)
    except Exception as error:
        return failed_rows(component, error, width)


def checked_rows(rows: object) -> list[str]:
    """Return what `render` returned if it is a list of rows; a row with line breaks is several.

    Anything else is a `TypeError`.
    """
    if not isinstance(rows, list):
        raise TypeError(f"render() returned {type(rows).__name__}, not a list of strings")
    try:
        text = "".join(rows)  # the quickest way to look at all of them
    except TypeError:
        other = next(row for row in rows if not isinstance(row, str))
        raise TypeError(
            f"render() returned a row that is {type(other).__name__}, not str"
        ) from None
    if "\n" not in text and "\r" not in text:
        return rows
    return [part for row in rows for part in _split(row)]


def _split(row: str) -> list[str]:
    parts = _LINE_BREAK.split(row)
    return parts if len(parts) == 1 or parts[-1] else parts[:-1]


def _cancelled(error: asyncio.CancelledError) -> Exception:
    """Return the error of a component that looked at something cancelled. We are not: nothing is awaited here."""
    failure = RuntimeError("something that it looked at was cancelled")
    failure.__cause__ = error
    return failure


def render_plainly(component: Renderable, width: int) -> list[str]:
    """Render a component so that a failure of any of its children comes through, guard or not.

    For whoever has a guard of its own around the component.
    """
    with render_guard(None):
        return component.render(width)


def invalidate_all(components: Iterable[Renderable]) -> None:
    """Call `invalidate()` on every component that has it; one that fails keeps none of the others from it."""
    for component in components:
        invalidate = getattr(component, "invalidate", None)
        if invalidate is None:
            continue
        try:
            invalidate()
        except Exception as error:
            report_failure(component, error)
