"""The question before a session is left."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_agent.extensions.events import SessionBeforeForkEvent, SessionBeforeSwitchEvent
from pi_agent.extensions.rules import SESSION_BEFORE_FORK, SESSION_BEFORE_SWITCH
from tests.pi_agent.extensions.support import run_files
from tests.pi_agent.ui.support import ROOT, Program, interactive

pytestmark = pytest.mark.anyio

EXAMPLE = ROOT / "examples" / "extensions" / "confirm_destructive.py"
ENDS = """
def setup(pi):
    pi.on("session_shutdown", lambda event, ctx: ctx.ui.notify("told of the end"))
"""


def words(folder: Path) -> tuple[str, ...]:
    (folder / "ends.py").write_text(ENDS)
    return ("-e", str(EXAMPLE), "-e", str(folder / "ends.py"), "--model", "demo/echo")


async def answered(program: Program, *keys: str) -> None:
    """Answer the question, once it takes keys."""
    await program.pilot.wait_for("Begin a new session?")
    program.pilot.press(*keys)
    await program.pilot.wait_for(lambda: not program.app.screen.has_dialog)


async def test_with_no_the_session_stays_and_nobody_is_told_of_an_end(tmp_path: Path) -> None:
    async with interactive(tmp_path, *words(tmp_path)) as program:
        program.say("hello")
        await program.settled("hello")
        program.say("/new")
        await answered(program, "down", "enter")
        await program.pilot.wait_for("Cancelled: the session stays as it is.")
        assert "told of the end" not in program.pilot.screen()
        program.say("still there")
        await program.settled("still there")


async def test_with_yes_another_session_begins(tmp_path: Path) -> None:
    async with interactive(tmp_path, *words(tmp_path)) as program:
        program.say("hello")
        await program.settled("hello")
        program.say("/new")
        await answered(program, "down", "down", "enter")
        await program.pilot.wait_for("New session.")
        assert "hello" not in program.pilot.screen()


@pytest.mark.parametrize(("has_ui", "answer", "cancels"), [(True, True, []), (False, True, [True])])
async def test_where_nobody_can_be_asked_the_session_stays(
    has_ui: bool, answer: bool, cancels: list[bool]
) -> None:
    running = await run_files([EXAMPLE], answer)
    running.session.has_ui = has_ui
    event = SessionBeforeSwitchEvent("resume", "/sessions/a.jsonl")
    done = await running.runner.emit(event, SESSION_BEFORE_SWITCH)
    assert [result.cancel for result in done.results] == cancels
    asked = [("Leave this session for another one?", "/sessions/a.jsonl")]
    assert running.person.asked == (asked if has_ui else [])
    assert running.errors == []


@pytest.mark.parametrize(("answer", "cancels"), [(True, []), (False, [True])])
async def test_a_fork_is_asked_about_too(answer: bool, cancels: list[bool]) -> None:
    running = await run_files([EXAMPLE], answer)
    done = await running.runner.emit(SessionBeforeForkEvent("1a2b", "at"), SESSION_BEFORE_FORK)
    assert [result.cancel for result in done.results] == cancels
    assert running.person.asked == [("Go on in a copy?", "This session stays as it is.")]
