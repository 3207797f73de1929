"""A conversation as one text, for a model that is to read it and not to take part in it.

What the model thought is left out, and of a long result the end.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

from pi_agent.llm.messages import (
    AssistantContent,
    AssistantMessage,
    ImageContent,
    Message,
    TextContent,
    ToolCall,
    ToolResultMessage,
    UserContent,
    UserMessage,
    tool_calls_of,
)
from pi_agent.llm.transform import convert_to_llm

MOST_RESULT_CHARACTERS: Final = 2000

_IMAGE: Final = "[image]"


def serialize_conversation(messages: Sequence[Message]) -> str:
    """Return what was said as blocks with a blank line between them."""
    blocks = [block for message in convert_to_llm(messages) for block in _blocks(message)]
    return "\n\n".join(blocks)


def _blocks(message: Message) -> Iterator[str]:
    if isinstance(message, AssistantMessage):
        text = _text(message.content)
        if text:
            yield f"[Assistant]: {text}"
        calls = "; ".join(_call(call) for call in tool_calls_of(message))
        if calls:
            yield f"[Assistant tool calls]: {calls}"
    elif isinstance(message, ToolResultMessage):
        yield f"[Tool result]: {_beginning(_text(message.content))}"
    elif isinstance(message, UserMessage):
        text = _text(message.content)
        if text:
            yield f"[User]: {text}"


def _text(content: str | Sequence[UserContent | AssistantContent]) -> str:
    if isinstance(content, str):
        return content
    parts: list[str] = []
    for block in content:
        if isinstance(block, TextContent):
            parts.append(block.text)
        elif isinstance(block, ImageContent):
            parts.append(_IMAGE)
    return "\n".join(part for part in parts if part)


def _call(call: ToolCall) -> str:
    arguments = ", ".join(f"{key}={_json(value)}" for key, value in call.arguments.items())
    return f"{call.name}({arguments})"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _beginning(text: str) -> str:
    more = len(text) - MOST_RESULT_CHARACTERS
    if more <= 0:
        return text
    return f"{text[:MOST_RESULT_CHARACTERS]}\n\n[... {more} more characters left out]"
