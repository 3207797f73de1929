"""`/import`: go on with a session whose file lies elsewhere."""

from __future__ import annotations

import os
from pathlib import Path

from pi_agent.host.replacements import import_file
from pi_agent.ui import dialogs
from pi_agent.ui.commands.host import CommandHost
from pi_agent.ui.commands.table import Command

_QUOTES = ("'", '"')


def import_command(host: CommandHost) -> Command:
    """Return the command."""
    about = "Go on with a session from a file"
    return Command("import", about, lambda argument: _ask(host, argument), "path.jsonl")


def _ask(host: CommandHost, argument: str) -> None:
    name = _unquoted(argument)
    if not name:
        host.app.notify("Name the session's file: /import PATH.jsonl")
        return
    screen, options = host.app.screen, host.app.options
    path = Path(os.path.abspath(options.cwd / Path(name).expanduser()))

    def answer(is_sure: bool) -> None:
        screen.close_dialog(dialog)
        if is_sure:
            host.sessions.start(import_file(path, options), "Session imported.")

    about = f"{path}\nis copied to your sessions and takes the place of this one."
    dialog = dialogs.ConfirmDialog("Import this session?", about, screen.theme, answer)
    screen.show_dialog(dialog)


def _unquoted(text: str) -> str:
    if len(text) > 1 and text[0] in _QUOTES and text[-1] == text[0]:
        return text[1:-1]
    return text
