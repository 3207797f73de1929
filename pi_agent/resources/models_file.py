"""Read `models.json`: the user's own providers and models.

Each provider is checked by itself, so that one mistake costs one provider.
"""

from __future__ import annotations

from pathlib import Path

from pi_agent.base.errors import PiError
from pi_agent.base.jsonc import parse_jsonc
from pi_agent.base.wire import JsonValue, ValidationError
from pi_agent.llm.provider import OTHER_APIS, ModelsFile, ProviderEntry, known_provider

__all__ = ["ModelsFile", "load_models_file", "read_models_text"]

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
        return ModelsFile()
    except (OSError, UnicodeDecodeError) as error:
        return ModelsFile(problems=(f"{path}: cannot be read: {error}",))
    return read_models_text(text, str(path))


def read_models_text(text: str, source: str) -> ModelsFile:
    """Read the text of a `models.json`; problems name `source`, the place and what was expected."""
    if not text.strip():
        return ModelsFile()
    try:
        data = parse_jsonc(text, source)
    except PiError as error:
        return ModelsFile(problems=(error.message,))
    if not isinstance(data, dict):
        return ModelsFile(problems=(f"{source}: expected an object",))
    entries = data.get("providers", {})
    if not isinstance(entries, dict):
        return ModelsFile(problems=(f"{source}: providers: expected an object",))
    providers: dict[str, ProviderEntry] = {}
    problems: list[str] = []
    for provider_id, value in entries.items():
        try:
            providers[provider_id] = _read_entry(provider_id, value)
        except PiError as error:
            problems.append(f"{source}: {error.message}")
    return ModelsFile(providers, tuple(problems))


def _read_entry(provider_id: str, value: JsonValue) -> ProviderEntry:
    path = f"providers.{provider_id}"
    if not isinstance(value, dict):
        raise PiError(f"{path}: expected an object")
    try:
        entry = ProviderEntry.from_wire(value)
    except ValidationError as error:
        first = error.errors()[0]
        expected = _EXPECTED.get(first["type"], first["msg"])
        if first["type"] == "literal_error":
            expected = f"expected {first['ctx']['expected']}"
        raise PiError(f"{path}{_json_path(first['loc'])}: {expected}") from error
    if not _has_address(provider_id, entry):
        raise PiError(f"{path}.baseUrl: required for a provider that pi does not know")
    return entry


def _has_address(provider_id: str, entry: ProviderEntry) -> bool:
    if entry.base_url or known_provider(provider_id) or provider_id in OTHER_APIS:
        return True
    return bool(entry.models) and all(model.base_url for model in entry.models or ())


def _json_path(location: tuple[int | str, ...]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
