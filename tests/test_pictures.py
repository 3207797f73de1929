"""The pictures of the documents: made by the program itself, and up to date.

`make pictures` draws them anew. What the program shows of its surroundings is given to it: the folder's name, the
branch, the tokens used.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pi_tui.svg_colors import Appearance
from pi_tui.testing import Pilot, check_snapshot
from tests.pi_agent.ui.support import interactive, script

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


def check(pilot: Pilot, name: str, appearance: Appearance = "dark") -> None:
    """Compare the screen with the picture of that name."""
    picture = pilot.svg(title="pi", appearance=appearance)
    assert len(picture.encode()) < MOST_BYTES
    check_snapshot(PICTURES / f"{name}.svg", picture)


def project(folder: Path) -> None:
    """Make a folder of somebody's, on a branch."""
    work = folder / "work"
    (work / ".git").mkdir(parents=True)
    (work / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (work / "invoice.py").write_text(INVOICE)


@pytest.mark.parametrize(
    ("name", "columns", "rows", "theme"),
    [("conversation", 80, 37, "dark"), ("narrow", 40, 24, "light")],
)
async def test_a_conversation(
    tmp_path: Path, name: str, columns: int, rows: int, theme: Appearance
) -> None:
    project(tmp_path)
    words = ("--model", "demo/script", "--use-theme", theme)
    environ = script(tmp_path, *FIX)
    async with interactive(
        tmp_path, *words, columns=columns, rows=rows, environ=environ
    ) as program:
        program.say("Why are totals off by a fraction of a cent?")
        await program.settled("│ now")
        program.pilot.type("now a test for it")
        check(program.pilot, name, theme)


async def test_an_extension_that_asks(tmp_path: Path) -> None:
    project(tmp_path)
    call = {"name": "bash", "arguments": {"command": "rm -rf build dist"}}
    step = {
        "text": "Both folders are made by the build, so I take them away first.",
        "toolCalls": [call],
        "usage": {"input": 1310, "output": 58},
    }
    gate = ROOT / "examples" / "extensions" / "permission_gate.py"
    words = ("--model", "demo/script", "-e", str(gate))
    environ = script(tmp_path, step)
    async with interactive(tmp_path, *words, columns=80, rows=22, environ=environ) as program:
        program.say("Build it from scratch.")
        # The question stands there, and the spinner is at its first frame.
        await program.pilot.wait_for(lambda: {"→", "⠋"} <= set(program.pilot.screen()))
        check(program.pilot, "extension")
