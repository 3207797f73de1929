"""The calls of one answer: order, gates, failures, progress, and one result for each."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from pi_agent.base.wire import JsonObject, WireModel
from pi_agent.llm.messages import ToolResultMessage, text_of
from pi_agent.llm.script import ScriptedCall, Step
from pi_agent.loop.events import ToolExecutionEnd, ToolExecutionStart, ToolExecutionUpdate
from pi_agent.loop.tool import (
    PartialResult,
    ToolCallDecision,
    ToolDefinition,
    ToolResult,
    ToolUpdate,
    tool_from_function,
)
from pi_tui.abort import AbortSignal
from tests.pi_agent.loop.script import Host, answer, call, done, tool, user

pytestmark = pytest.mark.anyio

NUMBER = {
    "type": "object",
    "properties": {"n": {"type": "integer"}},
    "required": ["n"],
}


def tool_lines(host: Host) -> list[str]:
    return [line for line in host.lines if line.startswith(("tool_", "message_end toolResult"))]


def end_of(host: Host, call_id: str = "1") -> ToolExecutionEnd:
    return next(
        event
        for event in host.events
        if isinstance(event, ToolExecutionEnd) and event.tool_call_id == call_id
    )


async def one_call(definition: ToolDefinition, arguments: JsonObject, **config: Any) -> Host:
    host = Host(answer(call(definition.name, **arguments)), "ok", tools=[definition], **config)
    await host.run(user("go"))
    return host


async def test_together_ends_come_as_they_happen_and_results_in_call_order() -> None:
    quick_ended = asyncio.Event()

    async def slow() -> str:
        await quick_ended.wait()
        return "slow"

    host = Host(
        answer(call("slow", "A"), call("quick", "B")),
        "ok",
        tools=[tool("slow", slow), tool("quick", lambda: "quick")],
    )
    host.on_event = lambda event: (
        quick_ended.set() if host.lines[-1] == "tool_execution_end B" else None
    )
    await host.run(user("go"))
    assert tool_lines(host) == [
        "tool_execution_start A",
        "tool_execution_start B",
        "tool_execution_end B",
        "tool_execution_end A",
        "message_end toolResult A",
        "message_end toolResult B",
    ]
    assert host.results == [("A", "slow"), ("B", "quick")]


@pytest.mark.parametrize("by_tool", [True, False])
async def test_one_by_one_each_call_is_over_before_the_next_is_asked_about(by_tool: bool) -> None:
    asked: list[str] = []

    async def gate(call_id: str, name: str, values: JsonObject) -> None:
        asked.append(f"{call_id} after {len(host.results)} results")

    host = Host(
        answer(call("a", "A"), call("b", "B")),
        "ok",
        tools=[
            tool("a", lambda: "1"),
            tool("b", lambda: "2", execution_mode="sequential" if by_tool else None),
        ],
        tool_execution="parallel" if by_tool else "sequential",
        before_tool_call=gate,
    )
    await host.run(user("go"))
    assert asked == ["A after 0 results", "B after 1 results"]
    assert tool_lines(host) == [
        "tool_execution_start A",
        "tool_execution_end A",
        "message_end toolResult A",
        "tool_execution_start B",
        "tool_execution_end B",
        "message_end toolResult B",
    ]


async def test_all_gates_are_asked_before_anything_runs() -> None:
    log: list[str] = []

    async def gate(call_id: str, name: str, values: JsonObject) -> None:
        log.append(f"gate {call_id}")

    host = Host(
        answer(call("a", "A"), call("a", "B")),
        "ok",
        tools=[tool("a", lambda: log.append("ran"))],
        before_tool_call=gate,
    )
    await host.run(user("go"))
    assert log == ["gate A", "gate B", "ran", "ran"]


async def test_an_abort_during_the_first_gate_aborts_every_call_and_runs_none() -> None:
    asked: list[str] = []
    ran: list[str] = []

    async def gate(call_id: str, name: str, values: JsonObject) -> None:
        asked.append(call_id)
        host.controller.abort()

    host = Host(
        answer(call("a", "1"), call("a", "2"), call("a", "3")),
        tools=[tool("a", lambda: ran.append("x"))],
        before_tool_call=gate,
    )
    await host.run(user("go"))
    assert host.results == [(number, "Operation aborted") for number in "123"]
    assert asked == ["1"]
    assert ran == []
    assert all(
        event.is_error and event.duration_ms is None
        for event in host.events
        if isinstance(event, ToolExecutionEnd)
    )


async def test_a_gate_that_fails_keeps_its_call_from_running_and_no_other() -> None:
    ran: list[int] = []

    async def gate(call_id: str, name: str, values: JsonObject) -> None:
        if values["n"] == 1:
            raise RuntimeError("gate is broken")

    host = Host(
        answer(call("a", "1", n=1), call("a", "2", n=2)),
        "ok",
        tools=[tool("a", lambda n: ran.append(n), parameters=NUMBER)],
        before_tool_call=gate,
    )
    await host.run(user("go"))
    assert host.results == [("1", "gate is broken"), ("2", "")]
    assert ran == [2]


@pytest.mark.parametrize(
    ("decision", "text"),
    [
        (ToolCallDecision(block=True, reason="not today"), "not today"),
        (ToolCallDecision(block=True), "Tool execution was blocked"),
    ],
)
async def test_a_blocked_call_says_why(decision: ToolCallDecision, text: str) -> None:
    async def gate(call_id: str, name: str, values: JsonObject) -> ToolCallDecision:
        return decision

    ran: list[str] = []
    host = await one_call(tool("a", lambda: ran.append("x")), {}, before_tool_call=gate)
    assert host.results == [("1", text)]
    assert end_of(host).result.details == {}
    assert ran == []


async def test_a_blocked_call_can_end_the_run() -> None:
    async def gate(call_id: str, name: str, values: JsonObject) -> ToolCallDecision:
        return ToolCallDecision(block=True, terminate=True)

    host = await one_call(tool("a", lambda: "x"), {}, before_tool_call=gate)
    assert len(host.requests) == 1


async def test_what_a_gate_changes_reaches_the_tool_unchecked_and_not_the_transcript() -> None:
    async def gate(call_id: str, name: str, values: JsonObject) -> None:
        values["n"] = "not a number"

    host = await one_call(
        tool("a", lambda n: f"{n}", parameters=NUMBER), {"n": "7"}, before_tool_call=gate
    )
    assert host.results == [("1", "not a number")]
    start = next(event for event in host.events if isinstance(event, ToolExecutionStart))
    assert start.args == {"n": "7"}


async def test_arguments_are_converted_for_the_tool_and_errors_repeat_them() -> None:
    echo = tool("a", lambda n: repr(n), parameters=NUMBER)
    assert (await one_call(echo, {"n": "10"})).results == [("1", "10")]
    host = await one_call(echo, {"n": "ten"})
    assert host.results == [
        (
            "1",
            'Validation failed for tool "a":\n  - n: expected integer, got string\n\n'
            'Received arguments:\n{\n  "n": "ten"\n}',
        )
    ]


async def test_arguments_that_are_not_json_are_an_error_that_repeats_them() -> None:
    step = Step(tool_calls=[ScriptedCall(name="a", arguments='{"n": ', id="1")])
    host = Host(step, "ok", tools=[tool("a", lambda: "x")])
    await host.run(user("go"))
    assert host.results[0][1].startswith('Invalid arguments for tool "a": ')
    assert '{"n": ' in host.results[0][1]


async def test_old_shapes_of_arguments_can_be_repaired_first() -> None:
    def repair(raw: JsonObject) -> JsonObject:
        return {"n": raw["number"]}

    renamed = tool("a", lambda n: f"{n}", parameters=NUMBER, prepare_arguments=repair)
    assert (await one_call(renamed, {"number": 3})).results == [("1", "3")]
    assert (await one_call(renamed, {})).results == [("1", "'number'")]


async def test_a_tool_that_is_not_there_is_named() -> None:
    host = Host(
        answer(call("nope", "1"), call("hidden", "2")),
        "ok",
        tools=[tool("hidden", lambda: "x", exposure="hidden")],
    )
    await host.run(user("go"))
    assert host.results == [("1", "Tool nope not found"), ("2", "Tool hidden not found")]
    assert host.requests[0].tools == []


async def test_an_answer_that_was_cut_off_runs_nothing_and_the_model_is_told() -> None:
    ran: list[str] = []
    host = Host(
        answer(call("a", "1"), call("a", "2"), stop="length"),
        "ok",
        tools=[tool("a", lambda: ran.append("x"))],
    )
    await host.run(user("go"))
    assert ran == []
    sent = [
        message for message in host.requests[1].messages if isinstance(message, ToolResultMessage)
    ]
    assert [message.is_error for message in sent] == [True, True]
    assert "cut off at the output token limit" in text_of(sent[0].content)


# --- failures and results


class Silent(Exception):
    pass


@pytest.mark.parametrize(
    ("error", "text"),
    [(RuntimeError("out of paper"), "out of paper"), (Silent(), "Silent"), (SystemExit(3), "3")],
)
async def test_raising_is_a_failure_with_the_exceptions_words(
    error: BaseException, text: str
) -> None:
    def fail() -> None:
        raise error

    host = await one_call(tool("a", fail), {})
    assert host.results[0][1].endswith(text)
    assert end_of(host).is_error
    assert end_of(host).duration_ms == 0
    assert end_of(host).result.details == {}
    assert len(host.requests) == 2


async def test_a_reported_failure_keeps_its_data() -> None:
    failed = done("no", is_error=True, details={"code": 4})
    host = await one_call(tool("a", lambda: failed), {})
    message = host.requests[1].messages[-1]
    assert isinstance(message, ToolResultMessage)
    assert (message.is_error, message.details) == (True, {"code": 4})


@dataclass
class Point:
    x: int


class Wire(WireModel):
    some_field: int


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("words", "words"),
        (None, ""),
        ({"content": [{"type": "text", "text": "mapped"}], "isError": False}, "mapped"),
        (3, 'Tool "a" returned int; a tool returns a ToolResult, a mapping with a list'),
        ({"x": 1}, 'Tool "a" returned dict; '),
        ({"content": [{"type": "smell"}]}, 'Tool "a" returned content that is no block'),
    ],
)
async def test_what_a_tool_returns_is_understood_or_named(value: object, text: str) -> None:
    host = await one_call(tool("a", lambda: value), {})
    assert host.results[0][1].startswith(text)


async def test_details_are_stored_as_json() -> None:
    details = {"point": Point(1), "wire": Wire(some_field=2), "pair": (1, 2)}
    host = await one_call(tool("a", lambda: done(details=details)), {})
    assert end_of(host).result.details == {
        "point": {"x": 1},
        "wire": {"some_field": 2},
        "pair": [1, 2],
    }


async def test_details_that_are_no_json_are_left_out_and_reported() -> None:
    reported: list[str] = []
    host = await one_call(
        tool("a", lambda: done(details=object())), {}, report_problem=reported.append
    )
    assert end_of(host).result.details is None
    assert host.results == [("1", "done")]
    assert len(reported) == 1
    assert 'tool "a"' in reported[0]


async def test_the_after_hook_sees_failures_and_has_the_last_word() -> None:
    async def hook(call_id: str, name: str, values: JsonObject, result: ToolResult) -> ToolResult:
        return done(f"was error: {result.is_error}")

    def fail() -> None:
        raise RuntimeError("x")

    host = await one_call(tool("a", fail), {}, after_tool_call=hook)
    assert host.results == [("1", "was error: True")]


async def test_an_after_hook_that_fails_spoils_only_its_own_call() -> None:
    async def hook(call_id: str, name: str, values: JsonObject, result: ToolResult) -> ToolResult:
        if call_id == "1":
            raise RuntimeError("hook is broken")
        return result

    host = Host(
        answer(call("a", "1"), call("a", "2")),
        "ok",
        tools=[tool("a", lambda: "fine")],
        after_tool_call=hook,
    )
    await host.run(user("go"))
    assert host.results == [("1", "hook is broken"), ("2", "fine")]


# --- progress


async def test_progress_is_told_in_order_before_the_end_and_never_after() -> None:
    late: list[Callable[[PartialResult], None]] = []

    async def execute(
        tool_call_id: str, params: object, signal: object, on_update: ToolUpdate, ctx: object
    ) -> str:
        on_update("one")
        on_update({"content": [{"type": "text", "text": "two"}]})
        on_update(PartialResult(details={"step": (3,)}))
        late.append(on_update)
        return "end"

    host = await one_call(ToolDefinition("a", "a", execute), {})
    late[0](PartialResult())
    await asyncio.sleep(0)
    updates = [event for event in host.events if isinstance(event, ToolExecutionUpdate)]
    assert [text_of(event.partial_result.content) for event in updates] == ["one", "two", ""]
    assert updates[2].partial_result.details == {"step": [3]}
    assert tool_lines(host)[:5] == [
        "tool_execution_start 1",
        *["tool_execution_update 1"] * 3,
        "tool_execution_end 1",
    ]


async def test_a_plain_function_runs_in_a_thread_and_its_progress_arrives_in_order() -> None:
    threads: list[int] = []

    def execute(
        tool_call_id: str, params: object, signal: object, on_update: ToolUpdate, ctx: object
    ) -> str:
        threads.append(threading.get_ident())
        for number in range(5):
            on_update(str(number))
        return "end"

    host = await one_call(ToolDefinition("a", "a", execute), {})
    assert threads != [threading.get_ident()]
    updates = [event for event in host.events if isinstance(event, ToolExecutionUpdate)]
    assert [text_of(event.partial_result.content) for event in updates] == list("01234")
    assert host.lines.index("tool_execution_end 1") > host.lines.index("tool_execution_update 1")


# --- tools that do not listen


async def aborted_run(host: Host, started: asyncio.Event) -> None:
    """Abort a run whose tools go on, and let their grace pass."""
    run = asyncio.ensure_future(host.run(user("go")))
    await started.wait()
    host.controller.abort()
    while not host.clock.sleeping:  # noqa: ASYNC110  # the loop's own sleep is what is waited for
        await asyncio.sleep(0)
    assert not any(isinstance(event, ToolExecutionEnd) for event in host.events)
    host.clock.advance(5)
    await run


async def test_a_tool_that_ignores_the_abort_is_cancelled_after_its_grace() -> None:
    started = asyncio.Event()
    ended: list[str] = []

    async def deaf() -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")

    host = Host(answer(call("a")), tools=[tool("a", deaf)])
    await aborted_run(host, started)
    assert host.results == [("1", "Operation aborted")]
    assert ended == ["cancelled"]
    assert end_of(host).duration_ms == 5000


async def test_a_thread_that_ignores_the_abort_is_abandoned() -> None:
    started = asyncio.Event()
    loop = asyncio.get_running_loop()
    release = threading.Event()

    def deaf(*arguments: object) -> str:
        loop.call_soon_threadsafe(started.set)
        release.wait(20)
        return "too late"

    host = Host(answer(call("a")), tools=[ToolDefinition("a", "a", deaf)])
    try:
        await aborted_run(host, started)
    finally:
        release.set()
    assert host.results == [("1", "Operation aborted")]


async def test_a_gate_that_ignores_the_abort_does_not_hold_up_the_run() -> None:
    started = asyncio.Event()

    async def gate(call_id: str, name: str, values: JsonObject) -> None:
        started.set()
        await asyncio.Event().wait()

    host = Host(answer(call("a")), tools=[tool("a", lambda: "x")], before_tool_call=gate)
    await aborted_run(host, started)
    assert host.results == [("1", "Operation aborted")]


async def test_a_tool_that_cancels_itself_is_an_error_of_that_call() -> None:
    async def confused() -> None:
        raise asyncio.CancelledError

    host = await one_call(tool("a", confused), {})
    assert host.results == [("1", "Operation aborted")]
    assert len(host.requests) == 2


# --- tools made of functions


async def test_a_function_with_annotations_is_a_whole_tool() -> None:
    contexts: list[str] = []

    def context(call_id: str) -> object:
        contexts.append(call_id)
        return "the context"

    async def greet(  # type: ignore[no-untyped-def]  # `ctx` is found by its name alone
        name: Annotated[str, "whom to greet"],
        ctx,
        signal: AbortSignal,
        times: int = 2,
    ) -> str:
        """Greet somebody."""
        return f"{ctx}: " + "hello " * times + name + str(signal.aborted)

    definition = tool_from_function(greet)
    assert definition.declaration().to_wire() == {
        "name": "greet",
        "description": "Greet somebody.",
        "parameters": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "whom to greet"},
                "times": {"type": "integer", "default": 2},
            },
            "required": ["name"],
            "additionalProperties": False,
        },
    }
    host = await one_call(definition, {"name": "Ada", "times": "1"}, make_tool_context=context)
    assert host.results == [("1", "the context: hello AdaFalse")]
    assert contexts == ["1"]
    refused = await one_call(definition, {"name": "Ada", "age": 3})
    assert "  - age: unknown field" in refused.results[0][1]


async def test_a_function_may_return_data() -> None:
    def where() -> Point:
        """Tell where it is."""
        return Point(3)

    definition = tool_from_function(where)
    assert definition.output_schema == {
        "type": "object",
        "properties": {"x": {"type": "integer"}},
        "required": ["x"],
    }
    host = await one_call(definition, {})
    assert host.results == [("1", '{\n  "x": 3\n}')]
    assert end_of(host).result.structured_content == {"x": 3}


def test_a_function_without_words_is_no_tool() -> None:
    def mute() -> None:
        pass

    with pytest.raises(TypeError, match="mute: a tool needs a description"):
        tool_from_function(mute)
    assert tool_from_function(mute, description="Says nothing.").description == "Says nothing."


@pytest.mark.parametrize("name", ["", "two words", "päth"])
def test_a_name_that_no_provider_takes_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="Tool name"):
        ToolDefinition(name, "x", lambda: None)
