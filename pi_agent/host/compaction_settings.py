"""What the settings say of compactions of one model's context, as far as its window allows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pi_agent.base.errors import PiError
from pi_agent.base.jsonc import shown_value
from pi_agent.llm.model import Model
from pi_agent.resources.settings import SettingsStore
from pi_agent.session.compaction import CompactionSettings

_OVERRIDES: Final = "compaction.modelOverrides"
# Of a window that is no larger than what is to be kept free of it.
_SMALL_WINDOW_RESERVE: Final = 0.25


def compaction_settings(settings: SettingsStore, model: Model) -> CompactionSettings:
    """Return what holds for `model`; raises `PiError` that names the key of a wrong number."""
    numbers = _override(settings, model)
    return fitted(
        CompactionSettings(
            enabled=settings.get_bool("compaction.enabled"),
            reserve_tokens=_number(
                numbers, "reserveTokens", model, settings.get_number("compaction.reserveTokens")
            ),
            keep_recent_tokens=_number(
                numbers,
                "keepRecentTokens",
                model,
                settings.get_number("compaction.keepRecentTokens"),
            ),
        ),
        model,
    )


def branch_reserve(settings: SettingsStore, model: Model) -> int:
    """Return the tokens that a summary of a branch leaves free of the model's window."""
    return fitted_reserve(settings.get_number("branchSummary.reserveTokens"), model)


def fitted(wanted: CompactionSettings, model: Model) -> CompactionSettings:
    """Return settings with which there is something to summarise when the window is full.

    The usual numbers are made for large windows: in a small one they would leave no room at all, or keep all of it.
    """
    reserve = fitted_reserve(wanted.reserve_tokens, model)
    room = model.context_window - reserve
    keep = wanted.keep_recent_tokens if wanted.keep_recent_tokens < room else room // 2
    return CompactionSettings(wanted.enabled, reserve, keep)


def fitted_reserve(wanted: int, model: Model) -> int:
    """Return how much of the model's window is left free, if `wanted` is not all of it."""
    window = model.context_window
    return wanted if wanted < window else int(window * _SMALL_WINDOW_RESERVE)


def _override(settings: SettingsStore, model: Model) -> Mapping[str, object]:
    overrides = settings.get(_OVERRIDES)
    numbers = overrides.get(model.reference) if isinstance(overrides, Mapping) else None
    if numbers is None:
        return {}
    if not isinstance(numbers, Mapping):
        raise _wrong(model.reference, "an object", numbers)
    return numbers


def _number(numbers: Mapping[str, object], name: str, model: Model, otherwise: int) -> int:
    value = numbers.get(name)
    if value is None:
        return otherwise
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise _wrong(f"{model.reference}.{name}", "a whole number of 0 or more", value)
    return value


def _wrong(key: str, expected: str, value: object) -> PiError:
    return PiError(
        f"{_OVERRIDES}.{key}: expected {expected}, not {shown_value(value)}",
        "Mend it in settings.json.",
    )
