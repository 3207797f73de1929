"""What `ctx.ui` offers, and what a mode brings to offer it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

from pi_agent.extensions.owner import Owner
from pi_tui.abort import AbortSignal

if TYPE_CHECKING:
    from pi_tui.app import TUI
    from pi_tui.component import Renderable
    from pi_tui.keybindings import KeybindingsManager
    from pi_tui.overlay import OverlayOptionsSource
    from pi_tui.overlay_handle import OverlayHandle
    from pi_tui.theme import Theme

NotifyType = Literal["info", "warning", "error"]

T = TypeVar("T")
Value = TypeVar("Value", contravariant=True)
Result = TypeVar("Result", covariant=True)


class Done(Protocol[Value]):
    """Ends a screen of an extension; only the first call counts."""

    def __call__(self, value: Value | None = None) -> None:
        """Let `ctx.ui.custom` return `value`."""
        ...


class ScreenFactory(Protocol[Result]):
    """Makes the component of `ctx.ui.custom`, a new one each time; it may take its time to."""

    def __call__(
        self, tui: TUI, theme: Theme, keybindings: KeybindingsManager, done: Done[Result], /
    ) -> Renderable | Awaitable[Renderable]:
        """Return the component."""
        ...


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

    async def custom(
        self,
        factory: ScreenFactory[T],
        *,
        overlay: bool = False,
        overlay_options: OverlayOptionsSource | None = None,
        on_handle: Callable[[OverlayHandle], None] | None = None,
    ) -> T | None:
        """Show an own component in the editor's place, or over the screen, until it calls `done(value)`.

        Returns the value; where there is no screen, `None` at once. What the factory raises is raised here.
        """
        ...


class UIHost(Protocol):
    """What a mode brings: a screen, or nobody to ask."""

    def for_extension(self, owner: Owner) -> ExtensionUI:
        """Return the UI of one extension in one generation; what it puts on the screen ends with `owner`."""
        ...
