"""A program under a pseudo-terminal, watched from outside: when it writes, how much, and what CPU it takes.

One thread does everything, and only while it is asked to: it reads, answers what a terminal answers, and keeps
the screen in a `GridTerminal`. Times are taken when a piece of output has been read, before it is looked at.
Linux only: CPU time comes from the kernel's clock of a process, which counts nanoseconds.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from pi_tui.emulator import GridTerminal

COLUMNS: Final = 110
ROWS: Final = 35

MODERN_ANSWERS: Final = ("da1", "decrqm", "kitty", "osc10", "osc11")
FRAME_END: Final = b"\x1b[?2026l"
_MORE_SECONDS: Final = 60.0
_POLL_SECONDS: Final = 0.05


@dataclass(frozen=True, slots=True)
class Moment:
    """When something was read from the terminal, and the program's CPU seconds by then."""

    at: float
    cpu: float


class TimeUp(AssertionError):
    """What was waited for did not come; the message has the screen."""


class Program:
    """A running program. Use it as a context manager: its end kills the program."""

    def __init__(
        self,
        argv: Sequence[str | Path],
        *,
        env: Mapping[str, str],
        cwd: Path,
        answers: Iterable[str] = MODERN_ANSWERS,
    ) -> None:
        self.screen = GridTerminal(COLUMNS, ROWS, answers=answers)
        self.bytes_read = 0
        self.frames = 0
        self._master, slave = os.openpty()
        self._set_size(COLUMNS, ROWS)
        self.started = time.perf_counter()
        self._process = subprocess.Popen(
            argv,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=cwd,
            env=dict(env),
            start_new_session=True,
            preexec_fn=_take_controlling_terminal,
        )
        os.close(slave)
        self.last_output = Moment(self.started, 0.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        os.close(self._master)

    def cpu(self) -> float:
        """Return the CPU seconds that the program has used."""
        return time.clock_gettime(_cpu_clock(self._process.pid))

    def peak_mb(self) -> float:
        """Return the most memory that the program has had at once, in MB."""
        for line in Path(f"/proc/{self._process.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
        raise TimeUp("the program has ended")

    def send(self, data: bytes) -> float:
        """Type `data`, reading meanwhile; returns when it was begun."""
        begun = time.perf_counter()
        while data:
            readable, writable, _ = select.select([self._master], [self._master], [])
            if writable:
                data = data[os.write(self._master, data[:4096]) :]
            if readable and data:
                self._read()
        return begun

    def resize(self, columns: int, rows: int) -> float:
        """Change the size of the terminal; returns when."""
        self.screen.resize(columns, rows)
        begun = time.perf_counter()
        self._set_size(columns, rows)
        return begun

    def wait_for(self, text: str, seconds: float = _MORE_SECONDS) -> Moment:
        """Wait until `text` stands in a row of the screen."""
        return self.wait_until(
            lambda: any(text in line for line in self.screen.lines()), text, seconds
        )

    def wait_for_frame(self) -> Moment:
        """Wait for the end of another frame."""
        before = self.frames
        return self.wait_until(lambda: self.frames > before, "a frame")

    def wait_until(
        self, holds: Callable[[], bool], what: str, seconds: float = _MORE_SECONDS
    ) -> Moment:
        """Read until `holds`, which is asked after each piece of output; returns when that was read."""
        end = time.perf_counter() + seconds
        moment = self.last_output
        while not holds():
            if not self._wait(end - time.perf_counter()):
                screen = "\n".join(self.screen.lines())
                raise TimeUp(f"waited in vain for {what!r}; the screen is:\n{screen}")
            moment = self._read()
        return moment

    def read_until(self, end: float) -> None:
        """Read whatever comes until the time `end`."""
        while self._wait(end - time.perf_counter()):
            self._read()

    def settle(self, quiet: float) -> Moment:
        """Read until nothing has come for `quiet` seconds; returns when the last output came."""
        while self._wait(quiet):
            self._read()
        return self.last_output

    def _wait(self, seconds: float) -> bool:
        if seconds <= 0 or self._process.poll() is not None:
            return False
        return bool(select.select([self._master], [], [], seconds)[0])

    def _read(self) -> Moment:
        try:
            data = os.read(self._master, 65536)
        except OSError:
            data = b""  # the program has closed the terminal
            time.sleep(_POLL_SECONDS)
        at = time.perf_counter()
        self.last_output = Moment(at, self.cpu())
        self.bytes_read += len(data)
        self.frames += data.count(FRAME_END)
        self.screen.write(data)
        replies = b"".join(self.screen.replies)
        self.screen.replies.clear()
        if replies:
            os.write(self._master, replies)
        return self.last_output

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def _cpu_clock(pid: int) -> int:
    """Return the id of a process's CPU clock, as `clock_getcpuclockid` makes it."""
    return (~pid << 3) | 2


def _take_controlling_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
