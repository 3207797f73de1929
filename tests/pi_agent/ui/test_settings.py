"""Settings that the interactive program obeys."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.pi_agent.ui.support import interactive, script

pytestmark = pytest.mark.anyio

ECHO = ("--model", "demo/echo")


def choose(folder: Path, **settings: object) -> Path:
    agent_dir = folder / "agent"
    agent_dir.mkdir()
    file = agent_dir / "settings.json"
    file.write_text(json.dumps(settings))
    return file


async def test_what_is_wrong_with_them_is_told_at_the_start(tmp_path: Path) -> None:
    choose(tmp_path, theme=1)
    async with interactive(tmp_path, *ECHO) as program:
        assert "theme: expected a text, not 1. It is ignored." in program.flat()


async def test_a_broken_file_is_told_and_the_program_starts(tmp_path: Path) -> None:
    choose(tmp_path).write_text("{")
    async with interactive(tmp_path, *ECHO, columns=200) as program:
        assert "settings.json: not valid JSON at line 1" in program.flat()
        program.say("hello")
        await program.settled("hello")


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_the_theme(tmp_path: Path, theme: str) -> None:
    choose(tmp_path, theme=theme)
    async with interactive(tmp_path, *ECHO) as program:
        assert program.app.theme.name == theme
    async with interactive(tmp_path, *ECHO, "--use-theme", "light") as program:
        assert program.app.theme.name == "light"


@pytest.mark.parametrize(
    ("quiet", "header", "resources"),
    [(False, True, True), ("header", True, False), (True, False, False)],
)
async def test_a_quiet_start(tmp_path: Path, quiet: object, header: bool, resources: bool) -> None:
    choose(tmp_path, quietStartup=quiet)
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "AGENTS.md").write_text("Be brief.")
    async with interactive(tmp_path, *ECHO, ready="(demo) echo") as program:
        assert ("pi 0." in program.pilot.screen()) is header
        assert ("[Context]" in program.pilot.screen()) is resources
        program.say("/new")
        await program.settled("New session.")
        assert ("pi 0." in program.pilot.screen()) is header


@pytest.mark.parametrize(("output", "is_left"), [("transcript", True), ("resume-hint", False)])
async def test_what_is_left_on_the_terminal(tmp_path: Path, output: str, is_left: bool) -> None:
    choose(tmp_path, fullscreenExitOutput=output)
    async with interactive(tmp_path, *ECHO) as program:
        program.say("remember this")
        await program.settled("remember this")
        program.say("/quit")
        await program.ended()
        assert ("remember this" in program.pilot.screen()) is is_left
        assert "Go on with: pi --session " in (program.app.farewell or "")


@pytest.mark.parametrize(("mode", "requests"), [("all", 2), ("one-at-a-time", 3)])
async def test_how_many_messages_are_delivered_at_once(
    tmp_path: Path, mode: str, requests: int
) -> None:
    choose(tmp_path, followUpMode=mode)
    steps = script(
        tmp_path,
        {"text": "first " * 10, "tokensPerSecond": 20},
        {"text": "second"},
        {"text": "third"},
    )
    async with interactive(tmp_path, "--model", "demo/script", environ=steps) as program:
        program.say("go")
        await program.pilot.wait_for("first")
        for text in ("one more", "another"):
            program.pilot.type(text)
            program.pilot.press("alt+enter")
        await program.settled("third" if requests == 3 else "second")
    (file,) = (tmp_path / "agent").glob("sessions/*/*.jsonl")
    roles = [
        entry["message"]["role"]
        for entry in map(json.loads, file.open())
        if entry["type"] == "message"
    ]
    assert roles.count("assistant") == requests
    assert roles.count("user") == 3


@pytest.mark.parametrize("shown", [True, False])
async def test_the_cursor_of_the_terminal(tmp_path: Path, shown: bool) -> None:
    choose(tmp_path, showHardwareCursor=shown)
    environ = {"PI_HARDWARE_CURSOR": "1"}
    async with interactive(tmp_path, *ECHO, environ=environ, ready="(demo) echo") as program:
        # Where the terminal shows none, a cell in reverse stands for it.
        assert ("inverse" in program.pilot.snapshot()) is not shown
