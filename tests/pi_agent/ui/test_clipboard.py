"""Copying: a helper program where there is one that takes the text, else the terminal."""

from __future__ import annotations

import base64
import sys
from pathlib import Path

import pytest

from pi_agent.ui.clipboard import Clipboard

pytestmark = pytest.mark.anyio


def program(folder: Path, name: str, script: str) -> None:
    """Write a program of this name that runs a shell script."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def taking(folder: Path, name: str) -> Path:
    """Write a program that puts what it is given into a file, which is returned."""
    taken = folder / f"{name}.taken"
    program(folder, name, f"printf '%s|' \"$@\" > '{taken}'; cat >> '{taken}'")
    return taken


class Terminal:
    """Notes what is written."""

    def __init__(self) -> None:
        self.written = ""

    def write(self, data: str) -> None:
        self.written += data

    @property
    def copied(self) -> str:
        """What it was asked to copy."""
        encoded = self.written.partition("]52;c;")[2].partition("\x07")[0]
        return base64.b64decode(encoded).decode()


def clipboard(folder: Path, **environ: str) -> tuple[Clipboard, Terminal]:
    """Return a clipboard whose helpers are looked for in `folder` only."""
    terminal = Terminal()
    path = f"{folder}:/usr/bin:/bin" if environ.pop("with_system", "") else str(folder)
    return Clipboard({"PATH": path, **environ}, terminal.write, "linux"), terminal


async def test_the_helper_of_the_desktop_gets_the_text(tmp_path: Path) -> None:
    taken = taking(tmp_path, "xclip")
    copier, terminal = clipboard(tmp_path, DISPLAY=":0", with_system="1")
    assert await copier.copy("some text, 日本") is True
    assert taken.read_text() == "-selection|clipboard|some text, 日本"
    assert terminal.written == ""


@pytest.mark.parametrize("environ", [{}, {"DISPLAY": ":0", "SSH_TTY": "/dev/pts/1"}])
async def test_without_a_desktop_in_front_the_terminal_is_asked(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    taken = taking(tmp_path, "xclip")
    copier, terminal = clipboard(tmp_path, with_system="1", **environ)
    assert await copier.copy("some text") is True
    assert not taken.exists()
    assert terminal.copied == "some text"


async def test_a_helper_that_fails_is_passed_over(tmp_path: Path) -> None:
    program(tmp_path, "xclip", "exit 1")
    program(tmp_path, "wl-copy", "exec 0<&-; exit 3")
    taken = taking(tmp_path, "xsel")
    copier, _ = clipboard(tmp_path, DISPLAY=":0", WAYLAND_DISPLAY="w", with_system="1")
    assert await copier.copy("x" * 200_000) is True
    assert taken.read_text() == "--clipboard|--input|" + "x" * 200_000


async def test_tmux_takes_the_text_for_its_terminal(tmp_path: Path) -> None:
    taken = taking(tmp_path, "tmux")
    copier, terminal = clipboard(tmp_path, TMUX="/tmp/x,1,0", SSH_TTY="x", with_system="1")
    assert await copier.copy("some text") is True
    assert taken.read_text() == "load-buffer|-w|-|some text"
    assert terminal.written == ""


async def test_too_much_for_the_terminal_is_said(tmp_path: Path) -> None:
    copier, terminal = clipboard(tmp_path)
    answer = await copier.copy("x" * 100_000)
    assert answer == "Copy failed: 100 KB are too much for the terminal"
    assert terminal.written == ""


async def test_the_environment_chooses(tmp_path: Path) -> None:
    taken = taking(tmp_path, "xclip")
    copier, terminal = clipboard(tmp_path, DISPLAY=":0", PI_CLIPBOARD_OSC52="1", with_system="1")
    assert await copier.copy("one") is True
    assert (terminal.copied, taken.exists()) == ("one", False)
    copier, terminal = clipboard(tmp_path, PI_CLIPBOARD_OSC52="0")
    assert await copier.copy("two") == "Copy failed: no clipboard program took the text"
    assert terminal.written == ""


async def test_a_helper_that_hangs_is_not_waited_for(tmp_path: Path) -> None:
    started = tmp_path / "started"
    program(tmp_path, "xclip", f"echo $$ > '{started}'; exec sleep 60")
    terminal = Terminal()
    environ = {"PATH": f"{tmp_path}:/usr/bin:/bin", "DISPLAY": ":0"}
    copier = Clipboard(environ, terminal.write, "linux", patience=0.2)
    assert await copier.copy("some text") is True
    assert terminal.copied == "some text"
    assert not Path(f"/proc/{started.read_text().strip()}").exists() or sys.platform != "linux"
