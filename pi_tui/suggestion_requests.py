"""Asks a provider of suggestions: one request at a time, and only the answer to the newest one counts."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import field
from functools import partial

from pi_tui.abort import AbortController, AbortSignal
from pi_tui.autocomplete import AutocompleteProvider, Suggestions
from pi_tui.frozen import frozen, slotted

_log = logging.getLogger("pi.tui.autocomplete")


@frozen
class SuggestionRequest:
    """What a provider is asked, and about which state of the text (`version`).

    `force` asks for a path whatever the word looks like; `applies_single` was asked for by a key that takes the
    only answer at once.
    """

    lines: list[str]
    line: int
    col: int
    version: int
    force: bool = False
    applies_single: bool = False
    delay: float = 0.0


@slotted
class SuggestionRequests:
    """Asks a provider, one request at a time; `deliver` gets the answer to the newest one only.

    A newer request aborts the running one and starts once that has returned, at the latest after
    `grace` seconds. Without a running event loop nothing is asked.
    """

    deliver: Callable[[SuggestionRequest, Suggestions | None], None]
    provider: AutocompleteProvider | None = None
    grace: float = 1.0
    _waiting: SuggestionRequest | None = None
    _running: AbortController | None = None
    _task: asyncio.Task[None] | None = None
    _failed: list[AutocompleteProvider] = field(default_factory=list)

    @property
    def pending(self) -> bool:
        """Whether an answer is still to come."""
        running = self._running is not None and not self._running.signal.aborted
        return running or self._waiting is not None

    def ask(self, request: SuggestionRequest) -> None:
        """Make `request` the newest one."""
        self.cancel()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        self._waiting = request
        if self._task is None or self._task.done():
            self._task = loop.create_task(self._work())

    def cancel(self) -> None:
        """Drop the newest request: its answer is no longer wanted."""
        self._waiting = None
        if self._running is not None:
            self._running.abort("the text has changed")

    async def settled(self) -> None:
        """Return when nothing is asked any more."""
        while self._task is not None and not self._task.done():
            await asyncio.wait({self._task})

    def close(self) -> None:
        """Stop at once, without waiting for the provider."""
        self.cancel()
        if self._task is not None:
            self._task.cancel()

    async def _work(self) -> None:
        while self._waiting is not None and self.provider is not None:
            request, self._waiting = self._waiting, None
            self._running = AbortController()
            signal = self._running.signal
            try:
                answer = await self._answer(self.provider, request, signal)
            finally:
                self._running = None
            if not signal.aborted:
                self.deliver(request, answer)

    async def _answer(
        self, provider: AutocompleteProvider, request: SuggestionRequest, signal: AbortSignal
    ) -> Suggestions | None:
        if request.delay and await _is_aborted_within(signal, request.delay):
            return None
        asking = asyncio.ensure_future(
            provider.get_suggestions(
                request.lines, request.line, request.col, signal=signal, force=request.force
            )
        )
        forget = signal.on_abort(partial(self._cancel_later, asking))
        try:
            await asyncio.wait({asking})
            return None if asking.cancelled() else asking.result()
        except Exception:
            self._report(provider)
            return None
        finally:
            forget()
            asking.cancel()

    def _cancel_later(self, asking: asyncio.Future[Suggestions | None]) -> None:
        asyncio.get_running_loop().call_later(self.grace, asking.cancel)

    def _report(self, provider: AutocompleteProvider) -> None:
        if provider not in self._failed:
            self._failed.append(provider)
            _log.exception("the suggestions of %s failed", type(provider).__name__)


async def _is_aborted_within(signal: AbortSignal, seconds: float) -> bool:
    try:
        await asyncio.wait_for(signal.wait(), seconds)
    except TimeoutError:
        return False
    return True
