"""Models that play a script: the offline `demo` provider, and the double that tests use.

What they stream is reproducible: the cuts come from a seeded generator, the time from a clock.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from dataclasses import field
from typing import TypeVar

from pi_agent.base.clock import Clock, SystemClock, within
from pi_agent.base.errors import PiError
from pi_agent.llm.messages import AssistantMessage, UserMessage, text_of
from pi_agent.llm.model import Model
from pi_agent.llm.provider import Provider
from pi_agent.llm.script import (
    SCRIPT_VARIABLE,
    ScriptedText,
    ScriptedThinking,
    Step,
    arguments_text,
    blocks_of,
    read_script,
)
from pi_agent.llm.stream import Context, MessageBuilder, StreamEvent, StreamOptions
from pi_agent.llm.transform import convert_to_llm
from pi_agent.llm.usage import Usage
from pi_tui.abort import AbortError, AbortSignal
from pi_tui.frozen import slotted

DEMO_API = "demo"
OUT_OF_STEPS = "No more demo responses queued"

_CHARS_PER_TOKEN = 4
_LEAST_TOKENS, _MOST_TOKENS = 3, 5


@slotted
class ScriptState:
    """What a test double was asked so far, the present request included."""

    requests: list[Context] = field(default_factory=list)

    @property
    def call_count(self) -> int:
        """How many requests there were."""
        return len(self.requests)


StepFunction = Callable[[Context, StreamOptions, ScriptState, Model], AssistantMessage | Step]
Response = Step | StepFunction | AssistantMessage | str


_R = TypeVar("_R", bound=Response)


class FauxProvider:
    """A stream function that plays `responses`, one for each request; a string is a step with that text.

    `state.requests` keeps what it was asked. `append` queues more.
    """

    def __init__(
        self, responses: Iterable[Response] = (), *, clock: Clock | None = None, seed: int = 0
    ) -> None:
        self.state = ScriptState()
        self._player = _Player(clock or SystemClock(), seed)
        self._responses: list[Response] = list(responses)

    @property
    def remaining(self) -> int:
        """How many responses are still queued."""
        return len(self._responses)

    def append(self, *responses: Response) -> None:
        """Queue more responses."""
        self._responses.extend(responses)

    def __call__(
        self, model: Model, context: Context, options: StreamOptions
    ) -> AsyncIterator[StreamEvent]:
        """Play the next response that fits; see `StreamFunction`."""
        asked = Context(context.system_prompt, list(context.messages), list(context.tools))
        self.state.requests.append(asked)
        return self._player.play(self._next(asked, options, model), model, context, options)

    def _next(self, context: Context, options: StreamOptions, model: Model) -> Step:
        if options.signal is not None and options.signal.aborted:
            return Step()
        response = _take(self._responses, context)
        if response is None:
            return Step(error=OUT_OF_STEPS)
        if isinstance(response, Step | AssistantMessage | str):
            return _as_step(response)
        return _as_step(response(context, options, self.state, model))


class DemoProvider:
    """The stream function of the provider `demo`. The script is read at its first request."""

    def __init__(self, environ: Mapping[str, str], clock: Clock) -> None:
        self._environ = environ
        self._player = _Player(clock, seed=0)
        self._script: list[Step] | None = None

    def __call__(
        self, model: Model, context: Context, options: StreamOptions
    ) -> AsyncIterator[StreamEvent]:
        """Answer as the model's id says; see `StreamFunction`."""
        return self._player.play(self._next(model, context), model, context, options)

    def _next(self, model: Model, context: Context) -> Step:
        if model.id == "echo":
            return Step(text=_last_user_text(context) or "(no text)")
        if model.id == "tour":
            from pi_agent.llm.tour import tour_step

            return tour_step(context)
        try:
            if self._script is None:
                self._script = list(read_script(self._environ.get(SCRIPT_VARIABLE, "")))
        except PiError as error:
            return Step(error=error.message)
        return _take(self._script, context) or Step(error=OUT_OF_STEPS)


def demo_provider() -> Provider:
    """Return the provider `demo`: no network, no key, never chosen on its own."""
    names = {"echo": "Echo", "script": "Script", "tour": "Tour of pi"}
    models = tuple(
        Model(
            id=model_id,
            provider="demo",
            api=DEMO_API,
            name=name,
            input=["text", "image"],
            reasoning=model_id == "tour",
        )
        for model_id, name in names.items()
    )
    return Provider(
        id="demo",
        name="Demo",
        base_url="",
        api=DEMO_API,
        needs_key=False,
        takes_key=False,
        lists_models=False,
        on_request=True,
        models=models,
    )


