"""`/quit`: leave the program."""

from __future__ import annotations

from pi_agent.ui.commands.host import CommandHost
from pi_agent.ui.commands.table import Command


def quit_command(host: CommandHost) -> Command:
    """Return the command."""
    return Command("quit", "Leave pi", lambda argument: host.app.quit())
