"""The multi-line prompt editor: keys, pastes, history and the menu of suggestions.

The text is a `TextBuffer`, its rows an `EditorView`; this file decides what a key does to them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Literal, TypeVar

from pi_tui.autocomplete import AutocompleteProvider
from pi_tui.callbacks import Callbacks
from pi_tui.component import Component, ComponentHost, Style
from pi_tui.components.editor_mouse import DrawnEditor, EditorMouse
from pi_tui.components.editor_suggestions import EditorSuggestions
from pi_tui.components.editor_view import EditorView, render_border
from pi_tui.edit_commands import EDITS, JUMPS, UNBOUND_KEYS, EditCommands
from pi_tui.edit_history import History
from pi_tui.editing import Position, TextBuffer, normalize_text
from pi_tui.events import KeyEvent, MouseEvent, MouseResult, PasteEvent
from pi_tui.keybindings import KeybindingsManager, get_keybindings
from pi_tui.keys import matches_key
from pi_tui.theme import EditorTheme
from pi_tui.width import iter_graphemes_reverse

_MIN_TEXT_ROWS = 5
_TEXT_ROWS_IN_TEN = 3
_MENU_ROWS = (3, 20)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_CONTROL_REPORT = re.compile(r"\x1b\[([0-9]{1,3});5u")

_Direction = Literal["forward", "backward"]
TextCallback = Callable[[str], object]
Owner = TypeVar("Owner")
_Actions = tuple[tuple[str, Callable[[Owner], None]], ...]


class Editor(Component):
    """A text of several lines with a border above and below.

    `on_submit` and `on_change` get the text. `max_rows` limits text and borders together, `max_height` these
    and the menu, of which a row is always shown; without `show_borders` there is only text.
    """

    def __init__(
        self,
        tui: ComponentHost,
        theme: EditorTheme,
        padding_x: int = 0,
        autocomplete_max_visible: int = 5,
        *,
        keybindings: KeybindingsManager | None = None,
    ) -> None:
        self.focused = False
        self.on_submit: TextCallback | None = None
        self.on_change: TextCallback | None = None
        self.disable_submit = False
        self.show_borders = True
        self.max_rows: int | None = None
        self.max_height: int | None = None
        self._tui = tui
        self._border_color = theme.border_color
        self._keybindings = keybindings
        self._padding_x = max(0, padding_x)
        self._menu_rows = _clamped_menu_rows(autocomplete_max_visible)
        self._buffer = TextBuffer()
        self._view = EditorView(self._buffer)
        self._history = History()
        self._commands = EditCommands(
            self._buffer,
            on_edited=self._edited,
            on_deleted=lambda: self._suggestions.ask_after_deleting(),
            on_moved=self._view.forget_column,
        )
        self._suggestions = EditorSuggestions(
            self._buffer,
            theme.select_list,
            on_applied=self._on_applied,
            on_shown=self._on_menu_shown,
            on_released=self._take_again,
        )
        self._mouse = EditorMouse(self._view, self._suggestions, self._put_cursor)
        self._jump: _Direction | None = None
        self._width: int | None = None
        self._drawn: tuple[object, ...] | None = None
        self._lines: list[str] = []
        self._callbacks = Callbacks()

    # -- text

    def get_text(self) -> str:
        """Return the lines joined, paste markers as they are."""
        return self._buffer.text()

    def get_expanded_text(self) -> str:
        """Return the text with the pastes in place of their markers."""
        return self._buffer.expanded_text()

    def get_lines(self) -> list[str]:
        """Return a copy of the lines."""
        return list(self._buffer.lines)

    def get_cursor(self) -> Position:
        """Return the cursor as line and index in code points."""
        return self._buffer.cursor

    def set_text(self, text: str) -> None:
        """Replace the text, the cursor at its end; one undo step. Forgets pastes, closes the menu."""
        text = normalize_text(text)
        self._suggestions.close()
        self._commands.end_chain()
        if text != self._buffer.text():
            self._buffer.replace_all(text)
            self._edited()
        else:
            self._history.leave()
            self._buffer.forget_pastes()
            self._commands.move_to(self._buffer.end)
        self._tui.request_render()

    def insert_text_at_cursor(self, text: str) -> None:
        """Insert text as the program's own: one undo step, no suggestions."""
        text = normalize_text(text)
        if not text:
            return
        self._suggestions.close()
        self._commands.end_chain()
        self._buffer.insert(text)
        self._edited()
        self._tui.request_render()

    def add_to_history(self, text: str) -> None:
        """Make `text` the first that browsing shows; blank and repeated texts are left out."""
        self._history.add(text)

    def take_over(self, other: Editor) -> None:
        """Stand in for another editor: its draft, cursor and history, callbacks, settings and suggestions.

        Callbacks and a provider that the other one has not are left as they are.
        """
        self._suggestions.take_over(other._suggestions)
        self._commands.end_chain()
        self._buffer.take_over(other._buffer)
        self._history.take_over(other._history)
        self._view.forget_column()
        self._border_color = other._border_color
        self._padding_x = other._padding_x
        self._menu_rows = other._menu_rows
        self.on_submit = other.on_submit or self.on_submit
        self.on_change = other.on_change or self.on_change
        self._tui.request_render()

    # -- settings

    @property
    def border_color(self) -> Style:
        """The style of the borders."""
        return self._border_color

    @border_color.setter
    def border_color(self, style: Style) -> None:
        if style is not self._border_color:
            self._border_color = style
            self._tui.request_render()

    def get_padding_x(self) -> int:
        """Return the blank columns on either side of the text."""
        return self._padding_x

    def set_padding_x(self, padding_x: int) -> None:
        """Set the blank columns on either side; a narrow editor has fewer."""
        padding_x = max(0, padding_x)
        if padding_x != self._padding_x:
            self._padding_x = padding_x
            self._tui.request_render()

    def get_autocomplete_max_visible(self) -> int:
        """Return how many suggestions the menu shows."""
        return self._menu_rows

    def set_autocomplete_max_visible(self, count: int) -> None:
        """Set how many suggestions the menu shows, 3 to 20."""
        count = _clamped_menu_rows(count)
        if count != self._menu_rows:
            self._menu_rows = count
            self._tui.request_render()

    def set_autocomplete_provider(self, provider: AutocompleteProvider | None) -> None:
        """Ask `provider` from now on."""
        self._suggestions.set_provider(provider)

    def is_showing_autocomplete(self) -> bool:
        """Tell whether the menu is open."""
        return self._suggestions.popup is not None

    def close_autocomplete(self) -> None:
        """Close the menu of suggestions, as Escape does."""
        self._suggestions.close()
        self._tui.request_render()

    def dispose(self) -> None:
        """Stop asking for suggestions."""
        self._suggestions.dispose()

    # -- drawing

    def invalidate(self) -> None:
        """Draw anew next time."""
        self._drawn = None

    def render(self, width: int) -> list[str]:
        """Return the borders, the rows around the cursor, and the open menu."""
        self._width = width
        padding = self._padding(width)
        self._view.layout(_wrap_width(width, padding))
        window = self._view.window(self._text_rows())
        top = [self.render_top_border(width, window.above)] if self.show_borders else []
        bottom = [self.render_bottom_border(width, window.below)] if self.show_borders else []
        menu = self._render_menu(width, padding, len(top) + len(window.rows) + len(bottom))
        state = (width, padding, self._buffer.version, self._buffer.cursor, self.focused, window)
        drawn = (*state, top, bottom, menu)
        if drawn != self._drawn:
            caret = self._buffer.cursor
            caret_row = self._view.row_at(caret)
            self._drawn = drawn
            self._mouse.drawn = DrawnEditor(
                window.rows, len(top), padding, len(top) + len(window.rows) + len(bottom)
            )
            self._lines = [
                *top,
                *(
                    self._view.draw(
                        row, width, padding, caret if row == caret_row else None, self.focused
                    )
                    for row in window.rows
                ),
                *bottom,
                *menu,
            ]
        return self._lines

    def render_top_border(self, width: int, hidden: int) -> str:
        """Return the row above the text; `hidden` rows are out of sight there."""
        return render_border(width, hidden, "↑", self.border_style())

    def render_bottom_border(self, width: int, hidden: int) -> str:
        """Return the row below the text; `hidden` rows are out of sight there."""
        return render_border(width, hidden, "↓", self.border_style())

    def border_style(self) -> Style:
        """Return the style that the borders have now; a subclass may go by what is typed."""
        return self._border_color

    def _render_menu(self, width: int, padding: int, above: int) -> list[str]:
        popup = self._suggestions.popup
        if popup is None:
            return []
        most = None if self.max_height is None else max(1, self.max_height - above)
        rows = popup.render(max(1, width - 2 * padding), self._menu_rows, most)
        return [" " * padding + row for row in rows]

    def _padding(self, width: int) -> int:
        return min(self._padding_x, (width - 1) // 2)

    def _text_rows(self) -> int:
        rows = max(_MIN_TEXT_ROWS, self._tui.rows * _TEXT_ROWS_IN_TEN // 10)
        if self.max_rows is None:
            return rows
        return max(1, min(rows, self.max_rows - (2 if self.show_borders else 0)))

    def _layout(self) -> None:
        width = self._width or max(1, self._tui.columns)
        self._view.layout(_wrap_width(width, self._padding(width)))

    # -- input

    def handle_paste(self, event: PasteEvent) -> None:
        """Insert a paste as one step; a large one becomes a marker."""
        text = normalize_text(_CONTROL_REPORT.sub(_control_character, event.text))
        self._suggestions.release()
        self._suggestions.close()
        self._jump = None
        self._commands.end_chain()
        if not text:
            return
        line, col = self._buffer.cursor
        before = self._buffer.lines[line][:col][-1:]
        if text[0] in "/~." and (before.isalnum() or before == "_"):
            text = " " + text
        self._buffer.paste(text)
        self._edited()

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Put the cursor where the text is clicked; the wheel and clicks move and choose in the menu."""
        return self._mouse.take(event)

    def _put_cursor(self, position: Position) -> None:
        self._history.leave()
        self._commands.end_chain()
        self._run(lambda: self._commands.move_to(position))

    def handle_key(self, event: KeyEvent) -> bool:
        """Take a key; `False` for one that means nothing here."""
        if event.kind == "release":
            return False
        self._suggestions.release()
        self._commands.begin()
        used = self._take_key(event)
        if not used:
            self._commands.nothing_happened()
        return used

    def types(self, event: KeyEvent) -> bool:
        """Whether a key would do nothing but insert its text."""
        is_bound = (self._keybindings or get_keybindings()).is_bound_in_text(event)
        return self._jump is None and not is_bound and not _CONTROL.search(event.text)

    def handle_text(self, text: str) -> None:
        """Insert what many keys typed at once, as one step."""
        self._suggestions.release()
        self._commands.begin()
        self._type(text)

    def _take_key(self, event: KeyEvent) -> bool:
        if self._jump is not None and self._take_jump_target(event):
            return True
        if self._matches(event, "tui.input.copy"):
            return False
        if self._matches(event, "tui.editor.undo"):
            self._run(self._commands.undo)
        elif self._matches(event, "tui.editor.redo"):
            self._run(self._commands.redo)
        elif self._suggestions.popup is not None and self._take_menu_key(event):
            return True
        elif self._matches(event, "tui.input.tab"):
            self._suggestions.complete()
        else:
            return self._take_editing_key(event)
        return True

    def _take_menu_key(self, event: KeyEvent) -> bool:
        keybindings = self._keybindings or get_keybindings()
        outcome = self._suggestions.take_key(event, keybindings, self._menu_rows)
        if outcome == "submit" and not self.disable_submit:
            self._submit()
        return outcome != "unused"

    def _take_again(self, event: KeyEvent) -> None:
        self._commands.begin()
        self._take_key(event)
        self._tui.request_render()

    def _on_applied(self) -> None:
        self._edited()
        self._tui.request_render()

    def _on_menu_shown(self, shown: bool) -> None:
        self.captures_viewport_input = shown
        self._tui.request_render()

    def _take_editing_key(self, event: KeyEvent) -> bool:
        if (
            self._run_first(event, EDITS, self._commands)
            or self._run_first(event, _HISTORY, self)
            or self._run_first(event, JUMPS, self._commands)
        ):
            return True
        if event.raw == b"\n" or self._matches(event, "tui.input.newLine"):
            self._enter_new_line(event)
            return True
        if self._matches(event, "tui.input.submit"):
            self._enter_submit()
            return True
        if self._run_first(event, _MOVES, self):
            return True
        for key, delete in UNBOUND_KEYS:
            if matches_key(event, key):
                self._run(partial(delete, self._commands))
                return True
        if matches_key(event, "alt+enter"):
            self._run(self._new_line)
            return True
        if not event.text or _CONTROL.search(event.text):
            return False
        self._type(event.text)
        return True

    def _run_first(self, event: KeyEvent, actions: _Actions[Owner], owner: Owner) -> bool:
        for action, method in actions:
            if self._matches(event, action):
                self._run(partial(method, owner))
                return True
        return False

    def _run(self, command: Callable[[], None]) -> None:
        """Do something, and ask again if that changed what an open menu is about."""
        before = (self._buffer.version, self._buffer.cursor)
        command()
        if self._suggestions.is_active and before != (self._buffer.version, self._buffer.cursor):
            self._suggestions.ask()

    def _matches(self, event: KeyEvent, action: str) -> bool:
        return (self._keybindings or get_keybindings()).matches(event, action)

    def _edited(self) -> None:
        """Follow up a change of the text."""
        self._history.leave()
        self._view.forget_column()
        self._changed()

    def _changed(self) -> None:
        if self.on_change is not None:  # the text of a long prompt is not put together for nothing
            self._callbacks.call(self.on_change, self._buffer.text())

    # -- typing, lines, submitting

    def _type(self, text: str) -> None:
        was_active = self._suggestions.is_active
        self._commands.type(text)
        if was_active:
            self._suggestions.ask()
        else:
            self._suggestions.ask_after_typing(next(iter_graphemes_reverse(text)))

    def _enter_new_line(self, event: KeyEvent) -> None:
        submits = not self.disable_submit and matches_key(event, "enter") and event.raw != b"\n"
        keys = (self._keybindings or get_keybindings()).get_keys("tui.input.submit")
        if submits and "shift+enter" in keys and self._remove_backslash():
            self._submit()
            return
        self._run(self._new_line)

    def _enter_submit(self) -> None:
        if self.disable_submit:
            return
        if self._remove_backslash():
            self._run(self._new_line)
        else:
            self._submit()

    def _remove_backslash(self) -> bool:
        """Remove a backslash before the cursor, which turns Enter's meaning round."""
        line, col = self._buffer.cursor
        if not self._buffer.lines[line][:col].endswith("\\"):
            return False
        self._commands.delete_backward()
        return True

    def _new_line(self) -> None:
        self._buffer.insert("\n")
        self._edited()

    def _submit(self) -> None:
        text = self._buffer.expanded_text().strip()
        self._suggestions.close()
        self._buffer.reset()
        self._view.scroll_to_start()
        self._edited()
        self._callbacks.call(self.on_submit, text)

    # -- moving

    def _left(self) -> None:
        self._commands.left()

    def _right(self) -> None:
        at_end = self._buffer.cursor == self._buffer.end
        self._commands.right()
        if at_end:
            self._layout()
            self._view.keep_column()

    def _up(self) -> None:
        self._layout()
        cursor = self._buffer.cursor
        if not self._view.is_first(self._view.row_at(cursor)):
            self._buffer.cursor = self._view.moved_by_rows(-1)
        elif self._history.browsing or cursor.col == 0:
            self._show_older()
        else:
            self._commands.line_start()

    def _down(self) -> None:
        self._layout()
        if not self._view.is_last(self._view.row_at(self._buffer.cursor)):
            self._buffer.cursor = self._view.moved_by_rows(1)
        elif self._history.browsing:
            self._show_newer()
        else:
            self._commands.line_end()

    def _page_up(self) -> None:
        self._layout()
        self._buffer.cursor = self._view.moved_by_rows(-self._text_rows())

    def _page_down(self) -> None:
        self._layout()
        self._buffer.cursor = self._view.moved_by_rows(self._text_rows())

    def _jump_forward(self) -> None:
        self._jump = "forward"

    def _jump_backward(self) -> None:
        self._jump = "backward"

    def _take_jump_target(self, event: KeyEvent) -> bool:
        direction, self._jump = self._jump, None
        if direction is not None and self._matches(event, _JUMP_ACTIONS[direction]):
            return True
        if not event.text or _CONTROL.search(event.text):
            return False
        find = self._buffer.find_after if direction == "forward" else self._buffer.find_before
        target = find(event.text, self._buffer.cursor)
        if target is not None:
            self._run(partial(self._commands.move_to, target))
        return True

    # -- history

    def _show_older(self) -> None:
        self._suggestions.close()
        was_browsing = self._history.browsing
        entry = self._history.older()
        if entry is not None:
            self._show_entry(entry, was_browsing)
            self._commands.move_to(Position(0, 0))

    def _show_newer(self) -> None:
        self._suggestions.close()
        if not self._history.browsing:
            return
        entry = self._history.newer()
        if entry is not None:
            self._show_entry(entry, True)
            return
        self._buffer.revert()
        self._view.forget_column()
        self._changed()

    def _show_entry(self, entry: str, was_browsing: bool) -> None:
        """Put an entry in place of the draft, which is what undoing the one step gives back."""
        if was_browsing:
            self._buffer.revert()
        self._buffer.replace_all(normalize_text(entry))
        self._view.forget_column()
        self._changed()


_JUMP_ACTIONS: dict[_Direction, str] = {
    "forward": "tui.editor.jumpForward",
    "backward": "tui.editor.jumpBackward",
}

_HISTORY: _Actions[Editor] = (
    ("tui.editor.historyPrevious", Editor._show_older),
    ("tui.editor.historyNext", Editor._show_newer),
)
_MOVES: _Actions[Editor] = (
    ("tui.editor.cursorUp", Editor._up),
    ("tui.editor.cursorDown", Editor._down),
    ("tui.editor.cursorRight", Editor._right),
    ("tui.editor.cursorLeft", Editor._left),
    ("tui.editor.pageUp", Editor._page_up),
    ("tui.editor.pageDown", Editor._page_down),
    ("tui.editor.jumpForward", Editor._jump_forward),
    ("tui.editor.jumpBackward", Editor._jump_backward),
)


def _clamped_menu_rows(count: int) -> int:
    return max(_MENU_ROWS[0], min(count, _MENU_ROWS[1]))


def _wrap_width(width: int, padding: int) -> int:
    """Return the cells for text; the cursor behind a full row needs one, in the padding or kept free."""
    content = max(1, width - 2 * padding)
    return content if padding else max(1, content - 1)


def _control_character(match: re.Match[str]) -> str:
    """Return the control character that a terminal reported as a key inside a paste."""
    letter = chr(int(match[1]))
    return chr(ord(letter) & 0x1F) if letter.isascii() and letter.isalpha() else match[0]
