"""`ctx.ui` on the screen: dialogs in the editor's place, notices in the document."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from typing import TypeVar

from pi_agent.extensions.owner import Owner
from pi_agent.extensions.ui import NotifyType, ScreenFactory
from pi_agent.ui.custom import CustomScreens
from pi_agent.ui.dialogs.confirm import ConfirmDialog
from pi_agent.ui.screen import AgentScreen
from pi_tui.abort import AbortSignal
from pi_tui.overlay import OverlayOptionsSource
from pi_tui.overlay_handle import OverlayHandle

T = TypeVar("T")


class ScreenUIHost:
    """The screen as a place for extensions."""

    def __init__(self, screen: AgentScreen) -> None:
        self._screen = screen

    def for_extension(self, owner: Owner) -> ScreenUI:
        """Return the screen for one extension."""
        return ScreenUI(self._screen, owner)


class ScreenUI:
    """Shows what extensions ask for. Dialogs stack: the newest has the keys."""

    def __init__(self, screen: AgentScreen, owner: Owner) -> None:
        self._screen = screen
        self._custom = CustomScreens(screen, owner)

    def notify(self, message: str, type: NotifyType = "info") -> None:
        """Add a line to the document."""
        self._screen.notices.notify(message, type)

    async def confirm(
        self,
        title: str,
        message: str,
        *,
        timeout: float | None = None,
        signal: AbortSignal | None = None,
    ) -> bool:
        """Ask yes or no; `False` when cancelled, after `timeout` seconds, or once `signal` fires."""
        if signal is not None and signal.aborted:
            return False
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[bool] = loop.create_future()

        def settle(value: bool) -> None:
            if not answer.done():
                answer.set_result(value)

        dialog = ConfirmDialog(title, message, self._screen.theme, settle)
        unsubscribe = signal.on_abort(lambda: settle(False)) if signal is not None else None
        self._screen.show_dialog(dialog)
        countdown = (
            loop.create_task(self._count_down(dialog, timeout, lambda: settle(False)))
            if timeout is not None
            else None
        )
        try:
            return await answer
        finally:
            if countdown is not None:
                countdown.cancel()
            if unsubscribe is not None:
                unsubscribe()
            self._screen.close_dialog(dialog)

    async def custom(
        self,
        factory: ScreenFactory[T],
        *,
        overlay: bool = False,
        overlay_options: OverlayOptionsSource | None = None,
        on_handle: Callable[[OverlayHandle], None] | None = None,
    ) -> T | None:
        """Show a component of the extension until it is done."""
        if overlay:
            return await self._custom.show_over(factory, overlay_options, on_handle)
        return await self._custom.show_inline(factory)

    async def _count_down(
        self, dialog: ConfirmDialog, seconds: float, on_end: Callable[[], None]
    ) -> None:
        """Show the seconds left, rounded up, and close the dialog at 0."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while (left := end - loop.time()) > 0:
            dialog.remaining = math.ceil(left)
            self._screen.tui.request_render()
            await asyncio.sleep(left - (dialog.remaining - 1) or left)
        on_end()
