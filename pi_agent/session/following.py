"""A session that somebody else writes, read as it grows. Its file is never written, claimed or rewritten here.

Whoever writes may also shorten the file, put another in its place or delete it. Then it is read anew, and as long as
it is gone what was read stays.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, Final

from pi_agent.base.jsonl import first_object, read_lines
from pi_agent.session.entries import VERSION, Entry, Header
from pi_agent.session.file import SessionError, read_session
from pi_agent.session.listing import HEADER_LIMIT_BYTES
from pi_agent.session.stored import StoredSession
from pi_agent.session.tree import EntryTree
from pi_tui.frozen import frozen

# So much of what was read last is compared before what follows it is read.
_TAIL_BYTES: Final = 256


@frozen
class Growth:
    """What one look found: entries below those that are known, or, `anew`, all there are."""

    entries: Sequence[Entry]
    anew: bool = False


@frozen
class _Place:
    """How far a file was read: which file it was, and the last bytes before `offset`."""

    device: int
    inode: int
    offset: int
    tail: bytes


class FollowedFile:
    """`look` reads what has come since the last look; `header` and `tree` are what is known."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.header: Header | None = None
        self.tree = EntryTree()
        self._place: _Place | None = None
        self._seen: tuple[int, ...] = ()

    def has_changed(self) -> bool:
        """Whether there may be something to `look` at; this asks for no more than the file's status."""
        try:
            return _state(self.path) != self._seen
        except OSError:
            return True

    def look(self) -> Growth | None:
        """Return what is new; `None` if nothing is. Raises `SessionError` while the file is no session.

        A line that is still being written waits for its end.
        """
        try:
            state = _state(self.path)
            if state == self._seen:
                return None
            self._seen = state
            with self.path.open("rb") as file:
                return self._read_on(file) or self._read_anew(file)
        except OSError as error:
            self._seen, self._place = (), None
            raise SessionError(
                f"The session cannot be read: {error.strerror} ({self.path})"
            ) from error

    def _read_on(self, file: BinaryIO) -> Growth | None:
        """Read what follows; `None` if this is not the file that was read, or its beginning has changed."""
        place = self._place
        if place is None or self.header is None:
            return None
        status = os.fstat(file.fileno())
        file.seek(place.offset - len(place.tail))
        is_same = (status.st_dev, status.st_ino) == (place.device, place.inode)
        if not is_same or file.read(len(place.tail)) != place.tail:
            return None
        content = read_lines(file)
        self._note_place(file, file.tell() - content.torn_bytes)
        return Growth(self.tree.read(content.values))

    def _read_anew(self, file: BinaryIO) -> Growth:
        self._place = None
        header = Header.read(first_object(self.path, limit_bytes=HEADER_LIMIT_BYTES))
        if header is None and os.fstat(file.fileno()).st_size:
            raise SessionError(f"Session file is not a valid pi session: {self.path}")
        self.header = header
        if header is not None and header.version < VERSION:
            # Its lines cannot be read without those above them, so it is read anew each time.
            self.tree = EntryTree(read_session(self.path)[1])
        else:
            stored = StoredSession.load(self.path, index_from_bytes=sys.maxsize)
            self.tree = stored.tree
            self._note_place(file, stored.read_to)
        return Growth(self.tree.all(), anew=True)

    def _note_place(self, file: BinaryIO, offset: int) -> None:
        status = os.fstat(file.fileno())
        begin = max(0, offset - _TAIL_BYTES)
        file.seek(begin)
        self._place = _Place(status.st_dev, status.st_ino, offset, file.read(offset - begin))


def _state(path: Path) -> tuple[int, ...]:
    """Return what tells one content of a file from another. Raises `OSError`, also for what is no file."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise OSError(0, "it is not a file")
    return status.st_mtime_ns, status.st_size, status.st_ino, status.st_dev
