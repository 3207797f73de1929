"""The table of events: which exist, which are emitted, and what their handlers get.

An event object is frozen. What a handler may change is the content of the containers that say so.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Final, Literal

from pi_agent.base.wire import JsonObject, JsonValue
from pi_agent.extensions.results import ExtensionEntry, ExtensionMessage
from pi_agent.llm.messages import AssistantMessage, ImageContent, TextContent, ToolResultMessage
from pi_agent.llm.model import Model
from pi_agent.llm.usage import Usage
from pi_agent.loop.events import AgentEnd, AgentSettled, AgentStart, QueueUpdate, TurnStart
from pi_agent.loop.summary_events import CompactionReason
from pi_agent.loop.tool import UNSET, Unset
from pi_agent.resources.prompt_options import SystemPromptOptions
from pi_agent.session.compaction import CompactionPreparation
from pi_agent.session.entries import BranchSummaryEntry, CompactionEntry, Entry
from pi_tui.abort import AbortSignal
from pi_tui.frozen import frozen

SessionStartReason = Literal["startup", "reload", "new", "resume", "fork"]
SessionShutdownReason = Literal["quit", "reload", "new", "resume", "fork"]
InputSource = Literal["interactive", "rpc", "extension"]
StreamingBehavior = Literal["steer", "follow_up"]
Outcome = Literal["completed", "aborted", "error"]
ModelSelectSource = Literal["set", "cycle"]
WarmingAction = Literal["warm", "stop"]


@frozen
class SessionStartEvent:
    """A session started, was loaded or reloaded; dialogs already work.

    `previous_session_file` is the one that was left for a new, resumed or forked session.
    """

    reason: SessionStartReason
    previous_session_file: str | None = None
    type: Literal["session_start"] = "session_start"


@frozen
class SessionBeforeSwitchEvent:
    """Another session is about to take the place of this one; nothing has ended yet.

    `target_session_file` is the one to resume.
    """

    reason: Literal["new", "resume"]
    target_session_file: str | None = None
    type: Literal["session_before_switch"] = "session_before_switch"


@frozen
class SessionBeforeForkEvent:
    """A session made from this one is about to take its place; nothing has ended yet.

    It ends `before` the entry, which the user said, or `at` it.
    """

    entry_id: str
    position: Literal["before", "at"]
    type: Literal["session_before_fork"] = "session_before_fork"


@frozen
class TreePreparation:
    """Where in the tree the conversation is about to go on, and what is left behind.

    `entries_to_summarize` lead from behind the entry that both places follow to the old leaf. The last three
    are what the user wants of the summary, and of the label at the new place.
    """

    target_id: str
    old_leaf_id: str | None
    common_ancestor_id: str | None
    entries_to_summarize: tuple[Entry, ...]
    user_wants_summary: bool
    custom_instructions: str | None = None
    replace_instructions: bool = False
    label: str | None = None


@frozen
class SessionBeforeTreeEvent:
    """The conversation is about to go on elsewhere in the tree. `signal` fires when the user gives that up."""

    preparation: TreePreparation
    signal: AbortSignal
    type: Literal["session_before_tree"] = "session_before_tree"


@frozen
class SessionTreeEvent:
    """The conversation goes on elsewhere in the tree: what depends on the branch is to be made anew."""

    new_leaf_id: str | None
    old_leaf_id: str | None
    summary_entry: BranchSummaryEntry | None = None
    from_extension: bool | None = None
    type: Literal["session_tree"] = "session_tree"


@frozen
class SessionBeforeCompactEvent:
    """What was said longest ago is about to be summarised; `preparation` says what that is.

    Work on it ends when `signal` fires. `will_retry`: a request that was too long is made again afterwards.
    """

    preparation: CompactionPreparation
    branch_entries: Sequence[Entry]
    custom_instructions: str | None
    reason: CompactionReason
    will_retry: bool
    signal: AbortSignal
    type: Literal["session_before_compact"] = "session_before_compact"


@frozen
class SessionCompactEvent:
    """A summary is in the session. `from_extension`: an extension has written it."""

    compaction_entry: CompactionEntry
    from_extension: bool
    reason: CompactionReason
    will_retry: bool = False
    type: Literal["session_compact"] = "session_compact"


@frozen
class SessionCompactFailedEvent:
    """There is no summary: it was given up, or could not be had for the reason in `error_message`."""

    reason: CompactionReason
    error_message: str | None
    aborted: bool
    will_retry: bool = False
    from_extension: bool = False
    type: Literal["session_compact_failed"] = "session_compact_failed"


@frozen
class SessionShutdownEvent:
    """What was started is about to end, whatever the way out. Handlers are quick and idempotent."""

    reason: SessionShutdownReason
    target_session_file: str | None = None
    type: Literal["session_shutdown"] = "session_shutdown"


@frozen
class ModelSelectEvent:
    """Another model answers from now on: it was chosen, or was the next one in turn.

    A session that begins or is resumed with its model fires none: `ctx.model` says which it is.
    """

    model: Model
    previous_model: Model | None
    source: ModelSelectSource
    type: Literal["model_select"] = "model_select"


@frozen
class CacheWarmingDecisionEvent:
    """The last request could be sent again, to keep its prompt in the provider's cache.

    Costs are dollars: of sending it, and what is lost without it if the conversation goes on. `action` is what pi
    would do, or what an earlier handler wants.
    """

    warm_cost: float
    miss_cost: float
    continuation_probability: float
    action: WarmingAction
    type: Literal["cache_warming_decision"] = "cache_warming_decision"


@frozen
class ToolCallEvent:
    """A call has valid arguments and has not run yet.

    `input` may be changed in place: later handlers and the tool get what it is then, unchecked.
    """

    tool_call_id: str
    tool_name: str
    input: JsonObject
    parent_tool_call_id: str | None = None
    type: Literal["tool_call"] = "tool_call"


@frozen
class ToolResultEvent:
    """A call has run, well or not; nobody has been told of its result yet.

    It is what earlier handlers made of it.
    """

    tool_call_id: str
    tool_name: str
    input: JsonObject
    content: list[TextContent | ImageContent]
    details: JsonValue = None
    structured_content: JsonValue | Unset = UNSET
    is_error: bool = False
    usage: Usage | None = None
    parent_tool_call_id: str | None = None
    type: Literal["tool_result"] = "tool_result"


@frozen
class InputEvent:
    """A text is about to be said to the model, as it was typed.

    `streaming_behavior` is `None` when nothing runs; else the text will interrupt the run or follow it.
    """

    text: str
    images: tuple[ImageContent, ...] = ()
    source: InputSource = "interactive"
    streaming_behavior: StreamingBehavior | None = None
    type: Literal["input"] = "input"


@frozen
class BeforeAgentStartEvent:
    """A run is about to begin with `prompt`. What it is told may be changed in `system_prompt_options`."""

    prompt: str
    images: tuple[ImageContent, ...]
    system_prompt_options: SystemPromptOptions
    render_prompt: Callable[[SystemPromptOptions], str] = field(repr=False)
    message_type: Literal["user"] = "user"
    type: Literal["before_agent_start"] = "before_agent_start"

    @property
    def system_prompt(self) -> str:
        """The prompt as it is now, with the changes of earlier handlers."""
        return self.render_prompt(self.system_prompt_options)


@frozen
class TurnEndEvent:
    """An answer and the results of its calls are in the session, as the entries with these ids.

    `entries` and `continue_` are what earlier handlers proposed.
    """

    turn_index: int
    message: AssistantMessage
    tool_results: list[ToolResultMessage]
    outcome: Outcome
    message_entry_id: str | None = None
    tool_result_entry_ids: list[str] = field(default_factory=list)
    entries: tuple[ExtensionEntry | ExtensionMessage, ...] = ()
    continue_: bool = False
    type: Literal["turn_end"] = "turn_end"


ExtensionEvent = (
    SessionStartEvent
    | SessionBeforeSwitchEvent
    | SessionBeforeForkEvent
    | SessionBeforeTreeEvent
    | SessionTreeEvent
    | SessionBeforeCompactEvent
    | SessionCompactEvent
    | SessionCompactFailedEvent
    | SessionShutdownEvent
    | InputEvent
    | BeforeAgentStartEvent
    | ModelSelectEvent
    | CacheWarmingDecisionEvent
    | AgentStart
    | TurnStart
    | ToolCallEvent
    | ToolResultEvent
    | TurnEndEvent
    | AgentEnd
    | AgentSettled
    | QueueUpdate
)

EMITTED: Final[dict[str, type[ExtensionEvent]]] = {
    "session_start": SessionStartEvent,
    "session_before_switch": SessionBeforeSwitchEvent,
    "session_before_fork": SessionBeforeForkEvent,
    "session_before_tree": SessionBeforeTreeEvent,
    "session_tree": SessionTreeEvent,
    "session_before_compact": SessionBeforeCompactEvent,
    "session_compact": SessionCompactEvent,
    "session_compact_failed": SessionCompactFailedEvent,
    "session_shutdown": SessionShutdownEvent,
    "input": InputEvent,
    "before_agent_start": BeforeAgentStartEvent,
    "model_select": ModelSelectEvent,
    "cache_warming_decision": CacheWarmingDecisionEvent,
    "agent_start": AgentStart,
    "turn_start": TurnStart,
    "tool_call": ToolCallEvent,
    "tool_result": ToolResultEvent,
    "turn_end": TurnEndEvent,
    "agent_end": AgentEnd,
    "agent_settled": AgentSettled,
    "queue_update": QueueUpdate,
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
    "queue_update",
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
