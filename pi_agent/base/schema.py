"""Check tool arguments against a JSON Schema, in words that a model can act on.

The library is imported when the first arguments are checked: not every run calls a tool.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from pi_agent.base.coerce import coerce, type_name
from pi_agent.base.wire import JsonObject, JsonValue
from pi_tui.frozen import frozen

if TYPE_CHECKING:
    from jsonschema import FormatChecker
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

_SHOWN_MESSAGE_CHARS = 200


@frozen
class Problem:
    """One thing that is wrong with a value: where (`edits.0.oldText`, or `root`) and what."""

    path: str
    message: str


class SchemaChecker:
    """Converts and checks values for one schema."""

    def __init__(self, schema: JsonObject | bool) -> None:
        self._root = schema
        self._validator = _validator(schema)

    def coerce(self, value: JsonValue) -> JsonValue:
        """Return `value` with numbers, booleans, texts and single items turned into what is wanted."""
        return coerce(value, self._root, self._accepts)

    def problems(self, value: JsonValue) -> list[Problem]:
        """Return everything that does not fit, in the schema's order; empty if `value` fits."""
        try:
            errors = list(self._validator.iter_errors(value))
        except RecursionError:
            return [Problem("root", "the schema refers to itself without end")]
        return [problem for error in errors for problem in _problems_of(error)]

    def _accepts(self, value: JsonValue, schema: JsonValue) -> bool:
        try:
            return self._validator.evolve(schema=schema).is_valid(value)
        except RecursionError:
            return False


def validation_error_text(tool_name: str, problems: list[Problem], received: JsonObject) -> str:
    """Return what the model reads about arguments that do not fit."""
    lines = "\n".join(f"  - {problem.path}: {problem.message}" for problem in problems)
    shown = json.dumps(received, indent=2, ensure_ascii=False)
    return f'Validation failed for tool "{tool_name}":\n{lines}\n\nReceived arguments:\n{shown}'


def problem_path(parts: list[str | int] | tuple[str | int, ...]) -> str:
    """Return a place within a value as dotted text."""
    return ".".join(str(part) for part in parts) or "root"


def _problems_of(error: ValidationError) -> Iterator[Problem]:
    path = list(error.absolute_path)
    if error.validator == "required":
        instance = _instance(error)
        wanted: Any = error.validator_value
        missing = [name for name in wanted if name not in instance]
        # The library reports each missing name by itself; its message starts with the name.
        name = next((name for name in missing if error.message.startswith(repr(name))), missing[0])
        yield Problem(problem_path([*path, name]), "missing")
    elif error.validator == "additionalProperties":
        for name in _unknown_fields(error):
            yield Problem(problem_path([*path, name]), "unknown field")
    elif error.validator in ("anyOf", "oneOf") and error.context:
        yield from _branch_problems(error, path)
    else:
        yield Problem(problem_path(path), _message(error))


def _instance(error: ValidationError) -> JsonValue:
    return error.instance


def _unknown_fields(error: ValidationError) -> list[str]:
    schema = error.schema if isinstance(error.schema, dict) else {}
    patterns = list(schema.get("patternProperties", {}))
    instance = _instance(error)
    return [
        name
        for name in instance
        if name not in schema.get("properties", {})
        and not any(re.search(pattern, name) for pattern in patterns)
    ]


def _branch_problems(error: ValidationError, path: list[str | int]) -> Iterator[Problem]:
    """Report the one branch of the value's own type, if there is just one; else name the types."""
    branches: dict[object, list[ValidationError]] = {}
    for inner in error.context or ():
        branches.setdefault(inner.relative_schema_path[0], []).append(inner)
    near = [
        errors
        for errors in branches.values()
        if not any(inner.validator == "type" and not inner.relative_path for inner in errors)
    ]
    if len(near) == 1:
        for inner in near[0]:
            yield from _problems_of(inner)
        return
    types = [
        str(inner.validator_value)
        for errors in branches.values()
        for inner in errors
        if inner.validator == "type" and not inner.relative_path
    ]
    if near or not types:
        yield Problem(problem_path(path), "fits none of the allowed forms")
        return
    got = type_name(_instance(error))
    yield Problem(problem_path(path), f"expected {' or '.join(types)}, got {got}")


