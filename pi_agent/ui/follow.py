"""`pi --follow`: a session that somebody else writes, on the screen as it grows. Nothing can be said in it.

What the file shows is fed to the same views as a conversation of one's own. The file is looked at a few times a
second, which costs next to nothing while it stays as it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from pi_agent.base.git import current_branch
from pi_agent.base.text_paths import with_tilde
from pi_agent.base.wire import JsonObject
from pi_agent.llm.messages import AssistantMessage, Message, ToolResultMessage, tool_calls_of
from pi_agent.loop.events import AgentEvent, MessageEnd, MessageStart, ToolExecutionEnd
from pi_agent.loop.tool import ToolResult
from pi_agent.session.context import build_context_entries, settings_of_branch
from pi_agent.session.entries import Entry, MessageEntry
from pi_agent.session.file import SessionError
from pi_agent.session.following import FollowedFile
from pi_agent.session.in_use import Holder, holder_of
from pi_agent.ui.actions import ActionHandler
from pi_agent.ui.app import InteractiveApp
from pi_agent.ui.conversation_view import ConversationView
from pi_agent.ui.farewell import session_reference
from pi_agent.ui.follow_bar import FollowBar
from pi_agent.ui.messages.markdown import warm_up_markdown
from pi_tui.keybindings import key_display_text

_LOOK_SECONDS: Final = 0.2
# Who has the session open is asked less often.
_LOOKS_PER_ASKING: Final = 5
_CHANGED: Final = "The file of the session was replaced or shortened, so it was read anew."


def make_live(app: InteractiveApp) -> FollowedConversation:
    """Return what is behind the screen of `app`."""
    return FollowedConversation(app)


class FollowedConversation:
    """What the interactive program does with a session that it only reads."""

    exit_code = 0

    def __init__(self, app: InteractiveApp) -> None:
        self._app = app
        self._screen = app.screen
        self._file = FollowedFile(app.options.follow or Path())
        self._is_expanded = False
        self._view = self._new_view()
        self._open_calls: set[str] = set()
        self._last: Entry | None = None
        self._holder: Holder | None = None
        self._is_at_work = False
        self._problem: str | None = None
        self._bar = FollowBar(
            self._screen.theme,
            self._screen.view,
            on_leave=app.quit,
            on_typed=self._say_how_to_write,
            on_expand=self._toggle_expanded,
        )

    # As the program's frame drives it

    async def start(self) -> None:
        """Show what is there, and from then on what comes."""
        self._ask_who_writes()
        self._screen.show_dialog(self._bar)
        await self.look()
        self._screen.view.scroll_to_end()
        self._app.start_task(self._watch())
        await asyncio.to_thread(warm_up_markdown, self._app.theme)

    def submit(self, text: str) -> None:
        """Say why nothing can be said."""
        self._say_how_to_write()

    def interrupt(self) -> bool:
        """There is nothing to stop: another process works."""
        return False

    @property
    def actions(self) -> Mapping[str, ActionHandler]:
        """What keys do."""
        return {"app.tools.expand": self._toggle_expanded}

    def report_stray(self, error: Exception) -> None:
        """The log has it: no extension is loaded."""

    async def stop(self) -> None:
        """End; the task that looks ends with the program."""

    def farewell(self) -> str | None:
        """Say nothing: the session is somebody else's."""
        return None

    # What the file shows

    async def look(self) -> None:
        """Show what is new; what goes wrong is told once."""
        if not self._file.has_changed():
            return
        try:
            growth = await asyncio.to_thread(self._file.look)
        except SessionError as error:
            self._tell_problem(error.message)
            return
        if growth is None:
            return
        self._problem = None
        if not growth.anew and self._continues(growth.entries):
            self._show_more(growth.entries)
        else:
            self._show_all(anew=growth.anew)
        self._last = self._file.tree.leaf
        self._show_work()
        self._update_footer()

    async def _watch(self) -> None:
        looks = 0
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            await self.look()
            looks += 1
            if looks % _LOOKS_PER_ASKING == 0:
                self._ask_who_writes()

    def _continues(self, entries: Sequence[Entry]) -> bool:
        """Whether entries follow each other and what is shown, and no tool was given up."""
        parents = [self._last, *entries]
        is_chain = all(
            entry.parent_id == (parent.id if parent is not None else None)
            for parent, entry in zip(parents, entries, strict=False)
        )
        return is_chain and not (self._open_calls and any(map(_is_said_by_user, entries)))

    def _show_all(self, *, anew: bool) -> None:
        """Show the branch that the file ends with, from its beginning."""
        is_at_end = self._screen.view.is_following_end
        self._screen.start_over(self._app.header)
        self._view, self._open_calls = self._new_view(), set()
        entries = build_context_entries(self._file.tree.branch())
        count = _settled_count(entries)
        self._view.show_stored(entries[:count])
        self._is_at_work = _is_at_work(entries[:count], False)
        self._show_more(entries[count:])
        if anew and self._last is not None:
            self._app.notify(_CHANGED)
        if is_at_end:
            self._screen.view.scroll_to_end()

    def _show_more(self, entries: Sequence[Entry]) -> None:
        """Show entries as if they had just happened here."""
        for entry in entries:
            if isinstance(entry, MessageEntry) and entry.message is not None:
                self._take(entry.message)
            else:
                self._view.show_stored([entry])
        self._is_at_work = _is_at_work(entries, self._is_at_work)
        self._screen.tui.request_render()

    def _take(self, message: Message) -> None:
        if isinstance(message, AssistantMessage):
            self._open_calls = {call.id for call in tool_calls_of(message)}
        elif isinstance(message, ToolResultMessage):
            self._open_calls.discard(message.tool_call_id)
        for event in _events_of(message):
            self._view.take(event)

    def _new_view(self) -> ConversationView:
        view = ConversationView(
            self._screen, key_display_text("app.tools.expand"), self._app.options.cwd
        )
        view.hide_thinking(self._app.settings.get_bool("hideThinkingBlock"))
        if self._is_expanded:
            view.toggle_expanded()
        return view

    # Around it

    def _ask_who_writes(self) -> None:
        """Show who has the session open; that it is worked on is known of somebody who lives."""
        holder = holder_of(self._file.path)
        if holder != self._holder or not self._bar.writer:
            self._holder = holder
            self._bar.writer = _words_for(holder)
            self._show_work()

    def _show_work(self) -> None:
        if self._is_at_work and self._holder is not None:
            self._screen.status.show("Working")
        else:
            self._screen.status.clear()

    def _update_footer(self) -> None:
        app, file, header = self._app, self._file, self._file.header
        if header is None:
            return
        settings = settings_of_branch(file.tree.branch())
        totals = file.tree.stats
        app.show_title(file.tree.name)
        app.screen.footer.update(
            folder=with_tilde(header.cwd, app.options.environ.get("HOME")),
            branch=current_branch(Path(header.cwd)),
            session_name=file.tree.name,
            input_tokens=totals.input,
            output_tokens=totals.output,
            cache_read_tokens=totals.cache_read,
            model=settings.model_id or "no model",
        )

    def _toggle_expanded(self) -> None:
        self._is_expanded = not self._is_expanded
        self._view.toggle_expanded()

    def _tell_problem(self, text: str) -> None:
        if text != self._problem:
            self._problem = text
            self._app.notify(f"{text}\nWhat was read of it stays here.", "warning")

    def _say_how_to_write(self) -> None:
        header = self._file.header
        if header is None:
            return
        reference = session_reference(self._app.options, header.id, self._file.path)
        first = "" if self._holder is None else "close it there, then "
        self._screen.view.scroll_to_end()
        self._app.notify(
            "This session is only read here: nothing can be said in it.\n"
            f"To go on with it yourself, {first}start: pi --session {reference}\n"
            f"To go your own way from here: pi --fork {reference}"
        )


