"""Widgets of urwid in a full-screen program: a field to type in and a progress bar, between components.

Start it with `python examples/toolkit/urwid_inside.py`. What is typed moves the bar; Ctrl+D leaves.
"""

from __future__ import annotations

import urwid

from pi_tui import KeyEvent, ProcessTerminal, TuiAltScreen, UrwidWidget
from pi_tui.components import Text

PALETTE = [("bar", "white", "dark gray"), ("done", "black", "dark green")]
GOAL = 20


class Form:
    """The field and the bar as one component; keys that the field has no use for come back."""

    focused = True

    def __init__(self, tui: TuiAltScreen) -> None:
        self._tui = tui
        self._bar = urwid.ProgressBar("bar", "done", 0, GOAL)
        edit = urwid.Edit("Your text: ")
        urwid.connect_signal(edit, "change", self._changed)
        whole = urwid.LineBox(urwid.Pile([edit, urwid.Divider(), self._bar]), "urwid")
        self._widget = UrwidWidget(whole, palette=PALETTE, host=tui)
        self._widget.focused = True

    def render(self, width: int) -> list[str]:
        """Draw the widgets."""
        return self._widget.render(width)

    def handle_key(self, event: KeyEvent) -> bool:
        """Type into the field; Ctrl+D leaves."""
        if event.id == "ctrl+d":
            self._tui.stop()
            return True
        return self._widget.handle_key(event)

    def _changed(self, edit: urwid.Edit, text: str) -> None:
        self._bar.set_completion(min(GOAL, len(text)))


def build(tui: TuiAltScreen) -> None:
    """Put the form between two texts."""
    form = Form(tui)
    for part in (Text("A component of pi_tui above."), form, Text("And one below.")):
        tui.add_child(part)
    tui.set_focus(form)


def main() -> None:
    """Run until Ctrl+D."""
    tui = TuiAltScreen(ProcessTerminal())
    build(tui)
    tui.run()


if __name__ == "__main__":
    main()
