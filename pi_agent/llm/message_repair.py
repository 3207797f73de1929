"""Reads stored messages that are nearly right: nulls, a text in place of blocks, blocks of an unknown kind.

A message that cannot be read is one that the model forgets; what is stored stays as it is in any case.
"""

from __future__ import annotations

from typing import Final

from pi_agent.base.wire import JsonObject, JsonValue

_BLOCKS: Final = frozenset(("assistant", "toolResult"))
# What a block of each kind cannot do without.
_NEEDED: Final = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "thinking": (),
    "toolCall": ("id", "name"),
}


def repaired(data: JsonObject) -> JsonObject:
    """Return a message in the form in which it can be read, as far as that can be known."""
    message = _without_nulls(data)
    usage = message.get("usage")
    if isinstance(usage, dict):
        message["usage"] = {key: _inner(value) for key, value in _without_nulls(usage).items()}
    content = message.get("content")
    if isinstance(content, str) and message.get("role") in _BLOCKS:
        message["content"] = [{"type": "text", "text": content}]
    elif isinstance(content, list):
        message["content"] = [_without_nulls(block) for block in content if _is_whole(block)]
    timestamp = message.get("timestamp")
    if isinstance(timestamp, float):
        message["timestamp"] = round(timestamp)
    return message


def _without_nulls(data: JsonObject) -> JsonObject:
    return {key: value for key, value in data.items() if value is not None}


def _inner(value: JsonValue) -> JsonValue:
    return _without_nulls(value) if isinstance(value, dict) else value


def _is_whole(block: JsonValue) -> bool:
    if not isinstance(block, dict):
        return False
    needed = _NEEDED.get(str(block.get("type")))
    return needed is not None and all(isinstance(block.get(key), str) for key in needed)
