"""The types of handlers: which event each gets, and what it may return.

A handler may take fewer arguments than it is offered, and may be async.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from pi_agent.extensions.context import ExtensionCommandContext, ExtensionContext
from pi_agent.extensions.events import (
    BeforeAgentStartEvent,
    CacheWarmingDecisionEvent,
    InputEvent,
    ModelSelectEvent,
    SessionBeforeCompactEvent,
    SessionBeforeForkEvent,
    SessionBeforeSwitchEvent,
    SessionBeforeTreeEvent,
    SessionCompactEvent,
    SessionCompactFailedEvent,
    SessionShutdownEvent,
    SessionStartEvent,
    SessionTreeEvent,
    ToolCallEvent,
    ToolResultEvent,
    TurnEndEvent,
)
from pi_agent.extensions.results import (
    BeforeAgentStartAnswer,
    BeforeAgentStartResult,
    CacheWarmingDecisionAnswer,
    CacheWarmingDecisionResult,
    InputAnswer,
    InputResult,
    SessionBeforeCompactAnswer,
    SessionBeforeCompactResult,
    SessionBeforeForkAnswer,
    SessionBeforeForkResult,
    SessionBeforeSwitchAnswer,
    SessionBeforeSwitchResult,
    SessionBeforeTreeAnswer,
    SessionBeforeTreeResult,
    ToolCallAnswer,
    ToolResultAnswer,
    ToolResultPatch,
    TurnEndAnswer,
    TurnEndResult,
)
from pi_agent.loop.events import AgentEnd, AgentSettled, AgentStart, QueueUpdate, TurnStart
from pi_agent.loop.tool import ToolCallDecision

if TYPE_CHECKING:
    from pi_tui.autocomplete import AutocompleteItem

_E = TypeVar("_E")
_R = TypeVar("_R")
_D = TypeVar("_D")

_HandlerOf: TypeAlias = Callable[[_E, ExtensionContext], _R] | Callable[[_E], _R] | Callable[[], _R]
# The result, the dict that means the same, or no opinion; also from an async handler.
_Returns: TypeAlias = (
    Awaitable[_R | None] | Awaitable[_D | None] | Awaitable[_R | _D | None] | _R | _D | None
)

SessionStartHandler = _HandlerOf[SessionStartEvent, object]
SessionBeforeSwitchHandler = _HandlerOf[
    SessionBeforeSwitchEvent, _Returns[SessionBeforeSwitchResult, SessionBeforeSwitchAnswer]
]
SessionBeforeForkHandler = _HandlerOf[
    SessionBeforeForkEvent, _Returns[SessionBeforeForkResult, SessionBeforeForkAnswer]
]
SessionBeforeTreeHandler = _HandlerOf[
    SessionBeforeTreeEvent, _Returns[SessionBeforeTreeResult, SessionBeforeTreeAnswer]
]
SessionTreeHandler = _HandlerOf[SessionTreeEvent, object]
SessionBeforeCompactHandler = _HandlerOf[
    SessionBeforeCompactEvent, _Returns[SessionBeforeCompactResult, SessionBeforeCompactAnswer]
]
SessionCompactHandler = _HandlerOf[SessionCompactEvent, object]
SessionCompactFailedHandler = _HandlerOf[SessionCompactFailedEvent, object]
SessionShutdownHandler = _HandlerOf[SessionShutdownEvent, object]
AgentStartHandler = _HandlerOf[AgentStart, object]
AgentEndHandler = _HandlerOf[AgentEnd, object]
AgentSettledHandler = _HandlerOf[AgentSettled, object]
QueueUpdateHandler = _HandlerOf[QueueUpdate, object]
TurnStartHandler = _HandlerOf[TurnStart, object]
TurnEndHandler = _HandlerOf[TurnEndEvent, _Returns[TurnEndResult, TurnEndAnswer]]
ModelSelectHandler = _HandlerOf[ModelSelectEvent, object]
CacheWarmingDecisionHandler = _HandlerOf[
    CacheWarmingDecisionEvent,
    _Returns[CacheWarmingDecisionResult, CacheWarmingDecisionAnswer],
]
InputHandler = _HandlerOf[InputEvent, _Returns[InputResult, InputAnswer]]
BeforeAgentStartHandler = _HandlerOf[
    BeforeAgentStartEvent, _Returns[BeforeAgentStartResult, BeforeAgentStartAnswer]
]
ToolCallHandler = _HandlerOf[ToolCallEvent, _Returns[ToolCallDecision, ToolCallAnswer]]
ToolResultHandler = _HandlerOf[ToolResultEvent, _Returns[ToolResultPatch, ToolResultAnswer]]
CommandHandler = (
    Callable[[str, ExtensionCommandContext], object]
    | Callable[[str], object]
    | Callable[[], object]
)
_Offered: TypeAlias = "Sequence[AutocompleteItem] | None"
ArgumentCompletions: TypeAlias = "Callable[[str], _Offered | Awaitable[_Offered]]"

SessionStartT = TypeVar("SessionStartT", bound=SessionStartHandler)
SessionBeforeSwitchT = TypeVar("SessionBeforeSwitchT", bound=SessionBeforeSwitchHandler)
SessionBeforeForkT = TypeVar("SessionBeforeForkT", bound=SessionBeforeForkHandler)
SessionBeforeTreeT = TypeVar("SessionBeforeTreeT", bound=SessionBeforeTreeHandler)
SessionTreeT = TypeVar("SessionTreeT", bound=SessionTreeHandler)
SessionBeforeCompactT = TypeVar("SessionBeforeCompactT", bound=SessionBeforeCompactHandler)
SessionCompactT = TypeVar("SessionCompactT", bound=SessionCompactHandler)
SessionCompactFailedT = TypeVar("SessionCompactFailedT", bound=SessionCompactFailedHandler)
SessionShutdownT = TypeVar("SessionShutdownT", bound=SessionShutdownHandler)
AgentStartT = TypeVar("AgentStartT", bound=AgentStartHandler)
AgentEndT = TypeVar("AgentEndT", bound=AgentEndHandler)
AgentSettledT = TypeVar("AgentSettledT", bound=AgentSettledHandler)
QueueUpdateT = TypeVar("QueueUpdateT", bound=QueueUpdateHandler)
TurnStartT = TypeVar("TurnStartT", bound=TurnStartHandler)
TurnEndT = TypeVar("TurnEndT", bound=TurnEndHandler)
InputT = TypeVar("InputT", bound=InputHandler)
BeforeAgentStartT = TypeVar("BeforeAgentStartT", bound=BeforeAgentStartHandler)
ModelSelectT = TypeVar("ModelSelectT", bound=ModelSelectHandler)
CacheWarmingDecisionT = TypeVar("CacheWarmingDecisionT", bound=CacheWarmingDecisionHandler)
ToolCallT = TypeVar("ToolCallT", bound=ToolCallHandler)
ToolResultT = TypeVar("ToolResultT", bound=ToolResultHandler)
CommandT = TypeVar("CommandT", bound=CommandHandler)
