"""Find saved sessions: the latest of a directory, or the one that somebody names.

Only the first line of a file is read. Files that are no sessions are passed over.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from pi_agent.base.errors import PiError
from pi_agent.base.jsonl import first_object
from pi_agent.base.paths import AgentPaths, SessionFolder
from pi_agent.session.entries import Header
from pi_tui.frozen import frozen

HEADER_LIMIT_BYTES: Final = 1 << 20

_CANDIDATES_SHOWN: Final = 10


class SessionLookupError(PiError):
    """No session, or more than one, goes by the name that was given."""


class ElsewhereError(SessionLookupError):
    """The session belongs to another directory, `cwd`; `path` is its file."""

    def __init__(self, session: SavedSession) -> None:
        super().__init__(
            f"Session {session.header.id} belongs to another directory: {session.header.cwd}",
            f"Start pi there, or copy it into this one: pi --fork {session.header.id}",
        )
        self.path = session.path
        self.cwd = session.header.cwd


@frozen
class SavedSession:
    """A session file and what its first line says."""

    path: Path
    header: Header


def read_header(path: Path) -> Header | None:
    """Return the header of a session file; None when the file is none or cannot be read."""
    try:
        return Header.read(first_object(path, limit_bytes=HEADER_LIMIT_BYTES))
    except OSError:
        return None


def session_files(folder: Path) -> list[Path]:
    """Return the session files of a folder, those written to last first. Raises nothing."""
    times: list[tuple[int, Path]] = []
    try:
        with os.scandir(folder) as files:
            for file in files:
                if file.name.endswith(".jsonl") and file.is_file():
                    times.append((file.stat().st_mtime_ns, Path(file.path)))
    except OSError:
        pass  # no folder, or a file that went away while we looked
    return [path for _, path in sorted(times, reverse=True)]


def belongs_to(header: Header, cwd: Path, folder: SessionFolder) -> bool:
    """Whether a session that lies in `folder` is one of `cwd`."""
    return not folder.is_flat or header.cwd == os.path.abspath(cwd)


def newest_session(folder: SessionFolder, *, cwd: Path) -> Path | None:
    """Return the session of `cwd` that was written to last."""
    for path in session_files(folder.path):
        header = read_header(path)
        if header is not None and belongs_to(header, cwd, folder):
            return path
    return None


def session_with_id(session_id: str, folder: SessionFolder, *, cwd: Path) -> Path | None:
    """Return the session of `cwd` that has exactly this id."""
    for session in _sessions_in(folder):
        if session.header.id == session_id and belongs_to(session.header, cwd, folder):
            return session.path
    return None


def find_session(reference: str, *, cwd: Path, paths: AgentPaths) -> Path:
    """Return the file of the session that `reference` names: a path, an id, or the beginning of one.

    Sessions of `cwd` come first. One that belongs to another directory is an error that says where it does.
    """
    if "/" in reference or "\\" in reference or reference.endswith(".jsonl"):
        return Path(os.path.abspath(cwd / Path(reference).expanduser()))
    own_folder = paths.sessions_of(cwd)
    own = [s for s in _sessions_in(own_folder) if belongs_to(s.header, cwd, own_folder)]
    found = _match(reference, own)
    if found is not None:
        return found.path
    elsewhere = _match(reference, (s for f in paths.all_sessions() for s in _sessions_in(f)))
    if elsewhere is None:
        raise SessionLookupError(
            f"No session found for {reference}",
            "pi --continue opens the latest one of this directory.",
        )
    raise ElsewhereError(elsewhere)


def find_to_read(reference: str, *, cwd: Path, paths: AgentPaths) -> Path:
    """Return the file of a session that is there, of whatever directory. Raises `PiError`."""
    try:
        path = find_session(reference, cwd=cwd, paths=paths)
    except ElsewhereError as error:
        path = error.path
    if not path.is_file():
        raise SessionLookupError(
            f"There is no session file {path}", "pi writes it with the first message."
        )
    if read_header(path) is None:
        raise SessionLookupError(f"Session file is not a valid pi session: {path}")
    return path


def _match(reference: str, sessions: Iterable[SavedSession]) -> SavedSession | None:
    candidates = [s for s in sessions if s.header.id.startswith(reference)]
    exact = [s for s in candidates if s.header.id == reference]
    if len(exact) == 1 or len(candidates) == 1:
        return (exact or candidates)[0]
    if not candidates:
        return None
    shown = [f"  {s.header.id}  {s.path}" for s in candidates[:_CANDIDATES_SHOWN]]
    if len(candidates) > _CANDIDATES_SHOWN:
        shown.append(f"  and {len(candidates) - _CANDIDATES_SHOWN} more")
    raise SessionLookupError(
        f"{len(candidates)} sessions begin with {reference}:\n" + "\n".join(shown),
        "Give more of the id, or the path of the file.",
    )


def _sessions_in(folder: SessionFolder) -> Iterable[SavedSession]:
    for path in session_files(folder.path):
        header = read_header(path)
        if header is not None:
            yield SavedSession(path, header)
