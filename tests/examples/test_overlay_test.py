"""The overlay with text fields: straight borders, the caret's cell, and what Enter takes."""

from __future__ import annotations

import runpy
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_agent.resources.themes import load_bundled_theme
from pi_tui.emulator import GridTerminal
from pi_tui.events import KeyEvent, PasteEvent
from pi_tui.frame import resolve_cursor
from pi_tui.keybindings import get_keybindings
from pi_tui.snapshot import check_snapshot, snapshot_component
from pi_tui.width import iter_graphemes, visible_width
from tests.pi_agent.extensions.support import run_files
from tests.pi_agent.ui.support import ROOT, SIZES, Program, interactive
from tests.pi_tui.strategies import plain_texts

pytestmark = pytest.mark.anyio

EXAMPLE = ROOT / "examples" / "extensions" / "overlay_test.py"
SNAPSHOTS = ROOT / "snapshots" / "examples" / "test_overlay_test"
PANEL = runpy.run_path(str(EXAMPLE))["Panel"]


def new_panel() -> Any:
    """Return the overlay's component with the keys."""
    theme = load_bundled_theme("dark", color_mode="truecolor")
    panel = PANEL(theme, get_keybindings(), lambda value=None: None)
    panel.focused = True
    return panel


@asynccontextmanager
async def opened(folder: Path, columns: int = 80, rows: int = 24) -> AsyncIterator[Program]:
    """Run the program and open the overlay."""
    words = ("--model", "demo/echo", "-e", str(EXAMPLE))
    async with interactive(folder, *words, columns=columns, rows=rows) as program:
        program.say("/overlay-test")
        await program.pilot.wait_for("→ Name")
        yield program


def frame(program: Program) -> list[tuple[int, int, int]]:
    """Return row, first and last column of each row of the frame, told by its border's characters."""
    grid = program.pilot.terminal.grid
    rows = []
    for y, line in enumerate(grid.lines()):
        if any(edge in line for edge in "╭│╰"):
            edges = [x for x in range(grid.columns) if grid.cell(x, y).text in tuple("╭│╰╮╯")]
            rows.append((y, edges[0], edges[-1]))
    return rows


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_borders_are_straight_with_any_characters_inside(
    tmp_path: Path, columns: int, rows: int
) -> None:
    async with opened(tmp_path, columns, rows) as program:
        program.pilot.type("👨‍👩‍👧 日本語 한국어 🇩🇪 and a lot more than fits into one row of it")
        program.pilot.press("down")
        program.pilot.type("日本")
        (_, left, right), *others = frame(program)
        assert [(first, last) for _, first, last in others] == [(left, right)] * len(others)
        assert right - left + 1 == min(columns - 2, max(44, columns * 60 // 100))


async def test_the_caret_stands_behind_what_was_typed(tmp_path: Path) -> None:
    """In cells, also after a wide character; the hardware cursor is there for input methods."""
    async with opened(tmp_path) as program:
        grid = program.pilot.terminal.grid
        x, y = grid.cursor
        assert grid.cell(x, y).inverse
        program.pilot.type("a日")
        assert grid.cursor == (x + 3, y)
        assert grid.cell(x + 3, y).inverse
        program.pilot.press("backspace")
        assert grid.cursor == (x + 1, y)
        program.pilot.press("down")
        assert grid.cursor[1] == y + 1


async def test_enter_takes_what_was_typed(tmp_path: Path) -> None:
    async with opened(tmp_path) as program:
        program.app.composer.set_text("a draft")
        program.pilot.type("Ada")
        program.pilot.press("tab")
        program.pilot.paste("上海\nand more")
        program.pilot.press("enter")
        await program.pilot.wait_for("Name: Ada, 城市: 上海 and more, Mood 👍🏽:")
        assert "╭" not in program.pilot.screen()
        program.pilot.type("!")
        assert program.app.composer.get_text() == "a draft!"


async def test_escape_closes_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as program:
        program.pilot.type("Ada")
        program.pilot.press("escape")
        await program.pilot.wait_for("Closed")
        assert "╭" not in program.pilot.screen()


async def test_without_a_terminal_it_says_so() -> None:
    running = await run_files([EXAMPLE])
    running.session.mode = "print"
    await running.runner.run_command("overlay-test", "")
    assert running.person.notices == [("/overlay-test needs a terminal", "warning")]


def test_the_panel_as_a_picture() -> None:
    """As wide as it is at 20, 40 and 80 columns."""
    panel = new_panel()
    panel.handle_paste(
        PasteEvent("👨‍👩‍👧 日本語 한국어 🇩🇪 and a lot more than fits into one row of it")
    )
    panel.handle_key(KeyEvent("tab"))
    panel.handle_paste(PasteEvent("日本"))
    picture = snapshot_component(panel.render, (18, 38, 48))
    check_snapshot(SNAPSHOTS / "panel.txt", picture)


def is_as_wide_as_its_parts(text: str) -> bool:
    """Tell a selector behind a zero-width space, which wcwidth and terminals take differently."""
    return visible_width(text) == sum(map(visible_width, iter_graphemes(text)))


@settings(max_examples=100)
@given(plain_texts.filter(is_as_wide_as_its_parts), st.integers(1, 200))
def test_every_row_has_exactly_its_width(text: str, width: int) -> None:
    """Drawn on a terminal whose rows are that wide."""
    panel = new_panel()
    panel.handle_paste(PasteEvent(text))
    for row in panel.render(width):
        alone = GridTerminal(width, 2)
        alone.write(resolve_cursor(row, False))
        assert alone.cursor == (width - 1, 0)
        alone.write("x")
        assert alone.lines()[1] == "x"
