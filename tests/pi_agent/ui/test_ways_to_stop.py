"""Every way to stop, from the keyboard, at every point of a conversation.

Each state is entered again and again in a program: Escape leaves it, then `/new`, then one of the ways out. After
that nothing runs any more, and what was said is in the session's file.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from pi_agent.ui.app import InteractiveApp
from pi_tui.testing import HeadlessTerminal, Pilot
from tests.pi_agent.ui.support import Program, interactive, options_for, script

pytestmark = pytest.mark.anyio

# A number that no other process sleeps for.
SLEEP = f"sleep 7{os.getpid()}"


@dataclass(frozen=True)
class State:
    """What goes on: what the model answers, what is said and pressed, and what shows that it has come to that.

    `begun` shows that it has begun, if `then` keys lead on, `is_after` once the answer is complete. `left` shows
    that Escape has ended it, and `draft` is in the editor then.
    """

    answer: Mapping[str, object]
    seen: str
    left: str
    said: str = "go"
    begun: str = ""
    then: Sequence[str] = ()
    draft: str = ""
    is_after: bool = False


SLOW = {"text": "word " * 200, "tokensPerSecond": 5}
CALL = {"name": "bash", "arguments": {"command": SLEEP}}
STATES = {
    "streaming text": State(SLOW, "word", "Operation aborted"),
    "streaming thinking": State(
        {"thinking": "hm " * 200, "text": "x", "tokensPerSecond": 5}, "hm", "Operation aborted"
    ),
    "tool running": State({"toolCalls": [CALL]}, f"$ {SLEEP}", "Operation aborted"),
    "retry sleep": State({"error": "503: busy"}, "Retrying (1/3)", "Retry cancelled"),
    "! running": State({"text": "unused"}, f"$ {SLEEP}", "(cancelled)", said=f"!{SLEEP}"),
    "with a queue": State(
        SLOW,
        "Steering: later",
        "Operation aborted",
        begun="word",
        then=("later", "enter"),
        draft="later",
    ),
    "compaction": State(
        {"text": "A long answer. " * 6},
        "ompacting",
        "Compaction cancelled",
        begun="answer.",
        then=("/compact", "enter"),
        is_after=True,
    ),
}
SUMMARY = {"text": "a summary", "match": "<conversation>", "repeat": True, "delayMs": 50_000}
WAYS_OUT: dict[str, tuple[str, ...]] = {
    "ctrl+c twice": ("ctrl+c", "ctrl+c"),
    "ctrl+d": ("ctrl+d",),
    "/quit": ("/quit", "enter"),
}


def press(program: Program, keys: Sequence[str]) -> None:
    """Press keys; what is none is typed."""
    for key in keys:
        if key.startswith(("ctrl+", "alt+")) or key in ("enter", "escape", "space"):
            program.pilot.press(key)
        else:
            program.pilot.type(key)


async def enter(program: Program, state: State) -> None:
    """Begin, and wait until it shows: what was there before does not count."""
    begun = state.begun or state.seen
    before = program.pilot.screen().count(begun)
    program.say(state.said)
    await program.pilot.wait_for(lambda: program.pilot.screen().count(begun) > before)
    if state.is_after:
        await program.settled(begun)
    if state.then:
        press(program, state.then)
        await program.pilot.wait_for(state.seen)


def sleepers() -> list[str]:
    """Return the processes that the commands of this module started."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue  # it has ended meanwhile
        if words[:2] == SLEEP.split():
            found.append(path.parent.name)
    return found


def stored(folder: Path) -> list[list[str]]:
    """Return what the user said in each session file; every line of them is whole."""
    sessions = []
    for file in sorted((folder / "agent").glob("sessions/*/*.jsonl")):
        messages = [json.loads(line).get("message", {}) for line in file.open()]
        sessions.append(
            [each["content"][0]["text"] for each in messages if each.get("role") == "user"]
        )
    return sessions


