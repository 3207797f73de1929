"""Marks in a chat request that tell where a prompt may be cached, for models that want to be told."""

from __future__ import annotations

from pi_agent.base.wire import JsonObject, JsonValue

_LAST_ROLES = ("user", "assistant", "tool")


def mark_cache(body: JsonObject, *, is_long: bool) -> None:
    """Mark the system prompt, the last tool and the last text of the conversation in `body`."""
    mark: JsonObject = {"type": "ephemeral"}
    if is_long:
        mark["ttl"] = "1h"
    messages: list[JsonObject] = body["messages"]
    if messages and messages[0]["role"] in ("system", "developer"):
        _mark_text(messages[0], mark)
    if body.get("tools"):
        body["tools"][-1]["cache_control"] = mark
    for message in reversed(messages):
        if message["role"] in _LAST_ROLES and _mark_text(message, mark):
            return


def _mark_text(message: JsonObject, mark: JsonObject) -> bool:
    """Mark the last text of a message; returns whether it has one."""
    content: JsonValue = message.get("content")
    if isinstance(content, str) and content:
        message["content"] = [{"type": "text", "text": content, "cache_control": mark}]
        return True
    for part in reversed(content) if isinstance(content, list) else ():
        if part["type"] == "text":
            part["cache_control"] = mark
            return True
    return False
