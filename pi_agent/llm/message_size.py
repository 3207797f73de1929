"""How long messages are, counted in characters, for guesses of their tokens."""

from __future__ import annotations

import json
from typing import Final

from pi_agent.llm.messages import (
    AssistantContent,
    BashExecutionMessage,
    BranchSummaryMessage,
    CompactionSummaryMessage,
    ImageContent,
    Message,
    SystemMessage,
    TextContent,
    ThinkingContent,
    UserContent,
)

# What a picture takes, as if it were text.
CHARACTERS_PER_IMAGE: Final = 4800


def message_characters(message: Message) -> int:
    """Return the length of what a message says; pictures, calls and declared tools count, too."""
    if isinstance(message, SystemMessage):
        return _system_characters(message)
    if isinstance(message, BashExecutionMessage):
        return len(message.command) + len(message.output)
    if isinstance(message, BranchSummaryMessage | CompactionSummaryMessage):
        return len(message.summary)
    if isinstance(message.content, str):
        return len(message.content)
    return sum(_block_characters(block) for block in message.content)


def _system_characters(message: SystemMessage) -> int:
    sections = sum(len(text) for text in (message.sections or {}).values() if text)
    tools = sum(len(json.dumps(tool.to_wire())) for tool in message.tools_added or ())
    return len(message.content) + sections + tools


def _block_characters(block: UserContent | AssistantContent) -> int:
    if isinstance(block, TextContent):
        return len(block.text)
    if isinstance(block, ThinkingContent):
        return len(block.thinking)
    if isinstance(block, ImageContent):
        return CHARACTERS_PER_IMAGE
    return len(block.name) + len(json.dumps(block.arguments))
