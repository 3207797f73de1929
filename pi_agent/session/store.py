"""A session: its entries as a tree, the place where the conversation goes on, and the file they are kept in.

What is in memory is what is in the file: an entry that could not be written is not kept.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from pi_agent.base.ids import entry_id, is_session_id, uuid7
from pi_agent.base.paths import AgentPaths, SessionFolder
from pi_agent.base.wire import JsonObject, JsonValue
from pi_agent.llm.messages import ImageContent, Message, SystemMessage, TextContent
from pi_agent.llm.usage import Usage
from pi_agent.session.context import (
    as_content,
    build_context_entries,
    is_editable,
    let_go_before,
    project,
)
from pi_agent.session.entries import (
    BranchSummaryEntry,
    CompactionEntry,
    ContextEditEntry,
    CustomEntry,
    CustomMessageEntry,
    Entry,
    Header,
    LabelEntry,
    MessageEntry,
    ModelChangeEntry,
    SessionInfoEntry,
    ThinkingLevelChangeEntry,
    UsageEntry,
    iso_timestamp,
    raw_entry,
)
from pi_agent.session.file import SessionError, SessionFile, SessionWriteError
from pi_agent.session.in_use import Holder
from pi_agent.session.listing import newest_session
from pi_agent.session.sequence import position_of
from pi_agent.session.stats import SessionStats
from pi_agent.session.tree import EntryTree, TreeNode

Now = Callable[[], float]
Content = str | Sequence[TextContent | ImageContent]

_View = TypeVar("_View", bound=Entry)


class SessionManager:
    """One session. Make it with `create`, `open`, `continue_recent` or `in_memory`.

    Each `append_…` adds an entry below the leaf and returns it; it raises `SessionWriteError` when the file
    cannot take it, and the session is as it was before.
    """

    def __init__(
        self,
        header: Header,
        *,
        file: SessionFile | None,
        tree: EntryTree | None = None,
        cwd: str,
        now: Now,
    ) -> None:
        self._header = header
        self._file = file
        self._tree = EntryTree() if tree is None else tree
        self._cwd = cwd
        self._now = now

    @classmethod
    def create(
        cls,
        cwd: str | Path = ".",
        *,
        folder: SessionFolder | None = None,
        session_id: str | None = None,
        parent_session: Path | None = None,
        lines: Sequence[JsonObject] = (),
        now: Now = time.time,
    ) -> SessionManager:
        """Begin a session for `cwd`. Its file goes into `folder`, by default the user's one for that directory.

        `lines` are entries that it begins with, taken from another session.
        """
        header = _new_header(cwd, now, session_id=session_id, parent_session=parent_session)
        folder = folder or _default_folder(cwd)
        stamp = header.timestamp.replace(":", "-").replace(".", "-")
        return cls._begin(header, folder.path / f"{stamp}_{header.id}.jsonl", now, lines)

    @classmethod
    def in_memory(
        cls, cwd: str | Path = ".", *, session_id: str | None = None, now: Now = time.time
    ) -> SessionManager:
        """Begin a session that has no file."""
        header = _new_header(cwd, now, session_id=session_id)
        return cls(header, file=None, cwd=header.cwd, now=now)

    @classmethod
    def open(
        cls, path: str | Path, *, cwd: str | Path = ".", now: Now = time.time
    ) -> SessionManager:
        """Go on with the session in a file; begin one there when the file is empty or missing.

        `cwd` is for a file that names no directory. A file that is no session raises `SessionError` and is
        never written to.
        """
        path = Path(os.path.abspath(path))
        if _is_empty_or_missing(path):
            return cls._begin(_new_header(cwd, now), path, now)
        file, tree = SessionFile.load(path, opened=iso_timestamp(now()))
        directory = file.header.cwd or os.path.abspath(cwd)
        return cls(file.header, file=file, tree=tree, cwd=directory, now=now)

    @classmethod
    def continue_recent(
        cls, cwd: str | Path = ".", *, folder: SessionFolder | None = None, now: Now = time.time
    ) -> SessionManager:
        """Go on with the latest session of `cwd`, or begin one."""
        folder = folder or _default_folder(cwd)
        path = newest_session(folder, cwd=Path(cwd))
        if path is None:
            return cls.create(cwd, folder=folder, now=now)
        return cls.open(path, cwd=cwd, now=now)

    @classmethod
    def _begin(
        cls, header: Header, path: Path, now: Now, lines: Sequence[JsonObject] = ()
    ) -> SessionManager:
        file = SessionFile(path, header, opened=iso_timestamp(now()))
        file.fill(lines)
        return cls(header, file=file, tree=EntryTree(lines), cwd=header.cwd, now=now)

    def close(self) -> None:
        """Let other processes have the session. Appending still works."""
        if self._file is not None:
            self._file.release()

    @property
    def notices(self) -> list[str]:
        """What opening the session had to say to the user."""
        return list(self._file.notices) if self._file else []

    @property
    def holder(self) -> Holder | None:
        """Who else has the session open."""
        return self._file.holder if self._file else None

    # What the session is

    def get_cwd(self) -> str:
        """Return the directory the session works in."""
        return self._cwd

    def get_session_id(self) -> str:
        """Return the session's id."""
        return self._header.id

    def get_session_file(self) -> Path | None:
        """Return where the session is kept, whether that exists yet or not; None in memory."""
        return self._file.path if self._file else None

    def get_session_dir(self) -> Path | None:
        """Return the folder of the session's file."""
        return self._file.path.parent if self._file else None

    def get_session_name(self) -> str | None:
        """Return the name that the session was given last."""
        return self._tree.name

    def get_header(self) -> Header:
        """Return the first line of the file."""
        return self._header

    # The tree

    @property
    def lines_read(self) -> int:
        """How many lines were read from the session's file, some of them more than once."""
        return self._tree.lines_read

    def get_stats(self) -> SessionStats:
        """Return what all entries of all branches add up to; it grows with the session."""
        return self._tree.stats

    def get_entries(self) -> Sequence[Entry]:
        """Return every entry of every branch, in the order of the file. Each is read when it is looked at."""
        return self._tree.all()

    def get_entry(self, entry_id: str) -> Entry:
        """Return one entry; raises `EntryNotFoundError`."""
        return self._tree.get(entry_id)

    def __contains__(self, entry_id: object) -> bool:
        return entry_id in self._tree

    def get_leaf_entry(self) -> Entry | None:
        """Return the entry that the next one will follow."""
        return self._tree.leaf

    def get_leaf_id(self) -> str | None:
        """Return the id of the entry that the next one will follow."""
        return self._tree.leaf.id if self._tree.leaf else None

    def get_branch(self, from_id: str | None = None) -> Sequence[Entry]:
        """Return the entries from the root to `from_id`, or to the leaf. Each is read when it is looked at."""
        return self._tree.branch(from_id)

    def newest_first(self) -> Iterator[Entry]:
        """Yield the entries from the leaf back to the root, as far as they are asked for."""
        return self._tree.newest_first()

    def get_children(self, entry_id: str) -> list[Entry]:
        """Return the entries that follow an entry, the oldest first."""
        return self._tree.children_of(entry_id)

    def get_tree(self) -> list[TreeNode]:
        """Return the roots with all that follows them."""
        return self._tree.roots()

    def get_label(self, entry_id: str) -> str | None:
        """Return the label of an entry."""
        return self._tree.label_of(entry_id)

    def get_labels(self) -> Mapping[str, LabelEntry]:
        """Return the latest label of each entry that has one, by the id of that entry."""
        return self._tree.labels

    def build_context_entries(self) -> Sequence[Entry]:
        """Return the entries of the active branch that count after its latest compaction."""
        return build_context_entries(self._tree.branch())

    def build_session_projection(self) -> list[Message]:
        """Return the messages of the active branch for the model, edits and compaction applied."""
        return project(self._tree.branch())

    def branch(self, entry_id: str) -> None:
        """Go on from another entry; raises `EntryNotFoundError`."""
        self._tree.move_to(entry_id)

    def reset_leaf(self) -> None:
        """Go on from before the first entry."""
        self._tree.move_to(None)

    # Adding to it

    def append_message(self, message: Message) -> MessageEntry:
        """Add a finished message of the conversation."""
        if message.role == "assistant" and message.stop_reason == "pending":
            raise ValueError("an answer that is still arriving is not stored")
        raw = self._line(MessageEntry.type_name, {"message": _wire(message)})
        return self._add(MessageEntry(raw, message))

    def append_model_change(self, provider: str, model_id: str) -> ModelChangeEntry:
        """Record that another model was chosen."""
        return self._append(ModelChangeEntry, {"provider": provider, "modelId": model_id})

    def append_thinking_level_change(self, level: str) -> ThinkingLevelChangeEntry:
        """Record that another thinking level was chosen."""
        return self._append(ThinkingLevelChangeEntry, {"thinkingLevel": level})

    def append_usage(
        self, kind: str, *, provider: str, model: str, usage: Usage, note: str | None = None
    ) -> UsageEntry:
        """Record tokens that were spent outside the conversation."""
        return self._append(
            UsageEntry,
            {
                "kind": kind,
                "provider": provider,
                "model": model,
                "usage": usage.to_wire(),
                "note": note,
            },
        )

    def append_compaction(
        self,
        summary: str,
        *,
        first_kept_entry_id: str | None,
        tokens_before: int,
        system_message: SystemMessage | None = None,
        details: JsonValue = None,
        usage: Usage | None = None,
        from_hook: bool | None = None,
    ) -> CompactionEntry:
        """Put a summary in place of what lies before `first_kept_entry_id`; of all there is for `None`."""
        line = self._line(
            CompactionEntry.type_name,
            {
                "summary": summary,
                "firstKeptEntryId": first_kept_entry_id or "",
                "tokensBefore": tokens_before,
                "details": details,
                "systemMessage": _wire(system_message) if system_message else None,
                "usage": usage.to_wire() if usage else None,
                "fromHook": from_hook,
            },
        )
        # One that names itself keeps nothing.
        line["firstKeptEntryId"] = first_kept_entry_id or line["id"]
        before = self.build_context_entries()
        made = self._add(CompactionEntry(line))
        let_go_before(before, made.first_kept_entry_id)
        return made

    def append_context_edit(self, target_id: str, replacement: Content | None) -> ContextEditEntry:
        """Show the model other content in place of an entry's, or nothing. The entry itself stays.

        The target is a user, assistant or tool message, or a message of an extension, on the active branch.
        """
        target = self._tree.get(target_id)
        if position_of(self._tree.branch(), target_id) is None:
            raise SessionError(f"Entry {target_id} is not on the active branch")
        if not is_editable(target):
            raise SessionError(f"Entry {target_id} has no content that can be replaced")
        role = target.role if isinstance(target, MessageEntry) else ""
        content = {"content": as_content(_content(replacement), role=role)}
        line = self._line(ContextEditEntry.type_name, {"targetId": target_id})
        line["replacement"] = None if replacement is None else content
        return self._add(ContextEditEntry(line))

    def branch_with_summary(
        self,
        entry_id: str | None,
        summary: str,
        *,
        details: JsonValue = None,
        usage: Usage | None = None,
        from_hook: bool | None = None,
    ) -> BranchSummaryEntry:
        """Go on from another entry, or from before the first, with a summary of what is left behind."""
        left = self.get_leaf_id()
        self._tree.move_to(entry_id)
        try:
            return self._append(
                BranchSummaryEntry,
                {
                    "fromId": left or "root",
                    "summary": summary,
                    "details": details,
                    "usage": usage.to_wire() if usage else None,
                    "fromHook": from_hook,
                },
            )
        except SessionWriteError:
            self._tree.move_to(left)
            raise

    def append_custom(self, custom_type: str, data: JsonValue = None) -> CustomEntry:
        """Record data of an extension that the model does not see."""
        return self._append(CustomEntry, {"customType": custom_type, "data": data})

    def append_custom_message(
        self, custom_type: str, content: Content, *, display: bool = True, details: JsonValue = None
    ) -> CustomMessageEntry:
        """Add content of an extension that the model sees, and the user if `display` says so."""
        return self._append(
            CustomMessageEntry,
            {
                "customType": custom_type,
                "content": _content(content),
                "display": display,
                "details": details,
            },
        )

    def append_label(self, target_id: str, label: str | None) -> LabelEntry:
        """Label an entry, or take its label away."""
        self._tree.get(target_id)
        return self._append(LabelEntry, {"targetId": target_id, "label": label or None})

    def append_session_info(self, name: str) -> SessionInfoEntry:
        """Name the session; an empty name takes the name away."""
        return self._append(SessionInfoEntry, {"name": " ".join(name.strip().splitlines())})

    def _append(self, view: type[_View], fields: Mapping[str, JsonValue]) -> _View:
        return self._add(view(self._line(view.type_name, fields)))

    def _line(self, kind: str, fields: Mapping[str, JsonValue]) -> JsonObject:
        return raw_entry(
            kind,
            {key: value for key, value in fields.items() if value is not None},
            entry_id=entry_id(self._tree),
            parent_id=self.get_leaf_id(),
            timestamp=iso_timestamp(self._now()),
        )

    def _add(self, entry: _View) -> _View:
        if self._file is not None:
            self._file.add(entry.raw)
        self._tree.append(entry)
        return entry


