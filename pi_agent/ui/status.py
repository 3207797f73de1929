"""The row above the editor that says what is going on."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence

from pi_agent.ui.plain import plain_line
from pi_agent.ui.working import WorkingLook, usual_frame
from pi_tui.component import Component, ComponentHost
from pi_tui.components.loader import DEFAULT_INTERVAL
from pi_tui.keys import format_key
from pi_tui.theme import Theme
from pi_tui.width import truncate_to_width, visible_width


class StatusRow(Component):
    """A spinner and a text while something runs, else blank. Turns only while it is shown.

    In front stand keys that wait for the rest of a sequence. One that `is_still` says what goes on, and no more: each
    change of it would be read aloud.
    """

    def __init__(self, tui: ComponentHost, theme: Theme, *, is_still: bool = False) -> None:
        self._is_still = is_still
        self._tui = tui
        self._theme = theme
        self.working = WorkingLook(tui.request_render)
        self._message: str | None = None
        self._keys = ""
        self._is_working = False
        self._detail: Callable[[], str] = lambda: ""
        self._narrow: Callable[[], Sequence[str]] = tuple
        self._frame = 0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def message(self) -> str | None:
        """What is shown; `None` when idle."""
        return self.working.message if self._is_working else self._message

    def show(
        self,
        message: str,
        detail: Callable[[], str] | None = None,
        *,
        narrow: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        """Show a message; `detail` is asked at every frame for what follows it.

        `narrow` gives what is shown instead where these have no room: the first text that fits, or the last one.
        """
        self._is_working = False
        self._narrow = narrow
        self._show(plain_line(message), detail if detail is not None else lambda: "")

    def show_working(self, detail: Callable[[], str]) -> None:
        """Show that a run goes on, as extensions want that to look."""
        self._is_working = True
        self._narrow = tuple
        self._show("", detail)

    def show_keys(self, keys: Sequence[str]) -> None:
        """Show the keys that wait for others to follow, none any more if there are none."""
        is_mac = sys.platform == "darwin"
        self._keys = " ".join([*(format_key(key, mac=is_mac) for key in keys), "…"] if keys else ())
        self._tui.request_render()

    def clear(self) -> None:
        """Go blank."""
        self._is_working = False
        self._narrow = tuple
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
        message = self.message
        if message is None or (self._is_working and not self.working.is_visible):
            return self._waiting_keys()
        return self._styled(message + ("" if self._is_still else self._detail()))

    def render(self, width: int) -> list[str]:
        """Return one row."""
        text = self.text()
        if not text:
            return [""]
        for shorter in self._narrow():
            if visible_width(text) < width:
                break
            text = self._styled(shorter)
        return [truncate_to_width(f" {text}", width, "…")]

    def _styled(self, text: str) -> str:
        frame = self.working.frame(self._frame) if self._is_working else None
        if self._is_still:
            frame = ""
        if frame is None:
            frame = self._theme.fg("accent", usual_frame(self._frame))
        styled = self._theme.fg("muted", text)
        shown = f"{frame} {styled}" if frame else styled
        return f"{self._waiting_keys()}  {shown}" if self._keys else shown

    def _waiting_keys(self) -> str:
        return self._theme.fg("accent", self._keys) if self._keys else ""

    def _show(self, message: str, detail: Callable[[], str]) -> None:
        self._message = message
        self._detail = detail
        if self._timer is None and not self._is_still:
            self._schedule()
        self._tui.request_render()

    def _schedule(self) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        interval = self.working.interval if self._is_working else DEFAULT_INTERVAL
        self._timer = loop.call_later(interval, self._turn)

    def _turn(self) -> None:
        self._timer = None
        if self._message is None:
            return
        self._frame += 1
        self._tui.request_render()
        self._schedule()
