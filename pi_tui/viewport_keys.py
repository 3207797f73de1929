"""The keys that scroll a view: by rows, pages, to its ends and from prompt to prompt."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from pi_tui.components.scroll_view import ScrollView
from pi_tui.events import KeyEvent
from pi_tui.keybindings import KeybindingsManager

# How a row begins that a prompt's zone begins with (OSC 133).
PROMPT_START = "\x1b]133;A\x07"

_PAGE_OVERLAP = 4
# What others write for it.
_PROMPT = re.compile(r"\x1b\]133;A(?:;[^\x07\x1b]*)?(?:\x07|\x1b\\)")


def _half(view: ScrollView) -> int:
    return max(1, view.viewport_height // 2)


def _page(view: ScrollView) -> int:
    # Of a small view half may stay, not nearly all of it.
    return max(_half(view), view.viewport_height - _PAGE_OVERLAP)


def _starts_prompt(row: str) -> bool:
    return _PROMPT.match(row) is not None


_MOVES: Mapping[str, Callable[[ScrollView], object]] = {
    "tui.altScreen.pageUp": lambda view: view.scroll_by(-_page(view)),
    "tui.altScreen.pageDown": lambda view: view.scroll_by(_page(view)),
    "tui.altScreen.halfPageUp": lambda view: view.scroll_by(-_half(view)),
    "tui.altScreen.halfPageDown": lambda view: view.scroll_by(_half(view)),
    "tui.altScreen.lineUp": lambda view: view.scroll_by(-1),
    "tui.altScreen.lineDown": lambda view: view.scroll_by(1),
    "tui.altScreen.top": lambda view: view.scroll_to_start(),
    "tui.altScreen.bottom": lambda view: view.scroll_to_end(),
    "tui.altScreen.previousPrompt": lambda view: view.scroll_to_row(-1, _starts_prompt),
    "tui.altScreen.nextPrompt": lambda view: view.scroll_to_row(1, _starts_prompt),
}


def take_viewport_key(event: KeyEvent, view: ScrollView, keybindings: KeybindingsManager) -> bool:
    """Move a view if the key is one that does; its release belongs to it and does nothing."""
    move = next((move for name, move in _MOVES.items() if keybindings.matches(event, name)), None)
    if move is None:
        return False
    if event.kind != "release":
        move(view)
    return True
