"""The queue above the editor: worked with by keys alone, by mouse alone, and while the run goes on."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from pi_agent.host.conversation import Conversation
from pi_agent.llm.messages import UserMessage, text_of
from pi_agent.ui.live import LiveConversation
from tests.pi_agent.ui.support import Program, interactive, script
from tests.pi_agent.ui.test_mouse import row_of

pytestmark = pytest.mark.anyio

NOTES_QUEUE = """
def setup(pi):
    @pi.on("queue_update")
    def changed(event, ctx):
        lists = f"{event.steering} {event.follow_up} {event.held}"
        shown = [(each.kind, each.text) for each in ctx.queued_messages()]
        with open(f"{ctx.cwd}/queue.log", "a") as log:
            print(lists, shown, ctx.has_pending_messages(), file=log)
"""


@asynccontextmanager
async def queued(
    folder: Path, *texts: str, columns: int = 80, rows: int = 24, words: tuple[str, ...] = ()
) -> AsyncIterator[Program]:
    """Run the program with texts that wait for a tool; `go_on` lets it end. The last text is a follow-up."""
    call = {"name": "bash", "arguments": {"command": "read x < gate; echo $x"}}
    environ = script(folder, {"toolCalls": [call]}, *[{"text": f"answer {n}"} for n in range(5)])
    program_words = ("--model", "demo/script", *words)
    async with interactive(
        folder, *program_words, environ=environ, columns=columns, rows=rows
    ) as program:
        os.mkfifo(folder / "work" / "gate")
        program.say("go")
        await program.pilot.wait_for("$ read x")
        for text in texts[:-1]:
            program.say(text)
        program.pilot.type(texts[-1])
        program.pilot.press("alt+enter")
        queue = conversation_of(program).queue
        await program.pilot.wait_for(lambda: len(queue.listed) == len(texts))
        program.pilot.tui.render_now()
        yield program


def listed(program: Program) -> list[str]:
    """Return the rows of what waits."""
    kinds = ("Steering", "Follow-up", "S:", "S‖", "F:", "F‖")
    lines = (line.lstrip("→ ") for line in program.pilot.lines())
    return [line for line in lines if line.startswith(kinds)]


async def go_on(program: Program, folder: Path, last: str) -> None:
    await asyncio.to_thread((folder / "work" / "gate").write_text, "open\n")
    await program.settled(last)


def conversation_of(program: Program) -> Conversation:
    live = program.app._live
    assert isinstance(live, LiveConversation) and live.services is not None
    return live.services.conversation


def said(program: Program) -> list[str]:
    """Return what the user said in the session."""
    messages = conversation_of(program).messages
    return [text_of(message.content) for message in messages if isinstance(message, UserMessage)]


async def test_it_is_worked_with_by_keys_alone(tmp_path: Path) -> None:
    async with queued(tmp_path, "one", "two", "three") as program:
        pilot = program.pilot
        pilot.press("alt+e")
        assert "→ Steering: one" in pilot.screen()
        pilot.press("down", "alt+down")
        await pilot.wait_for("→ Follow-up: two")
        pilot.press("enter")
        await pilot.wait_for("Edit a queued message")
        pilot.type(" and a half")
        pilot.press("enter")
        await pilot.wait_for("→ Follow-up: two and a half")
        pilot.press("up", "space")
        await pilot.wait_for("→ Steering (held): one")
        pilot.press("down", "down", "delete")
        await pilot.wait_for(lambda: listed(program) == [
            "Steering (held): one",
            "Follow-up: two and a half",
        ])  # fmt: skip
        pilot.type("draft")
        assert program.app.composer.get_text() == "draft"
        await go_on(program, tmp_path, "answer 1")
        assert said(program) == ["go", "two and a half"]
        pilot.press("alt+e", "space")
        await program.settled("answer 2")
        assert said(program) == ["go", "two and a half", "one"]
        assert listed(program) == []
        pilot.type("!")
        assert program.app.composer.get_text() == "draft!"


@pytest.mark.parametrize("columns", [100, 40])
async def test_it_is_worked_with_by_the_mouse_alone(tmp_path: Path, columns: int) -> None:
    async with queued(tmp_path, "one", "two", "three", columns=columns) as program:
        pilot = program.pilot

        async def click(word: str, wanted: str) -> None:
            row = row_of(program, f" {word}")
            pilot.click(pilot.lines()[row].index(f" {word}") + 1, row)
            await pilot.wait_for(wanted)

        await click("two", "→ Steering: two")
        await click("up", "→ Steering: two")
        await pilot.wait_for(lambda: listed(program)[0] == "Steering: two")
        await click("down", "→ Steering: two")
        await pilot.wait_for(lambda: listed(program)[1] == "Steering: two")
        await click("down", "→ Follow-up: two")
        await click("hold", "→ Follow-up (held): two")
        await click("send", "→ Follow-up: two")
        pilot.click(2, row_of(program, "delete"))
        await pilot.wait_for("Edit a queued message")
        pilot.type("!")
        pilot.press("enter")
        await pilot.wait_for("→ Follow-up: two!")
        await click("one", "→ Steering: one")
        await click("delete", "→ Follow-up: two!")
        await click("back", "takes them back")
        assert listed(program) == ["Follow-up: two!", "Follow-up: three"]


async def test_a_small_screen_has_marks(tmp_path: Path) -> None:
    async with queued(tmp_path, "one", "two", columns=20, rows=10) as program:
        program.pilot.press("alt+e", "down")
        row = row_of(program, "✕")
        assert program.pilot.lines()[row - 1 : row + 1] == ["→ F: two", "✎ · ↑ · ↓ · ‖ · ✕"]
        program.pilot.click(16, row)
        await program.pilot.wait_for("→ S: one")


async def test_with_its_last_message_the_editor_has_the_keys_again(tmp_path: Path) -> None:
    async with queued(tmp_path, "one") as program:
        program.pilot.press("alt+e", "space")
        await program.pilot.wait_for("→ Follow-up (held): one")
        program.pilot.press("delete")
        await program.pilot.wait_for(lambda: listed(program) == [])
        program.pilot.type("x")
        assert program.app.composer.get_text() == "x"


async def test_escape_takes_back_what_is_held_too_but_not_what_is_edited(tmp_path: Path) -> None:
    async with queued(tmp_path, "one", "two") as program:
        program.pilot.press("alt+e", "space", "escape")
        await program.pilot.wait_for("Steering (held): one")
        program.pilot.press("escape")
        await program.settled("Operation aborted")
        assert program.app.composer.get_text() == "one\n\ntwo"
        assert said(program) == ["go"]


async def test_what_is_edited_when_another_session_comes_goes_into_the_editor(
    tmp_path: Path,
) -> None:
    async with queued(tmp_path, "one", "two") as program:
        program.pilot.press("alt+e", "enter")
        await program.pilot.wait_for("Edit a queued message")
        assert program.app._live is not None
        program.app._live.submit("/new")  # which a command of an extension might do
        await program.pilot.wait_for("New session.")
        assert program.app.composer.get_text() == "two"
        program.pilot.type("!")
        program.pilot.press("enter")
        await program.pilot.wait_for(lambda: program.app.composer.get_text() == "one!\n\ntwo")


async def test_an_extension_that_stops_the_run_gives_the_queue_back(tmp_path: Path) -> None:
    path = tmp_path / "stop.py"
    path.write_text(
        'def setup(pi):\n    pi.register_command("stop", lambda args, ctx: ctx.abort())\n'
    )
    async with queued(tmp_path, "one", "two", words=("-e", str(path))) as program:
        program.say("/stop")
        await program.settled("Operation aborted")
        assert program.app.composer.get_text() == "one\n\ntwo"
        assert said(program) == ["go"]


async def test_leaving_tells_what_was_never_sent(tmp_path: Path) -> None:
    async with queued(tmp_path, "one", "two") as program:
        program.pilot.press("ctrl+d")
        assert await program.ended() == 0
        assert "Not sent, as it was queued: one\nNot sent, as it was queued: two" in str(
            program.app.farewell
        )


async def test_extensions_are_told_of_every_change(tmp_path: Path) -> None:
    path = tmp_path / "notes.py"
    path.write_text(NOTES_QUEUE)
    async with queued(tmp_path, "one", "two", words=("-e", str(path))) as program:
        program.pilot.press("alt+e", "space")
        await program.pilot.wait_for("→ Steering (held): one")
        lines = (tmp_path / "work" / "queue.log").read_text().splitlines()
        shown = "[('steering', 'one'), ('follow_up', 'two')] True"
        assert lines[1:] == [
            f"['one'] ['two'] None {shown}",
            f"['one'] ['two'] ['one'] {shown}",
        ]
