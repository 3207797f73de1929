"""Nothing that was typed is lost or sent by mistake, and the program ends whatever fails on the way."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from pi_agent.ui.actions import ActionHandler
from pi_agent.ui.app import InteractiveApp
from pi_tui.testing import HeadlessTerminal
from tests.pi_agent.ui.support import interactive, options_for, script

pytestmark = pytest.mark.anyio

LONG = "\n".join(f"pasted line {number}" for number in range(30))


def sessions(folder: Path) -> str:
    """Return all that was written down."""
    return "".join(file.read_text() for file in (folder / "agent" / "sessions").rglob("*.jsonl"))


# The draft


async def test_escape_keeps_what_was_pasted_meanwhile(tmp_path: Path) -> None:
    environ = script(tmp_path, {"text": "word " * 200, "tokensPerSecond": 5})
    async with interactive(tmp_path, "--model", "demo/script", environ=environ) as program:
        program.say("go")
        await program.pilot.wait_for("word")
        program.say("queued")
        await program.pilot.wait_for("Steering: queued")
        program.pilot.type("look: ")
        program.pilot.paste(LONG)
        program.pilot.press("escape")
        await program.settled("Operation aborted")
        composer = program.app.composer
        assert composer.get_text() == "queued\n\nlook: [paste #1 +30 lines]"
        assert composer.get_expanded_text() == f"queued\n\nlook: {LONG}"
        program.pilot.type("!")
        assert composer.get_text().endswith("lines]!")


async def test_a_first_message_that_cannot_be_sent_is_in_the_editor(tmp_path: Path) -> None:
    (tmp_path / "agent").mkdir()
    (tmp_path / "agent" / "models.json").write_text(
        '{"providers": {"shut": {"baseUrl": "http://127.0.0.1:1", "apiKey": "$NO_SUCH_KEY",'
        ' "models": [{"id": "m"}]}}}'
    )
    messages = ["first words", "second words"]
    async with interactive(tmp_path, "--model", "shut/m", messages=messages) as program:
        await program.pilot.wait_for("Error: No API key for shut/m")
        program.pilot.press("escape")
        composer = program.app.composer
        await program.pilot.wait_for(lambda: composer.get_text() == "first words\n\nsecond words")
        composer.set_text("")
        program.pilot.press("up", "up")
        assert "words" in composer.get_text()


async def test_first_messages_are_said_one_after_the_other(tmp_path: Path) -> None:
    terminal = HeadlessTerminal(80, 24, answers={"da1"})
    options = options_for(tmp_path, ["--model", "demo/echo"])
    app = InteractiveApp(options, terminal, messages=["alpha", "beta"])
    task = asyncio.create_task(app.run())
    await asyncio.sleep(0)
    while sum("beta" in line for line in terminal.grid.lines()) < 2:
        await asyncio.wait_for(terminal.wait_changed(), 10)
    words = [word for line in terminal.grid.lines() if (word := line.strip()) in ("alpha", "beta")]
    assert words == ["alpha", "alpha", "beta", "beta"]
    app.tui.stop()
    await task


async def test_a_follow_up_is_answered_when_the_run_would_end(tmp_path: Path) -> None:
    environ = script(
        tmp_path,
        {"toolCalls": [{"name": "bash", "arguments": {"command": "read x < gate; echo $x"}}]},
        {"text": "First done."},
        {"match": "and then", "text": "Then that."},
    )
    async with interactive(tmp_path, "--model", "demo/script", environ=environ) as program:
        os.mkfifo(tmp_path / "work" / "gate")
        program.say("go")
        await program.pilot.wait_for("$ read x")
        program.pilot.type("and then")
        program.pilot.press("alt+enter")
        await program.pilot.wait_for("Follow-up: and then")
        assert "Alt+Up takes it back" in program.pilot.screen()
        # Opening waits for the reader, which our loop has yet to start.
        await asyncio.to_thread((tmp_path / "work" / "gate").write_text, "open\n")
        await program.settled("Then that.")
        assert "Follow-up" not in program.pilot.screen()


async def test_the_key_of_follow_ups_sends_when_nothing_goes_on(tmp_path: Path) -> None:
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        program.pilot.type("sent by the other key")
        program.pilot.press("alt+enter")
        await program.settled("sent by the other key")
        assert program.pilot.screen().count("sent by the other key") == 2


# Calls


async def test_an_id_that_comes_again_in_a_later_turn_is_another_call(tmp_path: Path) -> None:
    def calls(command: str) -> dict[str, object]:
        call = {"id": "call_0", "name": "bash", "arguments": {"command": f"echo {command}"}}
        return {"toolCalls": [call]}

    environ = script(tmp_path, calls("o''ne"), calls("t''wo"), {"text": "Done."})
    words = ("--model", "demo/script")
    async with interactive(tmp_path, *words, environ=environ, rows=40) as program:
        program.say("go")
        await program.settled("Done.")
        live = [line.strip() for line in program.pilot.lines()]
    async with interactive(tmp_path, "-c", environ=environ, rows=40) as program:
        await program.pilot.wait_for("Done.")
        stored = [line.strip() for line in program.pilot.lines()]
    for lines in (live, stored):
        shown = [line for line in lines if line in ("$ echo o''ne", "one", "$ echo t''wo", "two")]
        assert shown == ["$ echo o''ne", "one", "$ echo t''wo", "two"]


# Dialogs


ASK = """
def setup(pi):
    @pi.command("ask")
    async def ask(args, ctx):
        answer = await ctx.ui.confirm("Delete it all?", "")
        ctx.ui.notify(f"answer {answer}")
