"""What goes over the wire when a request was too long: a summary is asked for, and the request made again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pi_agent.host.conversation import Conversation
from pi_agent.host.conversation_setup import ConversationSetup
from pi_agent.llm.messages import AssistantMessage, TextContent, UserMessage
from pi_agent.llm.registry import ModelRegistry
from pi_agent.resources.models_file import read_models_text
from pi_agent.session.compaction import CompactionSettings
from pi_agent.session.store import SessionManager
from tests.pi_agent.host.test_provider_faults import FINE, chunk, refused, stream
from tests.pi_agent.loop.script import tool
from tests.wire_server import WireServer

pytestmark = pytest.mark.anyio

MODEL = {"id": "m", "contextWindow": 9000, "maxTokens": 700}
TOO_LONG = refused(400, "This model's maximum context length is 9000 tokens.")
SUMMARY = stream(chunk(content="## Goal\nMend it."), chunk("stop"))


def said_before() -> SessionManager:
    session = SessionManager.in_memory()
    for number in range(2):
        session.append_message(UserMessage(content=f"question {number} {'x' * 80}"))
        answer = AssistantMessage(content=[TextContent(text="y" * 80)], provider="test", model="m")
        session.append_message(answer)
    return session


async def test_a_summary_is_asked_for_by_itself_and_the_request_made_again() -> None:
    with WireServer() as server:
        provider = {"baseUrl": f"{server.url}/v1", "apiKey": "k", "models": [MODEL]}
        models = read_models_text(json.dumps({"providers": {"test": provider}}), "models.json")
        registry = ModelRegistry({}, models)
        conversation = Conversation(
            ConversationSetup(
                session=said_before(),
                registry=registry,
                model=registry.find("test", "m"),
                tools=lambda: [tool("look", lambda: "seen")],
                compaction_settings=lambda model: CompactionSettings(True, 1000, 2),
            )
        )
        server.queue(TOO_LONG, SUMMARY, FINE)
        try:
            await conversation.prompt("and now?")
        finally:
            await conversation.dispose()
            await registry.aclose()
        first, summary, again = (request.json() for request in server.requests)
    assert "tools" in first and "tools" in again and "tools" not in summary
    system, asked = summary["messages"]
    assert system["role"] in ("system", "developer") and "summarise" in system["content"]
    assert text_of(asked).startswith("<conversation>\n[User]: question 0")
    assert "question 1" in text_of(asked) and "and now?" not in text_of(asked)
    assert summary.get("max_tokens", summary.get("max_completion_tokens")) == 700
    assert "prompt_cache_key" not in summary
    told = [text_of(message) for message in again["messages"] if message["role"] != "system"]
    assert "## Goal\nMend it." in told[0] and told[-1] == "and now?"
    assert not any("question 0" in text for text in told)


def text_of(message: dict[str, Any]) -> str:
    content = message["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)
