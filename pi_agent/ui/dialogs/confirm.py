"""A question with the answers Yes and No, in the editor's place."""

from __future__ import annotations

from collections.abc import Callable

from pi_agent.ui.plain import plain_text
from pi_tui.component import Component
from pi_tui.events import KeyEvent
from pi_tui.keybindings import get_keybindings
from pi_tui.theme import Theme
from pi_tui.width import truncate_to_width
from pi_tui.wrap import wrap_rows

_ANSWERS = (("Yes", True), ("No", False))
_MOVES = ("tui.select.up", "tui.select.down")


class ConfirmDialog(Component):
    """Calls `on_answer` once. Cancel keys mean No. No letter answers: the dialog may open while one types.

    `remaining` seconds, while set, are counted down in the title by whoever owns the time limit.
    """

    def __init__(
        self, title: str, message: str, theme: Theme, on_answer: Callable[[bool], None]
    ) -> None:
        self.focused = False
        self.remaining: int | None = None
        self.max_rows: int | None = None
        self._title = plain_text(title)
        self._message = plain_text(message)
        self._theme = theme
        self._on_answer = on_answer
        self._selected = 0
        self._answered = False

    def handle_key(self, event: KeyEvent) -> bool:
        """Take a key."""
        if event.kind == "release":
            return False
        keys = get_keybindings()
        if keys.matches(event, "tui.select.cancel"):
            self._answer(False)
        elif keys.matches(event, "tui.select.confirm"):
            self._answer(_ANSWERS[self._selected][1])
        elif event.id in ("k", "j", "tab") or any(keys.matches(event, key) for key in _MOVES):
            self._selected = 1 - self._selected
        else:
            return False
        return True

    def render(self, width: int) -> list[str]:
        """Return the title, the message and the answers; the answers stay when rows are few."""
        theme = self._theme
        title = self._title if self.remaining is None else f"{self._title} ({self.remaining}s)"
        border = theme.fg("border", "─" * width)
        text = [
            *wrap_rows(theme.style(title, fg="accent", bold=True), width),
            *(wrap_rows(theme.fg("text", self._message), width) if self._message.strip() else []),
        ]
        answers = [
            truncate_to_width(
                theme.fg("accent", f"→ {name}") if index == self._selected else f"  {name}", width
            )
            for index, (name, _) in enumerate(_ANSWERS)
        ]
        rows = [border, *text, *answers, border]
        if self.max_rows is None or len(rows) <= self.max_rows:
            return rows
        if self.max_rows < len(answers):
            return answers[self._selected :][: self.max_rows]
        return [*text[: self.max_rows - len(answers)], *answers]

    def _answer(self, value: bool) -> None:
        if not self._answered:
            self._answered = True
            self._on_answer(value)
