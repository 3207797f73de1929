"""The tour on the screen, from the first question to the last, and how it leaves."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.pi_agent.ui.support import ROOT, HurriedClock, Program, interactive

pytestmark = pytest.mark.anyio

SNAPSHOTS = ROOT / "snapshots" / "extensions" / "test_tour"
# What the editor offers at each stop, and what the last lines there say.
WAY = (
    ("Show me around", "for one."),
    ("How do you think?", "of that."),
    ("What about Markdown?", "Hello, {name}"),
    ("Read a file", "only looks."),
    ("Run a command", "next message."),
    ("What can extensions do?", "Stops of the t"),
    ("What do I do on my own?", "for example."),
)


@asynccontextmanager
async def tour(
    folder: Path, *words: str, columns: int = 80, rows: int = 24
) -> AsyncIterator[Program]:
    """Start the tour, with a model that talks as fast as it is drawn."""
    started = interactive(
        folder, "--demo", *words, columns=columns, rows=rows, clock=HurriedClock()
    )
    async with started as program:
        yield program


def draft(program: Program) -> str:
    """Return what stands in the editor."""
    return program.app.composer.get_text()


async def offered(program: Program, question: str) -> None:
    """Wait until the editor offers a question."""
    await program.pilot.wait_for(lambda: draft(program) == question)


async def go_to(program: Program, stop: int) -> None:
    """Press Enter until the stop with this number has been seen."""
    for question, last_words in WAY[: stop + 1]:
        await offered(program, question)
        program.pilot.press("enter")
        await program.told(last_words)
        await program.pilot.wait_for(lambda: program.app.screen.status.message is None)


@pytest.mark.parametrize(("columns", "rows"), [(100, 30), (40, 15), (20, 10)])
async def test_enter_is_enough_from_the_beginning_to_the_end(
    tmp_path: Path, columns: int, rows: int
) -> None:
    async with tour(tmp_path, columns=columns, rows=rows) as program:
        await go_to(program, 5)
        program.pilot.press("escape")
        await offered(program, WAY[6][0])
        program.pilot.press("enter")
        await program.told("for example.")
        await program.pilot.wait_for(lambda: program.app.screen.status.message is None)
        assert draft(program) == ""
        assert "○" not in program.pilot.screen()
        assert list((tmp_path / "work").iterdir()) == []
