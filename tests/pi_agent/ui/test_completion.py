"""Files and paths that are completed in the editor, from the project's folder on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pi_agent.ui.support import Program, interactive

pytestmark = pytest.mark.anyio


def _files(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / "work" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def _selected(program: Program) -> str:
    rows = [row for row in program.pilot.screen().splitlines() if row.startswith("→ ")]
    return rows[0].split()[1] if rows else ""


async def test_files_of_the_project_are_completed(tmp_path: Path) -> None:
    _files(tmp_path, "src/parser.py", "src/my notes.md", "notes.log", ".gitignore")
    (tmp_path / "work" / ".git").mkdir()  # what is no repository has rules for nobody but us
    (tmp_path / "work" / ".gitignore").write_text("*.log\n")
    async with interactive(tmp_path, "--model", "demo/echo") as program:
        pilot, composer = program.pilot, program.app.composer
        pilot.type("look at @notes")
        await pilot.wait_for(lambda: _selected(program) == "my")
        pilot.press("enter")
        assert composer.get_text() == 'look at @"src/my notes.md" '
        pilot.type("and ./s")
        pilot.press("tab")
        await pilot.wait_for(lambda: composer.get_text().endswith("and ./src/"))
        pilot.press("tab")
        await pilot.wait_for("  my notes.md")
        assert _selected(program) == "parser.py"
        pilot.press("tab")
        assert composer.get_text().endswith("and ./src/parser.py")


@pytest.mark.parametrize("lines", [1, 3])
async def test_on_a_small_screen_the_selected_file_stays_in_sight(
    tmp_path: Path, lines: int
) -> None:
    _files(tmp_path, *(f"file{number}" for number in range(6)))
    async with interactive(tmp_path, "--model", "demo/echo", columns=20, rows=10) as program:
        program.app.composer.set_text("x\n" * (lines - 1))
        program.pilot.type("@file")
        for number in range(4):
            await program.pilot.wait_for(f"→ file{number}")
            program.pilot.press("down")
        assert "@file" in program.pilot.screen()
