"""OpenAI's chat completions protocol, which most servers speak.

See https://platform.openai.com/docs/api-reference/chat
"""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing

from pi_agent.base.clock import Clock
from pi_agent.base.errors import PiError
from pi_agent.base.http import HttpClient, NetworkError, encode_json
from pi_agent.base.sse import SseDecoder, SseEvent
from pi_agent.base.wire import JsonObject, JsonValue, ValidationError
from pi_agent.llm.model import Model
from pi_agent.llm.providers.failures import (
    body_text,
    chunk_error_text,
    redact,
    secrets_of,
)
from pi_agent.llm.providers.openai_compat import ChatCompat, compat_of
from pi_agent.llm.providers.openai_messages import THINKING_FIELDS
from pi_agent.llm.providers.openai_request import request_body, request_headers
from pi_agent.llm.providers.sending import OutgoingRequest, RefusedError, Sender
from pi_agent.llm.stream import (
    Context,
    MessageBuilder,
    StreamEvent,
    StreamOptions,
    StreamProgress,
)
from pi_agent.llm.usage import Cost, Usage
from pi_tui.abort import AbortError
from pi_tui.frozen import frozen

_log = logging.getLogger("pi.llm")

_MAX_QUOTE_CHARS = 200

# How long to wait for the end of a body whose content is complete.
_DRAIN_SECONDS = 0.05


class OpenAiChat:
    """Speaks the protocol; an instance is a `StreamFunction`."""

    def __init__(self, http: HttpClient, clock: Clock) -> None:
        self._sender = Sender(http, clock)
        self._clock = clock

    async def __call__(
        self, model: Model, context: Context, options: StreamOptions
    ) -> AsyncIterator[StreamEvent]:
        """Send one request and yield the events of its answer; see `StreamFunction`."""
        builder = MessageBuilder(model, int(self._clock.now() * 1000))
        try:
            async with aclosing(self._events(model, context, options, builder)) as events:
                async for event in events:
                    yield event
            return
        except AbortError:
            failure = builder.abort()
        except RefusedError as error:
            failure = builder.fail(_without_secrets(error.message, model, options))
            if error.delay is not None:
                failure.error.diagnostics = {"retryAfterMs": round(error.delay * 1000)}
        except PiError as error:
            failure = builder.fail(_without_secrets(error.message, model, options))
        except Exception as error:
            # A hook, or something no server was ever seen to send: the run goes on, the log keeps the rest.
            _log.exception("the answer of %s failed", model.reference)
            text = f"{type(error).__name__}: {error}"
            failure = builder.fail(_without_secrets(text, model, options))
        yield failure

    async def _events(
        self, model: Model, context: Context, options: StreamOptions, builder: MessageBuilder
    ) -> AsyncGenerator[StreamEvent, None]:
        if options.signal is not None:
            options.signal.raise_if_aborted()
        compat = _compat(model)
        payload = request_body(model, context, options, compat)
        if options.on_payload is not None:
            payload = await options.on_payload(payload, model) or payload
        answer = _Answer(builder, compat)
        request = OutgoingRequest(
            f"{model.base_url.rstrip('/')}/chat/completions",
            request_headers(model, options, compat),
            encode_json(payload),
        )
        async with self._sender.accepted(request, options) as response:
            try:
                async with aclosing(response.chunks()) as chunks:
                    async for chunk in chunks:
                        for event in answer.read(chunk):
                            yield event
                        if answer.is_complete:
                            break
            except NetworkError:
                # Only the usage can be missing once the model has said why it stopped.
                if not answer.has_finish_reason:
                    raise
            if answer.is_complete:
                await response.drain(_DRAIN_SECONDS)
        for event in answer.end():
            yield event


def _compat(model: Model) -> ChatCompat:
    try:
        return compat_of(model)
    except ValidationError as error:
        first = error.errors()[0]
        path = ".".join(str(part) for part in first["loc"])
        raise PiError(f"compat.{path} of {model.reference}: {first['msg']}") from error


def _without_secrets(text: str, model: Model, options: StreamOptions) -> str:
    headers = (model.headers or {}) | options.headers
    return redact(text, secrets_of(options.api_key, headers))


