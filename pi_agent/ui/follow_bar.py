"""What stands in the editor's place while a session is only followed: who writes it, and what keys do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from pi_agent.ui.plain import plain_line
from pi_tui.component import Component
from pi_tui.component_themes import KeyHintsTheme
from pi_tui.components.key_hints import KeyHint, KeyHints
from pi_tui.components.scroll_view import ScrollView
from pi_tui.events import KeyEvent, MouseEvent, MouseResult, PasteEvent
from pi_tui.keybindings import get_keybindings
from pi_tui.theme import Theme
from pi_tui.width import truncate_to_width, visible_width

_READING: Final = "Only reading"
_LEAVE: Final = "q"
_MOVES: Final[dict[str, Callable[[ScrollView], object]]] = {
    "tui.select.up": lambda view: view.scroll_by(-1),
    "tui.select.down": lambda view: view.scroll_by(1),
    "tui.select.first": lambda view: view.scroll_to_start(),
    "tui.select.last": lambda view: view.scroll_to_end(),
}


class FollowBar(Component):
    """Moves `view` and leaves; whatever else is typed is answered by `on_typed`."""

    def __init__(
        self,
        theme: Theme,
        view: ScrollView,
        *,
        on_leave: Callable[[], object],
        on_typed: Callable[[], object],
        on_expand: Callable[[], object],
    ) -> None:
        self.focused = False
        self.max_rows: int | None = None
        # Who has the session open, in fewer and fewer words.
        self.writer: tuple[str, ...] = ()
        self._theme = theme
        self._view = view
        self._on_leave = on_leave
        self._on_typed = on_typed
        hints = [
            KeyHint("app.exit", "quit", on_leave),
            KeyHint(("tui.select.up", "tui.select.down"), "scroll"),
            KeyHint("app.tools.expand", "expand output", on_expand),
        ]
        self._hints = KeyHints(hints, KeyHintsTheme(self._dim, self._dim))
        self._hints_row = 0

    def invalidate(self) -> None:
        """Drop what was drawn."""
        self._hints.invalidate()

    def render(self, width: int) -> list[str]:
        """Return a rule, who writes and the hints; who writes stays when rows are few."""
        rule = self._theme.fg("border", "─" * width)
        said = truncate_to_width(self._theme.fg("accent", self._words(width)), width, "…")
        rows = [rule, said, *self._hints.render(width)]
        if self.max_rows is not None and len(rows) > self.max_rows:
            rows = rows[1:]
        self._hints_row = rows.index(said) + 1
        return rows if self.max_rows is None else rows[: self.max_rows]

    def handle_key(self, event: KeyEvent) -> bool:
        """Move the view or leave; tell those who type that nobody reads it."""
        if event.kind == "release":
            return False
        keys = get_keybindings()
        move = next((move for name, move in _MOVES.items() if keys.matches(event, name)), None)
        if move is not None:
            move(self._view)
        elif event.id == _LEAVE:
            self._on_leave()
        elif event.text or keys.matches(event, "tui.input.submit"):
            self._on_typed()
        else:
            return False
        return True

    def handle_paste(self, event: PasteEvent) -> None:
        """Tell that nobody reads it."""
        self._on_typed()

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Do what a clicked hint says."""
        return self._hints.handle_mouse(replace(event, y=event.y - self._hints_row))

    def _words(self, width: int) -> str:
        texts = [f"{_READING} · {plain_line(words)}" for words in self.writer]
        return next((text for text in texts if visible_width(text) <= width), _READING)

    def _dim(self, text: str) -> str:
        return self._theme.fg("dim", text)
