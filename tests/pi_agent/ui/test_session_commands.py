"""Commands that are about sessions, in the interactive program."""

from __future__ import annotations

import json
import shlex
import time
from pathlib import Path
from typing import Any

import pytest

from pi_agent.base.paths import AgentPaths
from pi_agent.llm.messages import AssistantMessage, ToolCall, UserMessage
from pi_agent.llm.usage import Cost, Usage
from pi_agent.resources.themes import load_bundled_theme
from pi_agent.session.context_usage import ContextUsage
from pi_agent.session.store import SessionManager
from pi_agent.ui.commands.session import session_table
from pi_agent.ui.live import LiveConversation
from pi_tui.snapshot import check_snapshot, snapshot_component
from tests.pi_agent.host.test_replace import FailingSettings
from tests.pi_agent.session.saved import START, save_session
from tests.pi_agent.ui.support import SIZES, SNAPSHOTS, interactive, script

pytestmark = pytest.mark.anyio

ECHO = ("--model", "demo/echo")


async def test_new_clears_the_screen_and_begins_another_file(tmp_path: Path) -> None:
    async with interactive(tmp_path, *ECHO) as program:
        program.say("first words")
        await program.settled("first words")
        program.say("/new")
        await program.settled("New session.")
        assert "first words" not in program.pilot.screen()
        assert program.pilot.screen().count("pi 0.1") == 1
        program.say("second words")
        await program.settled("second words")
    files = sorted((tmp_path / "agent").glob("sessions/*/*.jsonl"))
    said = [
        [entry["message"]["content"][0]["text"] for entry in entries if _is_users(entry)]
        for entries in ([json.loads(line) for line in file.open()] for file in files)
    ]
    assert said == [["first words"], ["second words"]]


def _is_users(entry: dict[str, object]) -> bool:
    message = entry.get("message")
    return isinstance(message, dict) and message["role"] == "user"


async def test_what_was_queued_comes_back_into_the_editor(tmp_path: Path) -> None:
    slow = script(tmp_path, {"text": "a long answer " * 200, "tokensPerSecond": 5})
    async with interactive(tmp_path, "--model", "demo/script", environ=slow) as program:
        program.say("go")
        await program.pilot.wait_for("a long")
        program.say("and then this")
        await program.pilot.wait_for("Steering: and then this")
        program.say("/new")
        await program.settled("New session.")
        assert program.app.composer.get_text() == "and then this"
        assert "Steering" not in program.pilot.screen()


async def test_what_is_said_while_the_sessions_change_goes_to_the_new_one(tmp_path: Path) -> None:
    async with interactive(tmp_path, *ECHO) as program:
        program.say("first words")
        await program.settled("first words")
        program.say("/new")
        program.say("at once")
        await program.settled("New session.")
        await program.pilot.wait_for(lambda: program.pilot.screen().count("at once") == 2)
        assert "first words" not in program.pilot.screen()


@pytest.mark.parametrize("failures", [1, 2])
async def test_a_change_that_fails_shows_the_session_before_or_ends_the_program(
    tmp_path: Path, failures: int
) -> None:
    settings = FailingSettings(tmp_path / "agent" / "settings.json")
    async with interactive(tmp_path, *ECHO, settings=settings, columns=120) as program:
        program.say("first words")
        await program.settled("first words")
        settings.failures = failures
        program.say("/new")
        await program.told("The session could not be changed: OSError: the disk is gone")
        if failures > 1:
            assert await program.ended() == 1
            return
        assert "The session before is back." in program.flat()
        assert "first words" in program.pilot.screen()
        program.say("second words")
        await program.pilot.wait_for(lambda: program.pilot.screen().count("second words") == 2)
    (file,) = (tmp_path / "agent").glob("sessions/*/*.jsonl")
    assert sum(_is_users(json.loads(line)) for line in file.open()) == 2


