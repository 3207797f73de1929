"""Which model a run starts with, and how long it thinks."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest

from pi_agent.base.errors import PiError
from pi_agent.host.models import StartModel, Wanted, choose_start_model, find_exact_model
from pi_agent.llm.model import THINKING_LEVELS, Model, ThinkingLevel, clamp_level, supported_levels
from pi_agent.llm.registry import ModelRegistry
from pi_agent.resources.models_file import read_models_text
from pi_agent.session.store import SessionManager
from tests.wire_server import WireServer, json_reply

pytestmark = pytest.mark.anyio

THINKS = {"id": "thinks", "reasoning": True}
PLAIN = {"id": "plain", "reasoning": False}
UNKNOWN = {"id": "unknown"}


@asynccontextmanager
async def registry(
    *models: Mapping[str, Any], environ: Mapping[str, str] | None = None
) -> AsyncIterator[ModelRegistry]:
    provider = {"baseUrl": "http://127.0.0.1:1", "models": list(models)}
    text = json.dumps({"providers": {"acme": provider} if models else {}})
    built = ModelRegistry(environ or {}, read_models_text(text, "models.json"))
    try:
        yield built
    finally:
        await built.aclose()


class Preferred:
    """Somebody who has chosen a model and levels for good."""

    def __init__(self, reference: str = "", **levels: ThinkingLevel) -> None:
        self.reference = reference
        self.levels = levels
        self.remembered: list[str] = []

    def default_model(self) -> tuple[str, str] | None:
        provider, _, model_id = self.reference.partition("/")
        return (provider, model_id) if model_id else None

    def level_of(self, model: Model) -> ThinkingLevel | None:
        return self.levels.get(model.id) or self.levels.get("every")

    async def remember_model(self, model: Model) -> None:
        self.remembered.append(model.reference)

    async def remember_level(self, level: ThinkingLevel) -> None:
        self.remembered.append(level)


async def start(
    models: ModelRegistry,
    reference: str | None = None,
    *,
    provider: str | None = None,
    thinking: str | None = None,
    session: SessionManager | None = None,
    scope: Sequence[str] = (),
    preferences: Preferred | None = None,
) -> StartModel:
    wanted = Wanted(
        reference=reference,
        provider=provider,
        thinking=thinking,
        scope=scope,
        preferences=preferences or Preferred(),
    )
    return await choose_start_model(models, session or SessionManager.in_memory(), wanted)


def left_with(model_id: str, level: str) -> SessionManager:
    """Return a session that was left with a model of `acme`."""
    session = SessionManager.in_memory()
    session.append_model_change("acme", model_id)
    session.append_thinking_level_change(level)
    return session


def name(chosen: StartModel) -> str | None:
    return chosen.model.reference if chosen.model is not None else None


def level(chosen: StartModel) -> ThinkingLevel:
    assert chosen.model is not None
    return clamp_level(chosen.model, chosen.thinking_level)


async def test_the_only_model_is_taken_and_among_several_nobody_chooses() -> None:
    async with registry(PLAIN) as models:
        assert name(await start(models)) == "acme/plain"
    async with registry(PLAIN, THINKS) as models:
        assert name(await start(models)) is None
    async with registry() as models:
        assert name(await start(models)) is None  # the demo is never chosen on its own


async def test_a_server_is_asked_only_if_its_list_is_needed() -> None:
    with WireServer(answer=lambda request: json_reply({"data": [{"id": "only"}]})) as server:
        environ = {"LLAMA_BASE_URL": server.url}
        async with registry(PLAIN, environ=environ) as models:
            assert name(await start(models, "acme/plain")) == "acme/plain"
            assert name(await start(models, session=left_with("plain", "off"))) == "acme/plain"
            assert server.requests == []
            assert name(await start(models, "only")) == "llama.cpp/only"
            assert len(server.requests) == 1


async def test_what_is_named_wins_over_what_the_session_was_left_with() -> None:
    async with registry(PLAIN, THINKS) as models:
        session = left_with("plain", "off")
        assert name(await start(models, session=session)) == "acme/plain"
        assert name(await start(models, "thinks", session=session)) == "acme/thinks"
        assert name(await start(models, "thinks", provider="acme")) == "acme/thinks"


@pytest.mark.parametrize(
    ("patterns", "preferred", "left", "expected", "expected_level"),
    [
        (["thinks:high", "plain"], "", None, "acme/thinks", "high"),
        (["plain", "thinks:high"], "acme/thinks", None, "acme/thinks", "high"),
        (["plain"], "acme/thinks", None, "acme/plain", "off"),
        (["plain"], "", ("thinks", "low"), "acme/thinks", "low"),
        ([], "acme/thinks", None, "acme/thinks", "medium"),
        ([], "acme/thinks", ("plain", "off"), "acme/plain", "off"),
    ],
)
async def test_without_a_name_the_scope_then_the_session_then_the_settings_decide(
    patterns: list[str],
    preferred: str,
    left: tuple[str, str] | None,
    expected: str,
    expected_level: str,
) -> None:
    async with registry(PLAIN, THINKS) as models:
        chosen = await start(
            models,
            session=left_with(*left) if left else None,
            scope=patterns,
            preferences=Preferred(preferred),
        )
        assert (name(chosen), level(chosen), chosen.warnings) == (expected, expected_level, [])
        assert len(chosen.scope) == len(patterns)


async def test_a_scope_tells_what_it_cannot_find_and_asks_servers_only_for_that() -> None:
    with WireServer(answer=lambda request: json_reply({"data": [{"id": "only"}]})) as server:
        async with registry(PLAIN, THINKS, environ={"LLAMA_BASE_URL": server.url}) as models:
            await start(models, scope=["thinks", "acme/plain"])
            assert server.requests == []
            chosen = await start(models, scope=["*/only", "nonsense"])
            assert name(chosen) == "llama.cpp/only"
            assert chosen.warnings == ['No model matches "nonsense" in the model scope']


@pytest.mark.parametrize(
    ("reference", "left", "expected"),
    [
        ("thinks", None, "high"),
        ("thinks:low", None, "low"),
        (None, ("thinks", "low"), "low"),
        ("other", None, "minimal"),
        ("other", ("thinks", "low"), "minimal"),
    ],
)
async def test_a_level_that_is_preferred_counts_when_none_was_asked_for(
    reference: str | None, left: tuple[str, str] | None, expected: str
) -> None:
    other = {"id": "other", "reasoning": True}
    async with registry(THINKS, other) as models:
        chosen = await start(
            models,
            reference,
            session=left_with(*left) if left else None,
            preferences=Preferred(thinks="high", every="minimal"),
        )
        assert level(chosen) == expected


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("acme/thinks", "acme/thinks None"),
        ("THINKS:high", "acme/thinks high"),
        ("plain", "acme/plain None"),
        ("thin", None),
        ("Echo", "demo/echo None"),
        ("answers", None),
        ("", None),
    ],
)
async def test_an_exact_name_is_told_from_a_part_of_one(typed: str, found: str | None) -> None:
    async with registry(THINKS, PLAIN) as models:
        choice = find_exact_model(models, typed)
    said = f"{choice.model.reference} {choice.thinking_level}" if choice is not None else None
    assert said == found


async def test_an_unknown_name_is_an_error_with_candidates() -> None:
    async with registry(PLAIN) as models:
        with pytest.raises(PiError) as caught:
            await start(models, "plane")
    assert '"plane"' in caught.value.message
    assert caught.value.hint is not None and "acme/plain" in caught.value.hint


async def test_a_model_that_is_gone_is_told_with_what_takes_its_place() -> None:
    session = left_with("gone", "off")
    async with registry(PLAIN) as models:
        chosen = await start(models, session=session)
        assert name(chosen) == "acme/plain"
        assert chosen.warnings == ["Could not restore model acme/gone. Using acme/plain."]
    async with registry(PLAIN, THINKS) as models:
        chosen = await start(models, session=session)
        assert name(chosen) is None
        assert chosen.warnings == ["Could not restore model acme/gone."]


async def test_a_default_that_is_gone_is_told_with_what_takes_its_place() -> None:
    async with registry(PLAIN) as models:
        chosen = await start(models, preferences=Preferred("acme/gone"))
        assert name(chosen) == "acme/plain"
        assert chosen.warnings == [
            "The default model acme/gone is not available. Using acme/plain."
        ]
        session = left_with("gone-too", "off")
        chosen = await start(models, session=session, preferences=Preferred("acme/plain"))
        assert chosen.warnings == ["Could not restore model acme/gone-too. Using acme/plain."]


@pytest.mark.parametrize(
    ("reference", "thinking", "remembered", "expected"),
    [
        ("thinks", None, None, "medium"),
        ("thinks:high", None, None, "high"),
        ("thinks:high", "low", None, "low"),
        ("thinks", "off", None, "off"),
        ("thinks", "nonsense", None, "medium"),
        (None, None, ("thinks", "high"), "high"),
        (None, None, ("thinks", "off"), "off"),
        (None, "low", ("thinks", "high"), "low"),
        ("thinks", None, ("thinks", "off"), "off"),
        ("thinks", None, ("plain", "high"), "high"),
        ("thinks", None, ("plain", "off"), "medium"),
        ("thinks:low", None, ("thinks", "high"), "low"),
        ("plain", None, ("thinks", "high"), "off"),
        ("plain", "high", None, "off"),
    ],
)
async def test_the_level_is_what_was_asked_for_then_named_then_left(
    reference: str | None, thinking: str | None, remembered: tuple[str, str] | None, expected: str
) -> None:
    session = left_with(*remembered) if remembered else None
    async with registry(PLAIN, THINKS) as models:
        chosen = await start(models, reference, thinking=thinking, session=session)
        assert level(chosen) == expected


async def test_whoever_asks_a_model_to_think_is_believed_unless_it_is_known_better() -> None:
    async with registry(PLAIN, UNKNOWN) as models:
        assert level(await start(models, "unknown")) == "off"
        assert level(await start(models, "unknown:high")) == "high"
        asked = await start(models, "unknown", thinking="high")
        assert (level(asked), asked.warnings) == ("high", [])
        assert level(await start(models, session=left_with("unknown", "high"))) == "high"
        known = await start(models, "plain", thinking="high")
        assert level(known) == "off"
        assert known.warnings == ["acme/plain has no thinking level high; it uses off."]


LEVELS = [
    (None, "off minimal low medium high"),
    ({"xhigh": "extra"}, "off minimal low medium high xhigh"),
    ({"off": None, "minimal": None}, "low medium high"),
    ({"low": None, "medium": None, "max": "most"}, "off minimal high max"),
    (dict.fromkeys(THINKING_LEVELS), "off"),
]


@pytest.mark.parametrize(("names", "supported"), LEVELS)
def test_a_map_takes_levels_away_and_adds_the_highest(
    names: dict[str, str | None] | None, supported: str
) -> None:
    model = Model(id="m", provider="p", api="a", reasoning=True, thinking_level_map=names)
    assert supported_levels(model) == supported.split()
    assert supported_levels(model.model_copy(update={"reasoning": False})) == ["off"]


@pytest.mark.parametrize(
    ("names", "wanted", "used"),
    [
        (None, "high", "high"),
        (None, "max", "high"),
        ({"xhigh": "x"}, "max", "xhigh"),
        ({"off": None}, "off", "minimal"),
        ({"low": None, "medium": None}, "low", "high"),
        ({"high": None}, "high", "medium"),
    ],
)
def test_a_level_that_is_missing_becomes_the_next_higher_else_the_next_lower(
    names: dict[str, str | None] | None, wanted: ThinkingLevel, used: str
) -> None:
    model = Model(id="m", provider="p", api="a", reasoning=True, thinking_level_map=names)
    assert clamp_level(model, wanted) == used
