"""Asking a terminal what it is and what it can do, without a screen and without an event loop.

All questions are sent at once, and one that every terminal answers comes last: what was not answered before it
never will be. What a terminal makes visible of a question it does not know is erased again.
"""

from __future__ import annotations

import os
import re
import select
import signal
import termios
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import field
from types import FrameType, TracebackType
from typing import Final, Self

from pi_tui.frozen import slotted
from pi_tui.input_buffer import InputBuffer, Piece
from pi_tui.negotiation import DEVICE_ATTRIBUTES_QUERY
from pi_tui.replies import (
    TerminalReply,
    parse_control_reply,
    parse_reported_color,
    parse_string_reply,
)

# Modes that are asked for: mouse reports in cells, bracketed paste, frames shown at once, reports of light and dark.
MOUSE_MODE: Final = 1006
PASTE_MODE: Final = 2004
SYNC_MODE: Final = 2026
COLOR_SCHEME_MODE: Final = 2031

_MODES: Final = (MOUSE_MODE, PASTE_MODE, SYNC_MODE, COLOR_SCHEME_MODE)
_POSITION: Final = "\x1b[6n"
# A character of three bytes, that East Asian terminals may show in two cells.
_SAMPLE: Final = "─"
_QUESTIONS: Final = (
    "\x1b[>q",
    "\x1b[?u",
    *(f"\x1b[?{mode}$p" for mode in _MODES),
    "\x1b[16t",
    "\x1b]10;?\x07",
    "\x1b]11;?\x07",
)
# A picture of one dot, and which style holds after a colour was set that only some terminals know.
_GRAPHICS: Final = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\"
_TRUE_COLOR: Final = "\x1b[48;2;1;2;3m\x1bP$qm\x1b\\\x1b[0m"
_EXACT_COLOR: Final = re.compile(r"48[:;]2[:;]+(?:0[:;])?1[:;]2[:;]3(?:[:;m]|$)")
_REMEMBER: Final = "\x1b7"
_TIDY: Final = "\x1b8\x1b[K"

_UNKNOWN_MODE: Final = 0
_STUCK_ON: Final = 4  # "permanently reset": the terminal knows the mode, and never turns it on
# What is typed behind the last answer belongs to whoever reads next.
_READ_LIMIT: Final = 1

_TtyMode = list[int | list[bytes | int]]
_Rgb = tuple[int, int, int]


@slotted
class TerminalAnswers:
    """What a terminal said. `is_complete`: it has answered the last question, so the rest it does not know.

    `sample_cells` is how many cells a character took that is one wide, or two in East Asian fonts; three where the
    terminal takes UTF-8 for something else.
    """

    is_complete: bool = False
    name: str = ""
    attributes: frozenset[int] = frozenset()
    has_kitty_keyboard: bool = False
    modes: dict[int, int] = field(default_factory=dict)
    foreground: _Rgb | None = None
    background: _Rgb | None = None
    cell_size: tuple[int, int] | None = None
    has_kitty_graphics: bool = False
    has_true_color: bool = False
    sample_cells: int | None = None

    def can(self, mode: int) -> bool:
        """Return whether a mode can be turned on, as far as the terminal says."""
        return self.modes.get(mode, _UNKNOWN_MODE) not in (_UNKNOWN_MODE, _STUCK_ON)


