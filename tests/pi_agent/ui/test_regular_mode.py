"""The program below the shell's prompt: what one can scroll through is the conversation, once."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from pi_agent.cli.args import parse_args
from pi_agent.ui.app import InteractiveApp
from pi_tui.ansi import strip_terminal_sequences
from pi_tui.regular import TuiMainScreen
from pi_tui.testing import HeadlessTerminal, Pilot
from tests.pi_agent.ui.support import SIZES, SNAPSHOTS, Program, interactive, options_for, script
from tests.pty_session import PtySession

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).resolve().parents[3]
REGULAR = ("--model", "demo/script", "--tui-mode", "regular")
LIST = "\n".join(f"{number}. item {number}" for number in range(1, 30))
STEPS: tuple[dict[str, object], ...] = (
    {
        "thinking": "Look first.",
        "text": "I will look at **two** things.",
        "toolCalls": [
            {"name": "bash", "arguments": {"command": "seq 1 20"}},
            {"name": "bash", "arguments": {"command": "echo 日本"}},
        ],
    },
    {"text": f"| a | b |\n|---|---|\n| 1 | 日本 |\n\n{LIST}\n\nThat is all."},
    {"text": "Again.", "repeat": True},
)


@asynccontextmanager
async def regular(
    folder: Path, *words: str, columns: int = 60, rows: int = 14, settle: bool = True
) -> AsyncIterator[Program]:
    """Run the program with the script, until the first answer is complete."""
    environ = script(folder, *STEPS)
    async with interactive(
        folder, *REGULAR, *words, columns=columns, rows=rows, environ=environ
    ) as program:
        if settle:
            program.say("What is here?")
            await program.settled("That is all.")
        yield program


def all_rows(program: Program) -> list[str]:
    """Return what one can scroll through, without the blank rows at its end."""
    grid = program.pilot.terminal.grid
    rows = [_timeless(row) for row in (*grid.scrollback, *grid.lines())]
    while rows and not rows[-1]:
        rows.pop()
    return rows


def document_rows(program: Program) -> list[str]:
    """Return the document of a program as text."""
    view = program.app.screen.view
    rows, _ = view.tail(program.pilot.terminal.columns, 2000)
    return [_timeless(strip_terminal_sequences(row).rstrip()) for row in rows]


def screen_of(program: Program) -> TuiMainScreen:
    assert isinstance(program.app.tui, TuiMainScreen)
    return program.app.tui


def _timeless(row: str) -> str:
    return re.sub(r"(Took|Elapsed) \d+\.\ds", r"\1 0.0s", row)


async def test_the_scrollback_is_the_document_of_the_full_screen(tmp_path: Path) -> None:
    environ = script(tmp_path, *STEPS)
    async with interactive(
        tmp_path, "--model", "demo/script", columns=60, rows=14, environ=environ
    ) as program:
        program.say("What is here?")
        await program.settled("That is all.")
        wanted = document_rows(program)
    async with regular(tmp_path) as program:
        assert all_rows(program)[: len(wanted)] == wanted
        below = all_rows(program)[len(wanted) :]
        assert len(below) <= 7
        assert sum(row.startswith("───") for row in below) == 2
        assert not program.pilot.terminal.grid.alternate_screen


async def test_rows_that_have_scrolled_off_are_written_anew_when_they_are_expanded(
    tmp_path: Path,
) -> None:
    async with regular(tmp_path) as program:
        assert " 3" not in all_rows(program)
        program.pilot.press("ctrl+o")
        assert all_rows(program).count(" 3") == 1
        assert all_rows(program)[: len(document_rows(program))] == document_rows(program)
        program.pilot.press("ctrl+o")
        assert " 3" not in all_rows(program)
        assert all_rows(program)[: len(document_rows(program))] == document_rows(program)


async def test_a_key_writes_few_bytes(tmp_path: Path) -> None:
    async with regular(tmp_path, columns=100, rows=30) as program:
        grid, redraws = program.pilot.terminal.grid, screen_of(program).full_redraws
        for key in "some text":
            before = grid.bytes_written
            program.pilot.press("space" if key == " " else key)
            assert grid.bytes_written - before < 400
        assert screen_of(program).full_redraws == redraws


async def test_menus_and_dialogs_come_and_go_without_a_trace(tmp_path: Path) -> None:
    async with regular(tmp_path) as program:
        before, redraws = all_rows(program), screen_of(program).full_redraws
        program.pilot.type("/")
        await program.pilot.wait_for("→ help")
        program.pilot.press("backspace")
        await program.pilot.wait_for(lambda: all_rows(program) == before)
        program.say("/model")
        await program.pilot.wait_for("Enter use")
        program.pilot.press("escape")
        assert all_rows(program) == before
        assert screen_of(program).full_redraws == redraws


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_a_picture(tmp_path: Path, columns: int, rows: int) -> None:
    async with regular(tmp_path, columns=columns, rows=rows) as program:
        program.pilot.type("a draft")
        program.check_picture(SNAPSHOTS / "test_regular_mode" / "conversation")


async def test_another_size_shows_the_document_of_that_size(tmp_path: Path) -> None:
    async with regular(tmp_path) as program:
        for columns, rows in ((30, 14), (20, 10), (80, 8), (60, 24)):
            program.pilot.resize(columns, rows)
            wanted = document_rows(program)
            assert all_rows(program)[: len(wanted)] == wanted


async def test_keys_of_the_full_screen_do_nothing_odd(tmp_path: Path) -> None:
    async with regular(tmp_path) as program:
        before = all_rows(program)
        program.pilot.press("pageUp", "pageDown", "ctrl+home", "ctrl+end")
        assert all_rows(program) == before
        program.pilot.press("alt+m")
        await program.told("The mouse is the terminal's in regular mode.")
        program.say("/help")
        await program.told("Start a new line")
        assert "Alt+M" not in program.flat()
        assert "Page Up" not in program.flat()


async def test_a_new_session_begins_with_an_empty_scrollback(tmp_path: Path) -> None:
    async with regular(tmp_path) as program:
        program.say("/new")
        await program.pilot.wait_for(lambda: "What is here?" not in "".join(all_rows(program)))
        program.say("more")
        await program.settled("Again.")
        wanted = document_rows(program)
        assert all_rows(program)[: len(wanted)] == wanted


async def test_going_on_with_a_session_shows_it_once(tmp_path: Path) -> None:
    async with regular(tmp_path) as program:
        pass
    async with regular(tmp_path, "-c", settle=False) as program:
        await program.pilot.wait_for("That is all.")
        wanted = document_rows(program)
        assert all_rows(program)[: len(wanted)] == wanted
        assert sum("What is here?" in row for row in wanted) == 1


async def test_a_light_terminal_keeps_what_the_shell_has_printed(tmp_path: Path) -> None:
    options = options_for(tmp_path, ["--model", "demo/echo", "--tui-mode", "regular"])
    answers = {"osc10": "rgb:0000/0000/0000", "osc11": "rgb:ffff/ffff/ffff", "da1": "?62;22"}
    terminal = HeadlessTerminal(60, 14, answers=answers)
    terminal.grid.write("before\r\n")
    app = InteractiveApp(options, terminal)
    task = asyncio.create_task(app.run())
    await asyncio.sleep(0)
    pilot = Pilot(app.tui, terminal)
    await pilot.wait_for(lambda: app.theme.name == "light" and app.is_ready)
    app.tui.render_now()
    assert pilot.lines()[0] == "before"
    app.quit()
    assert await task == 0


def test_over_a_terminal_everything_stays_and_the_prompt_is_below(tmp_path: Path) -> None:
    environ = {
        **script(tmp_path, *STEPS),
        "PI_CODING_AGENT_DIR": str(tmp_path / "agent"),
        "HOME": str(tmp_path),
        "PS1": "sh> ",
        "PYTHONPATH": str(ROOT),
        "PI": f"{sys.executable} -m pi_agent",
    }
    with PtySession(
        ["/bin/bash", "--norc", "--noprofile", "-i"],
        columns=70,
        rows=14,
        cwd=tmp_path,
        env=environ,
        answers={"kitty", "da1"},
    ) as session:
        session.wait_for("sh>")
        before = session.termios_now()
        session.send(b"echo before; $PI --model demo/script --tui-mode regular\n")
        session.wait_for("(demo) script")
        session.send(b"What is here?\r")
        session.wait_for("That is all.")
        session.wait_until(lambda terminal: not any("Working" in row for row in terminal.lines()))
        session.send(b"draft\x03\x04")
        session.wait_until(lambda terminal: [row for row in terminal.lines() if row][-1] == "sh>")
        assert session.termios_now() == before
        with session.lock:
            grid = session.terminal
            rows = [*grid.scrollback, *grid.lines()]
            assert grid.modes - {2004} == {7, 25}  # bash asks for pastes itself
            assert not grid.kitty_flags
        text = "\n".join(rows)
        assert text.index("before") < text.index("What is here?") < text.index(" 29. item 29")
        assert len(re.findall(r"^ \d+\. item \d+$", text, re.M)) == 29
        assert text.index("That is all.") < text.index("Go on with: pi --session")


@pytest.mark.parametrize("value", ["wide", ""])
def test_an_unknown_screen_mode_is_named(value: str) -> None:
    (error,) = parse_args([f"--tui-mode={value}"]).errors
    assert error == f"Unknown screen mode: {value} (available: fullscreen, regular)"


async def test_the_setting_chooses_the_screen_and_the_flag_overrules_it(tmp_path: Path) -> None:
    (tmp_path / "agent").mkdir()
    (tmp_path / "agent" / "settings.json").write_text(
        '{"tuiMode": "regular", "terminal": {"clearOnShrink": true}}'
    )
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        assert screen_of(program).get_clear_on_shrink()
    async with interactive(tmp_path, "--model", "demo/echo", "--tui-mode", "fullscreen") as program:
        assert program.app.tui.mode == "fullscreen"
