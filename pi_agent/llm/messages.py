"""What a conversation is made of: content blocks and the roles of messages.

Every message has a `role` and a `timestamp` in Unix milliseconds. A message whose content is missing or
null is read as empty. Unknown keys survive a load and save.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pi_agent.base.wire import Field, JsonObject, JsonValue, TypeAdapter, ValidationError, WireModel
from pi_agent.llm.message_repair import repaired
from pi_agent.llm.usage import Usage

StopReason = Literal["pending", "stop", "length", "toolUse", "error", "aborted", "deferred"]


class TextContent(WireModel):
    """Text."""

    type: Literal["text"] = "text"
    text: str
    text_signature: str | None = None


class ImageContent(WireModel):
    """A picture: base64 without a `data:` prefix; png, jpeg, gif or webp."""

    type: Literal["image"] = "image"
    data: str
    mime_type: str


class ThinkingContent(WireModel):
    """What the model thought; `redacted` means that only the signature carries content."""

    type: Literal["thinking"] = "thinking"
    thinking: str = ""
    thinking_signature: str | None = None
    redacted: bool | None = None


class ToolCall(WireModel):
    """A call the model asks for; `arguments_error` says why its JSON could not be read (`arguments` is empty then)."""

    type: Literal["toolCall"] = "toolCall"
    id: str
    name: str
    arguments: JsonObject = Field(default_factory=dict)
    thought_signature: str | None = None
    namespace: str | None = None
    arguments_error: str | None = None


UserContent = Annotated[TextContent | ImageContent, Field(discriminator="type")]
AssistantContent = Annotated[TextContent | ThinkingContent | ToolCall, Field(discriminator="type")]


class ToolDeclaration(WireModel):
    """A tool as the model is told of it; `parameters` is a JSON Schema."""

    name: str
    description: str
    parameters: JsonObject


class ToolName(WireModel):
    """A tool that is no longer declared."""

    name: str


class SystemMessage(WireModel):
    """Prompt text and tool loadout, or a patch of them: a section set to null is removed."""

    role: Literal["system"] = "system"
    content: str = ""
    sections: dict[str, str | None] | None = None
    tools_added: list[ToolDeclaration] | None = None
    tools_removed: list[ToolName] | None = None
    timestamp: int = 0


class UserMessage(WireModel):
    """What the user said."""

    role: Literal["user"] = "user"
    content: str | list[UserContent] = Field(default_factory=list)
    timestamp: int = 0


class AssistantMessage(WireModel):
    """One answer of a model. `error_message` is set exactly when `stop_reason` is `error` or `aborted`."""

    role: Literal["assistant"] = "assistant"
    content: list[AssistantContent] = Field(default_factory=list)
    api: str = ""
    provider: str = ""
    model: str = ""
    response_model: str | None = None
    response_id: str | None = None
    thinking_level: str | None = None
    provider_thinking_level: str | None = None
    diagnostics: JsonValue = None
    usage: Usage = Field(default_factory=Usage)
    stop_reason: StopReason = "stop"
    raw_stop_reason: str | None = None
    error_message: str | None = None
    end_turn: bool | None = None
    duration_ms: int | None = None
    timestamp: int = 0


class ToolResultMessage(WireModel):
    """What a tool answered."""

    role: Literal["toolResult"] = "toolResult"
    tool_call_id: str
    tool_name: str
    content: list[UserContent] = Field(default_factory=list)
    details: JsonValue = None
    is_error: bool = False
    usage: Usage | None = None
    nested_calls: JsonValue = None
    duration_ms: int | None = None
    timestamp: int = 0


class BashExecutionMessage(WireModel):
    """A command the user ran."""

    role: Literal["bashExecution"] = "bashExecution"
    command: str
    output: str = ""
    exit_code: int | None = None
    cancelled: bool = False
    truncated: bool = False
    full_output_path: str | None = None
    exclude_from_context: bool | None = None
    timestamp: int = 0


class CustomMessage(WireModel):
    """A message that an extension put into the conversation."""

    role: Literal["custom"] = "custom"
    custom_type: str
    content: str | list[UserContent] = Field(default_factory=list)
    display: bool = True
    details: JsonValue = None
    timestamp: int = 0


class BranchSummaryMessage(WireModel):
    """What an abandoned branch had done."""

    role: Literal["branchSummary"] = "branchSummary"
    summary: str
    from_id: str
    timestamp: int = 0


class CompactionSummaryMessage(WireModel):
    """What the compacted history said."""

    role: Literal["compactionSummary"] = "compactionSummary"
    summary: str
    tokens_before: int = 0
    timestamp: int = 0


Message = Annotated[
    SystemMessage
    | UserMessage
    | AssistantMessage
    | ToolResultMessage
    | BashExecutionMessage
    | CustomMessage
    | BranchSummaryMessage
    | CompactionSummaryMessage,
    Field(discriminator="role"),
]

# Built on first use: validating unions costs start-up time that not every mode needs.
_adapter: TypeAdapter[Message] | None = None


def message_from_wire(data: JsonObject) -> Message:
    """Read one stored message, also one that is nearly right; null or missing content counts as empty.

    Raises `ValidationError`.
    """
    global _adapter
    if _adapter is None:
        _adapter = TypeAdapter(Message)
    if data.get("content", ...) is None:
        data = {key: value for key, value in data.items() if key != "content"}
    try:
        return _adapter.validate_python(data)
    except ValidationError:
        return _adapter.validate_python(repaired(data))


def text(content: str) -> TextContent:
    """Return a text block."""
    return TextContent(text=content)


def text_of(content: str | list[UserContent] | list[AssistantContent]) -> str:
    """Return the text blocks of `content`, joined."""
    if isinstance(content, str):
        return content
    return "".join(block.text for block in content if isinstance(block, TextContent))


def tool_calls_of(message: AssistantMessage) -> list[ToolCall]:
    """Return the tool calls of an answer, in order."""
    return [block for block in message.content if isinstance(block, ToolCall)]
