"""The settings reach every request, in the units that requests have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pi_agent.host.request_settings import convert_messages, set_request_options
from pi_agent.llm.messages import ImageContent, UserMessage
from pi_agent.llm.stream import StreamOptions
from pi_agent.resources.settings import SettingsStore


def options_with(folder: Path, settings: object, **environ: str) -> StreamOptions:
    path = folder / "settings.json"
    path.write_text(json.dumps(settings))
    store = SettingsStore(path)
    assert store.warnings == []
    options = StreamOptions()
    set_request_options(options, store, environ)
    return options


def test_without_settings_the_defaults_hold(tmp_path: Path) -> None:
    options = options_with(tmp_path, {})
    assert (options.timeout, options.header_timeout) == (300, None)
    assert (options.max_retries, options.max_retry_delay) == (0, 60)
    assert options.thinking_budgets == {
        "minimal": 1024,
        "low": 2048,
        "medium": 8192,
        "high": 16_384,
    }
    assert options.cache_retention == "short"


@pytest.mark.parametrize("off", [0, "disabled"])
def test_a_limit_can_be_switched_off(off: object, tmp_path: Path) -> None:
    assert options_with(tmp_path, {"httpIdleTimeoutMs": off}).timeout is None


def test_every_setting_is_taken(tmp_path: Path) -> None:
    provider = {"timeoutMs": 1500, "maxRetries": 2, "maxRetryDelayMs": 0}
    settings = {
        "httpIdleTimeoutMs": 90_000,
        "retry": {"provider": provider},
        "thinkingBudgets": {"high": 20_000},
    }
    options = options_with(tmp_path, settings, PI_CACHE_RETENTION="long")
    assert (options.timeout, options.header_timeout) == (90, 1.5)
    assert (options.max_retries, options.max_retry_delay) == (2, 0)
    assert options.thinking_budgets["high"] == 20_000
    assert options.thinking_budgets["low"] == 2048
    assert options.cache_retention == "long"


@pytest.mark.parametrize("is_blocked", [False, True])
def test_pictures_are_kept_from_models_when_the_settings_say_so(
    is_blocked: bool, tmp_path: Path
) -> None:
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"images": {"blockImages": is_blocked}}))
    picture = ImageContent(data="AAAA", mime_type="image/png")
    (sent,) = convert_messages(SettingsStore(path), [UserMessage(content=[picture, picture])])
    assert isinstance(sent, UserMessage)
    kinds = ["text"] if is_blocked else ["image", "image"]
    assert [block.type for block in sent.content if not isinstance(block, str)] == kinds
