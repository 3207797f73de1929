"""What the terminal is told that pi does: its status beside the tab, and progress in the window."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.pi_agent.ui.support import Program, interactive, script

pytestmark = pytest.mark.anyio

TELLS = {"PI_PROGRAM_STATUS": "1"}
ASKS = """
from pi_agent import Blocked

class Screen:
    def __init__(self, done):
        self.done = done
    def render(self, width):
        return ["a screen"]
    def handle_key(self, event):
        self.done(event.id)
        return True

def setup(pi):
    @pi.command("all")
    async def run(args, ctx):
        await ctx.ui.select("Which file?", ["a", "b"])
        await ctx.ui.confirm("Delete it?", "really")
        await ctx.ui.input("What name?")
    @pi.command("screens")
    async def screens(args, ctx):
        make = lambda tui, theme, keys, done: Screen(done)
        await ctx.ui.custom(make)
        await ctx.ui.custom(make, blocked=Blocked("auth", "Sign in"))
        await ctx.ui.custom(make, overlay=True, blocked=Blocked("question"))
"""


def told(program: Program) -> list[str]:
    """Return what was told of the status, in words."""
    bodies = [string.body for string in program.pilot.terminal.grid.strings]
    return [_in_words(body) for body in bodies if body.startswith("7501;state")]


def _in_words(body: str) -> str:
    fields = dict(field.split("=", 1) for field in body.removeprefix("7501;").split(":"))
    assert fields["app"] == "pi"
    message = base64.b64decode(fields.get("msg", "")).decode()
    return " ".join(filter(None, (fields["state"], fields.get("kind", ""), message)))


def progress(program: Program) -> list[str]:
    bodies = [string.body for string in program.pilot.terminal.grid.strings]
    shown = re.findall(r"9;4;(\d)", " ".join(bodies))
    return [each for each, before in zip(shown, ["", *shown], strict=False) if each != before]


async def until(program: Program, *states: str) -> None:
    await program.pilot.wait_for(lambda: told(program)[-len(states) :] == list(states))


@pytest.mark.parametrize(
    ("step", "end"),
    [
        ({"text": "hello"}, "done"),
        ({"error": "no model today"}, "error"),
    ],
)
async def test_a_run_and_its_end(step: dict[str, object], end: str, tmp_path: Path) -> None:
    environ = TELLS | script(tmp_path, step)
    async with interactive(tmp_path, "--model", "demo/script", environ=environ) as program:
        assert told(program) == ["idle"]
        program.say("hi")
        await until(program, "idle", "working", end)
        assert progress(program) == []


async def test_a_run_that_is_stopped_is_not_done(tmp_path: Path) -> None:
    environ = TELLS | script(tmp_path, {"text": "long", "delay_ms": 60_000})
    async with interactive(tmp_path, "--model", "demo/script", environ=environ) as program:
        program.say("hi")
        await until(program, "working")
        program.pilot.press("escape")
        await until(program, "working", "idle")


async def test_dialogs_of_extensions_need_somebody(tmp_path: Path) -> None:
    async with interactive(tmp_path, *extension(tmp_path), environ=TELLS) as program:
        program.say("/all")
        await until(program, "blocked question Which file?")
        program.pilot.press("escape")
        await until(program, "idle", "blocked permission Delete it?")
        program.pilot.press("escape")
        await until(program, "idle", "blocked question What name?")
        program.pilot.press("escape")
        await until(program, "idle")


async def test_screens_of_extensions_say_whether_they_do(tmp_path: Path) -> None:
    async with interactive(tmp_path, *extension(tmp_path), environ=TELLS) as program:
        program.say("/screens")
        await program.pilot.wait_for("a screen")
        assert told(program) == ["idle"]
        program.pilot.press("a")
        await until(program, "blocked auth Sign in")
        program.pilot.press("b")
        await until(program, "idle", "blocked question")
        program.pilot.press("c")
        await until(program, "idle")


async def test_progress_is_shown_where_that_is_wanted(tmp_path: Path) -> None:
    folder = tmp_path / "agent"
    folder.mkdir()
    (folder / "settings.json").write_text('{"terminal": {"showTerminalProgress": true}}')
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        assert progress(program) == []
        program.say("hi")
        await program.settled("hi")
        assert progress(program) == ["3", "0"]


def extension(folder: Path) -> Sequence[str]:
    (folder / "asks.py").write_text(ASKS)
    return "-e", str(folder / "asks.py"), "--model", "demo/echo"
