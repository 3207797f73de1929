"""Editors of extensions: what they keep of the program, what they take over, and what is left when they go."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pi_agent.ui.support import Program, interactive

pytestmark = pytest.mark.anyio

EDITORS = """
from pi_agent import CustomEditor
class Marked(CustomEditor):
    def render_bottom_border(self, width, hidden):
        return NAME.ljust(width, "=")
class Raises(Marked):
    def handle_key(self, event):
        if event.text == "x":
            raise RuntimeError("no x here")
        return super().handle_key(event)
class RaisesAlways(Marked):
    def handle_key(self, event):
        raise RuntimeError("no keys here")
class DrawsNothing(Marked):
    def render(self, width):
        raise RuntimeError("cannot draw")
class Embeds(Marked):
    def __init__(self, *given):
        super().__init__(*given, embed_working_status=True)
class NoEditor:
    def __init__(self, *given):
        pass
    def render(self, width):
        return ["mine"]
def setup(pi):
    @pi.command(NAME)
    async def run(args, ctx):
        if args == "ask":
            await ctx.ui.confirm("Sure?", "really")
            return
        if args == "wrap":
            ctx.ui.notify(f"made by {ctx.ui.get_editor_component().__name__}")
            return
        ctx.ui.set_editor_component(globals()[args] if args else None)
"""


def extensions(folder: Path, *names: str) -> tuple[str, ...]:
    words: list[str] = []
    for name in names:
        file = folder / f"{name}.py"
        file.write_text(f"NAME = {name!r}\n{EDITORS}")
        words += ["-e", str(file)]
    return (*words, "--model", "demo/echo")


def mark(program: Program) -> str:
    """Return whose editor is drawn."""
    marks = [line.strip("=") for line in program.pilot.lines() if line.endswith("===")]
    return marks[0] if marks else ""


async def shows(program: Program, command: str, name: str) -> None:
    """Run a command, and wait until the editor that it names is there, or the built-in one."""
    kind = command.split(" ")[1] or "CustomEditor"
    program.say(command)
    await program.pilot.wait_for(
        lambda: (
            type(program.app.composer).__name__ == kind
            and mark(program) == name
            and not draft(program)
        )
    )


def draft(program: Program) -> str:
    return program.app.composer.get_expanded_text()


def empty(program: Program) -> None:
    """Take the draft away; Ctrl+C twice within half a second would leave the program."""
    program.app.composer.set_text("")


async def test_the_draft_and_the_programs_keys_stay_with_each_exchange(tmp_path: Path) -> None:
    async with interactive(tmp_path, *extensions(tmp_path, "one", "two")) as program:
        pilot = program.pilot
        program.say("the first thing")
        await program.settled("the first thing")
        await shows(program, "/one Marked", "one")
        await shows(program, "/two Marked", "two")
        pilot.press("up", "up", "up")  # the history has come along
        await pilot.wait_for(lambda: draft(program) == "the first thing")
        pilot.press("ctrl+c")
        assert draft(program) == ""
        # A large paste stays a marker with its text behind it, and the cursor stays where it is.
        pilot.type("ab")
        pilot.press("left")
        pilot.paste("row\n" * 20)
        program.app.start_task(program_command(program, "/two "))
        await pilot.wait_for(lambda: mark(program) == "one")
        pilot.type("!")
        assert draft(program) == "a" + "row\n" * 20 + "!b"
        assert "[paste #1 +21 lines]" in program.flat()
        empty(program)
        await shows(program, "/one ", "")
        program.say("said in the built-in one")
        await program.settled("said in the built-in one")
        pilot.press("ctrl+d")
        assert await program.ended() == 0


async def program_command(program: Program, text: str) -> None:
    """Run a command as a key bound to it would, with a draft in the editor."""
    live = program.app._live  # a command in the editor would be the draft
    assert live is not None
    live.submit(text)


async def test_escape_stops_a_run_in_an_editor_of_an_extension(tmp_path: Path) -> None:
    script = tmp_path / "script.jsonl"
    script.write_text('{"text": "slow words that take their time", "tokensPerSecond": 1}\n')
    words = (*extensions(tmp_path, "one"), "--model", "demo/script")
    environ = {"PI_DEMO_SCRIPT": str(script)}
    async with interactive(tmp_path, *words, environ=environ) as program:
        await shows(program, "/one Embeds", "one")
        program.say("go")
        # With the status embedded its row is gone: it stands in the border above what is typed.
        await program.pilot.wait_for(
            lambda: any(line.startswith("── ") and "Working" in line for line in rows(program))
        )
        assert sum("Working" in line for line in rows(program)) == 1
        program.pilot.press("escape")
        await program.pilot.wait_for("Operation aborted")


def rows(program: Program) -> list[str]:
    return program.pilot.lines()


async def test_one_that_fails_leaves_the_program_its_keys_and_at_last_goes(tmp_path: Path) -> None:
    async with interactive(tmp_path, *extensions(tmp_path, "one")) as program:
        pilot = program.pilot
        await shows(program, "/one Raises", "one")
        pilot.type("a x b")
        assert draft(program) == "a  b"  # the key is lost, the others are not
        await program.told("no x here")
        empty(program)
        await shows(program, "/one RaisesAlways", "one")
        pilot.press("x", "y", "z")
        await pilot.wait_for(lambda: mark(program) == "")
        pilot.type("here again")
        assert draft(program) == "here again"
        empty(program)
        program.say("/one DrawsNothing")
        await program.told("cannot draw")
        for _ in range(3):
            pilot.tui.invalidate()
            pilot.tui.render_now()
        pilot.type("and again")
        await pilot.wait_for("and again")


async def test_what_is_no_editor_is_refused_with_the_reason(tmp_path: Path) -> None:
    async with interactive(tmp_path, *extensions(tmp_path, "one")) as program:
        program.say("/one NoEditor")
        await program.told("the factory returned NoEditor; editors extend pi_agent.CustomEditor")
        program.pilot.type("the old one")
        assert draft(program) == "the old one"


async def test_behind_a_dialog_it_appears_when_that_closes(tmp_path: Path) -> None:
    async with interactive(tmp_path, *extensions(tmp_path, "one", "two")) as program:
        program.say("/one ask")
        await program.pilot.wait_for("Sure?")
        await program_command(program, "/two Marked")
        program.pilot.tui.render_now()
        assert "Sure?" in program.pilot.screen()
        assert mark(program) == ""
        program.pilot.press("escape")
        await program.pilot.wait_for(lambda: mark(program) == "two")
        program.pilot.type("typed into it")
        assert draft(program) == "typed into it"


async def test_a_reload_takes_it_away_and_the_draft_stays(tmp_path: Path) -> None:
    async with interactive(tmp_path, *extensions(tmp_path, "one")) as program:
        await shows(program, "/one Marked", "one")
        program.say("/one wrap")
        await program.pilot.wait_for("made by Marked")
        program.pilot.type("a draft")
        await program_command(program, "/reload")
        await program.pilot.wait_for(lambda: mark(program) == "")
        assert draft(program) == "a draft"
        program.pilot.press("backspace")
        await program.pilot.wait_for("a draf")
