"""What one can do in the gallery, with which keys, and the words for it in the last row."""

from __future__ import annotations

from collections.abc import Mapping

from pi_tui import KeybindingDefinition

# Actions of a program stand beside those of the toolkit; a person may give all of them other keys.
KEYBINDINGS: Mapping[str, KeybindingDefinition] = {
    "gallery.next": KeybindingDefinition(("ctrl+n",), "Go to the next page"),
    "gallery.previous": KeybindingDefinition(("ctrl+p",), "Go to the page before"),
    "gallery.wider": KeybindingDefinition(("shift+right",), "Draw the piece wider"),
    "gallery.narrower": KeybindingDefinition(("shift+left",), "Draw the piece narrower"),
    "gallery.widest": KeybindingDefinition(
        ("shift+up",), "Draw the piece as wide as there is room"
    ),
    "gallery.narrowest": KeybindingDefinition(("shift+down",), "Draw the piece one column wide"),
    "gallery.theme": KeybindingDefinition(("ctrl+t",), "Go on to the next theme"),
    "gallery.colors": KeybindingDefinition(("ctrl+o",), "Go on to fewer colors"),
    "gallery.source": KeybindingDefinition(("ctrl+s",), "Show the page's file, or the page"),
    "gallery.quit": KeybindingDefinition(("ctrl+q",), "Leave"),
    "gallery.save": KeybindingDefinition(("ctrl+x ctrl+s",), "Pretend to save"),
}

# The most important first: where room is short the others are left out.
HINTS: Mapping[str, str] = {
    "gallery.quit": "leave",
    "gallery.next": "next",
    "gallery.source": "source",
    "gallery.wider": "wider",
    "gallery.narrower": "narrower",
    "gallery.theme": "theme",
    "gallery.colors": "colors",
}
