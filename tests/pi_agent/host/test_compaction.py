"""Compactions of a conversation: when there is one, what the model is told, what is kept, what is told of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from pi_agent.base.errors import PiError
from pi_agent.host.retry import RetryPolicy
from pi_agent.host.run_start import Input
from pi_agent.llm.messages import (
    AssistantMessage,
    CompactionSummaryMessage,
    SystemMessage,
    TextContent,
    UserMessage,
    text_of,
)
from pi_agent.llm.model import Model
from pi_agent.llm.script import ScriptedCall, Step
from pi_agent.llm.scripted import FauxProvider, Response
from pi_agent.llm.stream import StreamEvent
from pi_agent.llm.usage import Usage
from pi_agent.loop.events import AgentEvent
from pi_agent.loop.summary_events import CompactionEnd, CompactionStart
from pi_agent.session.compaction import CompactionSettings
from pi_agent.session.entries import CompactionEntry
from pi_agent.session.store import SessionManager
from pi_tui.abort import AbortError
from tests.pi_agent.host.test_conversation import Talk
from tests.pi_agent.loop.script import tool

pytestmark = pytest.mark.anyio

SMALL = Model(id="small", provider="demo", api="demo", context_window=9000, max_tokens=1000)
SETTINGS = CompactionSettings(reserve_tokens=1000, keep_recent_tokens=10)
FULL = Usage(input=8100, output=10)
OVERFLOW = Step(error="400: This model's maximum context length is 9000 tokens")


class CompactingTalk(Talk):
    """A conversation with a model of 9000 tokens, of which 1000 are kept free, and 10 at least are kept."""

    def __init__(
        self, *responses: Response, settings: CompactionSettings = SETTINGS, **setup: Any
    ) -> None:
        given: dict[str, Any] = {"model": SMALL, "compaction_settings": lambda model: settings}
        super().__init__(*responses, **given | setup)
        self.compactions: list[CompactionStart | CompactionEnd] = []
        self.conversation.subscribe(self._keep)

    def _keep(self, event: AgentEvent) -> None:
        if isinstance(event, CompactionStart | CompactionEnd):
            self.compactions.append(event)

    @property
    def ends(self) -> list[CompactionEnd]:
        return [event for event in self.compactions if isinstance(event, CompactionEnd)]

    @property
    def stored(self) -> list[CompactionEntry]:
        entries = self.session.get_entries()
        return [entry for entry in entries if isinstance(entry, CompactionEntry)]

    def told(self, number: int) -> str:
        """Return all that a request says."""
        return "\n".join(text_of(m.content) for m in self.model.state.requests[number].messages)  # type: ignore[union-attr]  # requests hold plain messages only

    async def say(self, *texts: str) -> None:
        for text in texts:
            await self.conversation.prompt(text)


def after(*texts: str) -> SessionManager:
    """Return a session in which things were said and answered, 10 tokens each."""
    session = SessionManager.in_memory()
    session.append_message(SystemMessage(content="Be brief."))
    for number, text in enumerate(texts):
        padded = text.ljust(40, ".")
        session.append_message(
            UserMessage(content=padded)
            if number % 2 == 0
            else AssistantMessage(
                content=[TextContent(text=padded)],
                provider="demo",
                model="small",
                usage=Usage(input=50),
            )
        )
    return session


CHAT = ("one", "two", "three", "four")


# Answers every request for a summary.
SUMMARY = Step(text="SUMMARY", match="<conversation>", repeat=True)


def chat(*responses: Response, **setup: Any) -> CompactingTalk:
    """Return a conversation that has said something already."""
    return CompactingTalk(*responses, **{"session": after(*CHAT)} | setup)


# --- asked for


async def test_a_summary_takes_the_place_of_what_was_said_longest_ago() -> None:
    talk = chat("## Goal\nHistory.", "## Original Request\nPrefix.", "go")
    result = await talk.conversation.compact()
    summary = (
        "## Goal\nHistory.\n\n---\n\n**Turn Context (split turn):**\n\n## Original Request\nPrefix."
    )
    [entry] = talk.stored
    assert entry.summary == result.summary == summary
    assert entry.first_kept_entry_id == talk.session.get_entries()[4].id
    assert entry.tokens_before == result.tokens_before == 50
    assert entry.details == result.details == {"readFiles": [], "modifiedFiles": []}
    assert result.usage is not None and entry.raw["usage"] == result.usage.to_wire()
    assert entry.raw["fromHook"] is False
    assert entry.raw["systemMessage"]["content"] == "Be brief."
    start, end = talk.compactions
    assert (start.type, start.reason) == ("compaction_start", "manual")
    assert end == CompactionEnd("manual", result)
    kept = talk.conversation.messages
    assert [message.role for message in kept] == ["system", "compactionSummary", "assistant"]
    await talk.say("and now?")
    assert talk.told(2).split("\n")[0].startswith("The conversation before this point")
    assert "one" not in talk.told(2) and "four" in talk.told(2)


async def test_what_is_summarised_is_what_is_not_kept() -> None:
    talk = chat("history", "prefix")
    await talk.conversation.compact("names only")
    requests = [talk.told(0), talk.told(1)]
    assert requests[0].startswith("<conversation>\n[User]: one.")
    assert "two" in requests[0] and "three" not in requests[0]
    assert "three" in requests[1] and "four" not in requests[1]
    for request in requests:
        assert request.endswith("\n\nAdditional focus: names only")


async def test_a_second_compaction_goes_on_from_the_summary_of_the_first() -> None:
    keep_turns = CompactionSettings(reserve_tokens=1000, keep_recent_tokens=20)
    talk = chat("first", "ok", "second", settings=keep_turns)
    await talk.conversation.compact()
    with pytest.raises(PiError, match="Already compacted"):
        await talk.conversation.compact()
    await talk.say("x" * 80)
    await talk.conversation.compact()
    asked = talk.told(2)
    assert "[User]: three" in asked and "[User]: one" not in asked
    assert "</conversation>\n\n<previous-summary>\nfirst\n</previous-summary>" in asked
    messages = talk.conversation.messages
    assert [m.summary for m in messages if isinstance(m, CompactionSummaryMessage)] == ["second"]
    assert len(talk.stored) == 2


async def test_history_and_beginning_of_a_turn_are_summarised_at_the_same_time() -> None:
    talk = chat(Step(text="history", delay_ms=1000), Step(text="prefix", delay_ms=1000))
    clock = talk.model_clock
    work = asyncio.create_task(talk.conversation.compact())
    await clock.until_sleeping()
    await asyncio.sleep(0)
    assert clock.sleeping == 2
    clock.advance(2)
    assert "history\n\n---" in (await work).summary


@pytest.mark.parametrize(
    ("responses", "reason"),
    [
        ([Step(error="400: no")], "Summarization failed: 400: no"),
        (
            [Step(text="cut he", stop_reason="length")],
            "Summarization failed: the summary was cut off at the output limit",
        ),
        ([Step(text="")], "Summarization failed: the model wrote nothing"),
        (
            [Step(text="ok", tool_calls=[ScriptedCall(name="read")])],
            "Summarization attempted to call a tool",
        ),
        (["history", Step(error="400: no")], "Summarization failed: 400: no"),
    ],
)
async def test_without_a_whole_summary_nothing_changes(
    responses: Sequence[Response], reason: str
) -> None:
    talk = chat(*responses, "spare")
    before = talk.session.get_entries()
    with pytest.raises(PiError) as failed:
        await talk.conversation.compact()
    assert failed.value.message == reason
    assert talk.ends == [CompactionEnd("manual", error_message=f"Compaction failed: {reason}")]
    assert talk.session.get_entries() == before
    assert not talk.conversation.is_compacting and talk.conversation.is_idle


async def test_a_provider_that_raises_is_a_failure_that_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    talk = chat()

    async def broken(*asked: object) -> AsyncIterator[StreamEvent]:
        raise RuntimeError("no such thing")
        yield

    monkeypatch.setattr(FauxProvider, "__call__", lambda self, *asked: broken(*asked))
    with pytest.raises(PiError, match="Summarization failed: no such thing"):
        await talk.conversation.compact()
    assert [end.error_message for end in talk.ends] == [
        "Compaction failed: Summarization failed: no such thing"
    ]
    assert talk.stored == []


async def test_there_is_nothing_to_compact_in_a_new_session() -> None:
    talk = CompactingTalk()
    with pytest.raises(PiError, match="Nothing to compact"):
        await talk.conversation.compact()
    reason = "Compaction failed: Nothing to compact (session too small)"
    assert talk.compactions == [
        CompactionStart("manual"),
        CompactionEnd("manual", error_message=reason),
    ]


async def test_a_failure_that_may_pass_is_tried_again() -> None:
    keep_turns = CompactionSettings(reserve_tokens=1000, keep_recent_tokens=20)
    talk = chat(Step(error="503: busy"), "done", settings=keep_turns, retry_policy=RetryPolicy)
    work = asyncio.create_task(talk.conversation.compact())
    await talk.clock.until_sleeping()
    talk.clock.advance(2)
    assert (await work).summary == "done"
    assert talk.lines == [
        "compaction_start",
        "summarization_retry_scheduled",
        "summarization_retry_attempt_start",
        "summarization_retry_finished",
        "compaction_end",
    ]


# --- while it goes on


async def slow(talk: CompactingTalk) -> asyncio.Task[Any]:
    """Begin a compaction whose summary does not come."""
    work = asyncio.create_task(talk.conversation.compact())
    await talk.model_clock.until_sleeping()
    return work


@pytest.mark.parametrize("how", ["abort_compaction", "abort", "dispose"])
async def test_a_compaction_that_is_given_up_changes_nothing(how: str) -> None:
    talk = chat(Step(delay_ms=1000), Step(delay_ms=1000))
    before = talk.session.get_entries()
    work = await slow(talk)
    ended = getattr(talk.conversation, how)()
    if ended is not None:
        await ended
    with pytest.raises(AbortError):
        await work
    assert talk.ends == [CompactionEnd("manual", aborted=True)]
    assert talk.session.get_entries() == before


async def test_nothing_is_said_meanwhile_and_no_second_compaction_begins() -> None:
    talk = chat(Step(text="a", delay_ms=1000), Step(text="b", delay_ms=1000), "fine")
    work = await slow(talk)
    conversation = talk.conversation
    assert conversation.is_compacting and not conversation.is_idle
    for refused in (
        conversation.prompt("hi"),
        conversation.steer("hi"),
        conversation.follow_up("hi"),
        conversation.compact(),
    ):
        with pytest.raises(PiError, match="compact"):
            await refused
    with pytest.raises(PiError, match="busy"):
        async with conversation.paused():
            pass
    talk.model_clock.advance(1)
    await work
    await conversation.wait_for_idle()
    await talk.say("hi")
    assert talk.kept()[-1] == ("assistant", "fine")


async def test_prompts_can_be_said_as_soon_as_the_end_is_told() -> None:
    talk = chat("history", "prefix", "fine")
    said: list[asyncio.Task[Any]] = []

    def say(event: AgentEvent) -> None:
        if isinstance(event, CompactionEnd):
            said.append(talk.start("hi"))

    talk.conversation.subscribe(say)
    await talk.conversation.compact()
    await said[0]
    assert talk.kept()[-1] == ("assistant", "fine")


async def test_a_run_is_stopped_first() -> None:
    talk = chat(Step(text="never", delay_ms=1000), "history", "prefix")
    run = talk.start("think")
    await talk.model_clock.until_sleeping()
    await talk.conversation.compact()
    await run
    assert talk.lines.index("agent_settled True") < talk.lines.index("compaction_start")
    assert len(talk.stored) == 1


# --- when the context is nearly full


async def test_after_a_run_that_has_filled_the_context() -> None:
    talk = chat(SUMMARY, Step(text="full" * 10, usage=FULL), "fine")
    await talk.say("more")
    assert talk.lines[-4:] == [
        "agent_end 2",
        "compaction_start",
        "compaction_end",
        "agent_settled False",
    ]
    assert [event.reason for event in talk.compactions] == ["threshold", "threshold"]
    assert talk.ends[0].result is not None and talk.ends[0].result.tokens_before == 8110
    # What was counted before is not the context any more.
    await talk.say("again")
    assert len(talk.compactions) == 2


@pytest.mark.parametrize(("used", "times"), [(7999, 0), (8000, 0), (8001, 1)])
async def test_the_limit_is_the_window_less_the_reserve(used: int, times: int) -> None:
    talk = chat(SUMMARY, Step(text="x" * 40, usage=Usage(input=used)))
    await talk.say("more")
    assert len(talk.ends) == times


async def test_before_a_prompt_to_a_session_that_is_full_already() -> None:
    session = after(*CHAT)
    session.append_message(UserMessage(content="x" * 40_000))
    talk = chat(SUMMARY, "fine", session=session)
    await talk.say("now")
    assert talk.lines[:3] == ["compaction_start", "compaction_end", "agent_start"]
    assert talk.kept()[-2:] == [("user", "now"), ("assistant", "fine")]


async def test_between_two_turns_the_calls_stay_with_their_results() -> None:
    call = ScriptedCall(name="look", id="c1")
    talk = chat(
        SUMMARY, Step(tool_calls=[call], usage=FULL), "fine", tools=[tool("look", lambda: "a" * 80)]
    )
    await talk.say("look around")
    at = talk.lines.index("compaction_start")
    assert talk.lines[at - 1].startswith("turn_end")
    assert talk.lines[at + 2] == "turn_start"
    last = talk.model.state.requests[-1].messages
    assert [message.role for message in last] == ["user", "assistant", "toolResult"]
    assert talk.lines.count("agent_start") == 1


@pytest.mark.parametrize("settings", [CompactionSettings(enabled=False, reserve_tokens=1000)])
async def test_without_automatic_compactions_nothing_is_done(settings: CompactionSettings) -> None:
    talk = chat(Step(text="full", usage=FULL), OVERFLOW, settings=settings)
    await talk.say("more", "and more")
    assert talk.compactions == []
    assert talk.session.get_branch()[-1].type == "message"


async def test_where_there_is_nothing_to_summarise_nothing_is_told() -> None:
    keep_all = CompactionSettings(reserve_tokens=8999, keep_recent_tokens=10_000)
    talk = chat("fine", "fine", settings=keep_all)
    await talk.say("more", "more")
    assert talk.compactions == []


async def test_a_failure_is_told_and_not_repeated_in_the_same_run() -> None:
    calls = [Step(tool_calls=[ScriptedCall(name="look")], usage=FULL) for _ in range(2)]
    no = Step(error="400: no", match="<conversation>", repeat=True)
    talk = chat(no, *calls, "fine", tools=[tool("look", lambda: "seen")])
    await talk.say("look")
    [end] = talk.ends
    assert end.error_message == "Auto-compaction failed: Summarization failed: 400: no"
    assert talk.kept()[-1] == ("assistant", "fine")


async def test_a_wrong_setting_is_told_once_and_names_its_key() -> None:
    def wrong(model: Model) -> CompactionSettings:
        raise PiError("compaction.modelOverrides.demo/small.reserveTokens: expected …")

    talk = chat("fine", "fine", compaction_settings=wrong)
    await talk.say("more", "more")
    [report] = talk.reports
    assert "demo/small.reserveTokens" in report


async def test_an_abort_while_compacting_ends_the_run_too() -> None:
    talk = chat(Step(text="full" * 10, usage=FULL), Step(delay_ms=1000), Step(delay_ms=1000))
    run = talk.start("more")
    await talk.until("compaction_start")
    await talk.conversation.abort()
    await run
    assert talk.ends == [CompactionEnd("threshold", aborted=True)]
    assert talk.lines[-1] == "agent_settled True"


# --- when the context was too long


async def test_a_request_that_was_too_long_is_made_again_after_a_compaction() -> None:
    talk = chat(SUMMARY, OVERFLOW, "fine")
    await talk.say("more")
    assert [line for line in talk.lines if not line.startswith("message_")] == [
        "agent_start",
        "turn_start",
        "turn_end 0",
        "agent_end 2",
        "entry_appended",
        "compaction_start",
        "compaction_end",
        "agent_start",
        "turn_start",
        "turn_end 0",
        "agent_end 1",
        "agent_settled False",
    ]
    [end] = talk.ends
    assert (end.reason, end.will_retry) == ("overflow", True)
    last = talk.model.state.requests[-1].messages
    assert text_of(last[-1].content) == "more"  # type: ignore[union-attr]  # what was said
    assert [message.role for message in last].count("user") == 2  # the summary, and what was said


async def test_an_abort_while_the_failed_request_is_forgotten_ends_it_all() -> None:
    talk = chat(SUMMARY, OVERFLOW, "fine")
    talk.conversation.subscribe(
        lambda event: talk.conversation.request_abort() if event.type == "entry_appended" else None
    )
    await talk.say("more")
    assert (talk.compactions, talk.stored) == ([], [])
    assert talk.lines[-1] == "agent_settled True"


async def test_that_is_done_once_for_each_thing_that_is_said() -> None:
    talk = chat(SUMMARY, OVERFLOW, OVERFLOW)
    await talk.say("more")
    assert len(talk.stored) == 1
    assert talk.ends[-1].error_message is not None
    assert talk.ends[-1].error_message.startswith("Context overflow recovery failed: ")
    assert not talk.ends[-1].will_retry
    assert talk.lines[-2:] == ["compaction_end", "agent_settled False"]
    talk.model.append(OVERFLOW, "fine")
    await talk.say("less" * 40)
    assert len(talk.stored) == 2


@pytest.mark.parametrize(
    ("step", "will_retry"),
    [
        (Step(text="an answer", usage=Usage(input=9500, output=5)), False),
        (Step(text="half an an", stop_reason="length", usage=Usage(input=8900, output=9)), True),
        (Step(stop_reason="length", usage=Usage(input=8950, cache_read=10)), True),
    ],
)
async def test_answers_that_show_that_the_window_is_full(step: Step, will_retry: bool) -> None:
    talk = chat(SUMMARY, step, "fine")
    await talk.say("more" * 20)
    [end] = talk.ends
    assert (end.reason, end.will_retry) == ("overflow", will_retry)
    assert ("fine" in talk.kept()[-1]) == will_retry


async def test_half_an_answer_is_kept_if_nothing_can_be_compacted() -> None:
    keep_all = CompactionSettings(reserve_tokens=0, keep_recent_tokens=10_000)
    talk = chat(Step(text="half an an", stop_reason="length"), settings=keep_all)
    await talk.say("more")
    assert talk.compactions == []
    assert talk.kept()[-1] == ("assistant", "half an an")


async def test_an_answer_as_long_as_the_model_can_write_is_no_overflow() -> None:
    whole = Step(text="long", stop_reason="length", usage=Usage(input=10, output=1000))
    talk = chat(whole)
    await talk.say("more")
    assert talk.compactions == []


async def test_if_nothing_can_be_compacted_the_failed_attempt_stays_forgotten() -> None:
    talk = CompactingTalk(OVERFLOW, settings=CompactionSettings(keep_recent_tokens=9000))
    await talk.say("more")
    [end] = talk.ends
    reason = "Nothing to compact (session too small)"
    assert end.error_message == f"Context overflow recovery failed: {reason}"
    assert talk.kept() == [("user", "more")]
    assert talk.lines[-1] == "agent_settled False"


async def test_what_was_too_long_is_summarised_when_it_came_last() -> None:
    big = tool("look", lambda: "x" * 4000)
    step = Step(tool_calls=[ScriptedCall(name="look", id="c1")], usage=Usage(input=20))
    talk = chat(SUMMARY, step, OVERFLOW, "fine", tools=[big])
    await talk.say("look")
    last = talk.model.state.requests[-1].messages
    assert [message.role for message in last] == ["user"]
    assert talk.kept()[-1] == ("assistant", "fine")


# --- what is queued


async def test_what_is_said_while_a_run_compacts_is_answered_afterwards() -> None:
    talk = chat(
        Step(text="full" * 10, usage=FULL),
        Step(text="history", delay_ms=1000),
        Step(text="prefix", delay_ms=1000),
        "fine",
    )
    run = talk.start("more")
    await talk.until("compaction_start")
    await talk.model_clock.until_sleeping()
    assert await talk.conversation.prompt("meanwhile", streaming_behavior="steer") == "queued"
    while not talk.ends:
        talk.model_clock.advance(1)
        await asyncio.sleep(0)
    await run
    assert talk.kept()[-2:] == [("user", "meanwhile"), ("assistant", "fine")]


async def test_what_is_said_for_later_is_sent_in_the_order_of_its_delivery() -> None:
    talk = chat(
        Step(text="history", delay_ms=1000), Step(text="prefix", delay_ms=1000), "a", "b", "c"
    )
    work = await slow(talk)
    conversation = talk.conversation
    for text, behavior in (("one", "steer"), ("three", "follow_up"), ("two", "steer")):
        assert await conversation.prompt_later(text, behavior=behavior) == "queued"  # type: ignore[arg-type]  # of a literal
    await conversation.queue.send_waiting()  # nothing is sent yet
    assert "queue_update ['one', 'two'] ['three']" in talk.lines
    talk.model_clock.advance(1)
    await work
    await conversation.queue.send_waiting()
    said = [text for role, text in talk.kept() if role == "user"]
    assert said == ["one", "two", "three"]
    assert await conversation.prompt_later("more", behavior="steer") == "started"


# --- beside a move in the tree


class SlowMove:
    """A move in the tree that begins when nothing goes on, and waits for `go_on`."""

    def __init__(self) -> None:
        self.has_begun = asyncio.Event()
        self.go_on = asyncio.Event()

    async def before_tree(self, event: object) -> None:
        self.has_begun.set()
        await self.go_on.wait()

    async def make(self, talk: CompactingTalk) -> None:
        await talk.conversation.wait_for_idle()
        await talk.conversation.navigate_tree(talk.session.get_entries()[2].id)


async def test_a_compaction_waits_for_a_move_that_was_sooner_than_it() -> None:
    move = SlowMove()
    talk = chat(Step(text="never", delay_ms=1000), SUMMARY, before_tree=move.before_tree)
    run = talk.start("more")
    await talk.until("turn_start")
    moving = asyncio.create_task(move.make(talk))
    await asyncio.sleep(0)
    compacting = asyncio.create_task(talk.conversation.compact())
    await move.has_begun.wait()
    await run
    assert (talk.compactions, compacting.done()) == ([], False)
    move.go_on.set()
    await asyncio.gather(moving, compacting)
    assert [entry.parent_id for entry in talk.stored] == [talk.session.get_entries()[2].id]


async def test_a_text_that_extensions_still_read_waits_for_a_move() -> None:
    move, is_read = SlowMove(), asyncio.Event()

    async def take_input(given: Input, behavior: object) -> Input:
        await is_read.wait()
        return given

    talk = chat("fine", before_tree=move.before_tree, take_input=take_input)
    saying = talk.start("otherwise")
    moving = asyncio.create_task(move.make(talk))
    await move.has_begun.wait()
    is_read.set()
    await asyncio.sleep(0)
    assert not talk.conversation.is_streaming
    move.go_on.set()
    await asyncio.gather(saying, moving)
    said = [text.rstrip(".") for _, text in talk.kept()]
    assert said == ["Be brief", "one", "two", "otherwise", "fine"]
