"""`/reload`: read extensions, settings, keys and themes again."""

from __future__ import annotations

from pi_agent.base.errors import PiError
from pi_agent.host.services import Services
from pi_agent.ui.commands.host import CommandHost
from pi_agent.ui.commands.table import Command

_WITHOUT_EXTENSIONS = "Reloaded settings, keys and themes."


def reload_command(host: CommandHost) -> Command:
    """Return the command."""
    return Command(
        "reload", "Read extensions, settings, keys and themes again", lambda argument: _start(host)
    )


def _start(host: CommandHost) -> None:
    if host.services is not None:
        host.app.start_task(_reload(host, host.services))


async def _reload(host: CommandHost, services: Services) -> None:
    status = host.app.screen.status
    try:
        async with host.watching():
            status.show("Reloading")
            problems = await services.reload()
    except PiError as error:
        host.report(f"Not reloaded: {error.with_hint()}")
        return
    finally:
        host.restore_status()
    settings = services.settings
    settings.reload()
    if settings.error is not None:
        host.report(f"Error: {settings.error}")
    for warning in (*settings.warnings, *host.app.keybindings.reload()):
        host.app.notify(warning, "warning")
    await host.app.theming.reload()
    for problem in problems:
        host.app.notify(problem.text, "warning" if problem.kind == "warning" else "error")
    host.show_extensions()
    names = ", ".join(services.extensions.names)
    host.app.notify(
        f"Reloaded settings, keys, themes and extensions: {names}."
        if names
        else _WITHOUT_EXTENSIONS
    )
