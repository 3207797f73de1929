"""A scripted model and a host that writes down what a run tells it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from pi_agent.base.clock import ManualClock
from pi_agent.base.wire import JsonObject
from pi_agent.llm.messages import (
    AssistantContent,
    AssistantMessage,
    Message,
    StopReason,
    TextContent,
    ToolCall,
    ToolResultMessage,
    UserMessage,
    text_of,
)
from pi_agent.llm.model import Model
from pi_agent.llm.script import Step
from pi_agent.llm.scripted import FauxProvider
from pi_agent.llm.stream import Context
from pi_agent.loop.events import (
    AgentEnd,
    AgentEvent,
    MessageEnd,
    MessageStart,
    MessageUpdate,
    ToolExecutionEnd,
    ToolExecutionStart,
    ToolExecutionUpdate,
    TurnEnd,
)
from pi_agent.loop.loop import LoopConfig, continue_run, run_loop
from pi_agent.loop.tool import ToolDefinition, ToolResult
from pi_tui.abort import AbortController

MODEL = Model(id="m", provider="p", api="scripted")


def answer(*blocks: str | ToolCall, stop: StopReason = "stop") -> AssistantMessage:
    """Return a scripted answer of texts and calls."""
    content: list[AssistantContent] = [
        TextContent(text=block) if isinstance(block, str) else block for block in blocks
    ]
    return AssistantMessage(content=content, stop_reason=stop)


def call(name: str, call_id: str = "1", /, **arguments: object) -> ToolCall:
    """Return a call."""
    return ToolCall(id=call_id, name=name, arguments=dict(arguments))


def user(text: str) -> UserMessage:
    """Return what a user says."""
    return UserMessage(content=text)


def tool(name: str, execute: Callable[..., object], **fields: Any) -> ToolDefinition:
    """Return a tool whose function takes only the checked parameters."""

    async def run(
        tool_call_id: str, params: JsonObject, signal: object, on_update: object, ctx: object
    ) -> object:
        result: Any = execute(**params)
        return await result if isinstance(result, Awaitable) else result

    return ToolDefinition(name=name, description=name, execute=run, **fields)


class Host:
    """Runs a loop on scripted answers and keeps the events as lines and as objects."""

    def __init__(self, *answers: str | AssistantMessage | Step, **config: Any) -> None:
        self.clock = ManualClock()
        self.provider = FauxProvider(answers, clock=self.clock)
        self.events: list[AgentEvent] = []
        self.lines: list[str] = []
        self.controller = AbortController()
        self.on_event: Callable[[AgentEvent], object] = lambda event: None
        self.config = LoopConfig(
            **{"model": MODEL, "stream": self.provider, "clock": self.clock, **config}
        )

    @property
    def requests(self) -> list[Context]:
        """What the model was asked."""
        return self.provider.state.requests

    async def run(
        self, *initial: Message, history: Sequence[Message] = (), **options: Any
    ) -> list[Message]:
        return await run_loop(
            self.config,
            history,
            initial,
            emit=self.emit,
            signal=self.controller.signal,
            **options,
        )

    async def resume(self, history: Sequence[Message]) -> list[Message]:
        return await continue_run(
            self.config, history, emit=self.emit, signal=self.controller.signal
        )

    async def emit(self, event: AgentEvent) -> None:
        self.events.append(event)
        self.lines.append(described(event))
        self.on_event(event)

    @property
    def results(self) -> list[tuple[str, str]]:
        """The text of each result message by call id, in the order of the transcript."""
        return [
            (event.message.tool_call_id, text_of(event.message.content))
            for event in self.events
            if isinstance(event, MessageEnd) and isinstance(event.message, ToolResultMessage)
        ]


def described(event: AgentEvent) -> str:
    """Return an event as one line."""
    if isinstance(event, MessageStart | MessageEnd):
        message = event.message
        extra = message.tool_call_id if isinstance(message, ToolResultMessage) else ""
        if isinstance(message, AssistantMessage):
            extra = message.stop_reason
        return f"{event.type} {message.role} {extra}".rstrip()
    if isinstance(event, MessageUpdate):
        return f"{event.type} {event.assistant_message_event.type}"
    if isinstance(event, ToolExecutionStart | ToolExecutionUpdate | ToolExecutionEnd):
        return f"{event.type} {event.tool_call_id}"
    if isinstance(event, TurnEnd):
        return f"{event.type} {len(event.tool_results)}"
    if isinstance(event, AgentEnd):
        return f"{event.type} {len(event.messages)}"
    return event.type


def done(text: str = "done", **fields: Any) -> ToolResult:
    """Return a result with a text."""
    return ToolResult(content=[TextContent(text=text)], **fields)


def said(message: Message) -> str:
    """Return the text of a message that has content."""
    return text_of(getattr(message, "content", ""))
