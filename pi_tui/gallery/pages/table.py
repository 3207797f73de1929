"""Rows in columns."""

from __future__ import annotations

from pi_tui import get_select_list_theme
from pi_tui.components import Column, Table
from pi_tui.gallery.page import Page, Piece, Stage

_NAMES = ("apple", "pear", "quince", "みかん", "fig", "plum")
_ROWS = 20_000


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    rows = [
        (
            f"{number:,}",
            _NAMES[number % len(_NAMES)],
            f"{number * 7919 % 1000 / 10:.1f}",
            "kept cool and dark" if number % 3 else "eaten at once",
            f"box {number // 100}",
        )
        for number in range(1, _ROWS + 1)
    ]
    columns = (
        Column("No.", "right"),
        "Fruit",
        Column("Grams", "right"),
        "What became of it",
        "Box",
    )
    table = Table(columns, rows, 10, get_select_list_theme(stage.theme), stage.tui)
    table.on_select = lambda row: stage.say(f"chosen: {row[0]} {row[1]}")
    return Piece(table, focus=(table,), fills=True, close=table.dispose)


PAGE = Page(
    "Table",
    "Twenty thousand rows. Click a title or press Alt+S to sort; Left and Right show columns that do not fit.",
    build,
    ("Table", "Column"),
)
