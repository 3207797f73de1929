"""The events of one answer, and the stream that carries them.

A stream yields `start`, then start/delta/end events of its blocks, then exactly one `done` or `error`.
`partial` is the live message: whoever keeps it must copy it. A block is updated before the event that
announces it. `error` without `start` is allowed: setting up failed.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import field
from typing import Generic, Literal, Protocol, TypeVar

from pi_agent.base.partial_json import PartialJson, parse_arguments
from pi_agent.base.surrogates import replace_lone_surrogates
from pi_agent.base.wire import JsonObject, JsonValue
from pi_agent.llm.messages import (
    AssistantMessage,
    Message,
    TextContent,
    ThinkingContent,
    ToolCall,
    ToolDeclaration,
)
from pi_agent.llm.model import Model, ThinkingLevel
from pi_agent.llm.usage import Usage, cost_of, sum_of_tokens
from pi_tui.abort import AbortSignal
from pi_tui.frozen import frozen, slotted
from pi_tui.patterns import pattern

ABORTED = "Request was aborted"

CacheRetention = Literal["none", "short", "long"]

_Block = TypeVar("_Block", bound=TextContent | ThinkingContent)

_SURROGATE = pattern("[\ud800-\udfff]")
_OPENING_HALF = pattern("[\ud800-\udbff]")


@frozen
class StreamStart:
    """The request was accepted; the message exists."""

    partial: AssistantMessage
    type: Literal["start"] = "start"


@frozen
class BlockStart:
    """A text or thinking block, or a tool call, begins at `content_index`."""

    type: Literal["text_start", "thinking_start", "toolcall_start"]
    content_index: int
    partial: AssistantMessage


@frozen
class BlockDelta:
    """More of a block: text, or a piece of the arguments' JSON text (may be empty)."""

    type: Literal["text_delta", "thinking_delta", "toolcall_delta"]
    content_index: int
    delta: str
    partial: AssistantMessage


@frozen
class BlockEnd:
    """A block is complete: `content` for text and thinking, `tool_call` for a call."""

    type: Literal["text_end", "thinking_end", "toolcall_end"]
    content_index: int
    partial: AssistantMessage
    content: str = ""
    tool_call: ToolCall | None = None


@frozen
class StreamProgress:
    """What is done before the answer begins, if the server tells: `done` of `total` tokens of the prompt.

    It may come before `start` and after it; `total` 0: nobody knows how much there is to do.
    """

    activity: Literal["starting", "reading"]
    done: int = 0
    total: int = 0
    type: Literal["progress"] = "progress"


@frozen
class StreamDone:
    """The answer is complete."""

    reason: Literal["stop", "length", "toolUse"]
    message: AssistantMessage
    type: Literal["done"] = "done"


@frozen
class StreamError:
    """The answer failed or was aborted; `error` is the message as far as it came."""

    reason: Literal["error", "aborted"]
    error: AssistantMessage
    type: Literal["error"] = "error"


StreamEvent = (
    StreamStart | StreamProgress | BlockStart | BlockDelta | BlockEnd | StreamDone | StreamError
)


@slotted
class Context:
    """What one request says: the rendered system prompt, the messages, the declared tools."""

    system_prompt: str
    messages: list[Message]
    tools: list[ToolDeclaration] = field(default_factory=list)


@slotted
class StreamOptions:
    """Options of one request that every provider understands. `headers` win over the model's own.

    `timeout` limits each wait for more of the answer, and the wait for its beginning unless `header_timeout` does.
    `max_retries` counts within one request: a server that asks for a longer wait than `max_retry_delay` (0: any) is
    not asked again. Times are in seconds. `thinking_budgets` replaces the tokens of some levels.
    """

    api_key: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    signal: AbortSignal | None = None
    reasoning: ThinkingLevel = "off"
    max_tokens: int | None = None
    temperature: float | None = None
    tool_choice: JsonValue = None
    session_id: str | None = None
    cache_retention: CacheRetention = "short"
    timeout: float | None = 300.0
    header_timeout: float | None = None
    max_retries: int = 0
    max_retry_delay: float = 60.0
    thinking_budgets: Mapping[ThinkingLevel, int] = field(default_factory=dict)
    sampling_params: JsonObject = field(default_factory=dict)
    on_payload: Callable[[JsonObject, Model], Awaitable[JsonObject | None]] | None = None


class StreamFunction(Protocol):
    """How a wire protocol is spoken: `providers/*.py` have one each.

    The iterator ends after the terminal event and never raises once it has been returned.
    """

    def __call__(
        self, model: Model, context: Context, options: StreamOptions
    ) -> AsyncIterator[StreamEvent]:
        """Start one request."""
        ...


async def answer_of(stream: AsyncIterator[StreamEvent]) -> AssistantMessage:
    """Read `stream` to its end and return the final message, failed ones included."""
    async for event in stream:
        if isinstance(event, StreamDone):
            return event.message
        if isinstance(event, StreamError):
            return event.error
    raise RuntimeError("the stream ended without a terminal event")


