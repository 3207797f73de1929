"""Components that break their contract: each is reported once, and the screen goes on without its rows."""

from __future__ import annotations

import logging
import weakref
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from pi_tui.ansi import replace_control_characters
from pi_tui.component import Renderable, WideRow
from pi_tui.width import truncate_to_width

_log = logging.getLogger("pi.tui")

_REPORTS_KEPT = 100


class LineTooWideError(Exception):
    """A component returned a line wider than the width it was rendered for."""

    def __init__(self, component: Renderable, row: WideRow) -> None:
        super().__init__(
            f"{type(component).__name__} returned a line of {row.width} cells where {row.limit} fit"
            f" (line {row.number + 1}): {row.text!r}"
        )
        self.line = row.text
        self.number = row.number
        self.width = row.width
        self.limit = row.limit


class ComponentProblems:
    """Collects failures. With `strict` they are raised, so that a test sees them.

    `reports` holds the latest ones, `count` is how many there were: a report keeps its component alive.
    """

    def __init__(self, strict: bool = False) -> None:
        self.strict = strict
        self.on_error: Callable[[Renderable, Exception], None] | None = None
        self.reports: deque[tuple[Renderable, Exception]] = deque(maxlen=_REPORTS_KEPT)
        self.count = 0
        self._reported: dict[int, set[type[Exception]]] = {}

    def failed(self, component: Renderable, error: Exception, width: int) -> list[str]:
        """Report a `render` that raised; returns the row to show in its place."""
        self._report(component, error)
        message = replace_control_characters(f"[render error: {type(error).__name__}: {error}]")
        return [truncate_to_width(message, width)]

    def handler_failed(self, component: Renderable, error: Exception) -> None:
        """Report a handler that raised: that input is lost, the component stays."""
        self._report(component, error)

    def too_wide(self, component: Renderable, row: WideRow) -> None:
        """Report a line that did not fit; the caller cuts it."""
        self._report(component, LineTooWideError(component, row))

    def _report(self, component: Renderable, error: Exception) -> None:
        if self.strict:
            raise error
        reported = self._reported_of(component)
        if type(error) in reported:
            return
        reported.add(type(error))
        self.count += 1
        self.reports.append((component, error))
        _log.error("%s: %s", type(component).__name__, error, exc_info=error)
        if self.on_error is not None:
            try:
                self.on_error(component, error)
            except Exception:
                _log.exception("on_component_error failed")

    def _reported_of(self, component: Renderable) -> set[type[Exception]]:
        """Return what was reported of a component, forgotten with it: another may get its id."""
        key = id(component)
        if key not in self._reported:
            self._reported[key] = set()
            with suppress(TypeError):  # with slots there may be no way to notice its end
                weakref.finalize(component, self._reported.pop, key, None).atexit = False
        return self._reported[key]
