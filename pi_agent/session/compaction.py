"""What a compaction is made of: what is summarised, what stays, and what there was before."""

from __future__ import annotations

from collections.abc import Sequence

from pi_agent.base.errors import PiError
from pi_agent.llm.messages import Message, SystemMessage
from pi_agent.llm.system_state import SystemState, replay_system, system_patch
from pi_agent.session.context import ProjectedEntry, project_entries
from pi_agent.session.cut_point import find_cut_point
from pi_agent.session.entries import CompactionEntry, Entry
from pi_agent.session.estimate import context_tokens
from pi_agent.session.file_lists import FileLists, file_lists
from pi_agent.session.sequence import last_of
from pi_tui.frozen import frozen


@frozen
class CompactionSettings:
    """When there is too much, and how much stays. `enabled` is about compactions that nobody asked for."""

    enabled: bool = True
    reserve_tokens: int = 16_384
    keep_recent_tokens: int = 20_000


@frozen(kw_only=True)
class CompactionPreparation:
    """What is about to be compacted.

    `messages_to_summarize` come before all that stays. When a turn is cut in two, its beginning is
    `turn_prefix_messages`. `first_kept_entry_id` is `None` if nothing stays. `previous_summary` is that of the
    compaction before, which the messages follow.
    """

    first_kept_entry_id: str | None
    messages_to_summarize: tuple[Message, ...]
    turn_prefix_messages: tuple[Message, ...] = ()
    is_split_turn: bool = False
    tokens_before: int = 0
    previous_summary: str | None = None
    file_ops: FileLists = FileLists()
    settings: CompactionSettings = CompactionSettings()


class NothingToCompactError(PiError):
    """There is nothing that a summary could take the place of."""


def prepare_compaction(
    branch: Sequence[Entry], settings: CompactionSettings
) -> CompactionPreparation:
    """Decide what of a branch is summarised; raises `NothingToCompactError`."""
    projected = project_entries(branch)
    previous = projected[0].entry if projected else None
    entries = projected
    if isinstance(previous, CompactionEntry):
        entries = projected[1:]
        _refuse_twice(branch)
    cut = find_cut_point(entries, settings.keep_recent_tokens)
    history = _messages(entries[: cut.turn]) if cut is not None else ()
    prefix = _messages(entries[cut.turn : cut.kept]) if cut is not None else ()
    if cut is None or not (history or prefix):
        raise NothingToCompactError("Nothing to compact (session too small)")
    compaction = previous if isinstance(previous, CompactionEntry) else None
    return CompactionPreparation(
        first_kept_entry_id=entries[cut.kept].entry.id if cut.kept < len(entries) else None,
        messages_to_summarize=history,
        turn_prefix_messages=prefix,
        is_split_turn=bool(prefix),
        tokens_before=context_tokens(
            reversed(branch), lambda: (each for one in projected for each in one.messages)
        ),
        previous_summary=compaction.summary if compaction is not None else None,
        file_ops=file_lists([*history, *prefix], [compaction] if compaction is not None else []),
        settings=settings,
    )


def told_so_far(messages: Sequence[Message], timestamp: int) -> SystemMessage | None:
    """Return the system messages of a transcript as one, which is kept when they are gone."""
    return system_patch(SystemState(), replay_system(messages), timestamp)


def _messages(entries: Sequence[ProjectedEntry]) -> tuple[Message, ...]:
    """Return what can be summarised: the prompt is told anew."""
    return tuple(
        message
        for each in entries
        for message in each.messages
        if not isinstance(message, SystemMessage)
    )


def _refuse_twice(branch: Sequence[Entry]) -> None:
    at = last_of(branch, CompactionEntry.type_name)
    after = project_entries(branch[at + 1 :] if at is not None else branch)
    if not any(each.messages for each in after):
        raise NothingToCompactError("Already compacted")
