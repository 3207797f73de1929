"""`CancellableLoader`: a loader with the keys, so that what goes on can be called off."""

from __future__ import annotations

from collections.abc import Callable

from pi_tui.abort import AbortController, AbortSignal
from pi_tui.callbacks import Callbacks
from pi_tui.component import ComponentHost, Style
from pi_tui.components.loader import Indicator, Loader
from pi_tui.events import KeyEvent
from pi_tui.keybindings import KeybindingsManager, get_keybindings


class CancellableLoader(Loader):
    """A loader whose `signal` fires at the first Escape; `on_abort` is called at each.

    Work takes the `signal`. Disposing stops the animation only: whoever began the work decides what becomes of it.
    """

    captures_viewport_input = True

    def __init__(
        self,
        tui: ComponentHost,
        spinner_style: Style,
        message_style: Style,
        message: str = "Loading...",
        indicator: Indicator | None = None,
        *,
        keybindings: KeybindingsManager | None = None,
    ) -> None:
        super().__init__(tui, spinner_style, message_style, message, indicator)
        self.focused = False
        self.on_abort: Callable[[], object] | None = None
        self._controller = AbortController()
        self._keybindings = keybindings
        self._callbacks = Callbacks()

    @property
    def signal(self) -> AbortSignal:
        """What tells the work to stop."""
        return self._controller.signal

    @property
    def aborted(self) -> bool:
        """Whether the work was called off."""
        return self._controller.signal.aborted

    def handle_key(self, event: KeyEvent) -> bool:
        """Call the work off; `False` for a key that means nothing here."""
        if not (self._keybindings or get_keybindings()).matches(event, "tui.select.cancel"):
            return False
        self._controller.abort()
        self._callbacks.call(self.on_abort)
        return True
