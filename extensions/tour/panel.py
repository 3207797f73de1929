"""A panel over the screen in which a stop is chosen, with the keys or with the mouse."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from pi_agent import Done
from pi_tui import (
    TUI,
    Component,
    KeybindingsManager,
    KeyEvent,
    MouseEvent,
    MouseResult,
    SelectItem,
    Theme,
    get_select_list_theme,
    truncate_to_width,
    visible_width,
)
from pi_tui.components import SelectList

from .stops import STOPS

TITLE = " Stops of the tour "
HINT = "Enter chooses · Esc closes"


class Panel(Component):
    """A list of the stops in a frame; `done` gets the number of the one that was chosen."""

    def __init__(
        self,
        tui: TUI,
        theme: Theme,
        keybindings: KeybindingsManager,
        done: Done[int],
        seen: Collection[int],
        upcoming: int,
    ) -> None:
        self.focused = False  # having it makes a component that takes keys
        self._tui = tui
        self._theme = theme
        items = [
            SelectItem(str(number), f"{'✓' if number in seen else ' '} {stop.title}", stop.question)
            for number, stop in enumerate(STOPS)
        ]
        self._list = SelectList(
            items, len(items), get_select_list_theme(theme), keybindings=keybindings
        )
        self._list.set_selected_index(upcoming)
        self._list.on_select = lambda item: done(int(item.value))
        self._list.on_cancel = done

    def render(self, width: int) -> list[str]:
        """Return the frame with the list in it, each row as wide as there is room."""
        room = self._tui.rows - 2
        self._list.max_rows = max(1, room - 2)
        if width < 5:
            return self._list.render(width)
        hint = truncate_to_width(self._theme.fg("dim", HINT), width - 4, "…")
        rows = [*self._list.render(width - 4), "", hint]
        if len(rows) + 2 > room:
            rows = rows[:-2]  # on a low screen the choices matter more
        return [
            self._edge("╭─", TITLE, "╮", width),
            *(self._framed(row, width) for row in rows),
            self._edge("╰─", "", "╯", width),
        ]

    def invalidate(self) -> None:
        """Draw anew: the colours have changed."""
        self._list.invalidate()

    def handle_key(self, event: KeyEvent) -> bool:
        """Move, choose or close; what means nothing here goes on to pi."""
        return self._list.handle_key(event)

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Give the event to the list, whose rows begin inside the frame."""
        inner = replace(event, x=event.x - 2, y=event.y - 1, width=max(1, event.width - 4))
        return self._list.handle_mouse(inner)

    def _framed(self, row: str, width: int) -> str:
        side = self._theme.fg("border", "│")
        return f"{side} {truncate_to_width(row, width - 4, '…', pad=True)} {side}"

    def _edge(self, left: str, title: str, right: str, width: int) -> str:
        shown = truncate_to_width(title, width - 3, "")
        line = "─" * (width - 3 - visible_width(shown))
        styled = self._theme.fg("accent", shown)
        return self._theme.fg("border", left) + styled + self._theme.fg("border", line + right)
