"""What a run tells its listeners. Names and order are part of the contract with extensions and clients."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from pi_agent.base.wire import JsonObject
from pi_agent.llm.messages import AssistantMessage, Message, ToolResultMessage
from pi_agent.llm.model import ThinkingLevel
from pi_agent.llm.stream import StreamEvent
from pi_agent.loop.summary_events import (
    CompactionEnd,
    CompactionStart,
    SummarizationRetryAttemptStart,
    SummarizationRetryFinished,
    SummarizationRetryScheduled,
)
from pi_agent.loop.tool import PartialResult, ToolResult
from pi_tui.frozen import frozen


@frozen
class AgentStart:
    """A run begins."""

    type: Literal["agent_start"] = "agent_start"


@frozen
class AgentEnd:
    """A run ended; `messages` are those it produced, initial ones included."""

    messages: list[Message]
    will_retry: bool = False
    type: Literal["agent_end"] = "agent_end"


@frozen
class AgentSettled:
    """Nothing will continue by itself."""

    aborted: bool
    type: Literal["agent_settled"] = "agent_settled"


@frozen
class TurnStart:
    """One assistant response and its tool results begin. `timestamp` is in seconds."""

    turn_index: int
    timestamp: float
    type: Literal["turn_start"] = "turn_start"


@frozen
class TurnEnd:
    """A turn is complete and persisted."""

    turn_index: int
    message: AssistantMessage
    tool_results: list[ToolResultMessage]
    type: Literal["turn_end"] = "turn_end"


@frozen
class PromptProgress:
    """What a model does before it answers, where it tells: `done` of `total` tokens read; `total` 0 is unknown."""

    activity: Literal["starting", "reading"]
    done: int = 0
    total: int = 0
    type: Literal["prompt_progress"] = "prompt_progress"


@frozen
class MessageStart:
    """A message begins; an assistant one is still `pending`."""

    message: Message
    type: Literal["message_start"] = "message_start"


@frozen
class MessageUpdate:
    """The assistant message grew; `message` is the live object."""

    message: AssistantMessage
    assistant_message_event: StreamEvent
    type: Literal["message_update"] = "message_update"


@frozen
class MessageEnd:
    """A message is final."""

    message: Message
    type: Literal["message_end"] = "message_end"


@frozen
class ToolExecutionStart:
    """A call is taken up; `args` are the model's own."""

    tool_call_id: str
    tool_name: str
    args: JsonObject
    parent_tool_call_id: str | None = None
    type: Literal["tool_execution_start"] = "tool_execution_start"


@frozen
class ToolExecutionUpdate:
    """A running call shows what it has so far."""

    tool_call_id: str
    tool_name: str
    args: JsonObject
    partial_result: PartialResult
    parent_tool_call_id: str | None = None
    type: Literal["tool_execution_update"] = "tool_execution_update"


@frozen
class ToolExecutionEnd:
    """A call is finalised, whatever happened; `duration_ms` is absent if it never ran."""

    tool_call_id: str
    tool_name: str
    result: ToolResult
    is_error: bool
    duration_ms: int | None = None
    parent_tool_call_id: str | None = None
    type: Literal["tool_execution_end"] = "tool_execution_end"


@frozen
class QueueUpdate:
    """The waiting texts, whole lists; those of them that are `held` back wait until they are released."""

    steering: list[str] = field(default_factory=list)
    follow_up: list[str] = field(default_factory=list)
    held: list[str] | None = None
    type: Literal["queue_update"] = "queue_update"


@frozen
class ThinkingLevelChanged:
    """The model thinks longer or shorter from now on."""

    level: ThinkingLevel
    type: Literal["thinking_level_changed"] = "thinking_level_changed"


@frozen
class SessionInfoChanged:
    """The session has another name, or none any more."""

    name: str | None = None
    type: Literal["session_info_changed"] = "session_info_changed"


@frozen
class AutoRetryStart:
    """A failed answer will be asked for again after a wait. `attempt` counts from 1."""

    attempt: int
    max_attempts: int
    delay_ms: int
    error_message: str
    type: Literal["auto_retry_start"] = "auto_retry_start"


@frozen
class AutoRetryEnd:
    """The attempts are over: one came through, or there will be no more."""

    success: bool
    attempt: int
    final_error: str | None = None
    type: Literal["auto_retry_end"] = "auto_retry_end"


@frozen
class EntryAppended:
    """The session has an entry that is no message of the run. `entry` is as the file has it."""

    entry: JsonObject
    type: Literal["entry_appended"] = "entry_appended"


AgentEvent = (
    AgentStart
    | AgentEnd
    | AgentSettled
    | TurnStart
    | TurnEnd
    | PromptProgress
    | MessageStart
    | MessageUpdate
    | MessageEnd
    | ToolExecutionStart
    | ToolExecutionUpdate
    | ToolExecutionEnd
    | QueueUpdate
    | ThinkingLevelChanged
    | SessionInfoChanged
    | AutoRetryStart
    | AutoRetryEnd
    | CompactionStart
    | CompactionEnd
    | SummarizationRetryScheduled
    | SummarizationRetryAttemptStart
    | SummarizationRetryFinished
    | EntryAppended
)
