"""The models a server lists under `GET /models`, in the shapes that servers use.

Prices are not taken from there: a price is shown only if a catalogue with a source says it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pi_agent.base.wire import JsonObject, JsonValue
from pi_agent.llm.model import InputKind, Model
from pi_agent.llm.provider import Provider
from pi_tui.patterns import pattern

# Under which names servers give a figure; the first one found counts.
_CONTEXT_WINDOW = (
    ("context_length",),
    ("context_window",),
    ("max_context_length",),
    ("max_model_len",),
    ("meta", "n_ctx"),
    ("meta", "n_ctx_train"),
    ("top_provider", "context_length"),
)
_MAX_TOKENS = (
    ("top_provider", "max_completion_tokens"),
    ("max_completion_tokens",),
    ("max_output_tokens",),
    ("max_output_length",),
)
_NAME = (("name",), ("display_name",))
_INPUT = (("architecture", "input_modalities"), ("input_modalities",))

# What is listed beside the models that one can talk to.
_NO_CHAT_ID = pattern(
    r"embed|rerank|moderation|whisper|transcribe|realtime|\btts\b|dall-e|gpt-image|\bsora\b"
    r"|babbage|davinci|\bocr\b",
    re.IGNORECASE,
)
_NO_CHAT_TYPES = frozenset(
    {"embedding", "embeddings", "rerank", "moderation", "image", "audio", "video", "transcribe"}
)


def read_model_list(data: JsonValue, provider: Provider) -> list[Model]:
    """Return the models one can talk to, by id. Raises `ValueError` if `data` is no list of models."""
    if isinstance(data, dict):
        data = data.get("data", data.get("models"))
    if not isinstance(data, list):
        raise ValueError("the answer is no list of models")
    models = {model.id: model for entry in data for model in _read_entry(entry, provider)}
    return [models[model_id] for model_id in sorted(models, key=str.lower)]


def _read_entry(entry: JsonValue, provider: Provider) -> Iterator[Model]:
    if not isinstance(entry, dict):
        return
    model_id = entry.get("id")
    if not isinstance(model_id, str) or not model_id or not _can_chat(model_id, entry):
        return
    known: JsonObject = {
        "contextWindow": _figure(entry, _CONTEXT_WINDOW),
        "maxTokens": _figure(entry, _MAX_TOKENS),
        "reasoning": _can_think(entry),
        "input": _input(entry),
    }
    name = _first(entry, _NAME)
    yield Model.from_wire(
        {
            "id": model_id,
            "provider": provider.id,
            "api": provider.api,
            "baseUrl": provider.base_url,
            "name": name if isinstance(name, str) and name else model_id,
            "compat": provider.compat,
        }
        | {key: value for key, value in known.items() if value is not None}
    )


def _can_chat(model_id: str, entry: JsonObject) -> bool:
    capabilities = entry.get("capabilities")
    if isinstance(capabilities, dict) and capabilities.get("completion_chat") is False:
        return False
    return entry.get("type") not in _NO_CHAT_TYPES and not _NO_CHAT_ID.search(model_id)


def _can_think(entry: JsonObject) -> bool | None:
    capabilities = entry.get("capabilities")
    if isinstance(capabilities, dict) and isinstance(capabilities.get("reasoning"), bool):
        return bool(capabilities["reasoning"])
    parameters = entry.get("supported_parameters")
    return "reasoning" in parameters if isinstance(parameters, list) else None


def _input(entry: JsonObject) -> list[InputKind] | None:
    kinds = _first(entry, _INPUT)
    if isinstance(kinds, list):
        return ["text", "image"] if "image" in kinds else ["text"]
    capabilities = entry.get("capabilities")
    if isinstance(capabilities, dict) and isinstance(capabilities.get("vision"), bool):
        return ["text", "image"] if capabilities["vision"] else ["text"]
    return None


def _figure(entry: JsonObject, paths: tuple[tuple[str, ...], ...]) -> int | None:
    value = _first(entry, paths)
    return value if isinstance(value, int) and value > 0 else None


def _first(entry: JsonObject, paths: tuple[tuple[str, ...], ...]) -> JsonValue:
    for path in paths:
        value: JsonValue = entry
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        if value is not None:
            return value
    return None
