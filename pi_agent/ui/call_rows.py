"""The rows of tool calls: one for each call, from its first argument to its result."""

from __future__ import annotations

from pathlib import Path
from weakref import WeakSet

from pi_agent.llm.messages import Message, ToolCall, ToolResultMessage
from pi_agent.loop.events import ToolExecutionEnd, ToolExecutionStart, ToolExecutionUpdate
from pi_agent.ui import renderers
from pi_agent.ui.elapsed import ElapsedTimes, took
from pi_agent.ui.messages.pictures import Pictures
from pi_agent.ui.renderers.edit_preview import EditPreviews
from pi_agent.ui.screen import AgentScreen

ToolEvent = ToolExecutionStart | ToolExecutionUpdate | ToolExecutionEnd


class CallRows:
    """Puts a row into the document for each call it hears of, and feeds it."""

    def __init__(
        self, screen: AgentScreen, expand_key: str, cwd: Path, elapsed: ElapsedTimes
    ) -> None:
        self._screen = screen
        self._expand_key = expand_key
        self._cwd = cwd
        self._by_id: dict[str, renderers.ToolRow] = {}
        self._all: WeakSet[renderers.ToolRow] = WeakSet()
        self._expanded = False
        self._elapsed = elapsed
        self._previews = EditPreviews(cwd, screen.tui.request_render)

    def begin_answer(self) -> None:
        """Take ids from now on as new ones: they may come again in a later answer."""
        self._by_id = {}

    def show_call(self, call: ToolCall, *, complete: bool = False) -> None:
        """Show a call as far as it has come."""
        if call.id:
            self._row(call.id, call.name).set_arguments(call.arguments, complete=complete)

    def take(self, event: ToolEvent) -> None:
        """Show how a call is going."""
        row = self._row(event.tool_call_id, event.tool_name)
        if isinstance(event, ToolExecutionStart):
            row.set_arguments(event.args, complete=True)
            if isinstance(row, renderers.EditRow):
                self._previews.watch(row)
        elif isinstance(event, ToolExecutionUpdate):
            partial = event.partial_result
            row.set_output(partial.content, partial.details, "pending")
            if row.is_timed:
                self._elapsed.start(row)
        else:
            self._elapsed.stop(row)
            row.set_output(
                event.result.content,
                event.result.details,
                "error" if event.is_error else "success",
            )
            _show_duration(row, event.duration_ms)

    def fail(self, call: ToolCall) -> None:
        """Show that a call will never run."""
        row = self._row(call.id, call.name)
        row.set_output([], None, "error")
        row.set_note("Not run")

    def stored_row(self, call: ToolCall, result: Message | None) -> renderers.ToolRow:
        """Return the row of a call of long ago; it is not put into the document."""
        row = self._new_row(call.name)
        row.set_arguments(call.arguments, complete=True)
        if not isinstance(result, ToolResultMessage):
            row.set_output([], None, "error")
            row.set_note("No result")
            return row
        row.set_output(
            list(result.content), result.details, "error" if result.is_error else "success"
        )
        _show_duration(row, result.duration_ms)
        return row

    def set_expanded(self, expanded: bool) -> None:
        """Show all of every call, or a few rows of it."""
        self._expanded = expanded
        for row in self._all:
            row.set_expanded(expanded)

    def _row(self, call_id: str, name: str) -> renderers.ToolRow:
        row = self._by_id.get(call_id)
        if row is None:
            row = self._by_id[call_id] = self._new_row(name)
            self._screen.document.append(row)
        return row

    def _new_row(self, name: str) -> renderers.ToolRow:
        links_from = self._cwd if self._screen.hyperlinks else None
        row = renderers.row_for(name, self._screen.theme, self._expand_key, links_from=links_from)
        row.set_expanded(self._expanded)
        row.pictures = Pictures(self._screen.theme, self._screen.picture_look)
        row.on_clicked = self._screen.view.stop_following
        self._all.add(row)
        return row


def _show_duration(row: renderers.ToolRow, duration_ms: int | None) -> None:
    if row.is_timed:
        row.set_note(took(duration_ms / 1000) if duration_ms is not None else "")
