"""Hints: none, one row of them, more than there is room for, two keys in one, wide words."""

from __future__ import annotations

from pi_tui.component_themes import get_key_hints_theme
from pi_tui.components.key_hints import KeyHint, KeyHints
from pi_tui.theme import Theme

_HINTS = (
    KeyHint("tui.select.confirm", "choose"),
    KeyHint(("tui.select.up", "tui.select.down"), "move"),
    KeyHint("tui.select.cancel", "close"),
    KeyHint("tui.altScreen.search", "search"),
    KeyHint("tui.editor.undo", "undo"),
)


def _hints(theme: Theme, *hints: KeyHint, max_rows: int | None = 1) -> KeyHints:
    return KeyHints(hints, get_key_hints_theme(theme), max_rows=max_rows)


STORIES = {
    "empty": _hints,
    "usual": lambda theme: _hints(theme, *_HINTS),
    "as-many-rows-as-it-takes": lambda theme: _hints(theme, *_HINTS, max_rows=None),
    "without-a-key": lambda theme: _hints(
        theme,
        KeyHint("tui.editor.historyNext", "not shown"),
        KeyHint("tui.editor.historyNext", "for the mouse only", lambda: None),
    ),
    "wide-words": lambda theme: _hints(
        theme,
        KeyHint("tui.select.confirm", "とても長い説明のヒントです"),
        KeyHint("tui.select.cancel", "閉じる"),
    ),
}
