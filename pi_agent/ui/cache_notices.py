"""Tells what the provider's cache of prompts costs and saves: prompts that were not in it, and those kept in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from pi_agent.llm.cache_cost import CacheMiss, cache_miss
from pi_agent.llm.messages import AssistantMessage, BranchSummaryMessage, Message
from pi_agent.llm.model import Price
from pi_agent.llm.usage import Usage, prompt_tokens
from pi_agent.loop.events import AgentEvent, EntryAppended, MessageEnd
from pi_agent.loop.summary_events import CompactionEnd
from pi_agent.session.entries import (
    BranchSummaryEntry,
    CompactionEntry,
    Entry,
    MessageEntry,
)
from pi_agent.ui.footer import format_tokens
from pi_agent.ui.notices import Notices

# What is less than both is not worth a line.
_LEAST_TOKENS: Final = 20_000
_LEAST_COST: Final = 0.10

# Returns the prices of a provider's model.
PriceOf = Callable[[str, str], Price]


class CacheNotices:
    """Follows the answers of a conversation. `is_wanted` is asked before each line."""

    def __init__(self, notices: Notices, price_of: PriceOf, is_wanted: Callable[[], bool]) -> None:
        self._notices = notices
        self._price_of = price_of
        self._is_wanted = is_wanted
        self._previous: AssistantMessage | None = None
        self._refreshes = 0
        self._spent = 0.0

    def begin(self, entries: Sequence[Entry]) -> None:
        """Go on from what is in the session: the newest answer, unless a summary follows it."""
        self._previous = None
        for entry in reversed(entries):
            if isinstance(entry, BranchSummaryEntry | CompactionEntry):
                return
            message = entry.message if isinstance(entry, MessageEntry) else None
            if isinstance(message, AssistantMessage) and prompt_tokens(message.usage):
                self._previous = message
                return

    def take(self, event: AgentEvent) -> None:
        """Note an answer, a summary, or a prompt that was kept in the cache."""
        if isinstance(event, MessageEnd):
            self._take_message(event.message)
        elif isinstance(event, CompactionEnd) and event.result is not None:
            self._previous = None
        elif isinstance(event, EntryAppended):
            self._take_entry(event.entry)

    def _take_message(self, message: Message) -> None:
        if isinstance(message, BranchSummaryMessage):
            self._previous = None
        if not isinstance(message, AssistantMessage) or not prompt_tokens(message.usage):
            return
        previous, self._previous = self._previous, message
        self._refreshes, self._spent = 0, 0.0
        if previous is not None and _has_cache(previous.usage, message.usage):
            price = self._price_of(message.provider, message.model)
            self._tell_miss(cache_miss(previous.usage, message.usage, price))

    def _tell_miss(self, missed: CacheMiss | None) -> None:
        if missed is None or (missed.tokens < _LEAST_TOKENS and missed.cost < _LEAST_COST):
            return
        if self._is_wanted():
            tokens = format_tokens(missed.tokens)
            self._notices.say(f"Cache miss: {tokens} tokens re-billed{_dollars(missed.cost)}")

    def _take_entry(self, entry: dict[str, object]) -> None:
        if entry.get("type") == "branch_summary":
            self._previous = None
        if entry.get("type") != "usage" or entry.get("kind") != "cache_warm":
            return
        usage = Usage.from_wire(entry["usage"])
        self._refreshes += 1
        self._spent += usage.cost.total
        if self._is_wanted():
            times = "once" if self._refreshes == 1 else f"{self._refreshes} times"
            tokens = format_tokens(prompt_tokens(usage))
            text = f"Cache: {tokens} tokens kept warm, {times}{_dollars(self._spent)}"
            self._notices.notify(text)


def _has_cache(previous: Usage, usage: Usage) -> bool:
    """Return whether the provider tells of a cache at all: where it does not, nothing is missed."""
    return any((one.cache_read or one.cache_write) for one in (previous, usage))


def _dollars(cost: float) -> str:
    return f" (~${cost:.2f})" if cost >= 0.005 else ""
