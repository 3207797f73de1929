"""Every way out of a full-screen program gives the terminal back as it was found."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from pi_tui.emulator import GridTerminal
from tests.pty_session import PtySession

ROOT = Path(__file__).resolve().parents[2]
NOTEPAD = [sys.executable, "-m", "tests.programs.notepad"]


def notepad(*arguments: str, columns: int = 40, rows: int = 12) -> PtySession:
    return PtySession([*NOTEPAD, *arguments], columns=columns, rows=rows, cwd=ROOT)


def notepad_behind_a_slow_start() -> PtySession:
    """Start when the first byte has been typed: what follows it is there before the program is."""
    wait = f"{sys.executable} -c 'import sys; sys.stdin.buffer.raw.read(1)'"
    command = ["/bin/sh", "-c", f"{wait} ; exec {' '.join(NOTEPAD)}"]
    return PtySession(command, columns=40, rows=12, cwd=ROOT)


def assert_given_back(session: PtySession) -> None:
    """The terminal is as before: settings, screen, cursor, modes."""
    assert session.termios_now() == session.termios_before
    grid = session.terminal
    assert not grid.alternate_screen
    assert grid.cursor_visible
    assert not grid.modes & {2004, 1004, 1000, 1002, 1003, 1006, 2026, 1049}
    assert 7 in grid.modes
    assert not grid.kitty_flags


def is_at_prompt(terminal: GridTerminal) -> bool:
    """Whether the shell waits for a command."""
    return terminal.lines()[terminal.cursor[1]].startswith("sh>")


def test_a_program_in_raw_mode_gets_every_key() -> None:
    with notepad() as session:
        session.wait_for("all is well")
        session.send(b"\x03\x11\x13\x1a"[:3] + b"\x0ax\xe6\x97\xa5")
        session.wait_for("> <ctrl+c><ctrl+q><ctrl+s><ctrl+j>x日")


def test_leaving_in_order() -> None:
    with notepad() as session:
        session.wait_for("entry 199")
        assert session.terminal.alternate_screen
        assert {2004, 1049, 1000, 1002, 1003, 1004, 1006} <= session.terminal.modes
        session.send(b"\x04")
        assert session.wait_exit() == 0
        assert_given_back(session)
        assert session.lines()[-3:] != []
        session_text = "\n".join([*session.terminal.scrollback, *session.lines()])
        assert "entry 0\n" in session_text
        assert "left in order" in session_text


def test_a_signal_ends_a_program_that_a_component_keeps_busy() -> None:
    with notepad() as session:
        session.wait_for("all is well")
        session.send(b"hang\r")
        session.wait_for("busy for ever")
        session.signal(signal.SIGTERM)
        assert session.wait_exit() == 128 + signal.SIGTERM
        assert_given_back(session)
        assert "SIGTERM was not answered in 3 seconds" in "".join(session.lines())


def test_a_component_that_fails_costs_its_own_row() -> None:
    with notepad() as session:
        session.wait_for("all is well")
        session.send(b"crash\r")
        session.wait_for("[render error: RuntimeError")
        session.send(b"still typing")
        session.wait_for("> still typing")
        session.send(b"\x04")
        assert session.wait_exit() == 0
        assert_given_back(session)


def test_suspending_and_going_on_under_a_shell() -> None:
    with PtySession(
        ["/bin/bash", "--norc", "--noprofile", "-i"],
        columns=60,
        rows=12,
        cwd=ROOT,
        env={"PS1": "sh> "},
    ) as session:
        session.wait_for("sh>")
        before = session.termios_now()
        session.send(f"{sys.executable} -m tests.programs.notepad\n".encode())
        session.wait_for("all is well")
        session.send(b"kept")
        session.wait_for("> kept")
        session.send(b"\x1a")
        session.wait_for("Stopped")
        session.wait_until(is_at_prompt)
        assert session.termios_now() == before
        assert not session.terminal.alternate_screen
        session.resize(50, 10)
        session.send(b"fg\n")
        session.wait_for("> kept")
        session.send(b" and more")
        session.wait_for("> kept and more")
        session.send(b"\x04")
        session.wait_for("left in order")
        session.wait_until(is_at_prompt)
        assert not session.terminal.alternate_screen


def test_the_end_of_the_input_ends_the_program() -> None:
    with notepad() as session:
        session.wait_for("all is well")
        session.hang_up()
        assert session.wait_exit() in (129, -signal.SIGHUP)


def test_a_terminal_that_is_gone_ends_a_program_that_does_not_hear_of_it() -> None:
    program = "from tests.programs.ways_out import WAYS; WAYS['quit']('fullscreen')"
    deaf = ["/bin/sh", "-c", 'trap "" HUP; exec "$@"', "sh", sys.executable, "-c", program]
    with PtySession(deaf, columns=40, rows=12, cwd=ROOT) as session:
        session.wait_for("running")
        session.hang_up()
        assert session.wait_exit() == 129


def test_what_was_typed_before_the_start_is_kept() -> None:
    with notepad_behind_a_slow_start() as session:
        session.send(b"\ntyped early")
        session.wait_for("> typed early")


def test_enter_that_was_typed_before_the_start_is_enter() -> None:
    with notepad_behind_a_slow_start() as session:
        session.send(b"\nsent\nkept")
        session.wait_for("> kept")


SIGNALLED = """
import asyncio, signal
from pi_tui.fullscreen import TuiAltScreen
from pi_tui.components.text import Text
from pi_tui.terminal import ProcessTerminal
async def main():
    tui = TuiAltScreen(ProcessTerminal())
    tui.add_child(Text("all is well"))
    def ended(number):
        tui.stop()
        print("ended by", signal.Signals(number).name)
    def pressed(event):
        if getattr(event, "id", "") == "ctrl+z":
            tui.suspend()
        elif getattr(event, "id", "") == "x":
            tui.add_child(Text("still here"))
    tui.on_terminate = ended
    tui.add_input_listener(pressed)
    tui.start()
    await tui.wait_stopped()
