"""The real terminal: urwid's raw screen with raw input, writes that never wait, and a sure way back.

urwid owns the file descriptor, the resize signal and the row diff. What it does not do is done here: a tty
mode without signals, what was typed before the start, end of input, a terminal that reads slowly.
"""

from __future__ import annotations

import asyncio
import atexit
import errno
import os
import select
import signal
import sys
import termios
from collections.abc import Callable, Hashable, Mapping
from pathlib import Path
from typing import TextIO

from urwid import AsyncioEventLoop
from urwid.display import raw
from urwid.display.common import InputClosedError
from urwid.util import set_encoding

from pi_tui.canvas import LineCanvas
from pi_tui.frame import Frame

_SYNC_START = "\x1b[?2026h"
_SYNC_END = "\x1b[?2026l"
_HIDE_CURSOR = "\x1b[?25l"
_SHOW_CURSOR = "\x1b[?25h"
_HOME = "\x1b[H"
_HOME_TWICE = "\x1b[H\x1b[1;1H"  # how urwid begins a frame

_GONE = frozenset({errno.EIO, errno.EPIPE, errno.ENXIO, errno.EBADF})
_LAST_WORDS_SECONDS = 0.5
_READ_LIMIT = 65536

_TtyMode = list[int | list[bytes | int]]


