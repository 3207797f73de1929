"""Nothing but the screen writes to the terminal: what others print is caught, to be shown as notices.

It is caught where it leaves the process, so that child processes and libraries are heard too. A thread reads
it: whoever waits for a child on the event loop would else wait for ever for one that prints much.
"""

from __future__ import annotations

import codecs
import logging
import os
import select
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from pi_agent.base.log import LogFile

_DESCRIPTORS = (1, 2)
_READ_BYTES = 65536
_MOST_PENDING = 8192
_JOIN_SECONDS = 1.0


def own_output(stream: TextIO) -> TextIO:
    """Return another way to where `stream` leads, for the screen: `captured_output` does not change that one."""
    return os.fdopen(os.dup(stream.fileno()), "w", encoding="utf-8")


@contextmanager
def captured_output(on_text: Callable[[str], None]) -> Iterator[None]:
    """Hand over what is written to stdout or stderr meanwhile, in whole lines, on another thread."""
    streams = sys.stdout, sys.stderr
    _flush(streams)
    reading, writing = os.pipe()
    stopped, stop = os.pipe()
    real = [os.dup(descriptor) for descriptor in _DESCRIPTORS]
    for descriptor in _DESCRIPTORS:
        os.dup2(writing, descriptor)
    os.close(writing)
    # Whoever keeps one of these writes to where the descriptor leads, now and afterwards.
    sys.stdout, sys.stderr = (_stream(descriptor) for descriptor in _DESCRIPTORS)
    reader = threading.Thread(
        target=_read, args=(reading, stopped, on_text), name="printed output", daemon=True
    )
    reader.start()
    try:
        yield
    finally:
        _flush((sys.stdout, sys.stderr, *streams))
        sys.stdout, sys.stderr = streams
        for copy, descriptor in zip(real, _DESCRIPTORS, strict=True):
            os.dup2(copy, descriptor)
            os.close(copy)
        os.close(stop)
        reader.join(_JOIN_SECONDS)


@contextmanager
def thread_errors(on_error: Callable[[str, BaseException], None]) -> Iterator[None]:
    """Hand over what ends threads meanwhile: the thread's name and its error, on that thread."""
    previous = threading.excepthook

    def handle(failure: threading.ExceptHookArgs) -> None:
        if failure.exc_value is not None and failure.exc_type is not SystemExit:
            on_error(failure.thread.name if failure.thread is not None else "?", failure.exc_value)

    threading.excepthook = handle
    try:
        yield
    finally:
        threading.excepthook = previous


def log_printed(text: str) -> None:
    """Note in the log file, and nowhere else, what was printed: a handler that prints would go on for ever."""
    logger = logging.getLogger("pi.ui")
    record = logger.makeRecord(
        logger.name, logging.INFO, __name__, 0, "printed: %s", (text,), exc_info=None
    )
    for handler in logging.getLogger().handlers:
        if isinstance(handler, LogFile):
            handler.handle(record)


def _stream(descriptor: int) -> TextIO:
    return open(
        descriptor, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False
    )


def _flush(streams: tuple[TextIO, ...]) -> None:
    for stream in streams:
        with suppress(OSError, ValueError):  # somebody has closed it
            stream.flush()


def _read(reading: int, stopped: int, on_text: Callable[[str], None]) -> None:
    """Read until nobody can write any more, or until it is stopped and what was written has been read."""
    lines = _Lines(on_text)
    is_stopped = False
    while True:
        ready, _, _ = select.select(
            [reading] if is_stopped else [reading, stopped], [], [], 0 if is_stopped else None
        )
        if reading in ready:
            data = os.read(reading, _READ_BYTES)
            if not data:
                break
            lines.add(data)
        elif is_stopped:
            break
        is_stopped = is_stopped or stopped in ready
    lines.finish()
    os.close(reading)
    os.close(stopped)


class _Lines:
    """Hands over whole lines, as many at once as have come, and very long ones in pieces."""

    def __init__(self, on_text: Callable[[str], None]) -> None:
        self._on_text = on_text
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._pending = ""

    def add(self, data: bytes) -> None:
        """Take what was written."""
        text = self._pending + self._decoder.decode(data)
        end = len(text) if len(text) > _MOST_PENDING else text.rfind("\n") + 1
        self._pending = text[end:]
        self._hand_over(text[:end])

    def finish(self) -> None:
        """Hand over what was printed without a line end."""
        self._hand_over(self._pending + self._decoder.decode(b"", final=True))
        self._pending = ""

    def _hand_over(self, text: str) -> None:
        if text.strip():
            self._on_text(text.rstrip("\n"))
