"""Commands to find by some of their letters."""

from __future__ import annotations

from pi_tui import get_keybindings, get_select_list_theme
from pi_tui.components import CommandPalette, PaletteCommand
from pi_tui.gallery.page import Page, Piece, Stage


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    keybindings = get_keybindings()
    commands = [
        PaletteCommand(action, definition.description, action)
        for action in keybindings.get_resolved_bindings()
        if (definition := keybindings.get_definition(action)) is not None
    ]
    palette = CommandPalette(commands, 8, get_select_list_theme(stage.theme))
    palette.on_run = lambda command: stage.say(f"run: {command.id}")
    palette.on_cancel = lambda: stage.say("cancelled")
    return Piece(palette, focus=(palette,), fills=True)


PAGE = Page(
    "CommandPalette",
    "All actions of the toolkit: type some letters, such as mowl. Enter or a click runs the selected one.",
    build,
    ("CommandPalette", "PaletteCommand"),
)
