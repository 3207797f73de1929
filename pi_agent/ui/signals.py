"""Signals that end the program, from its start to the last of its end."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_NUMBERS = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def ending_signals(on_signal: Callable[[int], object]) -> Iterator[None]:
    """Tell of SIGTERM and SIGHUP meanwhile, on the main thread between any two of its steps.

    One that is ignored stays ignored: `nohup` asks for it. Off the main thread nothing is told.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def handle(number: int, frame: FrameType | None) -> None:
        on_signal(number)

    previous = {number: signal.getsignal(number) for number in _NUMBERS}
    for number, before in previous.items():
        if before is not signal.SIG_IGN:
            signal.signal(number, handle)
    try:
        yield
    finally:
        for number, before in previous.items():
            signal.signal(number, signal.SIG_DFL if before is None else before)
