"""`ctx.ui` of the modes without a screen: every question is answered at once, and nothing is shown."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from pi_agent.extensions.owner import Owner
from pi_agent.extensions.ui import NotifyType, ScreenFactory
from pi_tui.abort import AbortSignal

if TYPE_CHECKING:
    from pi_tui.overlay import OverlayOptionsSource
    from pi_tui.overlay_handle import OverlayHandle

T = TypeVar("T")

_log = logging.getLogger("pi.extensions")


class NoUIHost:
    """Nobody can be asked. `note` gets one line the first time an extension asks for an answer."""

    def __init__(self, note: Callable[[str], None]) -> None:
        self._note = note
        self._noted: set[tuple[str, str]] = set()

    def for_extension(self, owner: Owner) -> NoUI:
        """Return the answers for one extension."""
        return NoUI(owner.name, self._note_once)

    def _note_once(self, extension: str, member: str, text: str) -> None:
        if (extension, member) not in self._noted:
            self._noted.add((extension, member))
            self._note(text)


class NoUI:
    """Answers no, or nothing, at once."""

    def __init__(self, extension: str, note: Callable[[str, str, str], None]) -> None:
        self._extension = extension
        self._note = note

    def notify(self, message: str, type: NotifyType = "info") -> None:
        """Show nothing."""
        self._not_shown("notify", message)

    async def confirm(
        self,
        title: str,
        message: str,
        *,
        timeout: float | None = None,
        signal: AbortSignal | None = None,
    ) -> bool:
        """Answer no."""
        self._nobody_to_ask("confirm", f'"{title}" is answered with no')
        return False

    async def custom(
        self,
        factory: ScreenFactory[T],
        *,
        overlay: bool = False,
        overlay_options: OverlayOptionsSource | None = None,
        on_handle: Callable[[OverlayHandle], None] | None = None,
    ) -> T | None:
        """Return nothing; the factory is not called."""
        self._nobody_to_ask("custom", "its screen is not shown")
        return None

    def _not_shown(self, member: str, what: object) -> None:
        _log.debug("%s: ctx.ui.%s(%r) is not shown in this mode", self._extension, member, what)

    def _nobody_to_ask(self, member: str, result: str) -> None:
        self._note(
            self._extension,
            member,
            f"{self._extension}: ctx.ui.{member} cannot ask anybody in this mode, {result}",
        )
