"""The time in which the terminal is a program's: taken over, lent, given back whatever ends it."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from pi_tui.component import set_render_guard
from pi_tui.crash_log import CrashLog
from pi_tui.image_support import ALL_PROTOCOLS, set_drawn_protocols
from pi_tui.input_path import InputPath
from pi_tui.known_terminals import ImageProtocol
from pi_tui.problems import ComponentProblems
from pi_tui.process_signals import (
    ENDING_SIGNALS,
    STUCK_SECONDS,
    ProcessSignals,
    is_main_thread,
    keys_are_for_a_child,
    stop_process_group,
)
from pi_tui.terminal_protocol import Terminal
from pi_tui.terminal_talk import TerminalTalk

_log = logging.getLogger("pi.tui")


class TerminalTenure(TerminalTalk):
    """The part of a screen that takes the terminal over and gives it back; `TUI` is one."""

    drawn_images: frozenset[ImageProtocol] = ALL_PROTOCOLS  # how pictures can be drawn
    problems: ComponentProblems
    _input: InputPath

    def __init__(
        self, terminal: Terminal, environ: Mapping[str, str], log_directory: Path | None
    ) -> None:
        super().__init__(terminal, environ)
        self.on_terminate: Callable[[int], None] | None = None
        self.on_input_closed: Callable[[], None] | None = None
        self._crash_log = CrashLog(log_directory)
        self._stopped: asyncio.Future[None] | None = None
        self._signals = ProcessSignals(self._end_stuck)
        self._on_suspend_signal: Callable[[], None] | None = None
        self._size = (0, 0)

    def start(self) -> None:
        """Take the terminal over; the first frame is drawn at the next turn. Needs a running loop."""
        if self._loop is None:
            self._input.is_discarding = False
            self._take_over()

    def stop(self, preserve_screen: bool = False) -> None:
        """Give the terminal back. Safe to call twice; nothing is drawn afterwards."""
        self._release(preserve_screen)
        self._signals.release()
        if self._stopped is not None and not self._stopped.done():
            self._stopped.set_result(None)

    def suspend(self) -> None:
        """Give the terminal back, stop the process group, take it over again when it is continued.

        Asked to end meanwhile (SIGTERM, SIGHUP), the program does so without taking the terminal again, which
        it may not have any more.
        """
        if not is_main_thread() or not self._release(preserve_screen=True):
            return
        self._signals.release(signal.SIGTSTP)
        if not stop_process_group():
            return
        self._take_over_again()

    def set_suspend_signal_handler(self, handler: Callable[[], None] | None) -> None:
        """Call `handler` in place of `suspend` when SIGTSTP comes from outside; `None` ends that."""
        self._on_suspend_signal = handler

    @contextmanager
    def terminal_lent(self) -> Iterator[None]:
        """Give the terminal to another program meanwhile (an editor), and draw everything anew afterwards.

        If `stop` is called meanwhile, the terminal is not taken again.
        """
        if not self._release(preserve_screen=True):
            raise RuntimeError("the terminal is not ours to lend")
        self._signals.release(signal.SIGTSTP)
        try:
            with keys_are_for_a_child():
                yield
        finally:
            if self._stopped is not None and not self._stopped.done():
                self._take_over_again()

    async def wait_stopped(self) -> None:
        """Return when `stop` was called; raises what crashed the frame loop."""
        if self._stopped is not None:
            await asyncio.shield(self._stopped)

    def run(self) -> None:
        """Start, and return when stopped; for programs without a loop of their own.

        Raises what crashed the program, and `SystemExit` with 129 when the terminal is gone.
        """

        async def main() -> None:
            self.start()
            try:
                await self.wait_stopped()
            finally:
                self.stop()

        asyncio.run(main())
        if self.terminal.is_gone:
            raise SystemExit(128 + signal.SIGHUP)

    def _take_over(self) -> None:
        self._loop = loop = asyncio.get_running_loop()
        if self._stopped is None or self._stopped.done():
            self._stopped = loop.create_future()
        self._size = (0, 0)
        self._input.open(loop)
        set_render_guard(self.problems)
        self._crash_log.attach()
        set_drawn_protocols(self.drawn_images)
        try:
            self.terminal.set_last_words(self._last_words())
            self.terminal.start(
                self._input.take, self._on_resize, self._on_closed, self._on_terminal_ready
            )
            self._catch_signals(loop)
            if loop.get_exception_handler() is None:
                loop.set_exception_handler(self._on_loop_error)
        except BaseException:
            self._release(preserve_screen=True)
            self._signals.release()
            raise
        self.terminal.write(
            self._enter_sequence()
            + self._input.start_keyboard(self._questions())
            + self._greeting()
        )
        self.terminal.set_last_words(self._last_words())
        self.request_render(force=True)

    def _take_over_again(self) -> None:
        try:
            self._take_over()
        except Exception as error:
            self._crash(error)

    def _release(self, preserve_screen: bool) -> bool:
        """Give the terminal back; the handlers of signals stay. `False` if it was not ours."""
        loop, self._loop = self._loop, None
        if loop is None:
            return False
        if loop.get_exception_handler() == self._on_loop_error:
            loop.set_exception_handler(None)
        self._cancel_frame()
        self._progress.pause()
        leave = self._leave_sequence()
        farewell = "" if preserve_screen else self._guarded_farewell()
        set_render_guard(None)
        self._crash_log.detach()
        set_drawn_protocols(ALL_PROTOCOLS)
        self._input.close()
        self.terminal.stop(leave, farewell)
        return True

    def _guarded_farewell(self) -> str:
        """Return the farewell, or nothing: the terminal is given back whatever components do."""
        try:
            return self._farewell()
        except Exception as error:
            _log.error("the farewell failed", exc_info=error)
            return ""

    def _catch_signals(self, loop: asyncio.AbstractEventLoop) -> None:
        self._signals.catch(
            loop,
            {
                signal.SIGTSTP: lambda: (self._on_suspend_signal or self.suspend)(),
                **{number: partial(self._terminate, number) for number in ENDING_SIGNALS},
            },
        )

    def _terminate(self, number: int) -> None:
        if self.on_terminate is not None:
            self.on_terminate(number)
            return
        self.stop()
        os.kill(os.getpid(), number)

    def _end_stuck(self, number: int) -> None:
        """End the process from another thread: a component or an extension blocks the loop."""
        name = signal.Signals(number).name
        self.terminal.write_last_words(
            f"Something kept the program busy: {name} was not answered in {STUCK_SECONDS:g} seconds.\r\n"
        )
        os._exit(128 + number)

    def _crash(self, error: Exception) -> None:
        """Give the terminal back; whoever waits for the end gets the error."""
        self._release(preserve_screen=False)
        self._signals.release()
        if self._stopped is not None and not self._stopped.done():
            self._stopped.set_exception(error)

    def _on_loop_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        """End with an error that nobody caught, unless it is of a task that nobody waits for."""
        error = context.get("exception")
        if "handle" in context and isinstance(error, Exception):
            self._crash(error)
            return
        loop.default_exception_handler(context)
        self.request_render(force=True)  # it may have been printed on the screen

    def _on_closed(self) -> None:
        """The input has ended, or the terminal is gone."""
        if self.on_input_closed is not None:
            self.on_input_closed()
        else:
            self.stop()

    def request_render(self, force: bool = False) -> None:
        """Ask for a frame; `force` writes every row."""
        raise NotImplementedError

    def _enter_sequence(self) -> str:
        """Return what makes the terminal this screen's."""
        raise NotImplementedError

    def _leave_sequence(self) -> str:
        """Return what takes that back."""
        raise NotImplementedError

    def _farewell(self) -> str:
        """Return what is printed on the normal screen after leaving."""
        return ""

    def _cancel_frame(self) -> None:
        """Draw nothing that was asked for."""
        raise NotImplementedError

    def _on_resize(self) -> None:
        """Draw anew if the terminal has another size."""
        raise NotImplementedError

    def _on_terminal_ready(self) -> None:
        """Draw what had to wait for the terminal."""
        raise NotImplementedError
