"""The screen loads a few modules of urwid; whoever imports urwid still gets all of it, once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run(code: str) -> str:
    """Run `code` in a fresh interpreter and return what it prints."""
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return result.stdout.strip()


def test_the_screen_loads_no_widgets() -> None:
    loaded = run("import sys, pi_tui.terminal; print(*sys.modules)").split()
    assert "urwid.display.raw" in loaded
    assert not {"urwid.widget", "urwid.vterm", "urwid.event_loop"} & set(loaded)


def test_the_whole_package_is_there_when_it_is_asked_for() -> None:
    code = "import pi_tui.terminal, urwid, urwid.numedit; from urwid import *; from urwid.vterm import TermCanvas; "
    assert run(code + "print(urwid.__version__, urwid.Text('x').text, MainLoop.__name__)").endswith(
        "x MainLoop"
    )
    assert run(code + "print(issubclass(TermCanvas, urwid.Canvas))") == "True"
    assert run(code + "print(isinstance(pi_tui.canvas.LineCanvas([], 1), urwid.Canvas))") == "True"


def test_a_package_that_is_there_already_is_used() -> None:
    code = (
        "import urwid, pi_tui.canvas; print(pi_tui.canvas.LineCanvas.__bases__[0] is urwid.Canvas)"
    )
    assert run(code) == "True"


def test_a_name_that_urwid_does_not_have_is_an_error() -> None:
    code = "import pi_tui.terminal, urwid\ntry:\n urwid.nothing\nexcept AttributeError:\n print('none')"
    assert run(code) == "none"


def test_loading_the_screen_starts_no_process() -> None:
    code = """
import sys
started = []
sys.addaudithook(lambda event, args: started.append(event) if event in ("subprocess.Popen", "os.fork") else None)
import pi_agent.ui.app, pi_tui.terminal, platform
print(started, platform.platform.__module__)
"""
    assert run(code) == "[] platform"