class ProcessTerminal:
    """The terminal this process was started on."""

    def __init__(
        self,
        input_file: TextIO | None = None,
        output_file: TextIO | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self._input = input_file if input_file is not None else sys.stdin
        self._output = output_file if output_file is not None else sys.stdout
        self._environ = os.environ if environ is None else environ
        self._screen: _RawScreen | None = None
        self._event_loop: AsyncioEventLoop | None = None
        self._saved_mode: _TtyMode | None = None
        self._writer = _Writer(self._output.fileno(), self._environ.get("PI_TUI_WRITE_LOG"))
        self._canvas: LineCanvas | None = None
        self._drawn: Frame | None = None
        self._cursor: tuple[tuple[int, int] | None, bool] = (None, False)
        self._last_words = ""
        self._on_closed: Callable[[], None] = lambda: None

    @property
    def columns(self) -> int:
        """Width in cells."""
        return self._size()[0]

    @property
    def rows(self) -> int:
        """Height in cells."""
        return self._size()[1]

    @property
    def is_busy(self) -> bool:
        """Whether output still waits for the terminal to read."""
        return self._writer.is_busy

    @property
    def is_gone(self) -> bool:
        """Whether the terminal hung up: nothing can be read from or written to it any more."""
        return self._writer.is_gone

    def start(
        self,
        on_input: Callable[[bytes], None],
        on_resize: Callable[[], None],
        on_closed: Callable[[], None],
        on_ready: Callable[[], None],
    ) -> None:
        """Take the terminal over. Needs a running loop; what was typed before is delivered first."""
        loop = asyncio.get_running_loop()
        set_encoding("utf-8")
        self._on_closed = on_closed
        typed_before = self._enter_raw_mode()
        atexit.register(self._write_last_words)
        self._writer.attach(loop, on_ready, self._closed)
        self._drawn = self._canvas = None
        self._cursor = (None, False)
        screen = _RawScreen(
            self._input, self._output, self._writer, on_input, on_resize, self._closed
        )
        self._screen = screen
        screen.start()
        self._event_loop = AsyncioEventLoop(loop=loop)
        screen.hook_event_loop(self._event_loop, lambda _keys, _codes: None)
        if typed_before:
            loop.call_soon(on_input, typed_before)

    def stop(self, last_words: str) -> None:
        """Write `last_words`, restore the settings found at the start. Safe to call twice."""
        screen, self._screen = self._screen, None
        if screen is None:
            return
        self._unhook(screen)
        self._writer.detach(last_words)
        screen.stop()
        self._leave_raw_mode()
        atexit.unregister(self._write_last_words)

    def set_last_words(self, last_words: str) -> None:
        """Name what is written should the process end without `stop`."""
        self._last_words = last_words

    def write(self, data: str) -> None:
        """Write a control sequence; dropped when the terminal is gone or not started."""
        if self._screen is not None:
            self._writer.send(data.encode("utf-8", "replace"))

    def draw(self, frame: Frame, show_cursor: bool) -> None:
        """Show a frame in one write; unchanged frames write nothing but a moved cursor."""
        screen = self._screen
        if screen is None:
            return
        if (
            self._drawn is None
            or self._drawn.columns != frame.columns
            or self._drawn.rows != frame.rows
        ):
            self._canvas = LineCanvas(frame.rows, frame.columns)
        self._drawn = frame
        canvas = self._canvas
        if canvas is None:
            return
        cursor = (frame.cursor, show_cursor and frame.cursor is not None)
        screen.cursor_was_visible = self._cursor[1]
        screen.cursor_move = _cursor_sequence(*cursor)
        screen.wrote_frame = False
        screen.draw_screen((frame.columns, len(frame.rows)), canvas)
        if not screen.wrote_frame and cursor != self._cursor:
            hide = _HIDE_CURSOR if self._cursor[1] and not cursor[1] else ""
            self._writer.send((hide + screen.cursor_move).encode())
        self._cursor = cursor

    def forget_frame(self) -> None:
        """Make the next `draw` write every row."""
        self._drawn = None
        if self._screen is not None:
            self._screen.clear()

    def _size(self) -> tuple[int, int]:
        for file in (self._output, self._input):
            try:
                columns, rows = os.get_terminal_size(file.fileno())
            except (OSError, ValueError):
                continue
            if columns > 0 and rows > 0:
                return columns, rows
        return _positive(self._environ.get("COLUMNS"), 80), _positive(
            self._environ.get("LINES"), 24
        )

    def _enter_raw_mode(self) -> bytes:
        """Turn off echo, lines, signals and flow control; return what was typed meanwhile.

        `TCSANOW`, because the other ways throw pending input away.
        """
        fd = self._input.fileno()
        try:
            self._saved_mode = termios.tcgetattr(fd)
            mode = termios.tcgetattr(fd)
        except termios.error:
            self._saved_mode = None
            return b""
        mode[0] &= ~(termios.ICRNL | termios.INLCR | termios.IGNCR | termios.IXON | termios.ISTRIP)
        mode[3] &= ~(termios.ECHO | termios.ICANON | termios.ISIG | termios.IEXTEN)
        mode[6][termios.VMIN] = 1
        mode[6][termios.VTIME] = 0
        termios.tcsetattr(fd, termios.TCSANOW, mode)
        return self._read_pending(fd)

    def _read_pending(self, fd: int) -> bytes:
        pending = b""
        while select.select([fd], [], [], 0)[0]:
            try:
                chunk = os.read(fd, _READ_LIMIT)
            except OSError:
                break
            if not chunk:
                break
            pending += chunk
        return pending

    def _leave_raw_mode(self) -> None:
        if self._saved_mode is None:
            return
        try:
            termios.tcsetattr(self._input.fileno(), termios.TCSANOW, self._saved_mode)
        except (termios.error, OSError, ValueError):
            pass  # the terminal is gone: there is nothing left to restore
        self._saved_mode = None

    def _unhook(self, screen: _RawScreen) -> None:
        if self._event_loop is not None:
            screen.unhook_event_loop(self._event_loop)
            self._event_loop = None

    def _closed(self) -> None:
        """Stop watching an input that has ended: it would be readable for ever."""
        if self._screen is not None:
            self._unhook(self._screen)
        self._on_closed()

    def _write_last_words(self) -> None:
        """Reset the terminal from an exit hook. Never raises."""
        if self._screen is None:
            return
        self._writer.write_now(self._last_words.encode("utf-8", "replace"))
        self._leave_raw_mode()


def _positive(text: str | None, default: int) -> int:
    try:
        value = int(text or "")
    except ValueError:
        return default
    return value if value > 0 else default


def _cursor_sequence(cursor: tuple[int, int] | None, visible: bool) -> str:
    if cursor is None:
        return ""
    return f"\x1b[{cursor[1] + 1};{cursor[0] + 1}H" + (_SHOW_CURSOR if visible else "")


class _RawScreen(raw.Screen):
    """urwid's screen without its own tty mode, queries and key decoding."""

    def __init__(
        self,
        input_file: TextIO,
        output_file: TextIO,
        writer: _Writer,
        on_input: Callable[[bytes], None],
        on_resize: Callable[[], None],
        on_closed: Callable[[], None],
    ) -> None:
        super().__init__(input_file, output_file, bracketed_paste_mode=False, focus_reporting=False)
        self._writer = writer
        self._on_input = on_input
        self._on_resize = on_resize
        self._on_input_closed = on_closed
        self.modes.synchronized_output = True
        self._setup_G1_done = True
        self.cursor_move = ""
        self.cursor_was_visible = False
        self.wrote_frame = False

    def _start(self, alternate_buffer: bool = True, *_args: object, **_kwargs: object) -> None:
        self._alternate_buffer = alternate_buffer
        self._rows_used = None
        self._next_timeout = self.max_wait
        self._previous_winch = signal.signal(signal.SIGWINCH, self._sigwinch_handler)

    def _stop(self) -> None:
        self.clear()
        previous = self._previous_winch
        signal.signal(signal.SIGWINCH, signal.SIG_DFL if previous is None else previous)

    def get_available_raw_input(self) -> list[int]:
        try:
            return super().get_available_raw_input()
        except (InputClosedError, OSError):
            self._on_input_closed()
            return []

    def parse_input(  # type: ignore[override]  # the bytes go to pi's own decoder, nothing comes back
        self,
        event_loop: object,
        callback: object,
        codes: list[int],
        wait_for_more: bool = True,
    ) -> None:
        if self._resized:
            self._resized = False
            self.screen_buf = None
            self._on_resize()
        if codes:
            self._on_input(bytes(codes))

    def _attr_to_escape(self, a: Hashable) -> str:
        return ""  # every row is complete in itself

    def write(self, data: str) -> None:
        """Send a frame: home once, and the cursor move inside the synchronized update."""
        if not data.startswith(_SYNC_START):
            self._writer.send(data.encode("utf-8", "replace"))
            return
        self.wrote_frame = True
        body = data[len(_SYNC_START) : -len(_SYNC_END)]
        hide = _HIDE_CURSOR if self.cursor_was_visible else ""
        body = hide + body.removeprefix(_HIDE_CURSOR).replace(_HOME_TWICE, _HOME, 1)
        frame = f"{_SYNC_START}{body}{self.cursor_move}{_SYNC_END}"
        self._writer.send(frame.encode("utf-8", "replace"))

    def flush(self) -> None:
        """Do nothing: `write` has sent everything."""


class _Writer:
    """Writes to the terminal without waiting for it. What does not fit waits here, in order.

    The descriptor is opened anew for non-blocking writes: the flag belongs to the open file, and the one
    given to us is shared with the shell.
    """

    def __init__(self, fd: int, log_path: str | None) -> None:
        self._shared_fd = fd
        self._fd = fd
        self._owns_fd = False
        self._pending = bytearray()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._watching = False
        self._on_ready: Callable[[], None] = lambda: None
        self._on_gone: Callable[[], None] = lambda: None
        self._log_path = Path(log_path) if log_path else None
        self.is_gone = False

    @property
    def is_busy(self) -> bool:
        return bool(self._pending)

    def attach(
        self,
        loop: asyncio.AbstractEventLoop,
        on_ready: Callable[[], None],
        on_gone: Callable[[], None],
    ) -> None:
        self._loop, self._on_ready, self._on_gone = loop, on_ready, on_gone
        self._pending.clear()
        if not self._owns_fd:
            try:
                name = os.ttyname(self._shared_fd)
                self._fd = os.open(name, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
                self._owns_fd = True
            except OSError:
                self._fd = self._shared_fd

    def send(self, data: bytes) -> None:
        if self.is_gone or not data:
            return
        self._log(data)
        if self._pending:
            self._pending += data
            return
        self._pending += data[self._write(data) :]
        if self._pending and not self.is_gone:
            self._watch()

    def detach(self, last_words: str) -> None:
        """Write what waits and `last_words`, for a bounded time; then stop watching."""
        self._unwatch()
        self._loop = None
        data = bytes(self._pending) + last_words.encode("utf-8", "replace")
        self._log(last_words.encode("utf-8", "replace"))
        self._pending.clear()
        self._write_bounded(data)
        if self._owns_fd:
            os.close(self._fd)
            self._owns_fd = False
            self._fd = self._shared_fd

    def write_now(self, data: bytes) -> None:
        self._write_bounded(bytes(self._pending) + data)
        self._pending.clear()

    def _write_bounded(self, data: bytes) -> None:
        """Write all of `data` unless the terminal does not read for half a second."""
        view = memoryview(data)
        while view and not self.is_gone:
            try:
                if not select.select([], [self._fd], [], _LAST_WORDS_SECONDS)[1]:
                    return
            except (OSError, ValueError):
                return
            view = view[self._write(bytes(view[:4096])) :]

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
        taken = self._write(bytes(self._pending))
        del self._pending[:taken]
        if not self._pending or self.is_gone:
            self._pending.clear()
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
