"""A process that somebody else's fork made, used as if it were a `subprocess.Popen`."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from typing import IO, Any

Pipe = IO[bytes] | None


class WarmProcess:
    """What tests need of `subprocess.Popen`, for a process that is not our child.

    `reap` asks its parent for the exit status once it has ended. Until then its id stays its own.
    """

    def __init__(self, pid: int, pipes: Sequence[Pipe], reap: Callable[[int], int]) -> None:
        self.pid = pid
        # A number once the process has been waited for, and typed as in `Popen`.
        self.returncode: int | Any = None
        self.stdin, self.stdout, self.stderr = pipes
        self._reap = reap
        self._watch = os.pidfd_open(pid)

    def poll(self) -> int | None:
        """Return the exit status if the process has ended: `-signal` if one ended it."""
        return self._status(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end of the process; returns its exit status."""
        status = self._status(timeout)
        if status is None:
            raise self._expired(timeout)
        return status

    def communicate(
        self, data: bytes | None = None, timeout: float | None = None
    ) -> tuple[bytes, bytes]:
        """Write `data`, read both outputs to their end, and wait for the end of the process."""
        deadline = None if timeout is None else time.monotonic() + timeout
        heard = {pipe: bytearray() for pipe in (self.stdout, self.stderr) if pipe is not None}
        reading = list(heard)
        writing = [pipe for pipe in [self.stdin] if pipe is not None]
        while reading or writing:
            # No pipe may fill up while another is waited for.
            readable, writable, _ = select.select(reading, writing, [], _until(deadline))
            if not readable and not writable:
                raise self._expired(timeout)
            for pipe in writable:
                data = _write_some(pipe, data or b"")
                if not data:
                    writing.remove(pipe)
                    pipe.close()
            for pipe in readable:
                piece = os.read(pipe.fileno(), 65536)
                heard[pipe] += piece
                if not piece:
                    reading.remove(pipe)
        self.wait(_until(deadline))
        out, err = (
            b"" if pipe is None else bytes(heard[pipe]) for pipe in (self.stdout, self.stderr)
        )
        return out, err

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            signal.pidfd_send_signal(self._watch, number)

    def terminate(self) -> None:
        """Ask the process to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End the process."""
        self.send_signal(signal.SIGKILL)

    def _status(self, timeout: float | None) -> int | None:
        if self.returncode is None and _is_readable(self._watch, timeout):
            self.returncode = self._reap(self.pid)
            os.close(self._watch)
        return self.returncode

    def _expired(self, timeout: float | None) -> subprocess.TimeoutExpired:
        return subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0)


@cache
def can_watch_processes() -> bool:
    """Return whether descriptors of processes can be used: some systems and containers have none."""
    with suppress(AttributeError, OSError):
        watch = os.pidfd_open(os.getpid())
        try:
            signal.pidfd_send_signal(watch, 0)
        finally:
            os.close(watch)
        return True
    return False


def _write_some(pipe: IO[bytes], data: bytes) -> bytes:
    """Write what the pipe takes without waiting; returns what is left, which is nothing if nobody reads."""
    try:
        return data[os.write(pipe.fileno(), data[: select.PIPE_BUF]) :]
    except BrokenPipeError:
        return b""


def _is_readable(descriptor: int, timeout: float | None) -> bool:
    return bool(select.select([descriptor], [], [], timeout)[0])


def _until(deadline: float | None) -> float | None:
    return None if deadline is None else max(0.0, deadline - time.monotonic())
