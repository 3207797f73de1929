"""The pictures of the documents: made by the program itself, and up to date.

`make pictures` draws them anew. What the program shows of its surroundings is given to it: the folder's name, the
branch, the tokens used.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from pi_agent.llm.local_model import WEIGHTS_BYTES, LocalModel
from pi_tui.svg_colors import Appearance
from pi_tui.testing import Pilot, check_snapshot
from tests.pi_agent.ui.support import HurriedClock, interactive, script

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
# A page of several pictures should load at once.
MOST_BYTES = 60_000

INVOICE = """\
from decimal import Decimal


def total(items):
    net = 0.0
    for price, count in items:
        net += price * count
    return net
"""
EXACT = (
    ("net = 0.0", "net = Decimal(0)"),
    ("net += price * count", "net += Decimal(price) * count"),
)
FIX = (
    {
        "thinking": "A fraction of a cent: prices may be floats.",
        "toolCalls": [{"name": "read", "arguments": {"path": "invoice.py"}}],
        "usage": {"input": 1240, "output": 64},
    },
    {
        "text": "The sum begins as a float, which has no exact `0.10`. It should be a `Decimal`:",
        "toolCalls": [
            {
                "name": "edit",
                "arguments": {
                    "path": "invoice.py",
                    "edits": [{"oldText": old, "newText": new} for old, new in EXACT],
                },
            }
        ],
        "usage": {"input": 320, "output": 180, "cacheRead": 1240},
    },
    {
        "text": "Totals are exact now. **Pass prices as text** to keep them so:\n\n"
        "| 3 × 0.10 | Total |\n|---|---|\n"
        "| before | 0.30000000000000004 |\n| now | 0.30 |\n",
        "usage": {"input": 410, "output": 96, "cacheRead": 1560},
    },
)
# What the editor of the tour offers, and how the answer ends.
STOPS = (
    ("Show me around", "for one."),
    ("How do you think?", "of that."),
    ("What about Markdown?", "Hello, {name}"),
)


def check(pilot: Pilot, name: str, appearance: Appearance = "dark") -> None:
    """Compare the screen with the picture of that name."""
    picture = pilot.svg(title="pi", appearance=appearance)
    assert len(picture.encode()) < MOST_BYTES
    check_snapshot(PICTURES / f"{name}.svg", picture)


@pytest.fixture
def folder() -> Iterator[Path]:
    """Make a project of somebody's, on a branch; its path, which models are told, is always as long."""
    with TemporaryDirectory(dir="/tmp") as name:
        work = Path(name) / "work"
        (work / ".git").mkdir(parents=True)
        (work / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        (work / "invoice.py").write_text(INVOICE)
        yield Path(name)


@pytest.mark.parametrize(
    ("name", "columns", "rows", "theme"),
    [("conversation", 80, 37, "dark"), ("narrow", 40, 24, "light")],
)
async def test_a_conversation(
    folder: Path, name: str, columns: int, rows: int, theme: Appearance
) -> None:
    words = ("--model", "demo/script", "--use-theme", theme)
    environ = script(folder, *FIX)
    async with interactive(folder, *words, columns=columns, rows=rows, environ=environ) as program:
        program.say("Why are totals off by a fraction of a cent?")
        await program.settled("│ now")
        program.pilot.type("now a test for it")
        check(program.pilot, name, theme)


async def test_the_welcome(folder: Path) -> None:
    # A file of the model's size stands for the model: nothing is asked of it.
    weights = LocalModel(folder / ".cache" / "pi", {}).weights
    weights.parent.mkdir(parents=True)
    with weights.open("wb") as file:
        file.truncate(WEIGHTS_BYTES)
    async with interactive(folder, columns=80, rows=18, local_servers={}) as program:
        await program.pilot.wait_for("Quit")
        check(program.pilot, "welcome")


async def test_the_tour(folder: Path) -> None:
    words = ("--demo", "--system-prompt", "Be brief.")
    async with interactive(folder, *words, columns=80, rows=30, clock=HurriedClock()) as program:
        for question, last_words in STOPS:
            await program.pilot.wait_for(question)
            program.pilot.press("enter")
            await program.settled(last_words)
        await program.pilot.wait_for("Read a file")
        program.say("/tour")
        await program.pilot.wait_for("Stops of the tour")
        check(program.pilot, "tour")
