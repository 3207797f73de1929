"""`/new`: begin another session."""

from __future__ import annotations

from pi_agent.host.replacements import begin
from pi_agent.ui.commands.host import CommandHost
from pi_agent.ui.commands.table import Command


def new_command(host: CommandHost) -> Command:
    """Return the command."""
    return Command("new", "Begin a new session", lambda argument: begin_new_session(host))


def begin_new_session(host: CommandHost) -> None:
    """Leave this session for a new one."""
    host.sessions.start(begin(host.app.options), "New session.")
