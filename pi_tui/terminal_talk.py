"""What a program says to the terminal besides its screen, and what the terminal says of itself.

All that was said is taken back when the terminal is given back, and said again when it is taken over again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from pi_tui.capabilities import get_capabilities, learn_device_attributes
from pi_tui.cell_size import CELL_SIZE_QUERY, set_cell_size
from pi_tui.color_scheme import SchemeListener, SchemeReports
from pi_tui.program_status import (
    BlockedKind,
    ProgramState,
    ProgramStatus,
    program_status_sequence,
)
from pi_tui.replies import TerminalReply
from pi_tui.terminal_protocol import Terminal
from pi_tui.window_progress import WindowProgress
from pi_tui.window_title import WindowTitle


class TerminalTalk:
    """The part of a screen that talks to the terminal; `TUI` is one."""

    def __init__(self, terminal: Terminal, environ: Mapping[str, str]) -> None:
        self.terminal = terminal
        self._environ = environ
        self._loop: asyncio.AbstractEventLoop | None = None
        self._title = WindowTitle()
        self._scheme = SchemeReports()
        self._progress = WindowProgress(self.call_later, terminal.write)
        self._status = ProgramStatus(environ)
        self._attributes: frozenset[int] = frozenset()

    @property
    def is_started(self) -> bool:
        """Whether the terminal is ours."""
        return self._loop is not None

    @property
    def terminal_attributes(self) -> frozenset[int]:
        """What the terminal says that it is and can do, as numbers (DA1: 4 is sixel); empty until it has."""
        return self._attributes

    def set_title(self, text: str | None) -> None:
        """Name the terminal's window; `None`, like leaving, gives back the name that it had."""
        self._say(self._title.change(text))

    def set_progress(self, is_shown: bool) -> None:
        """Show in the window's frame or tab that the program works, where the terminal can."""
        self._say(self._progress.change(is_shown))

    def set_program_status(
        self,
        state: ProgramState,
        app: str | None = None,
        kind: BlockedKind | None = None,
        message: str | None = None,
    ) -> None:
        """Tell a terminal that wants to know what the program does: `blocked` needs somebody, and for what (`kind`)."""
        self._say(self._status.change(program_status_sequence(state, app, kind, message)))

    def on_terminal_color_scheme_change(self, listener: SchemeListener) -> Callable[[], None]:
        """Tell `listener` when the terminal reports that it is light or dark; returns the unsubscriber."""
        return self._scheme.add(listener)

    def set_terminal_color_scheme_notifications(self, are_wanted: bool) -> None:
        """Ask the terminal to report when it becomes light or dark, or not to."""
        self._say(self._scheme.change(are_wanted))

    def call_soon_threadsafe(self, function: Callable[[], object]) -> None:
        """Run `function` on the loop's thread soon."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(function)

    def call_later(
        self, seconds: float, function: Callable[[], None]
    ) -> asyncio.TimerHandle | None:
        """Call `function` in so many seconds; never, if the terminal is not ours."""
        return self._loop.call_later(seconds, function) if self._loop is not None else None

    def take_reply(self, reply: TerminalReply) -> None:
        """Take what the terminal says of itself; the keyboard and colours that were asked for are not among it."""
        numbers = reply.numbers
        if reply.kind == "color_scheme":
            self._scheme.take(numbers[0])
        elif reply.kind == "program_status":
            self._say(self._status.confirm())
        elif reply.kind == "device_attributes":
            self._take_attributes(frozenset(numbers))
        elif reply.kind == "cell_size" and len(numbers) == 2 and set_cell_size(*reversed(numbers)):
            self._measure_anew()

    def answer_terminal(self, answer: str) -> None:
        """Write an answer that changes what is to be undone at the end."""
        self.terminal.write(answer)
        self.terminal.set_last_words(self._last_words())

    def _say(self, sequence: str) -> None:
        if self.is_started and sequence:
            self.answer_terminal(sequence)

    def _take_attributes(self, attributes: frozenset[int]) -> None:
        self._status.end_of_answers()
        self._attributes = attributes
        if learn_device_attributes(attributes, self._environ):
            self._ask(CELL_SIZE_QUERY)
            self._measure_anew()

    def _questions(self) -> str:
        """Return what is asked at the start, before the question that ends the answers."""
        measure = CELL_SIZE_QUERY if get_capabilities().images is not None else ""
        return self._status.enter() + measure

    def _greeting(self) -> str:
        """Return what is said at the start."""
        return self._title.enter() + self._progress.enter() + self._scheme.enter()

    def _taken_back(self) -> str:
        """Return what takes back all that was said."""
        return (
            self._scheme.leave()
            + self._progress.leave()
            + self._status.leave()
            + self._title.leave()
        )

    def _last_words(self) -> str:
        """Return what resets the terminal should the process end at any moment."""
        raise NotImplementedError

    def _ask(self, questions: str) -> None:
        """Ask something more; until the answers have ended, an unfinished one is waited for."""
        raise NotImplementedError

    def _measure_anew(self) -> None:
        """Draw all anew: pictures have another size, or can be shown now."""
        raise NotImplementedError
