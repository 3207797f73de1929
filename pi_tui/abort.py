"""Cancelling long work: a controller that fires, and the signal that work looks at.

Plain asyncio, shared by the toolkit and the agent. A signal fires once and stays fired; listeners added
afterwards run at once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")

_log = logging.getLogger("pi.abort")


class AbortError(Exception):
    """Raised by `AbortSignal.raise_if_aborted` once the signal has fired."""


class AbortSignal:
    """What work gets to learn that it should stop. Made by `AbortController`."""

    def __init__(self) -> None:
        self._reason: str | None = None
        self._aborted = False
        self._listeners: list[Callable[[], None]] = []

    @property
    def aborted(self) -> bool:
        """Whether the signal has fired."""
        return self._aborted

    @property
    def reason(self) -> str | None:
        """Why it fired, in words for a person; `None` before."""
        return self._reason

    def on_abort(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` when the signal fires (at once if it has); returns the unsubscriber."""
        if self._aborted:
            callback()
            return lambda: None
        self._listeners.append(callback)

        def unsubscribe() -> None:
            if callback in self._listeners:
                self._listeners.remove(callback)

        return unsubscribe

    def raise_if_aborted(self) -> None:
        """Raise `AbortError` if the signal has fired."""
        if self._aborted:
            raise AbortError(self._reason or "Operation aborted")

    async def wait(self) -> None:
        """Return when the signal fires."""
        if self._aborted:
            return
        fired = asyncio.Event()
        unsubscribe = self.on_abort(fired.set)
        try:
            await fired.wait()
        finally:
            unsubscribe()

    @classmethod
    def any(cls, *signals: AbortSignal) -> AbortSignal:
        """Return a signal that fires with the first of `signals`."""
        combined = cls()
        for signal in signals:
            signal.on_abort(lambda signal=signal: combined._fire(signal.reason))  # type: ignore[misc]  # mypy can't infer the default of a lambda argument
        return combined

    def _fire(self, reason: str | None) -> None:
        if self._aborted:
            return
        self._aborted = True
        self._reason = reason
        listeners, self._listeners = self._listeners, []
        for listener in listeners:
            try:
                listener()
            except Exception:
                _log.exception("an abort listener failed")


class AbortController:
    """The side that decides: owns a `signal` and fires it."""

    def __init__(self) -> None:
        self.signal = AbortSignal()

    def abort(self, reason: str | None = None) -> None:
        """Fire the signal; later calls do nothing."""
        self.signal._fire(reason)


async def unless_aborted(signal: AbortSignal, work: Awaitable[T]) -> T | None:
    """Return what `work` returns; if the signal fires first, cancel it and return `None` at once."""
    task = asyncio.ensure_future(work)

    def stop() -> None:
        task.cancel()

    forget = signal.on_abort(stop)
    try:
        await asyncio.wait({task})
        return None if task.cancelled() else task.result()
    finally:
        forget()
        task.cancel()
