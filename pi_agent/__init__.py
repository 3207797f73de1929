"""The coding agent. These are the names for extensions and for embedding; each is loaded on first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pi_agent._version import __version__
    from pi_agent.base.wire import BaseModel as Model
    from pi_agent.base.wire import Field
    from pi_agent.extensions.api import ExtensionAPI
    from pi_agent.extensions.context import (
        ExtensionCommandContext,
        ExtensionContext,
        ExtensionToolContext,
        NavigateTreeResult,
    )
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
        TreePreparation,
        TurnEndEvent,
    )
    from pi_agent.extensions.guard import ExtensionError
    from pi_agent.extensions.lifetime import ExtensionFailedError, StaleContextError
    from pi_agent.extensions.message_renderer import MessageRenderOptions
    from pi_agent.extensions.results import (
        BeforeAgentStartAnswer,
        BeforeAgentStartResult,
        CacheWarmingDecisionAnswer,
        CacheWarmingDecisionResult,
        CompactionContent,
        CompactionContentAnswer,
        ExtensionEntry,
        ExtensionMessage,
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
        TreeSummary,
        TreeSummaryAnswer,
        TurnEndAnswer,
        TurnEndResult,
    )
    from pi_agent.extensions.ui import (
        Blocked,
        Done,
        ExtensionUI,
        FooterData,
        ThemeResult,
        WidgetPlacement,
        WorkingIndicatorOptions,
    )
    from pi_agent.llm.messages import CustomMessage, ImageContent, TextContent, text
    from pi_agent.llm.usage import Usage
    from pi_agent.loop.events import AgentEnd as AgentEndEvent
    from pi_agent.loop.events import AgentSettled as AgentSettledEvent
    from pi_agent.loop.events import AgentStart as AgentStartEvent
    from pi_agent.loop.events import QueueUpdate as QueueUpdateEvent
    from pi_agent.loop.events import TurnStart as TurnStartEvent
    from pi_agent.loop.queues import QueuedText
    from pi_agent.loop.tool import (
        PartialResult,
        ToolAnnotations,
        ToolCallDecision,
        ToolCallId,
        ToolDefinition,
        ToolResult,
        ToolUpdate,
    )
    from pi_agent.resources.theme_catalog import ThemeInfo
    from pi_agent.session.context_usage import ContextUsage
    from pi_agent.ui.custom_editor import CustomEditor
    from pi_tui.abort import AbortController, AbortError, AbortSignal

__all__ = [
    "AbortController",
    "AbortError",
    "AbortSignal",
    "AgentEndEvent",
    "AgentSettledEvent",
    "AgentStartEvent",
    "BeforeAgentStartAnswer",
    "BeforeAgentStartEvent",
    "BeforeAgentStartResult",
    "Blocked",
    "CacheWarmingDecisionAnswer",
    "CacheWarmingDecisionEvent",
    "CacheWarmingDecisionResult",
    "CompactionContent",
    "CompactionContentAnswer",
    "ContextUsage",
    "CustomEditor",
    "CustomMessage",
    "Done",
    "ExtensionAPI",
    "ExtensionCommandContext",
    "ExtensionContext",
    "ExtensionEntry",
    "ExtensionError",
    "ExtensionFailedError",
    "ExtensionMessage",
    "ExtensionToolContext",
    "ExtensionUI",
    "Field",
    "FooterData",
    "ImageContent",
    "InputAnswer",
    "InputEvent",
    "InputResult",
    "MessageRenderOptions",
    "Model",
    "ModelSelectEvent",
    "NavigateTreeResult",
    "PartialResult",
    "QueueUpdateEvent",
    "QueuedText",
    "SessionBeforeCompactAnswer",
    "SessionBeforeCompactEvent",
    "SessionBeforeCompactResult",
    "SessionBeforeForkAnswer",
    "SessionBeforeForkEvent",
    "SessionBeforeForkResult",
    "SessionBeforeSwitchAnswer",
    "SessionBeforeSwitchEvent",
    "SessionBeforeSwitchResult",
    "SessionBeforeTreeAnswer",
    "SessionBeforeTreeEvent",
    "SessionBeforeTreeResult",
    "SessionCompactEvent",
    "SessionCompactFailedEvent",
    "SessionShutdownEvent",
    "SessionStartEvent",
    "SessionTreeEvent",
    "StaleContextError",
    "TextContent",
    "ThemeInfo",
    "ThemeResult",
    "ToolAnnotations",
    "ToolCallAnswer",
    "ToolCallDecision",
    "ToolCallEvent",
    "ToolCallId",
    "ToolDefinition",
    "ToolResult",
    "ToolResultAnswer",
    "ToolResultEvent",
    "ToolResultPatch",
    "ToolUpdate",
    "TreePreparation",
    "TreeSummary",
    "TreeSummaryAnswer",
    "TurnEndAnswer",
    "TurnEndEvent",
    "TurnEndResult",
    "TurnStartEvent",
    "Usage",
    "WidgetPlacement",
    "WorkingIndicatorOptions",
    "__version__",
    "text",
]

_HOMES: Final = {
    "AbortController": "pi_tui.abort",
    "AbortError": "pi_tui.abort",
    "AbortSignal": "pi_tui.abort",
    "AgentEndEvent": "pi_agent.loop.events",
    "AgentSettledEvent": "pi_agent.loop.events",
    "AgentStartEvent": "pi_agent.loop.events",
    "BeforeAgentStartAnswer": "pi_agent.extensions.results",
    "BeforeAgentStartEvent": "pi_agent.extensions.events",
    "BeforeAgentStartResult": "pi_agent.extensions.results",
    "Blocked": "pi_agent.extensions.ui",
    "CacheWarmingDecisionAnswer": "pi_agent.extensions.results",
    "CacheWarmingDecisionEvent": "pi_agent.extensions.events",
    "CacheWarmingDecisionResult": "pi_agent.extensions.results",
    "CompactionContent": "pi_agent.extensions.results",
    "CompactionContentAnswer": "pi_agent.extensions.results",
    "ContextUsage": "pi_agent.session.context_usage",
    "CustomEditor": "pi_agent.ui.custom_editor",
    "CustomMessage": "pi_agent.llm.messages",
    "Done": "pi_agent.extensions.ui",
    "ExtensionAPI": "pi_agent.extensions.api",
    "ExtensionCommandContext": "pi_agent.extensions.context",
    "ExtensionContext": "pi_agent.extensions.context",
    "ExtensionEntry": "pi_agent.extensions.results",
    "ExtensionError": "pi_agent.extensions.guard",
    "ExtensionFailedError": "pi_agent.extensions.lifetime",
    "ExtensionMessage": "pi_agent.extensions.results",
    "ExtensionToolContext": "pi_agent.extensions.context",
    "ExtensionUI": "pi_agent.extensions.ui",
    "Field": "pi_agent.base.wire",
    "FooterData": "pi_agent.extensions.ui",
    "ImageContent": "pi_agent.llm.messages",
    "InputAnswer": "pi_agent.extensions.results",
    "InputEvent": "pi_agent.extensions.events",
    "InputResult": "pi_agent.extensions.results",
    "MessageRenderOptions": "pi_agent.extensions.message_renderer",
    "Model": "pi_agent.base.wire",
    "ModelSelectEvent": "pi_agent.extensions.events",
    "NavigateTreeResult": "pi_agent.extensions.context",
    "PartialResult": "pi_agent.loop.tool",
    "QueueUpdateEvent": "pi_agent.loop.events",
    "QueuedText": "pi_agent.loop.queues",
    "SessionBeforeCompactAnswer": "pi_agent.extensions.results",
    "SessionBeforeCompactEvent": "pi_agent.extensions.events",
    "SessionBeforeCompactResult": "pi_agent.extensions.results",
    "SessionBeforeForkAnswer": "pi_agent.extensions.results",
    "SessionBeforeForkEvent": "pi_agent.extensions.events",
    "SessionBeforeForkResult": "pi_agent.extensions.results",
    "SessionBeforeSwitchAnswer": "pi_agent.extensions.results",
    "SessionBeforeSwitchEvent": "pi_agent.extensions.events",
    "SessionBeforeSwitchResult": "pi_agent.extensions.results",
    "SessionBeforeTreeAnswer": "pi_agent.extensions.results",
    "SessionBeforeTreeEvent": "pi_agent.extensions.events",
    "SessionBeforeTreeResult": "pi_agent.extensions.results",
    "SessionCompactEvent": "pi_agent.extensions.events",
    "SessionCompactFailedEvent": "pi_agent.extensions.events",
    "SessionShutdownEvent": "pi_agent.extensions.events",
    "SessionStartEvent": "pi_agent.extensions.events",
    "SessionTreeEvent": "pi_agent.extensions.events",
    "StaleContextError": "pi_agent.extensions.lifetime",
    "TextContent": "pi_agent.llm.messages",
    "ThemeInfo": "pi_agent.resources.theme_catalog",
    "ThemeResult": "pi_agent.extensions.ui",
    "ToolAnnotations": "pi_agent.loop.tool",
    "ToolCallAnswer": "pi_agent.extensions.results",
    "ToolCallDecision": "pi_agent.loop.tool",
    "ToolCallEvent": "pi_agent.extensions.events",
    "ToolCallId": "pi_agent.loop.tool",
    "ToolDefinition": "pi_agent.loop.tool",
    "ToolResult": "pi_agent.loop.tool",
    "ToolResultAnswer": "pi_agent.extensions.results",
    "ToolResultEvent": "pi_agent.extensions.events",
    "ToolResultPatch": "pi_agent.extensions.results",
    "ToolUpdate": "pi_agent.loop.tool",
    "TreePreparation": "pi_agent.extensions.events",
    "TreeSummary": "pi_agent.extensions.results",
    "TreeSummaryAnswer": "pi_agent.extensions.results",
    "TurnEndAnswer": "pi_agent.extensions.results",
    "TurnEndEvent": "pi_agent.extensions.events",
    "TurnEndResult": "pi_agent.extensions.results",
    "TurnStartEvent": "pi_agent.loop.events",
    "Usage": "pi_agent.llm.usage",
    "WidgetPlacement": "pi_agent.extensions.ui",
    "WorkingIndicatorOptions": "pi_agent.extensions.ui",
    "__version__": "pi_agent._version",
    "text": "pi_agent.llm.messages",
}
# What is called otherwise at home.
_RENAMED: Final = {
    "AgentEndEvent": "AgentEnd",
    "AgentSettledEvent": "AgentSettled",
    "AgentStartEvent": "AgentStart",
    "Model": "BaseModel",
    "QueueUpdateEvent": "QueueUpdate",
    "TurnStartEvent": "TurnStart",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(home), _RENAMED.get(name, name))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
