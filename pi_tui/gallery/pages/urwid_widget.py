"""Widgets of urwid among components, and components among widgets."""

from __future__ import annotations

import urwid

from pi_tui import ComponentWidget, UrwidWidget
from pi_tui.components import Text
from pi_tui.gallery.page import Page, Piece, Stage

_PALETTE = [("todo", "white", "dark gray"), ("done", "black", "dark green")]
_GOAL = 20


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    field = urwid.Edit("Type: ")
    bar = urwid.ProgressBar("todo", "done", 0, _GOAL)
    urwid.connect_signal(field, "change", lambda _, text: bar.set_completion(min(len(text), _GOAL)))
    component = ComponentWidget(Text("And this is a component again: 世界", 0, 0))
    form = urwid.LineBox(urwid.Pile([field, urwid.Divider(), bar, component]), "urwid")
    widget = UrwidWidget(form, palette=_PALETTE, host=stage.tui)
    return Piece(widget, focus=(widget,))


PAGE = Page(
    "urwid",
    "A field and a bar of urwid's, in a component of the toolkit; inside of them a component as a widget.",
    build,
    ("UrwidWidget", "ComponentWidget"),
)
