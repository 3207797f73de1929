"""A question with the answers Yes and No, in the editor's place."""

from __future__ import annotations

import time
from collections.abc import Callable

from pi_agent.ui.dialogs.stray_input import KeepTyped, StrayInput, forget_typed
from pi_agent.ui.plain import plain_text
from pi_tui.component import Component
from pi_tui.events import KeyEvent, MouseEvent, MouseResult, PasteEvent
from pi_tui.keybindings import get_keybindings
from pi_tui.theme import Theme
from pi_tui.width import truncate_to_width
from pi_tui.wrap import wrap_rows

_ANSWERS = (("Yes", True), ("No", False))
_LETTER_MOVES = ("k", "j")
_MOVES = ("tui.select.up", "tui.select.down")


class ConfirmDialog(Component):
    """Calls `on_answer` once. Cancel keys mean No.

    The dialog may open while one types. So no letter answers; and Enter answers nothing in the first moments,
    nor after a letter, nor while a part of the message is hidden, until an answer has been chosen. `clock`
    counts seconds.

    `remaining` seconds, while set, are counted down in the title by whoever owns the time limit. `keep` gets what
    is typed for the editor.
    """

    def __init__(
        self,
        title: str,
        message: str,
        theme: Theme,
        on_answer: Callable[[bool], None],
        clock: Callable[[], float] = time.monotonic,
        keep: KeepTyped = forget_typed,
    ) -> None:
        self.focused = False
        self.remaining: int | None = None
        self.max_rows: int | None = None
        self._title = plain_text(title)
        self._message = plain_text(message)
        self._theme = theme
        self._on_answer = on_answer
        self._selected = 0
        self._has_chosen = False
        self._is_cut = False
        self._answers_top = 0
        self._answered = False
        self._stray = StrayInput(clock, keep)

    def handle_key(self, event: KeyEvent) -> bool:
        """Take a key."""
        if event.kind == "release":
            return False
        keys = get_keybindings()
        if keys.matches(event, "tui.select.cancel"):
            self._answer(False)
        elif keys.matches(event, "tui.select.confirm"):
            selection = self._selection()
            if selection is not None and self._stray.is_meant():
                self._answer(_ANSWERS[selection][1])
        elif self._moves(event):
            selection = self._selection()
            self._selected = 0 if selection is None else 1 - selection
            self._has_chosen = True
            self._stray.chosen()
        elif event.text:
            self._stray.typed(event)
        else:
            return False
        return True

    def _moves(self, event: KeyEvent) -> bool:
        if event.id in _LETTER_MOVES:
            return self._stray.is_meant()
        keys = get_keybindings()
        return event.id == "tab" or any(keys.matches(event, key) for key in _MOVES)

    def handle_paste(self, event: PasteEvent) -> None:
        """Take a paste as what was meant for the editor."""
        self._stray.typed(event)

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Answer with a click on an answer; where Enter would not know of one, the click only chooses it."""
        index = event.y - self._answers_top
        if event.button != "left" or not 0 <= index < len(_ANSWERS):
            return None
        if event.type == "click":
            is_known = self._selection() is not None and self._stray.is_meant()
            self._selected, self._has_chosen = index, True
            self._stray.chosen()
            if is_known:
                self._answer(_ANSWERS[index][1])
        return MouseResult(handled=event.type in ("press", "click"))

    def render(self, width: int) -> list[str]:
        """Return the title, the message and the answers; the answers stay when rows are few."""
        self._stray.shown()
        theme = self._theme
        title = self._title if self.remaining is None else f"{self._title} ({self.remaining}s)"
        border = theme.fg("border", "─" * width)
        question = wrap_rows(theme.style(title, fg="accent", bold=True), width)
        message = wrap_rows(theme.fg("text", self._message), width) if self._message.strip() else []
        rows = len(question) + len(message) + len(_ANSWERS)
        if self.max_rows is None or rows + 2 <= self.max_rows:
            self._is_cut = False
            self._answers_top = 1 + len(question) + len(message)
            return [border, *question, *message, *self._answer_rows(width), border]
        room = self.max_rows - len(_ANSWERS)
        question = question[: max(1, room - len(message))]
        self._is_cut = len(question) + len(message) > room
        answers = self._answer_rows(width)
        if room < 0:
            shown = self._selection() or 0
            self._answers_top = -shown
            return answers[shown:][: self.max_rows]
        message = _shortened(message, room - len(question), theme, width)
        above = [*question, *message][:room]
        self._answers_top = len(above)
        return [*above, *answers]

    def _answer_rows(self, width: int) -> list[str]:
        theme = self._theme
        selection = self._selection()
        rows = [
            theme.fg("accent", f"→ {name}") if index == selection else f"  {name}"
            for index, (name, _) in enumerate(_ANSWERS)
        ]
        if selection is None:
            rows[0] += theme.fg("muted", "  ↑↓ choose")
        return [truncate_to_width(row, width) for row in rows]

    def _selection(self) -> int | None:
        """Return which answer Enter gives: none where somebody cannot know yet what it would be about."""
        is_unknown = self._is_cut and not self._has_chosen
        return None if is_unknown or self._stray.has_typed else self._selected

    def _answer(self, value: bool) -> None:
        if not self._answered:
            self._answered = True
            self._on_answer(value)


def _shortened(rows: list[str], limit: int, theme: Theme, width: int) -> list[str]:
    """Return the beginning and the end of rows for which there is no room; what is left out is said."""
    if len(rows) <= limit:
        return rows
    if limit < 1:
        return []
    head = limit // 2
    tail = limit - head - 1
    left_out = f"… {len(rows) - head - tail} more rows …"
    return [
        *rows[:head],
        truncate_to_width(theme.fg("warning", left_out), width),
        *rows[len(rows) - tail :],
    ]
