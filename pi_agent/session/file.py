"""The file of one session, and when something is written to it.

The file begins with the first question or answer, so a session in which nothing was asked leaves none. From
then on each entry is one line, written at once. Only a file in an old format is ever rewritten.
"""

from __future__ import annotations

import errno
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pi_agent.base.errors import PiError
from pi_agent.base.jsonl import (
    JsonlContent,
    LineWriter,
    create_jsonl,
    encode_line,
    first_object,
    read_jsonl,
    replace_jsonl,
)
from pi_agent.base.wire import JsonObject
from pi_agent.session.entries import VERSION, Header
from pi_agent.session.in_use import Holder, SessionHold, hold
from pi_agent.session.listing import HEADER_LIMIT_BYTES
from pi_agent.session.migrate import migrate
from pi_agent.session.tree import EntryTree

# The roles whose first message begins the file.
_CONVERSATION: Final = ("user", "assistant")

_HINTS: Final = {
    errno.ENOSPC: "Free some space, then try again.",
    errno.EDQUOT: "Free some space, then try again.",
    errno.EACCES: "Check the permissions, or start pi with --no-session.",
    errno.EROFS: "Choose another folder with --session-dir, or start pi with --no-session.",
    errno.ENOENT: "It was moved or deleted while pi was running. Start a new session.",
    errno.EEXIST: "Another program made it. Start a new session.",
}


class SessionError(PiError):
    """Something cannot be done with a session."""


class SessionWriteError(SessionError):
    """An entry could not be written. The session is as it was before; the next entry may succeed."""


