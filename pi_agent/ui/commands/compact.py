"""`/compact`: put a summary in the place of what was said longest ago."""

from __future__ import annotations

from pi_agent.base.errors import PiError
from pi_agent.host.services import Services
from pi_agent.ui.commands.host import CommandHost
from pi_agent.ui.commands.table import Command
from pi_tui.abort import AbortError


def compact_command(host: CommandHost) -> Command:
    """Return the command."""
    return Command(
        "compact", "Summarise what was said longest ago", lambda text: _run(host, text), "[focus]"
    )


def _run(host: CommandHost, instructions: str) -> None:
    services = host.services
    if services is None:
        return
    if services.conversation.is_compacting:
        host.app.notify("The conversation is being compacted already.")
        return
    host.app.start_task(_compact(host, services, instructions))


async def _compact(host: CommandHost, services: Services, instructions: str) -> None:
    """Compact; how that ends is told by its events."""
    await host.sessions.done()
    if services.conversation.is_streaming:
        await host.take_back(services)
    try:
        async with host.watching():
            await services.conversation.compact(instructions)
    except (PiError, AbortError):
        pass
