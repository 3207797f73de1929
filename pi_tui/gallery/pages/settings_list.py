"""Settings with their values."""

from __future__ import annotations

from collections.abc import Callable

from pi_tui import Renderable, SelectItem, get_select_list_theme, get_settings_list_theme
from pi_tui.components import SelectList, SettingItem, SettingsList
from pi_tui.gallery.page import Page, Piece, Stage

_COLORS = [SelectItem("green"), SelectItem("amber"), SelectItem("white")]


def build(stage: Stage) -> Piece:
    """Return the page's piece."""

    def choose_color(current: str, done: Callable[..., None]) -> Renderable:
        choices = SelectList(_COLORS, 5, get_select_list_theme(stage.theme))
        choices.set_selected_index([color.value for color in _COLORS].index(current))
        choices.on_select = lambda item: done(item.value)
        choices.on_cancel = lambda: done()
        return choices

    settings = SettingsList(
        [
            SettingItem("bell", "Bell", "off", "Ring when it is done.", values=["on", "off"]),
            SettingItem("speed", "Speed", "9600", "Bits in a second.", ["300", "1200", "9600"]),
            SettingItem("color", "Phosphor", "green", "Opens a list.", submenu=choose_color),
        ],
        10,
        get_settings_list_theme(stage.theme),
        on_change=lambda item, value: stage.say(f"{item} = {value}"),
        on_cancel=lambda: stage.say("cancelled"),
        enable_search=True,
    )
    return Piece(settings, focus=(settings,))


PAGE = Page(
    "SettingsList",
    "Enter or the space bar goes through the values, or opens a component of the program's own. Type to search.",
    build,
    ("SettingsList", "SettingItem", "get_settings_list_theme"),
)
