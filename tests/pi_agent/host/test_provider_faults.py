"""What a conversation makes of a server that fails, over real HTTP: each time it goes on afterwards."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from pi_agent.base.clock import ManualClock
from pi_agent.host.conversation import Conversation
from pi_agent.host.conversation_setup import ConversationSetup
from pi_agent.host.retry import RetryPolicy
from pi_agent.llm.registry import ModelRegistry
from pi_agent.loop.events import AgentEvent, AutoRetryStart
from pi_agent.loop.tool import ToolDefinition
from pi_agent.resources.models_file import read_models_text
from pi_agent.session.store import SessionManager
from tests.pi_agent.loop.script import described, done, tool
from tests.wire_server import (
    Reply,
    WireServer,
    dropped_after,
    reply,
    sse_bytes,
    sse_reply,
)

pytestmark = pytest.mark.anyio


def chunk(finish: str | None = None, **delta: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def call(arguments: str, name: str = "note", call_id: str = "c1", index: int = 0) -> Any:
    function = {"name": name, "arguments": arguments}
    return {"index": index, "id": call_id, "function": function}


def stream(*chunks: Any, done: bool = True) -> Reply:
    return sse_reply(sse_bytes(*chunks, done=done))


def refused(status: int, text: str = "not now", **headers: str) -> Reply:
    body = json.dumps({"error": {"message": text}}).encode()
    return reply(status, body, {name.replace("_", "-"): value for name, value in headers.items()})


FINE = stream(chunk(content="fine"), chunk("stop"))
# A call, a text before it, and all that ends an answer: each by itself.
EVENTS = [
    *(
        sse_bytes(each, done=False)
        for each in (
            chunk(role="assistant", content=""),
            chunk(content="I no"),
            chunk(content="te"),
            chunk(tool_calls=[call('{"text": ')]),
            chunk(tool_calls=[{"index": 0, "function": {"arguments": '"a"}'}}]),
            chunk("tool_calls"),
        )
    ),
    b"data: [DONE]\n\n",
]
HALF_CALL = stream(chunk(tool_calls=[call('{"text": "lo')]), chunk("length"))
NO_END = stream(chunk(content="half an"), done=False)


class InstantClock(ManualClock):
    """A clock that lets nobody wait and remembers how long they wanted to."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.advance(seconds)


class Talk:
    """A conversation with a server, a tool that notes texts, and all that is told."""

    def __init__(self, server: WireServer) -> None:
        provider = {"baseUrl": f"{server.url}/v1", "apiKey": "k", "models": [{"id": "m"}]}
        models = read_models_text(json.dumps({"providers": {"test": provider}}), "models.json")
        self.clock = InstantClock()
        self.registry = ModelRegistry({}, models)
        self.noted: list[str] = []
        self.lines: list[str] = []
        self.delays: list[int] = []
        self.conversation = Conversation(
            ConversationSetup(
                session=SessionManager.in_memory(),
                registry=self.registry,
                model=self.registry.find("test", "m"),
                tools=lambda: [self._tool()],
                retry_policy=lambda: RetryPolicy(max_retries=2),
                clock=self.clock,
            )
        )
        self.conversation.subscribe(self._note)

    def _tool(self) -> ToolDefinition:
        def note(text: str, count: int = 1) -> Any:
            self.noted.append(text)
            return done("noted")

        properties = {"text": {"type": "string"}, "count": {"type": "integer"}}
        schema = {"type": "object", "properties": properties, "required": ["text"]}
        return tool("note", note, parameters=schema)

    def _note(self, event: AgentEvent) -> None:
        self.lines.append(described(event))
        if isinstance(event, AutoRetryStart):
            self.delays.append(event.delay_ms)

    @property
    def answers(self) -> list[str]:
        prefix = "message_end assistant "
        return [line.removeprefix(prefix) for line in self.lines if line.startswith(prefix)]


@pytest.fixture
def server() -> Iterator[WireServer]:
    with WireServer() as server:
        yield server


async def check(
    server: WireServer,
    replies: Sequence[Reply],
    *,
    answers: list[str],
    noted: Sequence[str] = (),
    delays: Sequence[int] = (),
    results: Sequence[str] = (),
) -> Talk:
    """Say something to a server that answers so, look at what comes of it, and say something else."""
    talk = Talk(server)
    try:
        server.queue(*replies)
        await talk.conversation.prompt("go")
        assert talk.answers == answers
        assert (talk.noted, talk.delays) == (list(noted), list(delays))
        assert talk.lines.count("agent_settled") == 1
        assert len(server.requests) == len(replies)
        told = [m for m in talk.conversation.messages if m.role == "toolResult"]
        for result, words in zip(told, results, strict=True):
            assert words in json.dumps(result.to_wire())
        server.queue(FINE)
        await talk.conversation.prompt("and now?")
        assert talk.answers[-1] == "stop"
        for request in server.requests:
            check_request(request.json()["messages"])
        said = [m["content"] for m in server.requests[-1].json()["messages"] if m["role"] == "user"]
        assert [_text(each) for each in said] == ["go", "and now?"]
    finally:
        await talk.conversation.dispose()
        await talk.registry.aclose()
    return talk


