"""Read a secret: typed at a prompt that does not show it, or piped in."""

from __future__ import annotations

import getpass
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from pi_agent.base.errors import PiError

_MOST_BYTES = 65_536
_ENDING = (signal.SIGTERM, signal.SIGHUP)


def read_secret(prompt: str) -> str:
    """Return what is typed, or all of stdin where that is no terminal. Raises `PiError` if there is nothing."""
    if sys.stdin.isatty():
        with _ending_by_exception():
            text = _typed(prompt)
    else:
        text = _piped()
    if not text.strip():
        raise PiError("No key was given: nothing is stored.")
    return text


def _typed(prompt: str) -> str:
    try:
        return getpass.getpass(prompt)
    except EOFError:
        print(file=sys.stderr)
        return ""


def _piped() -> str:
    data = sys.stdin.buffer.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise PiError("What was piped in is too long for a key: nothing is stored.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise PiError("What was piped in is no text: nothing is stored.") from error


@contextmanager
def _ending_by_exception() -> Iterator[None]:
    """Let signals end the program on a way that makes the terminal show again what is typed."""

    def end(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    previous = {number: signal.signal(number, end) for number in _ENDING}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
