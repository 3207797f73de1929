"""Signals that a full-screen program handles, and what stood in their place before."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from types import FrameType

_Handler = Callable[[int, FrameType | None], object] | int | None

ENDING_SIGNALS = (signal.SIGTERM, signal.SIGHUP)
STUCK_SECONDS = 3.0


def is_main_thread() -> bool:
    """Whether signals may be handled here."""
    return threading.current_thread() is threading.main_thread()


class ProcessSignals:
    """Handlers of a loop for signals of the process. Off the main thread there are none.

    A loop that something blocks cannot run its handlers. When an ending signal has waited for
    `STUCK_SECONDS`, `on_stuck` is called with its number, on another thread.
    """

    def __init__(self, on_stuck: Callable[[int], None]) -> None:
        self._on_stuck = on_stuck
        self._caught: dict[signal.Signals, tuple[asyncio.AbstractEventLoop, _Handler]] = {}
        self._waiting: dict[int, threading.Timer] = {}

    def catch(
        self, loop: asyncio.AbstractEventLoop, handlers: Mapping[signal.Signals, Callable[[], None]]
    ) -> None:
        """Call the handlers from now on, but not for a signal that was ignored (`nohup`)."""
        if not is_main_thread():
            return
        for number, handler in handlers.items():
            if number in self._caught or signal.getsignal(number) is signal.SIG_IGN:
                continue
            # One of the loop's own cannot be read: it is replaced for good, not by what it left in its place.
            loop.remove_signal_handler(number)
            previous = signal.getsignal(number)
            loop.add_signal_handler(number, partial(self._handle, number, handler))
            if number in ENDING_SIGNALS:
                # The loop is still woken; this runs even while something blocks it.
                signal.signal(number, self._arrived)
            self._caught[number] = (loop, previous)

    def release(self, *numbers: signal.Signals) -> None:
        """Put back what stood before; without numbers for all signals."""
        if not is_main_thread():
            return
        for number in numbers or tuple(self._caught):
            if number not in self._caught:
                continue
            loop, previous = self._caught.pop(number)
            self._forget(number)
            if not loop.is_closed():
                loop.remove_signal_handler(number)
            if previous is not None:
                signal.signal(number, previous)

    def _arrived(self, number: int, _frame: FrameType | None) -> None:
        if number not in self._waiting:
            self._waiting[number] = timer = threading.Timer(
                STUCK_SECONDS, self._on_stuck, (number,)
            )
            timer.daemon = True
            timer.start()

    def _handle(self, number: int, handler: Callable[[], None]) -> None:
        self._forget(number)
        handler()

    def _forget(self, number: int) -> None:
        timer = self._waiting.pop(number, None)
        if timer is not None:
            timer.cancel()


def stop_process_group() -> bool:
    """Stop like any program on Ctrl+Z and return when continued; `False` if something asked us to end meanwhile.

    The loop's handler of such a signal runs at its next turn.
    """
    ended: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        ended.append(number)

    noted = {number: note for number in ENDING_SIGNALS if callable(signal.getsignal(number))}
    with _handlers({signal.SIGINT: signal.SIG_IGN, signal.SIGTSTP: signal.SIG_DFL, **noted}):
        os.killpg(os.getpgrp(), signal.SIGTSTP)
    return not ended


@contextmanager
def keys_are_for_a_child() -> Iterator[None]:
    """Be deaf to Ctrl+C and Ctrl+\\ while a child has the terminal: they are meant for it.

    They are caught, not ignored, because a child would go on ignoring what we ignore.
    """
    if not is_main_thread():
        yield
        return
    with _handlers({signal.SIGINT: _take_no_notice, signal.SIGQUIT: _take_no_notice}):
        yield


def _take_no_notice(number: int, _frame: FrameType | None) -> None:
    """Do nothing."""


@contextmanager
def _handlers(
    handlers: Mapping[signal.Signals, _Handler],
) -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in handlers}
    _install(handlers)
    try:
        yield
    finally:
        _install(before)


def _install(handlers: Mapping[signal.Signals, _Handler]) -> None:
    for number, handler in handlers.items():
        if handler is not None:  # one that Python did not set
            signal.signal(number, handler)
