"""What writes into the editor besides the keyboard: an external editor, the clipboard."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from pi_agent.ui.actions import ActionHandler
from pi_agent.ui.app import InteractiveApp
from pi_agent.ui.clipboard_read import keep_image, read_clipboard
from pi_agent.ui.external_editor import ExternalEditor
from pi_agent.ui.pasting import written_paths
from pi_tui.events import PasteEvent


class Drafting:
    """The actions, for the program's editor. What fails is told, and leaves the draft as it was."""

    def __init__(self, app: InteractiveApp) -> None:
        self._app = app

    @property
    def actions(self) -> Mapping[str, ActionHandler]:
        """What keys do, by the action's id."""
        return {
            "app.editor.external": lambda: self._app.start_task(self._edit_outside()),
            "app.clipboard.pasteImage": lambda: self._app.start_task(self._paste()),
        }

    async def _edit_outside(self) -> None:
        composer = self._app.composer
        text = composer.get_expanded_text()
        editor = ExternalEditor.chosen(
            self._app.settings.get_text("externalEditor"), self._app.options.environ
        )
        edited = await editor.edit(text, self._app.tui)
        if edited != text:
            composer.set_text(edited)

    async def _paste(self) -> None:
        """Insert the clipboard's files as paths, a picture as the path of a new file, or the text."""
        composer = self._app.composer
        clipping = await read_clipboard(self._app.options.environ)
        paths = list(clipping.files)
        if clipping.image:
            paths = [str(await asyncio.to_thread(keep_image, clipping.image))]
        text = written_paths(paths, for_shell=composer.is_command_for_shell) or clipping.text
        if text:
            composer.handle_paste(PasteEvent(text))
            self._app.tui.request_render()
        else:
            self._app.notify("The clipboard is empty.")
