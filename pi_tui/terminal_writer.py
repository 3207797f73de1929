"""Writing to a terminal that may read slowly: nothing waits while the program runs, little at its end."""

from __future__ import annotations

import asyncio
import errno
import os
import select
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from pi_tui.frozen import slotted

_CANCEL = b"\x18"  # ends a control sequence that was cut, without effect
# How long a terminal that reads nothing is waited for: without the first the shell is unusable, the second is a
# courtesy.
_LEAVE_SECONDS = 4.0
_FAREWELL_SECONDS = 1.0
_PIECE = 4096
_GONE = frozenset({errno.EIO, errno.EPIPE, errno.ENXIO, errno.EBADF})


@slotted
class _Waiting:
    """Output that the terminal has not taken yet."""

    data: bytes
    is_frame: bool
    is_cut: bool = False


class TerminalWriter:
    """Writes to the terminal without waiting for it. What does not fit waits here, in order.

    The descriptor is opened anew for non-blocking writes: the flag belongs to the open file, and the one
    given to us is shared with the shell.
    """

    def __init__(self, fd: int, log_path: Path | None) -> None:
        self._shared_fd = fd
        self._fd = fd
        self._owns_fd = False
        self._waiting: deque[_Waiting] = deque()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._watching = False
        self._on_ready: Callable[[], None] = lambda: None
        self._on_gone: Callable[[], None] = lambda: None
        self._log_path = log_path
        self.is_gone = False

    @property
    def is_busy(self) -> bool:
        """Whether output waits for the terminal to read."""
        return bool(self._waiting)

    def attach(
        self,
        loop: asyncio.AbstractEventLoop,
        on_ready: Callable[[], None],
        on_gone: Callable[[], None],
    ) -> None:
        """Begin to write; `on_ready` is called when all that waited is written."""
        self._loop, self._on_ready, self._on_gone = loop, on_ready, on_gone
        self._waiting.clear()
        if not self._owns_fd:
            try:
                name = os.ttyname(self._shared_fd)
                self._fd = os.open(name, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
                self._owns_fd = True
            except OSError:
                self._fd = self._shared_fd

    def send(self, data: bytes, is_frame: bool = False) -> None:
        """Write as much as the terminal takes now, the rest later. A frame may be cut at the end."""
        if self.is_gone or not data:
            return
        self._log(data)
        taken = 0 if self._waiting else self._write(data)
        if taken < len(data) and not self.is_gone:
            self._waiting.append(_Waiting(data[taken:], is_frame, taken > 0))
            self._watch()

    def detach(self, leave: bytes, farewell: bytes) -> None:
        """Write `leave`, then `farewell`, each for a bounded time; then stop writing."""
        self._unwatch()
        self._loop = None
        self._log(leave + farewell)
        if self.write_now(leave):
            self._write_until(farewell, _FAREWELL_SECONDS)
        if self._owns_fd:
            os.close(self._fd)
            self._owns_fd = False
            self._fd = self._shared_fd

    def write_now(self, leave: bytes) -> bool:
        """Write `leave` in place of waiting frames; tell whether the terminal took it in time."""
        before = b"".join(
            (_CANCEL if waiting.is_cut else b"") if waiting.is_frame else waiting.data
            for waiting in self._waiting
        )
        self._waiting.clear()
        return self._write_until(before + leave, _LEAVE_SECONDS)

    def _write_until(self, data: bytes, seconds: float) -> bool:
        """Write all of `data`, or what the terminal takes in so many seconds."""
        deadline = time.monotonic() + seconds
        poll = select.poll()
        poll.register(self._fd, select.POLLOUT)
        view = memoryview(data)
        while view and not self.is_gone:
            if not poll.poll(max(0, deadline - time.monotonic()) * 1000):
                return False
            view = view[self._write(bytes(view[:_PIECE])) :]
        return not self.is_gone

    def _write(self, data: bytes) -> int:
        """Return how many bytes the terminal took."""
        try:
            return os.write(self._fd, data)
        except BlockingIOError:
            return 0
        except OSError as error:
            if error.errno not in _GONE:
                raise
            self.is_gone = True
            self._unwatch()
            if self._loop is not None:
                self._loop.call_soon(self._on_gone)
            return len(data)

    def _watch(self) -> None:
        if self._loop is not None and not self._watching:
            self._watching = True
            self._loop.add_writer(self._fd, self._continue)

    def _unwatch(self) -> None:
        if self._loop is not None and self._watching:
            self._loop.remove_writer(self._fd)
        self._watching = False

    def _continue(self) -> None:
        first = self._waiting[0]
        taken = self._write(first.data)
        if taken < len(first.data):
            first.data = first.data[taken:]
            first.is_cut = first.is_cut or taken > 0
            return
        self._waiting.popleft()
        if not self._waiting or self.is_gone:
            self._waiting.clear()
            self._unwatch()
            self._on_ready()

    def _log(self, data: bytes) -> None:
        if self._log_path is None:
            return
        try:
            with self._log_path.open("ab") as log:
                log.write(data)
        except OSError:
            self._log_path = None
