"""Rewrite the JSON Schemas that pydantic makes so that every provider takes them.

Titles go; an optional value is an optional property, not one that may be null; a choice of words is a
flat `enum`, not a `const` or a reference.
"""

from __future__ import annotations

from collections.abc import Callable

from pi_agent.base.wire import JsonObject, JsonValue

_SCHEMA_MAPS = ("properties", "$defs", "patternProperties", "dependentSchemas")
_SCHEMA_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_SCHEMAS = ("items", "additionalProperties", "not", "contains", "propertyNames")
_REFERENCE = "#/$defs/"


def portable_schema(schema: JsonObject) -> JsonObject:
    """Return the rewritten schema; definitions that nothing refers to any longer are left out."""
    definitions: JsonObject = schema.get("$defs", {})
    result: JsonObject = _rewrite(schema, definitions)
    used = _reachable({key: value for key, value in result.items() if key != "$defs"}, result)
    kept = {name: part for name, part in result.get("$defs", {}).items() if name in used}
    result.pop("$defs", None)
    return result | {"$defs": kept} if kept else result


def _rewrite(schema: JsonValue, definitions: JsonObject) -> JsonValue:
    if not isinstance(schema, dict):
        return schema
    schema = _flat_choice(_without_null(schema), definitions)
    schema.pop("title", None)
    return _map_parts(schema, lambda part: _rewrite(part, definitions))


def _map_parts(schema: JsonObject, change: Callable[[JsonValue], JsonValue]) -> JsonObject:
    result = dict(schema)
    for key, value in schema.items():
        if key in _SCHEMA_MAPS:
            result[key] = {name: change(part) for name, part in value.items()}
        elif key in _SCHEMA_LISTS:
            result[key] = [change(part) for part in value]
        elif key in _SCHEMAS:
            result[key] = change(value)
    return result


def _without_null(schema: JsonObject) -> JsonObject:
    branches = schema.get("anyOf", [])
    others = [branch for branch in branches if branch != {"type": "null"}]
    if "default" not in schema or schema["default"] is not None or len(others) == len(branches):
        return dict(schema)
    rest = {key: value for key, value in schema.items() if key not in ("anyOf", "default")}
    return rest | others[0] | rest if len(others) == 1 else rest | {"anyOf": others}


def _flat_choice(schema: JsonObject, definitions: JsonObject) -> JsonObject:
    target = definitions.get(str(schema.get("$ref", "")).removeprefix(_REFERENCE))
    if isinstance(target, dict) and target.get("type") == "string" and "enum" in target:
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        return {**target, **rest}
    if isinstance(schema.get("const"), str):
        rest = {key: value for key, value in schema.items() if key != "const"}
        return {**rest, "type": "string", "enum": [schema["const"]]}
    return schema


def _reachable(schema: JsonObject, root: JsonObject) -> set[str]:
    found: set[str] = set()
    waiting: list[JsonValue] = [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, list):
            waiting.extend(part)
        elif isinstance(part, dict):
            waiting.extend(part.values())
            name = str(part.get("$ref", "")).removeprefix(_REFERENCE)
            if name in root.get("$defs", {}) and name not in found:
                found.add(name)
                waiting.append(root["$defs"][name])
    return found
