"""Turn tool arguments into what their JSON Schema plainly wants: `"42"` into 42, one item into a list.

The value given is never changed. What cannot be converted stays as it is, for the check to report.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping

from pi_agent.base.wire import JsonObject, JsonValue
from pi_tui.patterns import pattern

# Tells whether a value fits a part of the schema.
Accepts = Callable[[JsonValue, JsonValue], bool]

_NUMBER = pattern(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")


def coerce(value: JsonValue, schema: JsonValue, accepts: Accepts) -> JsonValue:
    """Return `value` with texts, numbers, booleans and single items converted at every depth."""
    return _Coercion(schema, accepts).convert(value, schema)


class _Coercion:
    """One conversion; knows the whole schema, for references into it."""

    def __init__(self, root: JsonValue, accepts: Accepts) -> None:
        self._root = root
        self._accepts = accepts

    def convert(self, value: JsonValue, schema: JsonValue) -> JsonValue:
        schema = self._resolve(schema)
        if not isinstance(schema, dict):
            return value
        if "const" in schema:
            return _as_member(value, [schema["const"]])
        if isinstance(schema.get("enum"), list):
            return _as_member(value, schema["enum"])
        for part in schema.get("allOf", ()):
            value = self.convert(value, part)
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema:
                value = self._to_any(value, schema[keyword])
        wanted = schema.get("type")
        if isinstance(wanted, list):
            return self._to_types(value, wanted, schema)
        return self._to_type(value, wanted, schema)

    def _to_any(self, value: JsonValue, branches: list[JsonValue]) -> JsonValue:
        if any(self._accepts(value, branch) for branch in branches):
            return value
        for branch in branches:
            converted = self.convert(value, branch)
            if self._accepts(converted, branch):
                return converted
        return value

    def _to_types(self, value: JsonValue, types: list[str], schema: JsonObject) -> JsonValue:
        if any(_is_type(value, name) for name in types):
            return self._to_type(value, None, schema)
        for name in types:
            convert = _CONVERSIONS.get(name)
            converted = convert(value) if convert else value
            if convert and _is_type(converted, name):
                return converted
        return value

    def _to_type(self, value: JsonValue, wanted: object, schema: JsonObject) -> JsonValue:
        if isinstance(value, dict) and wanted in ("object", None):
            return self._object(value, schema)
        if wanted == "array" or (isinstance(value, list) and wanted is None):
            return self._array(value if isinstance(value, list) else [value], schema)
        convert = _CONVERSIONS.get(wanted) if isinstance(wanted, str) else None
        return convert(value) if convert else value

    def _object(self, value: JsonObject, schema: JsonObject) -> JsonObject:
        declared: JsonObject = schema.get("properties", {})
        required = schema.get("required", ())
        result: JsonObject = {}
        for name, item in value.items():
            part = declared.get(name, schema.get("additionalProperties", True))
            is_optional = name in declared and name not in required
            if item is None and is_optional and not self._accepts(None, part):
                continue
            result[name] = self.convert(item, part)
        return result

    def _array(self, value: list[JsonValue], schema: JsonObject) -> list[JsonValue]:
        first = schema.get("prefixItems", ())
        rest = schema.get("items", True)
        return [
            self.convert(item, first[index] if index < len(first) else rest)
            for index, item in enumerate(value)
        ]

    def _resolve(self, schema: JsonValue) -> JsonValue:
        """Follow references within the schema; one that leads nowhere is left for the check."""
        seen: set[str] = set()
        while isinstance(schema, dict) and isinstance(schema.get("$ref"), str):
            reference = schema["$ref"]
            if reference in seen:
                return True
            seen.add(reference)
            schema = _look_up(self._root, reference)
        return schema


def _look_up(root: JsonValue, reference: str) -> JsonValue:
    if not reference.startswith("#"):
        return True
    found = root
    for part in reference[1:].split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(found, list) and key.isdigit() and int(key) < len(found):
            found = found[int(key)]
        elif isinstance(found, dict) and key in found:
            found = found[key]
        else:
            return True
    return found


def _to_number(value: JsonValue) -> JsonValue:
    if value is None:
        return 0
    if isinstance(value, bool):
        return int(value)
    if not isinstance(value, str):
        return value
    text = value.strip()
    if text.lower() in ("true", "false"):
        return int(text.lower() == "true")
    if not text:
        return 0
    if not _NUMBER.fullmatch(text):
        return value
    if text.lstrip("+-").isdigit() and len(text) < 100:
        return int(text)
    number = float(text)
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def _to_integer(value: JsonValue) -> JsonValue:
    number = _to_number(value)
    if isinstance(number, float) and math.isfinite(number):
        return math.trunc(number)
    return value if isinstance(number, float) else number


def _to_boolean(value: JsonValue) -> JsonValue:
    if isinstance(value, bool):
        return value
    if value is None:
        return False
    if isinstance(value, str):
        return {"true": True, "1": True, "false": False, "0": False}.get(value.lower(), value)
    if isinstance(value, int | float) and value in (0, 1):
        return bool(value)
    return value


def _to_string(value: JsonValue) -> JsonValue:
    if value is None or isinstance(value, bool | int | float):
        return json.dumps(value)
    return value


def _as_member(value: JsonValue, members: list[JsonValue]) -> JsonValue:
    """Return the member that `value` is or converts to, else `value`."""
    if any(_same(value, member) for member in members):
        return value
    for member in members:
        convert = _CONVERSIONS.get(type_name(member))
        if convert and _same(convert(value), member):
            return member
    return value


_CONVERSIONS: Mapping[str, Callable[[JsonValue], JsonValue]] = {
    "number": _to_number,
    "integer": _to_integer,
    "boolean": _to_boolean,
    "string": _to_string,
}


def _same(one: JsonValue, other: JsonValue) -> bool:
    """Compare as JSON does: true is not 1."""
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def _is_type(value: JsonValue, name: str) -> bool:
    if name == "integer":
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return is_number and (isinstance(value, int) or value.is_integer())
    return type_name(value) == name


def type_name(value: JsonValue) -> str:
    """Return JSON's name for the type of a value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"
