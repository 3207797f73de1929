"""What is exported: the entries of a session, wherever they come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from pi_agent.llm.messages import Message
from pi_agent.llm.system_state import SystemState, replay_system
from pi_agent.session.context import message_of
from pi_agent.session.entries import Entry, Header, LabelEntry, MessageEntry, read_message
from pi_agent.session.file import SessionError, read_session
from pi_agent.session.store import SessionManager
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
    """Return what an open session exports."""
    return ExportSource(
        header=session.get_header(),
        entries=session.get_entries(),
        branch=session.get_branch(),
        labels=dict(session.get_labels()),
        name=session.get_session_name(),
        file=session.get_session_file(),
    )


def source_of_file(path: Path) -> ExportSource:
    """Return what a session's file exports. The file is only read. Raises `SessionError`."""
    if not path.exists():
        raise SessionError(f"File not found: {path}")
    header, lines = read_session(path)
    tree = EntryTree(lines)
    return ExportSource(
        header=header,
        entries=list(tree),
        branch=tree.branch(),
        labels=tree.labels,
        name=tree.name,
        file=path,
    )


def has_conversation(entries: Sequence[Entry]) -> bool:
    """Whether anything was said."""
    return any(isinstance(entry, MessageEntry) for entry in entries)


def _system_message(entry: Entry) -> Message | None:
    if isinstance(entry, MessageEntry):
        return message_of(entry) if entry.role == "system" else None
    told = entry.raw.get("systemMessage")
    return None if told is None else read_message(told, entry_id=entry.id)
