"""An overlay that goes to every place of the screen, over a page that stays as it is.

Start it with `python examples/toolkit/overlays.py`. The arrow keys move the card, `a` puts a label at every anchor, `h`
hides the labels, Escape closes the card and opens it again, Ctrl+D leaves.
"""

from __future__ import annotations

from functools import partial

from pi_tui import (
    Component,
    KeyEvent,
    OverlayAnchor,
    OverlayHandle,
    OverlayOptions,
    ProcessTerminal,
    TuiAltScreen,
    matches_key,
    truncate_to_width,
    visible_width,
)
from pi_tui.components import Text

PLACES: tuple[tuple[OverlayAnchor, ...], ...] = (
    ("top-left", "top-center", "top-right"),
    ("left-center", "center", "right-center"),
    ("bottom-left", "bottom-center", "bottom-right"),
)
MOVES = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
PAGE = "The page below stays as it is: 日本語, 👨‍👩‍👧 and all. " * 100


class Framed(Component):
    """A line of text in a frame as wide as the overlay."""

    def __init__(self) -> None:
        self.text = ""

    def render(self, width: int) -> list[str]:
        """Return three rows of exactly `width` columns."""
        if width < 2:
            return [" "]
        inner = truncate_to_width(self.text, width - 2, "…", pad=True)
        line = "─" * (width - 2)
        return [f"┌{line}┐", f"│{inner}│", f"└{line}┘"]


class Card(Framed):
    """The overlay with the keys. What it does not use goes on to the program."""

    def __init__(self, program: Overlays) -> None:
        super().__init__()
        self.focused = False
        self._program = program

    def render(self, width: int) -> list[str]:
        """Show where the card is."""
        self.text = f" {self._program.anchor}"
        return super().render(width)

    def handle_key(self, event: KeyEvent) -> bool:
        """Move, or close."""
        if event.id in MOVES:
            self._program.move(*MOVES[event.id])
        elif event.id == "escape":
            self._program.close_card()
        else:
            return False
        return True


class Overlays:
    """The program: a page, a card over it, and labels that take no keys."""

    def __init__(self, tui: TuiAltScreen) -> None:
        self.place = (1, 1)
        self._tui = tui
        self._card: OverlayHandle | None = None
        self._labels: list[OverlayHandle] = []
        page = Text(PAGE, 0, 0)
        tui.set_layout_root(page)
        tui.set_focus(page)
        # Keys that the focused component has no use for come here.
        tui.on_unhandled_key = self._take_key
        self.open_card()

    @property
    def anchor(self) -> OverlayAnchor:
        """Where the card is."""
        row, column = self.place
        return PLACES[row][column]

    def open_card(self) -> None:
        """Show the card; its options are asked for before each frame, so it follows `place`."""
        self._card = self._tui.show_overlay(
            Card(self), lambda: OverlayOptions(anchor=self.anchor, width="40%", min_width=16)
        )

    def close_card(self) -> None:
        """Close the card; the page has the keys."""
        if self._card is not None:
            self._card.hide()
            self._card = None

    def move(self, rows: int, columns: int) -> None:
        """Go to a neighbouring place."""
        row, column = self.place
        self.place = (max(0, min(row + rows, 2)), max(0, min(column + columns, 2)))
        self._tui.request_render()

    def label_all(self) -> None:
        """Put a label at every anchor, one cell from the edges."""
        if self._labels:
            return
        for row in PLACES:
            for anchor in row:
                label = Framed()
                label.text = anchor
                options = partial(self._label_options, anchor)
                self._labels.append(self._tui.show_overlay(label, options))

    def _label_options(self, anchor: OverlayAnchor) -> OverlayOptions:
        """Let a label be as wide as its text, and let three of them fit side by side."""
        width = min(visible_width(anchor) + 2, (self._tui.columns - 2) // 3)
        return OverlayOptions(anchor=anchor, width=width, margin=1, non_capturing=True)

    def toggle_labels(self) -> None:
        """Hide the labels for a while, or show them again."""
        for label in self._labels:
            label.set_hidden(not label.is_hidden())

    def _take_key(self, event: KeyEvent) -> None:
        if matches_key(event, "ctrl+d"):
            self._tui.stop()
        elif event.id == "a":
            self.label_all()
        elif event.id == "h":
            self.toggle_labels()
        elif event.id == "escape" and self._card is None:
            self.open_card()


def main() -> None:
    """Run it in this terminal."""
    tui = TuiAltScreen(ProcessTerminal())
    Overlays(tui)
    tui.run()


if __name__ == "__main__":
    main()
