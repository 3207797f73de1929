"""The value so far of JSON that is still arriving, and the lenient reading of what has arrived.

Models write JSON with small faults: raw line ends inside strings and escapes that do not exist. Both
are repaired; anything else is an error for the model to read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from pydantic_core import from_json

from pi_agent.base.wire import JsonObject, JsonValue
from pi_tui.patterns import pattern

# A reparse waits until the text has grown by this part of itself: often enough to watch, and all
# reparses together read a constant multiple of the text.
_GROWTH = 128

_STRING = pattern(r'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)
_FAULT = pattern(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|\\|[\x00-\x1f]')


def parse_partial(text: str) -> JsonObject:
    """Return the object that `text` is the beginning of; `{}` while nothing can be told."""
    try:
        value = _partial_value(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def parse_arguments(text: str) -> tuple[JsonObject, str | None]:
    """Return the complete arguments of a call, or `{}` and the reason why they cannot be read."""
    if not text.strip():
        return {}, None
    try:
        value = _strict_value(text)
    except ValueError as error:
        return {}, _with_text(f"not valid JSON, {error}", text)
    except RecursionError:
        return {}, _with_text("nested too deeply", text)
    if not isinstance(value, dict):
        return {}, _with_text("not a JSON object", text)
    return value, None


def _with_text(reason: str, text: str) -> str:
    return f"{reason}\n\nReceived arguments:\n{text}"


class PartialJson:
    """Collects the pieces of an object's JSON text; `value` follows them.

    `value` may lag behind by less than one percent of the text.
    """

    def __init__(self, parse: Callable[[str], JsonObject] = parse_partial) -> None:
        self.value: JsonObject = {}
        self._parse = parse
        self._pieces: list[str] = []
        self._length = 0
        self._next_parse = 1

    @property
    def text(self) -> str:
        """Everything that has arrived."""
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    def feed(self, piece: str) -> bool:
        """Add `piece`; returns whether `value` was read anew."""
        if not piece:
            return False
        self._pieces.append(piece)
        self._length += len(piece)
        if self._length < self._next_parse:
            return False
        self._next_parse = self._length + max(1, self._length // _GROWTH)
        self.value = self._parse(self.text) or self.value
        return True


def _partial_value(text: str) -> JsonValue:
    try:
        return from_json(text, allow_partial="trailing-strings")
    except ValueError:
        return from_json(_repair(text), allow_partial="trailing-strings")


def _strict_value(text: str) -> JsonValue:
    try:
        return json.loads(text, parse_constant=_refuse)
    except ValueError:
        repaired = _repair(text)
        if repaired == text:
            raise
    return json.loads(repaired, parse_constant=_refuse)


def _refuse(name: str) -> JsonValue:
    raise ValueError(f"{name} is not a JSON value")


def _repair(text: str) -> str:
    """Escape raw control characters and lone backslashes inside strings."""
    return _STRING.sub(lambda string: _FAULT.sub(_escape, string[0]), text)


def _escape(fault: re.Match[str]) -> str:
    found = fault[0]
    if found == "\\":
        return "\\\\"
    return found if found[0] == "\\" else f"\\u{ord(found):04x}"
