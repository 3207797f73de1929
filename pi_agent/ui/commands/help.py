"""`/help`: the commands, and the keys one would look for."""

from __future__ import annotations

from pi_agent.ui.commands.host import CommandHost
from pi_agent.ui.commands.table import Command
from pi_agent.ui.messages.help_table import HelpTable
from pi_tui.keybindings import key_display_text

_SHOWN_KEYS = (
    "app.interrupt",
    "app.clear",
    "app.exit",
    "app.suspend",
    "app.tools.expand",
    "app.model.select",
    "app.model.cycleForward",
    "app.thinking.cycle",
    "app.thinking.toggle",
    "app.editor.external",
    "app.clipboard.pasteImage",
    "app.message.copy",
    "app.mouse.toggle",
    "app.message.followUp",
    "app.message.dequeue",
    "app.queue.focus",
    "tui.input.newLine",
    "tui.altScreen.pageUp",
    "tui.altScreen.pageDown",
    "tui.altScreen.top",
    "tui.altScreen.bottom",
    "tui.altScreen.search",
)

# Where the terminal scrolls and has the mouse, these do nothing.
_FULLSCREEN_KEYS = {action for action in _SHOWN_KEYS if action.startswith("tui.altScreen.")} | {
    "app.mouse.toggle"
}

_SHELL = (
    ("!command", "Run it in the shell, and let the model know of it"),
    ("!!command", "Run it, and do not"),
)


def help_command(host: CommandHost) -> Command:
    """Return the command."""
    return Command("help", "Show commands and keys", lambda argument: _show(host))


def _show(host: CommandHost) -> None:
    keybindings, screen = host.app.keybindings, host.app.screen
    keys = [
        (key_display_text(action), definition.description)
        for action in _SHOWN_KEYS
        if screen.tui.mode == "fullscreen" or action not in _FULLSCREEN_KEYS
        if (definition := keybindings.get_definition(action)) is not None
        and key_display_text(action)
    ]
    commands = [*host.commands.help_rows(host.extension_commands()), *_SHELL]
    screen.show_from_start(HelpTable([commands, keys], screen.theme))
