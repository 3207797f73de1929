"""Calls of extension code that are waited for: until it ends, is skipped, or the run is aborted."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Final, Literal

from pi_agent.extensions.guard import ENDED_EARLY, ExtensionGuard
from pi_agent.extensions.registry import Extension
from pi_agent.extensions.waiting import EndReason, HandlerCall, Waiting, current_call
from pi_tui.abort import AbortSignal
from pi_tui.frozen import frozen

_TIDY_SECONDS: Final = 1.0


@frozen
class Outcome:
    """How a call of extension code ended."""

    how: Literal["returned", "failed", "skipped", "aborted"]
    value: object = None
    error: BaseException | None = None


class ExtensionCalls:
    """The calls of one generation. `now` is a monotonic clock, `run_signal` gives the signal of the run."""

    def __init__(
        self, now: Callable[[], float], run_signal: Callable[[], AbortSignal | None]
    ) -> None:
        self._now = now
        self._run_signal = run_signal
        self._calls: list[HandlerCall] = []
        self._tasks: set[asyncio.Task[Outcome]] = set()

    async def call(
        self,
        extension: Extension,
        function: Callable[[], object],
        guard: ExtensionGuard,
        shown_as: str,
        *,
        signal: AbortSignal | None = None,
    ) -> Outcome:
        """Call code of an extension and wait until it ends, is skipped, or `signal` fires."""
        with extension.lifetime.in_use():
            attempt = guard.call(function)
            if attempt.error is not None:
                return Outcome("failed", error=attempt.error)
            if not inspect.isawaitable(attempt.value):
                return Outcome("returned", attempt.value)
            call = HandlerCall(extension.name, shown_as, self._now)
            # A task of its own can be cancelled, and left behind if it does not let itself be.
            task = asyncio.create_task(_run(extension, attempt.value, guard, call))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            task.add_done_callback(lambda task, work=attempt.value: _close(work))  # type: ignore[misc]  # mypy can't infer the default of a lambda argument
            outcome = await self._wait(task, call, signal)
            return self._judged(extension, outcome, guard)

    def waiting(self) -> Waiting | None:
        """Return the call that has been waited for longest; `None` if none is.

        A handler with a dialog open is not waited for: the person is.
        """
        call = self._longest()
        return call.waiting() if call else None

    def skip_current(self) -> bool:
        """Stop waiting for what `waiting` returns: it is cancelled."""
        call = self._longest()
        if call is not None:
            call.give_up("skipped")
        return call is not None

    async def aclose(self) -> None:
        """Cancel what still runs."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_TIDY_SECONDS)

    async def _wait(
        self, task: asyncio.Task[Outcome], call: HandlerCall, signal: AbortSignal | None
    ) -> Outcome:
        unsubscribe = signal.on_abort(lambda: call.give_up("aborted")) if signal else None
        self._calls.append(call)
        try:
            either: set[asyncio.Future[Outcome] | asyncio.Future[EndReason]]
            either = {task, call.given_up}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._calls.remove(call)
            if unsubscribe is not None:
                unsubscribe()
            task.cancel()
        if not task.done():
            return Outcome(call.given_up.result())
        return _CANCELLED if task.cancelled() else task.result()

    def _judged(self, extension: Extension, outcome: Outcome, guard: ExtensionGuard) -> Outcome:
        """Tell code that gave up because it was told to from code that failed."""
        if not isinstance(outcome.error, ENDED_EARLY):
            return outcome
        signal = self._run_signal()
        if extension.lifetime.ended or (signal is not None and signal.aborted):
            return Outcome("aborted")
        guard.failed(outcome.error)
        return outcome

    def _longest(self) -> HandlerCall | None:
        waited_for = [(each.waiting(), each) for each in self._calls]
        oldest = min(
            ((waiting.since, call) for waiting, call in waited_for if waiting is not None),
            key=lambda pair: pair[0],
            default=None,
        )
        return oldest[1] if oldest else None


def _close(work: Awaitable[object]) -> None:
    """Let go of a coroutine that was cancelled before its first step; else Python complains of it."""
    if inspect.iscoroutine(work) and inspect.getcoroutinestate(work) == inspect.CORO_CREATED:
        work.close()


_CANCELLED: Final = Outcome("failed", error=asyncio.CancelledError())


async def _run(
    extension: Extension, work: Awaitable[object], guard: ExtensionGuard, call: HandlerCall
) -> Outcome:
    current_call.set(call)
    with extension.lifetime.in_use():
        attempt = await guard.run(work)
    if attempt.error is not None:
        return Outcome("failed", error=attempt.error)
    return Outcome("returned", attempt.value)
