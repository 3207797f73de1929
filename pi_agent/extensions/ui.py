"""What `ctx.ui` offers, and what a mode brings to offer it."""

from __future__ import annotations

from typing import Literal, Protocol

from pi_agent.extensions.owner import Owner
from pi_tui.abort import AbortSignal

NotifyType = Literal["info", "warning", "error"]


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


class UIHost(Protocol):
    """What a mode brings: a screen, or nobody to ask."""

    def for_extension(self, owner: Owner) -> ExtensionUI:
        """Return the UI of one extension in one generation; what it puts on the screen ends with `owner`."""
        ...
