"""The menu of suggestions below the editor: a window of rows around the selected one."""

from __future__ import annotations

from collections.abc import Sequence

from pi_tui.ansi import replace_control_characters, strip_terminal_sequences
from pi_tui.autocomplete import AutocompleteItem, Suggestions
from pi_tui.theme import SelectListTheme
from pi_tui.width import truncate_to_width, visible_width

_COLUMN = 32
_COMMAND_COLUMN = 12
_MIN_WIDTH_FOR_DESCRIPTIONS = 40
_MIN_DESCRIPTION = 10
_EDGE = 2


class EditorPopup:
    """What is offered, and which of it is selected."""

    def __init__(self, suggestions: Suggestions, theme: SelectListTheme) -> None:
        self.items: Sequence[AutocompleteItem] = suggestions.items
        self.prefix = suggestions.prefix
        self.selected = best_match(self.items, self.prefix) or 0
        self._theme = theme

    @property
    def selected_item(self) -> AutocompleteItem:
        """The item a choice would apply."""
        return self.items[self.selected]

    def select(self, value: str) -> None:
        """Select the item of that value, if it is there."""
        for index, item in enumerate(self.items):
            if item.value == value:
                self.selected = index
                return

    def narrow(self, prefix: str) -> bool:
        """Select an item that what was typed since leads to; whether there is one."""
        match = best_match(self.items, prefix)
        if match is None:
            return False
        if not self.selected_item.value.startswith((prefix, prefix.removeprefix("/"))):
            self.selected = match
        return True

    def move(self, count: int) -> None:
        """Select another item, going round at the ends."""
        self.selected = (self.selected + count) % len(self.items)

    def move_page(self, count: int) -> None:
        """Select another item, stopping at the ends."""
        self.selected = max(0, min(self.selected + count, len(self.items) - 1))

    def render(self, width: int, max_items: int, max_rows: int | None = None) -> list[str]:
        """Return the rows around the selected item, and where it is among them all.

        `max_rows` limits the items and that last row together.
        """
        count = len(self.items)
        shown = min(count, max(1, max_items))
        if max_rows is not None and shown + (shown < count) > max_rows:
            shown = max(1, max_rows - 1)
        start = max(0, min(self.selected - shown // 2, count - shown))
        column = self._column_width()
        rows = [self._row(index, width, column) for index in range(start, start + shown)]
        if shown < count and (max_rows is None or shown < max_rows):
            position = truncate_to_width(f"  ({self.selected + 1}/{count})", width - _EDGE, "")
            rows.append(self._theme.scroll_info(position))
        return rows

    def _column_width(self) -> int:
        widest = max(visible_width(_label(item)) for item in self.items) + _EDGE
        narrowest = _COMMAND_COLUMN if self.prefix.startswith("/") else _COLUMN
        return max(narrowest, min(widest, _COLUMN))

    def _row(self, index: int, width: int, column: int) -> str:
        item = self.items[index]
        is_selected = index == self.selected
        prefix = "→ " if is_selected else "  "
        description = _single_line(item.description or "")
        room = width - len(prefix) - column - _EDGE
        if not description or width <= _MIN_WIDTH_FOR_DESCRIPTIONS or room <= _MIN_DESCRIPTION:
            label = _cut(_label(item), width - len(prefix) - _EDGE)
            row = truncate_to_width(prefix + label, width, "")
            return self._theme.selected_text(row) if is_selected else self._theme.text(row)
        label = _cut(_label(item), column - _EDGE)
        gap = " " * (column - visible_width(label))
        description = _cut(description, room)
        if is_selected:
            return self._theme.selected_text(prefix + label + gap + description)
        return self._theme.text(prefix + label) + self._theme.description(gap + description)


def best_match(items: Sequence[AutocompleteItem], prefix: str) -> int | None:
    """Return the item that equals what was typed, else the first that starts with it."""
    typed = {prefix, prefix.removeprefix("/")}
    for index, item in enumerate(items):
        if item.value in typed:
            return index
    for index, item in enumerate(items):
        if item.value.startswith(tuple(typed)):
            return index
    return None


def _label(item: AutocompleteItem) -> str:
    return _single_line(item.label or item.value)


def _single_line(text: str) -> str:
    return replace_control_characters(strip_terminal_sequences(text))


def _cut(text: str, width: int) -> str:
    return truncate_to_width(text, width, "").removesuffix("\x1b[0m")
