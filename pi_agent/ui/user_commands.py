"""`!command` and `!!command` on the screen: running them, and their rows.

While the model works a command stands above the editor, and goes into the document when its result goes into
the session: when the run has settled.
"""

from __future__ import annotations

from weakref import WeakSet

from pi_agent.base.errors import PiError
from pi_agent.host.services import Services
from pi_agent.host.user_bash import UserCommand, command_of
from pi_agent.llm.messages import BashExecutionMessage
from pi_agent.ui.elapsed import ElapsedTimes
from pi_agent.ui.messages.user_command import UserCommandRow
from pi_agent.ui.screen import AgentScreen


class UserCommands:
    """The commands of one shown session."""

    def __init__(self, screen: AgentScreen, expand_key: str, elapsed: ElapsedTimes) -> None:
        self._screen = screen
        self._expand_key = expand_key
        self._elapsed = elapsed
        self._rows: WeakSet[UserCommandRow] = WeakSet()
        self._beside: list[UserCommandRow] = []
        self._running: set[UserCommandRow] = set()
        self._expanded = False

    async def run(self, command: UserCommand, services: Services) -> None:
        """Run a command and show it; raises `PiError` if it cannot be run."""
        row = self._new_row(command)
        beside = services.conversation.is_streaming
        row.set_compact(beside)
        if beside:
            self._beside.append(row)
            self._screen.beside.add_child(row)
        else:
            self._screen.notices.keep_last()
            self._screen.document.append(row)
        self._elapsed.start(row)

        def take(text: str) -> None:
            row.set_output(text)
            self._screen.tui.request_render()

        self._screen.tui.request_render()
        self._running.add(row)
        try:
            row.finish(await services.user_bash.run(command, services.conversation, take))
        except PiError:
            self._remove(row)
            raise
        finally:
            self._running.discard(row)
            self._elapsed.stop(row)
            self._screen.tui.request_render()

    def settle(self) -> None:
        """Put what stood beside a run into the document: the run has settled."""
        rows, self._beside = self._beside, []
        if rows:
            self._screen.notices.keep_last()
        for row in rows:
            self._screen.beside.remove_child(row)
            row.set_compact(False)
            self._screen.document.append(row)

    def go_on_with(self, before: UserCommands) -> None:
        """Show what still runs, where the conversation goes on elsewhere."""
        self._running = before._running
        for row in self._running:
            row.set_expanded(self._expanded)
            self._rows.add(row)
            self._screen.document.append(row)

    def stored_row(self, message: BashExecutionMessage) -> UserCommandRow:
        """Return the row of a command of long ago; it is not put into the document."""
        row = self._new_row(command_of(message))
        row.finish(message)
        return row

    def set_expanded(self, expanded: bool) -> None:
        """Show all of every output, or its last rows."""
        self._expanded = expanded
        for row in self._rows:
            row.set_expanded(expanded)

    def _new_row(self, command: UserCommand) -> UserCommandRow:
        row = UserCommandRow(command, self._screen.theme, self._expand_key)
        row.set_expanded(self._expanded)
        self._rows.add(row)
        return row

    def _remove(self, row: UserCommandRow) -> None:
        if row in self._beside:
            self._beside.remove(row)
        self._screen.beside.remove_child(row)
        self._screen.document.remove(row)
