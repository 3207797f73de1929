"""The program with an overlay at every place of the screen."""

from __future__ import annotations

import runpy
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from pi_tui.fullscreen import TuiAltScreen
from pi_tui.snapshot import check_snapshot
from pi_tui.testing import HeadlessTerminal, Pilot
from tests.pi_agent.ui.support import ROOT, SIZES

pytestmark = pytest.mark.anyio

OVERLAYS = runpy.run_path(str(ROOT / "examples" / "toolkit" / "overlays.py"))["Overlays"]
SNAPSHOTS = ROOT / "snapshots" / "examples" / "test_toolkit_overlays"


@asynccontextmanager
async def opened(columns: int, rows: int) -> AsyncIterator[Pilot]:
    """Run the example until the block ends."""
    terminal = HeadlessTerminal(columns, rows)
    tui = TuiAltScreen(terminal, strict=True, environ={})
    OVERLAYS(tui)
    tui.start()
    tui.render_now()
    try:
        yield Pilot(tui, terminal)
    finally:
        tui.stop()


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_a_label_lies_at_every_anchor(columns: int, rows: int) -> None:
    """One picture with all nine, and the card in the middle of them."""
    async with opened(columns, rows) as pilot:
        pilot.press("a")
        check_snapshot(SNAPSHOTS / f"anchors-{columns}x{rows}.txt", pilot.snapshot())


async def test_the_card_goes_where_the_arrows_say() -> None:
    async with opened(60, 12) as pilot:
        corners = {
            ("up", "left"): (0, 0),
            ("right", "right"): (0, 36),
            ("down", "down"): (9, 36),
            ("left", "left"): (9, 0),
        }
        for keys, (row, column) in corners.items():
            pilot.press(*keys)
            grid = pilot.terminal.grid
            assert grid.cell(column, row).text == "┌"
            assert grid.cell(column + 23, row + 2).text == "┘"


async def test_it_closes_and_opens_and_labels_take_no_keys() -> None:
    async with opened(60, 12) as pilot:
        page = pilot.lines()
        pilot.press("escape")
        below = pilot.lines()
        assert "center" not in pilot.screen()
        pilot.press("a", "escape")
        assert "│ center" in pilot.screen()
        pilot.press("h")
        assert pilot.lines() == page
        pilot.press("escape")
        assert pilot.lines() == below
        pilot.press("ctrl+d")
        assert not pilot.tui.is_started
