"""The footer with the branch and the tokens."""

from __future__ import annotations

import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_agent.resources.themes import load_bundled_theme
from pi_tui.width import visible_width
from tests.pi_agent.ui.support import ROOT, SIZES, interactive
from tests.pi_tui.strategies import plain_texts

pytestmark = pytest.mark.anyio

EXAMPLE = ROOT / "examples" / "extensions" / "custom_footer.py"
SNAPSHOTS = ROOT / "snapshots" / "examples" / "test_custom_footer"
WORDS = ("-e", str(EXAMPLE), "--model", "demo/echo")
NAMES = runpy.run_path(str(EXAMPLE))
THEME = load_bundled_theme("dark", color_mode="truecolor")


def repository(folder: Path, branch: str) -> None:
    """Let the working folder be one."""
    git = folder / "work" / ".git"
    git.mkdir(parents=True, exist_ok=True)
    (git / "HEAD").write_text(f"ref: refs/heads/{branch}\n")


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_it_tells_branch_tokens_and_model(tmp_path: Path, columns: int, rows: int) -> None:
    repository(tmp_path, "main")
    async with interactive(tmp_path, *WORDS, columns=columns, rows=rows) as program:
        program.say("hello")
        await program.settled("↓2")
        last = program.pilot.lines()[-1]
        assert last.startswith("main ")
        assert last.endswith("↑0 ↓2 · echo")
        program.check_picture(SNAPSHOTS / "on")


async def test_another_branch_is_drawn_and_the_command_brings_the_old_footer_back(
    tmp_path: Path,
) -> None:
    repository(tmp_path, "main")
    async with interactive(tmp_path, *WORDS) as program:
        repository(tmp_path, "topic")
        program.say("hello")
        await program.pilot.wait_for(lambda: program.pilot.lines()[-1].startswith("topic "))
        program.say("/footer")
        await program.pilot.wait_for("~/work (topic)")
        program.say("/footer")
        await program.pilot.wait_for(lambda: program.pilot.lines()[-1].startswith("topic "))


@given(plain_texts, st.integers(1, 200))
def test_no_row_is_wider_than_the_screen(text: str, width: int) -> None:
    data = SimpleNamespace(
        get_git_branch=lambda: text,
        get_extension_statuses=lambda: {"a": text},
        on_branch_change=lambda callback: lambda: None,
    )
    tui, ctx = SimpleNamespace(request_render=None), SimpleNamespace(model=None)
    footer = NAMES["TokenFooter"](tui, THEME, data, NAMES["Tokens"](), ctx)
    for row in footer.render(width):
        assert visible_width(row) <= width
