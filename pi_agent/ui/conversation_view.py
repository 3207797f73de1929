"""The conversation on the screen: events become transcript entries.

Live events and stored messages end in the same views, so a resumed session looks as it did.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from weakref import WeakSet

from pi_agent.llm.messages import (
    AssistantMessage,
    BashExecutionMessage,
    CustomMessage,
    Message,
    UserMessage,
    text_of,
    tool_calls_of,
)
from pi_agent.loop.events import (
    AgentEvent,
    AgentSettled,
    AgentStart,
    AutoRetryEnd,
    AutoRetryStart,
    MessageEnd,
    MessageStart,
    MessageUpdate,
    PromptProgress,
    QueueUpdate,
    ToolExecutionEnd,
    ToolExecutionStart,
    ToolExecutionUpdate,
    TurnEnd,
)
from pi_agent.loop.summary_events import (
    CompactionEnd,
    CompactionStart,
    SummarizationRetryAttemptStart,
    SummarizationRetryFinished,
    SummarizationRetryScheduled,
)
from pi_agent.session.context import in_order_of_time, message_of
from pi_agent.session.entries import (
    BranchSummaryEntry,
    CompactionEntry,
    Entry,
    MessageEntry,
)
from pi_agent.ui.call_rows import CallRows
from pi_agent.ui.compaction_status import CompactionStatus
from pi_agent.ui.elapsed import ElapsedTimes, duration
from pi_agent.ui.messages.assistant import AssistantView
from pi_agent.ui.messages.custom import CustomMessageView, RendererOf
from pi_agent.ui.messages.pictures import Pictures
from pi_agent.ui.messages.summary import SummaryView, summary_view
from pi_agent.ui.messages.user import UserMessageView
from pi_agent.ui.prompt_status import PromptStatus
from pi_agent.ui.retry_status import RetryStatus
from pi_agent.ui.screen import AgentScreen
from pi_agent.ui.stored_rows import StoredRows
from pi_agent.ui.user_commands import UserCommands
from pi_tui.component import Renderable
from pi_tui.components.container import Container
from pi_tui.components.spacer import Spacer


class ConversationView:
    """Feeds a screen with what a conversation tells."""

    def __init__(
        self,
        screen: AgentScreen,
        expand_key: str,
        cwd: Path,
        renderer_of: RendererOf = lambda custom_type: None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._screen = screen
        self._renderer_of = renderer_of
        self._expand_key = expand_key
        self._custom: WeakSet[CustomMessageView] = WeakSet()
        self._summaries: WeakSet[SummaryView] = WeakSet()
        self._now = now
        self._answer: AssistantView | None = None
        elapsed = ElapsedTimes(now, screen.tui.request_render)
        self._calls = CallRows(screen, expand_key, cwd, elapsed)
        self.user_commands = UserCommands(screen, expand_key, elapsed)
        self._expanded = False
        self._is_running = False
        self._started_at = 0.0
        self._retry = RetryStatus(screen.status, screen.notices, now)
        self._compaction = CompactionStatus(
            screen.status, screen.notices, now, self._end_compaction
        )
        self._progress = PromptStatus(screen.status, self.show_working)
        self._hides_thinking = False
        self.on_turn_end: Callable[[AssistantMessage], None] = lambda message: None

    def take(self, event: AgentEvent) -> None:
        """Show an event."""
        match event:
            case AgentStart():
                self._is_running = True
                self._started_at = self._now()
                self._screen.doing.begin()
                self._retry.go_on()
                self.show_working()
            case PromptProgress():
                self._progress.take(event)
            case MessageStart(message=message):
                self._begin(message)
            case MessageUpdate(message=message):
                self._progress.end()
                self._show_answer(message)
            case MessageEnd(message=message):
                self._progress.end()
                self._end(message)
            case ToolExecutionStart() | ToolExecutionUpdate() | ToolExecutionEnd():
                self._calls.take(event)
            case TurnEnd(message=message):
                self.on_turn_end(message)
            case QueueUpdate():
                self._screen.pending.refresh()
            case AutoRetryStart():
                self._retry.start(event)
            case AutoRetryEnd():
                self._retry.end(event)
            case (
                CompactionStart()
                | CompactionEnd()
                | SummarizationRetryScheduled()
                | SummarizationRetryAttemptStart()
                | SummarizationRetryFinished()
            ):
                self._compaction.take(event)
            case AgentSettled():
                self._is_running = False
                self.user_commands.settle()
                self._screen.status.clear()
                self._screen.doing.settle()
                self._tell_end()
            case _:
                pass
        self._screen.tui.request_render()

    def show_stored(self, entries: Sequence[Entry]) -> None:
        """Show a resumed branch. An entry is read and its view made when it comes into view."""
        rows = StoredRows(in_order_of_time(entries))
        self._screen.document.append_later(
            len(rows), lambda row: self._stored_view(rows, row) or Spacer(0)
        )

    def view_of_all(self, entries: Sequence[Entry]) -> Container:
        """Return the views of some entries, one below the other, which are not put into the document."""
        rows, whole = StoredRows(entries), Container()
        for row in range(len(rows)):
            whole.add_child(self._stored_view(rows, row) or Spacer(0))
        return whole

    def show_working(self) -> None:
        """Say that the model works, or when it is asked again."""
        if self._compaction.is_shown:
            self._compaction.show()
        elif self._retry.is_waiting:
            self._retry.show()
        elif self._progress.is_shown:
            self._progress.show()
        else:
            self._screen.status.show_working(self._elapsed)

    def toggle_expanded(self) -> None:
        """Show all of every tool's output, or a few rows of it."""
        self._expanded = not self._expanded
        self._calls.set_expanded(self._expanded)
        self.user_commands.set_expanded(self._expanded)
        for view in self._custom:
            view.set_expanded(self._expanded)
        for summary in self._summaries:
            summary.set_expanded(self._expanded)
        self._screen.show_changed_everywhere()

    def extensions_changed(self) -> None:
        """Let the extensions that there are now draw their messages."""
        for view in self._custom:
            view.invalidate()
        if self._custom:
            self._screen.show_changed_everywhere()

    def hide_thinking(self, hides: bool) -> None:
        """Show a line in place of what the model thought, or all of it."""
        if hides != self._hides_thinking:
            self._hides_thinking = hides
            self._screen.document.invalidate()
            self._screen.show_changed_everywhere()

    def _begin(self, message: Message) -> None:
        self._screen.notices.keep_last()
        if isinstance(message, AssistantMessage):
            self._calls.begin_answer()
            self._answer = self._new_answer(self._retry.attempts)
            self._screen.document.append(self._answer)
            self._show_answer(message)
            return
        view = self._view_of(message)
        if view is not None:
            self._screen.document.append(view)

    def _new_answer(self, attempts: int = 0) -> AssistantView:
        answer = AssistantView(
            self._screen.theme,
            attempts,
            hyperlinks=self._screen.hyperlinks,
            hides_thinking=lambda: self._hides_thinking,
        )
        answer.on_clicked = self._screen.view.stop_following
        return answer

    def _view_of(self, message: Message | None) -> Renderable | None:
        """Return the view of a message that is not an answer; `None` for one that is not shown."""
        if isinstance(message, UserMessage):
            return self._user_view(message)
        if isinstance(message, CustomMessage) and message.display:
            return self._custom_view(message)
        if isinstance(message, BashExecutionMessage):
            return self.user_commands.stored_row(message)
        return None

    def _user_view(self, message: UserMessage) -> Renderable:
        theme, screen = self._screen.theme, self._screen
        pictures = Pictures(theme, screen.picture_look)
        pictures.show(message.content)
        text = text_of(message.content)
        return UserMessageView(text, theme, hyperlinks=screen.hyperlinks, pictures=pictures)

    def _custom_view(self, message: CustomMessage) -> Renderable:
        view = CustomMessageView(
            message,
            self._screen.theme,
            self._renderer_of,
            expanded=self._expanded,
            hyperlinks=self._screen.hyperlinks,
            picture_look=self._screen.picture_look,
        )
        self._custom.add(view)
        return view

    def _stored_view(self, rows: StoredRows, row: int) -> Renderable | None:
        entry = rows.entry(row)
        if isinstance(entry, MessageEntry) and isinstance(entry.message, AssistantMessage):
            results = rows.results(row) if tool_calls_of(entry.message) else {}
            return self._answer_with_calls(entry.message, results)
        if isinstance(entry, BranchSummaryEntry | CompactionEntry):
            return self._summary_view(entry)
        return self._view_of(message_of(entry))

    def _summary_view(self, entry: Entry) -> SummaryView | None:
        view = summary_view(
            entry,
            self._screen.theme,
            expand_key=self._expand_key,
            expanded=self._expanded,
            hyperlinks=self._screen.hyperlinks,
        )
        if view is not None:
            self._summaries.add(view)
        return view

    def _end_compaction(self, event: CompactionEnd) -> None:
        """Show the summary where the conversation is now, and what goes on otherwise."""
        self._screen.notices.keep_last()
        if event.result is not None:
            view = self._summary_view(
                CompactionEntry({**event.result.to_wire(), "type": "compaction"})
            )
            if view is not None:
                self._screen.document.append(view)
        if self._is_running:
            self.show_working()
        else:
            self._screen.status.clear()

    def _answer_with_calls(
        self, message: AssistantMessage, results: Mapping[str, Message]
    ) -> Renderable:
        whole = Container()
        answer = self._new_answer()
        answer.update(message)
        whole.add_child(answer)
        for call in tool_calls_of(message):
            whole.add_child(self._calls.stored_row(call, results.get(call.id)))
        return whole

    def _show_answer(self, message: AssistantMessage) -> None:
        if self._answer is not None:
            self._answer.update(message)
        complete = message.stop_reason == "toolUse"
        for call in tool_calls_of(message):
            self._calls.show_call(call, complete=complete)

    def _end(self, message: Message) -> None:
        if not isinstance(message, AssistantMessage):
            return
        self._show_answer(message)
        self._answer = None
        self._screen.doing.answered(message.stop_reason or "stop")
        if message.stop_reason in ("error", "aborted"):
            for call in tool_calls_of(message):
                self._calls.fail(call)

    def _tell_end(self) -> None:
        """Say that the turn is done to those who do not see the status go."""
        if self._screen.tui.is_plain:
            self._screen.notices.say("Done.")

    def _elapsed(self) -> str:
        seconds = int(self._now() - self._started_at)
        return f" {duration(seconds)} (esc to interrupt)" if seconds else " (esc to interrupt)"
