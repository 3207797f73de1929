"""`/tree`: go on elsewhere in the tree of this session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from pi_agent.base.errors import PiError
from pi_agent.host.services import Services
from pi_agent.loop.events import AgentEvent
from pi_agent.session.entries import Entry
from pi_agent.ui import dialogs
from pi_agent.ui.commands.copy import copy_text
from pi_agent.ui.commands.host import CommandHost
from pi_agent.ui.commands.table import Command

_NONE, _USUAL, _OWN = "none", "usual", "own"
_SUMMARIES: Final = {
    _NONE: "No summary",
    _USUAL: "Summarize",
    _OWN: "Summarize with custom prompt",
}


class TreeChoice:
    """Lets the user choose where to go on; what `/tree` and its key do."""

    def __init__(self, host: CommandHost) -> None:
        self._host = host
        self._selector: dialogs.TreeSelector | None = None
        self._unsubscribe: Callable[[], None] = lambda: None

    def command(self) -> Command:
        """Return the command."""
        return Command("tree", "Go on elsewhere in this session", lambda argument: self.choose())

    def choose(self) -> None:
        """Show the tree in the editor's place."""
        services = self._host.services
        if services is None or self._selector is not None:
            return
        session, screen = services.conversation.session, self._host.app.screen
        if not session.get_entries():
            self._host.app.notify("Nothing has been said yet.")
            return
        self._selector = dialogs.TreeSelector(
            session,
            screen.theme,
            filter_name=self._host.app.settings.get_choice("treeFilterMode"),
            screen_rows=lambda: screen.tui.rows,
            on_pick=lambda entry: self._pick(services, entry),
            on_close=self._close,
            on_label=lambda entry: self._ask_label(services, entry),
            on_copy=self._copy,
        )
        self._unsubscribe = services.conversation.subscribe(self._on_event)
        screen.show_dialog(self._selector)

    def _close(self) -> None:
        if self._selector is not None:
            self._unsubscribe()
            self._host.app.screen.close_dialog(self._selector)
            self._selector = None

    def _on_event(self, event: AgentEvent) -> None:
        """Show what a run has added meanwhile."""
        if self._selector is not None and event.type in ("turn_end", "agent_settled"):
            self._selector.tree.load()

    def _pick(self, services: Services, entry: Entry) -> None:
        selector = self._selector
        if selector is None:
            return
        leaf = services.conversation.session.get_leaf_id()
        if entry.id == leaf or entry is selector.tree.current:
            self._close()
            self._host.app.notify("Already at this point.")
        elif self._host.app.settings.get_bool("branchSummary.skipPrompt"):
            self._go(services, entry)
        else:
            self._ask_for_summary(services, entry)

    def _ask_for_summary(self, services: Services, entry: Entry) -> None:
        """Ask what the model is told of the branch that is left; Escape leads back to the tree."""
        screen = self._host.app.screen

        def pick(which: str) -> None:
            screen.close_dialog(picker)
            if which == _OWN:
                self._ask_for_prompt(services, entry)
            else:
                self._go(services, entry, summarize=which == _USUAL)

        picker = dialogs.Picker(
            dialogs.PickerTexts(title="Summarize branch?", nothing="", close="back"),
            screen.theme,
            on_pick=pick,
            on_close=lambda: screen.close_dialog(picker),
            has_search=False,
        )
        picker.set_choices([dialogs.Choice(*each) for each in _SUMMARIES.items()])
        screen.show_dialog(picker)

    def _ask_for_prompt(self, services: Services, entry: Entry) -> None:
        screen = self._host.app.screen

        def answer(text: str | None) -> None:
            screen.close_dialog(dialog)
            if text is None:
                self._ask_for_summary(services, entry)
            else:
                instructions = text.strip() or None
                self._go(services, entry, summarize=True, instructions=instructions)

        dialog = dialogs.InputDialog(
            "What is the summary to be about?", "", screen.theme, answer, text=""
        )
        screen.show_dialog(dialog)

    def _go(
        self,
        services: Services,
        entry: Entry,
        *,
        summarize: bool = False,
        instructions: str | None = None,
    ) -> None:
        self._close()
        self._host.app.start_task(self._navigate(services, entry, summarize, instructions))

    async def _navigate(
        self, services: Services, entry: Entry, summarize: bool, instructions: str | None
    ) -> None:
        """Stop what goes on, then move; what cannot be done is told, and nothing has moved."""
        conversation, status = services.conversation, self._host.app.screen.status
        if not conversation.is_idle:
            await self._host.take_back(services)
            await conversation.abort()
        try:
            async with self._host.watching():
                if summarize:
                    status.show("Summarizing branch… (esc to cancel)")
                moved = await conversation.navigate_tree(
                    entry.id, summarize=summarize, custom_instructions=instructions
                )
        except PiError as error:
            self._host.report(f"Error: {error.with_hint()}")
            return
        finally:
            self._host.restore_status()
        if moved.cancelled:
            self._host.app.notify("Cancelled: the conversation stays where it was.")

    def _ask_label(self, services: Services, entry: Entry) -> None:
        """Ask for a label, which begins as it is; an empty one takes the label away."""
        session, screen = services.conversation.session, self._host.app.screen
        before = session.get_label(entry.id) or ""

        def answer(label: str | None) -> None:
            screen.close_dialog(dialog)
            if label is not None and label.strip() != before:
                self._put_label(services, entry, label.strip())

        dialog = dialogs.InputDialog("Label", "", screen.theme, answer, text=before)
        screen.show_dialog(dialog)

    def _put_label(self, services: Services, entry: Entry, label: str) -> None:
        try:
            services.conversation.session.append_label(entry.id, label)
        except PiError as error:
            self._host.report(f"Error: {error.with_hint()}")
            return
        if self._selector is not None:
            self._selector.tree.load()

    def _copy(self, text: str) -> None:
        if text:
            copy_text(self._host, text)
        else:
            self._host.app.notify("There is no text to copy.")
