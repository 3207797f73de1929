"""Signals that end a mode without a screen: the first asks for an orderly end, the second is the end."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Final, Self

_NUMBERS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class ShutdownSignals:
    """Calls `on_first` on the event loop, with the signal's number, and `on_second` just before the exit.

    The second signal ends the process whatever the loop is busy with. One that is ignored stays ignored:
    `nohup` asks for it.
    """

    def __init__(self, on_first: Callable[[int], None], on_second: Callable[[], None]) -> None:
        self._on_first = on_first
        self._on_second = on_second
        self._loop = asyncio.get_running_loop()
        self._has_come = False
        self._previous = {number: signal.getsignal(number) for number in _NUMBERS}

    def __enter__(self) -> Self:
        for number, previous in self._previous.items():
            if previous is not signal.SIG_IGN:
                # Not the loop's own handlers: those never run while an extension keeps the loop busy.
                signal.signal(number, self._on_signal)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for number, previous in self._previous.items():
            if previous is not None:
                signal.signal(number, previous)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self._has_come:
            self._on_second()
            os._exit(128 + number)
        self._has_come = True
        self._loop.call_soon_threadsafe(self._on_first, number)