class TerminalInquiry:
    """One round of questions to the terminal behind a descriptor. Use it as a context manager.

    Meanwhile the terminal shows nothing of what is typed or answered. What comes after the time for `answers` is
    thrown away at the end, so that it does not get into the next command line.
    """

    def __init__(self, descriptor: int, environ: Mapping[str, str]) -> None:
        self._descriptor = descriptor
        self._environ = environ
        self._saved: _TtyMode | None = None
        self._buffer = InputBuffer(environ)
        self._answers = TerminalAnswers()
        self._columns: list[int] = []
        self._is_asked = False
        self._interrupted: Callable[[int, FrameType | None], object] | None = None

    def __enter__(self) -> Self:
        self._saved = termios.tcgetattr(self._descriptor)
        mode = termios.tcgetattr(self._descriptor)
        mode[3] &= ~(termios.ECHO | termios.ICANON)
        mode[6][termios.VMIN] = 1
        mode[6][termios.VTIME] = 0
        self._watch_for_interrupt()
        termios.tcsetattr(self._descriptor, termios.TCSANOW, mode)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._restore()
        if self._interrupted is not None:
            signal.signal(signal.SIGINT, self._interrupted)

    def _watch_for_interrupt(self) -> None:
        """Let Ctrl+C give the terminal back first: it may raise anywhere, at the beginning of `__exit__`, too."""
        handler = signal.getsignal(signal.SIGINT)
        if callable(handler) and threading.current_thread() is threading.main_thread():
            self._interrupted = handler
            signal.signal(signal.SIGINT, self._on_interrupt)

    def _on_interrupt(self, number: int, frame: FrameType | None) -> None:
        self._restore()
        if self._interrupted is not None:
            signal.signal(signal.SIGINT, self._interrupted)
            self._interrupted(number, frame)

    def _restore(self) -> None:
        if self._saved is None:
            return
        try:
            if self._is_asked and not self._answers.is_complete:
                termios.tcflush(self._descriptor, termios.TCIFLUSH)
            termios.tcsetattr(self._descriptor, termios.TCSANOW, self._saved)
        except termios.error:
            pass  # the terminal is gone

    def ask(self) -> bool:
        """Send the questions; `False` if something has been typed before, which reading replies would lose."""
        if self._is_ready(select.POLLIN, 0):
            return False
        if not self._is_ready(select.POLLOUT, 0):
            return True  # it is stopped, and will not answer
        position = _POSITION + _SAMPLE + _POSITION
        others = "" if self._is_in_multiplexer() else _GRAPHICS + _TRUE_COLOR
        questions = (_REMEMBER, position, *_QUESTIONS, others, _TIDY, DEVICE_ATTRIBUTES_QUERY)
        os.write(self._descriptor, "".join(questions).encode())
        self._is_asked = True
        return True

    def answers(self, seconds: float) -> TerminalAnswers:
        """Return what has been answered, as soon as that is all, or after `seconds`."""
        deadline = time.monotonic() + seconds
        while self._is_asked and not self._answers.is_complete:
            if not self._is_ready(select.POLLIN, max(0.0, deadline - time.monotonic())):
                break
            data = self._read()
            if not data:
                break
            self._take(data)
        return self._answers

    def _is_in_multiplexer(self) -> bool:
        """Whether tmux or GNU screen would take control strings for a title, or for what to hand on."""
        return bool(
            self._environ.get("TMUX")
            or self._environ.get("STY")
            or self._environ.get("TERM", "").startswith(("tmux", "screen"))
        )

    def _is_ready(self, event: int, seconds: float) -> bool:
        poll = select.poll()
        poll.register(self._descriptor, event)
        return any(found & event for _, found in poll.poll(seconds * 1000))

    def _read(self) -> bytes:
        try:
            return os.read(self._descriptor, _READ_LIMIT)
        except OSError:
            return b""

    def _take(self, data: bytes) -> None:
        self._buffer.add(data)
        while (piece := self._buffer.next_piece()) is not None:
            for reply in _replies(piece):
                self._note(reply)

    def _note(self, reply: TerminalReply) -> None:
        answers, numbers = self._answers, reply.numbers
        match reply.kind:
            case "device_attributes":
                answers.is_complete = True
                answers.attributes = frozenset(numbers)
            case "terminal_name":
                answers.name = reply.data
            case "kitty_flags":
                answers.has_kitty_keyboard = True
            case "mode" if len(numbers) == 2:
                answers.modes[numbers[0]] = numbers[1]
            case "foreground":
                answers.foreground = parse_reported_color(reply.data)
            case "background":
                answers.background = parse_reported_color(reply.data)
            case "cell_size" if len(numbers) == 2:
                answers.cell_size = (numbers[1], numbers[0])
            case "graphics":
                answers.has_kitty_graphics = reply.data.endswith(";OK")
            case "setting":
                answers.has_true_color = _EXACT_COLOR.search(reply.data) is not None
            case "cursor_position" if len(numbers) == 2:
                self._note_column(numbers[1])

    def _note_column(self, column: int) -> None:
        self._columns.append(column)
        if len(self._columns) == 2:
            self._answers.sample_cells = self._columns[1] - self._columns[0]


def _replies(piece: Piece) -> list[TerminalReply]:
    if piece.kind == "string":
        return parse_string_reply(piece.data)
    reply = parse_control_reply(piece.data) if piece.kind == "control" else None
    return [reply] if reply is not None else []
