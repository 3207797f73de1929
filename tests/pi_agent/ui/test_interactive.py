"""The interactive program as a person uses it: type, read the screen."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import pytest

from pi_agent.ui.app import InteractiveApp
from pi_tui.testing import HeadlessTerminal, Pilot
from tests.pi_agent.ui.support import ROOT, interactive, options_for, script

pytestmark = pytest.mark.anyio


async def test_a_message_is_answered(tmp_path: Path) -> None:
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        program.say("hello 日本")
        await program.settled("hello 日本")
        lines = [line.strip() for line in program.pilot.lines()]
        assert lines.count("hello 日本") == 2


async def test_help_names_the_commands_and_keys(tmp_path: Path) -> None:
    async with interactive(tmp_path, "--model", "demo/echo", rows=40) as program:
        program.say("/help")
        await program.pilot.wait_for("/quit")
        screen = program.pilot.screen()
        assert "/model [provider/id]" in screen
        assert "Ctrl+O" in screen


async def test_help_on_a_small_screen_begins_at_its_beginning(tmp_path: Path) -> None:
    async with interactive(
        tmp_path, "--model", "demo/echo", columns=40, rows=15, ready="echo"
    ) as program:
        program.say("/help")
        await program.pilot.wait_for("Show commands and keys")
        assert "/help" in program.pilot.lines()[1]
        program.say("go on")  # whoever writes is at the end again
        await program.settled("go on")
        assert program.app.screen.view.is_following_end


async def test_the_menu_of_commands_opens_and_completes(tmp_path: Path) -> None:
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        program.pilot.type("/")
        await program.pilot.wait_for("→ help")
        program.pilot.type("mo")
        await program.pilot.wait_for("→ model")
        program.pilot.press("tab")
        assert program.app.composer.get_text() == "/model "


async def test_quit_leaves(tmp_path: Path) -> None:
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        program.say("/quit")
        assert await program.ended() == 0
        assert not program.pilot.terminal.grid.alternate_screen


async def test_ctrl_c_clears_and_twice_quits(tmp_path: Path) -> None:
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        program.pilot.type("draft")
        program.pilot.press("ctrl+c")
        assert program.app.composer.get_text() == ""
        assert not program.task.done()
        program.pilot.terminal.send(b"\x03")
        assert await program.ended() == 0


async def test_ctrl_d_quits_only_an_empty_editor(tmp_path: Path) -> None:
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        program.pilot.type("ab")
        program.pilot.press("home", "ctrl+d")
        assert program.app.composer.get_text() == "b"
        program.pilot.press("ctrl+d")
        program.pilot.terminal.send(b"\x04")
        assert await program.ended() == 0


async def test_tools_run_and_show_what_they_did(tmp_path: Path) -> None:
    environ = script(
        tmp_path,
        {
            "text": "Looking.",
            "toolCalls": [
                {"name": "bash", "arguments": {"command": "seq 1 12"}},
                {"name": "read", "arguments": {"path": "missing.txt"}},
            ],
        },
        {"text": "Done."},
    )
    async with interactive(tmp_path, "--model", "demo/script", environ=environ) as program:
        program.say("go")
        await program.settled("Done.")
        screen = program.pilot.screen()
        assert "$ seq 1 12" in screen
        assert "... (7 earlier lines, Ctrl+O to expand)" in screen
        assert "missing.txt" in screen
        assert "No such file" in screen
        program.pilot.press("ctrl+o", "pageUp")
        await program.pilot.wait_for("$ seq 1 12")
        assert "earlier lines" not in program.pilot.screen()


async def test_escape_stops_an_answer_and_gives_queued_messages_back(tmp_path: Path) -> None:
    environ = script(tmp_path, {"text": "word " * 200, "tokensPerSecond": 5}, {"text": "fresh"})
    async with interactive(tmp_path, "--model", "demo/script", environ=environ) as program:
        program.say("go")
        await program.pilot.wait_for("word")
        program.say("not that")
        await program.pilot.wait_for("Steering: not that")
        program.pilot.press("escape")
        await program.settled("Operation aborted")
        assert program.app.composer.get_text() == "not that"
        program.pilot.press("ctrl+c")
        program.say("again")
        await program.settled("fresh")


async def test_a_steering_message_reaches_the_running_work(tmp_path: Path) -> None:
    environ = script(
        tmp_path,
        {"toolCalls": [{"name": "bash", "arguments": {"command": "read x < gate; echo $x"}}]},
        {"match": "left", "text": "Going left."},
    )
    async with interactive(tmp_path, "--model", "demo/script", environ=environ) as program:
        gate = tmp_path / "work" / "gate"
        os.mkfifo(gate)
        program.say("go")
        await program.pilot.wait_for("$ read x")
        program.say("left")
        await program.pilot.wait_for("Steering: left")
        await asyncio.to_thread(gate.write_text, "open\n")  # waits until the command reads
        await program.settled("Going left.")
        assert "Steering" not in program.pilot.screen()


async def test_what_is_sent_before_everything_is_loaded_is_said_then(tmp_path: Path) -> None:
    terminal = HeadlessTerminal(80, 24)
    app = InteractiveApp(options_for(tmp_path, ["--model", "demo/echo"]), terminal)
    task = asyncio.create_task(app.run())
    await asyncio.sleep(0)
    pilot = Pilot(app.tui, terminal)
    pilot.type("early bird")
    pilot.press("enter")
    assert "Still starting" in pilot.screen()
    assert app.composer.get_text() == ""
    await pilot.wait_for(lambda: pilot.screen().count("early bird") == 2)
    app.tui.stop()
    await task


async def test_a_session_is_resumed_with_its_messages_model_and_history(tmp_path: Path) -> None:
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        program.say("remember this")
        await program.settled("remember this")
    async with interactive(tmp_path, "-c") as program:
        await program.pilot.wait_for(lambda: program.pilot.screen().count("remember this") == 2)
        assert "(demo) echo" in program.pilot.screen()
        program.pilot.press("up")
        assert program.app.composer.get_text() == "remember this"
        program.pilot.press("ctrl+c")
        program.say("and this")
        await program.settled("and this")
    files = list((tmp_path / "agent" / "sessions").rglob("*.jsonl"))
    assert len(files) == 1
    roles = [
        json.loads(line)["message"]["role"]
        for line in files[0].read_text().splitlines()
        if '"message"' in line
    ]
    assert roles == ["system", "user", "assistant", "user", "assistant"]


async def test_a_broken_models_file_is_named_and_the_program_goes_on(tmp_path: Path) -> None:
    (tmp_path / "agent").mkdir()
    (tmp_path / "agent" / "models.json").write_text('{"providers": {"x": {"api": 3}}}')
    async with interactive(tmp_path, "--model", "demo/echo", columns=200) as program:
        await program.pilot.wait_for("models.json")
        program.say("fine")
        await program.settled("fine")


async def test_an_unknown_model_on_the_command_line_is_named_and_the_program_goes_on(
    tmp_path: Path,
) -> None:
    async with interactive(tmp_path, "--model", "nosuchmodel") as program:
        await program.pilot.wait_for("nosuchmodel")
        assert "Error:" in program.pilot.screen()
        assert not program.task.done()


async def test_a_torn_session_is_told_and_goes_on(tmp_path: Path) -> None:
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        program.say("first")
        await program.settled("first")
    [file] = list((tmp_path / "agent" / "sessions").rglob("*.jsonl"))
    whole = file.read_bytes()
    file.write_bytes(whole[:-20])
    async with interactive(tmp_path, "-c") as program:
        await program.pilot.wait_for("first")
        assert "line" in program.pilot.screen()
        program.say("second")
        await program.settled("second")
    for line in file.read_text().splitlines():
        if line != whole[:-20].splitlines()[-1].decode():
            json.loads(line)


EXTENSIONS = {
    "syntax.py": ("def setup(pi:\n", "syntax.py"),
    "nosetup.py": ("x = 1\n", "setup"),
    "raises.py": ("def setup(pi):\n    raise ValueError('no luck today')\n", "no luck today"),
    "exits.py": ("import sys\nsys.exit(3)\n", "exits.py"),
}


@pytest.mark.parametrize("name", EXTENSIONS)
async def test_a_failing_extension_is_named_and_the_program_goes_on(
    tmp_path: Path, name: str
) -> None:
    code, told = EXTENSIONS[name]
    (tmp_path / name).write_text(code)
    async with interactive(
        tmp_path, "--model", "demo/echo", "-e", str(tmp_path / name), columns=200
    ) as program:
        await program.pilot.wait_for("Failed to load extension" if "no" not in name else told)
        assert told in program.pilot.screen()
        program.say("fine")
        await program.settled("fine")


async def test_a_command_of_an_extension_greets(tmp_path: Path) -> None:
    async with interactive(
        tmp_path, "--model", "demo/echo", "-e", str(ROOT / "examples/extensions/hello.py")
    ) as program:
        program.pilot.type("/hel")
        await program.pilot.wait_for("Show a greeting")
        program.pilot.press("escape")
        program.app.composer.set_text("")
        program.say("/hello Ada")
        await program.pilot.wait_for("Hello, Ada!")


GATE = """
def setup(pi):
    @pi.on("tool_call")
    async def gate(event, ctx):
        if event.tool_name == "bash":
            if not await ctx.ui.confirm("Run it?", event.input["command"]):
                return {"block": True, "reason": "No, said the user"}
            event.input["command"] += "; echo rewritten"
