"""The rows of the settings screen: which settings there are to change, in which words.

The table names them; what a setting may be and what it does is in the table of all settings.
"""

from __future__ import annotations

import json

from pi_agent.resources.settings import SettingsStore
from pi_agent.resources.settings_table import BY_KEY, Kind
from pi_tui.frozen import frozen
from pi_tui.system_theme import SYSTEM_THEME


@frozen
class SettingRow:
    """A setting that can be changed on the screen, and what it is called there."""

    key: str
    label: str


SETTING_ROWS = (
    SettingRow("theme", "Theme"),
    SettingRow("defaultThinkingLevel", "Thinking level"),
    SettingRow("hideThinkingBlock", "Hide thinking"),
    SettingRow("steeringMode", "Steering messages"),
    SettingRow("followUpMode", "Follow-up messages"),
    SettingRow("retry.enabled", "Retry after failures"),
    SettingRow("cacheWarming", "Cache warming"),
    SettingRow("showCacheMissNotices", "Cache notices"),
    SettingRow("compaction.enabled", "Auto-compaction"),
    SettingRow("doubleEscapeAction", "Escape twice"),
    SettingRow("treeFilterMode", "Tree shows"),
    SettingRow("branchSummary.skipPrompt", "No branch summary"),
    SettingRow("mouse", "Mouse"),
    SettingRow("fullscreenCopyOnSelect", "Copy on select"),
    SettingRow("fullscreenScrollbar", "Scrollbar"),
    SettingRow("editorPaddingX", "Editor padding"),
    SettingRow("autocompleteMaxVisible", "Suggestions shown"),
    SettingRow("quietStartup", "Quiet start"),
    SettingRow("tuiMode", "Screen mode"),
    SettingRow("plain", "For screen readers"),
    SettingRow("fullscreenExitOutput", "Left at the end"),
    SettingRow("showHardwareCursor", "Terminal's cursor"),
)
_FLAGS = {True: "on", False: "off"}


def values_of(row: SettingRow) -> tuple[str, ...]:
    """Return what a setting can be set to, as the screen shows it."""
    kind = BY_KEY[row.key].kind
    return _flags(kind) + _numbers(kind) + kind.words


def shown_value(settings: SettingsStore, row: SettingRow) -> str:
    """Return what a setting is set to, as the screen shows it."""
    value = settings.get(row.key)
    if value is None:
        return SYSTEM_THEME if row.key == "theme" else "default"
    if isinstance(value, bool):
        return _FLAGS[value]
    return value if isinstance(value, str) else json.dumps(value)


def parsed_value(row: SettingRow, shown: str) -> object:
    """Return a shown value as the file has it."""
    kind = BY_KEY[row.key].kind
    if kind.flag and shown in _FLAGS.values():
        return shown == _FLAGS[True]
    return int(shown) if kind.low is not None and shown not in kind.words else shown


def about(row: SettingRow) -> str:
    """Return what a setting does, as a sentence."""
    help_text = BY_KEY[row.key].help.replace("`", "")
    return f"{help_text[0].upper()}{help_text[1:]}."


def _flags(kind: Kind) -> tuple[str, ...]:
    return tuple(_FLAGS.values()) if kind.flag else ()


def _numbers(kind: Kind) -> tuple[str, ...]:
    if kind.low is None or kind.high is None:
        return ()
    return tuple(str(number) for number in range(kind.low, kind.high + 1))
