"""Selecting text with the mouse."""

from __future__ import annotations

from pi_tui import StackEntry, is_viewport_tui
from pi_tui.components import HStack, Text
from pi_tui.gallery.page import Page, Piece, Stage
from pi_tui.gallery.samples import samples

_HERE = (
    "Drag over some of this text: it is copied when the button is released, and the screen says so."
)
_TERMINAL = "Here the mouse is the terminal's: select as you do in the shell."
_WRAPPED = (
    "A paragraph that was wrapped to fit its column is copied as the one line that it was before."
)


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    columns = HStack(
        [
            StackEntry(Text("the left column\n日本語\n👨‍👩‍👧 family", 0, 0), basis=0, grow=1),
            StackEntry(Text("the right column\nhas text\nof its own", 0, 0), basis=0, grow=1),
        ],
        gap=2,
    )
    return Piece(
        samples(
            stage.theme,
            ("", Text(_HERE if is_viewport_tui(stage.tui) else _TERMINAL, 0, 0)),
            ("double click: a word, triple: a line", Text("some words: /usr/share/doc, a-b", 0, 0)),
            ("wrapped", Text(_WRAPPED, 0, 0)),
            ("columns", columns),
        )
    )


PAGE = Page(
    "Selecting and copying",
    "A press that no component takes selects. Escape or a click ends it.",
    build,
    ("TuiAltScreen",),
)