class SessionFile:
    """A session file that lines are added to. `notices` is what opening it had to say to the user."""

    def __init__(self, path: Path, header: Header, *, opened: str) -> None:
        self.path = path
        self.header = header
        self.notices: list[str] = []
        self._opened = opened
        self._writer = LineWriter(path)
        self._unsaved = [encode_line(header.raw)]
        self._refusal: str | None = None
        self._hold: SessionHold | None = None
        self._holder: Holder | None = None

    @classmethod
    def load(cls, path: Path, *, opened: str) -> tuple[SessionFile, EntryTree]:
        """Open a file that has something in it, and return what is below its header.

        A file that is no session raises `SessionError` and is never written to.
        """
        header = _header_of(path)
        file = cls(path, header, opened=opened)
        file._unsaved.clear()
        if header.version < VERSION:
            return file, EntryTree(file._load_old())
        from pi_agent.session.stored import StoredSession  # a new session has no use for it

        try:
            stored = StoredSession.load(path)
        except OSError as error:
            raise _cannot_open(path, error) from error
        file._begin_with(stored.skipped, is_torn=stored.is_torn, ends_open=stored.ends_open)
        if header.version > VERSION:
            file.notices.append(
                "This session was written by a newer version of pi. Some of it may not be shown."
            )
        return file, stored.tree

    def add(self, raw: JsonObject) -> None:
        """Write one entry, or keep it until the conversation begins. Raises `SessionWriteError`."""
        if self._refusal is not None:
            raise SessionWriteError(self._refusal)
        try:
            line = encode_line(raw)
        except (TypeError, ValueError, RecursionError) as error:
            raise SessionWriteError(f"This cannot be stored in a session: {error}") from error
        if self._unsaved and not _begins_conversation(raw):
            self._unsaved.append(line)
            return
        self._write_or_say_why(line)

    def _write_or_say_why(self, line: bytes) -> None:
        try:
            self._write(line)
        except OSError as error:
            raise SessionWriteError(
                f"Cannot write the session file {self.path}: {error.strerror or error}",
                _HINTS.get(error.errno or 0),
            ) from error

    def fill(self, lines: Sequence[JsonObject]) -> None:
        """Begin the file with entries of another session, written when the conversation is among them.

        Raises `SessionWriteError`.
        """
        self._unsaved += [encode_line(line) for line in lines]
        if any(_begins_conversation(line) for line in lines):
            self._write_or_say_why(self._unsaved.pop())

    @property
    def holder(self) -> Holder | None:
        """Who else had the file open when it was opened."""
        return self._holder

    def release(self) -> None:
        """Let other processes have the session. Writing still works."""
        if self._hold is not None:
            self._hold.release()
        self._hold = self._holder = None

    def _write(self, line: bytes) -> None:
        if not self._unsaved:
            self._writer.append(line)
            self._take_over()
            return
        lines = [*self._unsaved, line]
        if _is_empty(self.path):
            self._writer.append(b"".join(lines))
        else:
            create_jsonl(self.path, lines)
        self._unsaved.clear()
        self._claim()

    def _take_over(self) -> None:
        """Be the one that has the session open, if another process had it and is done."""
        if self._holder is None:
            return
        claim = hold(self.path, opened=self._opened)
        if isinstance(claim, SessionHold):
            self._hold, self._holder = claim, None

    def _claim(self) -> None:
        claim = hold(self.path, opened=self._opened)
        self._hold = claim if isinstance(claim, SessionHold) else None
        self._holder = claim if isinstance(claim, Holder) else None
        if self._holder is not None:
            self.notices.append(
                f"This session is in use by {self._holder}."
                " Both can go on; neither sees what the other adds. `pi --follow` only watches."
            )

    def _begin_with(self, skipped: int, *, is_torn: bool, ends_open: bool) -> None:
        """Go on writing behind what was read, and say what of it could not be."""
        self._writer = LineWriter(self.path, ends_open=ends_open)
        unreadable = skipped - is_torn
        if unreadable:
            lines = "1 line" if unreadable == 1 else f"{unreadable} lines"
            self.notices.append(f"{lines} of the session file could not be read and were left out.")
        if is_torn:
            self.notices.append(
                "The last line of the session file is incomplete and was left out."
                " It was being written when pi was stopped."
            )
        self._claim()

    def _load_old(self) -> list[JsonObject]:
        """Return the lines of a file in an old format, and bring it up to date."""
        content = _read(self.path)
        _, *lines = content.values
        self._begin_with(content.skipped, is_torn=content.is_torn, ends_open=content.ends_open)
        migrate(self.header.raw, lines, version=self.header.version)
        try:
            self._rewrite(lines)
        except OSError as error:
            # New lines would name entries that the old file does not have.
            self._refusal = (
                f"The session file {self.path} is in an old format and cannot be brought up to date:"
                f" {error.strerror or error}"
            )
            self.notices.append(f"{self._refusal}. It can be read, but not continued.")
        return lines

    def _rewrite(self, lines: Sequence[JsonObject]) -> None:
        if self._holder is not None:
            raise OSError(f"it is in use by {self._holder}")
        replace_jsonl(self.path, [encode_line(raw) for raw in (self.header.raw, *lines)])
        self._writer = LineWriter(self.path)
        self.release()
        self._claim()


def read_session(path: Path) -> tuple[Header, list[JsonObject]]:
    """Return the header and the lines of a file in the present format. The file stays as it is.

    Raises `SessionError` for one that is no session.
    """
    header, *lines = _read(path).values
    known = Header(header)
    migrate(header, lines, version=known.version)
    return known, lines


def _header_of(path: Path) -> Header:
    try:
        header = Header.read(first_object(path, limit_bytes=HEADER_LIMIT_BYTES))
    except OSError as error:
        raise _cannot_open(path, error) from error
    if header is None:
        raise SessionError(f"Session file is not a valid pi session: {path}")
    return header


def _read(path: Path) -> JsonlContent:
    _header_of(path)
    try:
        return read_jsonl(path)
    except OSError as error:
        raise _cannot_open(path, error) from error


def _cannot_open(path: Path, error: OSError) -> SessionError:
    return SessionError(f"Cannot open the session {path}: {error.strerror}")


def _begins_conversation(raw: JsonObject) -> bool:
    message = raw.get("message")
    return (
        raw.get("type") == "message"
        and isinstance(message, dict)
        and message.get("role") in _CONVERSATION
    )


def _is_empty(path: Path) -> bool:
    try:
        return path.stat().st_size == 0
    except FileNotFoundError:
        return False
