"""Actions, their keys, and keys one after another."""

from __future__ import annotations

from pi_tui import Component, KeyEvent, get_keybindings, key_display_text, truncate_to_width
from pi_tui.gallery.page import Page, Piece, Stage


class Document(Component):
    """Asks what action a key is for, not which key it is: those are the user's to choose."""

    def __init__(self) -> None:
        self.focused = False
        self._saved = 0
        self._other = ""

    def render(self, width: int) -> list[str]:
        """Return what has happened."""
        rows = (
            f"{key_display_text('gallery.save')} saves: saved {self._saved} times",
            f"{key_display_text('tui.select.confirm')} confirms, like in every list",
            f"last other key: {self._other or 'none'}",
        )
        return [truncate_to_width(row, width, "…") for row in rows]

    def handle_key(self, event: KeyEvent) -> bool:
        """Take the actions that mean something here."""
        keybindings = get_keybindings()
        if keybindings.matches(event, "gallery.save"):
            self._saved += 1
        elif keybindings.matches(event, "tui.select.confirm"):
            self._other = "that was it"
        else:
            self._other = event.id
            return False
        return True


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    document = Document()
    return Piece(document, focus=(document,))


PAGE = Page(
    "Key sequences",
    "Press Ctrl+X: that the rest is waited for shows at the top right. Then Ctrl+S, or another key, or Escape.",
    build,
    ("KeybindingsManager", "get_keybindings", "key_display_text"),
)
