"""Pictures on a real terminal: sent once, and all of them gone however the program ends."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.pi_tui.image_grid import ImageGrid
from tests.pty_session import PtySession

ROOT = Path(__file__).resolve().parents[2]
COLUMNS, ROWS = 40, 12


@pytest.mark.parametrize(
    ("options", "last_input", "status"),
    [
        ((), b"\x04", 0),
        ((), b"exit\r", 3),
        (("--fatal",), b"die\r", 1),
        (("--regular",), b"\x04", 0),
        (("--regular",), b"exit\r", 3),
    ],
)
def test_no_picture_outlives_the_program(
    options: tuple[str, ...], last_input: bytes, status: int
) -> None:
    program = [sys.executable, "-m", "tests.programs.notepad", *options]
    env = {"PI_IMAGE_PROTOCOL": "kitty"}
    with PtySession(program, columns=COLUMNS, rows=ROWS, cwd=ROOT, env=env) as session:
        session.wait_for("all is well")
        session.send(b"\x10\x10one")
        session.wait_for("> one")
        if "--regular" not in options:
            session.send(b"\x1b[5~")
            session.wait_for("entry 198")
            session.send(b"\x1b[6~")
            session.wait_until(lambda screen: not screen.lines()[0])
        shown = replayed(session.output)
        assert {placement.image_id for placement in shown.visible()} == {200, 201}
        assert shown.uploads() == [200, 201]
        session.send(b"\r")
        session.wait_until(lambda screen: "> one" not in screen.lines())
        session.send(last_input)
        assert session.wait_exit() == status
        left = replayed(session.output)
        assert left.pictures == {} and left.placements == {}


def replayed(output: bytes) -> ImageGrid:
    """Return what a terminal that shows pictures makes of the output."""
    grid = ImageGrid(COLUMNS, ROWS)
    grid.write(output)
    return grid