def _message(error: ValidationError) -> str:
    wanted: Any = error.validator_value
    if error.validator == "type":
        types = wanted if isinstance(wanted, list) else [wanted]
        return f"expected {' or '.join(types)}, got {type_name(_instance(error))}"
    template = _MESSAGES.get(str(error.validator))
    if template is None:
        return error.message[:_SHOWN_MESSAGE_CHARS]
    is_text = isinstance(wanted, str)
    shown = wanted if is_text and error.validator != "const" else _compact(wanted)
    return template.format(shown)


_MESSAGES: Mapping[str, str] = {
    "enum": "expected one of {}",
    "const": "expected {}",
    "minimum": "expected >= {}",
    "maximum": "expected <= {}",
    "exclusiveMinimum": "expected > {}",
    "exclusiveMaximum": "expected < {}",
    "multipleOf": "expected a multiple of {}",
    "minLength": "expected at least {} characters",
    "maxLength": "expected at most {} characters",
    "pattern": "expected to match {}",
    "format": "expected a valid {}",
    "minItems": "expected at least {} items",
    "maxItems": "expected at most {} items",
    "minProperties": "expected at least {} properties",
    "maxProperties": "expected at most {} properties",
    "uniqueItems": "expected no item twice",
    "$ref": "the schema refers to {}, which is not there",
}


def _compact(value: JsonValue) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _validator(schema: JsonObject | bool) -> Validator:
    from jsonschema import Draft202012Validator
    from jsonschema.validators import validator_for

    base = validator_for(schema, default=Draft202012Validator)
    return _lenient_class(base)(schema, registry=_registry(), format_checker=_formats())


@cache
def _lenient_class(base: type[Validator]) -> type[Validator]:
    """Return `base` with references that name nothing turned from a crash into a problem."""
    from jsonschema import validators
    from jsonschema.exceptions import ValidationError
    from referencing.exceptions import Unresolvable

    follow = base.VALIDATORS["$ref"]

    def checked_reference(
        validator: Validator, reference: str, instance: JsonValue, schema: JsonObject
    ) -> Iterator[ValidationError]:
        try:
            yield from follow(validator, reference, instance, schema) or ()
        except Unresolvable:
            yield ValidationError("unresolvable reference")

    extend: Callable[..., type[Validator]] = validators.extend  # the library leaves it untyped
    return extend(base, {"$ref": checked_reference})


@cache
def _registry() -> Any:
    """Return the known schemas, without the library's default of fetching others from the network."""
    from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]  # ships no types

    return REGISTRY


@cache
def _formats() -> FormatChecker:
    """Return the checks of standard formats, completed where the library wants more packages."""
    from jsonschema import FormatChecker

    checker = FormatChecker()
    for name, pattern in _FORMATS.items():
        expression = re.compile(pattern)

        def matches(value: object, expression: re.Pattern[str] = expression) -> bool:
            return not isinstance(value, str) or expression.fullmatch(value) is not None

        checker.checkers[name] = (matches, ())
    return checker


_DATE = r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"
_TIME = r"([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)"
_HOST_LABEL = r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_FORMATS: Mapping[str, str] = {
    "date-time": f"{_DATE}[Tt ]{_TIME}",
    "time": _TIME,
    "duration": r"P(?!$)(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?)",
    "hostname": rf"(?=.{{1,253}}$){_HOST_LABEL}(\.{_HOST_LABEL})*",
    "uri": r"[A-Za-z][A-Za-z0-9+.-]*:[!#$%&'()*+,./0-9:;=?@A-Z\[\]_a-z~-]*",
    "uri-reference": r"[!#$%&'()*+,./0-9:;=?@A-Z\[\]_a-z~-]*",
    "json-pointer": r"(/([^~/]|~[01])*)*",
}
