"""A screen of the toolkit in this process, on a pseudo-terminal: input goes through it, output goes nowhere."""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import struct
import termios
import time
from collections.abc import Callable
from typing import Final, TextIO

from pi_tui.component import Component
from pi_tui.frame import Frame
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.regular import TuiMainScreen
from pi_tui.terminal import ProcessTerminal

COLUMNS: Final = 120
ROWS: Final = 50
_MOST_SECONDS: Final = 60.0
_ENVIRON: Final = {"TERM": "xterm-256color"}

ScreenKind = type[TuiAltScreen] | type[TuiMainScreen]


class _Watched(ProcessTerminal):
    """Tells when something is shown."""

    def __init__(self, keys: TextIO, output: TextIO) -> None:
        super().__init__(keys, output, _ENVIRON)
        self.shown = asyncio.Event()

    def draw(self, frame: Frame, show_cursor: bool) -> None:
        super().draw(frame, show_cursor)
        self.shown.set()

    def write(self, data: str) -> None:
        super().write(data)
        self.shown.set()


class InProcess:
    """A started screen of 120 by 50 cells. Call `stop` at the end."""

    def __init__(self, kind: ScreenKind = TuiAltScreen) -> None:
        self._master, slave = os.openpty()
        self._keys = open(slave)  # noqa: SIM115  # `stop` closes both
        self._nowhere = open(os.devnull, "w")  # noqa: SIM115
        self._set_size(COLUMNS, ROWS)
        self._terminal = _Watched(self._keys, self._nowhere)
        self.tui: TuiAltScreen | TuiMainScreen = kind(self._terminal, environ=_ENVIRON)

    def show(self, root: Component, focus: Component | None = None) -> None:
        """Draw the first frame."""
        self.tui.set_layout_root(root)
        self.tui.set_focus(focus)
        self.tui.start()
        self.tui.render_now()

    def stop(self) -> None:
        """Give the terminal back, which nobody has looked at."""
        self.tui.stop(preserve_screen=True)
        self._keys.close()
        self._nowhere.close()
        os.close(self._master)

    def press(self, data: bytes) -> None:
        """Send what a key sends."""
        os.write(self._master, data)

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the terminal."""
        self._set_size(columns, rows)
        signal.raise_signal(signal.SIGWINCH)

    async def cpu_ms(self, action: Callable[[int], object], count: int) -> float:
        """Do something so many times, each time followed by a frame; return the CPU milliseconds of one."""
        begun = time.process_time()
        async with asyncio.timeout(_MOST_SECONDS):
            for number in range(count):
                drawn = self.tui.frames_drawn
                action(number)
                while self.tui.frames_drawn == drawn:
                    self._terminal.shown.clear()
                    await self._terminal.shown.wait()
        return (time.process_time() - begun) * 1000 / count

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
