"""Editors: empty, usual, higher than there is room for, with a paste, in the middle of a wide line."""

from __future__ import annotations

from pi_tui.components.editor import Editor
from pi_tui.events import KeyEvent, PasteEvent
from pi_tui.theme import Theme, get_editor_theme
from tests.pi_tui.components.stories.stage import MIXED, Host


def _editor(theme: Theme, text: str = "", *, padding: int = 0, focused: bool = True) -> Editor:
    editor = Editor(Host(), get_editor_theme(theme), padding_x=padding)
    editor.focused = focused
    editor.set_text(text)
    return editor


def _with_paste(theme: Theme) -> Editor:
    editor = _editor(theme, padding=1)
    editor.insert_text_at_cursor("see ")
    editor.handle_paste(PasteEvent("x\n" * 40))
    editor.insert_text_at_cursor(" 日本")
    return editor


def _inside(theme: Theme) -> Editor:
    editor = _editor(theme, "日本語のテキストを編集しています、とても長い行です")
    for _ in range(8):
        editor.handle_key(KeyEvent("left"))
    return editor


STORIES = {
    "empty": lambda theme: _editor(theme),
    "without-the-keys": lambda theme: _editor(theme, "some words", focused=False),
    "usual": lambda theme: _editor(theme, MIXED, padding=1),
    "more-than-fits": lambda theme: _editor(
        theme, MIXED + "\n" + "\n".join(f"line {number}" for number in range(9))
    ),
    "paste": _with_paste,
    "inside-wide-text": _inside,
}
