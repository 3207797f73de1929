"""Screens of examples as pictures."""

from __future__ import annotations

import re

from pi_tui.snapshot import check_snapshot
from tests.pi_agent.ui.support import ROOT, Program

SIZES = ((80, 24), (40, 15), (20, 10))


def check(program: Program, test: str, story: str) -> None:
    """Compare the screen with the accepted one."""
    grid = program.pilot.terminal.grid
    path = ROOT / "snapshots" / "examples" / test / f"{story}-{grid.columns}x{grid.rows}.txt"
    # How long a call took, and the prompt's tokens, of which the test's folder is a part.
    shown = re.sub(r"Took \d\.\ds", "Took 0.0s", program.pilot.snapshot())
    check_snapshot(path, re.sub(r"\bR\d\d\d \d\.\d%", "R999 0.9%", shown))
