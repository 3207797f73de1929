"""Selecting text with the mouse."""

from __future__ import annotations

from pi_tui import StackEntry, is_viewport_tui
from pi_tui.components import HStack, ScrollView, Text, VStack
from pi_tui.gallery.page import Page, Piece, Stage

_HERE = "Drag over this text: it is copied when the button is released. A second click takes a word, a third the line."
_TERMINAL = "Here the mouse is the terminal's: select as you do in the shell."
_LEFT = "A selection stays\nin the view in\nwhich it began,\n日本語 and 👨‍👩‍👧 whole."
_RIGHT = "So this column\nis not copied\nwith the other,\n/usr/share/doc"


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    intro = Text(_HERE if is_viewport_tui(stage.tui) else _TERMINAL, 0, 0)
    views = [ScrollView(Text(text, 0, 0)) for text in (_LEFT, _RIGHT)]
    columns = HStack([StackEntry(view, basis=0, grow=1) for view in views], gap=2)
    return Piece(VStack([intro, columns], gap=1), fills=True)


PAGE = Page(
    "Selecting and copying",
    "A press that no component takes selects. Escape or a click ends it.",
    build,
    ("TuiAltScreen",),
)
