"""What handlers may return, as dataclasses and as the dicts that mean the same.

A field that is not given is no opinion. `ToolCallDecision`, the result of `tool_call`, is the loop's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Required, TypedDict

from pi_agent.base.wire import JsonValue
from pi_agent.llm.messages import ImageContent, TextContent
from pi_agent.llm.usage import Usage
from pi_agent.loop.tool import UNSET, Unset
from pi_tui.frozen import frozen

InputAction = Literal["continue", "transform", "handled"]


@frozen
class InputResult:
    """What becomes of a text: it goes on, goes on as another one, or has been dealt with."""

    action: InputAction = "continue"
    text: str | None = None
    images: Sequence[ImageContent] | None = None


@frozen
class ToolResultPatch:
    """What changes in a result. New content without new structured content drops the old one of that."""

    content: Sequence[TextContent | ImageContent] | None = None
    details: JsonValue | Unset = UNSET
    structured_content: JsonValue | Unset = UNSET
    is_error: bool | None = None
    usage: Usage | None = None


@frozen
class ExtensionMessage:
    """A message that an extension puts into the conversation; `display` says whether people see it, too."""

    custom_type: str
    content: str | Sequence[TextContent | ImageContent]
    display: bool = True
    details: JsonValue = None


@frozen
class ExtensionEntry:
    """Data that an extension keeps in the session; the model does not see it."""

    custom_type: str
    data: JsonValue = None


@frozen
class TurnEndResult:
    """What is added to the session after a turn, and whether the model is asked once more.

    What is not given stays as earlier handlers proposed it; to add an entry, return those of the event, too.
    """

    entries: Sequence[ExtensionEntry | ExtensionMessage] | None = None
    continue_: bool | None = None


@frozen
class BeforeAgentStartResult:
    """A message for the run, and a text in place of its whole system prompt."""

    message: ExtensionMessage | None = None
    system_prompt: str | None = None


@frozen
class CacheWarmingDecisionResult:
    """Whether the prompt is kept in the cache (`warm`) or left alone until the next request (`stop`)."""

    action: Literal["warm", "stop"] | None = None


@frozen
class SessionBeforeSwitchResult:
    """Whether the session stays as it is."""

    cancel: bool = False


@frozen
class SessionBeforeForkResult:
    """Whether no session is made. `skip_conversation_restore` means nothing yet."""

    cancel: bool = False
    skip_conversation_restore: bool = False


@frozen
class TreeSummary:
    """What is said of the branch that is left, and what that took."""

    summary: str
    details: JsonValue = None
    usage: Usage | None = None


@frozen
class SessionBeforeTreeResult:
    """Whether the conversation stays where it is, or how it leaves.

    `summary` takes the place of pi's own where the user wants one; what else is given replaces the user's.
    """

    cancel: bool = False
    summary: TreeSummary | None = None
    custom_instructions: str | None = None
    replace_instructions: bool | None = None
    label: str | None = None


@frozen
class CompactionContent:
    """A summary and what follows it: the entries from `first_kept_entry_id` on, none for `None`."""

    summary: str
    first_kept_entry_id: str | None
    tokens_before: int
    usage: Usage | None = None
    details: JsonValue = None


@frozen
class SessionBeforeCompactResult:
    """Whether nothing is compacted, or what is stored in the place of pi's own summary."""

    cancel: bool = False
    compaction: CompactionContent | None = None


class SessionBeforeSwitchAnswer(TypedDict, total=False):
    """`SessionBeforeSwitchResult` as a dict."""

    cancel: bool


class CacheWarmingDecisionAnswer(TypedDict, total=False):
    """`CacheWarmingDecisionResult` as a dict."""

    action: Literal["warm", "stop"]


class SessionBeforeForkAnswer(TypedDict, total=False):
    """`SessionBeforeForkResult` as a dict."""

    cancel: bool
    skip_conversation_restore: bool


class TreeSummaryAnswer(TypedDict, total=False):
    """`TreeSummary` as a dict."""

    summary: str
    details: JsonValue
    usage: Usage | None


class SessionBeforeTreeAnswer(TypedDict, total=False):
    """`SessionBeforeTreeResult` as a dict."""

    cancel: bool
    summary: TreeSummary | TreeSummaryAnswer | None
    custom_instructions: str | None
    replace_instructions: bool | None
    label: str | None


class CompactionContentAnswer(TypedDict, total=False):
    """`CompactionContent` as a dict."""

    summary: Required[str]
    first_kept_entry_id: Required[str | None]
    tokens_before: Required[int]
    usage: Usage | Mapping[str, object] | None
    details: JsonValue


class SessionBeforeCompactAnswer(TypedDict, total=False):
    """`SessionBeforeCompactResult` as a dict."""

    cancel: bool
    compaction: CompactionContent | CompactionContentAnswer | None


class ToolCallAnswer(TypedDict, total=False):
    """`ToolCallDecision` as a dict."""

    block: bool
    reason: str | None
    terminate: bool


class InputAnswer(TypedDict, total=False):
    """`InputResult` as a dict."""

    action: InputAction
    text: str | None
    images: Sequence[ImageContent] | None


class ToolResultAnswer(TypedDict, total=False):
    """`ToolResultPatch` as a dict."""

    content: Sequence[TextContent | ImageContent] | None
    details: JsonValue
    structured_content: JsonValue
    is_error: bool | None
    usage: Usage | None


class ExtensionMessageAnswer(TypedDict, total=False):
    """`ExtensionMessage` as a dict."""

    custom_type: str
    content: str | Sequence[TextContent | ImageContent]
    display: bool
    details: JsonValue


# As a dict of its own an entry says what it is: `"type": "custom"` or `"custom_message"`.
TurnEndAnswer = TypedDict(
    "TurnEndAnswer",
    {
        "entries": Sequence[ExtensionEntry | ExtensionMessage | Mapping[str, object]] | None,
        "continue": bool | None,
    },
    total=False,
)


class BeforeAgentStartAnswer(TypedDict, total=False):
    """`BeforeAgentStartResult` as a dict."""

    message: ExtensionMessage | ExtensionMessageAnswer | None
    system_prompt: str | None
