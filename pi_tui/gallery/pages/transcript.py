"""A document of many entries, of which only those in sight are drawn."""

from __future__ import annotations

from collections.abc import Callable

from pi_tui import Component, StackEntry, is_viewport_tui
from pi_tui.components import HStack, ScrollView, Transcript, VStack
from pi_tui.gallery.bar import Bar
from pi_tui.gallery.button import Button
from pi_tui.gallery.page import Page, Piece, Stage

_ENTRIES = 10_000


class Counted(Component):
    """An entry that tells of its first drawing."""

    def __init__(self, text: str, on_drawn: Callable[[], None]) -> None:
        self._text = text
        self._on_drawn = on_drawn
        self._rows: list[str] | None = None

    def render(self, width: int) -> list[str]:
        """Return one row."""
        if self._rows is None:
            self._on_drawn()
            self._rows = [self._text]
        return self._rows if len(self._text) <= width else [self._text[:width]]


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    log = Transcript()
    drawn = 0

    def count() -> None:
        nonlocal drawn
        drawn += 1
        stage.tui.request_render()  # for the tally, which may have been drawn already

    def append() -> None:
        log.append(Counted(f"entry {len(log.entries) + 1}", count))

    # Below the shell's prompt all rows are written into the terminal's scrollback.
    for _ in range(_ENTRIES if is_viewport_tui(stage.tui) else 8):
        append()
    button = Button("Append", append, stage.theme)
    tally = Bar(lambda: f"{drawn} of {len(log.entries)} drawn so far")
    view = ScrollView(log, follow="end", primary=True, scrollbar="always")
    foot = HStack([StackEntry(button, shrink=0), StackEntry(tally, basis=0, grow=1)], gap=1)
    return Piece(
        VStack([StackEntry(view, grow=1, min_size=1), StackEntry(foot, shrink=0)]),
        focus=(button,),
        fills=True,
    )


PAGE = Page(
    "Transcript",
    "Ten thousand entries cost a frame what a hundred do. Scroll up: the position is an entry, so that it"
    " stays when the width changes or something is appended.",
    build,
    ("Transcript",),
)
