"""A failure that may pass is asked for again after a wait, which can be broken off; the model never sees it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pi_agent.base.paths import SessionFolder
from pi_agent.host.conversation import Conversation
from pi_agent.host.retry import RetryPolicy, policy_of
from pi_agent.llm.messages import AssistantMessage
from pi_agent.llm.script import Step
from pi_agent.loop.events import AgentEnd, AgentEvent, AgentSettled, AutoRetryEnd, AutoRetryStart
from pi_agent.resources.settings import SettingsStore
from pi_agent.session.store import SessionManager
from tests.pi_agent.host.test_conversation import Gate, Talk
from tests.pi_agent.loop.script import answer, call

pytestmark = pytest.mark.anyio

BUSY = Step(error="503: upstream overloaded")
FATAL = Step(error="400: bad request")


class Retrying(Talk):
    """A conversation whose time the test moves, and the attempts that it tells of."""

    def __init__(self, *responses: Any, **setup: Any) -> None:
        super().__init__(*responses, **setup)
        self.attempts: list[str] = []
        self.will_retry: list[bool] = []
        self.conversation.subscribe(self._note_attempt)

    def _note_attempt(self, event: AgentEvent) -> None:
        if isinstance(event, AutoRetryStart):
            self.attempts.append(
                f"{event.attempt}/{event.max_attempts} {event.delay_ms} {event.error_message}"
            )
        if isinstance(event, AutoRetryEnd):
            end = "came through" if event.success else f"gave up: {event.final_error}"
            self.attempts.append(f"{event.attempt} {end}")
        if isinstance(event, AgentEnd):
            self.will_retry.append(event.will_retry)

    async def through(self, run: asyncio.Task[Any], *seconds: float) -> None:
        """Sleep each time as long as this, then let the run end."""
        for each in seconds:
            await self.clock.until_sleeping()
            self.clock.advance(each - 0.001)
            await asyncio.sleep(0)
            assert self.clock.sleeping == 1
            self.clock.advance(0.001)
        await run


async def test_one_failure_then_success_tells_everything_in_order() -> None:
    talk = Retrying(BUSY, "fine")
    await talk.through(talk.start("hello"), 2)
    shown = [line for line in talk.lines if not line.startswith("message_update")]
    assert shown[3:] == [
        "message_end user",
        "message_start assistant pending",
        "message_end assistant error",
        "turn_end 0",
        "agent_end 2",
        "auto_retry_start",
        "entry_appended",
        "agent_start",
        "turn_start",
        "message_start assistant pending",
        "message_end assistant stop",
        "auto_retry_end",
        "turn_end 0",
        "agent_end 1",
        "agent_settled False",
    ]
    assert talk.will_retry == [True, False]
    assert talk.attempts == ["1/3 2000 503: upstream overloaded", "1 came through"]


async def test_the_model_sees_neither_the_failure_nor_the_question_twice() -> None:
    talk = Retrying(Step(text="half", error="overloaded"), "fine", "more")
    await talk.through(talk.start("hello"), 2)
    assert talk.asked(1) == [("user", "hello")]
    await talk.conversation.prompt("again")
    assert talk.asked(2) == [("user", "hello"), ("assistant", "fine"), ("user", "again")]
    kinds = [entry.type for entry in talk.session.get_entries()]
    assert kinds.count("context_edit") == 1
    texts = [
        entry.raw["message"]["content"][0]["text"]
        for entry in talk.session.get_entries()
        if entry.type == "message" and entry.raw["message"]["role"] == "assistant"
    ]
    assert texts == ["half", "fine", "more"]


async def test_waits_double_and_the_last_failure_stays() -> None:
    talk = Retrying(BUSY, BUSY, BUSY, Step(error="500: still broken"))
    await talk.through(talk.start("hello"), 2, 4, 8)
    assert talk.attempts[-1] == "3 gave up: 500: still broken"
    assert [each.split()[1] for each in talk.attempts[:3]] == ["2000", "4000", "8000"]
    last = talk.conversation.get_last_assistant_message()
    assert last is not None
    assert last.error_message == "500: still broken"
    assert talk.lines[-2:] == ["auto_retry_end", "agent_settled False"]
    assert talk.will_retry == [True, True, True, False]


async def test_the_count_begins_anew_after_an_answer_and_with_a_new_question() -> None:
    gate = Gate()
    gate.open.set()
    talk = Retrying(
        BUSY, answer(call("gate")), BUSY, "done", BUSY, FATAL, BUSY, "fine", tools=[gate.tool]
    )
    await talk.through(talk.start("one"), 2, 2)
    await talk.through(talk.start("two"), 2)
    await talk.through(talk.start("three"), 2)
    assert [each.split(" ", 1)[0] for each in talk.attempts if "/" in each] == ["1/3"] * 4
    assert talk.attempts[5] == "1 gave up: 400: bad request"


async def test_what_will_not_pass_is_not_asked_again() -> None:
    talk = Retrying(FATAL, Step(error="429: request exceeds the available context size"))
    await talk.conversation.prompt("hello")
    await talk.conversation.prompt("hello")
    assert talk.attempts == []
    assert talk.will_retry == [False, False]


@pytest.mark.parametrize("stop", [Conversation.request_abort, Conversation.abort_retry])
async def test_a_wait_that_is_broken_off_settles_as_aborted_and_asks_no_more(
    stop: Callable[[Conversation], None],
) -> None:
    talk = Retrying(BUSY, "never")
    run = talk.start("hello")
    await talk.clock.until_sleeping()
    assert talk.conversation.is_retrying
    stop(talk.conversation)
    await run
    assert talk.attempts[-1] == "1 gave up: Retry cancelled"
    assert talk.lines[-1] == "agent_settled True"
    assert talk.model.remaining == 1
    assert not talk.conversation.is_retrying
    assert talk.clock.sleeping == 0


async def test_after_a_broken_off_wait_one_can_ask_again() -> None:
    talk = Retrying(BUSY, "fine")
    run = talk.start("hello")
    await talk.clock.until_sleeping()
    await talk.conversation.abort()
    await run
    await talk.conversation.prompt("again")
    assert talk.asked(1) == [("user", "hello"), ("user", "again")]
    assert talk.lines[-1] == "agent_settled False"


async def test_what_is_said_when_told_of_the_broken_off_wait_is_answered() -> None:
    talk = Retrying(BUSY, "fine")
    said: list[str] = []

    async def say_more(event: AgentEvent) -> None:
        if isinstance(event, AgentSettled) and not said:
            said.append(await talk.conversation.follow_up("go on"))

    talk.conversation.subscribe(say_more)
    run = talk.start("hello")
    await talk.clock.until_sleeping()
    talk.conversation.abort_retry()
    await run
    assert said == ["queued"]
    assert talk.kept()[-1] == ("assistant", "fine")
    assert talk.told_of("agent_settled") == ["agent_settled True", "agent_settled False"]


async def test_an_abort_during_the_second_attempt_ends_the_attempts() -> None:
    hold = Step(text="a slow answer that goes on and on", tokens_per_second=1)
    talk = Retrying(BUSY, hold)
    run = talk.start("hello")
    await talk.clock.until_sleeping()
    talk.clock.advance(2)
    await talk.until("message_update text_start")
    await talk.conversation.abort()
    await run
    assert talk.attempts[-1] == "1 gave up: Request was aborted"
    assert talk.lines[-1] == "agent_settled True"


async def test_an_abort_told_along_with_the_failure_does_not_wait() -> None:
    talk = Retrying(BUSY, "never")

    def stop(event: AgentEvent) -> None:
        if isinstance(event, AgentEnd):
            talk.conversation.request_abort()

    talk.conversation.subscribe(stop)
    await talk.conversation.prompt("hello")
    assert talk.lines[-1] == "agent_settled True"
    assert talk.model.remaining == 1


async def test_messages_sent_during_the_wait_go_along_with_the_next_attempt() -> None:
    talk = Retrying(BUSY, "fine", "later")
    run = talk.start("hello")
    await talk.clock.until_sleeping()
    assert await talk.conversation.steer("and quickly") == "queued"
    await talk.conversation.follow_up("then this")
    await talk.through(run, 2)
    assert talk.asked(1) == [("user", "hello"), ("user", "and quickly")]
    assert talk.asked(2)[-1] == ("user", "then this")


async def test_after_the_last_failure_what_waits_is_still_said() -> None:
    talk = Retrying(BUSY, FATAL, "fine")
    run = talk.start("hello")
    await talk.clock.until_sleeping()
    await talk.conversation.follow_up("then this")
    await talk.through(run, 2)
    assert talk.lines[-1] == "agent_settled False"
    assert talk.asked(2)[-1] == ("user", "then this")


async def test_a_model_chosen_during_the_wait_gets_the_next_attempt() -> None:
    talk = Retrying(BUSY, "fine")
    run = talk.start("hello")
    await talk.clock.until_sleeping()
    await talk.conversation.set_model(talk.find("acme", "thinks"))
    await talk.through(run, 2)
    last = talk.conversation.get_last_assistant_message()
    assert last is not None
    assert last.model == "thinks"


async def test_a_session_that_cannot_be_written_is_no_reason_not_to_ask_again(
    tmp_path: Path,
) -> None:
    folder = SessionFolder(tmp_path)
    talk = Retrying(BUSY, "fine", session=SessionManager.create(folder=folder))

    def break_it(event: AgentEvent) -> None:
        file = talk.session.get_session_file()
        if isinstance(event, AgentEnd) and file is not None:
            file.unlink(missing_ok=True)

    talk.conversation.subscribe(break_it)
    await talk.through(talk.start("hello"), 2)
    assert talk.asked(1) == [("user", "hello")]
    assert talk.attempts[-1] == "1 came through"


@pytest.mark.parametrize(
    ("asked_for", "attempt", "delay"),
    [
        (0, 1, 2000),
        (0, 3, 8000),
        (0, 9, 60_000),
        (20_000, 1, 20_000),
        (1000, 1, 2000),
        (10**7, 1, 60_000),
    ],
)
def test_a_server_may_ask_for_a_longer_wait_up_to_the_limit(
    asked_for: int, attempt: int, delay: int
) -> None:
    message = AssistantMessage(stop_reason="error", diagnostics={"retryAfterMs": asked_for})
    assert RetryPolicy().delay_ms(attempt, message) == delay


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, RetryPolicy(max_retries=3, base_delay_ms=2000, max_delay_ms=60_000)),
        ({"enabled": False}, RetryPolicy(max_retries=0)),
        (
            {"maxRetries": 5, "baseDelayMs": 10, "maxAgentDelayMs": 40},
            RetryPolicy(max_retries=5, base_delay_ms=10, max_delay_ms=40),
        ),
    ],
)
def test_the_settings_decide(
    settings: dict[str, object], expected: RetryPolicy, tmp_path: Path
) -> None:
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"retry": settings}))
    assert policy_of(SettingsStore(path)) == expected


async def test_without_retries_the_first_failure_is_the_last() -> None:
    talk = Retrying(BUSY, retry_policy=lambda: RetryPolicy(max_retries=0))
    await talk.conversation.prompt("hello")
    assert talk.attempts == []
