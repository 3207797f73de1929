"""Commands that are about sessions, in the interactive program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.pi_agent.ui.support import interactive, script

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


async def test_a_draft_stays_when_a_key_begins_a_session(tmp_path: Path) -> None:
    agent = tmp_path / "agent"
    agent.mkdir()
    (agent / "keybindings.json").write_text('{"app.session.new": "ctrl+q"}')
    async with interactive(tmp_path, *ECHO) as program:
        program.pilot.type("half a tho")
        program.pilot.press("ctrl+q")
        await program.settled("New session.")
        assert program.app.composer.get_text() == "half a tho"
