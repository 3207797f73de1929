"""Text of several lines."""

from __future__ import annotations

from pi_tui import CombinedAutocompleteProvider, SlashCommand, get_editor_theme
from pi_tui.components import Editor
from pi_tui.gallery.page import Page, Piece, Stage

_COMMANDS = [
    SlashCommand("help", "What there is"),
    SlashCommand("hello", "Say hello"),
    SlashCommand("leave", "Go away"),
]


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    editor = Editor(stage.tui, get_editor_theme(stage.theme))
    editor.set_autocomplete_provider(CombinedAutocompleteProvider(_COMMANDS))

    def submit(text: str) -> None:
        editor.add_to_history(text)
        stage.say(f"sent {len(text)} characters")

    editor.on_submit = submit
    return Piece(editor, focus=(editor,), close=editor.dispose)


PAGE = Page(
    "Editor",
    "Shift+Enter begins a line, Enter sends, Up goes back in the history, / suggests commands and @ files. Large pastes"
    " become a marker. Leave with Shift+Tab: Tab completes.",
    build,
    ("Editor", "get_editor_theme"),
)
