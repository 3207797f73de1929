"""A choice among lines, in the editor's place."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from pi_agent.ui.dialogs.frame import frame
from pi_agent.ui.dialogs.stray_input import KeepTyped, StrayInput, forget_typed
from pi_agent.ui.plain import plain_line, plain_text
from pi_tui.choices import SelectItem
from pi_tui.component import Component
from pi_tui.components.select_list import SelectList
from pi_tui.events import KeyEvent, MouseEvent, MouseResult, PasteEvent
from pi_tui.keybindings import get_keybindings
from pi_tui.theme import Theme, get_select_list_theme
from pi_tui.width import truncate_to_width

_MOST_SHOWN = 10
_LETTER_MOVES = {"k": -1, "j": 1}


class SelectDialog(Component):
    """Calls `on_answer` once: with the index of an option, or with `None` for cancel keys.

    `remaining` seconds, while set, are counted down in the title by whoever owns the time limit. `keep` gets what
    is typed for the editor.
    """

    captures_viewport_input = True

    def __init__(
        self,
        title: str,
        options: Sequence[str],
        theme: Theme,
        on_answer: Callable[[int | None], None],
        clock: Callable[[], float] = time.monotonic,
        keep: KeepTyped = forget_typed,
    ) -> None:
        self.focused = False
        self.remaining: int | None = None
        self.max_rows: int | None = None
        self._title = plain_text(title)
        self._theme = theme
        self._on_answer = on_answer
        self._answered = False
        self._stray = StrayInput(clock, keep)
        self._list_top = 0
        items = [SelectItem(str(n), plain_line(option)) for n, option in enumerate(options)]
        self._list = SelectList(items, _MOST_SHOWN, get_select_list_theme(theme))
        self._list.no_match_text = "There is nothing to choose from."
        self._list.on_select = lambda item: self._answer(int(item.value))
        self._list.on_cancel = lambda: self._answer(None)
        self._list.on_selection_change = lambda item: self._stray.chosen()

    def handle_key(self, event: KeyEvent) -> bool:
        """Take a key."""
        if event.kind == "release":
            return False
        if get_keybindings().matches(event, "tui.select.confirm"):
            if self._stray.is_meant():
                self._list.handle_key(event)
            return True
        if event.id in _LETTER_MOVES and self._stray.is_meant():
            self._list.select(self._list.selected_index + _LETTER_MOVES[event.id])
            return True
        if self._list.handle_key(event):
            return True
        if event.text:
            self._stray.typed(event)
        return bool(event.text)

    def handle_paste(self, event: PasteEvent) -> None:
        """Take a paste as what was meant for the editor."""
        self._stray.typed(event)

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Let the list have what lies over it."""
        return self._list.handle_mouse(replace(event, y=event.y - self._list_top))

    def invalidate(self) -> None:
        """Drop all caches."""
        self._list.invalidate()

    def render(self, width: int) -> list[str]:
        """Return the title and the options; the options stay when rows are few."""
        self._stray.shown()
        title = frame(self._title, self._theme, width, self.remaining, self.max_rows, keep=2)
        self._list_top = len(title.above)
        if self.max_rows is not None:
            self._list.max_rows = max(1, self.max_rows - len(title.above) - len(title.below))
        rows = self._list.render(width)
        if self._stray.has_typed:
            hint = self._theme.fg("muted", "  ↑↓ choose")
            rows = [truncate_to_width(rows[0] + hint, width, ""), *rows[1:]]
        return [*title.above, *rows, *title.below]

    def _answer(self, index: int | None) -> None:
        if not self._answered:
            self._answered = True
            self._on_answer(index)
