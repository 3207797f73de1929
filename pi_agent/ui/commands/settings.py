"""`/settings`: a list of settings in the editor's place."""

from __future__ import annotations

from pi_agent.ui import dialogs
from pi_agent.ui.commands.host import CommandHost
from pi_agent.ui.commands.table import Command


def settings_command(host: CommandHost) -> Command:
    """Return the command."""
    return Command(
        "settings", "Change settings", lambda argument: dialogs.SettingsScreen(host).show()
    )
