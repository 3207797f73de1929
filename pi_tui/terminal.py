"""The real terminal: urwid's raw screen with raw input, writes that never wait, and a sure way back.

urwid owns the file descriptor, the resize signal and the writing of frames. What it does not do is done here: a
tty mode without signals, what was typed before the start, end of input, a terminal that reads slowly, rows of
which a part changed.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import select
import signal
import sys
import termios
import time
from collections.abc import Callable, Hashable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from types import FrameType, TracebackType
from typing import TextIO

from pi_tui.canvas import LineCanvas
from pi_tui.frame import Frame
from pi_tui.process_signals import is_main_thread
from pi_tui.row_patch import RowPatch, blank_row, find_moved_rows, patch_row
from pi_tui.terminal_writer import TerminalWriter
from pi_tui.urwid_parts import Screen, set_encoding

_SYNC_START = "\x1b[?2026h"
_SYNC_END = "\x1b[?2026l"
_HIDE_CURSOR = "\x1b[?25l"
_SHOW_CURSOR = "\x1b[?25h"
_HOME_TWICE = "\x1b[H\x1b[1;1H"  # how urwid begins a frame
_RESET = b"\x1b[0m"
_ERASE = b"\x1b[0m\x1b[K"
_BACK_LIMIT = 3
# When more rows than this change there is little in them that stays, and looking for it takes time.
_PAGE_ROWS = 12

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
        self._saved_mode: _TtyMode | None = None
        self._writer = TerminalWriter(self._output.fileno(), _write_log(self._environ))
        self._written = b""  # for the last frame
        self._drawn: Frame | None = None
        self._cursor: tuple[tuple[int, int] | None, bool] = (None, False)
        self._last_words = ""
        self._has_left = False
        self._hook_before = sys.excepthook
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
        self._drawn = None
        self._cursor = (None, False)
        with ExitStack() as undo:  # whatever fails half-way, the shell gets its terminal back
            undo.callback(self._leave_raw_mode)
            typed_before = self._enter_raw_mode()
            undo.callback(self._unhook)
            self._hook()
            undo.callback(self._writer.detach, b"", b"")
            self._writer.attach(loop, on_ready, self._closed)
            screen = _RawScreen(
                self._input, self._output, self._writer, on_input, on_resize, self._closed
            )
            undo.callback(screen.stop)
            screen.start()
            undo.callback(screen.unwatch)
            screen.watch(loop)
            undo.pop_all()
        self._screen = screen
        if typed_before:
            loop.call_soon(on_input, typed_before)

    def stop(self, leave: str, farewell: str = "") -> None:
        """Write `leave` and `farewell`, restore the settings found at the start. Safe to call twice.

        A terminal that reads nothing is waited for, for the farewell only a moment.
        """
        screen, self._screen = self._screen, None
        if screen is None:
            return
        screen.unwatch()
        self._writer.detach(_encoded("" if self._has_left else leave), _encoded(farewell))
        screen.stop()
        self._leave_raw_mode()
        self._unhook()

    def set_last_words(self, last_words: str) -> None:
        """Name what is written should the process end without `stop`."""
        self._last_words = last_words

    def write_last_words(self, farewell: str = "") -> None:
        """Reset the terminal from an exit hook or another thread, then write `farewell`. Twice is as good as once."""
        if self._screen is None or self._has_left:
            return
        self._has_left = True
        self._writer.write_now(_encoded(self._last_words + farewell))
        self._leave_raw_mode()

    def write(self, data: str) -> None:
        """Write a control sequence; dropped when the terminal is gone or not started."""
        if self._screen is not None and not self._has_left:
            self._writer.send(_encoded(data))

    def draw(self, frame: Frame, show_cursor: bool) -> None:
        """Show a frame in one write; unchanged frames write nothing but a moved cursor."""
        screen = self._screen
        if screen is None or self._has_left:
            return
        drawn = self._drawn if screen.screen_buf else None
        behind = None
        if drawn is None or drawn.columns != frame.columns or len(drawn.rows) != len(frame.rows):
            changes = b"".join(_whole_row(y, row) for y, row in enumerate(frame.rows))
        else:
            changes, behind = self._changes(drawn, frame)
        if frame.before or frame.after:
            changes, behind = frame.before.encode() + changes + frame.after.encode(), None
        self._drawn = frame
        cursor = (frame.cursor, show_cursor and frame.cursor is not None)
        screen.cursor_was_visible = self._cursor[1]
        screen.cursor_move = _cursor_sequence(*cursor, behind)
        if changes:
            # To urwid all of it is one row, which is new: it compares no row a second time.
            self._written = changes + _RESET if changes == self._written else changes
            screen.draw_screen((frame.columns, 1), LineCanvas([self._written], frame.columns))
        elif cursor != self._cursor:
            hide = _HIDE_CURSOR if self._cursor[1] and not cursor[1] else ""
            self._writer.send((hide + screen.cursor_move).encode())
        self._cursor = cursor

    def _changes(self, drawn: Frame, frame: Frame) -> tuple[bytes, tuple[int, int] | None]:
        """Return what makes one frame of another, and where the cursor will stand, if that is known."""
        rows, changes, behind = drawn.rows, b"", None
        if rows == frame.rows:
            return changes, behind
        # Terminals disagree whether a picture moves with its rows.
        moved = None if frame.has_images else find_moved_rows(rows, frame.rows)
        if moved is not None:
            changes = moved.sequence()
            rows = moved.rows_after(rows, blank_row(frame.columns))
        changed = [y for y, row in enumerate(frame.rows) if row != rows[y]]
        if len(changed) > _PAGE_ROWS:
            return changes + b"".join(_whole_row(y, frame.rows[y]) for y in changed), behind
        for y in changed:
            patch = patch_row(rows[y], frame.rows[y])
            changes += _run(y, patch)
            behind = _behind(patch, y, frame.columns)
        return changes, behind

    def forget_frame(self) -> None:
        """Make the next `draw` write every row."""
        self._drawn = None
        if self._screen is not None:
            self._screen.clear()

    def _hook(self) -> None:
        """Reset the terminal whatever ends the process, and before an error that nobody caught is printed."""
        self._hook_before = sys.excepthook
        sys.excepthook = self._uncaught
        atexit.register(self.write_last_words)

    def _unhook(self) -> None:
        atexit.unregister(self.write_last_words)
        if sys.excepthook == self._uncaught:
            sys.excepthook = self._hook_before

    def _uncaught(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        self.write_last_words()
        self._hook_before(kind, error, trace)

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
        enter_was_newline = bool(mode[0] & termios.ICRNL)
        mode[0] &= ~(termios.ICRNL | termios.INLCR | termios.IGNCR | termios.IXON | termios.ISTRIP)
        mode[3] &= ~(termios.ECHO | termios.ICANON | termios.ISIG | termios.IEXTEN)
        mode[6][termios.VMIN] = 1
        mode[6][termios.VTIME] = 0
        termios.tcsetattr(fd, termios.TCSANOW, mode)
        typed = self._read_pending(fd)
        return typed.replace(b"\n", b"\r") if enter_was_newline else typed

    def _read_pending(self, fd: int) -> bytes:
        pending = b""
        while _is_readable(fd):
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

    def _closed(self) -> None:
        """Stop watching an input that has ended: it would be readable for ever."""
        if self._screen is not None:
            self._screen.unwatch()
        self._on_closed()


def _write_log(environ: Mapping[str, str]) -> Path | None:
    """Return the file that gets all that is written: in a folder one for each process."""
    named = environ.get("PI_TUI_WRITE_LOG")
    if not named:
        return None
    path = Path(named).expanduser()
    if not path.is_dir():
        return path
    return path / time.strftime(f"tui-%Y-%m-%d_%H-%M-%S-{os.getpid()}.log")


def _positive(text: str | None, default: int) -> int:
    try:
        value = int(text or "")
    except ValueError:
        return default
    return value if value > 0 else default


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _is_readable(fd: int) -> bool:
    """Whether a read would not wait. `select` does not take descriptors above 1023."""
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(0))


def _at(column: int, row: int) -> bytes:
    return b"\x1b[%d;%dH" % (row + 1, column + 1)


def _whole_row(row: int, data: bytes) -> bytes:
    """Return what writes a row from its first column on."""
    return _run(row, RowPatch(0, data, None))


def _run(row: int, patch: RowPatch) -> bytes:
    """Return what writes a patch in its place.

    Of some characters terminals disagree how wide they are. Where one thinks less than we do, what stood at the
    end of the row would stay: it is erased first.
    """
    erase = b"" if patch.data.isascii() else _ERASE
    return _at(patch.column, row) + erase + patch.data


def _behind(patch: RowPatch, row: int, columns: int) -> tuple[int, int] | None:
    """Return the cell behind a patch, where the cursor stands unless it waits at the edge."""
    return (patch.end, row) if patch.end is not None and patch.end < columns else None


def _cursor_sequence(
    cursor: tuple[int, int] | None, visible: bool, behind: tuple[int, int] | None
) -> str:
    """Return what moves the cursor to its cell; `behind` is the one it is in, if that is known."""
    if cursor is None:
        return ""
    show = _SHOW_CURSOR if visible else ""
    if behind is not None and behind[1] == cursor[1]:
        back = behind[0] - cursor[0]
        if 0 <= back <= _BACK_LIMIT:
            return "\b" * back + show
    return f"\x1b[{cursor[1] + 1};{cursor[0] + 1}H" + show


class _RawScreen(Screen):
    """urwid's screen without its own tty mode, queries and key decoding."""

    def __init__(
        self,
        input_file: TextIO,
        output_file: TextIO,
        writer: TerminalWriter,
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
        self._loop: asyncio.AbstractEventLoop | None = None
        self._previous_winch: Callable[[int, FrameType | None], object] | int | None = None
        self.cursor_move = ""
        self.cursor_was_visible = False

    def __del__(self) -> None:
        with suppress(
            AttributeError
        ):  # there are no descriptors to close when there were none to open
            super().__del__()

    def _start(self, alternate_buffer: bool = True, *_args: object, **_kwargs: object) -> None:
        self._alternate_buffer = alternate_buffer
        self._rows_used = None
        self._next_timeout = self.max_wait
        if is_main_thread():
            previous = signal.signal(signal.SIGWINCH, self._sigwinch_handler)
            self._previous_winch = signal.SIG_DFL if previous is None else previous

    def _stop(self) -> None:
        self.clear()
        previous, self._previous_winch = self._previous_winch, None
        if previous is not None:
            signal.signal(signal.SIGWINCH, previous)

    def watch(self, loop: asyncio.AbstractEventLoop) -> None:
        """Take input as it comes, until `unwatch`. A changed size is told through a descriptor of its own."""
        self._loop = loop
        for file in self.get_input_descriptors():
            loop.add_reader(file, self._take_input)

    def unwatch(self) -> None:
        """Leave the input alone. Safe to call twice."""
        loop, self._loop = self._loop, None
        if loop is not None and not loop.is_closed():
            for file in self.get_input_descriptors():
                loop.remove_reader(file)

    def _take_input(self) -> None:
        with suppress(BlockingIOError):
            while self._resize_pipe_rd.recv(_READ_LIMIT):
                pass
        typed = self._read_typed()
        if self._resized:
            self._resized = False
            self.screen_buf = None
            self._on_resize()
        if typed:
            self._on_input(typed)

    def _read_typed(self) -> bytes:
        """Return what was typed, without waiting; tell of the end of the input."""
        fd = self._term_input_file.fileno()
        try:
            if not _is_readable(fd):
                return b""
            typed = os.read(fd, _READ_LIMIT)
        except OSError:
            typed = b""
        if not typed:
            self._on_input_closed()
        return typed

    def _attr_to_escape(self, a: Hashable) -> str:
        return ""  # every row is complete in itself

    def write(self, data: str) -> None:
        """Send a frame: no moves but its own, and the cursor's inside the synchronized update."""
        if not data.startswith(_SYNC_START):
            self._writer.send(_encoded(data))
            return
        body = data[len(_SYNC_START) : -len(_SYNC_END)]
        hide = _HIDE_CURSOR if self.cursor_was_visible else ""
        body = body.removeprefix(_HIDE_CURSOR).removeprefix(_HOME_TWICE)
        frame = f"{_SYNC_START}{hide}{body}{self.cursor_move}{_SYNC_END}"
        self._writer.send(_encoded(frame), is_frame=True)

    def flush(self) -> None:
        """Do nothing: `write` has sent everything."""