"""


async def test_the_programs_keys_work_while_a_question_is_open(tmp_path: Path) -> None:
    (tmp_path / "ask.py").write_text(ASK)
    environ = script(
        tmp_path,
        {"toolCalls": [{"name": "bash", "arguments": {"command": "seq 1 12"}}]},
        {"text": "Done."},
    )
    async with interactive(
        tmp_path,
        *("--model", "demo/script", "-e", str(tmp_path / "ask.py")),
        environ=environ,
        rows=50,
    ) as program:
        program.say("go")
        await program.settled("Done.")
        assert "earlier lines" in program.pilot.screen()
        program.say("/ask")
        await program.pilot.wait_for("Delete it all?")
        program.pilot.press("ctrl+o")
        assert "earlier lines" not in program.pilot.screen()
        program.pilot.press("ctrl+l")
        assert program.app.composer.get_text() == ""
        program.pilot.terminal.send(b"\x04")
        assert await program.ended() == 0


async def test_ctrl_c_and_escape_belong_to_the_question(tmp_path: Path) -> None:
    (tmp_path / "ask.py").write_text(ASK)
    async with interactive(
        tmp_path, "--model", "demo/echo", "-e", str(tmp_path / "ask.py")
    ) as program:
        for key in ("ctrl+c", "escape"):
            program.say("/ask")
            await program.pilot.wait_for("Delete it all?")
            program.pilot.press(key)
            await program.pilot.wait_for("answer False")
        assert not program.task.done()


# Leaving


async def test_what_comes_after_quit_in_one_read_is_not_said(tmp_path: Path) -> None:
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        program.pilot.terminal.send(b"/quit\rhello\r")
        assert await program.ended() == 0
        assert "hello" not in "\n".join(program.pilot.lines())
    assert "hello" not in sessions(tmp_path)


SLOW_GOODBYE = """
import asyncio
from pathlib import Path

def setup(pi):
    @pi.on("session_shutdown")
    async def goodbye(event, ctx):
        Path(ctx.cwd, "begun").touch()
        while not Path(ctx.cwd, "go").exists():
            await asyncio.sleep(0.01)
"""


async def test_nothing_is_said_while_extensions_say_goodbye(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW_GOODBYE)
    async with interactive(
        tmp_path, "--model", "demo/echo", "-e", str(tmp_path / "slow.py")
    ) as program:
        work = tmp_path / "work"
        program.pilot.terminal.close()
        await program.pilot.wait_for((work / "begun").exists)
        program.pilot.terminal.send(b"too late\r")
        (work / "go").touch()
        assert await program.ended() == 129
    assert "too late" not in sessions(tmp_path)


class Unlucky:
    """A conversation that cannot end."""

    actions: Mapping[str, ActionHandler] = MappingProxyType({})

    async def stop(self) -> None:
        raise RuntimeError("no end today")

    def farewell(self) -> None:
        return None


@pytest.mark.parametrize("by_signal", [False, True])
async def test_an_end_that_fails_still_gives_the_terminal_back(
    tmp_path: Path, by_signal: bool
) -> None:
    terminal = HeadlessTerminal(80, 24, answers={"da1"})
    app = InteractiveApp(options_for(tmp_path, ["--model", "demo/echo"]), terminal)
    task = asyncio.create_task(app.run())
    await asyncio.sleep(0)
    while not app.is_ready:
        await asyncio.wait_for(terminal.wait_changed(), 10)
    real, app._live = app._live, Unlucky()  # type: ignore[assignment]  # only its end is asked for
    if by_signal:
        terminal.close()
    else:
        terminal.send(b"\x04")
    await asyncio.wait({task}, timeout=5)
    ended = task.done()
    task.cancel()
    with pytest.raises(RuntimeError, match="no end today"):
        await task
    assert ended
    assert not app.tui.is_started
    assert not terminal.grid.alternate_screen
    assert real is not None
    await real.stop()


class Broken(HeadlessTerminal):
    """A terminal that cannot be had."""

    def write(self, data: str) -> None:
        """Fail."""
        raise OSError("no terminal today")


async def test_a_start_that_fails_is_raised_and_leaves_nothing_behind(tmp_path: Path) -> None:
    app = InteractiveApp(options_for(tmp_path, ["--model", "demo/echo"]), Broken(80, 24))
    tasks, streams = asyncio.all_tasks(), (sys.stdout, sys.stderr)
    handlers = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)]
    with pytest.raises(OSError, match="no terminal today"):
        await app.run()
    assert asyncio.all_tasks() == tasks
    assert (sys.stdout, sys.stderr) == streams
    assert handlers == [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)]
