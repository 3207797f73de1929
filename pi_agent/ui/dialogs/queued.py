"""An editor for a message that waits, in the editor's place."""

from __future__ import annotations

from collections.abc import Callable

from pi_agent.ui.dialogs.framed import FramedDialog
from pi_tui.component import ComponentHost
from pi_tui.components.editor import Editor
from pi_tui.events import KeyEvent
from pi_tui.keybindings import get_keybindings
from pi_tui.theme import Theme, get_editor_theme


class QueuedDialog(FramedDialog):
    """Calls `on_answer` once: with what Enter leaves, or with `None` for cancel keys."""

    captures_viewport_input = False

    def __init__(
        self,
        text: str,
        tui: ComponentHost,
        theme: Theme,
        on_answer: Callable[[str | None], None],
    ) -> None:
        editor = Editor(tui, get_editor_theme(theme))
        editor.show_borders = False
        editor.on_submit = on_answer
        editor.set_text(text)
        super().__init__("Edit a queued message", editor, theme)
        self._on_answer = on_answer

    def handle_key(self, event: KeyEvent) -> bool:
        """Take a key; a cancel key leaves the message as it was."""
        if event.kind != "release" and get_keybindings().matches(event, "tui.select.cancel"):
            self._on_answer(None)
            return True
        return super().handle_key(event)
