"""The menu of suggestions below the editor: a list of choices that knows what was typed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pi_tui.autocomplete import AutocompleteItem, Suggestions
from pi_tui.choices import single_line
from pi_tui.components.select_list import PrimaryCell, SelectList, SelectListLayout
from pi_tui.theme import SelectListTheme
from pi_tui.width import slice_by_column, visible_width

_COMMAND_LAYOUT = SelectListLayout(min_primary_column_width=12, max_primary_column_width=32)


class EditorPopup:
    """What is offered, and which of it is selected; while nothing has been found it says that it searches."""

    def __init__(self, suggestions: Suggestions, theme: SelectListTheme) -> None:
        self.items: Sequence[AutocompleteItem] = suggestions.items
        self.prefix = suggestions.prefix
        self._labels = Counter(item.label for item in self.items)
        layout = _COMMAND_LAYOUT if self.prefix.startswith("/") else self._layout()
        self.list = SelectList(self.items, 1, theme, layout)
        self.list.no_match_text = "Searching…"
        self.list.set_selected_index(best_match(self.items, self.prefix) or 0)

    @property
    def selected_item(self) -> AutocompleteItem:
        """The item a choice would apply."""
        return self.items[self.list.selected_index]

    def select_as(self, other: EditorPopup) -> None:
        """Select what another menu has selected, if it is here."""
        if other.items:
            self.select(other.selected_item.value)

    def select(self, value: str) -> None:
        """Select the item of that value, if it is there."""
        for index, item in enumerate(self.items):
            if item.value == value:
                self.list.set_selected_index(index)
                return

    def narrow(self, prefix: str) -> bool:
        """Select an item that what was typed since leads to; whether there is one."""
        match = best_match(self.items, prefix)
        if match is None:
            return False
        if not self.selected_item.value.startswith((prefix, prefix.removeprefix("/"))):
            self.list.set_selected_index(match)
        return True

    def render(self, width: int, max_items: int, max_rows: int | None = None) -> list[str]:
        """Return the rows around the selected item; `max_rows` limits these and the position's row together."""
        self.list.max_visible, self.list.max_rows = max_items, max_rows
        return self.list.render(width)

    def _layout(self) -> SelectListLayout:
        return SelectListLayout(truncate_primary=self._told_apart)

    def _told_apart(self, cell: PrimaryCell) -> str:
        """Return the end of the description for a label that others have too, where descriptions have no room."""
        description = single_line(cell.item.description or "")
        has_room = cell.max_width < cell.column_width
        if has_room or not description or self._labels[cell.text] < 2:
            return cell.text
        if cell.text.endswith("/"):
            description += "/"
        hidden = visible_width(description) - cell.max_width
        if hidden <= 0:
            return description
        return "…" + slice_by_column(description, hidden + 1, cell.max_width - 1, strict=True)


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
