"""The editor with two modes, in the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pi_agent.ui.support import ROOT, SIZES, interactive

pytestmark = pytest.mark.anyio

EXAMPLE = ROOT / "examples" / "extensions" / "modal_editor.py"
SNAPSHOTS = ROOT / "snapshots" / "examples" / "test_modal_editor"
WORDS = ("-e", str(EXAMPLE), "--model", "demo/echo")


@pytest.mark.parametrize(("columns", "rows"), SIZES)
async def test_commands_edit_and_the_mode_is_told(tmp_path: Path, columns: int, rows: int) -> None:
    async with interactive(tmp_path, *WORDS, columns=columns, rows=rows) as program:
        await program.pilot.wait_for("INSERT")
        program.pilot.type("say thsi now")
        program.pilot.press("escape")
        await program.pilot.wait_for("NORMAL")
        program.pilot.type("bbwhhxxislots of ")
        program.pilot.press("escape")
        await program.pilot.wait_for("NORMAL")
        program.check_picture(SNAPSHOTS / "normal")
        program.pilot.type("u")
        program.pilot.press("enter")  # what is no command is the program's
        await program.pilot.wait_for(lambda: program.app.composer.get_text() == "")


async def test_the_command_brings_the_editor_below_back(tmp_path: Path) -> None:
    async with interactive(tmp_path, *WORDS) as program:
        await program.pilot.wait_for("INSERT")
        program.say("/vi")
        await program.pilot.wait_for(lambda: "INSERT" not in program.pilot.screen())
        program.say("/vi")
        await program.pilot.wait_for("INSERT")
