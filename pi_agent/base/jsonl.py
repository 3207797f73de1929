r"""Append to and read files that hold one JSON object a line.

Lines end at `\n` only: other line separators are ordinary characters of a JSON string. A line is written by a
single `write` in append mode, so that several processes can share a file and a killed one tears at most its
last line. A torn line stays where it is; whatever is appended after it starts on a line of its own.
"""

from __future__ import annotations

import errno
import gc
import json
import math
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from pi_agent.base.paths import make_private_folder, open_private
from pi_agent.base.wire import JsonObject, JsonValue
from pi_tui.frozen import slotted

_BOM = b"\xef\xbb\xbf"
_CHUNK_LINES = 32


@slotted
class JsonlContent:
    """What a file holds: its objects in order, and how many lines are none.

    `ends_open` says that the last line has no newline; `torn_bytes` are those of one that cannot be read either.
    """

    values: list[JsonObject] = field(default_factory=list)
    skipped: int = 0
    ends_open: bool = False
    torn_bytes: int = 0

    @property
    def is_torn(self) -> bool:
        """Whether the file ends within a line."""
        return self.torn_bytes > 0


class LineWriter:
    """Adds lines to an existing file that other processes may add to as well."""

    def __init__(self, path: Path, *, ends_open: bool = False) -> None:
        self._path = path
        # Looking at the end each time would mistake the half-written line of another process for a torn one.
        self._ends_open = ends_open
        self._is_end_known = True

    def append(self, line: bytes) -> None:
        """Add one line, on a line of its own. Raises `OSError`; a part of it may then be in the file."""
        descriptor = os.open(self._path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
        try:
            if not self._is_end_known:
                self._ends_open = _ends_open(descriptor)
            data = b"\n" + line if self._ends_open else line
            self._is_end_known = False
            _write_at_once(descriptor, data)
            if not self._ends_open and _is_joined(descriptor, len(data)):
                # Another process died inside the line before this one and took it along.
                _write_at_once(descriptor, line)
            self._ends_open, self._is_end_known = False, True
        finally:
            os.close(descriptor)


def read_jsonl(path: Path) -> JsonlContent:
    """Read all objects of a file, leaving out lines that cannot be read. Raises `OSError`."""
    with path.open("rb") as file:
        return read_lines(file)


def read_lines(file: BinaryIO) -> JsonlContent:
    """Read all objects from where an open file stands. Raises `OSError`."""
    content = JsonlContent()
    with _collector_paused():
        lines = (line for line in _without_bom(file) if not _is_blank(line))
        while chunk := list(islice(lines, _CHUNK_LINES)):
            values = _parse_chunk(chunk)
            content.values += (value for value in values if value is not None)
            content.skipped += values.count(None)
            content.ends_open = not chunk[-1].endswith(b"\n")
            is_torn = content.ends_open and values[-1] is None
            content.torn_bytes = len(chunk[-1]) if is_torn else 0
    return content


def first_object(path: Path, *, limit_bytes: int) -> JsonObject | None:
    """Return the first object of a file, looking at no more than `limit_bytes`. Raises `OSError`."""
    with path.open("rb") as file:
        head = file.read(limit_bytes)
    for line in _without_bom(head.split(b"\n")):
        value = _parse(line) if line else None
        if value is not None:
            return value
    return None


def encode_line(value: JsonObject) -> bytes:
    """Return `value` as one line of UTF-8. Raises `TypeError` or `ValueError` for what JSON cannot hold."""
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except ValueError:
        text = json.dumps(_without_nan(value), ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode() + b"\n"
    except UnicodeEncodeError:
        # Half a surrogate pair has no UTF-8; as an escape it survives.
        return json.dumps(json.loads(text), separators=(",", ":")).encode() + b"\n"


def create_jsonl(path: Path, lines: Iterable[bytes]) -> None:
    """Make a file that must not exist yet, readable by its owner only. Leaves no file behind when it fails."""
    make_private_folder(path.parent)
    descriptor = open_private(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND)
    try:
        _write_at_once(descriptor, b"".join(lines))
    except OSError:
        path.unlink(missing_ok=True)
        raise
    finally:
        os.close(descriptor)


def replace_jsonl(path: Path, lines: Iterable[bytes]) -> None:
    """Put a new content in place of a file's old one; after a crash it is either the one or the other."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    create_jsonl(temporary, lines)
    try:
        descriptor = os.open(temporary, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def _without_bom(lines: Iterable[bytes]) -> Iterator[bytes]:
    iterator = iter(lines)
    for first in iterator:
        yield first.removeprefix(_BOM)
        break
    yield from iterator


def _is_blank(line: bytes) -> bool:
    return line.isspace() and line.endswith(b"\n")


def _parse_chunk(lines: list[bytes]) -> Sequence[JsonObject | None]:
    # Objects that are read together share their keys, which are a third of what a file takes in memory.
    try:
        values = json.loads((b"[" + b",".join(lines) + b"]").decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        values = []
    if len(values) == len(lines) and all(isinstance(value, dict) for value in values):
        return list(values)
    return [_parse(line) for line in lines]


def _parse(line: bytes) -> JsonObject | None:
    try:
        value: JsonValue = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Keep the garbage collector from walking, over and over, through objects that are all kept."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _without_nan(value: JsonValue) -> JsonValue:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(item) for item in value]
    return value


def _ends_open(descriptor: int) -> bool:
    size = os.fstat(descriptor).st_size
    return size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"


def _is_joined(descriptor: int, size: int) -> bool:
    """Tell whether the `size` bytes just written stand on a line that was there before."""
    begin = os.lseek(descriptor, 0, os.SEEK_CUR) - size
    return begin > 0 and os.pread(descriptor, 1, begin - 1) != b"\n"


def _write_at_once(descriptor: int, data: bytes) -> None:
    # A short write is not continued: another process may have appended in between. A full disk makes them.
    written = os.write(descriptor, data)
    if written < len(data):
        raise OSError(errno.ENOSPC, f"only {written} of {len(data)} bytes could be written")
