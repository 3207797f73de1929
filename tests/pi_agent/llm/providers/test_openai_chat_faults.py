"""A recorded answer that breaks, stalls or is aborted at each of its events ends as what it is, with what came."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

import pytest

from pi_agent.llm.messages import AssistantMessage, ThinkingContent, ToolCall, text_of
from pi_agent.llm.retry import is_retryable
from pi_agent.llm.stream import StreamError, StreamEvent, StreamOptions
from pi_tui.abort import AbortController
from tests.pi_agent.llm.chat import ask, asking, chat, chat_model, final
from tests.pi_agent.llm.recorded import STREAMS, TEXT, is_over, text_in
from tests.wire_server import (
    STALL,
    Reply,
    WireServer,
    chunked_reply,
    dropped_after,
    reply,
    sse_reply,
)

pytestmark = pytest.mark.anyio

MOMENTS = [
    pytest.param(events, count, id=f"{name} after {count}")
    for name, events in STREAMS.items()
    for count in range(len(events))
]


@pytest.fixture
def server() -> Iterator[WireServer]:
    with WireServer() as server:
        yield server


def thinking_of(message: AssistantMessage) -> str:
    blocks = [block for block in message.content if isinstance(block, ThinkingContent)]
    return "".join(block.thinking for block in blocks)


def check_what_came(message: AssistantMessage, events: Sequence[bytes]) -> None:
    """Check that all of `events` is in the message, and nothing else."""
    assert text_of(message.content) == text_in(events)
    assert thinking_of(message) == text_in(events, "reasoning_content")


@pytest.mark.parametrize(("events", "count"), MOMENTS)
async def test_a_connection_that_breaks(
    server: WireServer, events: Sequence[bytes], count: int
) -> None:
    server.queue(dropped_after(events, count))
    message = final(await ask(server))
    came = events[:count]
    check_what_came(message, came)
    if is_over(came):
        assert message.stop_reason in ("stop", "toolUse")
        assert message.error_message is None
    else:
        assert message.stop_reason == "error"
        assert (message.error_message or "").startswith("Connection lost: ")
        assert is_retryable(message)


@pytest.mark.parametrize(("events", "count"), MOMENTS)
async def test_a_body_that_ends_too_early(
    server: WireServer, events: Sequence[bytes], count: int
) -> None:
    server.queue(sse_reply(*events[:count]))
    message = final(await ask(server))
    came = events[:count]
    check_what_came(message, came)
    assert (message.stop_reason == "error") is not is_over(came)
    if message.stop_reason == "error":
        assert (message.error_message or "").startswith("stream ended without")
        assert is_retryable(message)


@pytest.mark.parametrize(("events", "count"), MOMENTS)
async def test_a_server_that_falls_silent(
    server: WireServer, events: Sequence[bytes], count: int
) -> None:
    server.queue(sse_reply(*events[:count], STALL))
    message = final(await ask(server, options=StreamOptions(timeout=0.75)))
    came = events[:count]
    check_what_came(message, came)
    assert (message.stop_reason == "error") is not is_over(came)
    if message.stop_reason == "error":
        assert "timed out" in (message.error_message or "")
        assert is_retryable(message)


async def aborted_at(server: WireServer, moment: int) -> tuple[list[StreamEvent], bool]:
    """Abort once this many events were told; returns them all, and whether the stream had gone on."""
    controller = AbortController()
    told: list[StreamEvent] = []
    async with chat() as speak:
        options = StreamOptions(signal=controller.signal, timeout=20)
        async for event in speak(chat_model(server), asking(), options):
            told.append(event)
            if len(told) == moment:
                controller.abort()
    return told, controller.signal.aborted


@pytest.mark.parametrize("moment", range(1, 6))
async def test_an_abort_after_each_event_keeps_what_came_and_closes_the_connection(
    server: WireServer, moment: int
) -> None:
    server.queue(sse_reply(*TEXT[:5], STALL))
    events, aborted = await aborted_at(server, moment)
    assert aborted
    assert isinstance(events[-1], StreamError)
    assert events[-1].reason == "aborted"
    message = final(events)
    assert message.error_message == "Request was aborted"
    assert "Hello, how are you 👍?".startswith(text_of(message.content))
    assert not any(event.type.endswith("_end") for event in events)
    assert server.hung_up.wait(5)


@pytest.mark.parametrize("told", [Reply([STALL]), sse_reply(STALL), sse_reply(*TEXT[:6], STALL)])
async def test_an_abort_while_the_server_is_waited_for(server: WireServer, told: Reply) -> None:
    controller = AbortController()
    server.queue(told)
    options = StreamOptions(signal=controller.signal, timeout=20)
    asked = asyncio.create_task(ask(server, options=options))
    await asyncio.to_thread(server.arrived.acquire)
    controller.abort()
    message = final(await asked)
    assert message.stop_reason == "aborted" or text_of(message.content) == text_in(TEXT)
    assert await asyncio.to_thread(server.hung_up.wait, 5)


@pytest.mark.parametrize("told", [Reply([STALL]), reply(503, b"busy")])
async def test_an_abort_before_the_request_sends_nothing(server: WireServer, told: Reply) -> None:
    controller = AbortController()
    controller.abort()
    server.queue(told)
    events = await ask(server, options=StreamOptions(signal=controller.signal))
    assert final(events).stop_reason == "aborted"
    assert server.requests == []


async def test_half_a_call_is_no_call(server: WireServer) -> None:
    server.queue(dropped_after(STREAMS["call"], 4))
    message = final(await ask(server))
    (call,) = message.content
    assert isinstance(call, ToolCall)
    assert (call.name, message.stop_reason) == ("read", "error")


async def test_connections_are_used_again_after_refusals_and_answers(server: WireServer) -> None:
    async with chat() as speak:
        for told in (
            reply(503, b"busy"),
            chunked_reply(*TEXT),
            reply(429, b"wait"),
            chunked_reply(*TEXT),
        ):
            server.queue(told)
            final([event async for event in speak(chat_model(server), asking(), StreamOptions())])
    assert server.connections == 1
    assert len(server.requests) == 4
