"""A component alone on a screen, with the keys, and hands on it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pi_tui.component import Renderable
from pi_tui.components.stack import VStack
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.layout import StackEntry
from pi_tui.testing import HeadlessTerminal, Pilot


@asynccontextmanager
async def on_screen(
    component: Renderable, columns: int = 40, rows: int = 10
) -> AsyncIterator[Pilot]:
    """Give a component all of the screen."""
    terminal = HeadlessTerminal(columns, rows)
    tui = TuiAltScreen(terminal, strict=True, environ={})
    tui.set_layout_root(VStack([StackEntry(component, basis=0, grow=1)]))
    tui.set_focus(component)
    tui.start()
    try:
        tui.render_now()
        yield Pilot(tui, terminal)
    finally:
        tui.stop()
