"""What an edit would change, shown while it waits to be allowed.

An edit that nobody has to allow is done before anybody could read it: only one that has not happened after a
moment is looked at.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from pi_agent.base.params import Parameters
from pi_agent.base.wire import JsonObject
from pi_agent.tools.edit import EDIT_PARAMETERS, preview_edit, repair_arguments
from pi_agent.tools.edit_text import EditError
from pi_agent.ui import renderers
from pi_tui.diff import numbered_diff
from pi_tui.threads import start_in_thread

_MOMENT_SECONDS = 0.1


class EditPreviews:
    """Gives rows of edits their previews. `on_change` asks for a frame."""

    def __init__(self, cwd: Path, on_change: Callable[[], None]) -> None:
        self._cwd = cwd
        self._on_change = on_change

    def watch(self, row: renderers.EditRow) -> None:
        """Preview a call whose arguments are there, unless it has a result before."""
        asyncio.get_running_loop().call_later(_MOMENT_SECONDS, self._start, row)

    def _start(self, row: renderers.EditRow) -> None:
        if row.state != "pending":
            return
        arguments, cwd = row.arguments, self._cwd
        work = start_in_thread(lambda: _preview(cwd, arguments), name="pi-preview")
        work.add_done_callback(lambda done: self._show(row, done))

    def _show(self, row: renderers.EditRow, done: asyncio.Future[tuple[str, str]]) -> None:
        if done.cancelled() or done.exception() is not None or row.state != "pending":
            return
        row.set_preview(*done.result())
        self._on_change()


def _preview(cwd: Path, arguments: JsonObject) -> tuple[str, str]:
    """Return the diff, or the problem; neither for arguments that the tool will refuse."""
    checked = Parameters(EDIT_PARAMETERS).check(repair_arguments(arguments))
    if checked.problems:
        return "", ""
    try:
        return numbered_diff(preview_edit(cwd, checked.values).diff), ""
    except EditError as error:
        return "", str(error)
