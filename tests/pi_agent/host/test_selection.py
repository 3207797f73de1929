"""Going from model to model and from level to level in a conversation, and what is kept of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from pi_agent.base.errors import PiError
from pi_agent.host.conversation import Conversation
from pi_agent.host.conversation_setup import ConversationSetup
from pi_agent.llm.model import Model, ThinkingLevel
from pi_agent.llm.registry import ModelRegistry
from pi_agent.llm.scope import resolve_scope
from pi_agent.loop.events import AgentEvent, ThinkingLevelChanged
from pi_agent.resources.models_file import read_models_text
from pi_agent.session.store import SessionManager
from tests.pi_agent.host.test_models import Preferred
from tests.wire_server import WireServer, json_reply

pytestmark = pytest.mark.anyio

THREE = (
    {"id": "b", "reasoning": True},
    {"id": "A", "reasoning": True, "thinkingLevelMap": {"off": None, "minimal": None, "low": None}},
    {"id": "c"},
)


class Choosing:
    """A conversation in which nothing is said, only chosen."""

    def __init__(
        self,
        start: str | None,
        *models: Mapping[str, Any],
        scope: Sequence[str] = (),
        preferences: Preferred | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        provider = {"baseUrl": "http://127.0.0.1:1", "models": list(models)}
        locked = {"baseUrl": "http://127.0.0.1:1", "apiKey": "$NO", "models": [{"id": "locked"}]}
        text = json.dumps({"providers": {"acme": provider, "zoo": locked} if models else {}})
        self.registry = ModelRegistry(environ or {}, read_models_text(text, "models.json"))
        self.reports: list[str] = []
        self.events: list[AgentEvent] = []
        self.preferences = preferences or Preferred()
        self.session = SessionManager.in_memory()
        self.conversation = Conversation(
            ConversationSetup(
                session=self.session,
                registry=self.registry,
                model=self.find(start) if start else None,
                scope=resolve_scope(scope, self.registry.models()).choices,
                preferences=self.preferences,
                report=self.reports.append,
            )
        )
        self.conversation.subscribe(self.events.append)

    def find(self, reference: str) -> Model:
        return self.registry.resolve(reference).model

    async def go(self, *directions: Any) -> list[str | None]:
        """Return where cycling leads, step by step."""
        seen: list[str | None] = []
        for direction in directions:
            cycled = await self.conversation.cycle_model(direction)
            seen.append(cycled.model.reference if cycled is not None else None)
        return seen


async def test_all_models_are_cycled_through_in_order_and_around() -> None:
    choosing = Choosing("acme/b", *THREE)
    assert await choosing.go(*["forward"] * 3) == ["acme/c", "acme/A", "acme/b"]
    assert await choosing.go(*["backward"] * 2) == ["acme/A", "acme/c"]
    assert choosing.conversation.model == choosing.find("acme/c")
    recorded = [entry.raw.get("modelId") for entry in choosing.session.get_entries()]
    assert [each for each in recorded if each] == ["c", "A", "b", "A", "c"]


@pytest.mark.parametrize(("direction", "expected"), [("forward", "acme/A"), ("backward", "acme/c")])
async def test_a_model_from_elsewhere_leads_to_the_first_or_the_last(
    direction: str, expected: str
) -> None:
    assert await Choosing("demo/echo", *THREE).go(direction) == [expected]
    assert await Choosing(None, *THREE).go(direction) == [expected]


async def test_where_there_is_no_other_nothing_happens() -> None:
    choosing = Choosing("acme/c", {"id": "c"})
    assert await choosing.go("forward", "backward") == [None, None]
    assert choosing.session.get_entries() == []
    scoped = Choosing("acme/b", *THREE, scope=["b"])
    assert await scoped.go("forward") == [None]


async def test_a_scope_gives_order_and_level_and_leaves_out_what_has_no_key() -> None:
    choosing = Choosing("acme/c", *THREE, scope=["c", "zoo/locked", "b:high", "A"])
    cycled = await choosing.conversation.cycle_model("forward")
    assert cycled is not None
    assert (cycled.model.id, cycled.thinking_level, cycled.is_scoped) == ("b", "high", True)
    assert await choosing.go("forward", "forward") == ["acme/A", "acme/c"]
    choosing.conversation.scoped_models = ()
    unscoped = await choosing.conversation.cycle_model("forward")
    assert unscoped is not None
    assert not unscoped.is_scoped


async def test_servers_are_asked_once_for_what_can_be_cycled_through() -> None:
    with WireServer(answer=lambda request: json_reply({"data": [{"id": "far"}]})) as server:
        choosing = Choosing("acme/c", *THREE, environ={"LLAMA_BASE_URL": server.url})
        assert await choosing.go("forward", "forward") == ["llama.cpp/far", "acme/A"]
        assert len(server.requests) == 1
        await choosing.registry.aclose()


async def test_levels_are_those_of_the_model_and_come_around() -> None:
    choosing = Choosing("acme/A", *THREE)
    conversation = choosing.conversation
    assert conversation.thinking_level == "medium"
    assert [await conversation.cycle_thinking_level() for _ in range(2)] == ["high", "medium"]
    await conversation.set_model(choosing.find("acme/c"))
    assert await conversation.cycle_thinking_level() is None
    told = [event.level for event in choosing.events if isinstance(event, ThinkingLevelChanged)]
    assert told == ["high", "medium", "off"]
    recorded = [entry.raw.get("thinkingLevel") for entry in choosing.session.get_entries()]
    assert [each for each in recorded if each] == told


async def test_a_switch_takes_the_level_named_then_preferred_then_the_one_before() -> None:
    choosing = Choosing("acme/c", *THREE, preferences=Preferred(b="minimal"))
    conversation = choosing.conversation
    levels: list[ThinkingLevel] = []
    steps: tuple[tuple[str, ThinkingLevel | None], ...]
    steps = (("b", None), ("A", None), ("b", "low"), ("A", "max"))
    for reference, named in steps:
        await conversation.set_model(choosing.find(f"acme/{reference}"), named)
        levels.append(conversation.thinking_level)
    assert levels == ["minimal", "medium", "low", "high"]


async def test_only_what_is_to_last_is_remembered() -> None:
    choosing = Choosing("acme/c", *THREE)
    conversation = choosing.conversation
    await conversation.set_model(choosing.find("acme/b"))
    await conversation.set_thinking_level("low")
    assert choosing.preferences.remembered == []
    await conversation.set_model(choosing.find("acme/b"), persist=True)
    await conversation.set_thinking_level("high", persist=True)
    assert choosing.preferences.remembered == ["acme/b", "high"]


class Unwritable(Preferred):
    """Settings that cannot be saved."""

    async def remember_model(self, model: Model) -> None:
        raise PiError("settings.json cannot be written", "Check the folder.")


async def test_a_choice_that_cannot_be_saved_holds_for_the_session() -> None:
    choosing = Choosing("acme/c", *THREE, preferences=Unwritable())
    await choosing.conversation.set_model(choosing.find("acme/b"), persist=True)
    assert choosing.conversation.model == choosing.find("acme/b")
    assert choosing.reports == ["settings.json cannot be written\nCheck the folder."]
