"""Whether the `pi` and the contexts of an extension may still be used, and when its code is gone.

An extension of a past generation must not act on the session that replaced it.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TypeVar

from pi_agent.base.errors import PiError
from pi_tui.abort import AbortController, AbortSignal

T = TypeVar("T")


class StaleContextError(PiError):
    """A `pi` or `ctx` was used after its session was replaced or reloaded."""


class ExtensionFailedError(PiError):
    """A `pi` was used after its extension failed to load."""


class Lifetime:
    """The life of one extension in one generation. Belongs to the running event loop.

    `on_gone` is called once the life has ended and none of the extension's code runs any more.
    """

    def __init__(self, on_gone: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._on_gone = on_gone
        self._end_error: Callable[[], PiError] | None = None
        self._ending = AbortController()
        self._lock = threading.Lock()
        self._users = 0

    @property
    def ended(self) -> bool:
        """Whether the generation is over."""
        return self._end_error is not None

    @property
    def ending(self) -> AbortSignal:
        """Fires when the generation ends."""
        return self._ending.signal

    def check(self) -> None:
        """Raise if the generation is over."""
        if self._end_error is not None:
            raise self._end_error()

    def end(self, message: str) -> None:
        """Let every further use raise `StaleContextError` with `message`, which says what to do instead."""
        self._end(lambda: StaleContextError(message))

    def fail(self, message: str) -> None:
        """Let every further use raise `ExtensionFailedError`."""
        self._end(lambda: ExtensionFailedError(message))

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Keep the extension's modules in place while its code runs, in whichever thread."""
        with self._lock:
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
            self._release()

    def call(self, function: Callable[[], T]) -> T:
        """Check, and call `function` on the loop's thread; from another thread, wait for its result."""
        self.check()
        if threading.get_ident() == self._thread:
            return function()
        result: Future[T] = Future()

        def run() -> None:
            try:
                result.set_result(function())
            except Exception as error:
                result.set_exception(error)

        self._loop.call_soon_threadsafe(run)
        return result.result()

    def _end(self, error: Callable[[], PiError]) -> None:
        if self._ending.signal.aborted:
            return
        # What is on the screen goes first: its `dispose` may still use `pi` and `ctx`.
        self._ending.abort("The session of this extension has ended")
        self._end_error = error
        self._release()

    def _release(self) -> None:
        if self.ended and self._users == 0:
            self._on_gone()