@pytest.mark.parametrize("way", WAYS_OUT.values(), ids=WAYS_OUT)
@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
async def test_it_ends_at_once_and_nothing_is_left_running(
    tmp_path: Path, state: State, way: tuple[str, ...]
) -> None:
    (tmp_path / "agent").mkdir()
    settings = {"retry": {"baseDelayMs": 50_000}, "compaction": {"keepRecentTokens": 1}}
    (tmp_path / "agent" / "settings.json").write_text(json.dumps(settings))
    environ = script(tmp_path, SUMMARY, *[state.answer] * 4)
    async with interactive(tmp_path, "--model", "demo/script", environ=environ, rows=60) as program:
        if way == WAYS_OUT["ctrl+c twice"]:
            await enter(program, state)
            program.pilot.press("escape")
            await program.settled(state.left)
            assert program.app.composer.get_text() == state.draft
            program.app.composer.set_text("")
            await enter(program, state)
            program.say("/new")
            await program.settled("New session.")
            assert state.left not in program.pilot.screen()
            assert program.app.composer.get_text() == state.draft
            program.app.composer.set_text("")
        await enter(program, state)
        press(program, way)
        assert await program.ended() == 0
    assert sleepers() == []
    said = [] if state.said.startswith("!") else [state.said]
    for session in stored(tmp_path):
        assert set(session) == set(said)


# The queue has the keys, or a message is edited: what the same keys do there.
IN_QUEUE: dict[str, tuple[tuple[str, ...], tuple[str, ...], str]] = {
    "escape leaves the queue": (("alt+e",), ("escape",), "Alt+Up takes"),
    "escape leaves the message": (("alt+e", "enter"), ("escape",), "→ Steering: later"),
    "what is typed is no command": (("alt+e", "enter"), ("/quit",), "later/quit"),
}


@pytest.mark.parametrize(("before", "keys", "seen"), IN_QUEUE.values(), ids=IN_QUEUE)
async def test_in_the_queue_keys_stop_nothing(
    tmp_path: Path, before: tuple[str, ...], keys: tuple[str, ...], seen: str
) -> None:
    state = STATES["with a queue"]
    environ = script(tmp_path, SLOW)
    async with interactive(tmp_path, "--model", "demo/script", environ=environ) as program:
        await enter(program, state)
        for key in before:
            press(program, [key])
            await program.pilot.wait_for("Edit a queued" if key == "enter" else "→ Steering")
        press(program, keys)
        await program.pilot.wait_for(seen)
        assert "Operation aborted" not in program.pilot.screen()
        assert "Working" in program.pilot.screen()


SLOW_START = """
import asyncio

def setup(pi):
    @pi.on("session_start")
    async def never():
        await asyncio.Event().wait()
"""


@pytest.mark.parametrize("keys", WAYS_OUT.values(), ids=WAYS_OUT)
async def test_it_ends_while_it_starts(tmp_path: Path, keys: tuple[str, ...]) -> None:
    extension = tmp_path / "slow.py"
    extension.write_text(SLOW_START)
    options = options_for(tmp_path, ["--model", "demo/echo", "-e", str(extension)])
    terminal = HeadlessTerminal(80, 24, answers={"da1"})
    app = InteractiveApp(options, terminal)
    task = asyncio.create_task(app.run())
    await asyncio.sleep(0)
    program = Program(app, Pilot(app.tui, terminal), options.paths.agent_dir, task)
    await program.pilot.wait_for("slow")  # it is among those that are shown
    assert not app.is_ready
    press(program, keys)
    assert await program.ended() == 0


@pytest.mark.parametrize("keys", [("ctrl+c", "ctrl+c"), ("ctrl+d",), ("escape", "/quit", "enter")])
async def test_it_ends_while_it_waits_for_a_model(tmp_path: Path, keys: tuple[str, ...]) -> None:
    async with interactive(tmp_path, ready="Small built-in model") as program:
        press(program, keys)
        assert await program.ended() == 0
