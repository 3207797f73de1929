"""One answer of the model: the request, its stream as events, and a final message in any case.

However the request ends — no credentials, a broken stream, an abort — the transcript gets one assistant
message that says so.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Literal

from pi_agent.base.clock import Clock
from pi_agent.llm.messages import AssistantMessage, TextContent
from pi_agent.llm.model import Model
from pi_agent.llm.stream import (
    ABORTED,
    BlockDelta,
    BlockEnd,
    BlockStart,
    Context,
    StreamDone,
    StreamError,
    StreamEvent,
    StreamFunction,
    StreamOptions,
    StreamProgress,
    StreamStart,
)
from pi_agent.loop.calls import Emit
from pi_agent.loop.events import MessageStart, MessageUpdate, PromptProgress
from pi_agent.loop.grace import finish_or_cancel
from pi_agent.loop.results import error_text
from pi_tui.abort import AbortError, AbortSignal
from pi_tui.frozen import slotted

BlockEvent = BlockStart | BlockDelta | BlockEnd


@slotted
class Request:
    """One request before it goes out; every field of it may still be changed."""

    model: Model
    context: Context
    options: StreamOptions


BuildRequest = Callable[[], Awaitable[Request]]


class Responder:
    """Gets one answer and tells of it. `message_end` is left to the caller, who may replace the message.

    `build` makes the request; whatever it raises becomes a failed answer, too.
    """

    def __init__(self, model: Model, *, emit: Emit, signal: AbortSignal, clock: Clock) -> None:
        self._model = model
        self._emit = emit
        self._signal = signal
        self._clock = clock
        self._live: AssistantMessage | None = None

    async def answer(
        self, stream: StreamFunction, build: BuildRequest, grace_seconds: float
    ) -> AssistantMessage:
        """Send the request and return the final message. Nothing is sent once the signal has fired."""
        started = self._clock.monotonic()
        message = await self._read(stream, build, grace_seconds)
        message.duration_ms = round((self._clock.monotonic() - started) * 1000)
        if self._live is None:
            await self._emit(MessageStart(message))
        return message

    async def _read(
        self, stream: StreamFunction, build: BuildRequest, grace_seconds: float
    ) -> AssistantMessage:
        if self._signal.aborted:
            return self._failed("aborted", ABORTED)
        try:
            return await finish_or_cancel(
                self._tell(stream, build), self._signal, lambda: self._clock.sleep(grace_seconds)
            )
        except AbortError:
            return self._failed("aborted", ABORTED)
        except Exception as error:
            if self._signal.aborted:
                return self._failed("aborted", ABORTED)
            return self._failed("error", error_text(error))

    async def _tell(self, stream: StreamFunction, build: BuildRequest) -> AssistantMessage:
        request = await build()
        events = stream(request.model, request.context, request.options)
        try:
            async for event in events:
                if isinstance(event, StreamDone):
                    return _completed(event)
                if isinstance(event, StreamError):
                    return _ended(event.error, event.reason, event.error.error_message)
                await self._tell_of(event)
        finally:
            await _close(events)
        raise RuntimeError("The stream ended without a final event")

    async def _tell_of(self, event: StreamStart | StreamProgress | BlockEvent) -> None:
        if isinstance(event, StreamProgress):
            await self._emit(PromptProgress(event.activity, event.done, event.total))
            return
        if self._live is None:
            self._live = event.partial
            await self._emit(MessageStart(event.partial))
        if not isinstance(event, StreamStart):
            await self._emit(MessageUpdate(event.partial, event))

    def _failed(self, reason: Literal["error", "aborted"], text: str) -> AssistantMessage:
        """Return what arrived as a failed answer; an empty one if nothing did."""
        model = self._model
        message = self._live or AssistantMessage(
            content=[] if reason == "aborted" else [TextContent(text="")],
            api=model.api,
            provider=model.provider,
            model=model.id,
            timestamp=round(self._clock.now() * 1000),
        )
        return _ended(message, reason, text)


def _completed(event: StreamDone) -> AssistantMessage:
    message = event.message
    if message.stop_reason == "pending":
        message.stop_reason = event.reason
    message.error_message = None
    return message


def _ended(
    message: AssistantMessage, reason: Literal["error", "aborted"], text: str | None
) -> AssistantMessage:
    message.stop_reason = reason
    message.error_message = text or "Unknown error"
    return message


async def _close(events: AsyncIterator[StreamEvent]) -> None:
    close = getattr(events, "aclose", None)
    if close is not None:
        await close()
