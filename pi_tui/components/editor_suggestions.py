"""From a typed character to an applied choice: asks the provider and keeps the editor's menu.

The menu may be older than the text, since answers come later; a choice is applied only where it still
fits what has been typed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from pi_tui.autocomplete import (
    AutocompleteItem,
    AutocompleteProvider,
    Suggestions,
    trigger_characters_of,
)
from pi_tui.choices import get_select_index
from pi_tui.completion_token import (
    asks_for_suggestions,
    ends_in_trigger_token,
    is_command_name,
    is_slash_context,
)
from pi_tui.components.editor_popup import EditorPopup
from pi_tui.editing import Position, TextBuffer
from pi_tui.events import KeyEvent
from pi_tui.keybindings import KeybindingsManager
from pi_tui.suggestion_requests import SuggestionRequest, SuggestionRequests
from pi_tui.theme import SelectListTheme

_TOKEN_DELAY = 0.02
_MORE_DELAY = 0.1

_ACCEPTING = ("tui.input.tab", "tui.select.confirm")

Outcome = Literal["used", "unused", "submit"]


class EditorSuggestions:
    """The open menu, if there is one, and the request it waits for.

    `on_applied` is called when a choice has changed the text, `on_shown` when the menu opened, changed
    or closed. A key that accepts while the menu is still about a shorter word waits for the answer;
    `on_released` gets it back if there is nothing to accept.
    """

    def __init__(
        self,
        buffer: TextBuffer,
        theme: SelectListTheme,
        *,
        on_applied: Callable[[], None],
        on_shown: Callable[[bool], None],
        on_released: Callable[[KeyEvent], None] = lambda event: None,
    ) -> None:
        self.popup: EditorPopup | None = None
        self._buffer = buffer
        self._theme = theme
        self._on_applied = on_applied
        self._on_shown = on_shown
        self._on_released = on_released
        self._held: KeyEvent | None = None
        self._requests = SuggestionRequests(self._on_answer)
        self._answered: SuggestionRequest | None = None

    @property
    def is_active(self) -> bool:
        """Whether the menu is open or about to open."""
        return self.popup is not None or self._requests.pending

    async def settled(self) -> None:
        """Return when nothing is asked any more."""
        await self._requests.settled()

    def set_provider(self, provider: AutocompleteProvider | None) -> None:
        """Ask `provider` from now on."""
        self.close()
        self._requests.provider = provider

    def take_over(self, other: EditorSuggestions) -> None:
        """Ask whom `other` asks, if it asks somebody; its menu closes."""
        other.close()
        self.set_provider(other._requests.provider or self._requests.provider)

    def dispose(self) -> None:
        """Stop asking."""
        self._requests.close()

    def close(self) -> None:
        """Close the menu and drop what was asked."""
        self._requests.cancel()
        if self.popup is not None:
            self.popup = self._answered = None
            self._on_shown(False)

    # -- asking

    def ask(self, *, force: bool = False, delay: bool = True) -> None:
        """Ask for suggestions; typing in a trigger token waits for more of it to come."""
        if self._requests.provider is None:
            return
        line, before = self._before_cursor()
        is_token = not is_slash_context(line, before) and self._is_trigger_token(before)
        self._requests.ask(
            SuggestionRequest(
                lines=list(self._buffer.lines),
                line=line,
                col=len(before),
                version=self._buffer.version,
                force=force or self._completes_on(line, before),
                applies_single=force,
                delay=_TOKEN_DELAY if is_token and delay else 0.0,
            )
        )

    def _completes_on(self, line: int, before: str) -> bool:
        """Whether the word goes on whose paths the menu shows because Tab asked for them."""
        popup, request = self.popup, self._answered
        if popup is None or request is None or not request.force or line != request.line:
            return False
        has_ended = before[-1:].isspace() and not popup.prefix.startswith('"')
        return len(before) > request.col - len(popup.prefix) and not has_ended

    def ask_after_typing(self, text: str) -> None:
        """Ask if what was typed opens the menu."""
        if self._requests.provider is None:
            return
        line, before = self._before_cursor()
        triggers = trigger_characters_of(self._requests.provider)
        if asks_for_suggestions(text, line, before, triggers):
            self.ask()

    def ask_after_deleting(self) -> None:
        """Ask if what is left before the cursor is something to complete."""
        line, before = self._before_cursor()
        opens = is_slash_context(line, before) or self._is_trigger_token(before)
        if opens and not self.is_active:
            self.ask()

    def complete(self) -> None:
        """Do what Tab does without a menu: list commands, or complete a path."""
        line, before = self._before_cursor()
        if is_command_name(line, before):
            self.ask(delay=False)
            return
        allows = getattr(self._requests.provider, "should_trigger_file_completion", None)
        if allows is None or allows(list(self._buffer.lines), line, len(before)):
            self.ask(force=True, delay=False)

    # -- the menu

    def take_key(self, event: KeyEvent, keybindings: KeybindingsManager, page: int) -> Outcome:
        """Do what a key means to the open menu; `unused` leaves it to the editor."""
        popup = self.popup
        if popup is None:
            return "unused"
        if keybindings.matches(event, "tui.select.cancel"):
            self.close()
            return "used"
        selected, count = popup.list.selected_index, len(popup.items)
        index = get_select_index(keybindings, event, selected, count, page)
        if index is not None:
            popup.list.set_selected_index(index)
            return "used"
        for action in _ACCEPTING:
            if keybindings.matches(event, action):
                if self._is_behind(popup):
                    self._held = event
                    return "used"
                return self._accept(popup, submits=action == "tui.select.confirm")
        return "unused"

    def release(self) -> None:
        """Give back a key that waits for an answer, before anything else happens."""
        held, self._held = self._held, None
        if held is not None:
            self.close()
            self._on_released(held)

    def _is_behind(self, popup: EditorPopup) -> bool:
        """Whether the menu says nothing yet about the word as it stands."""
        if not popup.items:
            return True
        line, before = self._before_cursor()
        is_file = self._is_trigger_token(before) or self._completes_on(line, before)
        return self._requests.pending and is_file and self._prefix_now(popup) is None

    def _accept(self, popup: EditorPopup, *, submits: bool) -> Outcome:
        prefix = self._prefix_now(popup)
        submits = submits and is_command_name(*self._before_cursor())
        self.close()
        if prefix is None:
            return "unused"
        self._apply(popup.selected_item, prefix)
        return "submit" if submits else "used"

    def _prefix_now(self, popup: EditorPopup) -> str | None:
        """Return the text that a choice replaces; `None` if the text went on to something else."""
        request = self._answered
        if request is None or self._is_about_now(request):
            return popup.prefix
        line, before = self._before_cursor()
        start = request.col - len(popup.prefix)
        if line != request.line or len(before) < start:
            return None
        return before[start:] if popup.narrow(before[start:]) else None

    def _apply(self, item: AutocompleteItem, prefix: str) -> None:
        provider = self._requests.provider
        if provider is None:
            return
        cursor = self._buffer.cursor
        lines, line, col = provider.apply_completion(
            list(self._buffer.lines), cursor.line, cursor.col, item, prefix
        )
        self._buffer.replace_lines(lines, Position(line, col))
        self._on_applied()

    def _on_answer(self, request: SuggestionRequest, answer: Suggestions | None) -> None:
        if not self._is_about_now(request):
            return
        self._take_answer(request, answer)
        popup = self.popup
        if self._held is not None and popup is not None and popup.items:
            self._held = None
            self._accept(popup, submits=False)
        elif not self._requests.pending:
            self.release()

    def _take_answer(self, request: SuggestionRequest, answer: Suggestions | None) -> None:
        if answer is not None and answer.is_partial:
            self._ask_for_more(request, answer)
        elif answer is None or not answer.items:
            self.close()
        elif request.applies_single and len(answer.items) == 1:
            self.close()
            self._apply(answer.items[0], answer.prefix)
        else:
            self._open(request, answer)

    def _ask_for_more(self, request: SuggestionRequest, answer: Suggestions) -> None:
        """Show what there is, and ask the same again; whether something is the only one is known at the end."""
        is_only = request.applies_single and len(answer.items) == 1
        self._open(request, replace(answer, items=()) if is_only else answer)
        self._requests.ask(replace(request, delay=_MORE_DELAY))

    def _open(self, request: SuggestionRequest, answer: Suggestions) -> None:
        popup = EditorPopup(answer, self._theme)
        popup.list.on_select = lambda item: self._accept(popup, submits=False)
        if self.popup is not None and self.popup.prefix == popup.prefix:
            popup.select_as(self.popup)
        self.popup, self._answered = popup, request
        self._on_shown(True)

    # -- the text

    def _before_cursor(self) -> tuple[int, str]:
        line, col = self._buffer.cursor
        return line, self._buffer.lines[line][:col]

    def _is_trigger_token(self, before: str) -> bool:
        return ends_in_trigger_token(before, trigger_characters_of(self._requests.provider))

    def _is_about_now(self, request: SuggestionRequest) -> bool:
        cursor = self._buffer.cursor
        return request.version == self._buffer.version and cursor == (request.line, request.col)
