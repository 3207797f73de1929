"""Which action of the program a key means, when it is bound to several."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from pi_tui.events import KeyEvent
from pi_tui.keybindings import KeybindingsManager

# What an action does; `False` leaves the key to the next one, and at last to the editor.
ActionHandler = Callable[[], bool | None]

# These are asked before all others. At one of the editor's the search ends: the key is the editor's.
_OF_EDITOR: Final = ("tui.editor.historyPrevious", "tui.editor.historyNext")
_FIRST: Final = ("app.clipboard.pasteImage", "app.interrupt", "app.exit", *_OF_EDITOR)


def take_action(
    event: KeyEvent,
    handlers: Mapping[str, ActionHandler],
    keybindings: KeybindingsManager,
    *,
    only: frozenset[str] | None = None,
) -> bool:
    """Do what a key means, and tell whether it meant something; of the others, the first in `handlers` wins."""
    for action in dict.fromkeys((*_FIRST, *handlers)):
        if (only is not None and action not in only) or not keybindings.matches(event, action):
            continue
        if action in _OF_EDITOR:
            return False
        handler = handlers.get(action)
        if handler is not None and handler() is not False:
            return True
    return False
