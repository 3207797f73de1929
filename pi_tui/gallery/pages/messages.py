"""Short messages, and the way back to the end."""

from __future__ import annotations

from pi_tui import StackEntry, is_viewport_tui
from pi_tui.components import ScrollView, Text, VStack
from pi_tui.gallery.button import Button
from pi_tui.gallery.page import Page, Piece, Stage


def build(stage: Stage) -> Piece:
    """Return the page's piece."""

    def flash() -> None:
        if is_viewport_tui(stage.tui):
            stage.tui.flash("Saved 日本語.txt")
        else:
            stage.say("Only a screen of its own has flash messages.")

    button = Button("Flash a message", flash, stage.theme)
    text = "\n".join(f"row {number} of something long" for number in range(1, 31))
    view = ScrollView(Text(text, 0, 0), follow="end", primary=True)
    return Piece(
        VStack([StackEntry(button, shrink=0), StackEntry(view, grow=1, min_size=1)]),
        focus=(button,),
        fills=True,
    )


PAGE = Page(
    "Messages and labels",
    "Press the button; then scroll up: a label over the last row leads back to the end.",
    build,
    ("is_viewport_tui",),
)