def _new_header(
    cwd: str | Path,
    now: Now,
    *,
    session_id: str | None = None,
    parent_session: Path | None = None,
) -> Header:
    if session_id is not None and not is_session_id(session_id):
        raise SessionError(
            f"Invalid session id: {session_id}",
            "It may hold letters, digits, dots, dashes and underscores, and begins and ends with a letter or digit.",
        )
    moment = now()
    return Header.new(
        session_id or uuid7(moment),
        cwd=os.path.abspath(cwd),
        timestamp=iso_timestamp(moment),
        parent_session=str(parent_session) if parent_session else None,
    )


def _default_folder(cwd: str | Path) -> SessionFolder:
    return AgentPaths.from_environment(os.environ).sessions_of(Path(cwd))


def _is_empty_or_missing(path: Path) -> bool:
    try:
        return path.stat().st_size == 0
    except FileNotFoundError:
        return True
    except OSError as error:
        raise SessionError(f"Cannot open the session {path}: {error.strerror}") from error


def _content(content: Content | None) -> JsonValue:
    if content is None or isinstance(content, str):
        return content
    return [block.to_wire() for block in content]


def _wire(message: Message) -> JsonObject:
    try:
        return message.to_wire()
    except ValueError as error:
        raise SessionWriteError(f"This message cannot be stored: {error}") from error