async def test_a_draft_stays_when_a_key_begins_a_session(tmp_path: Path) -> None:
    agent = tmp_path / "agent"
    agent.mkdir()
    (agent / "keybindings.json").write_text('{"app.session.new": "ctrl+q"}')
    async with interactive(tmp_path, *ECHO) as program:
        program.pilot.type("half a tho")
        program.pilot.press("ctrl+q")
        await program.settled("New session.")
        assert program.app.composer.get_text() == "half a tho"


def saved(folder: Path, session_id: str, *said: str, age: float = 0, **more: Any) -> Path:
    """Write a session of the program's folder that was used `age` seconds ago."""
    work = folder / "work"
    paths = AgentPaths(agent_dir=folder / "agent", cache_dir=folder)
    at = time.time() - START - age - 60 * len(said)
    where = paths.sessions_of(work).path
    return save_session(where, session_id, said, cwd=str(work), at=at, **more)


async def test_resume_shows_what_was_said_and_goes_on_in_that_file(tmp_path: Path) -> None:
    path = saved(tmp_path, "old", "what is a parser", "and a lexer", age=7200)
    saved(tmp_path, "other", "write a poem", age=3600)
    async with interactive(tmp_path, *ECHO) as program:
        program.say("/resume")
        await program.pilot.wait_for("write a poem")
        program.pilot.type("lexer")
        await program.pilot.wait_for(lambda: "write a poem" not in program.pilot.screen())
        program.pilot.press("enter")
        await program.settled("re: and a lexer")
        program.say("go on")
        await program.pilot.wait_for(lambda: program.pilot.screen().count("go on") == 2)
        program.pilot.press("up")
        assert program.app.composer.get_text() == "go on"
        program.pilot.press("up", "up")
        assert program.app.composer.get_text() == "what is a parser"
    last = json.loads(path.read_text().splitlines()[-1])
    assert last["message"]["content"][0]["text"] == "go on"


async def test_escape_closes_the_list_and_the_draft_is_there(tmp_path: Path) -> None:
    saved(tmp_path, "old", "what is a parser")
    (tmp_path / "agent" / "keybindings.json").write_text('{"app.session.resume": "ctrl+q"}')
    async with interactive(tmp_path, *ECHO) as program:
        program.pilot.type("half a tho")
        program.pilot.press("ctrl+q")
        await program.pilot.wait_for("what is a parser")
        program.pilot.press("escape")
        await program.pilot.wait_for("half a tho")
        program.pilot.type("ught")
        assert program.app.composer.get_text() == "half a thought"


async def test_the_session_at_work_is_not_offered(tmp_path: Path) -> None:
    async with interactive(tmp_path, *ECHO) as program:
        program.say("hello")
        await program.settled("hello")
        program.say("/resume")
        await program.pilot.wait_for("There are no other sessions")


@pytest.mark.parametrize(
    ("downs", "cwd", "files"), [(0, "work", 2), (1, "elsewhere", 1), (2, None, 1)]
)
async def test_a_session_of_another_folder_is_forked_gone_on_with_or_left(
    tmp_path: Path, downs: int, cwd: str | None, files: int
) -> None:
    other = tmp_path / "elsewhere"
    other.mkdir()
    where = AgentPaths(agent_dir=tmp_path / "agent", cache_dir=tmp_path).sessions_of(other).path
    path = save_session(where, "far", ["what is a parser"], cwd=str(other))
    before = path.read_bytes()
    async with interactive(tmp_path, *ECHO) as program:
        program.say("/resume")
        await program.pilot.wait_for("There are no other sessions of this folder yet.")
        program.pilot.press("tab")
        await program.pilot.wait_for("→ what is a parser")
        program.pilot.press("enter")
        await program.pilot.wait_for("This session belongs to another directory")
        program.pilot.press(*["down"] * downs or ["down", "up"], "enter")
        if cwd is None:
            await program.pilot.wait_for(lambda: "belongs to" not in program.pilot.screen())
            assert "re: what is a parser" not in program.pilot.screen()
        else:
            await program.settled("re: what is a parser")
            program.say("go on")
            await program.settled("go on")
    saved_files = list((tmp_path / "agent").glob("sessions/*/*.jsonl"))
    assert len(saved_files) == files
    assert (path.read_bytes() == before) is (cwd != "elsewhere")


