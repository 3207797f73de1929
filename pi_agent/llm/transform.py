"""Prepare a history for a model: coding roles become plain ones, and another model's traces go.

Messages are never changed in place; those that need no change are passed on as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from pi_agent.llm.messages import (
    AssistantContent,
    AssistantMessage,
    BashExecutionMessage,
    BranchSummaryMessage,
    CompactionSummaryMessage,
    CustomMessage,
    ImageContent,
    Message,
    SystemMessage,
    TextContent,
    ThinkingContent,
    ToolCall,
    ToolResultMessage,
    UserContent,
    UserMessage,
    tool_calls_of,
)
from pi_agent.llm.model import Model

_Illustrated = TypeVar("_Illustrated", UserMessage, ToolResultMessage)

NormalizeId = Callable[[str], str]

_IMAGES_BLOCKED = "Image reading is disabled."
_USER_IMAGE_OMITTED = "(image omitted: the model does not take images)"
_TOOL_IMAGE_OMITTED = "(image of the tool's output omitted: the model does not take images)"
_NO_RESULT = "No result provided"
_BACKTICKS = re.compile("`{3,}")


def convert_to_llm(messages: Sequence[Message], *, block_images: bool = False) -> list[Message]:
    """Turn the roles that only pi knows into user messages; `block_images` replaces every image by a text."""
    converted = [plain for message in messages if (plain := _plain(message)) is not None]
    if not block_images:
        return converted
    return [_with_images_blocked(message) for message in converted]


def transform_messages(
    messages: Sequence[Message], model: Model, *, normalize_id: NormalizeId | None = None
) -> list[Message]:
    """Return what `model` can be told of `messages`.

    Thinking and signatures of other models are dropped, failed answers are left out, and every tool call
    is followed by its result, a made-up one if need be. `normalize_id` makes other models' call ids valid.
    """
    takes_images = "image" in model.input
    ids: dict[str, str] = {}
    pairing = _Pairing()
    for message in messages:
        if isinstance(message, AssistantMessage):
            if message.stop_reason in ("error", "aborted"):
                continue
            pairing.add_answer(_for_model(message, model, ids, normalize_id))
        elif isinstance(message, ToolResultMessage):
            result = message
            if message.tool_call_id in ids:
                result = message.model_copy(update={"tool_call_id": ids[message.tool_call_id]})
            if not takes_images:
                result = _without_images(result, _TOOL_IMAGE_OMITTED)
            pairing.add_result(result)
        elif isinstance(message, SystemMessage):
            pairing.add_system(message)
        elif isinstance(message, UserMessage) and not takes_images:
            pairing.add_other(_without_images(message, _USER_IMAGE_OMITTED))
        else:
            pairing.add_other(message)
    return pairing.finish()


class _Pairing:
    """Keeps calls and their results together."""

    def __init__(self) -> None:
        self._messages: list[Message] = []
        self._open: list[ToolCall] = []
        self._waiting: list[SystemMessage] = []
        self._timestamp = 0

    def add_answer(self, message: AssistantMessage) -> None:
        self._close()
        self._messages.append(message)
        self._open = tool_calls_of(message)
        self._timestamp = message.timestamp

    def add_result(self, message: ToolResultMessage) -> None:
        called = next((call for call in self._open if call.id == message.tool_call_id), None)
        if called is None:
            return
        self._open.remove(called)
        self._messages.append(message)
        if not self._open:
            self._close()

    def add_system(self, message: SystemMessage) -> None:
        (self._waiting if self._open else self._messages).append(message)

    def add_other(self, message: Message) -> None:
        self._close()
        self._messages.append(message)

    def finish(self) -> list[Message]:
        self._close()
        return self._messages

    def _close(self) -> None:
        for call in self._open:
            self._messages.append(
                ToolResultMessage(
                    tool_call_id=call.id,
                    tool_name=call.name,
                    content=[TextContent(text=_NO_RESULT)],
                    is_error=True,
                    timestamp=self._timestamp,
                )
            )
        self._messages.extend(self._waiting)
        self._open = []
        self._waiting = []


def _plain(message: Message) -> Message | None:
    if isinstance(message, BashExecutionMessage):
        if message.exclude_from_context:
            return None
        return UserMessage(content=_told_command(message), timestamp=message.timestamp)
    if isinstance(message, CustomMessage):
        return UserMessage(content=message.content, timestamp=message.timestamp)
    if isinstance(message, BranchSummaryMessage):
        text = (
            "This summarises a branch that the conversation has come back from:\n\n"
            f"<summary>\n{message.summary}\n</summary>"
        )
        return UserMessage(content=text, timestamp=message.timestamp)
    if isinstance(message, CompactionSummaryMessage):
        text = (
            "The conversation before this point was compacted into this summary:\n\n"
            f"<summary>\n{message.summary}\n</summary>"
        )
        return UserMessage(content=text, timestamp=message.timestamp)
    return message


def _told_command(message: BashExecutionMessage) -> str:
    text = f"Ran `{message.command}`\n"
    if message.output:
        longest = max((len(run) for run in _BACKTICKS.findall(message.output)), default=2)
        fence = "`" * (longest + 1)
        text += f"{fence}\n{message.output}\n{fence}"
    else:
        text += "(no output)"
    if message.cancelled:
        text += "\n\n(command cancelled)"
    elif message.exit_code:
        text += f"\n\nCommand exited with code {message.exit_code}"
    if message.truncated:
        text += f"\n\n[Output truncated. Full output: {message.full_output_path}]"
    return text


def _with_images_blocked(message: Message) -> Message:
    if isinstance(message, UserMessage):
        return _without_images(message, _IMAGES_BLOCKED)
    if isinstance(message, ToolResultMessage):
        return _without_images(message, _IMAGES_BLOCKED)
    return message


def _without_images(message: _Illustrated, placeholder: str) -> _Illustrated:
    """Put `placeholder` in place of each run of images."""
    if isinstance(message.content, str):
        return message
    if not any(isinstance(block, ImageContent) for block in message.content):
        return message
    content: list[UserContent] = []
    for block in message.content:
        if not isinstance(block, ImageContent):
            content.append(block)
        elif not content or content[-1] != TextContent(text=placeholder):
            content.append(TextContent(text=placeholder))
    return message.model_copy(update={"content": content})


def _for_model(
    message: AssistantMessage,
    model: Model,
    ids: dict[str, str],
    normalize_id: NormalizeId | None,
) -> AssistantMessage:
    same_model = (message.provider, message.api, message.model) == (
        model.provider,
        model.api,
        model.id,
    )
    content: list[AssistantContent] = []
    for block in message.content:
        if isinstance(block, ThinkingContent):
            if same_model and (block.thinking or block.thinking_signature or block.redacted):
                content.append(block)
        elif same_model:
            content.append(block)
        elif isinstance(block, TextContent):
            content.append(block.model_copy(update={"text_signature": None}))
        else:
            call_id = normalize_id(block.id) if normalize_id else block.id
            ids[block.id] = call_id
            content.append(block.model_copy(update={"id": call_id, "thought_signature": None}))
    return message.model_copy(update={"content": content})
