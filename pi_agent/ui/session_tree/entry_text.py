"""What the tree says of an entry, in a line. Only the lines of the file are read; no message is validated for it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Final

from pi_agent.base.wire import JsonObject, JsonValue
from pi_agent.session.entries import (
    BranchSummaryEntry,
    CompactionEntry,
    ContextEditEntry,
    CustomEntry,
    CustomMessageEntry,
    Entry,
    LabelEntry,
    MessageEntry,
    ModelChangeEntry,
    SessionInfoEntry,
    ThinkingLevelChangeEntry,
    UsageEntry,
)
from pi_agent.ui.footer import format_tokens
from pi_agent.ui.plain import plain_line
from pi_tui.frozen import frozen

# No screen shows more of an entry, and no search looks at more of it.
_MOST: Final = 1000
_MOST_OF_COMMAND: Final = 50
_MOST_OF_ARGUMENTS: Final = 40
# As far back the call of a result is looked for.
_MOST_STEPS: Final = 200

# Finds an entry by its id.
Find = Callable[[str], Entry | None]


@frozen
class EntryText:
    """Who speaks, or nothing, what is said, and the token of the theme that the speaker is drawn with."""

    speaker: str
    text: str
    token: str = "muted"

    @property
    def line(self) -> str:
        """Both, as they stand in a row."""
        return f"{self.speaker} {self.text}".strip()


def entry_text(entry: Entry, find: Find = lambda entry_id: None) -> EntryText:
    """Return the text of an entry; `find` finds those that it follows."""
    told = _told(entry, find)
    return EntryText(_line(told.speaker), _line(told.text), told.token)


def search_text(entry: Entry, find: Find = lambda entry_id: None) -> str:
    """Return what a search looks at, in small letters; it is never shown, and so not cleaned."""
    told = _told(entry, find)
    return f"{told.speaker} {told.text[:_MOST]}".casefold()


def said_by(entry: Entry) -> str:
    """Return all text of an entry, to be copied."""
    if isinstance(entry, MessageEntry):
        message = _message(entry)
        return _whole_text(message.get("content")) or str(message.get("command", ""))
    if isinstance(entry, CustomMessageEntry):
        return _whole_text(entry.content)
    if isinstance(entry, BranchSummaryEntry | CompactionEntry):
        return entry.summary
    return ""


def has_text(entry: MessageEntry) -> bool:
    """Whether a message says anything that is more than blanks."""
    return bool(_text(_message(entry).get("content")).strip())


def has_failed(entry: MessageEntry) -> bool:
    """Whether an answer was broken off or ended with an error."""
    return _message(entry).get("stopReason") in ("error", "aborted")


def _told(entry: Entry, find: Find) -> EntryText:
    if isinstance(entry, MessageEntry):
        return _message_text(entry, find)
    describe = _TEXTS.get(type(entry))
    return describe(entry) if describe is not None else _note(entry.type or "unknown")


def _message(entry: MessageEntry) -> JsonObject:
    message = entry.raw.get("message")
    return message if isinstance(message, dict) else {}


def _message_text(entry: MessageEntry, find: Find) -> EntryText:
    message = _message(entry)
    text = _text(message.get("content"))
    match entry.role:
        case "user":
            return EntryText("user:", text, "accent")
        case "assistant":
            return _answer_text(message, text)
        case "toolResult":
            return _note(_call_text(entry, message, find))
        case "bashExecution":
            return EntryText("$", str(message.get("command", "")), "bashMode")
        case "custom":
            return EntryText(f"[{message.get('customType', '')}]:", text)
    return _note(entry.role or "message")


def _answer_text(message: JsonObject, text: str) -> EntryText:
    if message.get("stopReason") == "aborted":
        return EntryText("assistant:", text or "(aborted)", "success")
    if message.get("stopReason") == "error":
        error = str(message.get("errorMessage") or "failed")
        return EntryText("assistant:", text or error, "error")
    return EntryText("assistant:", text or "(no text)", "success")


def _call_text(entry: Entry, message: JsonObject, find: Find) -> str:
    name = str(message.get("toolName") or "tool")
    arguments = _arguments(entry, message.get("toolCallId"), find)
    describe = _CALLS.get(name)
    if describe is not None:
        said = describe(arguments)
    else:
        said = json.dumps(arguments, ensure_ascii=False)[:_MOST_OF_ARGUMENTS] if arguments else ""
    return f"{name}: {said}" if said else name


def _arguments(entry: Entry, call_id: JsonValue, find: Find) -> JsonObject:
    """Return the arguments of the call that a result is for: it stands in an answer before."""
    for _ in range(_MOST_STEPS):
        found = find(entry.parent_id) if entry.parent_id else None
        if found is None:
            break
        entry = found
        if isinstance(entry, MessageEntry) and entry.role == "assistant":
            return _call_in(_message(entry).get("content"), call_id)
    return {}


def _call_in(content: JsonValue, call_id: JsonValue) -> JsonObject:
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("id") == call_id:
            arguments = block.get("arguments")
            return arguments if isinstance(arguments, dict) else {}
    return {}


def _read_call(arguments: JsonObject) -> str:
    path, first = str(arguments.get("path", "")), arguments.get("offset")
    count = arguments.get("limit")
    if not isinstance(first, int) and not isinstance(count, int):
        return path
    begin = first if isinstance(first, int) else 1
    end = f"-{begin + count - 1}" if isinstance(count, int) else ""
    return f"{path}:{begin}{end}"


def _command_call(arguments: JsonObject) -> str:
    return " ".join(str(arguments.get("command", ""))[:_MOST_OF_COMMAND].split())


def _path_call(arguments: JsonObject) -> str:
    return str(arguments.get("path", ""))


_CALLS: Final[Mapping[str, Callable[[JsonObject], str]]] = {
    "read": _read_call,
    "bash": _command_call,
    "write": _path_call,
    "edit": _path_call,
    "ls": _path_call,
}


def _note(text: str) -> EntryText:
    return EntryText("", f"[{text}]")


def _texts() -> Mapping[type[Entry], Callable[[Entry], EntryText]]:
    return {
        CompactionEntry: lambda e: _note(
            f"compaction: {format_tokens(_number(e, 'tokensBefore'))} tokens"
        ),
        BranchSummaryEntry: lambda e: EntryText(
            "[branch summary]:", _gist(e), "customMessageLabel"
        ),
        ModelChangeEntry: lambda e: _note(f"model: {_field(e, 'modelId')}"),
        ThinkingLevelChangeEntry: lambda e: _note(f"thinking: {_field(e, 'thinkingLevel')}"),
        CustomEntry: lambda e: _note(f"custom: {_field(e, 'customType')}"),
        CustomMessageEntry: lambda e: EntryText(
            f"[{_field(e, 'customType')}]:",
            _text(e.raw.get("content")),
            "customMessageLabel",
        ),
        ContextEditEntry: lambda e: _note("context edit"),
        LabelEntry: lambda e: _note(f"label: {_field(e, 'label') or '(cleared)'}"),
        SessionInfoEntry: lambda e: _note(f"title: {_field(e, 'name') or '(cleared)'}"),
        UsageEntry: lambda e: _note(f"usage: {_field(e, 'kind')}"),
    }


def _gist(entry: Entry) -> str:
    """Return what a summary of a branch says first, behind the sentence that introduces it and the headings."""
    summary = str(entry.raw.get("summary") or "")
    told = summary if entry.raw.get("fromHook") else summary.partition("\n\n")[2] or summary
    lines = (line.strip() for line in told.splitlines())
    return next((line for line in lines if line and not line.startswith("#")), told)


def _field(entry: Entry, key: str) -> str:
    value = entry.raw.get(key)
    return value if isinstance(value, str) else ""


def _number(entry: Entry, key: str) -> int:
    value = entry.raw.get(key)
    return value if isinstance(value, int) else 0


def _line(text: str) -> str:
    return " ".join(plain_line(text[:_MOST]).split())


def _text(content: JsonValue) -> str:
    """Return the beginning of the text of a content."""
    if isinstance(content, str):
        return content[:_MOST]
    found = ""
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and isinstance(block.get("text"), str):
            found += block["text"][:_MOST]
        if len(found) >= _MOST:
            break
    return found


def _whole_text(content: JsonValue) -> str:
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    texts = (block.get("text") for block in blocks if isinstance(block, dict))
    return "".join(text for text in texts if isinstance(text, str))


_TEXTS: Final = _texts()
