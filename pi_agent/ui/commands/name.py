"""`/name`: name the session, or tell its name."""

from __future__ import annotations

from pi_agent.base.errors import PiError
from pi_agent.host.services import Services
from pi_agent.ui.commands.host import CommandHost
from pi_agent.ui.commands.table import Command


def name_command(host: CommandHost) -> Command:
    """Return the command."""
    return Command("name", "Name the session", lambda name: _run(host, name), "[text]")


def _run(host: CommandHost, name: str) -> None:
    services = host.services
    if services is None:
        return
    if name:
        host.app.start_task(_set(host, services, name))
        return
    current = services.conversation.session.get_session_name()
    told = f"Name: {current}" if current else "This session has no name. /name TEXT gives it one."
    host.app.notify(told)


async def _set(host: CommandHost, services: Services, name: str) -> None:
    try:
        await services.conversation.set_session_name(name)
    except PiError as error:
        host.report(f"Error: {error.with_hint()}")
        return
    host.app.notify(f"Name: {services.conversation.session.get_session_name()}")
