"""A program made of the toolkit alone: a long document and one line to type in. `--regular` leaves the scrollback.

Ctrl+D leaves, Ctrl+N adds an entry, Ctrl+P a picture, Ctrl+Z suspends, `crash` makes a component raise, `die` makes
the frame loop raise, `exit` ends the process at once, `hang` never returns to the loop.
"""

from __future__ import annotations

import asyncio
import os
import sys

from pi_tui.app import TUI
from pi_tui.component import CURSOR_MARKER, Component, render_fake_cursor
from pi_tui.components.image import Image, ImageOptions, ImageTheme
from pi_tui.components.scroll_view import ScrollView
from pi_tui.components.stack import VStack
from pi_tui.components.text import Text
from pi_tui.components.transcript import Transcript
from pi_tui.events import KeyEvent, PasteEvent
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.layout import StackEntry
from pi_tui.regular import TuiMainScreen
from pi_tui.terminal import ProcessTerminal
from tests.pi_tui.image_grid import make_png


class Faulty(Component):
    """Draws until it is told not to."""

    def __init__(self) -> None:
        self.is_broken = False

    def render(self, width: int) -> list[str]:
        if self.is_broken:
            raise RuntimeError("this component is broken")
        return ["all is well"]


class Line(Component):
    """Shows what was typed, with the caret behind it."""

    def __init__(self, tui: TUI, document: Transcript, faulty: Faulty) -> None:
        self.focused = False
        self.text = ""
        self._tui = tui
        self._document = document
        self._faulty = faulty
        self._dies = False

    def handle_key(self, event: KeyEvent) -> bool:
        if event.id == "ctrl+d":
            self._tui.stop()
        elif event.id == "ctrl+n":
            self._document.append(Text(f"entry {len(self._document.entries)}", 0, 0))
        elif event.id == "ctrl+p":
            data = make_png(300, 300)
            options = ImageOptions(10, image_id=len(self._document.entries))
            self._document.append(Image(data, "image/png", ImageTheme(), options))
        elif event.id == "ctrl+z":
            self._tui.suspend()
        elif event.id == "enter":
            self._faulty.is_broken = self.text == "crash"
            self._dies = self.text == "die"
            if self.text == "exit":
                sys.exit(3)
            if self.text == "hang":
                self._tui.terminal.write("busy for ever")
                while True:
                    pass
            self.text = ""
        else:
            self.text += event.text or f"<{event.id}>"
        return True

    def handle_paste(self, event: PasteEvent) -> None:
        self.text += f"(pasted {len(event.text)})"

    def render(self, width: int) -> list[str]:
        if self._dies:
            raise KeyError("a row nobody expected")
        caret = CURSOR_MARKER + render_fake_cursor(" ") if self.focused else ""
        return [f"> {self.text[-(width - 3) :]}{caret}"]


def main() -> None:
    """Run until Ctrl+D."""
    document = Transcript()
    for number in range(200):
        document.append(Text(f"entry {number}", 0, 0))
    terminal = ProcessTerminal()
    tui = TuiMainScreen(terminal) if "--regular" in sys.argv else TuiAltScreen(terminal)
    faulty = Faulty()
    line = Line(tui, document, faulty)
    view = ScrollView(document, follow="end", primary=True)
    tui.set_layout_root(VStack([StackEntry(view, basis=0, grow=1, min_size=1), faulty, line]))
    tui.set_focus(line)
    if "--fatal" in sys.argv:
        tui.problems.strict = True

    async def run() -> None:
        tui.start()
        print("started", file=sys.stderr)
        await tui.wait_stopped()

    asyncio.run(run())
    if terminal.is_gone:
        os._exit(129)  # nothing can be printed any more
    print("left in order")


if __name__ == "__main__":
    main()
