"""`SearchPanel`: the field for what is searched for, how many matches there are, and buttons to go through them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace

from pi_tui.component import Component
from pi_tui.components.input import Input
from pi_tui.events import KeyEvent, MouseEvent, MouseResult, PasteEvent
from pi_tui.frozen import frozen
from pi_tui.key_parser import is_kitty_protocol_active
from pi_tui.keybindings import get_keybindings
from pi_tui.keys import format_key
from pi_tui.width import visible_width

PANEL_ROWS = 3
# The text of a button, and whether the pointer is on it.
ButtonStyle = Callable[[str, bool], str]

_PLACEHOLDER = "Find in transcript"
# Columns that the field keeps beside the count.
_FIELD_COLUMNS = 5


@frozen
class SearchAction:
    """A key of the panel that is a button, too."""

    name: str
    sign: str
    run: Callable[[], None]


@frozen
class _Button:
    action: SearchAction
    column: int
    text: str

    def covers(self, column: int) -> bool:
        return self.column <= column < self.column + visible_width(self.text)


class SearchPanel(Component):
    """Three rows: what is typed goes to `on_query`, and `status` is shown beside it."""

    def __init__(
        self,
        on_query: Callable[[str], None],
        on_cancel: Callable[[], None],
        actions: Sequence[SearchAction],
        button_style: ButtonStyle,
    ) -> None:
        self.status = ""
        self._actions = actions
        self._button_style = button_style
        self._hovered: SearchAction | None = None
        self._buttons: list[_Button] = []
        self._input = Input(" ", _PLACEHOLDER, _faint)
        self._input.on_change = on_query
        self._input.on_escape = on_cancel

    @property
    def focused(self) -> bool:
        """Whether the field has the keys."""
        return self._input.focused

    @focused.setter
    def focused(self, value: bool) -> None:
        self._input.focused = value

    @property
    def hovered(self) -> bool:
        """Whether the pointer is on a button."""
        return self._hovered is not None

    @hovered.setter
    def hovered(self, value: bool) -> None:
        if not value:
            self._hovered = None

    def render(self, width: int) -> list[str]:
        """Return the rows."""
        if width == 1:
            return ["┌", "│", "└"]
        inner = width - 2
        return [f"┌{'─' * inner}┐", f"│{self._field(inner)}│", f"└{self._rule(inner)}┘"]

    def _field(self, width: int) -> str:
        status = f" {self.status} " if self.status else ""
        room = width - visible_width(status)
        if room < _FIELD_COLUMNS:
            status, room = "", width
        field = self._input.render(room)[0] if room else ""
        return field + (_faint(status) if status else "")

    def _rule(self, width: int) -> str:
        self._buttons = self._placed(width)
        row, column = "", 0
        for button in self._buttons:
            row += "─" * (button.column - 1 - column)
            row += self._button_style(button.text, button.action is self._hovered)
            column = button.column - 1 + visible_width(button.text)
        return row + "─" * (width - column)

    def _placed(self, width: int) -> list[_Button]:
        """Return the buttons with their keys, as far as there is room, or none."""
        count = len(self._actions)
        for named in range(count, -1, -1):
            buttons, column = [], 2
            for number, action in enumerate(self._actions):
                key = f" {_first_key(action.name)}" if number < named else ""
                button = _Button(action, column, f" {action.sign}{key} ")
                buttons.append(button)
                column += visible_width(button.text) + 1
            if column - 2 <= width:
                return buttons
        return []

    def handle_key(self, event: KeyEvent) -> bool:
        """Do what a key of the panel does; the others are the field's."""
        keybindings = get_keybindings()
        for action in self._actions:
            if keybindings.matches(event, action.name):
                if event.kind != "release":
                    action.run()
                return True
        return self._input.handle_key(event)

    def types(self, event: KeyEvent) -> bool:
        """Whether a key would do nothing but insert its text."""
        return self._input.types(event)

    def handle_text(self, text: str) -> None:
        """Insert what many keys typed at once."""
        self._input.handle_text(text)

    def handle_paste(self, event: PasteEvent) -> None:
        """Paste into the field."""
        self._input.handle_paste(event)

    def handle_mouse(self, event: MouseEvent) -> MouseResult:
        """Press a button, or put the cursor into the field."""
        button = self._button_at(event)
        if event.type == "move":
            self._hovered = button.action if button is not None else None
        elif event.type == "press" and event.button == "left":
            if button is not None:
                button.action.run()
            elif event.y == 1:
                self._input.handle_mouse(_inside(event))
            return MouseResult(handled=True, focus=True)
        return MouseResult(handled=event.type != "wheel", render=True)

    def _button_at(self, event: MouseEvent) -> _Button | None:
        if event.y != PANEL_ROWS - 1:
            return None
        return next((button for button in self._buttons if button.covers(event.x)), None)


def _first_key(action: str) -> str:
    """Return the first key of an action, if there is one the first that the terminal can tell from others."""
    keys = get_keybindings().get_keys(action)
    if not keys:
        return "Unbound"
    key = next(filter(_is_told_apart, keys), keys[0])
    return format_key(key, mac=sys.platform == "darwin")


def _is_told_apart(key: str) -> bool:
    *modifiers, name = key.split("+")
    needs_protocol = "shift" in modifiers and (name == "enter" or "ctrl" in modifiers)
    return is_kitty_protocol_active() or not needs_protocol


def _inside(event: MouseEvent) -> MouseEvent:
    return replace(event, x=event.x - 1, y=0)


def _faint(text: str) -> str:
    return f"\x1b[2m{text}\x1b[22m"
