"""Events as JSON objects, for programs that read them.

What grows comes in pieces: an update of an answer has what is new, never the message so far.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Final

from pi_agent.base.wire import JsonObject, JsonValue, WireModel
from pi_agent.llm.messages import ToolCall
from pi_agent.llm.stream import BlockDelta, BlockEnd, BlockStart, StreamEvent
from pi_agent.loop.events import AgentEvent, MessageUpdate
from pi_agent.loop.tool import PartialResult, ToolResult, Unset

# Fields that only the program itself needs.
_INTERNAL: Final = frozenset({"turn_index", "timestamp"})


def event_to_wire(event: AgentEvent) -> JsonObject | None:
    """Return the object that tells of an event; `None` if it says nothing that other events do not."""
    if isinstance(event, MessageUpdate):
        return _update_to_wire(event)
    wire: JsonObject = {"type": event.type}
    for field in fields(event):
        value = getattr(event, field.name)
        if field.name != "type" and field.name not in _INTERNAL and value is not None:
            wire[_camel(field.name)] = _to_wire(value)
    return wire


def _update_to_wire(event: MessageUpdate) -> JsonObject | None:
    update = _stream_event_to_wire(event.assistant_message_event)
    if update is None:
        return None
    usage = event.message.usage.to_wire()
    return {"type": event.type, "usage": usage, "assistantMessageEvent": update}


def _stream_event_to_wire(event: StreamEvent) -> JsonObject | None:
    if not isinstance(event, BlockStart | BlockDelta | BlockEnd):
        return None
    wire: JsonObject = {"type": event.type, "contentIndex": event.content_index}
    if isinstance(event, BlockDelta):
        return {**wire, "delta": event.delta}
    if isinstance(event, BlockStart):
        block = event.partial.content[event.content_index]
        call = {"id": block.id, "toolName": block.name} if isinstance(block, ToolCall) else {}
        return {**wire, **call}
    if event.tool_call is not None:
        return {**wire, "toolCall": event.tool_call.to_wire()}
    return {**wire, "content": event.content}


def _to_wire(value: object) -> JsonValue:
    if isinstance(value, WireModel):
        return value.to_wire()
    if isinstance(value, ToolResult | PartialResult):
        return _result_to_wire(value)
    if isinstance(value, list):
        return [_to_wire(item) for item in value]
    return value


def _result_to_wire(result: ToolResult | PartialResult) -> JsonObject:
    wire: JsonObject = {"content": [block.to_wire() for block in result.content]}
    if result.details is not None:
        wire["details"] = result.details
    if isinstance(result, PartialResult):
        return wire
    if not isinstance(result.structured_content, Unset):
        wire["structuredContent"] = result.structured_content
    if result.usage is not None:
        wire["usage"] = result.usage.to_wire()
    return wire | ({"terminate": True} if result.terminate else {})


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
