"""What a list of sessions says of one: its name or first message, how long it is, when it was used last.

A glance reads the beginning and the end of a file. How many messages there are, and their text, takes reading
all of it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from datetime import datetime
from pathlib import Path
from typing import Final

from pi_agent.base.wire import JsonObject, JsonValue
from pi_agent.session.entries import Header, SessionInfoEntry
from pi_agent.session.listing import HEADER_LIMIT_BYTES
from pi_tui.frozen import frozen, slotted

_HEAD_BYTES: Final = 64 * 1024
_TAIL_BYTES: Final = 32 * 1024
_NO_MESSAGES: Final = "(no messages)"
_SPOKEN: Final = ("user", "assistant")
_MINUTE: Final = 60
# Each unit up to the age at which the next one takes over.
_AGES: Final = (
    ("m", _MINUTE, 60 * _MINUTE),
    ("h", 60 * _MINUTE, 24 * 60 * _MINUTE),
    ("d", 24 * 60 * _MINUTE, 7 * 24 * 60 * _MINUTE),
    ("w", 7 * 24 * 60 * _MINUTE, 30 * 24 * 60 * _MINUTE),
    ("mo", 30 * 24 * 60 * _MINUTE, 365 * 24 * 60 * _MINUTE),
    ("y", 365 * 24 * 60 * _MINUTE, None),
)


class ReadingStoppedError(Exception):
    """Nobody waits any more for what is being read."""


@frozen
class SessionInfo:
    """A saved session. Times are in seconds. `message_count` is not known after a glance at a long file.

    `search_text` is what user and model said, in small letters and with single blanks.
    """

    path: Path
    header: Header
    name: str | None
    modified: float
    first_message: str = _NO_MESSAGES
    message_count: int | None = None
    search_text: str = ""

    @property
    def title(self) -> str:
        """The name, else the first message."""
        return self.name or self.first_message


def glance(path: Path) -> SessionInfo | None:
    """Look at a session; short files are read whole. `None` for a file that is none. Raises `OSError`."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size <= _HEAD_BYTES + _TAIL_BYTES:
            return _info(path, file.read().split(b"\n"), is_whole=True)
        head = file.read(_HEAD_BYTES).split(b"\n")
        while len(head) == 1 and len(head[0]) < min(size, HEADER_LIMIT_BYTES):
            head = (head[0] + file.read(_HEAD_BYTES)).split(b"\n")
        file.seek(size - _TAIL_BYTES)
        tail = file.read().split(b"\n")
    return _info(path, [*head[:-1], *tail[1:]], is_whole=False)


def read_whole(path: Path, is_over: Callable[[], bool] = lambda: False) -> SessionInfo | None:
    """Read a session line by line. `None` for a file that is none. Raises `OSError`.

    Raises `ReadingStoppedError` when `is_over` says that nobody waits for it any more.
    """
    with path.open("rb") as file:
        return _info(path, _until(is_over, file), is_whole=True)


def age_text(seconds: float) -> str:
    """Return an age in one unit: `now 5m 3h 2d 1w 4mo 1y`."""
    for unit, length, limit in _AGES:
        if seconds < length:
            break
        if limit is None or seconds < limit:
            return f"{int(seconds // length)}{unit}"
    return "now"


def _until(is_over: Callable[[], bool], lines: Iterable[bytes]) -> Iterator[bytes]:
    for line in lines:
        if is_over():
            raise ReadingStoppedError
        yield line


def _info(path: Path, lines: Iterable[bytes], *, is_whole: bool) -> SessionInfo | None:
    values = (value for line in lines if (value := _parse(line)) is not None)
    header = Header.read(next(values, None))
    if header is None:
        return None
    facts = _Facts()
    for raw in values:
        facts.take(raw)
    return SessionInfo(
        path=path,
        header=header,
        name=facts.name or None,
        modified=facts.modified or _seconds(header.timestamp),
        first_message=facts.first_message or _NO_MESSAGES,
        message_count=facts.message_count if is_whole else None,
        search_text=" ".join(facts.texts) if is_whole else "",
    )


@slotted
class _Facts:
    """What the lines of a session add up to."""

    name: str = ""
    first_message: str = ""
    modified: float = 0.0
    message_count: int = 0
    texts: list[str] = field(default_factory=list)

    def take(self, raw: JsonObject) -> None:
        if raw.get("type") == SessionInfoEntry.type_name:
            name = raw.get("name")
            self.name = name if isinstance(name, str) else ""
        message = raw.get("message")
        if isinstance(message, dict) and message.get("role") in _SPOKEN:
            self._take_message(raw, message)

    def _take_message(self, raw: JsonObject, message: JsonObject) -> None:
        text = _text(message.get("content"))
        self.message_count += 1
        self.modified = max(self.modified, _seconds(raw.get("timestamp")))
        if message["role"] == "user" and not self.first_message:
            self.first_message = " ".join(text.split())
        if text:
            self.texts.append(" ".join(text.casefold().split()))


def _text(content: JsonValue) -> str:
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    texts = (block.get("text") for block in blocks if isinstance(block, dict))
    return " ".join(text for text in texts if isinstance(text, str))


def _seconds(timestamp: JsonValue) -> float:
    try:
        return datetime.fromisoformat(timestamp).timestamp()
    except (TypeError, ValueError):
        return 0.0


def _parse(line: bytes) -> JsonObject | None:
    try:
        value: JsonValue = json.loads(line.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
