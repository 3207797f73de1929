"""Every way out of a program gives the terminal back: settings, modes, screen, message, status.

One shell per screen mode runs them all, one after another, and leaves the terminal alone.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.mode_ledger import ModeLedger
from tests.pty_session import PtySession, has_ended

ROOT = Path(__file__).resolve().parents[2]
MESSAGE = "ValueError: nobody expected this"


@dataclass(frozen=True)
class Way:
    """How a program is left: by keys or signals, with which status, and what is told on the screen afterwards."""

    keys: bytes = b"x"
    number: signal.Signals | None = None
    status: int = 0
    says: str = ""
    starts: str = ""


WAYS = {
    "quit": Way(),
    "twice": Way(),
    "component": Way(keys=b"xq"),
    "handling": Way(),
    "frame": Way(status=1, says=MESSAGE),
    "timer": Way(status=1, says=MESSAGE),
    "exit": Way(status=3),
    "exit-timer": Way(status=3),
    "before-frame": Way(keys=b"", status=1, says=MESSAGE),
    "uncaught": Way(keys=b"", status=1, says=MESSAGE),
    "exit-uncaught": Way(keys=b"", status=3),
    "never-stopped": Way(keys=b""),
    "afterwards": Way(keys=b"q"),
    "SIGTERM": Way(keys=b"", number=signal.SIGTERM, status=-signal.SIGTERM),
    "SIGHUP": Way(keys=b"", number=signal.SIGHUP, status=-signal.SIGHUP),
    "SIGINT": Way(keys=b"", number=signal.SIGINT, status=-signal.SIGINT, says="KeyboardInterrupt"),
}


@pytest.fixture(scope="module", params=["fullscreen", "regular"])
def shell(request: pytest.FixtureRequest) -> Iterator[PtySession]:
    argv = [sys.executable, "-m", "tests.programs.ways_out", request.param]
    with PtySession(argv, columns=60, rows=30, cwd=ROOT, answers=("kitty", "da1")) as session:
        session.wait_for("shell ready")
        yield session


def start(shell: PtySession, name: str) -> int:
    """Start a program; returns where in the output that was."""
    before = len(shell.output)
    shell.send(name.encode() + b"\n")
    shell.wait_until(lambda _: b"running" in shell.output[before:], what="the program")
    return before


def wait_told(shell: PtySession, text: bytes, before: int) -> bytes:
    """Wait for what the shell says; returns all that was written."""
    shell.wait_until(lambda _: text in shell.output[before:], what=repr(text))
    return shell.output[before:]


def wait_shown(shell: PtySession, text: str) -> None:
    """Wait until that is the last row of the screen."""
    shell.wait_until(
        lambda terminal: [row for row in terminal.lines() if row][-1:] == [text], what=text
    )


def resize(shell: PtySession, columns: int, rows: int) -> None:
    """Change the size and wait until something is drawn in it."""
    drawn = shell.terminal.frames
    shell.resize(columns, rows)
    shell.wait_until(lambda terminal: terminal.frames > drawn, what="a frame")


def assert_given_back(shell: PtySession, written: bytes) -> None:
    ledger = ModeLedger(written)
    assert ledger.left_on == set()
    assert {2004, 2031} <= ledger.ever_on
    assert shell.termios_now() == shell.termios_before


@pytest.mark.parametrize("name", WAYS)
def test_ways_out(name: str, shell: PtySession) -> None:
    way = WAYS[name]
    program = name if way.number is None else "quit"
    if way.keys or way.number is not None:
        before = start(shell, program)
    else:
        before = len(shell.output)
        shell.send(program.encode() + b"\n")
    if way.number is not None:
        os.killpg(shell.foreground_group(), way.number)
    shell.send(way.keys)
    written = wait_told(shell, b"ended with", before)
    assert f"{program} ended with {way.status}\r\n".encode() in written
    assert_given_back(shell, written)
    assert way.says.encode() in written.rpartition(b"\x1b[?2004l")[2]


def test_nothing_is_written_after_the_end(shell: PtySession) -> None:
    before = start(shell, "afterwards")
    shell.send(b"q")
    written = wait_told(shell, b"ended with", before)
    assert written.partition(b"left\r\n")[2] == b"afterwards ended with 0\r\n"


@pytest.mark.parametrize("by", ["key", "signal"])
def test_a_program_that_is_stopped_and_goes_on(by: str, shell: PtySession) -> None:
    before = start(shell, "quit")
    shell.send(b"a")
    wait_shown(shell, "running a")
    if by == "key":
        shell.send(b"\x1a")
    else:
        os.killpg(shell.foreground_group(), signal.SIGTSTP)
    assert_given_back(shell, wait_told(shell, b"quit stopped", before))
    again = len(shell.output)
    shell.send(b"fg\n")
    wait_shown(shell, "running a")
    shell.send(b"x")
    wait_told(shell, b"quit ended with 0", again)
    assert_given_back(shell, shell.output[again:])


@pytest.mark.parametrize(
    "pieces",
    [
        [b"\x1b[?62;22c\x1b[?7u"],
        [b"\x1b[?6", b"2;22c\x1b[", b"?7u"],
        [bytes((byte,)) for byte in b"\x1b]7501;ok\x1b\\\x1b[6;18;9t\x1b[?0u\x1b[?62;4c"],
        [b"\x1b]11;rgb:1e1e/1e", b"1e/1e1e\x1b", b"\\\x1b[?997;1n\x1b]10;#ffffff\x07"],
    ],
    ids=["late", "in pieces", "byte by byte", "colours"],
)
def test_answers_that_come_late_are_not_typed(pieces: list[bytes], shell: PtySession) -> None:
    before = start(shell, "quit")
    for piece in pieces:
        shell.send(piece)
    shell.send(b"a")
    wait_shown(shell, "running a")
    shell.send(b"x")
    assert_given_back(shell, wait_told(shell, b"quit ended with 0", before))


def test_a_program_lives_where_there_is_no_room(shell: PtySession) -> None:
    before = start(shell, "quit")
    for columns, rows in ((1, 1), (2, 1), (5, 3), (1, 1), (60, 30)):
        resize(shell, columns, rows)
    shell.send(b"a")
    wait_shown(shell, "running a")
    shell.send(b"x")
    assert_given_back(shell, wait_told(shell, b"quit ended with 0", before))


def test_the_end_of_the_shell_ends_the_program(shell: PtySession) -> None:
    """Its terminal hangs up. The last test: no shell is left."""
    start(shell, "quit")
    program = os.pidfd_open(shell.foreground_group())
    shell.signal(signal.SIGKILL)
    assert has_ended(program)
    assert shell.wait_exit() == -signal.SIGKILL
