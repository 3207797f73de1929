"""How many tokens the context holds: as the newest answer counted them, and guessed where none did."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from pi_agent.llm.message_size import message_characters
from pi_agent.llm.messages import AssistantMessage, BashExecutionMessage, Message
from pi_agent.llm.usage import sum_of_tokens
from pi_agent.session.context import message_of
from pi_agent.session.entries import CompactionEntry, ContextEditEntry, Entry

_CHARACTERS_PER_TOKEN: Final = 4


def estimate_tokens(message: Message) -> int:
    """Return a guess of the tokens of one message; a command that the model does not see has none."""
    if isinstance(message, BashExecutionMessage) and message.exclude_from_context:
        return 0
    return -(-message_characters(message) // _CHARACTERS_PER_TOKEN)


def estimate_all(messages: Iterable[Message]) -> int:
    """Return a guess of the tokens of several messages."""
    return sum(estimate_tokens(message) for message in messages)


def context_tokens(newest_first: Iterable[Entry], messages: Callable[[], Iterable[Message]]) -> int:
    """Return the tokens of a context: as they were counted, else a guess of all `messages`."""
    measured = measured_tokens(newest_first)
    return estimate_all(messages()) if measured is None else measured


def measured_tokens(newest_first: Iterable[Entry]) -> int | None:
    """Return the tokens that the newest answer counted, and a guess of what came after it.

    `newest_first` is a branch from its leaf on. `None` if no answer counted what is the context now: an edit
    or a compaction after it has made it another one.
    """
    later = 0
    for entry in newest_first:
        if isinstance(entry, CompactionEntry | ContextEditEntry):
            return None
        message = message_of(entry)
        if message is None:
            continue
        counted = counted_tokens(message)
        if counted:
            return counted + later
        later += estimate_tokens(message)
    return None


def counted_tokens(message: Message) -> int:
    """Return the tokens of an answer and all before it as its model counted them; 0 if it did not."""
    if not isinstance(message, AssistantMessage) or message.stop_reason in ("error", "aborted"):
        return 0
    return message.usage.total_tokens or sum_of_tokens(message.usage)
