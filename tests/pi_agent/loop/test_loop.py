"""The order of a run: turns, messages, events, and how it ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

import pytest

from pi_agent.llm.messages import (
    AssistantMessage,
    Message,
    SystemMessage,
    TextContent,
    ToolDeclaration,
    ToolResultMessage,
    UserMessage,
    text_of,
)
from pi_agent.llm.model import Model
from pi_agent.llm.stream import (
    BlockDelta,
    BlockStart,
    Context,
    StreamEvent,
    StreamOptions,
    StreamStart,
)
from pi_agent.loop.events import AgentEvent
from pi_agent.loop.loop import FinishedTurn, NextTurn, TurnContext
from pi_agent.loop.queues import MessageQueues
from pi_agent.loop.response import Request
from tests.pi_agent.loop.script import Host, answer, call, done, said, tool, user

pytestmark = pytest.mark.anyio

LATE = "a late message"


def system(**sections: str) -> SystemMessage:
    return SystemMessage(sections=dict(sections))


async def test_a_simple_run_tells_everything_in_order() -> None:
    host = Host("Hello there")
    messages = await host.run(system(preamble="You help."), user("hi"))
    assert [line for line in host.lines if line != "message_update text_delta"] == [
        "agent_start",
        "turn_start",
        "message_start system",
        "message_end system",
        "message_start user",
        "message_end user",
        "message_start assistant pending",
        "message_update text_start",
        "message_update text_end",
        "message_end assistant stop",
        "turn_end 0",
        "agent_end 3",
    ]
    assert [message.role for message in messages] == ["system", "user", "assistant"]
    assert host.requests[0].system_prompt == "You help."
    assert [message.role for message in host.requests[0].messages] == ["user"]


async def test_an_answer_starts_pending_and_ends_with_how_long_it_took() -> None:
    host = Host("Hello", thinking_level="high")
    await host.run(user("hi"))
    assert "message_start assistant pending" in host.lines
    final = host.events[-1]
    assert final.type == "agent_end"
    last = final.messages[-1]
    assert isinstance(last, AssistantMessage)
    assert last.duration_ms == 0
    assert last.thinking_level == "high"
    assert last.error_message is None


async def test_a_call_leads_to_another_request_with_its_result() -> None:
    host = Host(
        answer("Let me see.", call("echo", text="ping")),
        "It says ping.",
        tools=[tool("echo", lambda text: text)],
    )
    await host.run(user("try"))
    assert [message.role for message in host.requests[1].messages] == [
        "user",
        "assistant",
        "toolResult",
    ]
    assert host.results == [("1", "ping")]
    turns = [line for line in host.lines if line.startswith("turn")]
    assert turns == ["turn_start", "turn_end 1", "turn_start", "turn_end 0"]


async def test_the_tools_are_told_to_the_model_and_again_only_when_they_change() -> None:
    ping, pong = tool("ping", lambda: "x"), tool("pong", lambda: "x")
    host = Host("one", tools=[ping])
    history = await host.run(user("1"))
    assert [message.role for message in history] == ["system", "user", "assistant"]
    assert [declared.name for declared in host.requests[0].tools] == ["ping"]

    again = Host("two", tools=[ping])
    more = await again.run(user("2"), history=history)
    assert [message.role for message in more] == ["user", "assistant"]

    changed = Host("three", tools=[pong])
    more = await changed.run(user("3"), history=history)
    assert isinstance(more[0], SystemMessage)
    assert [removed.name for removed in more[0].tools_removed or []] == ["ping"]
    assert [declared.name for declared in changed.requests[0].tools] == ["pong"]


async def test_tools_that_change_during_a_call_are_declared_in_the_very_next_request() -> None:
    late = tool("late", lambda: "x")
    load = tool("load", lambda: "loaded")

    async def prepare(turn: TurnContext) -> NextTurn:
        return NextTurn(tools=[load, late])

    host = Host(answer(call("load")), "ok", tools=[load], prepare_next_turn=prepare)
    await host.run(user("go"))
    assert [declared.name for declared in host.requests[1].tools] == ["load", "late"]


async def test_steering_waits_for_all_results_and_comes_before_the_next_request() -> None:
    queues = MessageQueues()

    async def slow() -> str:
        queues.steering.add(user(LATE))
        return "slow"

    host = Host(
        answer(call("slow", "a"), call("quick", "b")),
        "ok",
        tools=[tool("slow", slow), tool("quick", lambda: "quick")],
        get_steering_messages=queues.drain_steering,
    )
    await host.run(user("go"))
    assert [message.role for message in host.requests[1].messages] == [
        "user",
        "assistant",
        "toolResult",
        "toolResult",
        "user",
    ]


async def test_a_follow_up_goes_on_where_the_run_would_have_ended() -> None:
    queues = MessageQueues()
    queues.follow_up.add(user("and then?"))
    queues.follow_up.add(user("and after that?"))
    host = Host("first", "second", "third", get_follow_up_messages=queues.drain_follow_up)
    messages = await host.run(user("start"))
    assert [
        text_of(message.content) for message in messages if isinstance(message, UserMessage)
    ] == [
        "start",
        "and then?",
        "and after that?",
    ]
    assert host.lines.count("agent_end 6") == 1


async def test_a_run_ends_when_every_result_asks_for_it_and_only_then() -> None:
    stop = tool("stop", lambda: done(terminate=True))
    go = tool("go", lambda: done())
    ended = Host(answer(call("stop", "a"), call("stop", "b")), tools=[stop, go])
    await ended.run(user("x"))
    assert len(ended.requests) == 1

    mixed = Host(answer(call("stop", "a"), call("go", "b")), "more", tools=[stop, go])
    await mixed.run(user("x"))
    assert len(mixed.requests) == 2


async def test_steering_starts_a_new_turn_even_after_a_result_that_ends_the_run() -> None:
    queues = MessageQueues()

    def stop() -> object:
        queues.steering.add(user(LATE))
        return done(terminate=True)

    host = Host(
        answer(call("stop")),
        "heard",
        tools=[tool("stop", stop)],
        get_steering_messages=queues.drain_steering,
    )
    await host.run(user("x"))
    assert said(host.requests[1].messages[-1]) == LATE


async def test_finish_turn_can_end_the_run_or_ask_for_one_more_request() -> None:
    decisions = ["continue", "continue", "end"]

    async def decide(turn: FinishedTurn) -> str:
        return decisions[turn.turn_index]

    host = Host("a", "b", "c", "d", finish_turn=decide)
    await host.run(user("x"))
    assert len(host.requests) == 3


async def test_a_wish_for_one_more_request_is_met_by_a_follow_up() -> None:
    queues = MessageQueues()
    queues.follow_up.add(user("next"))
    first = True

    async def decide(turn: FinishedTurn) -> str | None:
        nonlocal first
        wish, first = ("continue" if first else None), False
        return wish

    host = Host("a", "b", "c", finish_turn=decide, get_follow_up_messages=queues.drain_follow_up)
    await host.run(user("x"))
    assert len(host.requests) == 2


async def test_between_turns_the_context_the_model_and_the_prompt_can_change() -> None:
    other = Model(id="other", provider="p", api="scripted")
    asked: list[str] = []

    async def prepare(turn: TurnContext) -> NextTurn:
        return NextTurn(messages=[user("a summary")], model=other, system=system(note="Compacted."))

    async def look(request: Request) -> None:
        asked.append(request.model.id)

    host = Host(
        answer(call("echo")),
        "ok",
        tools=[tool("echo", lambda: "x")],
        prepare_next_turn=prepare,
        prepare_request=look,
    )
    await host.run(user("long"))
    assert asked == ["m", "other"]
    assert host.requests[1].system_prompt == "Compacted."
    assert [said(message) for message in host.requests[1].messages] == ["a summary"]


async def test_stopping_between_turns_loses_no_message_that_waits() -> None:
    queues = MessageQueues()

    async def stop(turn: TurnContext) -> NextTurn:
        return NextTurn(stop=True)

    def execute() -> str:
        queues.steering.add(user(LATE))
        return "x"

    host = Host(
        answer(call("work")),
        tools=[tool("work", execute)],
        prepare_next_turn=stop,
        get_steering_messages=queues.drain_steering,
    )
    messages = await host.run(user("x"))
    assert said(messages[-1]) == LATE
    assert len(host.requests) == 1


async def test_a_final_message_can_be_replaced_for_everyone_but_not_its_role() -> None:
    async def shout(message: Message) -> Message:
        if isinstance(message, UserMessage):
            return UserMessage(content="LOUD")
        return UserMessage(content="not an answer")

    host = Host("answer", replace_message=shout)
    messages = await host.run(user("quiet"))
    assert [message.role for message in messages] == ["user", "assistant"]
    assert said(host.requests[0].messages[0]) == "LOUD"


async def test_a_hook_may_rewrite_what_is_sent_without_changing_what_is_kept() -> None:
    async def shorten(messages: list[Message]) -> list[Message]:
        return messages[-1:]

    host = Host("ok", transform_context=shorten)
    history: list[Message] = [user("old"), answer("older")]
    messages = await host.run(user("new"), history=history)
    assert len(host.requests[0].messages) == 1
    assert [message.role for message in messages] == ["user", "assistant"]


async def test_an_output_that_is_blank_is_sent_as_words() -> None:
    host = Host(answer(call("quiet")), "ok", tools=[tool("quiet", lambda: "\n")])
    messages = await host.run(user("x"))
    sent = host.requests[1].messages[-1]
    assert isinstance(sent, ToolResultMessage)
    assert text_of(sent.content) == "(no output)"
    kept = next(message for message in messages if isinstance(message, ToolResultMessage))
    assert text_of(kept.content) == "\n"


# --- failures


async def test_an_error_ends_the_run_with_a_message_that_says_so() -> None:
    def no_credentials(
        model: Model, context: Context, options: StreamOptions
    ) -> AsyncIterator[StreamEvent]:
        raise RuntimeError("No API key for p")

    host = Host(stream=no_credentials)
    messages = await host.run(user("x"))
    failed = messages[-1]
    assert isinstance(failed, AssistantMessage)
    assert failed.stop_reason == "error"
    assert failed.error_message == "No API key for p"
    assert failed.content == [TextContent(text="")]
    assert host.lines[-4:] == [
        "message_start assistant error",
        "message_end assistant error",
        "turn_end 0",
        "agent_end 2",
    ]


async def test_a_stream_without_its_final_event_is_an_error_and_keeps_what_came() -> None:
    async def broken(
        model: Model, context: Context, options: StreamOptions
    ) -> AsyncIterator[StreamEvent]:
        message = AssistantMessage(stop_reason="pending")
        yield StreamStart(message)
        message.content.append(TextContent(text="half"))
        yield BlockStart("text_start", 0, message)
        yield BlockDelta("text_delta", 0, "half", message)

    host = Host(stream=broken)
    messages = await host.run(user("x"))
    failed = messages[-1]
    assert isinstance(failed, AssistantMessage)
    assert failed.stop_reason == "error"
    assert text_of(failed.content) == "half"
    assert "ended without" in (failed.error_message or "")


async def test_a_hook_that_fails_before_a_request_becomes_a_failed_answer() -> None:
    async def fail(messages: list[Message]) -> list[Message]:
        raise ValueError("cannot transform")

    host = Host("never", transform_context=fail)
    messages = await host.run(user("x"))
    assert isinstance(messages[-1], AssistantMessage)
    assert messages[-1].error_message == "cannot transform"
    assert host.requests == []


# --- aborts


async def test_an_abort_while_tools_run_leaves_a_result_each_and_makes_no_request() -> None:
    started = asyncio.Event()

    async def wait() -> str:
        started.set()
        await host.controller.signal.wait()
        raise RuntimeError("Command aborted")

    queues = MessageQueues()
    host = Host(
        answer(call("wait", "A"), call("wait", "B")),
        tools=[tool("wait", wait)],
        get_steering_messages=queues.drain_steering,
    )
    run = asyncio.ensure_future(host.run(user("x")))
    await started.wait()
    queues.steering.add(user(LATE))
    host.controller.abort()
    await run
    assert host.results == [("A", "Command aborted"), ("B", "Command aborted")]
    assert host.lines[host.lines.index("turn_end 2") :] == [
        "turn_end 2",
        "turn_start",
        "message_start user",
        "message_end user",
        "message_start assistant aborted",
        "message_end assistant aborted",
        "turn_end 0",
        "agent_end 7",
    ]
    last = host.events[-1]
    assert last.type == "agent_end"
    message = last.messages[-1]
    assert isinstance(message, AssistantMessage)
    assert (message.content, message.error_message) == ([], "Request was aborted")
    assert len(host.requests) == 1


async def test_an_abort_while_streaming_keeps_what_came_and_runs_no_call() -> None:
    ran: list[str] = []
    host = Host(answer("x" * 400, call("work")), tools=[tool("work", lambda: ran.append("x"))])

    def abort_at_first_delta(event: AgentEvent) -> None:
        if host.lines[-1] == "message_update text_delta":
            host.controller.abort()

    host.on_event = abort_at_first_delta
    messages = await host.run(user("x"))
    final = messages[-1]
    assert isinstance(final, AssistantMessage)
    assert final.stop_reason == "aborted"
    assert 0 < len(text_of(final.content)) < 400
    assert "message_update text_end" not in host.lines
    assert ran == []
    assert host.results == []
    assert host.lines[-3:] == ["message_end assistant aborted", "turn_end 0", "agent_end 3"]


async def test_a_stream_that_ignores_the_abort_is_given_up_after_the_grace() -> None:
    stuck = asyncio.Event()

    async def deaf(
        model: Model, context: Context, options: StreamOptions
    ) -> AsyncIterator[StreamEvent]:
        message = AssistantMessage(stop_reason="pending")
        yield StreamStart(message)
        message.content.append(TextContent(text="so far"))
        yield BlockStart("text_start", 0, message)
        stuck.set()
        await asyncio.Event().wait()

    host = Host(stream=deaf)
    run = asyncio.ensure_future(host.run(user("x")))
    await stuck.wait()
    host.controller.abort()
    while not host.clock.sleeping:  # noqa: ASYNC110  # the loop's own sleep is what is waited for
        await asyncio.sleep(0)
    assert not run.done()
    host.clock.advance(5)
    messages = await run
    final = messages[-1]
    assert isinstance(final, AssistantMessage)
    assert (final.stop_reason, text_of(final.content)) == ("aborted", "so far")


async def test_an_aborted_run_takes_no_follow_up() -> None:
    queues = MessageQueues()
    queues.follow_up.add(user(LATE))
    host = Host("never", get_follow_up_messages=queues.drain_follow_up)
    host.controller.abort()
    await host.run(user("x"))
    assert len(queues.follow_up) == 1
    assert host.requests == []


async def test_a_cancelled_run_ends_at_once_and_does_not_swallow_the_cancellation() -> None:
    started = asyncio.Event()
    ended: list[str] = []

    async def wait() -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("tidied up")

    host = Host(answer(call("wait")), tools=[tool("wait", wait)])
    run = asyncio.ensure_future(host.run(user("x")))
    await started.wait()
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    assert ended == ["tidied up"]


# --- going on


async def test_going_on_repeats_no_message() -> None:
    host = Host("at last")
    history = [user("question")]
    messages = await host.resume(history)
    assert [message.role for message in messages] == ["assistant"]
    assert "message_start user" not in host.lines
    assert len(host.requests[0].messages) == 1


async def test_going_on_after_an_answer_takes_waiting_messages_steering_first() -> None:
    queues = MessageQueues()
    queues.steering.add(user("steer"))
    queues.follow_up.add(user("follow"))
    host = Host(
        "a",
        "b",
        get_steering_messages=queues.drain_steering,
        get_follow_up_messages=queues.drain_follow_up,
    )
    messages = await host.resume([user("q"), answer("a")])
    said = [text_of(message.content) for message in messages if isinstance(message, UserMessage)]
    assert said == ["steer", "follow"]


@pytest.mark.parametrize(
    "history", [[], [SystemMessage(content="x")], [UserMessage(), answer("a")]]
)
async def test_there_must_be_something_to_go_on_from(history: Sequence[Message]) -> None:
    with pytest.raises(ValueError, match="nothing to continue"):
        await Host("x").resume(history)


async def test_a_long_history_is_sent_without_being_copied() -> None:
    history = [user(str(number)) for number in range(10_000)]
    host = Host("ok", tools=[tool("x", lambda: "x")])
    await host.run(user("last"), history=history)
    sent = host.requests[0].messages
    assert len(sent) == 10_001
    assert all(one is other for one, other in zip(sent, history, strict=False))


async def test_declarations_are_those_of_the_schema() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    host = Host("ok", tools=[tool("x", lambda: "x", parameters=schema)])
    await host.run(user("go"))
    assert host.requests[0].tools == [ToolDeclaration(name="x", description="x", parameters=schema)]


async def test_changes_of_the_prompt_stay_where_they_were_made_for_models_that_take_them() -> None:
    model = Model(
        id="m", provider="p", api="scripted", compat={"supportsMidConvoSystemMessages": True}
    )
    history: list[Message] = [system(preamble="Be brief.", docs="Read it."), user("one")]
    change = SystemMessage(
        sections={"preamble": "Be verbose.", "docs": None},
        tools_added=[ToolDeclaration(name="grep", description="", parameters={})],
    )
    host = Host("ok", model=model)
    await host.run(change, user("two"), history=history)
    (request,) = host.requests
    assert request.system_prompt == "Be brief.\n\nRead it."
    first, notice, *_, last = request.messages
    assert (said(first), said(last)) == ("one", "two")
    assert notice.role == "system"
    assert said(notice) == (
        "The section `preamble` of your instructions now reads:\nBe verbose.\n\n"
        "The section `docs` of your instructions no longer applies.\n\n"
        "Tools that were added or have changed: grep."
    )

    other = Host("ok")
    await other.run(change, user("two"), history=history)
    (request,) = other.requests
    assert request.system_prompt == "Be verbose."
    assert [message.role for message in request.messages] == ["user", "user"]


async def test_a_prompt_that_nothing_leads_leads_itself() -> None:
    model = Model(
        id="m", provider="p", api="scripted", compat={"supportsMidConvoSystemMessages": True}
    )
    host = Host("ok", model=model)
    await host.run(system(preamble="Be brief."), user("two"), history=[user("one")])
    (request,) = host.requests
    assert request.system_prompt == "Be brief."
    assert [said(message) for message in request.messages] == ["one", "two"]
