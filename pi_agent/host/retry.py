"""Asking again after a failure that may pass: when, how often, and what the conversation keeps of it.

The failed answer stays in the session and on the screen; only the model forgets it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from pi_agent.base.clock import Clock, within
from pi_agent.llm.messages import AssistantMessage
from pi_agent.llm.retry import is_retryable, requested_delay_ms
from pi_agent.loop.events import AgentEnd, AgentEvent, AutoRetryEnd, AutoRetryStart
from pi_agent.resources.settings import SettingsStore
from pi_tui.abort import AbortController, AbortError, AbortSignal
from pi_tui.frozen import frozen

CANCELLED = "Retry cancelled"


@frozen(kw_only=True)
class RetryPolicy:
    """How often a failed answer is asked for again; waits double from `base_delay_ms` on."""

    max_retries: int = 3
    base_delay_ms: int = 2000
    max_delay_ms: int = 60_000

    def delay_ms(self, attempt: int, message: AssistantMessage) -> int:
        """Return how long to wait before an attempt, the first of which is 1; a server may ask for more."""
        own = self.base_delay_ms << (attempt - 1)
        return min(max(own, requested_delay_ms(message)), self.max_delay_ms)


def policy_of(settings: SettingsStore) -> RetryPolicy:
    """Return what the settings say of retries."""
    enabled = settings.get_bool("retry.enabled")
    return RetryPolicy(
        max_retries=settings.get_number("retry.maxRetries") if enabled else 0,
        base_delay_ms=settings.get_number("retry.baseDelayMs"),
        max_delay_ms=settings.get_number("retry.maxAgentDelayMs"),
    )


class AutoRetry:
    """The attempts of one conversation.

    `forget` hides a failed answer from the model. `policy` is asked at each failure.
    """

    def __init__(
        self,
        policy: Callable[[], RetryPolicy],
        clock: Clock,
        emit: Callable[[AgentEvent], Awaitable[None]],
        forget: Callable[[AssistantMessage], Awaitable[None]],
    ) -> None:
        self._policy = policy
        self._clock = clock
        self._emit = emit
        self._forget = forget
        self._attempt = 0
        self._failed: AssistantMessage | None = None
        self._sleep: AbortController | None = None
        self.was_cancelled = False

    @property
    def is_waiting(self) -> bool:
        """Whether the next attempt is waited for."""
        return self._sleep is not None

    def begin(self) -> None:
        """Start counting for something new that is said."""
        self._attempt = 0
        self._failed = None
        self.was_cancelled = False

    def marked(self, event: AgentEnd) -> AgentEnd:
        """Return the end of a run, which says whether another attempt follows."""
        return replace(event, will_retry=self._will_retry())

    async def take(self, message: AssistantMessage) -> None:
        """Note how an answer ended; one that came through ends the attempts."""
        self._failed = message if message.stop_reason in ("error", "aborted") else None
        if self._failed is None and self._attempt:
            attempt, self._attempt = self._attempt, 0
            await self._emit(AutoRetryEnd(True, attempt))

    async def wait(self, signal: AbortSignal) -> bool:
        """Wait until it is time to ask again, and return whether to."""
        failed = self._failed
        if failed is None:
            return False
        if not self._will_retry() or signal.aborted:
            await self._give_up(failed.error_message or "")
            return False
        policy = self._policy()
        self._attempt += 1
        delay_ms = policy.delay_ms(self._attempt, failed)
        text = failed.error_message or ""
        await self._emit(AutoRetryStart(self._attempt, policy.max_retries, delay_ms, text))
        await self._forget(failed)
        if await self._slept(delay_ms / 1000, signal):
            return True
        self.was_cancelled = True
        await self._give_up(CANCELLED)
        return False

    def cancel(self) -> None:
        """Stop waiting, and ask no more."""
        if self._sleep is not None:
            self._sleep.abort(CANCELLED)

    def _will_retry(self) -> bool:
        if self._failed is None or not is_retryable(self._failed):
            return False
        return self._attempt < self._policy().max_retries

    async def _give_up(self, why: str) -> None:
        self._failed = None
        attempt, self._attempt = self._attempt, 0
        if attempt:
            await self._emit(AutoRetryEnd(False, attempt, why))

    async def _slept(self, seconds: float, signal: AbortSignal) -> bool:
        """Sleep; returns whether nobody cut it short."""
        self._sleep = AbortController()
        unsubscribe = signal.on_abort(self.cancel)
        try:
            async with within(None, self._sleep.signal):
                await self._clock.sleep(seconds)
        except AbortError:
            return False
        finally:
            unsubscribe()
            self._sleep = None
        return True
