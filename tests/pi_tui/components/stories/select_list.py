"""Lists of choices: empty, usual, more than there is room for, labels of others, with descriptions."""

from __future__ import annotations

from pi_tui.choices import SelectItem
from pi_tui.components.select_list import SelectList, SelectListLayout
from pi_tui.theme import Theme, get_select_list_theme

_TOOLS = [
    SelectItem("read", "read", "Read a file, or a part of it"),
    SelectItem("bash", "bash", "Run a command and show what it prints, up to a limit"),
    SelectItem("long", "a label that is far longer than any column 日本語", "wide"),
    SelectItem("last", "\x1b[31mred\x1b[39m and plain", "with\na break"),
]


def _list(
    theme: Theme,
    items: list[SelectItem],
    most: int = 5,
    selected: int = 0,
    column: int | None = None,
) -> SelectList:
    layout = SelectListLayout(max_primary_column_width=column)
    shown = SelectList(items, most, get_select_list_theme(theme), layout)
    shown.set_selected_index(selected)
    return shown


STORIES = {
    "empty": lambda theme: _list(theme, []),
    "usual": lambda theme: _list(theme, _TOOLS, selected=1),
    "without-descriptions": lambda theme: _list(theme, [SelectItem("a"), SelectItem("日本語")]),
    "more-than-fits": lambda theme: _list(
        theme, [SelectItem(f"item {n}") for n in range(30)], 4, selected=14
    ),
    "narrow-column": lambda theme: _list(theme, _TOOLS, column=8),
}
