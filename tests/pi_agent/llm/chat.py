"""Ask a model at a local server, for the tests of this folder."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from pi_agent.base.clock import ManualClock
from pi_agent.base.http import HttpClient
from pi_agent.llm.messages import AssistantMessage, Message, UserMessage
from pi_agent.llm.model import Model
from pi_agent.llm.providers.openai_chat import OpenAiChat
from pi_agent.llm.stream import (
    Context,
    StreamDone,
    StreamError,
    StreamEvent,
    StreamOptions,
)
from tests.wire_server import WireServer


def chat_model(server: WireServer, **changes: object) -> Model:
    """Return a model at `server`."""
    wire: dict[str, object] = {
        "id": "smollm2",
        "provider": "local",
        "api": "openai-completions",
        "baseUrl": f"{server.url}/v1",
    }
    return Model.from_wire(wire | changes)


def asking(*messages: Message) -> Context:
    """Return a request; without messages it says hello."""
    return Context("", list(messages) or [UserMessage(content="hello")])


@asynccontextmanager
async def chat() -> AsyncIterator[OpenAiChat]:
    """Give the provider with a client of its own."""
    http = HttpClient({})
    try:
        yield OpenAiChat(http, ManualClock())
    finally:
        await http.aclose()


async def ask(
    server: WireServer,
    model: Model | None = None,
    context: Context | None = None,
    options: StreamOptions | None = None,
) -> list[StreamEvent]:
    """Return all events of one answer."""
    async with chat() as speak:
        events = speak(
            model or chat_model(server), context or asking(), options or StreamOptions(timeout=20)
        )
        return [event async for event in events]


def final(events: Sequence[StreamEvent]) -> AssistantMessage:
    """Return the final message; checks that exactly one event is terminal, the last one."""
    terminal = [event for event in events if isinstance(event, StreamDone | StreamError)]
    assert terminal == [events[-1]]
    return terminal[0].message if isinstance(terminal[0], StreamDone) else terminal[0].error
