"""A program in the terminal's own scrollback, on a real terminal: what stays there, and every way out."""

from __future__ import annotations

import signal
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.pty_session import PtySession

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = f"{sys.executable} -m tests.programs.notepad --regular"
ENTRIES = [f"entry {number}" for number in range(200)]


def shell(rows: int = 12, env: Mapping[str, str] | None = None) -> PtySession:
    """Start a shell that has printed something."""
    session = PtySession(
        ["/bin/bash", "--norc", "--noprofile", "-i"],
        columns=60,
        rows=rows,
        cwd=ROOT,
        env={"PS1": "sh> ", "PROGRAM": PROGRAM, **(env or {})},
    )
    session.wait_for("sh>")
    session.send(b"clear; echo before\n")
    session.wait_for("before")
    return session


def all_rows(session: PtySession) -> list[str]:
    """Return what one can scroll through, without the blank rows at its end."""
    with session.lock:
        rows = [*session.terminal.scrollback, *session.terminal.lines()]
    while rows and not rows[-1]:
        rows.pop()
    return rows


def wait_prompt(session: PtySession) -> None:
    """Wait until the shell asks for a command below what the program has said last."""
    session.wait_until(
        lambda terminal: [row for row in terminal.lines() if row][-2:] == ["left in order", "sh>"],
        what="the prompt",
    )


def assert_given_back(session: PtySession) -> None:
    """The terminal is as before: settings, cursor, modes."""
    grid = session.terminal
    assert session.termios_now() == session.termios_before
    assert grid.modes == {7, 25}
    assert not grid.kitty_flags
    assert not grid.modify_other_keys


def program(*arguments: str) -> PtySession:
    return PtySession(
        [*PROGRAM.split(), *arguments], columns=60, rows=12, cwd=ROOT, answers={"kitty", "da1"}
    )


def test_the_document_is_in_the_scrollback_between_two_prompts() -> None:
    with shell() as session:
        session.send(b"$PROGRAM\n")
        session.wait_for("all is well")
        session.send(b"hello")
        session.wait_for("> hello")
        for number in range(200, 205):
            session.send(b"\x0e")
            session.wait_for(f"entry {number}")
        session.send(b"\x04")
        wait_prompt(session)
        rows = all_rows(session)
        start = rows.index("entry 0")
        more = [f"entry {number}" for number in range(200, 205)]
        assert "before" in rows[:start]
        assert rows[start:] == [
            *ENTRIES,
            *more,
            "all is well",
            "> hello",
            "left in order",
            "sh>",
        ]


def test_suspending_leaves_the_shell_below_and_going_on_shows_all_once() -> None:
    with shell() as session:
        session.send(b"$PROGRAM\n")
        session.wait_for("all is well")
        session.send(b"kept\x1a")
        session.wait_for("Stopped")
        rows = all_rows(session)
        end = rows.index("> kept")
        assert "Stopped" in "".join(rows[end:])
        session.resize(50, 10)
        session.send(b"fg\n")
        session.wait_until(lambda terminal: terminal.lines()[-1] == "> kept")
        session.send(b" on")
        session.wait_for("> kept on")
        assert all_rows(session) == [*ENTRIES, "all is well", "> kept on"]
        session.send(b"\x04")
        session.wait_for("left in order")


def test_a_burst_of_resizes_leaves_the_document_once() -> None:
    with shell() as session:
        session.send(b"$PROGRAM\n")
        session.wait_for("all is well")
        for columns in range(59, 39, -1):
            session.resize(columns, 12)
        session.send(b"x")
        session.wait_for("> x")
        session.wait_until(lambda terminal: "\n".join(terminal.scrollback).count("entry 7\n") == 1)
        assert all_rows(session) == [*ENTRIES, "all is well", "> x"]
        assert session.output.count(b"\x1b[3J") < 10


def test_a_signal_that_ends_the_program_leaves_what_it_showed() -> None:
    with program() as session:
        session.wait_for("all is well")
        session.signal(signal.SIGTERM)
        assert session.wait_exit() == -signal.SIGTERM
        assert_given_back(session)
        assert all_rows(session)[-2:] == ["all is well", ">"]


def test_a_signal_ends_a_program_that_a_component_keeps_busy() -> None:
    with program() as session:
        session.wait_for("all is well")
        session.send(b"hang\r")
        session.wait_for("busy for ever")
        session.signal(signal.SIGTERM)
        assert session.wait_exit() == 128 + signal.SIGTERM
        assert_given_back(session)
        assert "SIGTERM was not answered" in "".join(all_rows(session)[-2:])


def test_a_crash_of_the_frame_loop_shows_its_error_below() -> None:
    with program("--fatal") as session:
        session.wait_for("all is well")
        session.send(b"die\r")
        assert session.wait_exit() == 1
        assert_given_back(session)
        rows = all_rows(session)
        assert "a row nobody expected" in rows[-1]
        assert "entry 199" in rows


def test_the_end_of_the_input_ends_the_program() -> None:
    with program() as session:
        session.wait_for("all is well")
        session.hang_up()
        assert session.wait_exit() in (129, -signal.SIGHUP)
