"""What is typed, and what the model gets of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_agent.extensions.events import InputEvent
from pi_agent.extensions.rules import INPUT
from tests.pi_agent.extensions.support import run_files
from tests.pi_agent.ui.support import ROOT, interactive

pytestmark = pytest.mark.anyio

EXAMPLE = ROOT / "examples" / "extensions" / "input_transform.py"


async def test_a_quick_question_is_rewritten_and_ping_reaches_no_model(tmp_path: Path) -> None:
    """`demo/echo` says what it is told."""
    words = ("-e", str(EXAMPLE), "--model", "demo/echo")
    async with interactive(tmp_path, *words) as program:
        program.say("ping")
        await program.pilot.wait_for("pong")
        assert not program.app.screen.status.message
        program.say("?quick why is the sky blue")
        await program.settled("Answer in one sentence: why is the sky blue")
        assert "ping" not in program.pilot.screen()


@pytest.mark.parametrize("text", ["ping", "?quick x"])
async def test_what_extensions_send_is_left_alone(text: str) -> None:
    running = await run_files([EXAMPLE])
    done = await running.runner.emit(InputEvent(text, source="extension"), INPUT)
    assert (done.event.text, done.results) == (text, [])


async def test_other_texts_go_on_as_they_are() -> None:
    running = await run_files([EXAMPLE])
    done = await running.runner.emit(InputEvent("What is ?quick for"), INPUT)
    assert (done.event.text, done.results) == ("What is ?quick for", [])
