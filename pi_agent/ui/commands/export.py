"""`/export`: the session as a page, or its branch as a session file."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import TYPE_CHECKING

from pi_agent.base.errors import PiError
from pi_agent.session.store import SessionManager
from pi_agent.ui import dialogs
from pi_agent.ui.asking import ask
from pi_agent.ui.commands.host import CommandHost
from pi_agent.ui.commands.table import Command
from pi_tui.abort import AbortController, AbortError

if TYPE_CHECKING:
    from pi_agent.session.export.source import ExportSource
    from pi_agent.session.export.target import ExportTarget

_NOTHING = "Cancelled: nothing was written."


def export_command(host: CommandHost) -> Command:
    """Return the command."""
    return Command(
        "export",
        "Write the session as a page, or as a .jsonl file",
        lambda path: _start(host, path),
        "[path]",
    )


def _start(host: CommandHost, text: str) -> None:
    if host.services is not None:
        host.app.start_task(_export(host, host.services.conversation.session, text))


async def _export(host: CommandHost, session: SessionManager, text: str) -> None:
    try:
        path = await _written(host, session, text.strip("\"'"))
    except AbortError:
        host.app.notify(_NOTHING)
    except PiError as error:
        host.report(f"Error: {error.with_hint()}")
    else:
        host.app.notify(_NOTHING if path is None else f"Exported to {path}")


async def _written(host: CommandHost, session: SessionManager, text: str) -> Path | None:
    """Write the export, and return where it is; `None` if the user would rather not."""
    from pi_agent.session.export.source import source_of_session
    from pi_agent.session.export.target import export_target

    source = await asyncio.to_thread(source_of_session, session)
    options = host.app.options
    home = Path(options.environ["HOME"]) if options.environ.get("HOME") else None
    target = export_target(source, text, options.cwd, now=time.time(), home=home)
    if target.replaces_something and not await _may_replace(host, target.path):
        return None
    await _write(host, source, target)
    return target.path


async def _may_replace(host: CommandHost, path: Path) -> bool:
    screen = host.app.screen
    return await ask(
        screen,
        lambda answer: dialogs.ConfirmDialog("Replace this file?", str(path), screen.theme, answer),
        False,
    )


async def _write(host: CommandHost, source: ExportSource, target: ExportTarget) -> None:
    """Write it on another thread, while the user can watch and cancel."""
    from pi_agent.session.export.write import write_export

    app, stop, loop = host.app, AbortController(), asyncio.get_running_loop()
    dialog = dialogs.WaitingDialog(
        "Export", target.path.name, app.tui, app.theme, stop_label="cancel", on_stop=stop.abort
    )

    def tell(done: int, total: int) -> None:
        told = f"{done:,} of {total:,} entries"
        loop.call_soon_threadsafe(dialog.set_words, told)

    app.screen.show_dialog(dialog)
    try:
        await asyncio.to_thread(write_export, source, target, app.theme, tell, stop.signal)
    finally:
        stop.abort()
        dialog.dispose()
        app.screen.close_dialog(dialog)
