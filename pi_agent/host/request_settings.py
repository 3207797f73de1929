"""What the settings and the environment say of requests: waits, repeats, thinking, caches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, get_args

from pi_agent.llm.messages import Message
from pi_agent.llm.model import THINKING_BUDGETS
from pi_agent.llm.stream import StreamOptions
from pi_agent.llm.transform import convert_to_llm
from pi_agent.resources.settings import SettingsStore

WarmingMode = Literal["off", "streaming", "idle"]
_WARMING_MODES: Final[tuple[WarmingMode, ...]] = get_args(WarmingMode)


def set_request_options(
    options: StreamOptions, settings: SettingsStore, environ: Mapping[str, str]
) -> None:
    """Put them into the options of one request."""
    options.timeout = _seconds(settings.get("httpIdleTimeoutMs"))
    options.header_timeout = _seconds(settings.get("retry.provider.timeoutMs"))
    options.max_retries = settings.get_number("retry.provider.maxRetries")
    options.max_retry_delay = settings.get_number("retry.provider.maxRetryDelayMs") / 1000
    options.thinking_budgets = {
        level: settings.get_number(f"thinkingBudgets.{level}") for level in THINKING_BUDGETS
    }
    if environ.get("PI_CACHE_RETENTION") == "long":
        options.cache_retention = "long"


def convert_messages(settings: SettingsStore, messages: Sequence[Message]) -> list[Message]:
    """Return what a model is told of `messages`, without pictures if it is to see none."""
    return convert_to_llm(messages, block_images=settings.get_bool("images.blockImages"))


def cache_warming(settings: SettingsStore) -> WarmingMode:
    """Return when prompts are kept in the provider's cache."""
    chosen = settings.get_choice("cacheWarming")
    return next((mode for mode in _WARMING_MODES if mode == chosen), "idle")


def _seconds(milliseconds: object) -> float | None:
    """Return a limit in seconds; 0, `disabled` and none at all are no limit."""
    return milliseconds / 1000 if isinstance(milliseconds, int | float) and milliseconds else None
