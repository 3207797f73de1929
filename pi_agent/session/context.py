"""A branch as messages for the model.

Everything is worked out from the entries between the root and the leaf; nothing is remembered elsewhere. A
compaction or an edit changes what the model will see, never what is stored.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from pi_agent.base.wire import JsonObject, JsonValue, ValidationError
from pi_agent.llm.messages import (
    BranchSummaryMessage,
    CompactionSummaryMessage,
    CustomMessage,
    Message,
)
from pi_agent.session.entries import (
    BranchSummaryEntry,
    CompactionEntry,
    ContextEditEntry,
    CustomMessageEntry,
    Entry,
    MessageEntry,
    ModelChangeEntry,
    ThinkingLevelChangeEntry,
    read_message,
)
from pi_agent.session.sequence import last_of, position_of
from pi_tui.frozen import frozen

EDITABLE_ROLES: Final = ("user", "assistant", "toolResult")
# Roles whose content is a list of blocks and cannot be bare text.
BLOCK_ROLES: Final = ("assistant", "toolResult")

EntryT = TypeVar("EntryT", bound=Entry)

_log = logging.getLogger("pi.session")


@frozen
class BranchSettings:
    """The model and the thinking level that hold at the end of a branch; None where it names none."""

    provider: str | None = None
    model_id: str | None = None
    thinking_level: str | None = None


@frozen
class ProjectedEntry:
    """An entry and what it gives the model: a compaction two messages, most others one, some none."""

    entry: Entry
    messages: tuple[Message, ...] = ()


def build_context_entries(branch: Sequence[Entry]) -> Sequence[Entry]:
    """Return the entries of a branch that count after its latest compaction, which comes first."""
    at = last_of(branch, CompactionEntry.type_name)
    if at is None:
        return branch
    compaction = branch[at]
    assert isinstance(compaction, CompactionEntry)
    kept_from = position_of(branch[:at], compaction.first_kept_entry_id)
    kept = [] if kept_from is None else [e for e in branch[kept_from:at] if not _is_system(e)]
    return [compaction, *kept, *branch[at + 1 :]]


def in_order_of_time(context_entries: Sequence[Entry]) -> Sequence[Entry]:
    """Put a compaction that comes first to where it was made: behind what it has kept."""
    if not context_entries or not isinstance(context_entries[0], CompactionEntry):
        return context_entries
    compaction, *entries = context_entries
    after = (at for at, entry in enumerate(entries) if entry.parent_id == compaction.id)
    entries.insert(next(after, len(entries)), compaction)
    return entries


def let_go_before(entries: Sequence[Entry], entry_id: str) -> None:
    """Keep of the entries before one only their lines: the model is not told of them any more."""
    for entry in entries:
        if entry.id == entry_id:
            return
        if isinstance(entry, MessageEntry):
            entry.let_go()


def project_entries(branch: Sequence[Entry]) -> list[ProjectedEntry]:
    """Return the entries that count, each with what it gives the model, edits and compaction applied."""
    entries = build_context_entries(branch)
    # An edit stands behind what it edits: what no longer counts has none for what does.
    edits = {e.target_id: e for e in entries if isinstance(e, ContextEditEntry)}
    projected: list[ProjectedEntry] = []
    for index, entry in enumerate(entries):
        if isinstance(entry, CompactionEntry):
            # One that an earlier compaction left in the kept range is part of the later summary.
            messages = tuple(_messages_of_compaction(entry)) if index == 0 else ()
            projected.append(ProjectedEntry(entry, messages))
            continue
        edit = edits.get(entry.id)
        message = message_of(entry) if edit is None else _edited_message_of(entry, edit)
        projected.append(ProjectedEntry(entry, () if message is None else (message,)))
    return projected


def project(branch: Sequence[Entry]) -> list[Message]:
    """Return the messages that a branch gives the model."""
    return [message for each in project_entries(branch) for message in each.messages]


def settings_of_branch(
    branch: Sequence[Entry],
    *,
    is_virtual: Callable[[str, str], bool] = lambda provider, model_id: False,
) -> BranchSettings:
    """Return the model and thinking level last used on a branch.

    An answer names the model that gave it, which a virtual model only stands in front of: a choice for which
    `is_virtual` holds stays until the next choice.
    """
    level = _last(branch, ThinkingLevelChangeEntry)
    provider, model_id = _model_of(branch, is_virtual)
    return BranchSettings(provider, model_id, level.thinking_level if level is not None else None)


def _model_of(
    branch: Sequence[Entry], is_virtual: Callable[[str, str], bool]
) -> tuple[str | None, str | None]:
    """Return the model that was chosen last, or the one that has answered since."""
    change = _last(branch, ModelChangeEntry)
    chosen = (None, None) if change is None else (change.provider, change.model_id)
    if change is not None and is_virtual(change.provider, change.model_id):
        return chosen
    for entry in reversed(branch):
        if entry is change:
            break
        if isinstance(entry, MessageEntry) and entry.role == "assistant":
            message = entry.raw.get("message") or {}
            named = message.get("provider"), message.get("model")
            if all(isinstance(part, str) and part for part in named):
                return named
    return chosen


def _last(branch: Sequence[Entry], kind: type[EntryT]) -> EntryT | None:
    at = last_of(branch, kind.type_name)
    entry = branch[at] if at is not None else None
    return entry if isinstance(entry, kind) else None


def is_editable(entry: Entry) -> bool:
    """Tell whether a context edit may name `entry`."""
    if isinstance(entry, MessageEntry):
        return entry.role in EDITABLE_ROLES
    return isinstance(entry, CustomMessageEntry)


def _is_system(entry: Entry) -> bool:
    return isinstance(entry, MessageEntry) and entry.role == "system"


def _messages_of_compaction(entry: CompactionEntry) -> list[Message]:
    summary = CompactionSummaryMessage(
        summary=entry.summary, tokens_before=entry.tokens_before, timestamp=entry.timestamp_ms
    )
    system = read_message(entry.system_message, entry_id=entry.id)
    return [summary] if system is None else [system, summary]


def message_of(entry: Entry) -> Message | None:
    """Return what an entry says in the conversation; `None` if it says nothing."""
    if isinstance(entry, MessageEntry):
        return entry.message
    if isinstance(entry, BranchSummaryEntry):
        return BranchSummaryMessage(
            summary=entry.summary, from_id=entry.from_id, timestamp=entry.timestamp_ms
        )
    if isinstance(entry, CustomMessageEntry):
        return _custom_message(entry, entry.content)
    return None


def _edited_message_of(entry: Entry, edit: ContextEditEntry) -> Message | None:
    if edit.replacement is None:
        return None
    if not isinstance(edit.replacement, dict):
        return message_of(entry)
    content = edit.replacement.get("content")
    if isinstance(entry, CustomMessageEntry):
        return _custom_message(entry, content)
    if isinstance(entry, MessageEntry) and isinstance(entry.raw.get("message"), dict):
        raw: JsonObject = entry.raw["message"]
        return read_message(
            {**raw, "content": as_content(content, role=entry.role)}, entry_id=edit.id
        )
    return message_of(entry)


def as_content(content: JsonValue, *, role: str) -> JsonValue:
    """Return `content` in the form that messages of `role` have."""
    if isinstance(content, str) and role in BLOCK_ROLES:
        return [{"type": "text", "text": content}]
    return content


def _custom_message(entry: CustomMessageEntry, content: JsonValue) -> CustomMessage | None:
    try:
        return CustomMessage.from_wire(
            {
                "role": "custom",
                "customType": entry.custom_type,
                "content": [] if content is None else content,
                "display": entry.display is not False,
                "details": entry.details,
                "timestamp": entry.timestamp_ms,
            }
        )
    except ValidationError as error:
        _log.warning("entry %s holds no readable content: %s", entry.id, error)
        return None
