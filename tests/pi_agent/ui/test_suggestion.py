"""A text that an extension suggests in the empty editor: how it is sent, replaced and taken away."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_agent.resources.themes import load_bundled_theme
from pi_agent.ui.custom_editor import CustomEditor
from pi_tui.app import TUI
from pi_tui.testing import HeadlessTerminal
from pi_tui.theme import get_editor_theme
from pi_tui.width import visible_width
from tests.pi_agent.ui.support import SIZES, SNAPSHOTS, Program, interactive
from tests.pi_tui.strategies import plain_texts

pytestmark = pytest.mark.anyio

SUGGESTS = """
def setup(pi):
    @pi.command("suggest")
    def suggest(args, ctx):
        ctx.ui.set_editor_suggestion(args or None)
"""


def extension(folder: Path, name: str = "suggests") -> tuple[str, ...]:
    file = folder / f"{name}.py"
    file.write_text(SUGGESTS.replace('"suggest"', f'"{name}"'))
    return ("-e", str(file))


def asked(program: Program, text: str) -> bool:
    """Whether the demo has echoed a text."""
    return program.pilot.screen().count(text) >= 2


async def suggests(program: Program, text: str, shown: str = "") -> None:
    """Have a text suggested, and wait for it; while the command is typed it stands there too."""
    program.say(f"/suggests {text}")
    await program.pilot.wait_for(
        lambda: (shown or text) in program.pilot.screen() and not program.app.composer.get_text()
    )


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_it_stands_in_the_empty_editor(tmp_path: Path, columns: int, rows: int) -> None:
    words = (*extension(tmp_path), "--model", "demo/echo")
    async with interactive(tmp_path, *words, columns=columns, rows=rows) as program:
        await suggests(program, "What is in this folder?", "What is in this f")
        program.check_picture(SNAPSHOTS / "test_suggestion" / "suggested")


async def test_enter_sends_it_once(tmp_path: Path) -> None:
    async with interactive(tmp_path, *extension(tmp_path), "--model", "demo/echo") as program:
        await suggests(program, "tell me")
        program.pilot.press("enter")
        await program.pilot.wait_for(lambda: asked(program, "tell me"))
        await program.settled("(demo) echo")
        before = program.pilot.screen()
        program.pilot.press("enter")
        program.pilot.tui.render_now()
        assert program.pilot.screen() == before
        program.pilot.press("up")  # it is one of the prompts now
        assert program.app.composer.get_text() == "tell me"


async def test_typing_takes_its_place_and_an_empty_editor_has_it_again(tmp_path: Path) -> None:
    async with interactive(tmp_path, *extension(tmp_path), "--model", "demo/echo") as program:
        await suggests(program, "tell me")
        program.pilot.type("m")
        assert "tell me" not in program.pilot.screen()
        program.pilot.press("backspace")
        await program.pilot.wait_for("tell me")
        program.say("mine")
        await program.pilot.wait_for(lambda: asked(program, "mine"))
        await program.settled("tell me")  # nobody has taken it away


async def test_it_can_be_taken_away_and_goes_with_its_generation(tmp_path: Path) -> None:
    async with interactive(tmp_path, *extension(tmp_path), "--model", "demo/echo") as program:
        for taken_away_by in ("/suggests", "/reload"):
            await suggests(program, "tell me")
            program.say(taken_away_by)
            await program.pilot.wait_for(lambda: "tell me" not in program.pilot.screen())


async def test_the_newest_one_is_shown_and_nobody_takes_away_anothers(tmp_path: Path) -> None:
    words = ["--model", "demo/echo"]
    for name, then in (("one", ""), ("two", "None")):
        file = tmp_path / f"{name}.py"
        file.write_text(
            "def setup(pi):\n"
            "    @pi.on('session_start')\n"
            "    def start(event, ctx):\n"
            f"        ctx.ui.set_editor_suggestion('from {name}')\n"
            f"        {then and 'ctx.ui.set_editor_suggestion(None)'}\n"
        )
        words += ["-e", str(file)]
    async with interactive(tmp_path, *words) as program:
        await program.pilot.wait_for("from one")


async def test_what_a_terminal_would_act_on_is_not_in_it(tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text(
        "def setup(pi):\n"
        "    @pi.on('session_start')\n"
        "    def start(event, ctx):\n"
        "        ctx.ui.set_editor_suggestion('a\\x1b[31mb\\nc\\x07')\n"
    )
    async with interactive(tmp_path, "-e", str(file), "--model", "demo/echo") as program:
        await program.pilot.wait_for("ab")
        assert program.app.composer.suggestion.isprintable()


@given(plain_texts, st.integers(1, 120), st.booleans())
def test_its_row_fits(text: str, width: int, focused: bool) -> None:
    tui = TUI(HeadlessTerminal(80, 24))
    theme = load_bundled_theme("dark", color_mode="truecolor")
    composer = CustomEditor(tui, get_editor_theme(theme))
    composer.suggestion = text
    composer.focused = focused
    rows = composer.render(width)
    assert all(visible_width(row) <= width for row in rows)
    assert composer.render(width) is rows