async def test_a_session_is_named_in_the_list(tmp_path: Path) -> None:
    saved(tmp_path, "old", "what is a parser")
    async with interactive(tmp_path, *ECHO) as program:
        program.say("/resume")
        await program.pilot.wait_for("what is a parser")
        program.pilot.press("ctrl+r")
        await program.pilot.wait_for("Name of the session")
        program.pilot.type("Parsers")
        program.pilot.press("enter")
        await program.pilot.wait_for("→ Parsers")
        # It begins as it is, and nothing happens unless one sends it.
        program.pilot.press("ctrl+r")
        await program.pilot.wait_for("> Parsers")
        program.pilot.press("escape")
        await program.pilot.wait_for("→ Parsers")
        program.pilot.press("ctrl+r", "ctrl+u", "enter")
        await program.pilot.wait_for("→ what is a parser")


async def test_a_session_is_deleted_after_a_question(tmp_path: Path) -> None:
    path = saved(tmp_path, "old", "what is a parser")
    other = saved(tmp_path, "other", "write a poem", age=3600)
    no_trash = {"PATH": str(tmp_path)}
    async with interactive(tmp_path, *ECHO, environ=no_trash) as program:
        program.say("/resume")
        await program.pilot.wait_for("write a poem")
        program.pilot.press("ctrl+d")
        await program.told("Delete “what is a parser”?")
        program.pilot.press("escape")
        await program.pilot.wait_for("→ what is a parser")
        assert path.exists()
        program.pilot.press("ctrl+d")
        await program.told("Delete “what is a parser”?")
        program.pilot.press("down", "up", "enter")
        await program.told("The session was deleted.")
        await program.pilot.wait_for("→ write a poem")
        assert not path.exists() and other.exists()


async def test_a_file_that_went_away_is_told_and_the_session_stays(tmp_path: Path) -> None:
    path = saved(tmp_path, "old", "what is a parser")
    async with interactive(tmp_path, *ECHO) as program:
        program.say("stays here")
        await program.settled("stays here")
        program.say("/resume")
        await program.pilot.wait_for("what is a parser")
        path.write_text("no session at all\n")
        program.pilot.press("enter")
        await program.pilot.wait_for("not a valid pi session")
        assert "stays here" in program.pilot.screen()
        program.say("and goes on")
        await program.pilot.wait_for(lambda: program.pilot.screen().count("and goes on") == 2)


async def test_a_name_is_kept_shown_and_named_in_the_title(tmp_path: Path) -> None:
    async with interactive(tmp_path, *ECHO) as program:
        title = program.pilot.terminal.grid
        assert title.title == "pi - work"
        program.say("/name")
        await program.settled("This session has no name. /name TEXT gives it one.")
        program.say("/name My\x1b[31m task")
        await program.settled("Name: My task")
        assert "~/work • My task" in program.pilot.screen()
        assert title.title == "pi - My task - work"
        program.say("hello")
        await program.settled("hello")
        program.say("/new")
        await program.settled("New session.")
        assert title.title == "pi - work"
        assert "My task" not in program.pilot.screen()


async def test_session_tells_file_and_contents(tmp_path: Path) -> None:
    async with interactive(tmp_path, *ECHO, columns=120) as program:
        program.say("/session")
        await program.settled("written with the first message")
        program.say("hello")
        await program.settled("hello")
        program.say("/session")
        await program.settled("1 from you, 1 answer")
        screen = program.pilot.screen()
        (file,) = (tmp_path / "agent").glob("sessions/*/*.jsonl")
        assert file.stem.rpartition("_")[2] in screen
        assert " sent, 2 received" in screen


