"""Where a conversation is cut in two: what lies before is summarised, what follows is kept as it is.

A result is never kept without its call, and of a turn that is too long to be kept whole the end is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pi_agent.llm.messages import (
    AssistantMessage,
    SystemMessage,
    ToolResultMessage,
    tool_calls_of,
)
from pi_agent.session.context import ProjectedEntry
from pi_agent.session.entries import (
    BranchSummaryEntry,
    CompactionEntry,
    CustomMessageEntry,
    Entry,
    MessageEntry,
)
from pi_agent.session.estimate import estimate_all
from pi_tui.frozen import frozen

_TURN_STARTS: Final = ("user", "bashExecution", "custom")
_CUT_ROLES: Final = (*_TURN_STARTS, "assistant")


@frozen
class CutPoint:
    """Entries from `kept` on stay; those from `turn` to there begin the turn that is cut in two.

    Both are positions; they are the same when no turn is cut. `kept` behind the last entry keeps nothing.
    """

    turn: int
    kept: int


def find_cut_point(entries: Sequence[ProjectedEntry], keep_tokens: int) -> CutPoint | None:
    """Return where to cut so that about `keep_tokens` are kept; `None` if there is no place for it.

    `entries` are those that count after the latest compaction.
    """
    places, wanted = _cut_places(entries), _first_kept(entries, keep_tokens)
    cut = _nearest(places, wanted or 0)
    if cut is None:
        return None
    if wanted is not None and not _says_something(entries[:cut]):
        # What comes first is all that is to be kept, and more: it must not stay for good.
        cut = next((place for place in places if place > cut), cut)
    turn = cut if _starts_turn(entries[cut].entry) else _start_of_turn(entries, cut)
    kept = _over_silent(entries, cut)
    if not any(each.messages for each in entries[kept:]):
        # Only a failed attempt would be kept: what made it fail must not stay in the context.
        return CutPoint(_start_of_turn(entries, len(entries)), len(entries))
    return CutPoint(min(turn, kept), kept)


def _first_kept(entries: Sequence[ProjectedEntry], keep_tokens: int) -> int | None:
    """Return the position from which on there are `keep_tokens`; `None` if there are not so many."""
    tokens = 0
    for index in range(len(entries) - 1, -1, -1):
        tokens += estimate_all(entries[index].messages)
        if tokens >= keep_tokens:
            return index
    return None


def _cut_places(entries: Sequence[ProjectedEntry]) -> list[int]:
    """Return the positions where entries may be cut, in order."""
    places: list[int] = []
    called = {call for each in entries for call in _calls_of(each)}
    wanted: set[str] = set()  # calls whose results lie behind the position that is looked at
    begins_with_result = False
    for index in range(len(entries) - 1, -1, -1):
        each = entries[index]
        results = _results_of(each)
        wanted = (wanted | (results & called)) - _calls_of(each)
        if each.messages:
            begins_with_result = bool(results)
        if not wanted and not begins_with_result and _may_be_cut(each.entry):
            places.append(index)
    return places[::-1]


def _nearest(places: Sequence[int], wanted: int) -> int | None:
    """Return the first place at or behind `wanted`, else the last one before it."""
    if not places:
        return None
    return next((place for place in places if place >= wanted), places[-1])


def _start_of_turn(entries: Sequence[ProjectedEntry], cut: int) -> int:
    """Return where the turn began that a cut goes through; `cut` itself if that lies elsewhere."""
    for index in range(cut - 1, -1, -1):
        if _starts_turn(entries[index].entry):
            return index
    return cut


def _over_silent(entries: Sequence[ProjectedEntry], cut: int) -> int:
    """Keep what tells the model nothing together with what it stands in front of."""
    while cut > 0 and _is_silent(entries[cut - 1]):
        cut -= 1
    return cut


def _says_something(entries: Sequence[ProjectedEntry]) -> bool:
    """Return whether there is anything that could be summarised: the prompt is told anew."""
    messages = (message for each in entries for message in each.messages)
    return any(not isinstance(message, SystemMessage) for message in messages)


def _is_silent(each: ProjectedEntry) -> bool:
    return not each.messages and not isinstance(each.entry, CompactionEntry)


def _may_be_cut(entry: Entry) -> bool:
    if isinstance(entry, MessageEntry):
        return entry.role in _CUT_ROLES
    return isinstance(entry, CustomMessageEntry | BranchSummaryEntry)


def _starts_turn(entry: Entry) -> bool:
    return _may_be_cut(entry) and not (
        isinstance(entry, MessageEntry) and entry.role == "assistant"
    )


def _calls_of(each: ProjectedEntry) -> set[str]:
    return {
        call.id
        for message in each.messages
        if isinstance(message, AssistantMessage)
        for call in tool_calls_of(message)
    }


def _results_of(each: ProjectedEntry) -> set[str]:
    return {
        message.tool_call_id for message in each.messages if isinstance(message, ToolResultMessage)
    }
