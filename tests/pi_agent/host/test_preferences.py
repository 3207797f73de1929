"""`settings.json` says which model a session starts with and how long models think, and is told what lasts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pi_agent.host.preferences import SettingsPreferences
from pi_agent.llm.model import Model
from pi_agent.resources.settings import SettingsStore

pytestmark = pytest.mark.anyio

MODEL = Model(id="fast/1", provider="acme", api="a")


def preferences(folder: Path, **settings: object) -> SettingsPreferences:
    path = folder / "settings.json"
    path.write_text(json.dumps(settings))
    return SettingsPreferences(SettingsStore(path))


@pytest.mark.parametrize(
    ("settings", "level"),
    [
        ({}, None),
        ({"defaultThinkingLevel": "high"}, "high"),
        ({"defaultThinkingLevel": "high", "modelThinkingLevels": {"acme/fast/1": "low"}}, "low"),
        ({"modelThinkingLevels": {"acme/other": "low"}}, None),
    ],
)
def test_a_level_for_one_model_wins_over_the_one_for_all(
    settings: dict[str, object], level: str | None, tmp_path: Path
) -> None:
    assert preferences(tmp_path, **settings).level_of(MODEL) == level


def test_a_model_is_preferred_only_if_its_provider_is_named_too(tmp_path: Path) -> None:
    assert preferences(tmp_path, defaultModel="x").default_model() is None
    assert preferences(tmp_path, defaultModel="acme/x/1").default_model() == ("acme", "x/1")
    both = preferences(tmp_path, defaultModel="x", defaultProvider="acme")
    assert both.default_model() == ("acme", "x")


async def test_what_is_remembered_is_in_the_file_and_counts_at_once(tmp_path: Path) -> None:
    chosen = preferences(tmp_path, theme="dark")
    await chosen.remember_model(MODEL)
    await chosen.remember_level("high")
    assert json.loads((tmp_path / "settings.json").read_text()) == {
        "theme": "dark",
        "defaultProvider": "acme",
        "defaultModel": "fast/1",
        "defaultThinkingLevel": "high",
    }
    assert chosen.default_model() == ("acme", "fast/1")
    assert chosen.level_of(MODEL) == "high"
