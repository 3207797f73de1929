"""Tabs: one, some, more than there is room for, and with the keys."""

from __future__ import annotations

from pi_tui.choices import SelectItem
from pi_tui.component_themes import get_tabs_theme
from pi_tui.components.select_list import SelectList
from pi_tui.components.tabs import Tab, Tabs
from pi_tui.components.text import Text
from pi_tui.theme import Theme, get_select_list_theme


def _tabs(theme: Theme, *titles: str, selected: int = 0) -> Tabs:
    tabs = Tabs([Tab(t, Text(f"What is under {t}.", 1, 0)) for t in titles], get_tabs_theme(theme))
    tabs.select(selected)
    return tabs


def _with_list(theme: Theme) -> Tabs:
    choices = SelectList([SelectItem("a"), SelectItem("b")], 5, get_select_list_theme(theme))
    tabs = Tabs([Tab("Choices", choices), Tab("Other", Text("else"))], get_tabs_theme(theme))
    tabs.focused = True
    return tabs


STORIES = {
    "empty": _tabs,
    "usual": lambda theme: _tabs(theme, "Files", "Changes", "Log", selected=1),
    "many": lambda theme: _tabs(theme, *(f"Part {n}" for n in range(1, 16)), selected=7),
    "wide-titles": lambda theme: _tabs(
        theme, "ファイル", "変更", "とても長いタイトルのタブ", selected=2
    ),
    "with-a-list": _with_list,
}
