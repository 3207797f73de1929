"""What a conversation tells, event by event, from the first to the last: one table of scenarios."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from pi_agent.host.run_start import Input, RunStart
from pi_agent.llm.script import Step
from pi_agent.loop.events import AgentEnd, AgentEvent, AgentSettled, MessageStart, QueueUpdate
from pi_agent.loop.tool import PartialResult, ToolDefinition
from tests.pi_agent.host.test_conversation import Gate, Talk
from tests.pi_agent.loop.script import answer, call, described, done, tool

pytestmark = pytest.mark.anyio

SYSTEM = "message_start system, message_end system"
USER = "message_start user, message_end user"
TEXT = (
    "message_start assistant pending, text_start, text_delta, text_end, message_end assistant stop"
)
ONE_CALL = "message_start assistant pending, toolcall_start, toolcall_delta, toolcall_end"
TWO_CALLS = (
    "message_start assistant pending, toolcall_start, toolcall_delta, toolcall_start,"
    " toolcall_delta, toolcall_end, toolcall_end"
)
ABORTED = "message_start assistant aborted, message_end assistant aborted"


class Told(Talk):
    """A conversation that begins with a prompt and tools, and keeps what the tables compare."""

    def __init__(self, *responses: Any, **setup: Any) -> None:
        self.trace: list[str] = []
        self._wanted, self._seen = "", asyncio.Event()
        super().__init__(*responses, **{"begin_run": _begin} | setup)
        self.conversation.subscribe(self._trace)

    def _trace(self, event: AgentEvent) -> None:
        line = _line(event)
        if not (line.endswith("_delta") and self.trace[-1:] == [line]):
            self.trace.append(line)
        if line == self._wanted:
            self._seen.set()

    async def seen(self, line: str) -> None:
        """Wait until a line has been told."""
        self._wanted, self._seen = line, asyncio.Event()
        if line not in self.trace:
            await self._seen.wait()


async def _begin(said: Input, tools: object) -> RunStart:
    return RunStart(sections={"preamble": "Be brief."})


def _line(event: AgentEvent) -> str:
    if isinstance(event, AgentEnd):
        roles = " ".join(message.role for message in event.messages)
        return f"agent_end {roles}" + (" willRetry" if event.will_retry else "")
    if isinstance(event, AgentSettled):
        return f"agent_settled {event.aborted}"
    if isinstance(event, QueueUpdate):
        return f"queue_update {event.steering} {event.follow_up}"
    # While it grows an answer is pending; the object that was told then has ended since.
    if isinstance(event, MessageStart) and event.message.role == "assistant":
        return described(event)
    return described(event).removeprefix("message_update ")


async def simple() -> Told:
    talk = Told("fine")
    await talk.conversation.prompt("go")
    return talk


async def second() -> Told:
    talk = Told("fine", "fine")
    await talk.conversation.prompt("go")
    talk.trace.clear()
    await talk.conversation.prompt("and")
    return talk


async def other_tools() -> Told:
    talk = Told("fine", "fine")
    await talk.conversation.prompt("go")
    talk.trace.clear()
    talk.tools.append(tool("new", lambda: done()))
    await talk.conversation.prompt("and")
    return talk


class Reporting:
    """A tool that tells at once that it has begun, and once more before it ends."""

    def __init__(self, name: str) -> None:
        self.running, self.open = asyncio.Event(), asyncio.Event()
        self.name = name

    @property
    def definition(self) -> ToolDefinition:
        async def execute(
            call_id: str, params: object, signal: Any, on_update: Any, ctx: object
        ) -> Any:
            if self.name == "slow":
                on_update(PartialResult())
            self.running.set()
            await self.open.wait()
            if self.name == "slow":
                on_update("half")
            return done()

        return ToolDefinition(name=self.name, description=self.name, execute=execute)


async def parallel() -> Told:
    slow, fast = Reporting("slow"), Reporting("fast")
    asks = answer(call("slow", "A"), call("fast", "B"), stop="toolUse")
    talk = Told(asks, "fine", tools=[slow.definition, fast.definition])
    run = talk.start()
    await slow.running.wait()
    await talk.seen("tool_execution_update A")
    fast.open.set()
    await talk.seen("tool_execution_end B")
    slow.open.set()
    await run
    return talk


async def sequential() -> Told:
    asks = answer(call("one", "A"), call("two", "B"), stop="toolUse")
    tools = [tool("one", done), tool("two", done, execution_mode="sequential")]
    talk = Told(asks, "fine", tools=tools)
    await talk.conversation.prompt("go")
    return talk


async def cut_off() -> Told:
    asks = answer(call("one", "A"), call("one", "B"), stop="length")
    talk = Told(asks, "fine", tools=[tool("one", done)])
    await talk.conversation.prompt("go")
    return talk


async def ends_itself() -> Told:
    talk = Told(
        answer(call("one", "A"), stop="toolUse"), tools=[tool("one", lambda: done(terminate=True))]
    )
    await talk.conversation.prompt("go")
    return talk


async def abort_in_tools() -> Told:
    return await _aborted_in_tools(lambda talk: asyncio.sleep(0))


async def abort_with_steering() -> Told:
    return await _aborted_in_tools(lambda talk: talk.conversation.steer("this way"))


async def _aborted_in_tools(first: Callable[[Told], Awaitable[object]]) -> Told:
    gate = Gate()
    talk = Told(answer(call("gate", "A"), call("gate", "B"), stop="toolUse"), tools=[gate.tool])
    run = talk.start()
    await gate.running.wait()
    await talk.seen("tool_execution_start B")
    await first(talk)
    talk.trace.clear()
    await talk.conversation.abort()
    await run
    return talk


async def abort_in_stream() -> Told:
    talk = Told(Step(text="word " * 50, tokens_per_second=1.0))
    run = talk.start()
    await talk.seen("text_delta")
    talk.trace.clear()
    await talk.conversation.abort()
    await run
    return talk


async def steering() -> Told:
    gate = Gate()
    talk = Told(answer(call("gate", "A"), stop="toolUse"), "fine", tools=[gate.tool])
    run = talk.start()
    await gate.running.wait()
    talk.trace.clear()
    await talk.conversation.steer("this way")
    gate.open.set()
    await run
    return talk


async def follow_up() -> Told:
    gate = Gate()
    talk = Told(answer(call("gate", "A"), stop="toolUse"), "fine", "more", tools=[gate.tool])
    run = talk.start()
    await gate.running.wait()
    await talk.conversation.follow_up("and then?")
    talk.trace.clear()
    gate.open.set()
    await run
    return talk


async def retry() -> Told:
    talk = Told(Step(error="503: busy"), "fine")
    run = talk.start()
    await talk.clock.until_sleeping()
    talk.clock.advance(2)
    await run
    return talk


async def final_failure() -> Told:
    talk = Told(Step(error="400: bad request"))
    await talk.conversation.prompt("go")
    return talk


SCENARIOS: dict[str, tuple[Callable[[], Awaitable[Told]], str]] = {
    "first run": (
        simple,
        f"agent_start, turn_start, {SYSTEM}, {USER}, {TEXT}, turn_end 0,"
        " agent_end system user assistant, agent_settled False",
    ),
    "second run": (
        second,
        f"agent_start, turn_start, {USER}, {TEXT}, turn_end 0,"
        " agent_end user assistant, agent_settled False",
    ),
    "other tools": (
        other_tools,
        f"agent_start, turn_start, {SYSTEM}, {USER}, {TEXT}, turn_end 0,"
        " agent_end system user assistant, agent_settled False",
    ),
    "two tools at once": (
        parallel,
        f"agent_start, turn_start, {SYSTEM}, {USER}, {TWO_CALLS},"
        " message_end assistant toolUse,"
        " tool_execution_start A, tool_execution_start B, tool_execution_update A,"
        " tool_execution_end B, tool_execution_update A, tool_execution_end A,"
        " message_start toolResult A, message_end toolResult A,"
        " message_start toolResult B, message_end toolResult B, turn_end 2,"
        f" turn_start, {TEXT}, turn_end 0,"
        " agent_end system user assistant toolResult toolResult assistant, agent_settled False",
    ),
    "two tools in turn": (
        sequential,
        f"agent_start, turn_start, {SYSTEM}, {USER}, {TWO_CALLS},"
        " message_end assistant toolUse,"
        " tool_execution_start A, tool_execution_end A,"
        " message_start toolResult A, message_end toolResult A,"
        " tool_execution_start B, tool_execution_end B,"
        " message_start toolResult B, message_end toolResult B, turn_end 2,"
        f" turn_start, {TEXT}, turn_end 0,"
        " agent_end system user assistant toolResult toolResult assistant, agent_settled False",
    ),
    "cut off": (
        cut_off,
        f"agent_start, turn_start, {SYSTEM}, {USER}, {TWO_CALLS},"
        " message_end assistant length,"
        " tool_execution_start A, tool_execution_end A,"
        " tool_execution_start B, tool_execution_end B,"
        " message_start toolResult A, message_end toolResult A,"
        " message_start toolResult B, message_end toolResult B, turn_end 2,"
        f" turn_start, {TEXT}, turn_end 0,"
        " agent_end system user assistant toolResult toolResult assistant, agent_settled False",
    ),
    "a result that ends the run": (
        ends_itself,
        f"agent_start, turn_start, {SYSTEM}, {USER}, {ONE_CALL}, message_end assistant toolUse,"
        " tool_execution_start A, tool_execution_end A,"
        " message_start toolResult A, message_end toolResult A, turn_end 1,"
        " agent_end system user assistant toolResult, agent_settled False",
    ),
    "abort while tools run": (
        abort_in_tools,
        "tool_execution_end A, tool_execution_end B,"
        " message_start toolResult A, message_end toolResult A,"
        " message_start toolResult B, message_end toolResult B, turn_end 2,"
        f" turn_start, {ABORTED}, turn_end 0,"
        " agent_end system user assistant toolResult toolResult assistant, agent_settled True",
    ),
    "abort with steering": (
        abort_with_steering,
        "tool_execution_end A, tool_execution_end B,"
        " message_start toolResult A, message_end toolResult A,"
        " message_start toolResult B, message_end toolResult B, turn_end 2,"
        f" turn_start, queue_update [] [], {USER}, {ABORTED}, turn_end 0,"
        " agent_end system user assistant toolResult toolResult user assistant,"
        " agent_settled True",
    ),
    "abort while streaming": (
        abort_in_stream,
        "message_end assistant aborted, turn_end 0, agent_end system user assistant,"
        " agent_settled True",
    ),
    "steering": (
        steering,
        "queue_update ['this way'] [], tool_execution_end A,"
        " message_start toolResult A, message_end toolResult A, turn_end 1,"
        f" turn_start, queue_update [] [], {USER}, {TEXT}, turn_end 0,"
        " agent_end system user assistant toolResult user assistant, agent_settled False",
    ),
    "follow-up": (
        follow_up,
        "tool_execution_end A, message_start toolResult A, message_end toolResult A, turn_end 1,"
        f" turn_start, {TEXT}, turn_end 0,"
        f" turn_start, queue_update [] [], {USER}, {TEXT}, turn_end 0,"
        " agent_end system user assistant toolResult assistant user assistant,"
        " agent_settled False",
    ),
    "retry": (
        retry,
        f"agent_start, turn_start, {SYSTEM}, {USER}, message_start assistant pending,"
        " message_end assistant error, turn_end 0, agent_end system user assistant willRetry,"
        " auto_retry_start, entry_appended, agent_start, turn_start,"
        " message_start assistant pending, text_start, text_delta, text_end,"
        " message_end assistant stop, auto_retry_end, turn_end 0, agent_end assistant,"
        " agent_settled False",
    ),
    "failure": (
        final_failure,
        f"agent_start, turn_start, {SYSTEM}, {USER}, message_start assistant pending,"
        " message_end assistant error, turn_end 0, agent_end system user assistant,"
        " agent_settled False",
    ),
}


@pytest.mark.parametrize("name", SCENARIOS)
async def test_everything_is_told_in_its_order(name: str) -> None:
    scenario, expected = SCENARIOS[name]
    talk = await asyncio.wait_for(scenario(), 20)
    assert talk.trace == expected.split(", ")
