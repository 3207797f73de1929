"""Saying that a program works, in the window's frame, its tab or the task bar (OSC 9;4).

Terminals take the sign away when nothing is heard for a while, in case the program has died, so it is repeated.
"""

from __future__ import annotations

from collections.abc import Callable

from pi_tui.flash import Timer

_ON = "\x1b]9;4;3\x07"
_OFF = "\x1b]9;4;0\x07"
_EVERY_SECONDS = 1.0

CallLater = Callable[[float, Callable[[], None]], Timer | None]


class WindowProgress:
    """Whether the sign is shown. `write` is called every second while it is."""

    def __init__(self, call_later: CallLater, write: Callable[[str], None]) -> None:
        self._call_later = call_later
        self._write = write
        self._is_on = False
        self._timer: Timer | None = None

    def change(self, is_on: bool) -> str:
        """Show the sign or take it away; returns what says so, if that is new."""
        if is_on == self._is_on:
            return ""
        self._is_on = is_on
        return self.enter() if is_on else self._end()

    def enter(self) -> str:
        """Return what shows the sign at the start, and go on showing it."""
        if not self._is_on:
            return ""
        self.pause()
        self._timer = self._call_later(_EVERY_SECONDS, self._repeat)
        return _ON

    def leave(self) -> str:
        """Return what takes the sign away at the end."""
        return _OFF if self._is_on else ""

    def pause(self) -> None:
        """Write nothing any more until `enter`."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _end(self) -> str:
        self.pause()
        return _OFF

    def _repeat(self) -> None:
        self._write(self.enter())
