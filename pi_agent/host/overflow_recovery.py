"""After a run: what is done about a context that has become too long, and whether the model is asked again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from pi_agent.host.compactor import Compactor
from pi_agent.host.selection import ModelSelection
from pi_agent.llm.messages import AssistantMessage, Message, UserMessage
from pi_agent.llm.overflow import Overflow, overflow_of
from pi_tui.abort import AbortSignal

_STILL_TOO_LONG: Final = (
    "the request is too long even after a compaction."
    " Say less, or choose a model with a larger context window."
)


class OverflowRecovery:
    """Once for each thing that is said, a request that was too long is made again with a summary in it.

    `forget` hides an answer from the model.
    """

    def __init__(
        self,
        compactor: Compactor,
        selection: ModelSelection,
        forget: Callable[[AssistantMessage], Awaitable[None]],
    ) -> None:
        self._compactor = compactor
        self._selection = selection
        self._forget = forget
        self._was_tried = False
        self._last: AssistantMessage | None = None

    def take(self, message: Message) -> None:
        """Note what was said, and how an answer ended."""
        if isinstance(message, UserMessage):
            self._was_tried = False
        elif isinstance(message, AssistantMessage):
            self._last = message
            if message.stop_reason not in ("error", "length"):
                self._was_tried = False

    async def settle(self, signal: AbortSignal) -> bool:
        """Compact after a run where that is needed; returns whether the model is to be asked again."""
        last, self._last = self._last, None
        if last is None or signal.aborted or last.stop_reason == "aborted":
            return False
        overflow = self._overflow(last)
        if overflow is None:
            await self._compactor.check(signal)
            return False
        if overflow == "silent":
            await self._compactor.attempt("overflow", signal)
            return False
        return await self._recover(last, overflow, signal)

    async def _recover(
        self, last: AssistantMessage, overflow: Overflow, signal: AbortSignal
    ) -> bool:
        if self._was_tried:
            await self._compactor.refuse("overflow", _STILL_TOO_LONG)
            return False
        if overflow == "cut" and not self._compactor.has_something():
            return False  # what there is of the answer is worth more than nothing
        self._was_tried = True
        await self._forget(last)
        return await self._compactor.attempt("overflow", signal, will_retry=True)

    def _overflow(self, last: AssistantMessage) -> Overflow | None:
        model, settings = self._selection.model, self._compactor.settings()
        if model is None or settings is None or not settings.enabled:
            return None
        if (last.provider, last.model) != (model.provider, model.id):
            return None  # another model is asked from now on
        return overflow_of(last, model)
