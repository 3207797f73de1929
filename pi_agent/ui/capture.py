"""Nothing but the screen writes to the terminal: what others print is caught and shown as notices."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_MOST_PENDING = 8192


class LineCapture(io.TextIOBase):
    """A text stream that hands over whole lines."""

    def __init__(self, on_line: Callable[[str], None]) -> None:
        self._on_line = on_line
        self._pending = ""

    def writable(self) -> bool:
        """Return True: anybody may print."""
        return True

    def write(self, text: str) -> int:
        """Take text; lines are handed over when they are complete or very long."""
        *lines, self._pending = (self._pending + text).split("\n")
        for line in lines:
            if line.strip():
                self._on_line(line)
        if len(self._pending) > _MOST_PENDING:
            self.finish()
        return len(text)

    def finish(self) -> None:
        """Hand over what was printed without a line end."""
        pending, self._pending = self._pending, ""
        if pending.strip():
            self._on_line(pending)


@contextmanager
def captured_output(on_line: Callable[[str], None]) -> Iterator[None]:
    """Hand over what is printed to stdout or stderr meanwhile, line by line."""
    streams = sys.stdout, sys.stderr
    captures = LineCapture(on_line), LineCapture(on_line)
    sys.stdout, sys.stderr = captures
    try:
        yield
    finally:
        sys.stdout, sys.stderr = streams
        for capture in captures:
            capture.finish()
