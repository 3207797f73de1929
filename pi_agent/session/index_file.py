"""The index of a long session, kept beside its file so that the next start need not read that.

It knows the file up to some byte. What is added later leaves it right, as lines are only ever added; it is read
behind that byte. A file that is not the one it was made for, or an index that is not as it was written, counts as
no index: it can be deleted at any time.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import zlib
from pathlib import Path
from typing import BinaryIO, Final

from pi_agent.base.atomic_write import atomic_write
from pi_agent.base.wire import JsonObject
from pi_agent.session.index import SessionIndex
from pi_tui.frozen import frozen

# To be counted up when something else is kept, or what is kept means something else.
_FORMAT: Final = b"pi session index 1"
# Of the beginning and the end of the known part so much is compared.
_COMPARED_BYTES: Final = 4096

_log = logging.getLogger("pi.session")


@frozen
class KnownPart:
    """What is known of a file up to the byte `end`, the end of a line; `skipped` lines of it are no objects."""

    index: SessionIndex
    skipped: int
    end: int


def index_path(session_file: Path) -> Path:
    """Return where the index of a session is kept."""
    return session_file.with_name(f"{session_file.name}.index")


def read_index(session_file: Path, file: BinaryIO) -> KnownPart | None:
    """Return what the index knows of a session, opened as `file`; `None` if there is none that fits."""
    try:
        data = index_path(session_file).read_bytes()
    except OSError:
        return None
    try:
        return _decode(data, file)
    except (ValueError, KeyError, TypeError, IndexError, OverflowError, RecursionError) as error:
        _log.info("the index of %s is not used: %s", session_file, error)
        return None


def write_index(session_file: Path, file: BinaryIO, known: KnownPart) -> None:
    """Keep what is known of a session, opened as `file`. Where nothing can be written it is not kept."""
    try:
        atomic_write(index_path(session_file), _encode(known, file), mode=0o600)
    except OSError as error:
        _log.info("no index can be kept for %s: %s", session_file, error)


def _encode(known: KnownPart, file: BinaryIO) -> bytes:
    columns = known.index.columns()
    described: JsonObject = {
        "stamp": _stamp(file, known.end),
        "end": known.end,
        "skipped": known.skipped,
        "byteOrder": sys.byteorder,
        "columns": [[column.typecode, column.itemsize, len(column)] for column in columns],
        "rest": known.index.rest(),
    }
    parts = [json.dumps(described).encode(), *(column.tobytes() for column in columns)]
    content = b"\n".join((parts[0], b"".join(parts[1:])))
    return b"%s %08x\n%s" % (_FORMAT, zlib.crc32(content), content)


def _decode(data: bytes, file: BinaryIO) -> KnownPart:
    first, _, content = data.partition(b"\n")
    if first != b"%s %08x" % (_FORMAT, zlib.crc32(content)):
        raise ValueError("it is damaged, or of another version")
    text, _, columns = content.partition(b"\n")
    described = json.loads(text)
    if described["byteOrder"] != sys.byteorder:
        raise ValueError("it was made on another kind of machine")
    if not _fits(described["stamp"], _stamp(file, described["end"])):
        raise ValueError("the session file was changed")
    index = SessionIndex()
    at = 0
    for column, (typecode, size, length) in zip(index.columns(), described["columns"], strict=True):
        if (typecode, size) != (column.typecode, column.itemsize):
            raise ValueError("it was made on another kind of machine")
        column.frombytes(columns[at : at + size * length])
        at += size * length
    index.take_rest(described["rest"])
    return KnownPart(index, described["skipped"], described["end"])


def _stamp(file: BinaryIO, end: int) -> dict[str, int]:
    """Return what tells whether a file is still the one that is known up to `end`."""
    status = os.fstat(file.fileno())
    begin = os.pread(file.fileno(), min(end, _COMPARED_BYTES), 0)
    last = os.pread(file.fileno(), min(end, _COMPARED_BYTES), max(0, end - _COMPARED_BYTES))
    return {
        "size": status.st_size,
        "modified": status.st_mtime_ns,
        "begin": zlib.crc32(begin),
        "last": zlib.crc32(last),
    }


def _fits(kept: dict[str, int], now: dict[str, int]) -> bool:
    """Whether nothing has happened to a file but that lines were added."""
    if (kept["begin"], kept["last"]) != (now["begin"], now["last"]):
        return False
    return now["size"] > kept["size"] or (
        (now["size"], now["modified"]) == (kept["size"], kept["modified"])
    )
