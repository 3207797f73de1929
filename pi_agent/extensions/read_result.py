"""Read what a handler returned as the result of its event: the dataclass, or a dict with the same keys.

What fits neither is an error of that handler: it names the event, the field and what it should have been.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from keyword import iskeyword
from typing import Any, Final, TypeVar

from pi_agent.base.params import to_json
from pi_agent.base.wire import TypeAdapter, ValidationError
from pi_agent.extensions.guard import describe
from pi_agent.llm.messages import ImageContent, UserContent
from pi_agent.llm.usage import Usage
from pi_agent.loop.tool import Unset

R = TypeVar("R")


class ResultShapeError(TypeError):
    """A handler returned something that its event has no meaning for."""

    def __init__(self, event: str, problem: str) -> None:
        super().__init__(f'A handler of "{event}" returned a wrong result: {problem}')


# Returns the value as the field holds it, or raises.
Check = Callable[[object], object]
# What a field may be, and how that is called.
Kind = tuple[Check, str]


class WrongValueError(Exception):
    """A value is not what the field holds."""


def instance(kind: type) -> Check:
    """Return a check for values of a type."""

    def check(value: object) -> object:
        if not isinstance(value, kind):
            raise WrongValueError
        return value

    return check


def optional(check: Check) -> Check:
    """Return a check that lets `None` through as well."""
    return lambda value: None if value is None else check(value)


def one_of(*values: str) -> Check:
    """Return a check for one of some words."""

    def check(value: object) -> object:
        if value not in values:
            raise WrongValueError
        return value

    return check


def blocks(value: object) -> object:
    """Read a list of text and image blocks, as objects or as they are on the wire."""
    if isinstance(value, str | bytes | Mapping):
        raise WrongValueError
    adapter: TypeAdapter[list[UserContent]] = TypeAdapter(list[UserContent])
    try:
        return adapter.validate_python(value)
    except ValidationError:
        raise WrongValueError from None


def images(value: object) -> object:
    """Read a list of images."""
    read = blocks(value)
    if not isinstance(read, list) or any(not isinstance(one, ImageContent) for one in read):
        raise WrongValueError
    return tuple(read)


def _json(value: object) -> object:
    if isinstance(value, Unset):
        return value
    try:
        return to_json(value)
    except TypeError:
        raise WrongValueError from None


def usage(value: object) -> object:
    """Read a `Usage`."""
    if isinstance(value, Mapping):
        try:
            return Usage.from_wire(dict(value))
        except ValidationError:
            raise WrongValueError from None
    return instance(Usage)(value)


def content(value: object) -> object:
    """Read the content of a message: a text, or blocks."""
    return value if isinstance(value, str) else blocks(value)


TRUTH: Final = (instance(bool), "true or false")
TEXT: Final = (optional(instance(str)), "text")
JSON: Final = (_json, "a JSON value")
BLOCKS: Final = (optional(blocks), "a list of text and image blocks")


def result_reader(
    event: str, result: type[R], fields: Mapping[str, Kind]
) -> Callable[[object], R | None]:
    """Return what reads the results of an event; it raises `ResultShapeError`, and `None` stays `None`."""

    def read(returned: object) -> R | None:
        return None if returned is None else read_result(event, result, fields, returned)

    return read


def read_result(
    event: str, result: type[R], fields: Mapping[str, Kind], returned: object, prefix: str = ""
) -> R:
    """Read one value as `result`; `prefix` is where in a larger result it stands."""
    if isinstance(returned, result):
        given: Mapping[str, object] = {name: getattr(returned, name) for name in fields}
    elif isinstance(returned, Mapping):
        given = {_snake_case(str(key)): value for key, value in returned.items()}
    else:
        got = type(returned).__name__
        what = f"{prefix.rstrip('.')} should be" if prefix else "expected"
        raise ResultShapeError(event, f"{what} a {result.__name__} or a dict, got {got}")
    unknown = [name for name in given if name not in fields]
    if unknown:
        # A misspelt `block` must not let a call pass.
        known = ", ".join(fields)
        raise ResultShapeError(event, f"unknown field {prefix}{unknown[0]}; there are {known}")
    read = {
        name: _value(event, prefix + name, fields[name], value) for name, value in given.items()
    }
    try:
        return result(**read)
    except TypeError as error:
        raise ResultShapeError(event, f"{prefix}{describe(error)}") from None


def _value(event: str, name: str, kind: Kind, value: object) -> Any:  # fields of many types
    check, expected = kind
    try:
        return check(value)
    except WrongValueError:
        got = type(value).__name__
        raise ResultShapeError(event, f"{name} should be {expected}, got {got}") from None


def _snake_case(name: str) -> str:
    """Return the name of a field as Python has it: `isError` is `is_error`, `continue` is `continue_`."""
    snake = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
    return f"{snake}_" if iskeyword(snake) else snake
