"""A long session that is read for the first time: its end is on the screen meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from pi_agent.session.entries import Entry
from pi_agent.session.last_part import last_entries, takes_long
from pi_agent.ui.screen import AgentScreen
from pi_tui.component import Renderable


class Opening:
    """Shows what a session ends with until all of it is there. `view_of` draws entries."""

    def __init__(
        self, screen: AgentScreen, view_of: Callable[[Sequence[Entry]], Renderable]
    ) -> None:
        self._screen = screen
        self._view_of = view_of
        self._loop = asyncio.get_running_loop()
        self._shown: Renderable | None = None
        self._is_over = False

    def begin(self, path: Path) -> None:
        """Take note that a file is going to be read; called in the thread that does it."""
        # In other modes what was shown once stays.
        if self._screen.tui.mode != "fullscreen" or self._screen.tui.is_plain:
            return
        try:
            entries = last_entries(path) if takes_long(path) else ()
        except OSError:
            return  # which is told by whoever opens it
        if entries:
            self._loop.call_soon_threadsafe(self._show, entries)

    def end(self) -> None:
        """Take away what was shown: the session itself comes."""
        self._is_over = True
        if self._shown is not None:
            self._screen.document.remove(self._shown)
            self._screen.status.clear()
            self._screen.footer.update(is_counting=False)

    def _show(self, entries: Sequence[Entry]) -> None:
        if self._is_over:
            return
        self._shown = self._view_of(entries)
        self._screen.document.append(self._shown)
        self._screen.footer.update(is_counting=True)
        self._screen.status.show("Reading the session…")
        self._screen.tui.request_render()
