"""Run a program under a real pseudo-terminal, with a `GridTerminal` as the screen.

A thread reads the program's output all the time, so that a program never blocks on a full terminal, and sends
back what the terminal answers. Waiting is for a condition on the screen, never for time to pass.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
import struct
import subprocess
import termios
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pi_tui.emulator import GridTerminal
from tests.warm_start import Process, can_start_warm, start_warm

# The variables of the tests' own environment that a program may see: the rest would tell it about the terminal,
# the agent settings and the keys of whoever runs the tests.
_KEPT_VARIABLES = ("HOME", "LANG", "LC_ALL", "PATH", "PYTHONPATH", "TMPDIR", "VIRTUAL_ENV")

# `tcgetattr`'s list: iflag, oflag, cflag, lflag, ispeed, ospeed, cc.
Termios = list[Any]


class PtySession:
    """A running program, its screen and its terminal settings. Use it as a context manager.

    `env` is added to a small clean environment. `answers` are those of `GridTerminal`. Hold `lock` while reading
    more than one thing from `terminal`, or read inside `wait_until`.
    """

    def __init__(
        self,
        argv: Sequence[str | Path],
        *,
        columns: int = 80,
        rows: int = 24,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        answers: Iterable[str] | Mapping[str, str] = (),
    ) -> None:
        self.terminal = GridTerminal(columns, rows, answers=answers)
        self.lock = threading.Condition()
        self._reading = threading.Lock()
        self._output = bytearray()
        self._ended = False
        self._stop_reader, self._wake_reader = os.pipe()
        self._master, slave = os.openpty()
        try:
            self._set_size(columns, rows)
            self.termios_before: Termios = termios.tcgetattr(self._master)
            self._process = _start(argv, slave, cwd, _environment(env or {}))
        except BaseException:
            for descriptor in (self._master, self._stop_reader, self._wake_reader):
                os.close(descriptor)
            raise
        finally:
            os.close(slave)
        self._reader = threading.Thread(target=self._read, name="pty reader", daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """The program's process id, which is also its process group and session."""
        return self._process.pid

    @property
    def output(self) -> bytes:
        """All that the program has written so far."""
        with self.lock:
            return bytes(self._output)

    def lines(self) -> list[str]:
        """Return the rows on screen."""
        with self.lock:
            return self.terminal.lines()

    def termios_now(self) -> Termios:
        """Return the terminal settings as they are, also after the program has ended."""
        return termios.tcgetattr(self._master)

    def send(self, data: bytes) -> None:
        """Type `data`; blocks while the program does not read."""
        while data:
            data = data[os.write(self._master, data) :]

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of screen and terminal; the kernel sends SIGWINCH."""
        with self.lock:
            self.terminal.resize(columns, rows)
        self._set_size(columns, rows)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the program, not to its group."""
        self._process.send_signal(number)

    def foreground_group(self) -> int:
        """Return the process group that has the terminal."""
        return os.tcgetpgrp(self._master)

    def wait_for(self, text: str, timeout: float = 20) -> None:
        """Wait until `text` stands in one row of the screen."""
        self.wait_until(
            lambda terminal: any(text in line for line in terminal.lines()),
            timeout,
            what=f"{text!r} on the screen",
        )

    def wait_until(
        self,
        predicate: Callable[[GridTerminal], bool],
        timeout: float = 20,
        *,
        what: str = "the condition",
    ) -> None:
        """Wait until `predicate` holds, which is asked after each piece of output.

        Raises `AssertionError` with the screen when time is up or the output has ended without it.
        """
        with self.lock:
            self.lock.wait_for(lambda: predicate(self.terminal) or self._ended, timeout)
            if not predicate(self.terminal):
                end = "The output ended" if self._ended else f"{timeout} s went by"
                raise AssertionError(f"{end} without {what}. Screen:\n{self._screen()}")

    def wait_exit(self, timeout: float = 20) -> int:
        """Wait for the end of the program and of its output; returns its status (`-signal` if killed by one)."""
        try:
            status = self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            with self.lock:
                screen = self._screen()
            raise AssertionError(f"still running after {timeout} s. Screen:\n{screen}") from None
        self._reader.join(timeout)
        return status

    @contextmanager
    def not_reading(self) -> Iterator[None]:
        """Be a terminal that reads nothing for a while: the program's output fills up."""
        with self._reading:
            yield

    def hang_up(self) -> None:
        """Take the terminal away: the program gets SIGHUP, and errors when it reads or writes."""
        self._stop_reading()
        os.close(self._master)
        self._master = -1

    def close(self) -> None:
        """Kill the program and what it started, and wait for it; safe to call twice."""
        if self._master < 0:
            if self._process.poll() is None:
                self._process.kill()
                self._process.wait()
            return
        self._kill_groups()
        self._process.wait()
        self._stop_reading()
        os.close(self._master)
        self._master = -1

    def _stop_reading(self) -> None:
        os.close(self._wake_reader)
        self._reader.join()
        os.close(self._stop_reader)

    def _kill_groups(self) -> None:
        """Kill the program's process group, and the one in the foreground if a shell made it.

        The program is not reaped before, unless it has ended, so its id cannot belong to someone else.
        """
        groups = set() if self._process.poll() is not None else {self.pid}
        with suppress(OSError):  # no process has the terminal any more
            groups.add(os.tcgetpgrp(self._master))
        for group in groups - {0, os.getpgrp()}:
            with suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)

    def _read(self) -> None:
        """Feed the screen until the program's end closes the terminal or `close` wakes this up."""
        while True:
            ready, _, _ = select.select([self._master, self._stop_reader], [], [])
            with self._reading:
                pass
            data = b"" if self._stop_reader in ready else _read_some(self._master)
            with self.lock:
                self._output += data
                self.terminal.write(data)
                replies = b"".join(self.terminal.replies)
                self.terminal.replies.clear()
                self._ended = not data
                self.lock.notify_all()
            if not data:
                return
            with suppress(OSError):  # the program may have ended meanwhile
                self.send(replies)

    def _screen(self) -> str:
        return "\n".join(f"|{line}" for line in self.terminal.lines())

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def has_ended(pidfd: int, timeout: float = 10) -> bool:
    """Wait until the process of a descriptor (`os.pidfd_open`), which is closed, has ended; `False` if it does not."""
    readable, _, _ = select.select([pidfd], [], [], timeout)
    os.close(pidfd)
    return bool(readable)


def _read_some(descriptor: int) -> bytes:
    """Read what is there; empty at the end, which Linux reports as an error on a pseudo-terminal."""
    try:
        return os.read(descriptor, 65536)
    except OSError:
        return b""


def _start(
    argv: Sequence[str | Path], terminal: int, cwd: Path | None, env: Mapping[str, str]
) -> Process:
    """Start the program in a session of its own on the terminal."""
    if can_start_warm(argv, env):
        return start_warm(
            argv,
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            cwd=cwd,
            env=env,
            has_terminal=True,
        )
    return subprocess.Popen(
        argv,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        cwd=cwd,
        env=env,
        start_new_session=True,
        preexec_fn=_take_controlling_terminal,
    )


def _take_controlling_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    # Whoever runs the tests in the background ignores it, and so would the program.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _environment(extra: Mapping[str, str]) -> dict[str, str]:
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    return {"TERM": "xterm-256color", **kept, **extra}
