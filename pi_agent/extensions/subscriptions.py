"""`pi.on`: an extension hears of an event. The overloads tie each name to its event and its results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, overload

from pi_agent.extensions.events import require_emitted
from pi_agent.extensions.handlers import (
    AgentEndHandler,
    AgentEndT,
    AgentSettledHandler,
    AgentSettledT,
    AgentStartHandler,
    AgentStartT,
    BeforeAgentStartHandler,
    BeforeAgentStartT,
    CacheWarmingDecisionHandler,
    CacheWarmingDecisionT,
    InputHandler,
    InputT,
    ModelSelectHandler,
    ModelSelectT,
    QueueUpdateHandler,
    QueueUpdateT,
    SessionBeforeCompactHandler,
    SessionBeforeCompactT,
    SessionBeforeForkHandler,
    SessionBeforeForkT,
    SessionBeforeSwitchHandler,
    SessionBeforeSwitchT,
    SessionBeforeTreeHandler,
    SessionBeforeTreeT,
    SessionCompactFailedHandler,
    SessionCompactFailedT,
    SessionCompactHandler,
    SessionCompactT,
    SessionShutdownHandler,
    SessionShutdownT,
    SessionStartHandler,
    SessionStartT,
    SessionTreeHandler,
    SessionTreeT,
    ToolCallHandler,
    ToolCallT,
    ToolResultHandler,
    ToolResultT,
    TurnEndHandler,
    TurnEndT,
    TurnStartHandler,
    TurnStartT,
)
from pi_agent.extensions.registry import Callback, Extension, Handler, Unsubscribe


class Subscriptions:
    """The part of `pi` that subscribes."""

    def __init__(self, extension: Extension) -> None:
        self._extension = extension
        self._lifetime = extension.lifetime

    @overload
    def on(self, event: Literal["session_start"], handler: SessionStartHandler) -> Unsubscribe: ...
    @overload
    def on(self, event: Literal["session_start"]) -> Callable[[SessionStartT], SessionStartT]: ...
    @overload
    def on(
        self, event: Literal["session_before_switch"], handler: SessionBeforeSwitchHandler
    ) -> Unsubscribe: ...
    @overload
    def on(
        self, event: Literal["session_before_switch"]
    ) -> Callable[[SessionBeforeSwitchT], SessionBeforeSwitchT]: ...
    @overload
    def on(
        self, event: Literal["session_before_fork"], handler: SessionBeforeForkHandler
    ) -> Unsubscribe: ...
    @overload
    def on(
        self, event: Literal["session_before_fork"]
    ) -> Callable[[SessionBeforeForkT], SessionBeforeForkT]: ...
    @overload
    def on(
        self, event: Literal["session_before_tree"], handler: SessionBeforeTreeHandler
    ) -> Unsubscribe: ...
    @overload
    def on(
        self, event: Literal["session_before_tree"]
    ) -> Callable[[SessionBeforeTreeT], SessionBeforeTreeT]: ...
    @overload
    def on(self, event: Literal["session_tree"], handler: SessionTreeHandler) -> Unsubscribe: ...
    @overload
    def on(self, event: Literal["session_tree"]) -> Callable[[SessionTreeT], SessionTreeT]: ...
    @overload
    def on(
        self, event: Literal["session_before_compact"], handler: SessionBeforeCompactHandler
    ) -> Unsubscribe: ...
    @overload
    def on(
        self, event: Literal["session_before_compact"]
    ) -> Callable[[SessionBeforeCompactT], SessionBeforeCompactT]: ...
    @overload
    def on(
        self, event: Literal["session_compact"], handler: SessionCompactHandler
    ) -> Unsubscribe: ...
    @overload
    def on(
        self, event: Literal["session_compact"]
    ) -> Callable[[SessionCompactT], SessionCompactT]: ...
    @overload
    def on(
        self, event: Literal["session_compact_failed"], handler: SessionCompactFailedHandler
    ) -> Unsubscribe: ...
    @overload
    def on(
        self, event: Literal["session_compact_failed"]
    ) -> Callable[[SessionCompactFailedT], SessionCompactFailedT]: ...
    @overload
    def on(
        self, event: Literal["session_shutdown"], handler: SessionShutdownHandler
    ) -> Unsubscribe: ...
    @overload
    def on(
        self, event: Literal["session_shutdown"]
    ) -> Callable[[SessionShutdownT], SessionShutdownT]: ...
    @overload
    def on(self, event: Literal["input"], handler: InputHandler) -> Unsubscribe: ...
    @overload
    def on(self, event: Literal["input"]) -> Callable[[InputT], InputT]: ...
    @overload
    def on(
        self, event: Literal["before_agent_start"], handler: BeforeAgentStartHandler
    ) -> Unsubscribe: ...
    @overload
    def on(
        self, event: Literal["before_agent_start"]
    ) -> Callable[[BeforeAgentStartT], BeforeAgentStartT]: ...
    @overload
    def on(self, event: Literal["model_select"], handler: ModelSelectHandler) -> Unsubscribe: ...
    @overload
    def on(self, event: Literal["model_select"]) -> Callable[[ModelSelectT], ModelSelectT]: ...
    @overload
    def on(
        self, event: Literal["cache_warming_decision"], handler: CacheWarmingDecisionHandler
    ) -> Unsubscribe: ...
    @overload
    def on(
        self, event: Literal["cache_warming_decision"]
    ) -> Callable[[CacheWarmingDecisionT], CacheWarmingDecisionT]: ...
    @overload
    def on(self, event: Literal["agent_start"], handler: AgentStartHandler) -> Unsubscribe: ...
    @overload
    def on(self, event: Literal["agent_start"]) -> Callable[[AgentStartT], AgentStartT]: ...
    @overload
    def on(self, event: Literal["turn_start"], handler: TurnStartHandler) -> Unsubscribe: ...
    @overload
    def on(self, event: Literal["turn_start"]) -> Callable[[TurnStartT], TurnStartT]: ...
    @overload
    def on(self, event: Literal["tool_call"], handler: ToolCallHandler) -> Unsubscribe: ...
    @overload
    def on(self, event: Literal["tool_call"]) -> Callable[[ToolCallT], ToolCallT]: ...
    @overload
    def on(self, event: Literal["tool_result"], handler: ToolResultHandler) -> Unsubscribe: ...
    @overload
    def on(self, event: Literal["tool_result"]) -> Callable[[ToolResultT], ToolResultT]: ...
    @overload
    def on(self, event: Literal["turn_end"], handler: TurnEndHandler) -> Unsubscribe: ...
    @overload
    def on(self, event: Literal["turn_end"]) -> Callable[[TurnEndT], TurnEndT]: ...
    @overload
    def on(self, event: Literal["agent_end"], handler: AgentEndHandler) -> Unsubscribe: ...
    @overload
    def on(self, event: Literal["agent_end"]) -> Callable[[AgentEndT], AgentEndT]: ...
    @overload
    def on(self, event: Literal["agent_settled"], handler: AgentSettledHandler) -> Unsubscribe: ...
    @overload
    def on(self, event: Literal["agent_settled"]) -> Callable[[AgentSettledT], AgentSettledT]: ...
    @overload
    def on(self, event: Literal["queue_update"], handler: QueueUpdateHandler) -> Unsubscribe: ...
    @overload
    def on(self, event: Literal["queue_update"]) -> Callable[[QueueUpdateT], QueueUpdateT]: ...
    def on(self, event: str, handler: Handler | None = None) -> object:
        """Call `handler(event, ctx)` whenever `event` happens; `pi.on("tool_call")` alone decorates one.

        Handlers run one after another in load order, then in order of registration. Plain functions run on
        the event loop and must be quick. The returned function ends this one subscription.
        """
        self._lifetime.check()
        require_emitted(event)
        if handler is not None:
            return self._subscribe(event, handler)

        def decorate(function: Handler) -> Handler:
            self._subscribe(event, function)
            return function

        return decorate

    def _subscribe(self, event: str, handler: Handler) -> Unsubscribe:
        callback = Callback.of(handler, 2, f'A handler of "{event}"')
        handlers = self._extension.handlers
        self._lifetime.call(lambda: handlers.setdefault(event, []).append(callback))

        def unsubscribe() -> None:
            registered = handlers.get(event, [])
            if callback in registered:
                registered.remove(callback)

        return unsubscribe