"""


async def test_a_gate_asks_blocks_and_rewrites(tmp_path: Path) -> None:
    (tmp_path / "gate.py").write_text(GATE)
    call = {"toolCalls": [{"name": "bash", "arguments": {"command": "echo ran"}}]}
    environ = script(tmp_path, call, {"text": "first done"}, call, {"text": "second done"})
    async with interactive(
        tmp_path, "--model", "demo/script", "-e", str(tmp_path / "gate.py"), environ=environ
    ) as program:
        program.say("go")
        await program.pilot.wait_for("Run it?")
        program.pilot.press("escape")
        await program.settled("first done")
        assert "No, said the user" in program.pilot.screen()
        program.say("go again")
        await program.pilot.wait_for(lambda: program.pilot.screen().count("Run it?") == 1)
        program.pilot.press("up", "up", "enter")
        await program.settled("second done")
        assert "rewritten" in program.pilot.screen()


async def test_a_gate_that_fails_blocks_and_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(
        "def setup(pi):\n    pi.on('tool_call', lambda event: 1 / 0)\n"
    )
    environ = script(
        tmp_path,
        {"toolCalls": [{"name": "bash", "arguments": {"command": "touch ran"}}]},
        {"text": "after"},
    )
    async with interactive(
        tmp_path, "--model", "demo/script", "-e", str(tmp_path / "bad.py"), environ=environ
    ) as program:
        program.say("go")
        await program.settled("after")
        assert "division by zero" in program.pilot.screen()
        assert not (tmp_path / "work" / "ran").exists()


async def test_an_extension_that_hangs_is_named_and_escape_skips_it(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "import asyncio\n"
        "def setup(pi):\n"
        "    @pi.on('tool_call')\n"
        "    async def never(event, ctx):\n"
        "        await asyncio.Event().wait()\n"
    )
    environ = script(
        tmp_path,
        {"toolCalls": [{"name": "bash", "arguments": {"command": "true"}}]},
        {"text": "after"},
    )
    async with interactive(
        tmp_path, "--model", "demo/script", "-e", str(tmp_path / "slow.py"), environ=environ
    ) as program:
        program.say("go")
        await program.pilot.wait_for("waiting for slow: tool_call")
        program.pilot.press("escape")
        await program.settled("after")


async def test_what_an_extension_prints_becomes_a_notice(tmp_path: Path) -> None:
    (tmp_path / "loud.py").write_text(
        "import sys\n"
        "def setup(pi):\n"
        "    @pi.command('shout')\n"
        "    def shout(args):\n"
        "        print('out of', args)\n"
        "        print('line', file=sys.stderr)\n"
    )
    async with interactive(
        tmp_path, "--model", "demo/echo", "-e", str(tmp_path / "loud.py")
    ) as program:
        program.say("/shout turn")
        await program.pilot.wait_for("out of turn")
        await program.pilot.wait_for("line")


async def test_a_conversation_that_is_too_long_is_told_with_what_to_do(tmp_path: Path) -> None:
    environ = script(tmp_path, {"error": "400 maximum context length exceeded"}, {"text": "Anew."})
    async with interactive(tmp_path, "--model", "demo/script", environ=environ) as program:
        program.say("hello")
        await program.settled("/compact puts a summary in")
        program.say("/compact")  # what it says is what there is
        await program.pilot.wait_for("Nothing to compact (session too small)")
        program.say("hello")
        await program.settled("Anew.")
