"""The palette: with nothing typed, with a search, without a match, more than there is room for, wide labels."""

from __future__ import annotations

from collections.abc import Sequence

from pi_tui.components.command_palette import CommandPalette, PaletteCommand
from pi_tui.keybindings import KeybindingDefinition, KeybindingsManager, define_keys
from pi_tui.theme import Theme, get_select_list_theme

_COMMANDS = (
    PaletteCommand("session.new", "New session", "Begin with nothing said"),
    PaletteCommand("session.resume", "Resume a session", "Go on with what was said before"),
    PaletteCommand("model.select", "Choose a model", "Who answers from now on"),
    PaletteCommand("tools.expand", "Expand output", "Show all that commands have printed"),
    PaletteCommand("theme", "Change the theme"),
    PaletteCommand("quit", "Quit", "Leave; the session stays"),
)
_WIDE = (
    PaletteCommand("session.new", "新しいセッションを始める", "何も言われていない状態から"),
    PaletteCommand("quit", "終了", "セッションは残ります"),
)
_KEYS = {
    **{command.id: define_keys("", "") for command in _COMMANDS},
    "session.new": KeybindingDefinition(("ctrl+x ctrl+n",), ""),
    "model.select": define_keys("ctrl+l", ""),
    "tools.expand": define_keys("ctrl+o", ""),
    "quit": define_keys("ctrl+d", ""),
}


def _palette(
    theme: Theme,
    commands: Sequence[PaletteCommand] = _COMMANDS,
    query: str = "",
    most: int = 8,
) -> CommandPalette:
    keys = KeybindingsManager(_KEYS)
    palette = CommandPalette(commands, most, get_select_list_theme(theme), keybindings=keys)
    palette.focused = True
    palette.set_query(query)
    return palette


STORIES = {
    "empty": lambda theme: _palette(theme, ()),
    "usual": _palette,
    "searching": lambda theme: _palette(theme, query="ses"),
    "no-match": lambda theme: _palette(theme, query="zzz"),
    "many": lambda theme: _palette(theme, most=3),
    "wide-labels": lambda theme: _palette(theme, _WIDE),
}