def check_request(messages: list[dict[str, Any]]) -> None:
    """Check that each call is followed by its one result, and no result stands elsewhere."""
    open_ids: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            open_ids.remove(message["tool_call_id"])
            continue
        assert open_ids == []
        open_ids = [each["id"] for each in message.get("tool_calls", ())]
        assert len(open_ids) == len(set(open_ids))
        for each in message.get("tool_calls", ()):
            json.loads(each["function"]["arguments"])
    assert open_ids == []


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


@pytest.mark.parametrize("count", range(6))
async def test_a_connection_that_breaks_is_asked_again(count: int, server: WireServer) -> None:
    replies = [dropped_after(EVENTS, count), FINE]
    await check(server, replies, answers=["error", "stop"], delays=[2000])


@pytest.mark.parametrize("count", [6, 7])
async def test_a_connection_that_breaks_behind_the_end_has_told_all(
    count: int, server: WireServer
) -> None:
    replies = [dropped_after(EVENTS, count), FINE]
    await check(server, replies, answers=["toolUse", "stop"], noted=["a"], results=["noted"])


@pytest.mark.parametrize(
    ("replies", "answers", "delays"),
    [
        ([refused(429), FINE], ["error", "stop"], [2000]),
        ([refused(429, Retry_After="7"), FINE], ["error", "stop"], [7000]),
        ([refused(429, Retry_After="1"), FINE], ["error", "stop"], [2000]),
        ([refused(429, Retry_After_Ms="2500"), FINE], ["error", "stop"], [2500]),
        ([refused(500), refused(529), FINE], ["error", "error", "stop"], [2000, 4000]),
        ([refused(529, Retry_After="3"), FINE], ["error", "stop"], [3000]),
        ([refused(503)] * 3, ["error"] * 3, [2000, 4000]),
        ([refused(400)], ["error"], []),
        ([refused(429, "your quota is exceeded")], ["error"], []),
        ([NO_END, FINE], ["error", "stop"], [2000]),
        ([stream(), FINE], ["error", "stop"], [2000]),
    ],
    ids=[
        "429",
        "429 in 7 s",
        "429 in 1 s",
        "429 in 2500 ms",
        "500 and 529",
        "529 in 3 s",
        "503 for good",
        "400",
        "quota",
        "no end",
        "nothing but the end",
    ],
)
async def test_a_refusal_is_waited_for_or_told(
    replies: list[Reply], answers: list[str], delays: list[int], server: WireServer
) -> None:
    talk = await check(server, replies, answers=answers, delays=delays)
    assert [round(wait * 1000) for wait in talk.clock.waits] == delays


@pytest.mark.parametrize(
    ("first", "answer", "noted", "results"),
    [
        (HALF_CALL, "length", [], ["token limit"]),
        (
            stream(
                chunk(tool_calls=[call('{"text": "a"}'), call("{", "note", "c2", 1)]),
                chunk("length"),
            ),
            "length",
            [],
            ["token limit", "token limit"],
        ),
        (
            stream(chunk(tool_calls=[call("{}", "nosuch")]), chunk("tool_calls")),
            "toolUse",
            [],
            ["Tool nosuch not found"],
        ),
        (
            stream(
                chunk(tool_calls=[call('{"text": "a"}'), call('{"text": "b"}', index=1)]),
                chunk("tool_calls"),
            ),
            "toolUse",
            ["a", "b"],
            ["noted", "noted"],
        ),
        (
            stream(chunk(tool_calls=[call('{"count": "many"}')]), chunk("tool_calls")),
            "toolUse",
            [],
            ["count: expected integer, got string"],
        ),
        (
            stream(chunk(tool_calls=[call("not json")]), chunk("tool_calls")),
            "toolUse",
            [],
            ['Invalid arguments for tool \\"note\\"'],
        ),
        (
            stream(chunk(tool_calls=[call("[1]")]), chunk("tool_calls")),
            "toolUse",
            [],
            ['Invalid arguments for tool \\"note\\"'],
        ),
        (
            stream(chunk(tool_calls=[call('{"text": "a"}', call_id="")]), chunk("stop")),
            "toolUse",
            ["a"],
            ["noted"],
        ),
    ],
    ids=[
        "half a call",
        "a call and a half",
        "unknown tool",
        "an id twice",
        "wrong type",
        "no JSON",
        "a list",
        "no id",
    ],
)
async def test_calls_that_cannot_be_run_get_a_result_and_the_model_another_try(
    first: Reply, answer: str, noted: list[str], results: list[str], server: WireServer
) -> None:
    await check(server, [first, FINE], answers=[answer, "stop"], noted=noted, results=results)
