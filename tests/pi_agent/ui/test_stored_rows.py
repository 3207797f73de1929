"""What is read of a session that is gone on with: what is on the screen, however long it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.content import LAST_LINE, write_session
from pi_agent.session.store import SessionManager
from pi_agent.ui.live import LiveConversation
from tests.pi_agent.ui.support import Program, interactive

pytestmark = pytest.mark.anyio


def session_of(program: Program) -> SessionManager:
    live = program.app._live
    assert isinstance(live, LiveConversation)
    assert live.services is not None
    return live.services.conversation.session


async def lines_read(folder: Path, entries: int) -> tuple[int, int]:
    """Return how many lines are read for the first screen, and how many more for a page up."""
    path = folder / "s.jsonl"
    write_session(path, cwd=folder, entries=entries)
    SessionManager.open(path).close()
    words = ("--session", str(path), "--model", "demo/echo")
    async with interactive(folder, *words, ready=LAST_LINE) as program:
        at_first = session_of(program).lines_read
        program.pilot.press("pageUp")
        program.pilot.tui.render_now()
        assert LAST_LINE not in program.pilot.screen()
        return at_first, session_of(program).lines_read - at_first


async def test_the_first_screen_costs_the_same_whatever_came_before(tmp_path: Path) -> None:
    short, long = tmp_path / "short", tmp_path / "long"
    assert await lines_read(short, 600) == await lines_read(long, 3000)
    assert (await lines_read(tmp_path / "again", 3000))[1] < 20