asyncio.run(main())
print("after:", *(signal.getsignal(n).name for n in (signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP)))
"""


def test_a_suspended_program_that_is_asked_to_end_does_so_its_own_way(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(SIGNALLED)
    with PtySession(
        ["/bin/bash", "--norc", "--noprofile", "-i"],
        columns=60,
        rows=12,
        cwd=ROOT,
        env={"PS1": "sh> ", "PYTHONPATH": str(ROOT)},
    ) as session:
        session.wait_for("sh>")
        before = session.termios_now()
        session.send(f"{sys.executable} {program}\n".encode())
        session.wait_for("all is well")
        session.send(b"\x1a")
        session.wait_for("Stopped")
        session.wait_until(is_at_prompt)
        session.send(b"kill %1\n")
        session.wait_for("ended by SIGTERM")
        session.wait_for("after: SIG_DFL SIG_DFL SIG_DFL")
        session.send(b"\n")
        session.wait_until(is_at_prompt)
        assert session.termios_now() == before
        assert not session.terminal.alternate_screen


def test_a_hang_up_that_is_to_be_ignored_stays_ignored() -> None:
    with PtySession(
        ["/bin/sh", "-c", 'trap "" HUP; exec "$@"', "sh", sys.executable, "-c", SIGNALLED],
        columns=60,
        rows=12,
        cwd=ROOT,
    ) as session:
        session.wait_for("all is well")
        session.signal(signal.SIGHUP)
        session.send(b"x")
        session.wait_for("still here")
        session.signal(signal.SIGTERM)
        assert session.wait_exit() == 0
        assert_given_back(session)
        assert "ended by SIGTERM" in session.lines()
        assert "after: SIG_DFL SIG_IGN SIG_DFL" in session.lines()


def test_a_resize_draws_the_new_size() -> None:
    with notepad() as session:
        session.wait_for("all is well")
        for columns, rows in ((20, 10), (100, 30), (10, 4)):
            session.resize(columns, rows)
            session.wait_until(lambda terminal: terminal.lines()[-1].startswith(">"))
            assert "entry 199" in session.lines()[rows - 3]


def test_a_terminal_that_reads_slowly_does_not_stop_the_program() -> None:
    with notepad() as session:
        session.wait_for("all is well")
        with session.not_reading():
            for number in range(400):
                session.send(b"%04d" % number)
        session.send(b"\r")
        session.send(b"the end")
        session.wait_for("> the end")


def test_the_write_log_holds_what_was_written(tmp_path: Path) -> None:
    log = tmp_path / "out.log"
    with PtySession(
        NOTEPAD, columns=40, rows=12, cwd=ROOT, env={"PI_TUI_WRITE_LOG": str(log)}
    ) as session:
        session.wait_for("all is well")
        session.send(b"\x04")
        session.wait_exit()
        assert b"all is well" in log.read_bytes()
        assert os.path.getsize(log) <= len(session.output)
