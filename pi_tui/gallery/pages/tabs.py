"""Several components in one place."""

from __future__ import annotations

from pi_tui import SelectItem, get_select_list_theme, get_tabs_theme
from pi_tui.components import Input, SelectList, Tab, Tabs, Text
from pi_tui.gallery.page import Page, Piece, Stage


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    fruits = [SelectItem(name) for name in ("apple", "pear", "quince")]
    tabs = Tabs(
        [
            Tab("A text", Text("Right and Left change the tab: a text has no use for them.", 1, 1)),
            Tab("A list", SelectList(fruits, 5, get_select_list_theme(stage.theme))),
            Tab(
                "A field", Input("> ", "Ctrl+Page Up and Ctrl+Page Down, since arrows are its own")
            ),
            Tab("日本語", Text("ワイド文字のタブ", 1, 1)),
            Tab("One more, with a long title", Text("Titles that do not fit are cut.", 1, 1)),
        ],
        get_tabs_theme(stage.theme),
    )
    tabs.on_change = lambda tab: stage.say(f"shown: {tab.title}")
    return Piece(tabs, focus=(tabs,), fills=True)


PAGE = Page(
    "Tabs",
    "What shows has the keys first; those that it leaves change the tab, as do clicks and the wheel.",
    build,
    ("Tabs", "Tab", "TabsTheme", "get_tabs_theme"),
)
