"""`Input`: one line of text to edit, which scrolls sideways when it is longer than its room."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from pi_tui.callbacks import Callbacks
from pi_tui.choices import single_line
from pi_tui.component import CURSOR_MARKER, Component, Style, identity, render_fake_cursor
from pi_tui.edit_commands import EDITS, JUMPS, UNBOUND_KEYS, CommandTable, EditCommands
from pi_tui.editing import Position, TextBuffer, normalize_text
from pi_tui.events import KeyEvent, MouseEvent, MouseResult, PasteEvent
from pi_tui.keybindings import KeybindingsManager, get_keybindings
from pi_tui.keys import matches_key
from pi_tui.masking import MaskedText, mask_text, open_text
from pi_tui.width import (
    grapheme_width,
    iter_graphemes,
    slice_by_column,
    truncate_to_width,
    visible_width,
)

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_COMMANDS: CommandTable = (
    ("tui.editor.undo", EditCommands.undo),
    ("tui.editor.redo", EditCommands.redo),
    *EDITS,
    *JUMPS,
    ("tui.editor.cursorRight", EditCommands.right),
    ("tui.editor.cursorLeft", EditCommands.left),
)


class Input(Component):
    """A prompt and the text behind it, always one row.

    `on_submit` gets the text, which stays; `on_escape` and `on_change` tell the rest. A `mask` is shown in place of
    each character of the text, but for the last `clear_at_end` ones.
    """

    def __init__(
        self,
        prompt: str = "> ",
        placeholder: str = "",
        placeholder_style: Style = identity,
        *,
        mask: str | None = None,
        keybindings: KeybindingsManager | None = None,
    ) -> None:
        self.focused = False
        self.mask = mask
        self.clear_at_end = 0
        self.on_submit: Callable[[str], object] | None = None
        self.on_escape: Callable[[], object] | None = None
        self.on_change: Callable[[str], object] | None = None
        self._prompt = single_line(prompt)
        self._placeholder = _one_line(placeholder)
        self._placeholder_style = placeholder_style
        self._keybindings = keybindings
        self._callbacks = Callbacks()
        self._buffer = TextBuffer()
        self._commands = EditCommands(self._buffer, on_edited=self._edited)
        self._first_column = 0
        self._drawn: tuple[object, ...] | None = None
        self._lines: list[str] = []

    def get_value(self) -> str:
        """Return the text."""
        return self._buffer.text()

    def get_cursor(self) -> int:
        """Return the cursor's index in the text, in code points."""
        return self._buffer.cursor.col

    def set_value(self, value: str) -> None:
        """Replace the text, as one undo step; the cursor keeps its index if it can. Nobody is told."""
        col = self._buffer.cursor.col
        self._commands.end_chain()
        value = _one_line(value)
        self._buffer.replace_lines([value], Position(0, min(col, len(value))))

    # -- drawing

    def invalidate(self) -> None:
        """Draw anew next time."""
        self._drawn = None

    def render(self, width: int) -> list[str]:
        """Return the row."""
        looks = (width, self.focused, self.mask, self.clear_at_end)
        drawn = (looks, self._buffer.version, self._buffer.cursor)
        if drawn != self._drawn:
            self._drawn = drawn
            self._lines = [self._row(width)]
        return self._lines

    def _row(self, width: int) -> str:
        room = width - visible_width(self._prompt)
        if room <= 0:
            return truncate_to_width(self._prompt, width, "", pad=True)
        is_empty = not self.get_value() and bool(self._placeholder)
        style: Style = self._placeholder_style if is_empty else identity
        shown = self._shown()
        text = self._placeholder if is_empty else shown.shown
        window = _window(text, shown.shown_index(self.get_cursor()), room)
        self._first_column = window.first
        mark = CURSOR_MARKER if self.focused else ""
        caret = mark + render_fake_cursor(style(window.caret))
        cells = window.before + caret + (style(window.after) if window.after else "")
        row = self._prompt + cells  # measured as a whole: prompt and text may join where they meet
        return row + " " * (width - visible_width(row))

    # -- input

    def handle_key(self, event: KeyEvent) -> bool:
        """Take a key; `False` for one that means nothing here."""
        if event.kind == "release":
            return False
        keybindings = self._keybindings or get_keybindings()
        if keybindings.matches(event, "tui.select.cancel"):
            self._callbacks.call(self.on_escape)
        elif event.raw == b"\n" or keybindings.matches(event, "tui.input.submit"):
            self._callbacks.call(self.on_submit, self.get_value())
        else:
            return self._edit(event, keybindings)
        return True

    def types(self, event: KeyEvent) -> bool:
        """Whether a key would do nothing but insert its text."""
        is_bound = (self._keybindings or get_keybindings()).is_bound_in_text(event)
        return not is_bound and not _CONTROL.search(event.text)

    def handle_text(self, text: str) -> None:
        """Insert what many keys typed at once, as one step."""
        self._commands.begin()
        self._commands.type(text)

    def handle_paste(self, event: PasteEvent) -> None:
        """Insert a paste as one step and one line."""
        self._commands.end_chain()
        text = _one_line(event.text)
        if text:
            self._buffer.insert(text)
            self._edited()

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Put the cursor under a press."""
        if event.type != "press" or event.button != "left":
            return None
        column = event.x - visible_width(self._prompt) + self._first_column
        self._commands.end_chain()
        shown = self._shown()
        index = shown.text_index(_index_at(shown.shown, column))
        self._commands.move_to(Position(0, index))
        return MouseResult(handled=True, focus=True)

    def _shown(self) -> MaskedText:
        """Return the text as it is shown."""
        value = self.get_value()
        if self.mask is None:
            return open_text(value)
        return mask_text(value, self.mask, clear=self.clear_at_end)

    def _edit(self, event: KeyEvent, keybindings: KeybindingsManager) -> bool:
        self._commands.begin()
        command = _find_command(event, keybindings)
        if command is not None:
            command(self._commands)
        elif event.text and not _CONTROL.search(event.text):
            self._commands.type(event.text)
        else:
            self._commands.nothing_happened()
            return False
        return True

    def _edited(self) -> None:
        self._callbacks.call(self.on_change, self.get_value())


class _Window(NamedTuple):
    """The part of a text that is in sight, around the cell of the caret."""

    first: int
    before: str
    caret: str
    after: str


def _window(text: str, cursor: int, room: int) -> _Window:
    """Return what of `text` to show in `room` cells so that the caret is among it."""
    column, total = visible_width(text[:cursor]), visible_width(text)
    at_end = cursor == len(text)
    caret = " " if at_end else next(iter_graphemes(text[cursor:]))
    hidden = 0 if at_end else grapheme_width(caret)
    if not 0 < hidden <= room:  # nothing to see, or too wide: a blank stands for it
        caret = " "
    cells = grapheme_width(caret)
    first, shown = _first_column(column, total, room, at_end=at_end)
    if not at_end:
        first = max(first, column + cells - shown)
    before = slice_by_column(text, first, column - first)
    rest = first + shown - column - cells
    after = slice_by_column(text, column + hidden, rest, strict=True)
    return _Window(first, before, caret, after)


def _first_column(column: int, total: int, room: int, *, at_end: bool) -> tuple[int, int]:
    """Return the first column in sight, and how many of the text's there are."""
    if total < room:
        return 0, room
    shown = room - 1 if at_end else room
    half = shown // 2
    if column < half:
        return 0, shown
    if column > total - half:
        return max(0, total - shown), shown
    return max(0, column - half), shown


def _index_at(text: str, column: int) -> int:
    """Return where the grapheme begins that covers `column`."""
    index = at = 0
    for grapheme in iter_graphemes(text):
        at += grapheme_width(grapheme)
        if at > column:
            break
        index += len(grapheme)
    return index


def _find_command(
    event: KeyEvent, keybindings: KeybindingsManager
) -> Callable[[EditCommands], None] | None:
    for action, command in _COMMANDS:
        if keybindings.matches(event, action):
            return command
    for key, command in UNBOUND_KEYS:
        if matches_key(event, key):
            return command
    return None


def _one_line(text: str) -> str:
    """Return text as one line: a break is a space, one at the very end nothing."""
    return normalize_text(text).removesuffix("\n").replace("\n", " ")
