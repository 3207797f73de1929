"""The prompt editor: the toolkit's editor with the program's keys in front. Editors of extensions are made of it."""

from __future__ import annotations

from collections.abc import Callable

from pi_agent.ui.pasting import dropped_paths, written_paths
from pi_tui.component import (
    CURSOR_MARKER,
    ComponentHost,
    Style,
    identity,
    render_fake_cursor,
)
from pi_tui.components.editor import Editor
from pi_tui.editing import Position, normalize_text
from pi_tui.events import KeyEvent, PasteEvent
from pi_tui.keybindings import KeybindingsManager
from pi_tui.theme import EditorTheme
from pi_tui.width import iter_graphemes, slice_by_column, truncate_to_width, visible_width

_PAGES = ("tui.select.pageUp", "tui.select.pageDown")


class CustomEditor(Editor):
    """An `Editor` that asks the program first; what `ctx.ui.set_editor_component` shows is a subclass of it.

    Keys that a subclass has no use for go to `super().handle_key(event)`, which knows the program's and those
    that edit; pastes to `super().handle_paste(event)`. With `embed_working_status` what goes on is told in the
    upper border, not in a row of its own.

    The program fills in the rest: `take_action(event)` says whether a key did something of the program's.
    `border_status` is shown in the upper border. While nothing is typed, `suggestion` stands there, and Enter
    sends it.
    """

    def __init__(
        self,
        tui: ComponentHost,
        theme: EditorTheme,
        keybindings: KeybindingsManager | None = None,
        *,
        embed_working_status: bool = False,
    ) -> None:
        super().__init__(tui, theme, keybindings=keybindings)
        self.embed_working_status = embed_working_status
        self.border_status = ""
        self.suggestion = ""
        self.on_suggestion_taken: Callable[[], None] = lambda: None
        self.take_action: Callable[[KeyEvent], bool] = lambda event: False
        self.suggestion_style: Style = identity
        self.shell_border_color: Style = theme.border_color
        self._suggested: tuple[list[str], str, list[str]] | None = None

    def take_over(self, other: Editor) -> None:
        """Stand in for another editor, for the program too."""
        super().take_over(other)
        if isinstance(other, CustomEditor):
            self.suggestion = other.suggestion
            self.on_suggestion_taken = other.on_suggestion_taken
            self.take_action = other.take_action
            self.suggestion_style = other.suggestion_style
            self.shell_border_color = other.shell_border_color

    def handle_key(self, event: KeyEvent) -> bool:
        """Take a key, after the program."""
        if event.kind == "release":
            return False
        if not self._is_page_of_menu(event) and self.take_action(event):
            return True
        if self._is_suggesting and self._matches(event, "tui.input.submit"):
            self.set_text(self.suggestion)
            self.on_suggestion_taken()
        return super().handle_key(event)

    def render(self, width: int) -> list[str]:
        """Return the rows, with the suggestion in the first row of text while nothing is typed."""
        rows = super().render(width)
        if not self._is_suggesting:
            return rows
        if self._suggested is None or self._suggested[:2] != (rows, self.suggestion):
            at = 1 if self.show_borders else 0
            shown = [*rows[:at], self._suggestion_row(width), *rows[at + 1 :]]
            self._suggested = (rows, self.suggestion, shown)
        return self._suggested[2]

    def _is_page_of_menu(self, event: KeyEvent) -> bool:
        return self.is_showing_autocomplete() and any(
            self._matches(event, action) for action in _PAGES
        )

    @property
    def _is_suggesting(self) -> bool:
        return bool(self.suggestion) and not self.get_text()

    def _suggestion_row(self, width: int) -> str:
        """Return the suggestion with the cursor on its first character."""
        padding = self._padding(width)
        text, room = self.suggestion, width - padding
        if visible_width(text) > room:
            text = f"{slice_by_column(text, 0, room - 1, strict=True)}…"
        first = next(iter_graphemes(text), " ")
        mark = CURSOR_MARKER if self.focused else ""
        rest = self.suggestion_style(text[len(first) :])
        return " " * padding + mark + render_fake_cursor(first) + rest

    # What the program does is bound to keys, and keys that are bound type nothing.
    types = Editor.types

    @property
    def is_command_for_shell(self) -> bool:
        """Whether what is typed is for the user's shell (`!…`)."""
        return self._buffer.lines[0].lstrip().startswith("!")

    def keep(self, event: KeyEvent | PasteEvent) -> None:
        """Take what is typed for the editor while a dialog stands in its place."""
        if isinstance(event, PasteEvent):
            self.handle_paste(event)
        else:
            self.handle_key(event)

    def handle_paste(self, event: PasteEvent) -> None:
        """Insert a paste. Of files that were dropped on the terminal the paths, without its quoting."""
        paths = dropped_paths(event.text)
        if paths:
            event = PasteEvent(written_paths(paths, for_shell=self.is_command_for_shell))
        super().handle_paste(event)

    def border_style(self) -> Style:
        """Return the style of the borders; that of a command for the shell says what it is."""
        return self.shell_border_color if self.is_command_for_shell else self.border_color

    def insert_in_front(self, text: str) -> None:
        """Put text before what stands there, an empty line between; the cursor stays where it is in that."""
        text = normalize_text(text) + ("\n\n" if self.get_text() else "")
        line, col = self._buffer.cursor
        self._suggestions.close()
        self._commands.end_chain()
        self._buffer.replace(Position(0, 0), Position(0, 0), text)
        end = self._buffer.cursor
        self._commands.move_to(Position(end.line + line, col if line else end.col + col))
        self._edited()
        self._tui.request_render()

    def render_top_border(self, width: int, hidden: int) -> str:
        """Return the upper border, with the status in it if it has no row of its own."""
        border = super().render_top_border(width, hidden)
        if not self.border_status or hidden:
            return border
        status = truncate_to_width(self.border_status, max(0, width - 4), "…")
        rest = width - visible_width(status) - 4
        return f"{self.border_style()('── ' if width > 3 else '')}{status}" + (
            " " + self.border_style()("─" * rest) if rest > 0 else ""
        )
