"""A conversation of very many turns: compacted again and again it stays as short as it was, and its file is whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pi_agent.llm.model import Model
from pi_agent.llm.script import ScriptedCall, Step
from pi_agent.llm.scripted import ScriptState
from pi_agent.llm.stream import Context, StreamOptions
from pi_agent.llm.usage import Usage
from pi_agent.session.compaction import CompactionSettings
from pi_agent.session.estimate import estimate_all
from pi_agent.session.store import SessionManager
from tests.pi_agent.host.test_compaction import CompactingTalk
from tests.pi_agent.loop.script import tool

pytestmark = pytest.mark.anyio

WINDOW = 9000
# Bytes that a turn may take in memory; in the file it takes about 1,500.
MOST_A_TURN = 12_000


class Model9000:
    """Counts what it is asked like a model would, refuses what is too long, and calls a tool at every third request."""

    def __init__(self) -> None:
        self.asked = 0
        self.refused = 0
        self.longest = 0

    def __call__(
        self, context: Context, options: StreamOptions, state: ScriptState, model: Model
    ) -> Step:
        state.requests.clear()
        self.asked += 1
        tokens = estimate_all(context.messages)
        self.longest = max(self.longest, tokens)
        if "conversation" in context.system_prompt:
            return Step(text=f"## Goal\nGo on.\n\n## Progress\n{'s' * 200}")
        if tokens > WINDOW:
            self.refused += 1
            return Step(error=f"400: maximum context length is {WINDOW} tokens")
        usage = Usage(input=tokens, output=20)
        if self.asked % 3 == 0:
            call = ScriptedCall(name="look", id=f"c{self.asked}")
            return Step(tool_calls=[call], usage=usage)
        return Step(text="a" * 120, usage=usage)


def resident_bytes() -> int:
    """Return what the process takes of the machine's memory."""
    pages = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * 4096


@pytest.mark.parametrize(
    "turns", [120, pytest.param(10_000, marks=[pytest.mark.soak, pytest.mark.timeout(900)])]
)
async def test_a_conversation_of_many_turns(turns: int, tmp_path: Path) -> None:
    model, path = Model9000(), tmp_path / "s.jsonl"
    settings = CompactionSettings(reserve_tokens=2000, keep_recent_tokens=1500)
    talk = CompactingTalk(
        *[model] * (4 * turns),
        session=SessionManager.open(path, cwd=tmp_path),
        settings=settings,
        tools=[tool("look", lambda: "seen " * 60)],
    )
    at_first = 0
    made = 0
    for turn in range(turns):
        # Now and then somebody pastes a lot, so that a request is too long at once.
        text = "q" * (34_000 if turn % 97 == 96 else 150)
        await talk.conversation.prompt(f"question {turn} {text}")
        made += len(talk.ends)
        assert [end.error_message for end in talk.ends if end.result is None] == [], (
            turn,
            talk.lines,
        )
        talk.compactions.clear()
        talk.lines.clear()
        if turn == turns // 5:
            at_first = resident_bytes()
    assert made >= turns / 40
    assert model.refused and model.longest < 2 * WINDOW
    assert estimate_all(talk.conversation.messages) < WINDOW
    if turns > 1000:
        grown = resident_bytes() - at_first
        assert grown / (turns * 0.8) < MOST_A_TURN
    lines = path.read_text().splitlines()
    ids = [json.loads(line).get("id") for line in lines]
    assert len(set(ids)) == len(ids)
    again = SessionManager.open(path)
    assert [m.to_wire() for m in again.build_session_projection()] == [
        m.to_wire() for m in talk.conversation.messages
    ]
