"""The gallery on a terminal in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from pi_tui.app import TUI
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.gallery.page import Page
from pi_tui.gallery.pages import PAGES
from pi_tui.gallery.program import Gallery
from pi_tui.gallery.theme_shelf import ThemeShelf
from pi_tui.keybindings import get_keybindings, set_keybindings
from pi_tui.regular import TuiMainScreen
from pi_tui.testing import HeadlessTerminal, Pilot


@dataclass(frozen=True, slots=True)
class Visit:
    """A running gallery and the hands on it."""

    gallery: Gallery
    themes: ThemeShelf
    pilot: Pilot

    def go_to(self, title: str) -> None:
        """Show a page."""
        [number] = [n for n, page in enumerate(self.gallery.pages) if page.title == title]
        self.gallery.show(number)
        self.pilot.tui.render_now()


@asynccontextmanager
async def opened(
    columns: int,
    rows: int,
    mode: str = "fullscreen",
    *,
    pages: Sequence[Page] = PAGES,
    strict: bool = True,
    themes: Sequence[Path] = (),
) -> AsyncIterator[Visit]:
    """Run it until the block ends."""
    before = get_keybindings()
    terminal = HeadlessTerminal(columns, rows)
    tui: TUI
    if mode == "regular":
        tui = TuiMainScreen(terminal, strict=strict, environ={}, clear_on_shrink=True)
    else:
        tui = TuiAltScreen(terminal, strict=strict, environ={})
    shelf = ThemeShelf("truecolor", themes)
    gallery = Gallery(tui, shelf, pages)
    tui.start()
    tui.render_now()
    try:
        yield Visit(gallery, shelf, Pilot(tui, terminal))
    finally:
        gallery.close()
        set_keybindings(before)
