"""Choices one below the other."""

from __future__ import annotations

from pi_tui import SelectItem, get_select_list_theme
from pi_tui.components import SelectList, SelectListLayout
from pi_tui.gallery.page import Page, Piece, Stage
from pi_tui.gallery.samples import samples

_FRUITS = [
    SelectItem("apple", "Apple", "Keeps through the winter"),
    SelectItem("pear", "Pear", "Soft from one day to the next"),
    SelectItem("quince", "Quince", "Hard, but what a smell"),
    SelectItem("mikan", "みかん", "Peels by itself"),
    SelectItem("fig", "Fig", "Neither fruit nor flower"),
    SelectItem("plum", "Plum, of the kind that has a rather long name", "Blue"),
]


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    looks = get_select_list_theme(stage.theme)
    usual = SelectList(_FRUITS, 4, looks)
    narrow = SelectList(_FRUITS, 3, looks, SelectListLayout(max_primary_column_width=10))
    empty = SelectList([], 3, looks)
    for each in (usual, narrow):
        each.on_select = lambda item: stage.say(f"selected: {item.value}")
        each.on_selection_change = lambda item: stage.say(f"at: {item.value}")
        each.on_cancel = lambda: stage.say("cancelled")
    return Piece(
        samples(
            stage.theme,
            ("four in sight", usual),
            ("a column of ten for the labels", narrow),
            ("nothing to choose from", empty),
        ),
        focus=(usual, narrow),
    )


PAGE = Page(
    "SelectList",
    "Arrows, Page Up and Page Down, the wheel and clicks; Enter chooses. Descriptions show from 40 columns on.",
    build,
    ("SelectList", "SelectListLayout", "SelectItem", "get_select_list_theme"),
)
