"""The order of widgets on the screen, and what the command does to it."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_agent.resources.themes import load_bundled_theme
from pi_tui.width import visible_width
from tests.pi_agent.ui.support import ROOT, SIZES, Program, interactive
from tests.pi_tui.strategies import plain_texts

pytestmark = pytest.mark.anyio

EXAMPLE = ROOT / "examples" / "extensions" / "widget_placement.py"
SNAPSHOTS = ROOT / "snapshots" / "examples" / "test_widget_placement"
WORDS = ("-e", str(EXAMPLE), "--model", "demo/echo")
RULE = runpy.run_path(str(EXAMPLE))["Rule"]
THEME = load_bundled_theme("dark", color_mode="truecolor")


def places(program: Program) -> list[str]:
    """Return what stands around the editor's rules, from top to bottom."""
    marks = {"Plan": "plan", "ctrl+c clears": "rule", "─" * 20: "editor"}
    found = [
        next((name for mark, name in marks.items() if mark in line), "")
        for line in program.pilot.lines()
    ]
    return [name for name in found if name]


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_they_stand_where_they_were_put(tmp_path: Path, columns: int, rows: int) -> None:
    async with interactive(tmp_path, *WORDS, columns=columns, rows=rows, ready="Plan") as program:
        program.check_picture(SNAPSHOTS / "on")


async def test_the_command_moves_and_hides_them(tmp_path: Path) -> None:
    async with interactive(tmp_path, *WORDS, ready="Plan") as program:
        assert places(program) == ["plan", "editor", "editor", "rule"]
        program.say("/widgets swap")
        await program.pilot.wait_for(
            lambda: places(program) == ["rule", "editor", "editor", "plan"]
        )
        program.say("/widgets off")
        await program.pilot.wait_for(lambda: places(program) == ["editor", "editor"])
        program.say("/widgets on")
        await program.pilot.wait_for(
            lambda: places(program) == ["plan", "editor", "editor", "rule"]
        )


@given(plain_texts, st.integers(1, 200))
def test_the_rule_is_exactly_as_wide_as_there_is_room(word: str, width: int) -> None:
    rule = RULE(THEME, word)
    (row,) = rule.render(width)
    assert visible_width(row) <= width
