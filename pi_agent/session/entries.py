"""Every kind of entry of a session file.

An entry is a view of one decoded line, which is as it came: keys and types of the future survive, and nothing is
checked on loading. A field of the wrong type reads as absent; a message is validated when it is first asked for.
The line of an entry that stands in a file is read when it is first asked for, too, and may be read again later:
what is in it is not to be changed.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import ClassVar, Final, Protocol, Self

from pi_agent.base.wire import JsonObject, JsonValue, ValidationError
from pi_agent.llm.messages import Message, message_from_wire
from pi_agent.session.index import NO_NUMBER, Kind, SessionIndex, text_of

VERSION: Final = 3

# These write their own fields before the common ones, as other programs on the same files do.
_FIELDS_FIRST: Final = ("custom", "custom_message")

_log = logging.getLogger("pi.session")


class Header:
    """The first line of a session file. A version that is missing means 1."""

    __slots__ = ("raw",)

    def __init__(self, raw: JsonObject) -> None:
        self.raw = raw

    @classmethod
    def read(cls, raw: JsonObject | None) -> Header | None:
        """Return the header that `raw` is, or None when it is none."""
        if raw is None or raw.get("type") != "session" or not isinstance(raw.get("id"), str):
            return None
        return cls(raw)

    @classmethod
    def new(
        cls, session_id: str, *, cwd: str, timestamp: str, parent_session: str | None = None
    ) -> Header:
        """Return the header of a new session; `parent_session` is the file it comes from."""
        raw: JsonObject = {
            "type": "session",
            "version": VERSION,
            "id": session_id,
            "timestamp": timestamp,
            "cwd": cwd,
        }
        if parent_session is not None:
            raw["parentSession"] = parent_session
        return cls(raw)

    @property
    def id(self) -> str:
        """The session's id."""
        return str(self.raw["id"])

    @property
    def version(self) -> int:
        """The format of the lines below; one that was never given is taken for the present one."""
        version = self.raw.get("version", 1)
        return version if type(version) is int and version > 0 else VERSION

    @property
    def timestamp(self) -> str:
        """When the session began."""
        return text_of(self.raw, "timestamp")

    @property
    def cwd(self) -> str:
        """The directory the session works in."""
        return text_of(self.raw, "cwd")

    @property
    def parent_session(self) -> str | None:
        """The file this session was forked, cloned or started from."""
        return text_of(self.raw, "parentSession") or None


class Lines(Protocol):
    """Reads what is in a file, by the numbers of the entries; `lines_read` says how much that was."""

    lines_read: int

    def line(self, number: int) -> JsonObject:
        """Return an entry's line."""
        ...

    def message(self, number: int) -> Message | None:
        """Return an entry's message, if it holds one that can be read."""
        ...


class Entry:
    """One line of a session: a node of its tree. A type that is not known here is just an `Entry`."""

    __slots__ = ("_lines", "_number", "_raw", "id", "parent_id", "type")
    type_name: ClassVar[str] = ""

    def __init__(self, raw: JsonObject) -> None:
        self._raw = raw
        self._lines: Lines | None = None
        self._number = NO_NUMBER
        self.type: str = text_of(raw, "type")
        self.id: str = text_of(raw, "id")
        self.parent_id: str | None = text_of(raw, "parentId") or None

    @classmethod
    def stored(cls, number: int, index: SessionIndex, lines: Lines) -> Self:
        """Return the entry of a number, whose line is read when somebody looks at it."""
        entry = cls.__new__(cls)
        entry._lines = lines
        entry._number = number
        entry.type = index.kind_of(number).type
        entry.id = index.id_of(number)
        entry.parent_id = index.parent_id_of(number)
        return entry

    def __repr__(self) -> str:
        return f"<{self.type} {self.id}>"

    @property
    def raw(self) -> JsonObject:
        """The decoded line."""
        return self._raw if self._lines is None else self._lines.line(self._number)

    @property
    def timestamp(self) -> str:
        """When the entry was made."""
        return text_of(self.raw, "timestamp")

    @property
    def timestamp_ms(self) -> int:
        """When the entry was made, in Unix milliseconds; 0 when that cannot be read."""
        try:
            return round(datetime.fromisoformat(self.timestamp).timestamp() * 1000)
        except ValueError:
            return 0


class _Text:
    """A text field of an entry; empty when absent."""

    def __init__(self, key: str) -> None:
        self._key = key

    def __get__(self, entry: Entry, owner: type[Entry]) -> str:
        return text_of(entry.raw, self._key)


class _Number:
    """A number field of an entry; 0 when absent."""

    def __init__(self, key: str) -> None:
        self._key = key

    def __get__(self, entry: Entry, owner: type[Entry]) -> int:
        value = entry.raw.get(self._key)
        return value if isinstance(value, int) else 0


class _Json:
    """Any JSON of an entry, as it came; None when absent."""

    def __init__(self, key: str) -> None:
        self._key = key

    def __get__(self, entry: Entry, owner: type[Entry]) -> JsonValue:
        return entry.raw.get(self._key)


