"""The harness for tests on a real pseudo-terminal, tried on small programs."""

from __future__ import annotations

import os
import signal
import sys
import termios

import pytest

from tests.pty_session import PtySession, has_ended

LFLAG = 3


def python(code: str) -> list[str]:
    return [sys.executable, "-S", "-E", "-c", code]


def test_what_is_typed_is_echoed_by_the_terminal_and_given_back_by_the_program() -> None:
    with PtySession(["/bin/cat"]) as session:
        session.send("日本 ok\r".encode())
        session.wait_until(lambda terminal: terminal.lines()[:2] == ["日本 ok"] * 2)
        session.send(b"\x04")
        assert session.wait_exit() == 0


def test_the_program_has_its_own_session_with_the_terminal_in_control() -> None:
    code = (
        "import os; tty = os.open('/dev/tty', os.O_RDWR);"
        "print(os.getsid(0) == os.getpid() == os.tcgetpgrp(tty), os.isatty(0), os.ttyname(1))"
    )
    with PtySession(python(code)) as session:
        session.wait_for("True True /dev/pts/")
        assert session.pid != os.getsid(0)


def test_the_program_sees_the_size_and_is_told_when_it_changes() -> None:
    code = (
        "import os, signal\n"
        "def show(*_): os.write(1, b'%d %d\\n' % os.get_terminal_size(0))\n"
        "signal.signal(signal.SIGWINCH, show); show()\n"
        "while True: signal.pause()"
    )
    with PtySession(python(code), columns=91, rows=17) as session:
        session.wait_for("91 17")
        session.resize(44, 9)
        session.wait_for("44 9")
        assert (session.terminal.columns, session.terminal.rows) == (44, 9)


def test_the_environment_is_the_given_one_and_little_else() -> None:
    assert "PYTEST_CURRENT_TEST" in os.environ
    script = "echo $TERM-$ONE-$PYTEST_CURRENT_TEST."
    with PtySession(["/bin/sh", "-c", script], env={"ONE": "1"}) as session:
        session.wait_for("xterm-256color-1-.")


def test_the_terminal_answers_queries_only_when_told_to() -> None:
    code = (
        "import sys, tty, os; tty.setraw(0);"
        "os.write(1, b'\\x1b[6n\\x1b[c'); reply = os.read(0, 99); os.write(1, repr(reply).encode())"
    )
    with PtySession(python(code), answers={"da1": "?64;4"}) as session:
        session.wait_for("b'\\x1b[?64;4c'")


def test_output_larger_than_the_terminal_holds_does_not_block_the_program() -> None:
    with PtySession(["/bin/cat"], rows=4) as session:
        line = b"x" * 70 + b"\r"
        for _ in range(3000):
            session.send(line)
        session.send(b"the end\r\x04")
        assert session.wait_exit() == 0
        assert len(session.output) > 2 * 3000 * 70
        assert "the end" in session.lines()


def test_signals_reach_the_program_and_its_status_tells() -> None:
    with PtySession(python("import signal; print('ready', flush=True); signal.pause()")) as session:
        session.wait_for("ready")
        session.signal(signal.SIGTERM)
        assert session.wait_exit() == -signal.SIGTERM


def test_ctrl_c_is_a_signal_from_the_terminal() -> None:
    with PtySession(
        ["/bin/sh", "-c", "trap 'echo caught; exit 7' INT; echo ready; read line"]
    ) as session:
        session.wait_for("ready")
        session.send(b"\x03")
        session.wait_for("caught")
        assert session.wait_exit() == 7


def test_terminal_settings_can_be_read_before_during_and_after() -> None:
    code = (
        "import sys, termios, tty; old = termios.tcgetattr(0); tty.setraw(0); print('raw', flush=True);"
        "sys.stdin.read(1); termios.tcsetattr(0, termios.TCSANOW, old)"
    )
    with PtySession(python(code)) as session:
        assert session.termios_before[LFLAG] & termios.ICANON
        session.wait_for("raw")
        assert not session.termios_now()[LFLAG] & termios.ICANON
        session.send(b"q")
        assert session.wait_exit() == 0
        assert session.termios_now() == session.termios_before


def test_settings_that_a_program_leaves_behind_stay_visible() -> None:
    with PtySession(python("import tty; tty.setraw(0)")) as session:
        assert session.wait_exit() == 0
        assert session.termios_now() != session.termios_before


def test_all_output_is_there_when_the_exit_is_known() -> None:
    with PtySession(python("print('line\\n' * 500 + 'last')")) as session:
        assert session.wait_exit() == 0
        assert session.output.endswith(b"last\r\n")


def test_a_wait_in_vain_shows_the_screen() -> None:
    with PtySession(["/bin/sh", "-c", "echo something else; read line"]) as session:
        session.wait_for("something else")
        with pytest.raises(
            AssertionError, match=r"(?s)0.05 s went by without 'this'.*\|something else"
        ):
            session.wait_for("this", timeout=0.05)
        with pytest.raises(AssertionError, match=r"(?s)still running.*\|something else"):
            session.wait_exit(timeout=0.05)


def test_a_wait_ends_with_the_output() -> None:
    with (
        PtySession(["/bin/sh", "-c", "echo bye"]) as session,
        pytest.raises(AssertionError, match=r"(?s)The output ended without 'more'.*\|bye"),
    ):
        session.wait_for("more")


def test_leaving_the_session_kills_the_program_and_its_children() -> None:
    script = "trap '' HUP TERM INT; sh -c \"trap '' HUP TERM; echo child \\$\\$.; sleep 60; :\" & sleep 60; :"
    with PtySession(["/bin/sh", "-c", script]) as session:
        session.wait_for("child ")
        session.wait_until(lambda terminal: terminal.lines()[0].endswith("."))
        child = int(session.lines()[0].removeprefix("child ").rstrip("."))
        watched = [os.pidfd_open(session.pid), os.pidfd_open(child)]
    assert all(has_ended(pidfd) for pidfd in watched)


def test_a_program_that_does_not_exist_is_an_error_at_once() -> None:
    with pytest.raises(FileNotFoundError):
        PtySession(["/no/such/program"])
