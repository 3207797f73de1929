"""The programs that mix urwid and the toolkit, on a real terminal."""

from __future__ import annotations

import sys

from tests.pi_agent.ui.support import ROOT
from tests.pty_session import PtySession


def started(name: str) -> PtySession:
    example = ROOT / "examples" / "toolkit" / name
    return PtySession([sys.executable, example], columns=50, rows=12, cwd=ROOT)


def test_widgets_in_a_program_of_components() -> None:
    with started("urwid_inside.py") as session:
        session.wait_for("And one below.")
        session.send("日本x".encode())
        session.wait_for("│Your text: 日本x")
        session.wait_for("15 %")
        with session.lock:
            assert session.terminal.cell(1, 6).style.bg == "green"
        session.send(b"\x04")
        assert session.wait_exit() == 0


def test_components_in_a_program_of_widgets() -> None:
    with started("inside_urwid.py") as session:
        session.wait_for("→ Tea")
        session.send(b"\x1b[B")
        session.wait_for("→ Coffee")
        session.send(b"\x1b[B\r")
        session.wait_for("You chose Water.")
        assert any("日本の水" in line for line in session.lines())
        session.send(b"\x04")
        assert session.wait_exit() == 0
