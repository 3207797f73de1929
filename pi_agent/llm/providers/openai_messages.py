"""A history as OpenAI's chat protocol takes it."""

from __future__ import annotations

import hashlib
import json
import re

from pi_agent.base.wire import JsonObject, JsonValue
from pi_agent.llm.messages import (
    AssistantMessage,
    ImageContent,
    SystemMessage,
    TextContent,
    ThinkingContent,
    ToolCall,
    ToolResultMessage,
    UserContent,
    UserMessage,
    text_of,
)
from pi_agent.llm.model import Model
from pi_agent.llm.providers.openai_compat import ChatCompat
from pi_agent.llm.stream import Context
from pi_agent.llm.transform import transform_messages

# The names under which servers send what the model thinks; it goes back under the same name.
THINKING_FIELDS = ("reasoning_content", "reasoning", "reasoning_text")

_MAX_CALL_ID_CHARS = 40
_SHORT_CALL_ID_CHARS = 9
_NOT_IN_CALL_ID = re.compile("[^A-Za-z0-9_-]")

_EMPTY_RESULT = "(no tool output)"
_IMAGE_RESULT = "(see attached image)"
_IMAGE_CAPTION = "Images from the tool results above:"
_BETWEEN_TURNS = "I have read the tool results."


def chat_messages(model: Model, context: Context, compat: ChatCompat) -> list[JsonObject]:
    """Return the `messages` of the request, the system prompt first."""
    wire: list[JsonObject] = []
    role = "developer" if model.reasoning and compat.supports_developer_role else "system"
    if context.system_prompt:
        wire.append({"role": role, "content": context.system_prompt})
    normalize = _short_call_id if compat.short_tool_call_ids else _call_id
    pictures: list[ImageContent] = []
    for message in transform_messages(context.messages, model, normalize_id=normalize):
        if isinstance(message, ToolResultMessage):
            wire.append(_tool_result(message, compat))
            pictures += [block for block in message.content if isinstance(block, ImageContent)]
            continue
        if pictures:
            wire.append(_pictures(pictures))
            pictures = []
        if isinstance(message, SystemMessage) and compat.supports_mid_convo_system_messages:
            wire.append({"role": role, "content": message.content})
        elif isinstance(message, UserMessage):
            if compat.requires_assistant_after_tool_result and wire and wire[-1]["role"] == "tool":
                wire.append({"role": "assistant", "content": _BETWEEN_TURNS})
            wire.append({"role": "user", "content": _user_content(message.content)})
        elif isinstance(message, AssistantMessage):
            answer = _assistant(message, compat)
            if answer is not None:
                wire.append(answer)
        # Later system messages are part of `context.system_prompt` already.
    if pictures:
        wire.append(_pictures(pictures))
    return wire


def _user_content(content: str | list[UserContent]) -> JsonValue:
    if isinstance(content, str):
        return content
    if len(content) == 1 and isinstance(content[0], TextContent):
        return content[0].text
    return [_part(block) for block in content]


def _part(block: UserContent) -> JsonObject:
    if isinstance(block, TextContent):
        return {"type": "text", "text": block.text}
    return {
        "type": "image_url",
        "image_url": {"url": f"data:{block.mime_type};base64,{block.data}"},
    }


def _assistant(message: AssistantMessage, compat: ChatCompat) -> JsonObject | None:
    text = text_of(message.content)
    thoughts = [block for block in message.content if isinstance(block, ThinkingContent)]
    calls = [_call(block) for block in message.content if isinstance(block, ToolCall)]
    if compat.requires_thinking_as_text:
        text = "\n\n".join([*(block.thinking for block in thoughts if block.thinking), text])
    if not text and not calls:
        return None
    wire: JsonObject = {"role": "assistant", "content": text or None}
    if not text and compat.requires_non_null_assistant_content:
        wire["content"] = ""
    if not compat.requires_thinking_as_text:
        for block in thoughts:
            field = block.thinking_signature
            if block.thinking and field in THINKING_FIELDS:
                wire[field] = wire.get(field, "") + block.thinking
    if compat.requires_reasoning_content_on_assistant_messages:
        wire.setdefault("reasoning_content", "")
    if calls:
        wire["tool_calls"] = calls
    return wire


def _call(call: ToolCall) -> JsonObject:
    arguments = json.dumps(call.arguments, ensure_ascii=False)
    return {
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": arguments},
    }


def _tool_result(message: ToolResultMessage, compat: ChatCompat) -> JsonObject:
    text = text_of(message.content)
    if not text.strip():
        has_image = any(isinstance(block, ImageContent) for block in message.content)
        text = _IMAGE_RESULT if has_image else _EMPTY_RESULT
    wire: JsonObject = {"role": "tool", "tool_call_id": message.tool_call_id, "content": text}
    if compat.requires_tool_result_name:
        wire["name"] = message.tool_name
    return wire


def _pictures(pictures: list[ImageContent]) -> JsonObject:
    caption: JsonObject = {"type": "text", "text": _IMAGE_CAPTION}
    return {"role": "user", "content": [caption, *(_part(picture) for picture in pictures)]}


def _call_id(call_id: str) -> str:
    """Make another protocol's id valid here; ids that differ stay different."""
    clean = _NOT_IN_CALL_ID.sub("_", call_id.partition("|")[0])
    if len(clean) <= _MAX_CALL_ID_CHARS:
        return clean
    digest = hashlib.sha256(call_id.encode()).hexdigest()[:_SHORT_CALL_ID_CHARS]
    return f"{clean[: _MAX_CALL_ID_CHARS - _SHORT_CALL_ID_CHARS - 1]}_{digest}"


def _short_call_id(call_id: str) -> str:
    return hashlib.sha256(call_id.encode()).hexdigest()[:_SHORT_CALL_ID_CHARS]
