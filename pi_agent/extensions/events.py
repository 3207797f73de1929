"""The table of events: which exist, which are emitted, and what their handlers get.

An event object is frozen. What a handler may change is the content of the containers that say so.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Final, Literal, TypedDict

from pi_agent.base.wire import JsonObject

SessionStartReason = Literal["startup", "reload", "new", "resume", "fork"]
SessionShutdownReason = Literal["quit", "reload", "new", "resume", "fork"]


@dataclass(frozen=True, slots=True)
class SessionStartEvent:
    """A session started, was loaded or reloaded; dialogs already work.

    `previous_session_file` is the one that was left for a new, resumed or forked session.
    """

    reason: SessionStartReason
    previous_session_file: str | None = None
    type: Literal["session_start"] = "session_start"


@dataclass(frozen=True, slots=True)
class SessionShutdownEvent:
    """What was started is about to end, whatever the way out. Handlers are quick and idempotent."""

    reason: SessionShutdownReason
    target_session_file: str | None = None
    type: Literal["session_shutdown"] = "session_shutdown"


@dataclass(frozen=True, slots=True)
class ToolCallEvent:
    """A call has valid arguments and has not run yet.

    `input` may be changed in place: later handlers and the tool get what it is then, unchecked.
    """

    tool_call_id: str
    tool_name: str
    input: JsonObject
    parent_tool_call_id: str | None = None
    type: Literal["tool_call"] = "tool_call"


class ToolCallAnswer(TypedDict, total=False):
    """What a `tool_call` handler may return as a dict: `ToolCallDecision` with any of its fields."""

    block: bool
    reason: str | None
    terminate: bool


ExtensionEvent = SessionStartEvent | SessionShutdownEvent | ToolCallEvent

EMITTED: Final[dict[str, type[ExtensionEvent]]] = {
    "session_start": SessionStartEvent,
    "session_shutdown": SessionShutdownEvent,
    "tool_call": ToolCallEvent,
}

EVENT_NAMES: Final = (
    # start-up, resources, session
    "project_trust",
    "resources_discover",
    "mcp_servers_change",
    "session_start",
    "session_info_changed",
    "session_before_switch",
    "session_before_fork",
    "session_before_compact",
    "session_compact",
    "session_compact_failed",
    "session_before_tree",
    "session_tree",
    "session_shutdown",
    # input and run
    "input",
    "user_bash",
    "before_agent_start",
    "agent_start",
    "agent_end",
    "agent_before_settle",
    "agent_settled",
    "turn_start",
    "turn_end",
    "message_start",
    "message_update",
    "message_end",
    # model request
    "context",
    "context_with_system",
    "before_provider_headers",
    "before_provider_request",
    "after_provider_response",
    "provider_stream_event",
    "cache_warming_decision",
    "model_select",
    "thinking_level_select",
    # tools
    "tool_execution_start",
    "tool_call",
    "tool_execution_update",
    "tool_result",
    "tool_execution_end",
    # dialogs
    "ui_prompt_start",
    "ui_prompt_end",
)


def require_emitted(name: str) -> None:
    """Raise `ValueError` for an event that nobody would ever hear of: unknown, or not emitted yet."""
    if name in EMITTED:
        return
    if name in EVENT_NAMES:
        emitted = ", ".join(EMITTED)
        raise ValueError(
            f'Event "{name}" is not emitted by this version of pi. It emits: {emitted}'
        )
    closest = difflib.get_close_matches(name, EVENT_NAMES, n=1, cutoff=0.0)[0]
    raise ValueError(f'Unknown event "{name}". Did you mean "{closest}"?')
