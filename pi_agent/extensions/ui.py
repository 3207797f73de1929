"""What `ctx.ui` offers, the host's side of it, and the answers where there is no screen."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal, Protocol, get_args

from pi_agent.extensions.lifetime import Lifetime
from pi_agent.extensions.waiting import dialog_open
from pi_tui.abort import AbortController, AbortSignal

NotifyType = Literal["info", "warning", "error"]

_log = logging.getLogger("pi.extensions")


class ExtensionUI(Protocol):
    """How an extension talks to the person, in every mode."""

    def notify(self, message: str, type: NotifyType = "info") -> None:
        """Show a line without waiting for anybody."""
        ...

    async def confirm(
        self,
        title: str,
        message: str,
        *,
        timeout: float | None = None,
        signal: AbortSignal | None = None,
    ) -> bool:
        """Ask yes or no. Cancelled, after `timeout` seconds and once `signal` fires the answer is no."""
        ...


class NoUI:
    """The UI of a mode in which nobody can be asked: every question is answered with no, at once.

    `note` gets one line the first time an extension asks for an answer.
    """

    def __init__(self, note: Callable[[str], None]) -> None:
        self._note = note
        self._noted: set[tuple[str, str]] = set()
        self._extension = "an extension"

    def for_extension(self, name: str) -> NoUI:
        """Return the same UI, which calls whoever uses it by `name`."""
        named = NoUI(self._note)
        named._noted = self._noted
        named._extension = name
        return named

    def notify(self, message: str, type: NotifyType = "info") -> None:
        """Show nothing."""
        _log.debug("%s: ctx.ui.notify(%r) is not shown in this mode", self._extension, message)

    async def confirm(
        self,
        title: str,
        message: str,
        *,
        timeout: float | None = None,
        signal: AbortSignal | None = None,
    ) -> bool:
        """Answer no."""
        self._nobody_to_ask("confirm", title)
        return False

    def _nobody_to_ask(self, member: str, title: str) -> None:
        if (self._extension, member) in self._noted:
            return
        self._noted.add((self._extension, member))
        self._note(
            f"{self._extension}: ctx.ui.{member} cannot ask anybody in this mode,"
            f' "{title}" is answered with no'
        )


class OwnedUI:
    """The UI of a session as one extension sees it: gone with its generation, usable from any thread."""

    def __init__(self, ui: ExtensionUI, lifetime: Lifetime) -> None:
        self._ui = ui
        self._lifetime = lifetime

    def notify(self, message: str, type: NotifyType = "info") -> None:
        """Show a line without waiting for anybody."""
        known: NotifyType = type if type in get_args(NotifyType) else "info"
        self._lifetime.call(lambda: self._ui.notify(message, known))

    async def confirm(
        self,
        title: str,
        message: str,
        *,
        timeout: float | None = None,
        signal: AbortSignal | None = None,
    ) -> bool:
        """Ask yes or no. Raises `StaleContextError` if the session goes while the dialog is open."""
        self._lifetime.check()
        if signal is not None and signal.aborted:
            return False
        with dialog_open(), _first_of(self._lifetime.ending, signal) as closing:
            answer = await self._ui.confirm(title, message, timeout=timeout, signal=closing)
        self._lifetime.check()
        return answer


@contextmanager
def _first_of(ending: AbortSignal, other: AbortSignal | None) -> Iterator[AbortSignal]:
    """Give a signal that fires with either, and leaves no listener behind."""
    controller = AbortController()
    signals = [ending] if other is None else [ending, other]
    unsubscribers = [
        signal.on_abort(lambda signal=signal: controller.abort(signal.reason))  # type: ignore[misc]  # mypy can't infer the default of a lambda argument
        for signal in signals
    ]
    try:
        yield controller.signal
    finally:
        for unsubscribe in unsubscribers:
            unsubscribe()
