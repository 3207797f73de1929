"""Which entries of a session have rows in the conversation, known without reading them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pi_agent.llm.messages import Message, ToolResultMessage
from pi_agent.session.entries import Entry, MessageEntry
from pi_agent.session.index import Kind
from pi_agent.session.sequence import positions

_SHOWN: Final = frozenset(
    {
        Kind("message", "user"),
        Kind("message", "assistant"),
        Kind("message", "custom"),
        Kind("message", "bashExecution"),
        Kind("custom_message"),
        Kind("branch_summary"),
        Kind("compaction"),
    }
)


class StoredRows:
    """The entries of a branch that are shown, by the number of their rows."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries
        self._places = positions(entries, _SHOWN)

    def __len__(self) -> int:
        return len(self._places)

    def entry(self, row: int) -> Entry:
        """Return the entry of a row."""
        return self._entries[self._places[row]]

    def results(self, row: int) -> Mapping[str, Message]:
        """Return what came of the calls of an answer, by their ids, which may come again in a later answer."""
        found: dict[str, Message] = {}
        for at in range(self._places[row] + 1, len(self._entries)):
            entry = self._entries[at]
            if not isinstance(entry, MessageEntry):
                continue
            if entry.role == "assistant":
                break
            if entry.role == "toolResult" and isinstance(entry.message, ToolResultMessage):
                found[entry.message.tool_call_id] = entry.message
        return found
