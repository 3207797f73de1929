"""Searching in the conversation."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pi_agent.ui.support import SIZES, SNAPSHOTS, Program, interactive, script

pytestmark = pytest.mark.anyio

ANSWER = "\n\n".join(
    f"{number}. A **needle** in paragraph {number}, 日本語の文章 too." for number in range(30)
)


def open_search(program: Program) -> None:
    program.pilot.terminal.send(b"\x1b\x06")
    program.pilot.tui.render_now()


async def look_for(program: Program, text: str, status: str) -> None:
    open_search(program)
    program.pilot.type(text)
    await program.pilot.wait_for(status)
    program.pilot.tui.render_now()


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_matches_in_an_answer(tmp_path: Path, columns: int, rows: int) -> None:
    environ = script(tmp_path, {"text": ANSWER})
    async with interactive(
        tmp_path, "--model", "demo/script", environ=environ, columns=columns, rows=rows
    ) as program:
        # What was never drawn has an estimated height, by which the bar goes.
        program.app.screen.view.set_scrollbar("hidden")
        program.say("go")
        await program.settled("29, 日本語" if columns > 20 else "too.")
        await look_for(program, "paragraph 7", "1/1")
        program.check_picture(SNAPSHOTS / "test_search" / "found")
        program.pilot.press("escape")
        assert "paragraph 7" not in program.pilot.screen()
        assert program.app.composer.focused
        assert program.app.screen.view.is_following_end


async def test_what_was_said_before_a_resumed_session_came_into_view(tmp_path: Path) -> None:
    environ = script(tmp_path, {"match": "early", "text": "first"}, {"text": ANSWER})
    words = ("--model", "demo/script")
    async with interactive(tmp_path, *words, environ=environ) as program:
        program.say("an early bird")
        await program.settled("first")
        program.say("go on")
        await program.settled("29, 日本語")
    async with interactive(tmp_path, "-c", ready="29, 日本語") as program:
        assert "early" not in program.pilot.screen()
        await look_for(program, "EARLY BIRD", "1/1")
        assert "an early bird" in program.pilot.screen()


async def test_output_that_a_key_expands_is_found_then(tmp_path: Path) -> None:
    call = {"name": "bash", "arguments": {"command": "seq 1 40"}}
    environ = script(tmp_path, {"text": "I list.", "toolCalls": [call]}, {"text": "Done."})
    async with interactive(tmp_path, "--model", "demo/script", environ=environ) as program:
        program.say("go")
        await program.settled("Done.")
        await look_for(program, "2 3 4", "No matches")
        program.pilot.press("ctrl+o")  # the panel leaves this key to the program
        await program.pilot.wait_for("0/1")
        program.pilot.press("enter")
        assert "1/1" in program.pilot.screen()


async def test_a_search_beside_an_open_dialog(tmp_path: Path) -> None:
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        program.say("a needle")
        await program.settled("a needle")
        program.say("/thinking")
        await program.pilot.wait_for("Escape")
        dialog = program.app.screen.input_area
        await look_for(program, "needle", "1/2")
        program.pilot.press("escape")
        assert program.app.screen.input_area is dialog
        assert program.app.tui.focused_component is dialog


async def test_the_key_is_in_the_help(tmp_path: Path) -> None:
    async with interactive(tmp_path, "--model", "demo/echo", rows=80) as program:
        program.say("/help")
        await program.pilot.wait_for("Search in the transcript")


async def test_the_terminals_own_scrollback_is_searched_by_the_terminal(tmp_path: Path) -> None:
    words = ("--model", "demo/echo", "--tui-mode", "regular")
    async with interactive(tmp_path, *words) as program:
        open_search(program)
        assert "Find" not in program.pilot.screen()
