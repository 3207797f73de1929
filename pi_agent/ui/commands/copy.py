"""`/copy`: the last answer into the clipboard; its key takes the selection first."""

from __future__ import annotations

from pi_agent.llm.messages import text_of
from pi_agent.ui.commands.host import CommandHost
from pi_agent.ui.commands.table import Command
from pi_tui.fullscreen import TuiAltScreen, is_viewport_tui


class CopyAnswer:
    """Copies what the model said last."""

    def __init__(self, host: CommandHost) -> None:
        self._host = host

    def command(self) -> Command:
        """Return the command."""
        return Command("copy", "Copy the last answer", lambda argument: self._copy_answer())

    def copy(self) -> None:
        """Copy what is selected, else the last answer."""
        tui = self._host.app.tui
        if is_viewport_tui(tui) and tui.has_active_selection():
            self._host.app.start_task(_copy_selection(tui))
        else:
            self._copy_answer()

    def _copy_answer(self) -> None:
        services = self._host.services
        message = services.conversation.get_last_assistant_message() if services else None
        text = text_of(message.content).strip() if message is not None else ""
        if not text:
            self._host.app.notify("There is no answer to copy yet.")
            return
        copy_text(self._host, text)


def copy_text(host: CommandHost, text: str) -> None:
    """Put a text into the clipboard, and say so."""

    async def copy() -> None:
        await host.app.copy_text(text)

    host.app.start_task(copy())


async def _copy_selection(tui: TuiAltScreen) -> None:
    await tui.copy_active_selection_to_clipboard()
