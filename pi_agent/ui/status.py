"""The row above the editor that says what is going on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from pi_agent.ui.plain import plain_line
from pi_tui.component import Component, ComponentHost
from pi_tui.components.loader import DEFAULT_FRAMES, DEFAULT_INTERVAL
from pi_tui.theme import Theme
from pi_tui.width import truncate_to_width, visible_width


class StatusRow(Component):
    """A spinner and a text while something runs, else blank. Turns only while it is shown."""

    def __init__(self, tui: ComponentHost, theme: Theme) -> None:
        self._tui = tui
        self._theme = theme
        self._message: str | None = None
        self._detail: Callable[[], str] = lambda: ""
        self._narrow: Callable[[], str] | None = None
        self._frame = 0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def message(self) -> str | None:
        """What is shown; `None` when idle."""
        return self._message

    def show(
        self,
        message: str,
        detail: Callable[[], str] | None = None,
        *,
        narrow: Callable[[], str] | None = None,
    ) -> None:
        """Show a message; `detail` is asked at every frame for what follows it.

        `narrow` gives what is shown instead where `message` and `detail` have no room.
        """
        self._message = plain_line(message)
        self._detail = detail if detail is not None else lambda: ""
        self._narrow = narrow
        if self._timer is None:
            self._schedule()
        self._tui.request_render()

    def clear(self) -> None:
        """Go blank."""
        self._message = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._tui.request_render()

    def dispose(self) -> None:
        """Stop turning."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def text(self) -> str:
        """Return the styled text, or nothing when idle."""
        if self._message is None:
            return ""
        return self._styled(self._message + self._detail())

    def render(self, width: int) -> list[str]:
        """Return one row."""
        if self._message is None:
            return [""]
        text = self.text()
        if self._narrow is not None and visible_width(text) + 1 > width:
            text = self._styled(self._narrow())
        return [truncate_to_width(f" {text}", width, "…")]

    def _styled(self, text: str) -> str:
        spinner = self._theme.fg("accent", DEFAULT_FRAMES[self._frame])
        return f"{spinner} {self._theme.fg('muted', text)}"

    def _schedule(self) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        self._timer = loop.call_later(DEFAULT_INTERVAL, self._turn)

    def _turn(self) -> None:
        self._timer = None
        if self._message is None:
            return
        self._frame = (self._frame + 1) % len(DEFAULT_FRAMES)
        self._tui.request_render()
        self._schedule()