def test_the_rows_of_session() -> None:
    session = SessionManager.in_memory(session_id="0193b7c4-5a1e")
    session.append_session_info("Parsers and lexers")
    session.append_message(UserMessage(content="what is a parser?"))
    session.append_message(
        AssistantMessage(
            content=[ToolCall(id="1", name="bash", arguments={})],
            provider="acme",
            model="large-model",
            usage=Usage(input=1200, output=345, cache_read=98_000, cost=Cost(total=0.1234)),
        )
    )
    session.append_usage(
        "cache_warm", provider="acme", model="small", usage=Usage(cost=Cost(total=0.01))
    )
    theme = load_bundled_theme("dark", color_mode="truecolor")
    table = session_table(session, ContextUsage(99_545, 200_000, 49.8), theme)
    check_snapshot(
        SNAPSHOTS / "test_session_commands" / "session-dark.txt", snapshot_component(table.render)
    )


async def test_a_new_session_says_what_became_of_the_answer(tmp_path: Path) -> None:
    slow = script(tmp_path, {"text": "a long answer " * 200, "tokensPerSecond": 5})
    async with interactive(tmp_path, "--model", "demo/script", environ=slow) as program:
        program.say("go")
        await program.pilot.wait_for("a long")
        program.say("/new")
        await program.told("New session. The answer was stopped; what had come is in the session")
    (file,) = (tmp_path / "agent").glob("sessions/*/*.jsonl")
    last = json.loads(file.read_text().splitlines()[-1])["message"]
    assert (last["role"], last["stopReason"]) == ("assistant", "aborted")
    assert last["content"][0]["text"].startswith("a long")


async def test_session_tells_how_often_the_prompt_was_kept_in_the_cache(tmp_path: Path) -> None:
    async with interactive(tmp_path, *ECHO, columns=120) as program:
        program.say("hello")
        await program.settled("hello")
        assert isinstance(program.app._live, LiveConversation)
        assert program.app._live.services is not None
        session = program.app._live.services.conversation.session
        session.append_usage("cache_warm", provider="acme", model="m", usage=Usage(cache_read=9))
        program.say("/session")
        await program.settled("Cache warming")
        assert "1 request" in program.pilot.screen()


async def test_session_tells_how_full_the_window_is(tmp_path: Path) -> None:
    async with interactive(tmp_path, *ECHO, columns=120) as program:
        program.say("hello")
        await program.settled("hello")
        assert isinstance(program.app._live, LiveConversation)
        assert program.app._live.services is not None
        conversation = program.app._live.services.conversation
        usage = conversation.get_context_usage()
        assert usage is not None
        program.say("/session")
        await program.settled(f"{usage.tokens:,} of 128,000 tokens (0.")
        conversation.session.append_compaction("s", first_kept_entry_id="", tokens_before=9)
        program.say("/session")
        await program.settled("known with the next answer, since the session was compacted")


async def test_the_farewell_names_what_finds_the_session_again(tmp_path: Path) -> None:
    folder = tmp_path / "my sessions"
    for words, where in ((), "id"), (("--session-dir", str(folder)), "file"):
        async with interactive(tmp_path, *ECHO, *words) as program:
            program.say("hello")
            await program.settled("hello")
            program.say("/name A name")
            await program.settled("Name: A name")
            program.say("/quit")
            await program.ended()
        file = next(folder.glob("*.jsonl") if words else tmp_path.glob("agent/sessions/*/*.jsonl"))
        called = shlex.split((program.app.farewell or "").removeprefix("Go on with: "))
        assert called[:2] == ["pi", "--session"]
        assert called[2] == (str(file) if where == "file" else file.stem.rpartition("_")[2])


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_the_list_of_sessions(tmp_path: Path, columns: int, rows: int) -> None:
    saved(tmp_path, "a", "what is a parser, and how does it differ from a lexer?", age=3600 * 3)
    saved(tmp_path, "b", "日本語のテキスト", age=86_400 * 2, name="Wide letters 日本語")
    saved(tmp_path, "c", *(["again"] * 70), age=86_400 * 40)
    async with interactive(tmp_path, *ECHO, columns=columns, rows=rows) as program:
        program.say("/resume")
        await program.pilot.wait_for(lambda: "(reading" not in program.pilot.screen())
        await program.pilot.wait_for("what is a")
        program.check_picture(SNAPSHOTS / "test_session_commands" / "resume")
