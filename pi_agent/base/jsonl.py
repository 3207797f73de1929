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
from pathlib import Path
from typing import BinaryIO, NamedTuple

from pi_agent.base.paths import make_private_folder, open_private
from pi_agent.base.wire import JsonObject, JsonValue
from pi_tui.frozen import slotted

_BOM = b"\xef\xbb\xbf"
_CHUNK_BYTES = 64 * 1024


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


class PlacedObject(NamedTuple):
    """An object of a file, and the bytes of its line."""

    value: JsonObject
    offset: int
    size: int


class JsonlReader:
    """Reads the objects of a file from where that stands, and holds few of them at a time.

    What it counts is right when the last one has been read: `end` is where the last line with a newline ends.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.end = file.tell()
        self.skipped = 0
        self.ends_open = False
        self.torn_bytes = 0

    def __iter__(self) -> Iterator[PlacedObject]:
        while lines := self._file.readlines(_CHUNK_BYTES):
            if self.end == 0 and lines[0].startswith(_BOM):
                lines[0] = lines[0].removeprefix(_BOM)
                self.end = len(_BOM)
            yield from self._objects_of(lines)

    def _objects_of(self, lines: list[bytes]) -> Iterator[PlacedObject]:
        values = iter(_parse_chunk([line for line in lines if not _is_blank(line)]))
        offset = self.end
        for line in lines:
            if not _is_blank(line):
                value = next(values)
                self._note(line, is_object=value is not None)
                if value is not None:
                    yield PlacedObject(value, offset, len(line))
            offset += len(line)
            if not self.ends_open:
                self.end = offset

    def _note(self, line: bytes, *, is_object: bool) -> None:
        self.skipped += not is_object
        self.ends_open = not line.endswith(b"\n")
        self.torn_bytes = len(line) if self.ends_open and not is_object else 0


def read_jsonl(path: Path) -> JsonlContent:
    """Read all objects of a file, leaving out lines that cannot be read. Raises `OSError`."""
    with path.open("rb") as file:
        return read_lines(file)


def read_lines(file: BinaryIO) -> JsonlContent:
    """Read all objects from where an open file stands. Raises `OSError`."""
    reader = JsonlReader(file)
    with collector_paused():
        values = [each.value for each in reader]
    return JsonlContent(values, reader.skipped, reader.ends_open, reader.torn_bytes)


def first_object(path: Path, *, limit_bytes: int) -> JsonObject | None:
    """Return the first object of a file, looking at no more than `limit_bytes`. Raises `OSError`."""
    left = limit_bytes
    with path.open("rb") as file:
        while left > 0 and (line := file.readline(left)):
            text = line.removeprefix(_BOM) if left == limit_bytes else line
            # A file may have a million lines that are none; trying to parse each would take half a minute.
            value = parse_line(text) if text.lstrip().startswith(b"{") else None
            if value is not None:
                return value
            left -= len(line)
    return None


def parse_line(line: bytes) -> JsonObject | None:
    """Return the object that a line holds; `None` if it holds none."""
    try:
        value: JsonValue = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


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
    # The target of a link, and a name that no killed process has left behind: ids of processes come again.
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".pi-{os.urandom(6).hex()}.tmp")
    create_jsonl(temporary, lines)
    try:
        descriptor = os.open(temporary, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        temporary.replace(target)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


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
    return [parse_line(line) for line in lines]


@contextmanager
def collector_paused() -> Iterator[None]:
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
