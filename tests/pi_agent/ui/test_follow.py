"""`pi --follow`: a session that somebody else writes, on the screen."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from pi_agent.llm.messages import (
    AssistantMessage,
    TextContent,
    ToolCall,
    ToolResultMessage,
    UserMessage,
)
from pi_agent.session.in_use import sidecar_of
from pi_agent.session.store import SessionManager
from pi_agent.session.stored import StoredSession
from pi_agent.ui.follow import FollowedConversation
from pi_agent.ui.follow import _is_at_work as is_at_work
from pi_agent.ui.follow import _settled_count as settled_count
from tests.pi_agent.ui.support import SIZES, SNAPSHOTS, Program, interactive
from tests.pi_screen import ScreenPi, shows

pytestmark = pytest.mark.anyio


def answer(*texts: str, calls: tuple[ToolCall, ...] = ()) -> AssistantMessage:
    said = [TextContent(text=text) for text in texts]
    return AssistantMessage(
        content=[*said, *calls], stop_reason="toolUse" if calls else "stop", model="m"
    )


def result(text: str) -> ToolResultMessage:
    return ToolResultMessage(tool_call_id="c1", tool_name="bash", content=[TextContent(text=text)])


def begun(folder: Path, *texts: str) -> SessionManager:
    """Begin a session as another process would, without the lock, which this process would share with it."""
    session = SessionManager.open(folder / "s.jsonl", cwd="/srv/app")
    for text in texts:
        session.append_message(UserMessage(content=text))
        session.append_message(answer(f"re: {text}"))
    session.close()
    return session


async def look_again(program: Program) -> None:
    live = program.app._live
    assert isinstance(live, FollowedConversation)
    await live.look()


@asynccontextmanager
async def following(
    session: SessionManager, *words: str, columns: int = 80, rows: int = 24
) -> AsyncIterator[Program]:
    path = session.get_session_file()
    assert path is not None
    async with interactive(
        path.parent, "--follow", str(path), *words, columns=columns, rows=rows, ready="Only reading"
    ) as program:
        yield program


async def test_what_is_there_is_shown_and_what_comes_is_added(tmp_path: Path) -> None:
    session = begun(tmp_path, "one")
    async with following(session) as program:
        await program.pilot.wait_for("re: one")
        session.append_message(UserMessage(content="two"))
        await program.pilot.wait_for("two")
        session.append_message(answer("re: two"))
        await program.pilot.wait_for("re: two")
        assert program.pilot.screen().count("re: one") == 1
        session.append_session_info("plans")
        await program.pilot.wait_for("• plans")


async def test_a_tool_runs_until_its_result_comes(tmp_path: Path) -> None:
    session = begun(tmp_path, "one")
    call = ToolCall(id="c1", name="bash", arguments={"command": "make all"})
    session.append_message(answer("I build it.", calls=(call,)))
    async with following(session) as program:
        await program.pilot.wait_for("make all")
        assert "No result" not in program.pilot.screen()
        assert "Working" not in program.pilot.screen()  # nobody has it open
        session.append_message(result("all built"))
        await program.pilot.wait_for("all built")
        assert program.pilot.screen().count("make all") == 1


async def test_a_tool_that_was_given_up_is_not_waited_for(tmp_path: Path) -> None:
    session = begun(tmp_path)
    call = ToolCall(id="c1", name="bash", arguments={"command": "make all"})
    session.append_message(UserMessage(content="go"))
    session.append_message(answer(calls=(call,)))
    async with following(session) as program:
        await program.pilot.wait_for("make all")
        session.append_message(UserMessage(content="what was that?"))
        await program.pilot.wait_for("what was that?")
        assert "No result" in program.pilot.screen()


async def test_the_branch_that_was_written_to_last_is_shown(tmp_path: Path) -> None:
    session = begun(tmp_path, "one", "two")
    async with following(session) as program:
        await program.pilot.wait_for("re: two")
        session.branch(session.get_entries()[1].id)
        session.append_message(UserMessage(content="three"))
        await program.pilot.wait_for("three")
        assert "re: one" in program.pilot.screen()
        assert "re: two" not in program.pilot.screen()


async def test_summaries_come_as_rows_and_what_was_before_them_stays(tmp_path: Path) -> None:
    session = begun(tmp_path, "one")
    async with following(session) as program:
        await program.pilot.wait_for("re: one")
        kept = session.get_leaf_id() or ""
        session.append_compaction("They said one.", first_kept_entry_id=kept, tokens_before=9000)
        await program.pilot.wait_for("Compacted from 9,000 tokens")
        session.append_message(UserMessage(content="two"))
        await program.pilot.wait_for("two")
        assert "one" in program.pilot.screen()
        session.branch_with_summary(None, "They tried it.")
        await program.pilot.wait_for("[branch]")
        assert "re: one" not in program.pilot.screen()


async def test_nothing_can_be_said_and_it_is_told_why(tmp_path: Path) -> None:
    session = begun(tmp_path, "one")
    path = session.get_session_file()
    assert path is not None
    before = path.read_bytes()
    async with following(session) as program:
        program.pilot.type("hello")
        program.pilot.press("enter")
        await program.told("nothing can be said in it. To go on with it yourself, start:")
        unbroken = "".join(program.pilot.screen().split())
        assert f"pi--session{path}" in unbroken
        assert f"pi--fork{path}" in unbroken
        program.pilot.paste("x")
        assert program.flat().count("nothing can be said") == 1
    assert path.read_bytes() == before
    assert not sidecar_of(path).exists()


async def test_who_has_it_open_is_told_and_that_it_is_worked_on(tmp_path: Path) -> None:
    session = begun(tmp_path, "one")
    path = session.get_session_file()
    assert path is not None
    writer = SessionManager.open(path)
    writer.append_message(UserMessage(content="two"))
    async with following(session) as program:
        await program.told(f"open in process {os.getpid()} on")
        await program.told("Working")
        program.pilot.type("x")
        await program.told("close it there, then start")
        writer.append_message(answer("re: two"))
        await program.pilot.wait_for(lambda: "Working" not in program.pilot.screen())
        writer.close()
        await program.told("nobody has it open")


async def test_it_scrolls_and_stays_where_one_reads(tmp_path: Path) -> None:
    session = begun(tmp_path, *(f"question {number}" for number in range(30)))
    async with following(session) as program:
        await program.pilot.wait_for("re: question 29")
        program.pilot.press("home")
        await program.pilot.wait_for("question 0")
        session.append_message(UserMessage(content="something new"))
        await program.pilot.wait_for(
            lambda: "something new" in str(program.app.screen.document.render(80))
        )
        program.pilot.tui.render_now()
        assert "question 0" in program.pilot.screen()
        session.branch(session.get_entries()[40].id)
        session.append_message(UserMessage(content="another way"))
        await program.pilot.wait_for(
            lambda: "another way" in str(program.app.screen.document.render(80))
        )
        program.pilot.tui.render_now()
        assert "question 0" in program.pilot.screen()
        program.pilot.press("end")
        await program.pilot.wait_for("another way")
        program.pilot.press("up", "up", "up")
        program.pilot.tui.render_now()
        assert "another way" not in program.pilot.screen()


async def test_a_file_that_goes_away_or_changes_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    session = begun(tmp_path, "one", "two")
    path = session.get_session_file()
    assert path is not None
    whole = path.read_bytes()
    async with following(session) as program:
        await program.pilot.wait_for("re: two")
        away = path.rename(tmp_path / "away")
        await program.told("What was read of it stays here.")
        for _ in range(3):
            await look_again(program)
        program.pilot.tui.render_now()
        assert program.flat().count("No such file or directory") == 1
        assert "re: two" in program.pilot.screen()
        away.rename(path)
        await program.told("was replaced or shortened")
        path.write_bytes(b"".join(whole.splitlines(keepends=True)[:3]))
        await program.pilot.wait_for(lambda: "re: two" not in program.pilot.screen())
        await program.pilot.wait_for("re: one")
        path.write_text("notes\n")
        await program.told("not a valid pi session")
        path.write_bytes(whole)
        await program.pilot.wait_for("re: two")


def test_a_line_that_was_changed_in_its_place_since_costs_nothing_but_itself(
    tmp_path: Path,
) -> None:
    session = begun(tmp_path)
    session.append_message(UserMessage(content="go"))
    session.append_message(answer(calls=(ToolCall(id="c1", name="bash", arguments={}),)))
    session.append_message(result("done"))
    path = tmp_path / "s.jsonl"
    entries = StoredSession.load(path).tree.all()
    with path.open("r+b") as file:
        file.write(b"#" * path.stat().st_size)
    assert settled_count(entries) == len(entries)
    assert not is_at_work(entries[:-1], True)


@pytest.mark.parametrize("keys", [("q",), ("ctrl+d",), ("ctrl+c", "ctrl+c")])
async def test_it_is_left_with_a_key(keys: tuple[str, ...], tmp_path: Path) -> None:
    async with following(begun(tmp_path, "one")) as program:
        program.pilot.press(*keys)
        assert await program.ended() == 0
        assert program.app.farewell is None


async def test_output_of_tools_expands_and_stays_so(tmp_path: Path) -> None:
    session = begun(tmp_path, "one")
    call = ToolCall(id="c1", name="bash", arguments={"command": "seq 40"})
    session.append_message(answer(calls=(call,)))
    session.append_message(result("".join(f"row {number}.\n" for number in range(40))))
    async with following(session, rows=80) as program:
        await program.pilot.wait_for("row 39.")
        assert "row 3." not in program.pilot.screen()
        program.pilot.press("ctrl+o")
        await program.pilot.wait_for("row 3.")
        end = session.get_leaf_id() or ""
        session.append_message(UserMessage(content="two"))
        await program.pilot.wait_for("two")
        session.branch(end)
        session.append_message(UserMessage(content="three"))
        await program.pilot.wait_for("three")
        assert "row 3." in program.pilot.screen()


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_how_it_looks(columns: int, rows: int, tmp_path: Path) -> None:
    session = begun(tmp_path, "What is in here?")
    async with following(session, columns=columns, rows=rows) as program:
        await program.pilot.wait_for("re: What is")
        program.pilot.tui.render_now()
        program.check_picture(SNAPSHOTS / "test_follow" / "following")


async def test_what_cannot_be_followed_is_refused_before_there_is_a_screen(tmp_path: Path) -> None:
    pi = ScreenPi(tmp_path)
    refused = pi.run("--follow", "0000")
    assert refused.code == 1
    assert refused.err == "Error: --follow shows a session on a screen, and there is none here.\n"
    for words, told in (
        (("--follow", "0000"), "Error: No session found for 0000"),
        (
            ("--follow", "0000", "hello"),
            "Error: Nothing can be said in a session that is followed.",
        ),
    ):
        with pi.show(*words) as session:
            assert session.wait_exit() == 1
            assert told in session.output.decode()
            assert b"\x1b[?1049h" not in session.output


async def test_two_processes_one_writes_and_one_follows(tmp_path: Path) -> None:
    """Real ones, on terminals; the writer is killed, and another goes on."""
    pi = ScreenPi(tmp_path)
    try:
        path = tmp_path / "s.jsonl"
        with pi.show("--session", path) as writer:
            writer.wait_for("demo")
            writer.send(b"first\r")
            writer.wait_until(shows("first", "echo"))
            with pi.show("--follow", path) as follower:
                follower.wait_until(shows("first", f"open in process {writer.pid}"))
                writer.send(b"second\r")
                follower.wait_for("second")
                writer.signal(signal.SIGKILL)
                writer.wait_exit()
                follower.wait_for("nobody has it open")
                assert pi.run("--model", "demo/echo", "--session", path, "-p", "third").code == 0
                follower.wait_for("third")
                follower.send(b"q")
                assert follower.wait_exit() == 0
                assert follower.termios_now() == follower.termios_before
    finally:
        pi.close()
