"""A session made from another one: a fork, a clone, a copy for another directory, an imported file.

Entries keep their ids, so what names them (labels, compactions, edits) still finds them in the copy. The file
they come from is only read.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Literal

from pi_agent.base.ids import entry_id as new_entry_id
from pi_agent.base.paths import SessionFolder, make_private_folder, open_private
from pi_agent.base.wire import JsonObject
from pi_agent.session.entries import (
    CompactionEntry,
    Entry,
    LabelEntry,
    MessageEntry,
    raw_entry,
)
from pi_agent.session.file import SessionError, read_session
from pi_agent.session.listing import read_header
from pi_agent.session.store import SessionManager

# Whether a fork ends before an entry, or with it.
ForkPosition = Literal["before", "at"]


def fork_session(
    session: SessionManager, entry_id: str, position: ForkPosition = "before"
) -> SessionManager:
    """Begin a session beside `session` that has its past up to an entry. Raises `SessionError`.

    `before` is for what the user said, to say it otherwise; `at` takes the entry along.
    """
    file = session.get_session_file()
    last = fork_point(session, entry_id, position)
    if file is None or not file.exists():
        raise SessionError(
            "This session is not kept in a file, so no other one can be made from it.",
            "Sessions are saved from the first message on, unless pi runs with --no-session.",
        )
    path = session.get_branch(last) if last is not None else []
    return SessionManager.create(
        session.get_cwd(),
        folder=SessionFolder(file.parent),
        parent_session=file,
        lines=list(copied_path(path, session.get_labels())),
    )


def fork_point(session: SessionManager, entry_id: str, position: ForkPosition) -> str | None:
    """Return the last entry that a fork takes along; `None` if it begins anew. Raises `SessionError`."""
    if entry_id not in session:
        raise SessionError("Invalid entry ID for forking")
    if position == "at":
        return entry_id
    entry = session.get_entry(entry_id)
    if not isinstance(entry, MessageEntry) or entry.role != "user":
        raise SessionError("Invalid entry ID for forking")
    return entry.parent_id if entry.parent_id in session else None


def clone_point(session: SessionManager) -> str:
    """Return the entry that a clone ends with. Raises `SessionError`."""
    leaf = session.get_leaf_id()
    if leaf is None:
        raise SessionError("Cannot clone session: no current entry selected")
    return leaf


def copy_session(
    path: Path, cwd: Path, folder: SessionFolder, *, session_id: str | None = None
) -> SessionManager:
    """Begin a session for `cwd` with every entry of a file. Raises `SessionError`."""
    _, lines = read_session(path)
    return SessionManager.create(
        cwd, folder=folder, session_id=session_id, parent_session=path, lines=lines
    )


def import_session(path: Path, folder: SessionFolder) -> Path:
    """Copy a session's file into a folder, under its own name or one beside it. Raises `SessionError`."""
    if read_header(path) is None:
        if not path.exists():
            raise SessionError(f"File not found: {path}")
        raise SessionError(f"Session file is not a valid pi session: {path}")
    if path.parent.resolve() == folder.path.resolve():
        return path
    try:
        return _copy_beside(path, folder.path)
    except OSError as error:
        reason = error.strerror or error
        raise SessionError(f"The session cannot be copied to {folder.path}: {reason}") from error


def copied_path(path: Sequence[Entry], labels: Mapping[str, LabelEntry]) -> Iterator[JsonObject]:
    """Yield the lines of a path as they stand in another file: joined without its labels, which come last.

    A compaction may keep what it keeps from a label on; in the copy it does so from the entry behind that.
    """
    kept = [entry for entry in path if not isinstance(entry, LabelEntry)]
    moved = _moved_marks(path)
    parent: str | None = None
    for entry in kept:
        line = {**entry.raw, "parentId": parent}
        if isinstance(entry, CompactionEntry) and entry.first_kept_entry_id in moved:
            line["firstKeptEntryId"] = moved[entry.first_kept_entry_id]
        yield line
        parent = entry.id
    taken = {entry.id for entry in path}
    for entry in kept:
        if (label := labels.get(entry.id)) is not None:
            own_id = new_entry_id(taken)
            taken.add(own_id)
            yield _label_line(label, own_id, parent)
            parent = own_id


def _moved_marks(path: Sequence[Entry]) -> dict[str, str]:
    """Return, for each label on a path, the next entry that is none."""
    moved: dict[str, str] = {}
    behind: str | None = None
    for entry in reversed(path):
        if not isinstance(entry, LabelEntry):
            behind = entry.id
        elif behind is not None:
            moved[entry.id] = behind
    return moved


def _label_line(label: LabelEntry, own_id: str, parent: str | None) -> JsonObject:
    return raw_entry(
        LabelEntry.type_name,
        {"targetId": label.target_id, "label": label.label},
        entry_id=own_id,
        parent_id=parent,
        timestamp=label.timestamp,
    )


def _copy_beside(path: Path, folder: Path) -> Path:
    make_private_folder(folder)
    for number in count():
        target = folder / (f"{path.stem}-{number}{path.suffix}" if number else path.name)
        try:
            descriptor = open_private(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        except FileExistsError:
            continue
        try:
            with path.open("rb") as source, os.fdopen(descriptor, "wb") as copy:
                shutil.copyfileobj(source, copy)
        except OSError:
            target.unlink(missing_ok=True)
            raise
        return target
    raise AssertionError("counting has no end")
