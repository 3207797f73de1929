"""`ctx.ui` as an extension holds it: gone with its generation, usable from any thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar, get_args

from pi_agent.extensions.lifetime import Lifetime
from pi_agent.extensions.ui import ExtensionUI, NotifyType, ScreenFactory
from pi_agent.extensions.waiting import dialog_open
from pi_tui.abort import AbortController, AbortSignal

if TYPE_CHECKING:
    from pi_tui.overlay import OverlayOptionsSource
    from pi_tui.overlay_handle import OverlayHandle

T = TypeVar("T")


class OwnedUI:
    """Passes on what is asked for while the generation lives."""

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

    async def custom(
        self,
        factory: ScreenFactory[T],
        *,
        overlay: bool = False,
        overlay_options: OverlayOptionsSource | None = None,
        on_handle: Callable[[OverlayHandle], None] | None = None,
    ) -> T | None:
        """Show an own component until it is done. Raises `StaleContextError` if the session goes meanwhile."""
        self._lifetime.check()
        value = await self._ui.custom(
            factory, overlay=overlay, overlay_options=overlay_options, on_handle=on_handle
        )
        self._lifetime.check()
        return value


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