class _Answer:
    """Reads the body of a response into a message."""

    def __init__(self, builder: MessageBuilder, compat: ChatCompat) -> None:
        self.is_complete = False
        self._builder = builder
        self._compat = compat
        self._decoder = SseDecoder()
        self._has_data = False
        self._finish_reason: str | None = None
        self._calls: list[_OpenCall] = []

    @property
    def has_finish_reason(self) -> bool:
        """Whether the model has said why it stopped."""
        return self._finish_reason is not None

    def read(self, chunk: bytes) -> Iterator[StreamEvent]:
        """Yield the events that `chunk` brings. Raises `PiError` for what cannot be an answer."""
        return self._read_all(self._decoder.feed(chunk))

    def end(self) -> Iterator[StreamEvent]:
        """Yield the last events; to be called when the body has ended."""
        if not self.is_complete:
            yield from self._read_all(self._decoder.close())
        reason = self._finish_reason
        if reason is None:
            if not self._has_data or self._compat.supports_finish_reason:
                raise PiError(self._why_unfinished())
            reason = "stop"
        self._builder.message.raw_stop_reason = self._finish_reason
        match reason:
            case "stop" | "end":
                yield from self._builder.finish("stop")
            case "length":
                yield from self._builder.finish("length")
            case "tool_calls" | "function_call":
                yield from self._builder.finish("toolUse")
            case _:
                raise PiError(f"The provider ended the answer with finish_reason {reason}")

    def _why_unfinished(self) -> str:
        stray = self._decoder.stray.strip()
        if stray:
            said = body_text(stray.removeprefix("error:").strip())
            if self._has_data:
                return f"stream ended without finish_reason: {said}"
            return f"The server sent no event stream: {said}"
        if self._has_data:
            return "stream ended without finish_reason"
        return "stream ended without any data: the body of the response is empty"

    def _read_all(self, sse_events: list[SseEvent]) -> Iterator[StreamEvent]:
        for sse_event in sse_events:
            if sse_event.data == "[DONE]":
                self.is_complete = True
                return
            if sse_event.data.strip():
                yield from self._read_event(sse_event)

    def _read_event(self, sse_event: SseEvent) -> list[StreamEvent]:
        try:
            chunk: JsonValue = json.loads(sse_event.data)
        except (ValueError, RecursionError) as error:
            line = sse_event.data[:_MAX_QUOTE_CHARS]
            raise PiError(f"The server sent an event that is not JSON: {line}") from error
        if sse_event.event == "error":
            raise PiError(chunk_error_text(chunk))
        if not isinstance(chunk, dict):
            return []
        if chunk.get("error"):
            raise PiError(chunk_error_text(chunk["error"]))
        self._has_data = True
        return self._read_chunk(chunk)

    def _read_chunk(self, chunk: JsonObject) -> list[StreamEvent]:
        choices = chunk.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            choice = {}
        usage = chunk.get("usage") or choice.get("usage")
        events: list[StreamEvent] = []
        if choice or usage:
            self._note_origin(chunk)
            events += self._builder.start()
        if isinstance(usage, dict):
            self._builder.usage(_usage(usage))
        events += _progress(chunk.get("prompt_progress"))
        delta = choice.get("delta")
        if isinstance(delta, dict):
            events += self._read_delta(delta)
        reason = choice.get("finish_reason")
        if isinstance(reason, str) and reason:
            self._finish_reason = reason
        return events

    def _note_origin(self, chunk: JsonObject) -> None:
        message = self._builder.message
        response_id, model = chunk.get("id"), chunk.get("model")
        if message.response_id is None and isinstance(response_id, str):
            message.response_id = response_id
        if message.response_model is None and isinstance(model, str) and model != message.model:
            message.response_model = model or None

    def _read_delta(self, delta: JsonObject) -> list[StreamEvent]:
        events: list[StreamEvent] = []
        for field in THINKING_FIELDS:
            thought = delta.get(field)
            if isinstance(thought, str) and thought:
                events += self._builder.thinking(thought, field)
                break
        for field in ("content", "refusal"):
            text = delta.get(field)
            if isinstance(text, str) and text:
                events += self._builder.text(text)
        calls = delta.get("tool_calls")
        for call in calls if isinstance(calls, list) else ():
            if isinstance(call, dict):
                events += self._read_call(call)
        return events

    def _read_call(self, delta: JsonObject) -> list[StreamEvent]:
        function = delta.get("function")
        if not isinstance(function, dict):
            function = {}
        call_id, name = _text(delta.get("id")), _text(function.get("name"))
        position = delta.get("index")
        if not isinstance(position, int):
            position = None
        events: list[StreamEvent] = []
        call = self._find_call(position, call_id)
        if call is None:
            index, events = self._builder.open_call(call_id, name)
            call = _OpenCall(index, position, call_id)
            self._calls.append(call)
        else:
            self._builder.name_call(call.index, call_id, name)
        arguments = function.get("arguments")
        if isinstance(arguments, dict):
            arguments = json.dumps(arguments)
        return events + self._builder.call_delta(call.index, _text(arguments))

    def _find_call(self, position: int | None, call_id: str) -> _OpenCall | None:
        """Find by index; without one by id; without both it is the last call."""
        if position is not None:
            return next((call for call in self._calls if call.position == position), None)
        if call_id:
            return next((call for call in self._calls if call.call_id == call_id), None)
        return self._calls[-1] if self._calls else None


@frozen
class _OpenCall:
    index: int
    position: int | None
    call_id: str


def _progress(wire: JsonValue) -> list[StreamEvent]:
    """Read how far a llama.cpp server is with the prompt; what it knows from before counts as nothing to do."""
    if not isinstance(wire, dict):
        return []
    known = _count(wire, "cache")
    done, total = _count(wire, "processed") - known, _count(wire, "total") - known
    return [StreamProgress("reading", done, total)] if 0 <= done <= total else []


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""


def _usage(wire: JsonObject) -> Usage:
    read = _count(wire, "prompt_tokens_details", "cached_tokens") or _count(
        wire, "prompt_cache_hit_tokens"
    )
    written = _count(wire, "prompt_tokens_details", "cache_write_tokens")
    usage = Usage(
        input=max(0, _count(wire, "prompt_tokens") - read - written),
        output=_count(wire, "completion_tokens"),
        cache_read=read,
        cache_write=written,
        reasoning=_count(wire, "completion_tokens_details", "reasoning_tokens") or None,
        total_tokens=_count(wire, "total_tokens"),
    )
    cost = wire.get("cost")
    if isinstance(cost, int | float) and not isinstance(cost, bool):
        usage.cost = Cost(total=float(cost), total_from_provider=True)
    return usage


def _count(wire: JsonObject, *path: str) -> int:
    value: JsonValue = wire
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return int(value) if isinstance(value, int | float) and value > 0 else 0
