"""Screens with pictures, on terminals that show them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from pi_tui.app import TUI
from pi_tui.capabilities import TerminalCapabilities, reset_capabilities_cache, set_capabilities
from pi_tui.cell_size import DEFAULT_CELL_SIZE, set_cell_size
from pi_tui.component import Renderable
from pi_tui.components.image import Image, ImageOptions, ImageTheme
from pi_tui.components.scroll_view import ScrollView
from pi_tui.components.stack import VStack
from pi_tui.components.text import Text
from pi_tui.components.transcript import Transcript
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.known_terminals import ImageProtocol
from pi_tui.layout import StackEntry
from pi_tui.regular import TuiMainScreen
from pi_tui.testing import HeadlessTerminal, Pilot
from tests.pi_tui.image_grid import ImageGrid, make_png


@contextmanager
def terminal_that_shows(
    images: ImageProtocol | None, *, hyperlinks: bool = False
) -> Iterator[None]:
    """Say that the terminal shows pictures by a protocol."""
    set_capabilities(TerminalCapabilities(images, True, hyperlinks))
    try:
        yield
    finally:
        reset_capabilities_cache()
        set_cell_size(*DEFAULT_CELL_SIZE)


def picture(
    name: str = "",
    *,
    width: int = 90,
    height: int = 90,
    columns: int = 10,
    image_id: int = 1,
    shade: int = 0,
) -> Image:
    """Return a picture of so many pixels, in cells of 9 by 18."""
    options = ImageOptions(max_width_cells=columns, filename=name or None, image_id=image_id)
    return Image(make_png(width, height, shade), "image/png", ImageTheme(), options)


class ImageScene:
    """A document with pictures above a foot."""

    def __init__(self, tui_class: type[TUI], columns: int, rows: int, *answers: str) -> None:
        self.terminal = HeadlessTerminal(columns, rows)
        self.grid = ImageGrid(columns, rows, answers)
        self.terminal.grid = self.grid
        self.document = Transcript()
        self.view = ScrollView(self.document, follow="end", primary=True)
        self.tui = tui_class(self.terminal, strict=True, environ={})
        self.tui.set_layout_root(
            VStack([StackEntry(self.view, basis=0, grow=1), StackEntry(Text("foot", 0, 0))])
        )
        self.pilot = Pilot(self.tui, self.terminal)

    def add(self, *parts: Renderable | str) -> None:
        """Add entries at the end of the document."""
        for part in parts:
            self.document.append(Text(part, 0, 0) if isinstance(part, str) else part)
        self.tui.render_now()

    def places(self) -> list[tuple[int, int, int]]:
        """Return the id, the row of the screen and the rows of each picture that shows."""
        first = len(self.grid.scrollback)
        return [(p.image_id, p.row - first, p.rows) for p in self.grid.visible()]


@asynccontextmanager
async def fullscreen(
    columns: int = 40, rows: int = 12, *answers: str, images: ImageProtocol = "kitty"
) -> AsyncIterator[ImageScene]:
    """A full screen on a terminal that shows pictures."""
    async with _started(ImageScene(TuiAltScreen, columns, rows, *answers), images) as scene:
        yield scene


@asynccontextmanager
async def regular(
    columns: int = 40,
    rows: int = 12,
    images: ImageProtocol = "kitty",
    kind: type[TuiMainScreen] = TuiMainScreen,
) -> AsyncIterator[ImageScene]:
    """Regular mode on a terminal that shows pictures."""
    async with _started(ImageScene(kind, columns, rows), images) as scene:
        yield scene


@asynccontextmanager
async def _started(scene: ImageScene, images: ImageProtocol) -> AsyncIterator[ImageScene]:
    with terminal_that_shows(images):
        scene.tui.start()
        scene.tui.render_now()
        try:
            yield scene
        finally:
            scene.tui.stop()
