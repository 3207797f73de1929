"""`keybindings.json` with keys one after another: what shows, what they do, what they leave alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.pi_agent.ui.support import SIZES, interactive

pytestmark = pytest.mark.anyio

ECHO = ("--model", "demo/echo", "--no-session")
BINDINGS = {
    "app.session.new": "ctrl+x ctrl+n",
    "app.model.select": "g g",
    "tui.editor.deleteToLineStart": ["ctrl+u", "ctrl+x backspace"],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    agent = tmp_path / "agent"
    agent.mkdir()
    (agent / "keybindings.json").write_text(json.dumps(BINDINGS), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_a_sequence_shows_what_it_waits_for_and_acts(
    folder: Path, columns: int, rows: int
) -> None:
    async with interactive(folder, *ECHO, columns=columns, rows=rows) as program:
        program.pilot.type("draft")
        program.pilot.press("ctrl+x")
        await program.pilot.wait_for("Ctrl+X …")
        program.pilot.press("ctrl+n")
        await program.settled("New session.")
        assert "Ctrl+X" not in program.pilot.screen()
        assert program.app.composer.get_text() == "draft"


async def test_escape_ends_the_waiting_and_nothing_else(folder: Path) -> None:
    async with interactive(folder, *ECHO) as program:
        program.pilot.type("draft")
        program.pilot.press("ctrl+x")
        await program.pilot.wait_for("Ctrl+X …")
        program.pilot.press("escape")
        await program.pilot.wait_for(lambda: "Ctrl+X" not in program.pilot.screen())
        program.pilot.press("ctrl+n")
        program.pilot.type("!")
        assert program.app.composer.get_text() == "draft!"
        assert "New session." not in program.pilot.screen()


async def test_a_first_key_that_is_bound_alone_acts_after_a_moment(folder: Path) -> None:
    async with interactive(folder, *ECHO) as program:
        program.pilot.press("ctrl+x")
        await program.settled("There is no answer to copy yet.")
        assert "Ctrl+X …" not in program.pilot.screen()


async def test_letters_of_a_sequence_are_typed_where_none_comes_of_it(folder: Path) -> None:
    async with interactive(folder, *ECHO) as program:
        program.pilot.type("go")
        program.pilot.press("g")
        await program.pilot.wait_for(lambda: program.app.composer.get_text() == "gog")
        program.pilot.press("g", "g")
        await program.pilot.wait_for("✓ echo")
        program.pilot.press("escape")
        assert program.app.composer.get_text() == "gog"


async def test_a_sequence_edits_as_a_key_does(folder: Path) -> None:
    async with interactive(folder, *ECHO) as program:
        program.pilot.type("one two")
        program.pilot.press("ctrl+x", "backspace")
        assert program.app.composer.get_text() == ""


async def test_keys_that_wait_stand_in_front_of_what_is_going_on(folder: Path) -> None:
    async with interactive(folder, *ECHO) as program:
        program.app.screen.status.show("Working (esc to stop)")
        program.pilot.press("ctrl+x")
        await program.pilot.wait_for("Ctrl+X …  ⠋ Working (esc to stop)")
        program.app.screen.status.clear()


async def test_help_and_hints_show_all_keys_of_a_sequence(folder: Path) -> None:
    async with interactive(folder, *ECHO) as program:
        program.say("/help")
        await program.pilot.wait_for("Show commands and keys")
        program.pilot.press("ctrl+end")
        await program.pilot.wait_for("G G ")


async def test_one_key_for_two_actions_is_told_at_the_start(tmp_path: Path) -> None:
    agent = tmp_path / "agent"
    agent.mkdir()
    keys = {"app.session.new": "ctrl+y", "app.model.select": ["alt+l", "CTRL+Y"]}
    (agent / "keybindings.json").write_text(json.dumps(keys), encoding="utf-8")
    async with interactive(tmp_path, *ECHO) as program:
        await program.told("ctrl+y is the key of app.session.new and app.model.select")
