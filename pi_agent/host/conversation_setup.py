"""What a conversation is made of, and what stands in for what is not given."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from pi_agent.base.clock import Clock, SystemClock
from pi_agent.extensions.events import (
    CacheWarmingDecisionEvent,
    ModelSelectSource,
    SessionBeforeCompactEvent,
    SessionCompactEvent,
    SessionCompactFailedEvent,
    StreamingBehavior,
    WarmingAction,
)
from pi_agent.extensions.results import SessionBeforeCompactResult
from pi_agent.host.boundary import TurnBoundary
from pi_agent.host.compaction_settings import fitted, fitted_reserve
from pi_agent.host.request_settings import WarmingMode
from pi_agent.host.retry import RetryPolicy
from pi_agent.host.run_start import Input, RunStart
from pi_agent.host.selection import ModelPreferences, NoPreferences
from pi_agent.llm.messages import Message
from pi_agent.llm.model import Model, ThinkingLevel
from pi_agent.llm.registry import ModelRegistry
from pi_agent.llm.resolve import ModelChoice
from pi_agent.llm.stream import StreamOptions
from pi_agent.llm.transform import convert_to_llm
from pi_agent.loop.events import AgentEvent
from pi_agent.loop.loop import FinishedTurn
from pi_agent.loop.queues import MessageQueues
from pi_agent.loop.tool import AfterToolCall, BeforeToolCall, ToolDefinition
from pi_agent.session.compaction import CompactionSettings
from pi_agent.session.store import SessionManager
from pi_tui.frozen import slotted

if TYPE_CHECKING:
    from pi_agent.host.navigate import BeforeTree, Navigated

_log = logging.getLogger("pi.conversation")

# Returns whether the text was a command and has been run.
RunCommand = Callable[[str], Awaitable[bool]]
TakeInput = Callable[[Input, StreamingBehavior | None], Awaitable[Input | None]]
BeginRun = Callable[[Input, Sequence[ToolDefinition]], Awaitable[RunStart]]
FinishTurn = Callable[[FinishedTurn], Awaitable[TurnBoundary]]
ModelSelected = Callable[[Model, Model | None, ModelSelectSource], Awaitable[None]]
TreeChanged = Callable[["Navigated"], Awaitable[None]]
BeforeCompact = Callable[[SessionBeforeCompactEvent], Awaitable[SessionBeforeCompactResult | None]]
TellCompaction = Callable[[SessionCompactEvent | SessionCompactFailedEvent], Awaitable[None]]
DecideWarming = Callable[[CacheWarmingDecisionEvent], Awaitable[WarmingAction]]
TellExtensions = Callable[[AgentEvent], Awaitable[None]]


async def _unchanged(given: Input, behavior: StreamingBehavior | None) -> Input | None:
    return given


async def _plain_start(given: Input, tools: Sequence[ToolDefinition]) -> RunStart:
    return RunStart()


async def _nothing_more(turn: FinishedTurn) -> TurnBoundary:
    return TurnBoundary()


async def _nobody_cares(model: Model, previous: Model | None, source: ModelSelectSource) -> None:
    pass


async def _no_objection(event: object) -> None:
    pass


async def _nobody_looks(event: object) -> None:
    pass


async def _as_it_pays(event: CacheWarmingDecisionEvent) -> WarmingAction:
    return event.action


async def _tell_nobody(event: AgentEvent) -> None:
    pass


def _usual_compaction(model: Model) -> CompactionSettings:
    return fitted(CompactionSettings(), model)


def _usual_branch_reserve(model: Model) -> int:
    return fitted_reserve(CompactionSettings().reserve_tokens, model)


async def _no_command(text: str) -> bool:
    return False


@slotted(kw_only=True)
class ConversationSetup:
    """What a conversation is made of.

    `tools` is asked before every request: extensions may register some late. `run_command` takes texts that
    are commands of extensions; `take_input` gives what is to be said in place of a text, or `None` if that has
    been dealt with. `begin_run` gives the system prompt and what else a run begins with.
    `set_options` gets the options of each request.
    `report` gets problems that are not part of the conversation, each once.
    """

    session: SessionManager
    registry: ModelRegistry
    model: Model | None = None
    thinking_level: ThinkingLevel = "off"
    scope: Sequence[ModelChoice] = ()
    preferences: ModelPreferences = field(default_factory=NoPreferences)
    tools: Callable[[], Sequence[ToolDefinition]] = tuple
    take_input: TakeInput = _unchanged
    begin_run: BeginRun = _plain_start
    tell_extensions: TellExtensions = _tell_nobody
    model_selected: ModelSelected = _nobody_cares
    finish_turn: FinishTurn = _nothing_more
    before_tree: BeforeTree = _no_objection
    tree_changed: TreeChanged = _nobody_looks
    before_compact: BeforeCompact = _no_objection
    tell_compaction: TellCompaction = _nobody_looks
    run_command: RunCommand = _no_command
    is_command: Callable[[str], bool] = lambda text: False
    before_tool_call: BeforeToolCall | None = None
    after_tool_call: AfterToolCall | None = None
    make_tool_context: Callable[[str], object] = lambda tool_call_id: None
    queues: MessageQueues = field(default_factory=MessageQueues)
    retry_policy: Callable[[], RetryPolicy] = RetryPolicy
    compaction_settings: Callable[[Model], CompactionSettings] = _usual_compaction
    cache_warming: Callable[[], WarmingMode] = lambda: "off"
    decide_warming: DecideWarming = _as_it_pays
    branch_reserve: Callable[[Model], int] = _usual_branch_reserve
    convert_to_llm: Callable[[Sequence[Message]], list[Message]] = convert_to_llm
    set_options: Callable[[StreamOptions], None] = lambda options: None
    report: Callable[[str], None] = _log.warning
    clock: Clock = field(default_factory=SystemClock)
