"""Which model a run starts with, and how long it thinks."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest

from pi_agent.base.errors import PiError
from pi_agent.host.models import StartModel, choose_start_model
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


async def start(
    models: ModelRegistry,
    reference: str | None = None,
    *,
    provider: str | None = None,
    thinking: str | None = None,
    session: SessionManager | None = None,
) -> StartModel:
    return await choose_start_model(
        models,
        session or SessionManager.in_memory(),
        reference=reference,
        provider=provider,
        thinking=thinking,
    )


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