class MessageEntry(Entry):
    """A message of the conversation. Its role is known without reading it."""

    __slots__ = ("_is_read", "_message", "role")
    type_name = "message"

    def __init__(self, raw: JsonObject, message: Message | None = None) -> None:
        super().__init__(raw)
        self._message = message
        self._is_read = message is not None
        self.role: str = Kind.of(raw).role

    @classmethod
    def stored(cls, number: int, index: SessionIndex, lines: Lines) -> Self:
        """Return the entry of a number, whose message is read when somebody looks at it."""
        entry = super().stored(number, index, lines)
        entry.role = index.kind_of(number).role
        entry._message = None
        return entry

    def let_go(self) -> None:
        """Keep the line only: the message is read anew should somebody look at it."""
        self._message = None
        self._is_read = False

    def is_of(self, message: Message) -> bool:
        """Whether the entry was made of this very message, and not of one like it."""
        return self._message is message

    @property
    def message(self) -> Message | None:
        """The message; None when the line holds none that can be read."""
        if self._lines is not None:
            return self._lines.message(self._number)
        if not self._is_read:
            self._message = read_message(self.raw.get("message"), entry_id=self.id)
            self._is_read = True
        return self._message


class ModelChangeEntry(Entry):
    """Another model was chosen."""

    __slots__ = ()
    type_name = "model_change"
    provider = _Text("provider")
    model_id = _Text("modelId")


class ThinkingLevelChangeEntry(Entry):
    """Another thinking level was chosen."""

    __slots__ = ()
    type_name = "thinking_level_change"
    thinking_level = _Text("thinkingLevel")


class UsageEntry(Entry):
    """Tokens spent outside the conversation."""

    __slots__ = ()
    type_name = "usage"
    kind = _Text("kind")
    provider = _Text("provider")
    model = _Text("model")
    usage = _Json("usage")
    note = _Text("note")


class CompactionEntry(Entry):
    """What lies before `first_kept_entry_id` is replaced by a summary."""

    __slots__ = ()
    type_name = "compaction"
    summary = _Text("summary")
    first_kept_entry_id = _Text("firstKeptEntryId")
    tokens_before = _Number("tokensBefore")
    system_message = _Json("systemMessage")
    details = _Json("details")
    usage = _Json("usage")


class ContextEditEntry(Entry):
    """The model sees other content in place of another entry's: `replacement` is null or `{content}`."""

    __slots__ = ()
    type_name = "context_edit"
    target_id = _Text("targetId")
    replacement = _Json("replacement")


class BranchSummaryEntry(Entry):
    """What happened on a branch that was left."""

    __slots__ = ()
    type_name = "branch_summary"
    from_id = _Text("fromId")
    summary = _Text("summary")
    details = _Json("details")
    usage = _Json("usage")


class CustomEntry(Entry):
    """Data of an extension that the model does not see."""

    __slots__ = ()
    type_name = "custom"
    custom_type = _Text("customType")
    data = _Json("data")


class CustomMessageEntry(Entry):
    """Content of an extension that the model sees."""

    __slots__ = ()
    type_name = "custom_message"
    custom_type = _Text("customType")
    content = _Json("content")
    display = _Json("display")
    details = _Json("details")


class LabelEntry(Entry):
    """A name for another entry; an empty one takes the name away."""

    __slots__ = ()
    type_name = "label"
    target_id = _Text("targetId")
    label = _Text("label")


class SessionInfoEntry(Entry):
    """A name for the session; an empty one takes the name away."""

    __slots__ = ()
    type_name = "session_info"
    name = _Text("name")


ENTRY_TYPES: Final[Mapping[str, type[Entry]]] = {
    view.type_name: view
    for view in (
        MessageEntry,
        ModelChangeEntry,
        ThinkingLevelChangeEntry,
        UsageEntry,
        CompactionEntry,
        ContextEditEntry,
        BranchSummaryEntry,
        CustomEntry,
        CustomMessageEntry,
        LabelEntry,
        SessionInfoEntry,
    )
}


def entry_from_raw(raw: JsonObject) -> Entry:
    """Return the view of a decoded line."""
    kind = raw.get("type")
    return ENTRY_TYPES.get(kind, Entry)(raw) if isinstance(kind, str) else Entry(raw)


def stored_entry(number: int, index: SessionIndex, lines: Lines) -> Entry:
    """Return the view of a line that is in a file."""
    return ENTRY_TYPES.get(index.kind_of(number).type, Entry).stored(number, index, lines)


def raw_entry(
    kind: str,
    fields: Mapping[str, JsonValue],
    *,
    entry_id: str,
    parent_id: str | None,
    timestamp: str,
) -> JsonObject:
    """Return a new line, its keys in the order in which they are written."""
    common: JsonObject = {"id": entry_id, "parentId": parent_id, "timestamp": timestamp}
    if kind in _FIELDS_FIRST:
        return {"type": kind, **fields, **common}
    return {"type": kind, **common, **fields}


def read_message(raw: JsonValue, *, entry_id: str) -> Message | None:
    """Return the message that `raw` is; None, and a line in the log, when it is none."""
    if not isinstance(raw, dict):
        return None
    try:
        return message_from_wire(raw)
    except ValidationError as error:
        _log.warning("entry %s holds no readable message: %s", entry_id, error)
        return None


def iso_timestamp(now: float) -> str:
    """Return a time in Unix seconds as session files write it: `2026-03-04T05:06:07.089Z`."""
    moment = datetime.fromtimestamp(now, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"
