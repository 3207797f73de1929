"""What of a branch that is left goes into its summary: the newest that there is room for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pi_agent.llm.messages import Message, SystemMessage, ToolResultMessage
from pi_agent.session.context import project_entries
from pi_agent.session.entries import BranchSummaryEntry, CompactionEntry, Entry
from pi_agent.session.estimate import estimate_all
from pi_agent.session.file_lists import FileLists, file_lists
from pi_tui.frozen import frozen

# As long as less of the room is used, a summary may take more than what is left of it.
_ROOM_FOR_SUMMARY: Final = 0.9


@frozen
class AbandonedBranch:
    """Messages in order, the oldest of which may be missing, and the files of all of them."""

    messages: tuple[Message, ...] = ()
    files: FileLists = FileLists()


def abandoned_branch(entries: Sequence[Entry], budget: int) -> AbandonedBranch:
    """Take the newest messages of at most `budget` tokens from `entries`; results say what calls do anyway."""
    projected = project_entries(entries)
    taken: list[tuple[Message, ...]] = []
    used = 0
    for each in reversed(projected):
        messages = tuple(message for message in each.messages if _tells_something(message))
        size = estimate_all(messages)
        has_room = _is_summary(each.entry) and used < budget * _ROOM_FOR_SUMMARY
        if used + size > budget and not has_room:
            break
        taken.append(messages)
        used += size
    said = [message for each in projected for message in each.messages]
    summaries = [entry for entry in entries if _is_summary(entry)]
    return AbandonedBranch(
        tuple(message for messages in reversed(taken) for message in messages),
        file_lists(said, summaries),
    )


def _tells_something(message: Message) -> bool:
    return not isinstance(message, SystemMessage | ToolResultMessage)


def _is_summary(entry: Entry) -> bool:
    return isinstance(entry, CompactionEntry | BranchSummaryEntry)
