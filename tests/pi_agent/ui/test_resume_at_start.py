"""`pi --resume`: the list of sessions before there is a conversation."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pi_agent.base.paths import AgentPaths
from tests.pi_agent.session.saved import save_session
from tests.pi_agent.ui.support import SIZES, SNAPSHOTS, interactive
from tests.pi_agent.ui.test_session_commands import saved

pytestmark = pytest.mark.anyio

RESUME = ("--resume", "--model", "demo/echo")


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_a_session_is_chosen_and_gone_on_with(
    tmp_path: Path, columns: int, rows: int
) -> None:
    saved(tmp_path, "a", "what is a parser", age=7200)
    saved(tmp_path, "b", "write a poem", age=3600)
    asks = "write a poem"
    async with interactive(tmp_path, *RESUME, asks=asks, columns=columns, rows=rows) as program:
        await program.pilot.wait_for(lambda: "(reading" not in program.pilot.screen())
        program.check_picture(SNAPSHOTS / "test_resume_at_start" / "list")
        program.pilot.press("down", "enter")
        await program.settled("re: what is a")
        program.say("go on")
        await program.pilot.wait_for(lambda: program.pilot.screen().count("go on") >= 2)
    assert len(list((tmp_path / "agent").glob("sessions/*/*.jsonl"))) == 2


async def test_messages_of_the_command_line_wait_for_the_choice(tmp_path: Path) -> None:
    saved(tmp_path, "a", "what is a parser")
    said = ["and a lexer"]
    async with interactive(tmp_path, *RESUME, messages=said, asks="what is a parser") as program:
        await asyncio.sleep(0)
        assert "and a lexer" not in program.pilot.screen()
        program.pilot.press("enter")
        await program.settled("re: what is a parser")
        await program.pilot.wait_for(lambda: program.pilot.screen().count("and a lexer") == 2)


@pytest.mark.parametrize("keys", [["escape"], ["ctrl+c"]])
async def test_whoever_chooses_nothing_leaves(tmp_path: Path, keys: list[str]) -> None:
    path = saved(tmp_path, "a", "what is a parser")
    before = path.read_bytes()
    async with interactive(tmp_path, *RESUME, asks="what is a parser") as program:
        program.pilot.press(*keys)
        assert await program.ended() == 0
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


async def test_one_of_another_folder_is_asked_about_and_forked(tmp_path: Path) -> None:
    other = tmp_path / "elsewhere"
    other.mkdir()
    where = AgentPaths(agent_dir=tmp_path / "agent", cache_dir=tmp_path).sessions_of(other).path
    save_session(where, "far", ["what is a parser"], cwd=str(other))
    async with interactive(tmp_path, *RESUME, asks="There are no other sessions") as program:
        program.pilot.press("tab")
        await program.pilot.wait_for("→ what is a parser")
        program.pilot.press("enter")
        await program.pilot.wait_for("This session belongs to another directory")
        program.pilot.press("escape")  # back to the list
        await program.pilot.wait_for("There are no other sessions")
        program.pilot.press("tab")
        await program.pilot.wait_for("→ what is a parser")
        program.pilot.press("enter")
        await program.pilot.wait_for("This session belongs to another directory")
        program.pilot.press("down", "up", "enter")
        await program.settled("re: what is a parser")
    assert len(list((tmp_path / "agent").glob("sessions/*/*.jsonl"))) == 2
