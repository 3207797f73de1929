"""The editor with the modes of vi: what is typed, what is a command, and which keys stay the editor's own."""

from __future__ import annotations

import runpy
import sys

import pytest

from pi_tui.component import identity
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.testing import HeadlessTerminal, Pilot
from pi_tui.theme import EditorTheme, SelectListTheme
from tests.pi_agent.ui.support import ROOT
from tests.pty_session import PtySession

EXAMPLE = ROOT / "examples" / "toolkit" / "vi_editor.py"
ViEditor = runpy.run_path(str(EXAMPLE))["ViEditor"]
PLAIN = EditorTheme(identity, SelectListTheme(identity, identity, identity, identity, identity))


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("typed", "commands", "text"),
    [
        ("one two", "bDix", "one x"),
        ("one two", "0dwx", "two"),
        ("one two", "02wi!", "one two!"),
        ("one", "xx", "o"),
        ("one two", "0Dpixu", "one twoxu"),
        ("one two three", "0d0$bcwfour", "one two four"),
        ("one", "onext", "one\nnext"),
        ("one", "Ofirst", "first\none"),
        ("one", "ofirst\x1bkdd", "first"),
        ("one", "oa\x1bob\x1bggdd", "a\nb"),
        ("one", "oa\x1bob\x1bgg2jA!", "one\na\nb!"),
        ("one", "kkkjjj", "one"),
        ("one", "Iz \x1bAnd", "z onend"),
        ("日本語", "hx", "日語"),
        ("one", "qzZ", "one"),
    ],
)
async def test_commands(typed: str, commands: str, text: str) -> None:
    terminal = HeadlessTerminal(40, 10)
    tui = TuiAltScreen(terminal, strict=True, environ={})
    editor = ViEditor(tui, PLAIN)
    editor.add_to_history("said before")
    tui.set_layout_root(editor)
    tui.set_focus(editor)
    tui.start()
    try:
        pilot = Pilot(tui, terminal)
        pilot.type(typed)
        pilot.press("escape")
        for part in commands.split("\x1b"):
            pilot.type(part)
            pilot.press("escape")
        assert editor.get_text() == text
    finally:
        tui.stop()


def test_on_a_terminal() -> None:
    with PtySession([sys.executable, EXAMPLE], columns=40, rows=10, cwd=ROOT) as session:
        session.wait_for("INSERT")
        session.send(b"hello there\x1b")
        session.wait_for("NORMAL")
        session.send(b"2")
        session.wait_for("NORMAL 2")
        session.send(b"b\r")
        session.wait_until(
            lambda terminal: " hello there" in terminal.lines(), what="what was sent"
        )
        session.send(b"\x03")
        assert session.wait_exit() == 0