class MessageBuilder:
    """Adds up one answer. Providers say what arrived and pass the returned events on, in order.

    Text, thinking and each call are one block each, open until `finish`; so their deltas may interleave.
    """

    def __init__(self, model: Model, timestamp_ms: int) -> None:
        self.message = AssistantMessage(
            api=model.api,
            provider=model.provider,
            model=model.id,
            stop_reason="pending",
            timestamp=timestamp_ms,
        )
        self._model = model
        self._started = False
        self._text: _Growing[TextContent] | None = None
        self._thinking: _Growing[ThinkingContent] | None = None
        self._calls: dict[int, _GrowingCall] = {}

    @property
    def started(self) -> bool:
        """Whether `start` has been given out."""
        return self._started

    @property
    def has_calls(self) -> bool:
        """Whether the answer asks for tools."""
        return bool(self._calls)

    def start(self) -> list[StreamEvent]:
        """Give out `start`, once."""
        if self._started:
            return []
        self._started = True
        return [StreamStart(self.message)]

    def text(self, delta: str) -> list[StreamEvent]:
        """Add to the text."""
        events: list[StreamEvent] = []
        growing = self._text
        if growing is None:
            growing = self._text = _Growing(TextContent(text=""), len(self.message.content))
            self.message.content.append(growing.block)
            events.append(BlockStart("text_start", growing.index, self.message))
        whole = growing.whole_characters(delta)
        growing.block.text += whole
        events.append(BlockDelta("text_delta", growing.index, whole, self.message))
        return events

    def thinking(self, delta: str, signature: str | None = None) -> list[StreamEvent]:
        """Add to the thinking; the first `signature` stays."""
        events: list[StreamEvent] = []
        growing = self._thinking
        if growing is None:
            block = ThinkingContent(thinking_signature=signature)
            growing = self._thinking = _Growing(block, len(self.message.content))
            self.message.content.append(block)
            events.append(BlockStart("thinking_start", growing.index, self.message))
        whole = growing.whole_characters(delta)
        growing.block.thinking += whole
        events.append(BlockDelta("thinking_delta", growing.index, whole, self.message))
        return events

    def break_off(self) -> None:
        """Let the next text and the next thinking begin blocks of their own."""
        self._text = None
        self._thinking = None

    def open_call(self, call_id: str, name: str) -> tuple[int, list[StreamEvent]]:
        """Begin a call; returns its index, which `name_call` and `call_delta` take."""
        index = len(self.message.content)
        call = ToolCall(id=call_id, name=name)
        self.message.content.append(call)
        self._calls[index] = _GrowingCall(call)
        return index, [BlockStart("toolcall_start", index, self.message)]

    def name_call(self, index: int, call_id: str, name: str) -> None:
        """Fill in an id and a name that the call did not have yet."""
        call = self._calls[index].call
        call.id = call.id or call_id
        call.name = call.name or name

    def call_delta(self, index: int, delta: str) -> list[StreamEvent]:
        """Add to the JSON text of a call's arguments."""
        growing = self._calls[index]
        if growing.arguments.feed(delta):
            growing.call.arguments = growing.arguments.value
        return [BlockDelta("toolcall_delta", index, delta, self.message)]

    def usage(self, usage: Usage) -> None:
        """Set the tokens so far; the cost follows unless the provider reported a total."""
        reported = usage.cost
        usage.total_tokens = usage.total_tokens or sum_of_tokens(usage)
        usage.cost = cost_of(usage, self._model.cost)
        if reported.total_from_provider:
            usage.cost.total = reported.total
            usage.cost.total_from_provider = True
        self.message.usage = usage

    def finish(self, reason: Literal["stop", "length", "toolUse"]) -> list[StreamEvent]:
        """End every block, in order, and the answer. `stop` with calls is `toolUse`."""
        if reason == "stop" and self.has_calls:
            reason = "toolUse"
        events = self.start()
        for index, block in enumerate(self.message.content):
            if isinstance(block, TextContent):
                events.append(BlockEnd("text_end", index, self.message, block.text))
            elif isinstance(block, ThinkingContent):
                events.append(BlockEnd("thinking_end", index, self.message, block.thinking))
            else:
                self._complete(index, block)
                events.append(BlockEnd("toolcall_end", index, self.message, tool_call=block))
        self.message.stop_reason = reason
        events.append(StreamDone(reason, self.message))
        return events

    def fail(self, text: str) -> StreamError:
        """End the answer with what went wrong; open blocks stay as they are."""
        return self._end("error", text)

    def abort(self, text: str = ABORTED) -> StreamError:
        """End the answer because somebody asked for it."""
        return self._end("aborted", text)

    def _end(self, reason: Literal["error", "aborted"], text: str) -> StreamError:
        self.message.stop_reason = reason
        self.message.error_message = text
        return StreamError(reason, self.message)

    def _complete(self, index: int, call: ToolCall) -> None:
        text = self._calls[index].arguments.text
        call.arguments, call.arguments_error = parse_arguments(text)
        if not call.id or self._is_taken(call.id, index):
            call.id = f"call_{os.urandom(12).hex()}"

    def _is_taken(self, call_id: str, index: int) -> bool:
        """Return whether a call before this one has the id: each is to get its own result."""
        earlier = self.message.content[:index]
        return any(isinstance(block, ToolCall) and block.id == call_id for block in earlier)


class _Growing(Generic[_Block]):
    """A block and its place. Holds back half a character whose other half is in the next delta."""

    def __init__(self, block: _Block, index: int) -> None:
        self.block = block
        self.index = index
        self._half = ""

    def whole_characters(self, delta: str) -> str:
        delta = self._half + delta
        self._half = ""
        if delta.isascii() or not _SURROGATE.search(delta):
            return delta
        if _OPENING_HALF.match(delta[-1]):
            delta, self._half = delta[:-1], delta[-1]
        return replace_lone_surrogates(delta)


@slotted
class _GrowingCall:
    call: ToolCall
    arguments: PartialJson = field(default_factory=PartialJson)
