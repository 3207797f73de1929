"""A screen with a document above a foot, for tests that use the mouse."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from pi_tui.component import Component
from pi_tui.components.scroll_view import ScrollView
from pi_tui.components.scrollbar import ScrollbarMode
from pi_tui.components.stack import VStack
from pi_tui.components.text import Text
from pi_tui.components.transcript import Transcript
from pi_tui.copying import CopySelection
from pi_tui.events import MouseEvent, MouseResult
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.layout import StackEntry
from pi_tui.testing import HeadlessTerminal, Pilot


class Panel(Component):
    """Rows that take the events they are told to take, and note all of them."""

    def __init__(self, *takes: str, rows: int = 1, text: str = "panel") -> None:
        self.takes = takes
        self.told: list[MouseEvent] = []
        self.lines = [text] * rows

    def render(self, width: int) -> list[str]:
        return [line[:width] for line in self.lines]

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        self.told.append(event)
        return MouseResult(handled=True) if event.type in self.takes else None

    def types(self) -> list[str]:
        """Return the types of what it was told."""
        return [event.type for event in self.told]


@dataclass
class Scene:
    """The screen and the hands on it; `now` is the clock by which clicks are counted."""

    tui: TuiAltScreen
    pilot: Pilot
    view: ScrollView
    document: Transcript
    foot: Panel
    now: float = 100.0

    def add(self, *texts: str) -> None:
        """Add entries at the end of the document."""
        for text in texts:
            self.document.append(Text(text, 0, 0))
        self.tui.render_now()

    @property
    def copied(self) -> str | None:
        """What the terminal was asked to copy last."""
        return self.pilot.terminal.grid.clipboard

    def selected(self) -> list[str]:
        """Return the cells in reverse video of each row that has any, without blanks at the end."""
        grid = self.pilot.terminal.grid
        rows = []
        for y in range(grid.rows):
            cells = [grid.cell(x, y) for x in range(grid.columns)]
            row = "".join(cell.text for cell in cells if cell.inverse)
            if any(cell.inverse for cell in cells):
                rows.append(row.rstrip())
        return rows


@asynccontextmanager
async def scene(
    *texts: str,
    columns: int = 20,
    rows: int = 6,
    scrollbar: ScrollbarMode = "hidden",
    text_margin: int = 0,
    copy_on_select: bool = True,
    copy_selection: CopySelection | None = None,
    open_url: Callable[[str], object] | None = None,
    scroll_to_end_indicator: Callable[[], str] = lambda: "",
) -> AsyncIterator[Scene]:
    """Show a document of `texts` that follows its end, above a foot of one row."""
    terminal = HeadlessTerminal(columns, rows)
    tui = TuiAltScreen(
        terminal,
        strict=True,
        environ={},
        copy_on_select=copy_on_select,
        copy_selection=copy_selection,
        open_url=open_url,
        scroll_to_end_indicator=scroll_to_end_indicator,
        now=lambda: shown.now,
    )
    document = Transcript()
    view = ScrollView(
        document, follow="end", primary=True, scrollbar=scrollbar, text_margin=text_margin
    )
    foot = Panel(text="foot")
    tui.set_layout_root(VStack([StackEntry(view, basis=0, grow=1), StackEntry(foot, shrink=0)]))
    shown = Scene(tui, Pilot(tui, terminal), view, document, foot)
    tui.start()
    try:
        shown.add(*texts)
        yield shown
    finally:
        tui.stop()
