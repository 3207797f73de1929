"""The text of each turn in the footer."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_agent.extensions.events import TurnEndEvent
from pi_agent.extensions.merge import NOTIFY
from pi_agent.llm.messages import AssistantMessage
from pi_agent.loop.events import AgentSettled, TurnStart
from tests.pi_agent.extensions.support import run_files
from tests.pi_agent.ui.support import ROOT, SIZES, interactive, script

pytestmark = pytest.mark.anyio

EXAMPLE = ROOT / "examples" / "extensions" / "status_line.py"
SNAPSHOTS = ROOT / "snapshots" / "examples" / "test_status_line"


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_the_end_of_a_run_tells_how_many_turns_it_took(
    tmp_path: Path, columns: int, rows: int
) -> None:
    call = {"toolCalls": [{"name": "bash", "arguments": {"command": "true"}}]}
    environ = script(tmp_path, call, {"text": "fine"})
    words = ("-e", str(EXAMPLE), "--model", "demo/script")
    async with interactive(
        tmp_path, *words, columns=columns, rows=rows, environ=environ, ready="○ ready"
    ) as program:
        program.say("go")
        await program.settled("✓ done in 2 turns")
        program.check_picture(SNAPSHOTS / "done")


async def test_every_turn_has_its_text() -> None:
    """Told by the events themselves: on a screen they pass too quickly."""
    running = await run_files([EXAMPLE])
    runner = running.runner
    answer = AssistantMessage(provider="demo", model="echo", api="demo", content=[])
    await runner.start("startup")
    for number in range(2):
        await runner.emit(TurnStart(number, 0.0), NOTIFY)
        await runner.emit(TurnEndEvent(number, answer, [], "completed"), NOTIFY)
    await runner.emit(AgentSettled(aborted=True), NOTIFY)
    assert running.person.statuses == [
        "○ ready",
        "● turn 1",
        "● turn 2",
        "✗ stopped after 2 turns",
    ]
    assert running.errors == []
