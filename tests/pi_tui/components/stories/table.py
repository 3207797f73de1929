"""Tables: empty, as usual, more columns or rows than there is room for, sorted."""

from __future__ import annotations

from pi_tui.components.table import Table
from pi_tui.table_columns import Column
from pi_tui.theme import Theme, get_select_list_theme

_COLUMNS = ("Model", Column("Context", "right"), Column("Price", "right"), "Remarks")
_MODELS = [
    ("small", "8,192", "0.10", "Fast, and good enough for titles"),
    ("large", "200,000", "3.00", "Reads whole projects"),
    ("日本語モデル", "32,768", "0.50", "ひらがなもカタカナも"),
    ("local",),
]


def _table(theme: Theme, rows: list[tuple[str, ...]], most: int = 10) -> Table:
    return Table(_COLUMNS, rows, most, get_select_list_theme(theme))


def _sorted(theme: Theme) -> Table:
    table = _table(theme, _MODELS)
    table.sort_by(1, descending=True)
    return table


def _further_right(theme: Theme) -> Table:
    columns = [f"Column {number}" for number in range(1, 13)]
    row = [f"cell {number}" for number in range(1, 13)]
    table = Table(columns, [row, row[:5]], 10, get_select_list_theme(theme))
    table.first_column = 3
    return table


STORIES = {
    "empty": lambda theme: _table(theme, []),
    "usual": lambda theme: _table(theme, _MODELS),
    "sorted": _sorted,
    "further-right": _further_right,
    "more-than-fits": lambda theme: _table(theme, [(f"row {n}", str(n)) for n in range(500)], 4),
}
