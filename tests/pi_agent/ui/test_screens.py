"""The screen as a picture, at the sizes that matter."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_agent.ui.screen import plan_rows
from pi_tui.fullscreen import is_viewport_tui
from tests.pi_agent.ui.support import SIZES, SNAPSHOTS, Program, interactive, script

pytestmark = pytest.mark.anyio

STEPS = (
    {
        "thinking": "Which files are there?",
        "text": "I look at the folder first.",
        "toolCalls": [
            {"name": "bash", "arguments": {"command": "seq 1 8"}},
            {"name": "read", "arguments": {"path": "missing.md"}},
        ],
    },
    {"text": "Nothing but numbers: 日本語のテキスト, and a paragraph that has to be wrapped."},
)

ASK = """
def setup(pi):
    @pi.command("ask")
    async def ask(args, ctx):
        answer = await ctx.ui.confirm("Delete it all?", "rm -rf build, then make")
        ctx.ui.notify(f"answer {answer}")
"""


def check(program: Program, story: str) -> None:
    program.check_picture(SNAPSHOTS / "test_screens" / story)


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_a_conversation(tmp_path: Path, columns: int, rows: int) -> None:
    environ = script(tmp_path, *STEPS)
    async with interactive(
        tmp_path, "--model", "demo/script", columns=columns, rows=rows, environ=environ
    ) as program:
        program.say("What is here?")
        await program.settled("wrapped.")
        program.pilot.type("a draft")
        check(program, "conversation")


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_the_menu(tmp_path: Path, columns: int, rows: int) -> None:
    async with interactive(tmp_path, "--model", "demo/echo", columns=columns, rows=rows) as program:
        program.pilot.type("/")
        await program.pilot.wait_for("→ help")
        check(program, "menu")


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_a_question(tmp_path: Path, columns: int, rows: int) -> None:
    (tmp_path / "ask.py").write_text(ASK)
    async with interactive(
        tmp_path,
        "--model",
        "demo/echo",
        "-e",
        str(tmp_path / "ask.py"),
        columns=columns,
        rows=rows,
    ) as program:
        program.say("/ask")
        await program.pilot.wait_for("→ Yes")
        check(program, "question")
        program.pilot.press("down", "enter")
        await program.pilot.wait_for("answer False")


MODELS = """{"providers": {"acme": {"baseUrl": "http://127.0.0.1:1", "apiKey": "k", "models": [
    {"id": "fast-1", "name": "Fast One", "reasoning": true},
    {"id": "big-2-日本語", "name": "Big Two with a name that is long"}]}}}"""


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_the_selectors(tmp_path: Path, columns: int, rows: int) -> None:
    (tmp_path / "agent").mkdir()
    (tmp_path / "agent" / "models.json").write_text(MODELS)
    async with interactive(
        tmp_path, "--model", "acme/fast-1", columns=columns, rows=rows
    ) as program:
        program.pilot.press("ctrl+l")
        await program.pilot.wait_for("→ ✓ fast-1")
        check(program, "models")
        program.pilot.press("escape")
        program.say("/thinking")
        await program.pilot.wait_for("→ ✓ medium")
        check(program, "thinking")
        program.pilot.press("escape")
        program.say("/settings")
        await program.pilot.wait_for("→ Theme")
        check(program, "settings")


@pytest.mark.parametrize("rows", range(1, 40))
@pytest.mark.parametrize("waiting", [0, 3])
def test_rows_are_shared_so_that_text_and_answer_stay(rows: int, waiting: int) -> None:
    plan = plan_rows(rows, waiting if rows > 12 else 0)
    borders = 2 if plan.borders else 0
    used = plan.footer_lines + plan.status_row + borders + plan.editor_rows
    if rows >= 2:
        assert used + (waiting if rows > 12 else 0) + 1 <= rows
    assert plan.editor_rows + borders <= max(1, rows // 2)
    if not plan.borders:
        assert not plan.status_row
    if plan.footer_lines < 2:
        assert rows < 8 + (waiting if rows > 12 else 0)


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (2, 3), (3, 5), (7, 2), (300, 4)])
async def test_any_size_draws(tmp_path: Path, columns: int, rows: int) -> None:
    environ = script(tmp_path, *STEPS)
    async with interactive(tmp_path, "--model", "demo/script", environ=environ) as program:
        program.say("What is here?")
        await program.settled("wrapped.")
        program.pilot.type("日本語 draft")
        program.pilot.resize(columns, rows)
        assert len(program.pilot.lines()) == rows
        program.pilot.resize(80, 24)
        await program.pilot.wait_for("wrapped.")


@pytest.mark.parametrize("rows", range(1, 9))
async def test_what_enter_would_answer_is_on_screen_at_any_height(
    tmp_path: Path, rows: int
) -> None:
    (tmp_path / "ask.py").write_text(ASK)
    async with interactive(
        tmp_path, "--model", "demo/echo", "-e", str(tmp_path / "ask.py")
    ) as program:
        program.say("/ask")
        await program.pilot.wait_for("→ Yes")
        program.pilot.resize(40, rows)
        assert rows < 3 or "Delete it all?" in program.pilot.screen()
        if "rm -rf build" not in program.pilot.screen():
            assert "→" not in program.pilot.screen()
            program.pilot.press("down")
        assert "→ Yes" in program.pilot.screen()
        program.pilot.press("down")
        assert "→ No" in program.pilot.screen()
        program.pilot.resize(80, 24)
        program.pilot.press("enter")
        await program.pilot.wait_for("answer False")


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_a_selection(tmp_path: Path, columns: int, rows: int) -> None:
    environ = script(tmp_path, *STEPS)
    async with interactive(
        tmp_path, "--model", "demo/script", columns=columns, rows=rows, environ=environ
    ) as program:
        program.say("What is here?")
        await program.settled("wrapped.")
        assert is_viewport_tui(program.app.tui)
        program.app.tui.set_wheel_scroll_lines(1)  # not by how fast the wheel turns
        program.pilot.scroll(-2)
        program.pilot.drag((5, 1), (2, 3))
        await program.pilot.wait_for("Copied!")
        check(program, "selection")