def _words_for(holder: Holder | None) -> tuple[str, ...]:
    """Return who has the session open, in fewer and fewer words."""
    if holder is None:
        return ("nobody has it open",)
    process = f"process {holder.pid}"
    return (f"open in {process} on {holder.host}", f"open in {process}", process)


def _events_of(message: Message) -> list[AgentEvent]:
    """Return what a conversation would have told of a message."""
    if not isinstance(message, ToolResultMessage):
        return [MessageStart(message), MessageEnd(message)]
    result = ToolResult(message.content, message.details, is_error=message.is_error)
    return [
        ToolExecutionEnd(
            message.tool_call_id, message.tool_name, result, message.is_error, message.duration_ms
        )
    ]


def _settled_count(entries: Sequence[Entry]) -> int:
    """Return how many entries come before an answer whose tools still run."""
    answered: set[object] = set()
    for index in range(len(entries) - 1, -1, -1):
        entry = entries[index]
        if not isinstance(entry, MessageEntry):
            continue
        if entry.role == "toolResult":
            answered.add(_stored(entry).get("toolCallId"))
        elif isinstance(entry.message, AssistantMessage):
            calls = {call.id for call in tool_calls_of(entry.message)}
            return len(entries) if calls <= answered else index
        elif entry.role == "user":
            break
    return len(entries)


def _is_at_work(entries: Sequence[Entry], before: bool) -> bool:
    """Return whether the model or a tool has something to do after these entries."""
    for entry in reversed(entries):
        if isinstance(entry, MessageEntry) and entry.role in ("user", "toolResult"):
            return True
        if isinstance(entry, MessageEntry) and entry.role == "assistant":
            return _stored(entry).get("stopReason") == "toolUse"
    return before


def _stored(entry: MessageEntry) -> JsonObject:
    """Return a message as it stands in the file, which may have been changed since it was read."""
    message = entry.raw.get("message")
    return message if isinstance(message, dict) else {}


def _is_said_by_user(entry: Entry) -> bool:
    return isinstance(entry, MessageEntry) and entry.role == "user"
