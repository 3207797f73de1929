"""What the terminal reports of the mouse, as events in cells: which button is held, how far the wheel goes.

Coordinates of these events are those of the screen; whoever delivers them makes them relative.
See https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h2-Mouse-Tracking.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

from pi_tui.events import MouseButton, MouseEvent, MouseType
from pi_tui.frozen import frozen

WheelLines = int | Literal["auto"]

_SHIFT, _ALT, _CTRL, _MOTION, _WHEEL, _EXTRA = 4, 8, 16, 32, 64, 128
_BUTTONS: tuple[MouseButton, ...] = ("left", "middle", "right", "none")
_ALT_FACTOR = 5

# The modes in the order in which they are switched on: buttons, drags, any movement, the form of reports.
_MODES = ("1000", "1002", "1003", "1006")
_ANY_MOVEMENT = "1003"

_GESTURE_SECONDS = 0.2
_SAME_NOTCH_SECONDS = 0.005
_ONE_LINE_MS = 100
_MOST_LINES = 6
_ROUNDING = 1e-6  # times are inexact: 20 ms are 5 lines, not 4.9999


@frozen
class MouseReport:
    """A mouse report as the terminal sent it: the code with its modifier bits, and the cell."""

    code: int
    x: int
    y: int
    is_release: bool


def mouse_on(environ: Mapping[str, str]) -> str:
    """Return what makes the terminal report the mouse.

    Under a multiplexer movement without a button is left out: it would send a report for every cell.
    """
    modes = [mode for mode in _MODES if mode != _ANY_MOVEMENT or not _is_multiplexed(environ)]
    return "".join(f"\x1b[?{mode}h" for mode in modes)


def mouse_off() -> str:
    """Return what gives the mouse back to the terminal."""
    return "".join(f"\x1b[?{mode}l" for mode in reversed(_MODES))


def wheel_lines_here(wanted: WheelLines, environ: Mapping[str, str], platform: str) -> WheelLines:
    """Return how far a notch goes: macOS, unless reached from elsewhere, has its own acceleration."""
    is_remote = any(environ.get(name) for name in ("SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"))
    return 1 if wanted == "auto" and platform == "darwin" and not is_remote else wanted


def right_click_pastes(environ: Mapping[str, str], platform: str) -> bool:
    """Tell whether people expect a click of the right button to paste; VS Code does so by itself."""
    return platform == "win32" and environ.get("TERM_PROGRAM") != "vscode"


class MouseReader:
    """Makes events of reports. `wheel_lines` is how far one notch of the wheel goes."""

    def __init__(self, wheel_lines: WheelLines = 1) -> None:
        self.wheel_lines = wheel_lines
        self._held: MouseButton = "none"
        self._pace = WheelPace()

    def forget(self) -> None:
        """Forget what is held: the window lost the focus, and the release goes elsewhere."""
        self._held = "none"

    def read(self, report: MouseReport, now: float) -> MouseEvent | None:
        """Return the event of a report; `None` for buttons that mean nothing here."""
        code = report.code
        if code & _EXTRA:
            return None
        if code & _WHEEL:
            return self._wheel(report, now)
        button = _BUTTONS[code & 3]
        if report.is_release:
            # The old form does not say which button it was.
            button = self._held if button == "none" else button
            self._held = "none"
            return _event("release", button, report)
        if code & _MOTION:
            return _event("move" if button == "none" else "drag", button, report)
        if button == "none":
            return None
        self._held = button
        return _event("press", button, report)

    def _wheel(self, report: MouseReport, now: float) -> MouseEvent | None:
        if report.code & 3 > 1 or report.is_release:
            return None
        direction = 1 if report.code & 1 else -1
        lines = self.wheel_lines
        if lines == "auto":
            lines = self._pace.lines(direction, now)
        if report.code & _ALT:
            lines *= _ALT_FACTOR
        return _event("wheel", "none", report, direction * lines)


class WheelPace:
    """Goes further the faster the wheel turns: gaps of 100, 50 and 20 ms give 1, 2 and 5 lines."""

    def __init__(self) -> None:
        self._direction = 0
        self._last = float("-inf")
        self._average_ms: float | None = None
        self._carry = 0.0

    def lines(self, direction: int, now: float) -> int:
        """Return how many lines a notch at the time `now` goes."""
        gap = now - self._last
        self._last = now
        if direction != self._direction or gap > _GESTURE_SECONDS:
            self._direction, self._average_ms, self._carry = direction, None, 0.0
            return 1
        if gap < _SAME_NOTCH_SECONDS:
            return 1
        gap_ms = gap * 1000
        average = gap_ms if self._average_ms is None else (self._average_ms + gap_ms) / 2
        self._average_ms = average
        wanted = max(1.0, min(_ONE_LINE_MS / average, float(_MOST_LINES))) + self._carry
        lines = math.floor(wanted + _ROUNDING)
        self._carry = wanted - lines
        return lines


def _event(
    type_: MouseType, button: MouseButton, report: MouseReport, wheel_delta: int | None = None
) -> MouseEvent:
    return MouseEvent(
        type=type_,
        button=button,
        x=report.x,
        y=report.y,
        screen_x=report.x,
        screen_y=report.y,
        shift=bool(report.code & _SHIFT),
        alt=bool(report.code & _ALT),
        ctrl=bool(report.code & _CTRL),
        wheel_delta=wheel_delta,
    )


def _is_multiplexed(environ: Mapping[str, str]) -> bool:
    if any(environ.get(name) for name in ("TMUX", "ZELLIJ", "STY")):
        return True
    return environ.get("TERM", "").startswith(("tmux", "screen"))
