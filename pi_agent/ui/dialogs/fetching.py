"""What is being fetched, how far it is, and a way out of it, in the editor's place."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from pi_agent.llm.local.install import InstallProgress
from pi_agent.ui.dialogs.frame import frame
from pi_agent.ui.plain import plain_line
from pi_tui.choices import SelectItem
from pi_tui.component import Component
from pi_tui.components.select_list import SelectList
from pi_tui.events import KeyEvent, MouseEvent, MouseResult
from pi_tui.theme import Theme, get_select_list_theme
from pi_tui.width import truncate_to_width
from pi_tui.wrap import wrap_rows

_BAR_CELLS: Final = 30
_RATE_FROM_SECONDS: Final = 1.0


class FetchingDialog(Component):
    """Shows what `show` is told; Enter, Esc and a click call `on_cancel`."""

    captures_viewport_input = True

    def __init__(
        self,
        title: str,
        theme: Theme,
        on_cancel: Callable[[], object],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.focused = False
        self.max_rows: int | None = None
        self._title = title
        self._theme = theme
        self._clock = clock
        self._progress: InstallProgress | None = None
        self._begun = clock()
        self._list_top = 0
        self._list = SelectList([SelectItem("cancel", "Cancel")], 1, get_select_list_theme(theme))
        self._list.on_select = lambda item: on_cancel()
        self._list.on_cancel = on_cancel

    def show(self, progress: InstallProgress) -> None:
        """Show how far it is; the rate is that of the part which is being fetched."""
        if self._progress is None or progress.part != self._progress.part:
            self._begun = self._clock()
        self._progress = progress

    def invalidate(self) -> None:
        """Drop all caches."""
        self._list.invalidate()

    def render(self, width: int) -> list[str]:
        """Return the title, the part, a bar if it is known how far it is, and the way out."""
        around = frame(self._title, self._theme, width, None, self.max_rows, keep=3)
        rows = self._rows(width)
        if self.max_rows is not None:
            rows = rows[: max(0, self.max_rows - len(around.above) - len(around.below) - 1)]
        self._list_top = len(around.above) + len(rows)
        return [*around.above, *rows, *self._list.render(width), *around.below]

    def handle_key(self, event: KeyEvent) -> bool:
        """Take a key: all but those that cancel are left alone."""
        return event.kind != "release" and self._list.handle_key(event)

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Let the way out have what lies over it."""
        return self._list.handle_mouse(replace(event, y=event.y - self._list_top))

    def _rows(self, width: int) -> list[str]:
        progress = self._progress
        if progress is None:
            return []
        part = progress.part
        name = plain_line(f"Fetching {part.title} ({part.megabytes} MB)")
        rows = wrap_rows(name, width)
        if progress.fraction is None:
            return [*rows, self._theme.fg("dim", truncate_to_width("Please wait…", width))]
        return [*rows, self._bar(progress.fraction, part.megabytes, width)]

    def _bar(self, fraction: float, megabytes: int, width: int) -> str:
        """Return how far it is, how fast, and in what is left of the row a bar."""
        seconds = self._clock() - self._begun
        told = f"{fraction:.0%}"
        if seconds >= _RATE_FROM_SECONDS:
            told += f", {fraction * megabytes / seconds:.1f} MB/s"
        cells = max(0, min(_BAR_CELLS, width - len(told) - 1))
        done = round(fraction * cells)
        bar = self._theme.fg("accent", "━" * done) + self._theme.fg("dim", "━" * (cells - done))
        return truncate_to_width(f"{told} {bar}", width, "")
