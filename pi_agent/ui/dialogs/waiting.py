"""Something is waited for, in the editor's place: what it is, and how not to wait for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pi_agent.ui.dialogs.frame import frame
from pi_agent.ui.dialogs.hints import DialogHints
from pi_agent.ui.plain import plain_line
from pi_tui.component import Component, ComponentHost
from pi_tui.components.key_hints import KeyHint
from pi_tui.components.loader import Loader
from pi_tui.events import KeyEvent, MouseEvent, MouseResult
from pi_tui.keybindings import get_keybindings
from pi_tui.theme import Theme


class WaitingDialog(Component):
    """A spinner with words to it. `on_stop` is told of cancel keys; `dispose` ends the turning."""

    def __init__(
        self,
        title: str,
        words: str,
        tui: ComponentHost,
        theme: Theme,
        *,
        stop_label: str,
        on_stop: Callable[[], object],
    ) -> None:
        self.focused = False
        self.max_rows: int | None = None
        self._title = plain_line(title)
        self._theme = theme
        self._on_stop = on_stop
        self._hint = KeyHint("tui.select.cancel", stop_label, on_stop)
        self._hints = DialogHints(theme)
        self._hints_row = 0
        self._loader = Loader(
            tui,
            lambda text: theme.fg("accent", text),
            lambda text: theme.fg("muted", text),
            plain_line(words),
        )

    def set_words(self, words: str) -> None:
        """Say something else beside the spinner."""
        self._loader.set_message(plain_line(words))

    def handle_key(self, event: KeyEvent) -> bool:
        """Take a key."""
        if event.kind == "release" or not get_keybindings().matches(event, "tui.select.cancel"):
            return False
        self._on_stop()
        return True

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Stop with a click on the hint."""
        return self._hints.handle_mouse(replace(event, y=event.y - self._hints_row))

    def invalidate(self) -> None:
        """Drop all caches."""
        self._loader.invalidate()

    def render(self, width: int) -> list[str]:
        """Return the title, the spinner and what Escape does; the spinner stays when rows are few."""
        around = frame(self._title, self._theme, width, None, self.max_rows, keep=2)
        words = self._loader.render(width)[1:]
        above = [*around.above, *words]
        self._hints_row = len(above)
        rows = [*above, *self._hints.rows([self._hint], width), *around.below]
        return rows if self.max_rows is None else rows[: self.max_rows]

    def dispose(self) -> None:
        """Stop the spinner."""
        self._loader.dispose()
