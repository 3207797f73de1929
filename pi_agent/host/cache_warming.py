"""Keeps a prompt in the provider's cache: asks the last request again, for one token, before it is forgotten there.

A prompt that has to be read anew costs much more than a few such requests. Whether one is worth it is a matter of
prices and of how likely it is that the conversation goes on; extensions may decide otherwise.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Final, Literal

from pi_agent.base.clock import Clock
from pi_agent.extensions.events import CacheWarmingDecisionEvent, WarmingAction
from pi_agent.host.request_settings import WarmingMode
from pi_agent.llm.cache_cost import miss_cost, warm_cost
from pi_agent.llm.messages import AssistantMessage
from pi_agent.llm.model import Model
from pi_agent.llm.stream import StreamFunction, answer_of
from pi_agent.llm.usage import Usage
from pi_agent.loop.events import AgentEvent, EntryAppended, MessageEnd
from pi_agent.loop.response import Request
from pi_agent.loop.summary_events import CompactionEnd
from pi_tui.abort import AbortController
from pi_tui.frozen import frozen, slotted

Phase = Literal["streaming", "idle"]

_SHARE_OF_LIFE: Final = 0.9
_LEAST_MARGIN: Final = 10.0
_LEAST_GAIN: Final = 0.05
# How likely another request is, and how long after the last one of the conversation it is still waited for.
_PROBABILITY: Final[Mapping[Phase, float]] = {"streaming": 1.0, "idle": 0.15}
_PATIENCE: Final[Mapping[Phase, float]] = {"streaming": 3600.0, "idle": 1800.0}

_log = logging.getLogger("pi.cache")


@frozen(kw_only=True)
class WarmingSource:
    """What the warmer asks when a refresh is due, and whom it tells what one took."""

    stream: StreamFunction
    clock: Clock
    mode: Callable[[], WarmingMode]
    phase: Callable[[], Phase]
    model: Callable[[], Model | None]
    decide: Callable[[CacheWarmingDecisionEvent], Awaitable[WarmingAction]]
    warmed: Callable[[Model, Usage], Awaitable[None]]


@frozen
class _Moment:
    """A moment by two clocks: one goes on while the machine sleeps, the other never goes back."""

    now: float
    monotonic: float

    @classmethod
    def of(cls, clock: Clock) -> _Moment:
        return cls(clock.now(), clock.monotonic())

    def until(self, later: _Moment) -> float:
        return max(later.now - self.now, later.monotonic - self.monotonic)


@slotted
class _Prompt:
    """A prompt that may be kept warm: when the conversation asked it, and when it was last read."""

    request: Request
    asked: _Moment
    read: _Moment
    usage: Usage


class CacheWarmer:
    """Watches the requests of one conversation, and repeats the last one while that pays."""

    def __init__(self, source: WarmingSource) -> None:
        self._source = source
        self._sent: tuple[Request, _Moment] | None = None
        self._task: asyncio.Task[None] | None = None
        self._abort = AbortController()

    def sent(self, request: Request) -> None:
        """Note a request of the conversation: it refreshes the cache itself."""
        self.stop()
        self._sent = (request, _Moment.of(self._source.clock))

    def heard(self, event: AgentEvent) -> None:
        """Go on from an answer; stop when the context is no longer what was asked."""
        if isinstance(event, MessageEnd) and isinstance(event.message, AssistantMessage):
            self._answered(event.message)
        elif _changes_context(event):
            self.stop()

    def stop(self) -> None:
        """Refresh nothing until the next request."""
        self._sent = None
        self._abort.abort("The cache is left alone")
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _answered(self, message: AssistantMessage) -> None:
        sent, self._sent = self._sent, None
        if sent is None or message.stop_reason in ("error", "aborted"):
            return
        request, asked = sent
        life = _seconds_kept(request)
        if life is not None and _is_cached(message.usage) and self._source.mode() != "off":
            self._abort = AbortController()
            prompt = _Prompt(request, asked, asked, message.usage)
            self._task = asyncio.create_task(self._keep_quietly(prompt, life))

    async def _keep_quietly(self, prompt: _Prompt, life: float) -> None:
        """Keep a prompt; what goes wrong costs a cache, and nobody is bothered with it."""
        try:
            await self._keep(prompt, life)
        except Exception:
            _log.exception("a prompt could not be kept warm")

    async def _keep(self, prompt: _Prompt, life: float) -> None:
        """Read a prompt again each time shortly before it is forgotten, until that makes no sense any more."""
        wait = min(_SHARE_OF_LIFE * life, life - _LEAST_MARGIN)
        deadline = wait + (life - wait) / 2
        while await self._is_due(prompt, wait, deadline):
            answer = await self._ask_again(prompt)
            if answer.stop_reason in ("error", "aborted"):
                _log.info("a prompt could not be kept warm: %s", answer.error_message)
                return
            prompt.usage = answer.usage
            await self._source.warmed(prompt.request.model, answer.usage)
            if not _is_cached(answer.usage):
                return

    async def _is_due(self, prompt: _Prompt, wait: float, deadline: float) -> bool:
        clock = self._source.clock
        await clock.sleep(wait - prompt.read.until(_Moment.of(clock)))
        if not self._may_go_on(prompt):
            return False
        action = await self._source.decide(self._proposal(prompt))
        in_time = prompt.read.until(_Moment.of(clock)) <= deadline
        return action == "warm" and in_time and self._may_go_on(prompt)

    def _may_go_on(self, prompt: _Prompt) -> bool:
        source, phase = self._source, self._source.phase()
        mode, model = source.mode(), source.model()
        if mode == "off" or (mode == "streaming" and phase == "idle"):
            return False
        is_same = model is not None and model.reference == prompt.request.model.reference
        return is_same and prompt.asked.until(_Moment.of(source.clock)) <= _PATIENCE[phase]

    def _proposal(self, prompt: _Prompt) -> CacheWarmingDecisionEvent:
        price, probability = prompt.request.model.cost, _PROBABILITY[self._source.phase()]
        missed, warm = miss_cost(prompt.usage, price), warm_cost(prompt.usage, price)
        pays = probability * missed - warm >= _LEAST_GAIN
        return CacheWarmingDecisionEvent(warm, missed, probability, "warm" if pays else "stop")

    async def _ask_again(self, prompt: _Prompt) -> AssistantMessage:
        request, source = prompt.request, self._source
        options = replace(request.options, max_tokens=1, max_retries=0, signal=self._abort.signal)
        prompt.read = _Moment.of(source.clock)
        return await answer_of(source.stream(request.model, request.context, options))


def _changes_context(event: AgentEvent) -> bool:
    if isinstance(event, CompactionEnd):
        return event.result is not None
    return isinstance(event, EntryAppended) and event.entry.get("type") == "context_edit"


def _seconds_kept(request: Request) -> float | None:
    """Return how long the provider keeps this prompt; `None` if nobody knows, or hardly at all."""
    kept = (request.model.prompt_cache or {}).get(request.options.cache_retention)
    return kept if kept is not None and kept > _LEAST_MARGIN else None


def _is_cached(usage: Usage) -> bool:
    return bool(usage.cache_read or usage.cache_write)
