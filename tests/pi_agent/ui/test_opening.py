"""A long session that is read for the first time."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from benchmarks.content import LAST_LINE, write_session
from pi_agent.extensions.events import SessionBeforeSwitchEvent
from pi_agent.host.replacements import Replacement
from pi_agent.session.last_part import last_entries, takes_long
from pi_agent.session.store import SessionManager
from pi_agent.ui.live import LiveConversation
from pi_agent.ui.opening import Opening
from tests.pi_agent.ui.support import SIZES, interactive

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def long_session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("long")
    path = folder / "s.jsonl"
    write_session(path, cwd=folder, entries=6000)
    return path


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_its_end_is_on_the_screen_until_all_of_it_is_there(
    long_session: Path, tmp_path: Path, columns: int, rows: int
) -> None:
    words = ("--model", "demo/echo")
    async with interactive(tmp_path, *words, columns=columns, rows=rows) as program:
        live, tui = program.app._live, program.pilot.tui
        assert isinstance(live, LiveConversation)
        opening = Opening(program.app.screen, live._view.view_of_all)
        await asyncio.to_thread(opening.begin, long_session)
        tui.render_now()
        assert "the session ends." in program.flat()
        assert "Reading the session…"[: columns - 5] in program.flat()
        assert program.pilot.screen().splitlines()[-1].startswith("…")
        opening.end()
        tui.render_now()
        assert "the session ends." not in program.flat()
        assert "Reading" not in program.flat()


async def test_nothing_of_it_is_left_when_the_session_is_there(
    long_session: Path, tmp_path: Path
) -> None:
    words = ("--session", str(long_session), "--model", "demo/echo")
    for _ in range(2):  # without an index, and with one
        async with interactive(tmp_path, *words, ready=LAST_LINE) as program:
            await program.told("(demo) echo")
            assert program.flat().count(LAST_LINE) == 1
            assert "Reading" not in program.flat()
            assert "↑" in program.flat()


def test_only_what_takes_long_is_shown_beforehand(tmp_path: Path) -> None:
    short, long = tmp_path / "short.jsonl", tmp_path / "long.jsonl"
    write_session(short, cwd=tmp_path, entries=400)
    write_session(long, cwd=tmp_path, entries=6000)
    assert [takes_long(short), takes_long(long)] == [False, True]
    SessionManager.open(long).close()
    assert not takes_long(long)


def test_the_last_entries_are_those_of_the_branch_that_the_file_ends_with(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    write_session(path, cwd=tmp_path, entries=1000)
    with path.open("ab") as file:
        file.write(b'{"type":"message","id":"torn')
    shown = last_entries(path)
    whole = SessionManager.open(path).get_branch()
    assert 10 < len(shown) < 100
    assert [entry.raw for entry in shown] == [entry.raw for entry in whole[-len(shown) :]]


async def test_what_takes_the_place_of_another_session_says_that_it_is_being_opened(
    tmp_path: Path,
) -> None:
    opened = asyncio.Event()

    async def make() -> SessionManager:
        await opened.wait()
        return SessionManager.in_memory(tmp_path)

    async with interactive(tmp_path, "--model", "demo/echo") as program:
        live = program.app._live
        assert isinstance(live, LiveConversation)
        live.sessions.start(Replacement("new", SessionBeforeSwitchEvent("new"), make), "There.")
        await program.told("Opening the session…")
        opened.set()
        await program.told("There.")
        assert "Opening" not in program.flat()
