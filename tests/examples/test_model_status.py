"""Changes of the model in the footer, and the question that is suggested."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pi_agent.ui.support import ROOT, SIZES, interactive

pytestmark = pytest.mark.anyio

EXAMPLE = ROOT / "examples" / "extensions" / "model_status.py"
SNAPSHOTS = ROOT / "snapshots" / "examples" / "test_model_status"
WORDS = ("-e", str(EXAMPLE), "--model", "demo/echo", "--models", "demo/echo,demo/script")


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_a_change_is_told_and_a_question_suggested(
    tmp_path: Path, columns: int, rows: int
) -> None:
    async with interactive(tmp_path, *WORDS, columns=columns, rows=rows) as program:
        assert "→" not in program.pilot.screen()
        program.pilot.press("ctrl+p")
        await program.pilot.wait_for("next: echo → scr")
        await program.pilot.wait_for("Would you have ans")
        program.check_picture(SNAPSHOTS / "changed")
        program.say("/model demo/echo")
        await program.pilot.wait_for("chosen: script →")


async def test_a_resumed_session_has_not_changed_its_model(tmp_path: Path) -> None:
    async with interactive(tmp_path, *WORDS) as program:
        program.pilot.press("ctrl+p")
        await program.pilot.wait_for("next: echo → script")
        program.say("hello")
        await program.settled("PI_DEMO_SCRIPT")
    async with interactive(tmp_path, "-e", str(EXAMPLE), "-c") as program:
        await program.pilot.wait_for("(demo) script")
        assert "→" not in program.pilot.screen()