class _Player:
    """Streams steps, and plays a server that caches the prompt of each session."""

    def __init__(self, clock: Clock, seed: int) -> None:
        self._clock = clock
        self._random = random.Random(seed)
        self._prompts: dict[str, str] = {}
        self._calls = 0

    async def play(
        self, step: Step, model: Model, context: Context, options: StreamOptions
    ) -> AsyncIterator[StreamEvent]:
        builder = MessageBuilder(model, int(self._clock.now() * 1000))
        pace = _Pace(self._clock, options.signal, step.tokens_per_second)
        try:
            if options.signal is not None:
                options.signal.raise_if_aborted()
            await pace.wait(step.delay_ms / 1000)
            tokens = 0
            builder.usage(self._prompt_usage(context, options.session_id))
            for event in builder.start():
                yield event
            for piece, events in self._events(step, builder):
                for event in events:
                    yield event
                tokens += _tokens(piece)
                await pace.after(_tokens(piece))
            counted = builder.message.usage.model_copy(update={"output": tokens, "total_tokens": 0})
            builder.usage(step.usage.model_copy() if step.usage else counted)
        except AbortError:
            yield builder.abort()
            return
        if step.error is not None:
            yield builder.fail(step.error)
        elif step.aborted is not None:
            yield builder.abort(step.aborted)
        else:
            for event in builder.finish(step.stop_reason or "stop"):
                yield event

    def _events(
        self, step: Step, builder: MessageBuilder
    ) -> Iterator[tuple[str, list[StreamEvent]]]:
        """Yield each piece of text with the events that announce it."""
        for block in blocks_of(step):
            builder.break_off()
            if isinstance(block, ScriptedText):
                for piece in self._cut(block.text):
                    yield piece, builder.text(piece)
            elif isinstance(block, ScriptedThinking):
                for piece in self._cut(block.thinking):
                    yield piece, builder.thinking(piece)
            else:
                self._calls += 1
                call_id = block.id or f"call_demo_{self._calls}"
                index, events = builder.open_call(call_id, block.name)
                yield block.name, events
                for piece in self._cut(arguments_text(block)):
                    yield piece, builder.call_delta(index, piece)

    def _cut(self, text: str) -> Iterator[str]:
        start = 0
        while start < len(text):
            tokens = self._random.randint(_LEAST_TOKENS, _MOST_TOKENS)
            end = start + tokens * _CHARS_PER_TOKEN
            yield text[start:end]
            start = end

    def _prompt_usage(self, context: Context, session_id: str | None) -> Usage:
        prompt = _prompt_text(context)
        if session_id is None:
            return Usage(input=_tokens(prompt))
        cached = _common_length(prompt, self._prompts.get(session_id, "")) // _CHARS_PER_TOKEN
        self._prompts[session_id] = prompt
        return Usage(cache_read=cached, cache_write=_tokens(prompt) - cached)


class _Pace:
    """Waits on a clock until the signal ends the wait."""

    def __init__(
        self, clock: Clock, signal: AbortSignal | None, tokens_per_second: float | None
    ) -> None:
        self._clock = clock
        self._signal = signal
        self._tokens_per_second = tokens_per_second

    async def wait(self, seconds: float) -> None:
        async with within(None, self._signal):
            # Even without a wait others get their turn, as with a real server.
            await (self._clock.sleep(seconds) if seconds > 0 else asyncio.sleep(0))

    async def after(self, tokens: int) -> None:
        await self.wait(tokens / self._tokens_per_second if self._tokens_per_second else 0)


def _take(responses: list[_R], context: Context) -> _R | None:
    """Return the first response that fits, and remove it unless it repeats."""
    for index, response in enumerate(responses):
        if isinstance(response, Step):
            if response.match is not None and response.match not in _last_user_text(context):
                continue
            if response.repeat:
                return response
        del responses[index]
        return response
    return None


def _as_step(response: Step | AssistantMessage | str) -> Step:
    if isinstance(response, Step):
        return response
    if isinstance(response, str):
        return Step(text=response)
    step = Step.from_wire({"content": response.to_wire()["content"]})
    if response.usage.total_tokens:
        step.usage = response.usage
    match response.stop_reason:
        case "stop" | "length" | "toolUse" as reason:
            step.stop_reason = reason
        case "error":
            step.error = response.error_message or ""
        case "aborted":
            step.aborted = response.error_message or ""
    return step


def _last_user_text(context: Context) -> str:
    for message in reversed(convert_to_llm(context.messages)):
        if isinstance(message, UserMessage):
            return text_of(message.content)
    return ""


def _prompt_text(context: Context) -> str:
    parts = [context.system_prompt]
    parts += [json.dumps(tool.to_wire()) for tool in context.tools]
    for message in convert_to_llm(context.messages):
        parts.append(json.dumps(message.to_wire().get("content"), ensure_ascii=False))
    return "\n".join(parts)


def _common_length(first: str, second: str) -> int:
    """Return how long the common beginning is, by halving: slices compare fast, characters do not."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _tokens(text: str) -> int:
    return -(-len(text) // _CHARS_PER_TOKEN)
