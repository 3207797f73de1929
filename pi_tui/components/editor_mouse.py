"""The mouse in an editor: clicks put the cursor somewhere, the menu takes wheel and clicks.

Presses and drags in the text are left alone, so that it can be selected.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pi_tui.components.editor_suggestions import EditorSuggestions
from pi_tui.components.editor_view import EditorView, Row
from pi_tui.editing import Position
from pi_tui.events import MouseEvent, MouseResult
from pi_tui.frozen import frozen


@frozen
class DrawnEditor:
    """What lies where: the rows of text, from which row on, behind how many blanks, and the menu's first row."""

    rows: tuple[Row, ...] = ()
    first: int = 0
    padding: int = 0
    menu: int = 0


class EditorMouse:
    """Takes the mouse for an editor. `put_cursor` puts the cursor somewhere."""

    def __init__(
        self,
        view: EditorView,
        suggestions: EditorSuggestions,
        put_cursor: Callable[[Position], None],
    ) -> None:
        self.drawn = DrawnEditor()
        self._view = view
        self._suggestions = suggestions
        self._put_cursor = put_cursor

    def take(self, event: MouseEvent) -> MouseResult | None:
        """Take an event in the editor's coordinates."""
        row = event.y - self.drawn.menu
        if self._suggestions.popup is not None and row >= 0:
            menu = self._suggestions.popup.list
            answer = menu.handle_mouse(replace(event, x=event.x - self.drawn.padding, y=row))
            return MouseResult(focus=True) if answer is not None else None
        if event.type != "click" or event.button != "left":
            return None
        line = event.y - self.drawn.first
        if 0 <= line < len(self.drawn.rows):
            column = max(0, event.x - self.drawn.padding)
            self._put_cursor(self._view.landing_in(self.drawn.rows[line], column))
        return MouseResult(focus=True)
