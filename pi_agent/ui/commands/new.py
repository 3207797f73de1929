"""`/new`: begin another session."""

from __future__ import annotations

from pi_agent.host.start_session import new_session
from pi_agent.ui.commands.host import CommandHost
from pi_agent.ui.commands.table import Command


def new_command(host: CommandHost) -> Command:
    """Return the command."""
    return Command("new", "Begin a new session", lambda argument: begin_new_session(host))


def begin_new_session(host: CommandHost) -> None:
    """Leave this session for a new one."""
    options = host.app.options
    host.sessions.start(lambda: new_session(options), "new", "New session.")
