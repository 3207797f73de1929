"""Lists of settings: empty, usual, searched, with a long description."""

from __future__ import annotations

from pi_tui.components.settings_list import SettingItem, SettingsList
from pi_tui.events import KeyEvent
from pi_tui.theme import Theme, get_settings_list_theme


def _items() -> list[SettingItem]:
    return [
        SettingItem("theme", "Theme", "dark", "Colors: light, dark or 日本語", ["dark"]),
        SettingItem("thinking", "How long a model thinks", "medium", values=["medium"]),
        SettingItem("queue", "Messages for a working model", "one-at-a-time"),
        SettingItem(
            "bell", "Bell", "off", "Rings when an answer is there and nobody looks", ["on"]
        ),
    ]


def _settings(
    theme: Theme, items: list[SettingItem], most: int = 10, *, search: bool = False, query: str = ""
) -> SettingsList:
    shown = SettingsList(items, most, get_settings_list_theme(theme), enable_search=search)
    shown.focused = True
    for letter in query:
        shown.handle_key(KeyEvent(letter, letter))
    return shown


def _described(theme: Theme) -> SettingsList:
    shown = _settings(theme, _items())
    shown.select_item("bell")
    return shown


STORIES = {
    "empty": lambda theme: _settings(theme, []),
    "usual": lambda theme: _settings(theme, _items()),
    "description": _described,
    "searched": lambda theme: _settings(theme, _items(), search=True, query="be"),
    "nothing-found": lambda theme: _settings(theme, _items(), search=True, query="zzz"),
    "more-than-fits": lambda theme: _settings(theme, _items(), 2),
}
