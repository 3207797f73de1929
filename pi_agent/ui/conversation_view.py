"""The conversation on the screen: events become transcript entries.

Live events and stored messages end in the same views, so a resumed session looks as it did.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from pi_agent.llm.messages import (
    AssistantMessage,
    CustomMessage,
    ImageContent,
    Message,
    ToolCall,
    ToolResultMessage,
    UserMessage,
    text_of,
    tool_calls_of,
)
from pi_agent.loop.events import (
    AgentEvent,
    AgentSettled,
    AgentStart,
    MessageEnd,
    MessageStart,
    MessageUpdate,
    QueueUpdate,
    ToolExecutionEnd,
    ToolExecutionStart,
    ToolExecutionUpdate,
    TurnEnd,
)
from pi_agent.session.context import message_of
from pi_agent.session.entries import CustomMessageEntry, Entry, MessageEntry
from pi_agent.ui.messages.assistant import AssistantView
from pi_agent.ui.messages.deferred import Deferred
from pi_agent.ui.messages.notice import notice
from pi_agent.ui.messages.user import user_message
from pi_agent.ui.renderers.bash import BASH_LOOK
from pi_agent.ui.renderers.generic import generic_look
from pi_agent.ui.renderers.read import READ_LOOK
from pi_agent.ui.renderers.tool_row import ToolLook, ToolRow, ToolState
from pi_agent.ui.screen import AgentScreen
from pi_tui.component import Renderable
from pi_tui.components.container import Container
from pi_tui.components.spacer import Spacer

_LOOKS: Mapping[str, ToolLook] = {"read": READ_LOOK, "bash": BASH_LOOK}
_TIMED = frozenset({"bash"})


class ConversationView:
    """Feeds a screen with what a conversation tells."""

    def __init__(
        self, screen: AgentScreen, expand_key: str, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._screen = screen
        self._expand_key = expand_key
        self._now = now
        self._answer: AssistantView | None = None
        self._rows: dict[str, ToolRow] = {}
        self._all_rows: list[ToolRow] = []
        self._expanded = False
        self._started_at = 0.0
        self.on_turn_end: Callable[[AssistantMessage], None] = lambda message: None

    def take(self, event: AgentEvent) -> None:
        """Show an event."""
        match event:
            case AgentStart():
                self._started_at = self._now()
                self.show_working()
            case MessageStart(message=message):
                self._begin(message)
            case MessageUpdate(message=message):
                self._show_answer(message)
            case MessageEnd(message=message):
                self._end(message)
            case ToolExecutionStart():
                self._row(event.tool_call_id, event.tool_name).set_arguments(event.args)
            case ToolExecutionUpdate(partial_result=partial):
                row = self._row(event.tool_call_id, event.tool_name)
                row.set_output(partial.content, partial.details, "pending")
            case ToolExecutionEnd(result=result):
                row = self._row(event.tool_call_id, event.tool_name)
                row.set_output(
                    result.content, result.details, "error" if event.is_error else "success"
                )
                if event.duration_ms is not None and event.tool_name in _TIMED:
                    row.set_note(took(event.duration_ms / 1000))
            case TurnEnd(message=message):
                self.on_turn_end(message)
            case QueueUpdate(steering=steering, follow_up=follow_up):
                self._screen.pending.set_texts(steering, follow_up)
            case AgentSettled():
                self._screen.status.clear()
            case _:
                pass
        self._screen.tui.request_render()

    def show_stored(self, entries: Sequence[Entry]) -> None:
        """Show a resumed branch. An entry is read and built when it first comes into view."""
        results: dict[str, MessageEntry] = {}
        for entry in entries:
            if isinstance(entry, CustomMessageEntry) and entry.display is not False:
                self._append_deferred(lambda entry=entry: self._view_of(message_of(entry)))  # type: ignore[misc]  # mypy can't infer the default of a lambda argument
            if not isinstance(entry, MessageEntry):
                continue
            if entry.role == "toolResult":
                results[str(entry.raw["message"].get("toolCallId"))] = entry
            if entry.role == "assistant":
                results = {}  # ids may come again in a later answer
            if entry.role in ("user", "assistant", "custom"):
                self._append_deferred(
                    lambda entry=entry, results=results: self._stored_view(entry, results)  # type: ignore[misc]  # mypy can't infer the default of a lambda argument
                )

    def _append_deferred(self, build: Callable[[], Renderable | None]) -> None:
        self._screen.document.append(Deferred(lambda: build() or Spacer(0)))

    def show_working(self) -> None:
        """Say that the model works."""
        self._screen.status.show("Working", self._elapsed)

    def toggle_expanded(self) -> None:
        """Show all of every tool's output, or a few rows of it."""
        self._expanded = not self._expanded
        for row in self._all_rows:
            row.set_expanded(self._expanded)
        self._screen.tui.request_render()

    def _begin(self, message: Message) -> None:
        self._screen.notices.keep_last()
        if isinstance(message, AssistantMessage):
            self._rows = {}  # ids may come again in a later answer
            self._answer = AssistantView(self._screen.theme)
            self._screen.document.append(self._answer)
            self._show_answer(message)
            return
        view = self._view_of(message)
        if view is not None:
            self._screen.document.append(view)

    def _view_of(self, message: Message | None) -> Renderable | None:
        """Return the view of a message that is not an answer; `None` for one that is not shown."""
        theme = self._screen.theme
        if isinstance(message, UserMessage):
            return user_message(_with_images(message), theme)
        if isinstance(message, CustomMessage) and message.display:
            return notice(f"[{message.custom_type}] {text_of(message.content)}", "info", theme)
        return None

    def _stored_view(
        self, entry: MessageEntry, results: Mapping[str, MessageEntry]
    ) -> Renderable | None:
        message = entry.message
        if not isinstance(message, AssistantMessage):
            return self._view_of(message)
        whole = Container()
        answer = AssistantView(self._screen.theme)
        answer.update(message)
        whole.add_child(answer)
        for call in tool_calls_of(message):
            row = self._new_row(call.name)
            row.set_arguments(call.arguments)
            result = results.get(call.id)
            _show_result(row, result.message if result is not None else None)
            whole.add_child(row)
        return whole

    def _show_answer(self, message: AssistantMessage) -> None:
        if self._answer is not None:
            self._answer.update(message)
        for call in tool_calls_of(message):
            if call.id:
                self._row(call.id, call.name).set_arguments(call.arguments)

    def _end(self, message: Message) -> None:
        if not isinstance(message, AssistantMessage):
            return
        self._show_answer(message)
        self._answer = None
        if message.stop_reason in ("error", "aborted"):
            for call in tool_calls_of(message):
                self._fail_unanswered(call)

    def _fail_unanswered(self, call: ToolCall) -> None:
        """Mark a call that will never run."""
        self._row(call.id, call.name).set_output([], None, "error")

    def _row(self, call_id: str, name: str) -> ToolRow:
        row = self._rows.get(call_id)
        if row is None:
            row = self._rows[call_id] = self._new_row(name)
            self._screen.document.append(row)
        return row

    def _new_row(self, name: str) -> ToolRow:
        look = _LOOKS.get(name) or generic_look(name)
        row = ToolRow(look, self._screen.theme, self._expand_key)
        row.set_expanded(self._expanded)
        self._all_rows.append(row)
        return row

    def _elapsed(self) -> str:
        seconds = int(self._now() - self._started_at)
        return f" {duration(seconds)} (esc to interrupt)" if seconds else " (esc to interrupt)"


def _with_images(message: UserMessage) -> str:
    text = text_of(message.content)
    if isinstance(message.content, str):
        return text
    images = sum(1 for block in message.content if isinstance(block, ImageContent))
    if not images:
        return text
    mark = f"[{images} images]" if images > 1 else "[image]"
    return f"{text}\n{mark}" if text else mark


def _show_result(row: ToolRow, result: Message | None) -> None:
    if not isinstance(result, ToolResultMessage):
        row.set_output([], None, "error")
        return
    state: ToolState = "error" if result.is_error else "success"
    row.set_output(list(result.content), result.details, state)
    if result.duration_ms is not None and result.tool_name in _TIMED:
        row.set_note(took(result.duration_ms / 1000))


def took(seconds: float) -> str:
    """Return how long a call took, for its last line."""
    return f"Took {seconds:.1f}s" if seconds < 60 else f"Took {duration(int(seconds))}"


def duration(seconds: int) -> str:
    """Return seconds as people say them: `42s`, `1m 30s`, `2h 3m 4s`."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}h {minutes}m {rest}s"
    return f"{minutes}m {rest}s" if minutes else f"{rest}s"
