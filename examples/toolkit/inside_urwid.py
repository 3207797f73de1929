"""Components in a program of urwid: Markdown and a list of choices, in a frame with a footer.

Start it with `python examples/toolkit/inside_urwid.py`. Up, Down and Enter choose; Ctrl+D leaves.
"""

from __future__ import annotations

import urwid

from pi_tui import (
    ComponentWidget,
    SelectItem,
    SelectListTheme,
    paste_input_filter,
)
from pi_tui.components import SelectList, Text

CHOICES = [
    SelectItem("tea", "Tea", "Green, hot"),
    SelectItem("coffee", "Coffee", "Black"),
    SelectItem("water", "Water", "日本の水"),
]


class Program:
    """The widgets and what they do."""

    def __init__(self) -> None:
        look = SelectListTheme(_reverse, str, _faint, _faint, _faint)
        choices = SelectList(CHOICES, 5, look)
        self.footer = urwid.Text("Choose with the arrow keys and Enter; Ctrl+D leaves.")
        choices.on_select = lambda item: self.footer.set_text(f"You chose {item.label}.")
        self.widget = urwid.Frame(
            urwid.ListBox(urwid.SimpleFocusListWalker([ComponentWidget(choices)])),
            header=ComponentWidget(Text("\x1b[1mA component\x1b[0m in urwid's frame")),
            footer=self.footer,
        )

    def unhandled(self, key: object) -> None:
        """Leave with Ctrl+D."""
        if key == "ctrl d":
            raise urwid.ExitMainLoop


def _reverse(text: str) -> str:
    return f"\x1b[7m{text}\x1b[27m"


def _faint(text: str) -> str:
    return f"\x1b[2m{text}\x1b[22m"


def main() -> None:
    """Run until Ctrl+D."""
    program = Program()
    loop = urwid.MainLoop(
        program.widget,
        input_filter=paste_input_filter,
        unhandled_input=program.unhandled,
    )
    loop.run()


if __name__ == "__main__":
    main()
