"""Screens for the tests of overlays: components with fixed lines, and a started program to show them on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pi_tui.component import CURSOR_MARKER, Component, Renderable, render_fake_cursor
from pi_tui.events import KeyEvent, PasteEvent
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.testing import HeadlessTerminal, Pilot


class Lines(Component):
    """Shows lines that a test may replace; remembers its keys and counts its renders."""

    def __init__(self, *lines: str, name: str = "") -> None:
        self.name = name
        self.focused = False
        self.lines = list(lines)
        self.keys: list[str] = []
        self.pastes: list[str] = []
        self.renders = 0
        self.invalidated = 0

    def __repr__(self) -> str:
        return self.name or "Lines"

    def render(self, width: int) -> list[str]:
        self.renders += 1
        return self.lines

    def invalidate(self) -> None:
        self.invalidated += 1

    def handle_key(self, event: KeyEvent) -> bool:
        self.keys.append(event.id)
        return True

    def handle_paste(self, event: PasteEvent) -> None:
        self.pastes.append(event.text)


class Field(Lines):
    """Two rows, the second with a caret while it has the keys."""

    def render(self, width: int) -> list[str]:
        self.renders += 1
        caret = f"{CURSOR_MARKER}{render_fake_cursor('x')}" if self.focused else "x"
        return ["field"[:width], caret]


class Page(Component):
    """A layout root of as many rows as there are lines; parts can be put in and taken out."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.children: list[Component] = []

    def render(self, width: int) -> list[str]:
        return self.lines


@asynccontextmanager
async def started(
    root: Renderable,
    columns: int = 30,
    rows: int = 8,
    *,
    strict: bool = True,
    hardware: bool = False,
) -> AsyncIterator[tuple[TuiAltScreen, Pilot]]:
    """Run a program that shows `root` until the block ends."""
    terminal = HeadlessTerminal(columns, rows)
    tui = TuiAltScreen(terminal, strict=strict, show_hardware_cursor=hardware, environ={})
    tui.set_layout_root(root)
    tui.start()
    tui.render_now()
    try:
        yield tui, Pilot(tui, terminal)
    finally:
        tui.stop()
