"""Which files a conversation has read and changed, for a summary that takes the place of its calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from pi_agent.base.wire import JsonObject, JsonValue
from pi_agent.llm.messages import AssistantMessage, Message, ToolResultMessage, tool_calls_of
from pi_agent.session.entries import BranchSummaryEntry, CompactionEntry, Entry
from pi_tui.frozen import frozen

_READS: Final = ("read",)
_CHANGES: Final = ("write", "edit")


@frozen
class FileLists:
    """Paths in order. A file that was changed is not among those that were only read."""

    read_files: tuple[str, ...] = ()
    modified_files: tuple[str, ...] = ()

    @classmethod
    def of(cls, read: Iterable[str], modified: Iterable[str]) -> FileLists:
        """Sort paths."""
        changed = set(modified)
        return cls(tuple(sorted(set(read) - changed)), tuple(sorted(changed)))

    def details(self) -> JsonObject:
        """Return the lists as a summary's entry keeps them."""
        return {"readFiles": list(self.read_files), "modifiedFiles": list(self.modified_files)}

    def as_text(self) -> str:
        """Return what stands at the end of a summary; nothing if there are no files."""
        lists = (("read-files", self.read_files), ("modified-files", self.modified_files))
        return "".join(
            f"\n\n<{tag}>\n{chr(10).join(files)}\n</{tag}>" for tag, files in lists if files
        )


def file_lists(messages: Iterable[Message], summaries: Sequence[Entry] = ()) -> FileLists:
    """Return the files that calls in `messages` name, and those that earlier `summaries` of pi's name."""
    read: list[str] = []
    modified: list[str] = []
    for summary in summaries:
        details = _own_details(summary)
        read += _paths(details.get("readFiles"))
        modified += _paths(details.get("modifiedFiles"))
    for name, arguments in _calls(messages):
        path = arguments.get("path")
        if isinstance(path, str) and path:
            read += [path] if name in _READS else []
            modified += [path] if name in _CHANGES else []
    return FileLists.of(read, modified)


def _calls(messages: Iterable[Message]) -> Iterator[tuple[object, Mapping[str, JsonValue]]]:
    """Yield name and arguments of all calls, those made by tools included."""
    for message in messages:
        if isinstance(message, AssistantMessage):
            for call in tool_calls_of(message):
                yield call.name, call.arguments
        elif isinstance(message, ToolResultMessage):
            yield from _nested_calls(message.nested_calls)


def _nested_calls(recorded: JsonValue) -> Iterator[tuple[object, Mapping[str, JsonValue]]]:
    calls = recorded.get("calls") if isinstance(recorded, dict) else None
    for call in calls if isinstance(calls, list) else ():
        arguments = call.get("arguments") if isinstance(call, dict) else None
        if isinstance(arguments, dict):
            yield call.get("name"), arguments


def _own_details(entry: Entry) -> Mapping[str, JsonValue]:
    """Return the details of a summary that pi itself made: those of extensions may mean anything."""
    if not isinstance(entry, CompactionEntry | BranchSummaryEntry) or entry.raw.get("fromHook"):
        return {}
    return entry.details if isinstance(entry.details, dict) else {}


def _paths(value: JsonValue) -> list[str]:
    return [path for path in value if isinstance(path, str)] if isinstance(value, list) else []
