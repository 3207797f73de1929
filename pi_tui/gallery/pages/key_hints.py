"""What keys do, in a row or several."""

from __future__ import annotations

from pi_tui import get_key_hints_theme
from pi_tui.components import KeyHint, KeyHints
from pi_tui.gallery.page import Page, Piece, Stage
from pi_tui.gallery.samples import samples


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    looks = get_key_hints_theme(stage.theme)
    hints = [
        KeyHint("tui.select.confirm", "choose", lambda: stage.say("chosen")),
        KeyHint(("tui.select.up", "tui.select.down"), "move"),
        KeyHint("tui.altScreen.search", "search", lambda: stage.say("searched")),
        KeyHint("tui.editor.historyNext", "for the mouse only", lambda: stage.say("clicked")),
        KeyHint("tui.select.cancel", "close", lambda: stage.say("closed")),
    ]
    return Piece(
        samples(
            stage.theme,
            ("what fits into a row", KeyHints(hints, looks)),
            ("as many rows as it takes", KeyHints(hints, looks, max_rows=None)),
        )
    )


PAGE = Page(
    "KeyHints",
    "The keys are those in force. What does not fit is left out whole. A click does what the key does.",
    build,
    ("KeyHints", "KeyHint", "KeyHintsTheme", "get_key_hints_theme"),
)
