"""Read `models.json`: the user's own providers and models.

Each provider is checked by itself, so that one mistake costs one provider.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pi_agent.base.errors import PiError
from pi_agent.base.jsonc import parse_jsonc
from pi_agent.base.wire import JsonObject, JsonValue, ValidationError
from pi_agent.llm.models_entries import ModelPatch, ModelsFile, ProviderEntry
from pi_agent.llm.provider import OPENAI_CHAT_API, OTHER_APIS, known_provider
from pi_agent.llm.providers.openai_compat import ChatCompat

__all__ = [
    "MODELS_FILE_NAME",
    "ModelsFile",
    "load_models_file",
    "provider_entries",
    "read_models_text",
]

MODELS_FILE_NAME: Final = "models.json"

# pydantic's words for the commonest mistakes, in the words of people who write JSON.
_EXPECTED = {
    "missing": "required, but not there",
    "string_type": "expected a string",
    "string_too_short": "expected a text that is not empty",
    "bool_type": "expected true or false",
    "bool_parsing": "expected true or false",
    "int_type": "expected a whole number",
    "int_parsing": "expected a whole number",
    "int_from_float": "expected a whole number",
    "float_type": "expected a number",
    "float_parsing": "expected a number",
    "greater_than": "expected a number above 0",
    "list_type": "expected a list",
    "dict_type": "expected an object",
    "model_type": "expected an object",
}


def load_models_file(path: Path) -> ModelsFile:
    """Read the file at `path`; without one there are no providers and no problems."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ModelsFile(source=str(path))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        return ModelsFile(problems=(f"{path}: cannot be read: {reason}",), source=str(path))
    return read_models_text(text, str(path))


def read_models_text(text: str, source: str) -> ModelsFile:
    """Read the text of a `models.json`; problems name `source`, the place and what was expected."""
    problems: list[str] = []
    providers: dict[str, ProviderEntry] = {}
    try:
        for provider_id, value in provider_entries(text, source).items():
            wrong: list[str] = []
            try:
                providers[provider_id] = _read_entry(provider_id, value, wrong)
            except PiError as error:
                wrong = [error.message]
            problems += [f"{source}: {each}" for each in wrong]
    except PiError as error:
        problems.append(error.message)
    return ModelsFile(providers, tuple(problems), source)


def provider_entries(text: str, source: str) -> JsonObject:
    """Return the providers as they are written, unchecked. Raises `PiError` if they cannot be found."""
    data = parse_jsonc(text, source) if text.strip() else {}
    if not isinstance(data, dict):
        raise PiError(f"{source}: expected an object")
    entries = data.get("providers", {})
    if not isinstance(entries, dict):
        raise PiError(f"{source}: providers: expected an object")
    return entries


def _read_entry(provider_id: str, value: JsonValue, wrong: list[str]) -> ProviderEntry:
    """Return a provider, without the overrides that are noted as `wrong`. Raises `PiError` for any other mistake."""
    path = f"providers.{provider_id}"
    if not isinstance(value, dict):
        raise PiError(f"{path}: expected an object")
    overrides = value.get("modelOverrides")
    try:
        entry = ProviderEntry.from_wire({**value, "modelOverrides": None})
    except ValidationError as error:
        raise _problem(path, error) from error
    if not _has_address(provider_id, entry):
        raise PiError(f"{path}.baseUrl: required for a provider that pi does not know")
    api = entry.api or OTHER_APIS.get(provider_id, OPENAI_CHAT_API)
    _check_compat(path, api, entry.compat)
    for at, model in enumerate(entry.models or ()):
        _check_compat(f"{path}.models[{at}]", model.api or api, model.compat)
    entry.model_overrides = _read_overrides(f"{path}.modelOverrides", overrides, api, wrong)
    return entry


def _read_overrides(
    path: str, values: JsonValue, api: str, wrong: list[str]
) -> dict[str, ModelPatch]:
    """Return the overrides that can be used; a mistake costs the changes of one model."""
    if values is not None and not isinstance(values, dict):
        raise PiError(f"{path}: expected an object")
    patches: dict[str, ModelPatch] = {}
    for model_id, value in (values or {}).items():
        place = f"{path}.{model_id}"
        try:
            patch = ModelPatch.from_wire(value)
            _check_compat(place, patch.api or api, patch.compat)
            patches[model_id] = patch
        except ValidationError as error:
            wrong.append(_problem(place, error).message)
        except PiError as error:
            wrong.append(error.message)
    return patches


def _check_compat(path: str, api: str, compat: JsonObject | None) -> None:
    """Check the differences between servers, if they are of the protocol that has such a table."""
    if compat is None or api != OPENAI_CHAT_API:
        return
    try:
        ChatCompat.from_wire(compat)
    except ValidationError as error:
        raise _problem(f"{path}.compat", error) from error


def _problem(path: str, error: ValidationError) -> PiError:
    """Return the first thing that is wrong, with its place and what was expected."""
    first = error.errors()[0]
    expected = _EXPECTED.get(first["type"], first["msg"])
    if first["type"] == "literal_error":
        expected = f"expected {first['ctx']['expected']}"
    return PiError(f"{path}{_json_path(first['loc'])}: {expected}")


def _has_address(provider_id: str, entry: ProviderEntry) -> bool:
    if entry.base_url or known_provider(provider_id) or provider_id in OTHER_APIS:
        return True
    return bool(entry.models) and all(model.base_url for model in entry.models or ())


def _json_path(location: tuple[int | str, ...]) -> str:
    """Return a place in JSON's own words; pydantic says `[key]` behind a key that is wrong itself."""
    parts = [part for part in location if part != "[key]"]
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts)
