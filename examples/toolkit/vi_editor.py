"""An editor with the modes of vi, made of the toolkit's: its commands are runs of the editor's own actions.

Start it with `python examples/toolkit/vi_editor.py`. Escape leads to the commands, `i` back to typing; Ctrl+C leaves.
"""

from __future__ import annotations

import re

from pi_tui import (
    EditorTheme,
    KeyEvent,
    ProcessTerminal,
    SelectListTheme,
    StackEntry,
    TuiAltScreen,
    get_keybindings,
    matches_key,
)
from pi_tui.components import Editor, ScrollView, Text, Transcript, VStack

LEFT, RIGHT = "tui.editor.cursorLeft", "tui.editor.cursorRight"
WORD_LEFT, WORD_RIGHT = "tui.editor.cursorWordLeft", "tui.editor.cursorWordRight"
START, END = "tui.editor.cursorLineStart", "tui.editor.cursorLineEnd"
DELETE, DELETE_WORD = "tui.editor.deleteCharForward", "tui.editor.deleteWordForward"
DELETE_TO_START, DELETE_TO_END = "tui.editor.deleteToLineStart", "tui.editor.deleteToLineEnd"
NEW_LINE, YANK = "tui.input.newLine", "tui.editor.yank"
UNDO, REDO = "tui.editor.undo", "tui.editor.redo"

# What a command does, action by action; those of the second table go on with typing.
COMMANDS = {
    "h": (LEFT,),
    "l": (RIGHT,),
    "b": (WORD_LEFT,),
    "w": (WORD_RIGHT,),
    "0": (START,),
    "$": (END,),
    "D": (DELETE_TO_END,),
    "dw": (DELETE_WORD,),
    "d$": (DELETE_TO_END,),
    "d0": (DELETE_TO_START,),
    "dd": (START, DELETE_TO_END, DELETE),
    "p": (YANK,),
    "u": (UNDO,),
}
THEN_TYPING = {
    "i": (),
    "a": (RIGHT,),
    "I": (START,),
    "A": (END,),
    "o": (END, NEW_LINE),
    "O": (START, NEW_LINE, LEFT),
    "C": (DELETE_TO_END,),
    "cw": (DELETE_WORD,),
    "cc": (START, DELETE_TO_END),
    "s": (DELETE,),
}
_COUNTED = re.compile(r"([1-9]\d*)?(.*)")
PREFIXES = frozenset(command[0] for command in (*COMMANDS, *THEN_TYPING) if len(command) > 1) | {
    "g"
}


class ViEditor(Editor):
    """Types like any editor until Escape; then letters are commands, with a number in front if need be."""

    is_typing = True
    _begun = ""  # a number, and the first letter of a command of two

    def types(self, event: KeyEvent) -> bool:
        """Let many keys be typed at once only where they are text."""
        return self.is_typing and super().types(event)

    def handle_key(self, event: KeyEvent) -> bool:
        """Take a command; keys that are no text stay what they are."""
        if self.is_typing:
            if not matches_key(event, "escape") or self.is_showing_autocomplete():
                return super().handle_key(event)
            self.is_typing = False
            if self.get_cursor()[1]:
                self._act(LEFT)
            return True
        if matches_key(event, "escape"):
            self._begun = ""
        elif matches_key(event, "ctrl+r"):
            self._act(REDO)
        elif len(event.text) == 1 and event.text.isprintable():
            self._take(event.text)
        else:
            return super().handle_key(event)
        return True

    def render_bottom_border(self, width: int, hidden: int) -> str:
        """Show the mode, and what is waited for."""
        label = "INSERT" if self.is_typing else f"NORMAL {self._begun}".rstrip()
        if hidden or width < len(label) + 4:
            return super().render_bottom_border(width, hidden)
        return self.border_style()(f"─ {label} ".ljust(width, "─"))

    def _take(self, letter: str) -> None:
        self._begun += letter
        number, command = _COUNTED.fullmatch(self._begun).groups()  # type: ignore[union-attr]  # anything matches
        if command and command not in PREFIXES:
            self._begun = ""
            self._run_command(command, int(number or 1))

    def _run_command(self, command: str, times: int) -> None:
        for _ in range(min(times, 1000)):
            if command in ("j", "k"):
                self._go_up_or_down(command)
            elif command == "x":
                self._delete_in_line()
            for action in COMMANDS.get(command, ()):
                self._act(action)
        if command in ("G", "gg"):
            self._go_to_end("j" if command == "G" else "k")
        if command in THEN_TYPING:
            for action in THEN_TYPING[command]:
                self._act(action)
            self.is_typing = True

    def _go_up_or_down(self, command: str) -> None:
        """Move a row, but not out of the text: there the history begins."""
        line = self.get_cursor()[0]
        if command == "k" and line > 0:
            self._act("tui.editor.cursorUp")
        elif command == "j" and line < len(self.get_lines()) - 1:
            self._act("tui.editor.cursorDown")

    def _go_to_end(self, command: str) -> None:
        before = None
        while before != self.get_cursor():
            before = self.get_cursor()
            self._go_up_or_down(command)

    def _delete_in_line(self) -> None:
        line, column = self.get_cursor()
        rest = len(self.get_lines()[line]) - column
        if rest:
            self._act(DELETE)
        if rest == 1:
            self._act(LEFT)

    def _act(self, action: str) -> None:
        """Press the key that an action has, whichever that is."""
        for key in get_keybindings().get_keys(action)[:1]:
            super().handle_key(KeyEvent(key))


def main() -> None:
    """Run it."""
    tui = TuiAltScreen(ProcessTerminal())
    said = Transcript()
    said.append(
        Text("Escape, then h j k l w b 0 $ x dd dw cw D C o O p u, Ctrl+R. Enter sends.", 1, 1)
    )
    editor = ViEditor(tui, EditorTheme(str, SelectListTheme(str, str, str, str, str)))

    def submit(text: str) -> None:
        said.append(Text(text, 1, 0))
        editor.set_text("")

    editor.on_submit = submit
    tui.set_layout_root(
        VStack([StackEntry(ScrollView(said, follow="end"), 0, 1), StackEntry(editor, shrink=0)])
    )
    tui.set_focus(editor)
    tui.on_unhandled_key = lambda event: tui.stop() if matches_key(event, "ctrl+c") else None
    tui.run()


if __name__ == "__main__":
    main()
