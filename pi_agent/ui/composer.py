"""The prompt editor: the toolkit's editor with the program's keys in front."""

from __future__ import annotations

from collections.abc import Callable

from pi_tui.component import ComponentHost
from pi_tui.components.editor import Editor
from pi_tui.events import KeyEvent
from pi_tui.keybindings import get_keybindings
from pi_tui.theme import Theme, get_editor_theme
from pi_tui.width import truncate_to_width, visible_width

# A handler of an action; `False` leaves the key to the editor.
ActionHandler = Callable[[], bool | None]


class Composer(Editor):
    """An `Editor` that asks the program's actions first.

    `border_status` is shown in the upper border where there is no row for it.
    """

    def __init__(self, tui: ComponentHost, theme: Theme) -> None:
        super().__init__(tui, get_editor_theme(theme))
        self.border_status = ""
        self._actions: list[tuple[str, ActionHandler]] = []

    def set_action(self, action: str, handler: ActionHandler) -> None:
        """Let a key of `action` call `handler`; asked in the order of setting."""
        self._actions.append((action, handler))

    def handle_key(self, event: KeyEvent) -> bool:
        """Take a key: Escape closes an open menu first, Ctrl+D leaves only an empty editor."""
        if event.kind == "release":
            return False
        keys = get_keybindings()
        for action, handler in self._actions:
            if not keys.matches(event, action) or not self._is_open_to(action):
                continue
            if handler() is not False:
                return True
        return super().handle_key(event)

    def request_suggestions(self) -> None:
        """Open the menu for what stands before the cursor."""
        self._suggestions.ask(delay=False)

    def render_top_border(self, width: int, hidden: int) -> str:
        """Return the upper border, with the status in it if it has no row of its own."""
        border = super().render_top_border(width, hidden)
        if not self.border_status or hidden:
            return border
        status = truncate_to_width(self.border_status, max(0, width - 4), "…")
        rest = width - visible_width(status) - 4
        return f"{self.border_color('── ' if width > 3 else '')}{status}" + (
            " " + self.border_color("─" * rest) if rest > 0 else ""
        )

    def _is_open_to(self, action: str) -> bool:
        if action == "app.interrupt":
            return not self.is_showing_autocomplete()
        if action == "app.exit":
            return not self.get_text()
        return True
