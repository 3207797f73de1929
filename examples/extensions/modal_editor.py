"""Two modes in the prompt's editor, as in vi: Escape leads to the commands, `i` back to typing.

Start it with `pi -e examples/extensions/modal_editor.py`. The program's keys stay what they are: Escape stops a run
once there is nothing to leave, Ctrl+C empties the editor. `/vi` changes between this editor and the one below.
"""

from __future__ import annotations

from pi_agent import CustomEditor, ExtensionAPI, ExtensionCommandContext, ExtensionContext
from pi_tui import KeyEvent, get_keybindings, matches_key

# Commands as the editor's own actions; those of the second table go on with typing.
COMMANDS = {
    "h": ("tui.editor.cursorLeft",),
    "j": ("tui.editor.cursorDown",),
    "k": ("tui.editor.cursorUp",),
    "l": ("tui.editor.cursorRight",),
    "w": ("tui.editor.cursorWordRight",),
    "b": ("tui.editor.cursorWordLeft",),
    "0": ("tui.editor.cursorLineStart",),
    "$": ("tui.editor.cursorLineEnd",),
    "x": ("tui.editor.deleteCharForward",),
    "D": ("tui.editor.deleteToLineEnd",),
    "p": ("tui.editor.yank",),
    "u": ("tui.editor.undo",),
}
THEN_TYPING = {
    "i": (),
    "a": ("tui.editor.cursorRight",),
    "I": ("tui.editor.cursorLineStart",),
    "A": ("tui.editor.cursorLineEnd",),
    "C": ("tui.editor.deleteToLineEnd",),
}


class ModalEditor(CustomEditor):
    """Types like any editor until Escape; then letters are commands."""

    is_typing = True

    def types(self, event: KeyEvent) -> bool:
        """Let many keys be typed at once only where they are text."""
        return self.is_typing and super().types(event)

    def handle_key(self, event: KeyEvent) -> bool:
        """Take a command; what is none is the program's, or edits."""
        if self.is_typing:
            if (
                matches_key(event, "escape")
                and self.get_text()
                and not self.is_showing_autocomplete()
            ):
                self.is_typing = False
                return True
            return super().handle_key(event)
        if len(event.text) != 1 or not event.text.isprintable():
            return super().handle_key(event)
        for action in (*COMMANDS.get(event.text, ()), *THEN_TYPING.get(event.text, ())):
            for key in get_keybindings().get_keys(action)[:1]:
                super().handle_key(KeyEvent(key))
        self.is_typing = event.text in THEN_TYPING
        return True

    def render_bottom_border(self, width: int, hidden: int) -> str:
        """Show the mode where there is room for it."""
        label = "─ INSERT " if self.is_typing else "─ NORMAL "
        if hidden or width <= len(label):
            return super().render_bottom_border(width, hidden)
        return self.border_style()(label.ljust(width, "─"))


def setup(pi: ExtensionAPI) -> None:
    """Have the editor from the start."""
    is_on = False

    def show(ctx: ExtensionContext, on: bool) -> None:
        nonlocal is_on
        is_on = on
        ctx.ui.set_editor_component(ModalEditor if on else None)

    @pi.on("session_start")
    def started(event: object, ctx: ExtensionContext) -> None:
        show(ctx, True)

    @pi.command("vi", description="Change between this editor and the one below")
    def toggle(args: str, ctx: ExtensionCommandContext) -> None:
        show(ctx, not is_on)
