"""The program for people who listen: text that is only added to, and a line that says when a turn is done."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from pi_agent.cli.args import parse_args
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.plain_screen import TuiPlainScreen
from pi_tui.regular import TuiMainScreen
from tests.pi_agent.ui.support import SIZES, SNAPSHOTS, Program, interactive, script
from tests.pty_session import PtySession

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).resolve().parents[3]
DRAWN = re.compile("[─-▟⠀-⣿]")
CALL = {"name": "bash", "arguments": {"command": "seq 1 20"}}
STEPS = (
    {"text": "I will look.", "toolCalls": [CALL]},
    {"text": "| a | b |\n|---|---|\n| 1 | 日本 |\n\n> A quote.\n\nThat is all."},
    {"text": "Again.", "repeat": True},
)


@asynccontextmanager
async def plain(
    folder: Path, columns: int = 60, rows: int = 14, rest_seconds: float = 0.5
) -> AsyncIterator[Program]:
    environ = script(folder, *STEPS)
    async with interactive(
        folder, "--model", "demo/script", "--plain", columns=columns, rows=rows, environ=environ
    ) as program:
        assert isinstance(program.app.tui, TuiPlainScreen)
        program.app.tui.rest_seconds = rest_seconds
        program.say("What is here?")
        await program.pilot.wait_for(lambda: "Done" in text_of(program))
        yield program


def rows_of(program: Program) -> list[str]:
    """Return what one can scroll through, without blank rows."""
    grid = program.pilot.terminal.grid
    return [row for row in (*grid.scrollback, *grid.lines()) if row.strip()]


def text_of(program: Program) -> str:
    return "\n".join(rows_of(program))


async def test_a_turn_is_told_in_order_and_once(tmp_path: Path) -> None:
    async with plain(tmp_path) as program:
        words = " ".join(text_of(program).split())
        for text in ("What is here?", "I will look.", "$ seq 1 20", "A quote.", "That is all."):
            assert words.count(text) == 1
            words = words[words.index(text) :]
        assert words.startswith("That is all. Done.")
        assert not DRAWN.search(text_of(program))


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_a_picture(tmp_path: Path, columns: int, rows: int) -> None:
    # No stage of a call on a slow machine is long enough to be written.
    async with plain(tmp_path, columns, rows, rest_seconds=2.0) as program:
        await program.pilot.wait_for("demo) script" if columns > 20 else "script")
        program.check_picture(SNAPSHOTS / "test_plain" / "done")


async def test_output_is_told_when_it_is_expanded(tmp_path: Path) -> None:
    async with plain(tmp_path) as program:
        before = rows_of(program)
        assert " 7" not in before
        program.pilot.press("ctrl+o")
        await program.pilot.wait_for(lambda: " 7" in rows_of(program))
        end = before.index(next(row for row in before if "Done" in row))
        assert rows_of(program)[: end + 1] == before[: end + 1]
        assert " 20" in rows_of(program)[end + 1 :]


async def test_menus_and_dialogs_stand_below_and_go_without_a_trace(tmp_path: Path) -> None:
    async with plain(tmp_path) as program:
        before = rows_of(program)
        program.pilot.type("/")
        await program.pilot.wait_for("Show commands and keys")
        program.pilot.press("backspace")
        await program.pilot.wait_for(lambda: rows_of(program) == before)
        program.pilot.press("ctrl+l")
        await program.pilot.wait_for("Enter use")
        assert not DRAWN.search(text_of(program))
        program.pilot.press("escape")
        await program.pilot.wait_for(lambda: "Enter use" not in text_of(program))
        assert rows_of(program) == before


async def test_what_goes_on_is_said_and_then_nothing_is_written(tmp_path: Path) -> None:
    environ = script(tmp_path, {"text": "late", "delayMs": 600_000})
    async with interactive(
        tmp_path, "--model", "demo/script", "--plain", environ=environ
    ) as program:
        program.say("go")
        await program.pilot.wait_for(
            lambda: "Working" in text_of(program) and " go" in text_of(program)
        )
        written = program.pilot.terminal.grid.bytes_written
        for _ in range(3):
            program.pilot.tui.render_now()
            await asyncio.sleep(0.05)
        assert program.pilot.terminal.grid.bytes_written == written
        program.pilot.press("escape")
        await program.pilot.wait_for(lambda: "Done" in text_of(program))


async def test_flag_setting_and_variable_choose_it(tmp_path: Path) -> None:
    (tmp_path / "agent").mkdir()
    words = ("--model", "demo/echo")
    async with interactive(tmp_path, *words, environ={"PI_PLAIN": "1"}) as program:
        assert isinstance(program.app.tui, TuiPlainScreen)
    settings = tmp_path / "agent" / "settings.json"
    settings.write_text(json.dumps({"plain": True}), encoding="utf-8")
    async with interactive(tmp_path, *words) as program:
        assert isinstance(program.app.tui, TuiPlainScreen)
    async with interactive(tmp_path, *words, "--tui-mode", "fullscreen") as program:
        assert isinstance(program.app.tui, TuiAltScreen)
    settings.write_text(json.dumps({"tuiMode": "regular"}), encoding="utf-8")
    async with interactive(tmp_path, *words) as program:
        assert isinstance(program.app.tui, TuiMainScreen)
        assert not program.app.tui.is_plain


def test_the_flag_and_another_screen_exclude_each_other() -> None:
    (error,) = parse_args(["--plain", "--tui-mode", "regular"]).errors
    assert "--plain" in error
    assert "--tui-mode" in error


def test_over_a_terminal_of_its_own(tmp_path: Path) -> None:
    environ = {
        **script(tmp_path, {"text": "A short answer."}),
        "PI_CODING_AGENT_DIR": str(tmp_path / "agent"),
        "PI_PLAIN": "1",
    }
    command = [sys.executable, "-m", "pi_agent", "--model", "demo/script"]
    with PtySession(command, columns=60, rows=16, cwd=ROOT, env=environ) as session:
        session.wait_for("(demo) script")
        session.send(b"hello\r")
        session.wait_for("A short answer.")
        session.wait_for("Done.")
        session.wait_until(lambda terminal: terminal.cursor_visible)  # not within a frame
        assert not session.terminal.alternate_screen
        assert not DRAWN.search("\n".join(session.lines()))
        session.send(b"\x04")
        assert session.wait_exit() == 0
        assert b"\x1b[2J" not in session.output
        assert b"\x1b[3J" not in session.output
        assert "A short answer." in "\n".join([*session.terminal.scrollback, *session.lines()])
