"""What is exported: the entries of a session, wherever they come from."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from pi_agent.llm.messages import Message
from pi_agent.llm.system_state import SystemState, replay_system
from pi_agent.session.entries import (
    VERSION,
    CompactionEntry,
    Entry,
    Header,
    LabelEntry,
    MessageEntry,
    read_message,
)
from pi_agent.session.file import SessionError, read_session
from pi_agent.session.listing import read_header
from pi_agent.session.store import SessionManager
from pi_agent.session.stored import StoredSession
from pi_agent.session.tree import EntryTree
from pi_tui.frozen import frozen

NOTHING_YET = "Nothing to export yet - start a conversation first"


@frozen
class ExportSource:
    """All entries of a session, those of its active branch, and its labels. `file` is where it is kept."""

    header: Header
    entries: Sequence[Entry]
    branch: Sequence[Entry]
    labels: Mapping[str, LabelEntry]
    name: str | None
    file: Path | None

    @property
    def leaf_id(self) -> str | None:
        """The last entry of the active branch."""
        return self.branch[-1].id if self.branch else None

    def system(self) -> SystemState:
        """Return what the model was told on the active branch, and which tools it was given."""
        said = (_system_message(entry) for entry in self.branch)
        return replay_system([message for message in said if message is not None])


def source_of_session(session: SessionManager) -> ExportSource:
    """Return what an open session exports: its file is read once more, so that another thread may do that.

    Raises `SessionError`.
    """
    file, leaf_id = session.get_session_file(), session.get_leaf_id()
    if file is not None and file.exists():
        header, tree = _read(file)
        tree.move_to(leaf_id)
        return _source(header, tree, file)
    return ExportSource(
        header=session.get_header(),
        entries=session.get_entries(),
        branch=session.get_branch(),
        labels=dict(session.get_labels()),
        name=session.get_session_name(),
        file=file,
    )


def source_of_file(path: Path) -> ExportSource:
    """Return what a session's file exports. Nothing is written, there or beside it. Raises `SessionError`."""
    if not path.exists():
        raise SessionError(f"File not found: {path}")
    return _source(*_read(path), path)


def _source(header: Header, tree: EntryTree, path: Path) -> ExportSource:
    return ExportSource(
        header=header,
        entries=tree.all(),
        branch=tree.branch(),
        labels=tree.labels,
        name=tree.name,
        file=path,
    )


def _read(path: Path) -> tuple[Header, EntryTree]:
    """Read which entries there are; those of an old format cannot be understood one by one."""
    header = read_header(path)
    if header is None or header.version < VERSION:
        header, lines = read_session(path)
        return header, EntryTree(lines)
    try:
        return header, StoredSession.load(path, index_from_bytes=sys.maxsize).tree
    except OSError as error:
        raise SessionError(f"Cannot open the session {path}: {error.strerror}") from error


def has_conversation(entries: Sequence[Entry]) -> bool:
    """Whether anything was said."""
    return any(isinstance(entry, MessageEntry) for entry in entries)


def _system_message(entry: Entry) -> Message | None:
    if isinstance(entry, MessageEntry) and entry.role == "system":
        return entry.message
    if isinstance(entry, CompactionEntry) and entry.system_message is not None:
        return read_message(entry.system_message, entry_id=entry.id)
    return None
