"""Lines about the provider's cache: which misses are worth one, what resets the comparison, what is kept warm."""

from __future__ import annotations

from typing import Any

import pytest

from pi_agent.llm.messages import AssistantMessage, BranchSummaryMessage, Message
from pi_agent.llm.model import Price
from pi_agent.llm.usage import Cost, Usage
from pi_agent.loop.events import EntryAppended, MessageEnd
from pi_agent.loop.summary_events import CompactionEnd
from pi_agent.session.store import SessionManager
from pi_agent.ui.cache_notices import CacheNotices
from pi_agent.ui.notices import Notices
from pi_tui.ansi import strip_terminal_sequences
from pi_tui.components.transcript import Transcript
from tests.pi_agent.ui.test_views import DARK, Asked

PRICE = Price(input=3, output=15, cache_read=0.3, cache_write=3.75)


class Screen:
    """A document that only notices are written to."""

    def __init__(self, *, wanted: bool = True, price: Price = PRICE) -> None:
        self._document = Transcript()
        notices = Notices(Asked(), self._document, DARK)
        self.told = CacheNotices(notices, lambda provider, model: price, lambda: wanted)

    def answered(self, tokens: int, cached: int = 0, written: int = 0, **fields: Any) -> None:
        self.message(answer(tokens, cached, written, **fields))

    def message(self, message: Message) -> None:
        self.told.take(MessageEnd(message))

    def warmed(self) -> None:
        usage = Usage(cache_read=300_000, output=1, cost=Cost(total=0.09))
        entry = {"type": "usage", "kind": "cache_warm", "usage": usage.to_wire()}
        self.told.take(EntryAppended(entry))

    @property
    def lines(self) -> list[str]:
        rows = [strip_terminal_sequences(row).strip() for row in self._document.render(80)]
        return [row for row in rows if row]


def answer(tokens: int, cached: int = 0, written: int = 0, **fields: Any) -> AssistantMessage:
    usage = Usage(input=tokens - cached - written, cache_read=cached, cache_write=written)
    return AssistantMessage(usage=usage, **fields)


@pytest.mark.parametrize(
    ("second", "lines"),
    [
        ((45_500, 44_000), []),
        ((45_500, 26_000), []),
        ((45_500, 25_000), ["Cache miss: 20k tokens re-billed (~$0.07)"]),
        ((45_500, 0), ["Cache miss: 45k tokens re-billed (~$0.16)"]),
    ],
    ids=["hit", "19k", "20k", "all"],
)
def test_a_miss_is_told_when_it_is_worth_a_line(second: Any, lines: list[str]) -> None:
    screen = Screen()
    screen.answered(45_000, written=45_000)
    screen.answered(*second)
    assert screen.lines == lines


def test_a_short_prompt_may_be_dear_enough() -> None:
    screen = Screen(price=Price(input=20, cache_read=1))
    screen.answered(10_000, cached=9_000)
    screen.answered(10_000)
    assert screen.lines == ["Cache miss: 10k tokens re-billed (~$0.19)"]


def test_without_a_cache_or_a_wish_nothing_is_told() -> None:
    screen = Screen()
    screen.answered(45_000)
    screen.answered(45_500)
    silent = Screen(wanted=False)
    silent.answered(45_000, written=45_000)
    silent.answered(45_500)
    silent.warmed()
    assert screen.lines == silent.lines == []


@pytest.mark.parametrize("what", ["compaction", "branch", "failure"])
def test_a_summary_begins_anew_and_a_failure_is_no_answer(what: str) -> None:
    screen = Screen()
    screen.answered(45_000, written=45_000)
    if what == "compaction":
        done: Any = object()
        screen.told.take(CompactionEnd("manual", done))
    elif what == "branch":
        screen.message(BranchSummaryMessage(summary="x", from_id="1"))
    else:
        screen.answered(0, stop_reason="error")
    screen.answered(45_500)
    assert bool(screen.lines) is (what == "failure")


def test_what_is_resumed_is_compared_with_its_last_answer() -> None:
    session = SessionManager.in_memory()
    session.append_message(answer(45_000, written=45_000))
    screen = Screen()
    screen.told.begin(session.build_context_entries())
    screen.answered(45_500)
    assert len(screen.lines) == 1


def test_prompts_that_are_kept_warm_share_a_line() -> None:
    screen = Screen()
    screen.answered(300_000, cached=299_000)
    screen.warmed()
    assert screen.lines == ["Cache: 300k tokens kept warm, once (~$0.09)"]
    screen.warmed()
    screen.warmed()
    assert screen.lines == ["Cache: 300k tokens kept warm, 3 times (~$0.27)"]
    screen.answered(300_500, cached=300_000)
    screen.warmed()
    assert screen.lines[-1] == "Cache: 300k tokens kept warm, once (~$0.09)"
