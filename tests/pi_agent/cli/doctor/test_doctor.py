"""`pi doctor` as a command: in a terminal, without one, as JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.pi_process import COMMAND, Pi
from tests.pty_session import PtySession

DOCTOR = [*COMMAND, "doctor"]
MODERN = ("da1", "cursor", "kitty", "decrqm", "osc10", "osc11", "cell_size")


@contextmanager
def doctor(
    pi: Pi, *words: str, columns: int = 80, rows: int = 60, **answers: str
) -> Iterator[PtySession]:
    known = dict.fromkeys(MODERN, "") | {"da1": "?62;4;22", "osc10": "rgb:ff/ff/ff"}
    known |= {"osc11": "rgb:1e/1e/2e", "cell_size": "18;9"} | answers
    with PtySession(
        [*DOCTOR, *words],
        columns=columns,
        rows=rows,
        cwd=pi.project,
        env={"LANG": "C.UTF-8", "LC_ALL": "", **pi.full_environ()},
        answers=known,
    ) as session:
        yield session


def test_the_terminal_is_asked_and_left_as_it_was(pi: Pi) -> None:
    with doctor(pi) as session:
        assert session.wait_exit() == 0
        screen = "\n".join(session.lines())
        assert session.termios_now() == session.termios_before
    assert "TERM=xterm-256color 80x60" in screen
    assert "256, on #1e1e2e" in screen
    assert "every key is told apart" in screen
    assert "wheel, clicks and drags" in screen
    assert "whole frames at once; pictures: sixel" in screen
    assert "characters are as wide as pi thinks" in screen
    assert "─" not in screen  # what was shown to measure it is gone again


def test_a_terminal_that_never_answers_is_told_so_and_all_else_is_looked_at(pi: Pi) -> None:
    with PtySession(DOCTOR, rows=60, cwd=pi.project, env=pi.full_environ()) as session:
        assert session.wait_exit() == 0
        screen = "\n".join(session.lines())
        assert session.termios_now() == session.termios_before
    assert "TERM=xterm-256color 80x60 does not answer" in screen
    assert "programs" in screen


def test_one_screen_is_enough_where_little_is_wrong(pi: Pi) -> None:
    for name in ("git", "rg", "fd"):
        pi.write(f"bin/{name}", "#!/bin/sh\n").chmod(0o755)
    pi.environ |= {"COLORTERM": "truecolor", "OPENAI_API_KEY": "sk-test", "VISUAL": "cat"}
    pi.environ["PATH"] = f"{pi.project / 'bin'}:{os.environ['PATH']}"
    with doctor(pi, rows=24) as session:
        assert session.wait_exit() == 0
        lines = session.lines()
    assert lines[0].startswith("✓ pi ")
    assert "Nothing is wrong." in lines


def test_a_narrow_terminal_loses_nothing(pi: Pi) -> None:
    with doctor(pi, columns=40, rows=90) as session:
        assert session.wait_exit() == 0
        screen = " ".join("\n".join(session.lines()).split())
    assert "python: " in screen
    assert "no provider can be asked yet" in screen
    assert "OPENAI_API_KEY" in screen


def test_without_a_terminal_the_rest_is_looked_at(pi: Pi) -> None:
    ended = pi.run("doctor")
    assert (ended.code, ended.err) == (0, "")
    assert "was not asked" in ended.out
    assert "\x1b" not in ended.out
    assert "no provider can be asked yet" in ended.out


def test_colors_are_for_terminals_that_want_them(pi: Pi) -> None:
    with doctor(pi) as session:
        session.wait_exit()
        assert b"\x1b[33m!" in session.output
    pi.environ["NO_COLOR"] = "1"
    with doctor(pi) as session:
        session.wait_exit()
        assert b"\x1b[3" not in session.output


def test_without_utf8_the_signs_are_ascii(pi: Pi) -> None:
    pi.environ |= {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii", "HOME": "/höme"}
    ended = pi.run("doctor")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.isascii()
    assert "! keys" in ended.out


def test_something_broken_is_told_by_the_status(pi: Pi) -> None:
    (pi.agent_dir / "settings.json").write_text('{\n  "theme": \n}')
    ended = pi.run("doctor")
    assert ended.code == 1
    assert "1 thing is broken" in ended.out
    assert "not valid JSON at line 3, column 1" in ended.out


def test_a_report_as_json_has_stable_keys_and_no_secrets(pi: Pi) -> None:
    secret = "sk-very-secret-0123456789"
    pi.environ |= {"OPENAI_API_KEY": secret, "HTTPS_PROXY": f"ftp://me:{secret}@proxy"}
    pi.environ["GROQ_API_KEY"] = secret
    stored = {"groq": {"type": "api_key", "key": secret}}
    (pi.agent_dir / "auth.json").write_text(json.dumps(stored))
    ended = pi.run("doctor", "--json")
    assert ended.code == 0
    assert secret not in ended.out
    report = json.loads(ended.out)
    assert set(report) == {"pi", "python", "system", "status", "findings"}
    assert report["status"] == "warnings"
    for finding in report["findings"]:
        assert set(finding) == {"key", "level", "text", "advice", "details"}
        assert finding["level"] == "ok" or finding["advice"], finding
    by_key = {each["key"]: each for each in report["findings"]}
    assert by_key["keys"]["details"] == {"openai": "OPENAI_API_KEY", "groq": "stored"}
    assert by_key["packages"]["details"]["wcwidth"]
    assert str(pi.folder) not in json.dumps(by_key["sessions"])


def test_a_report_into_a_file_asks_the_terminal_all_the_same(pi: Pi) -> None:
    code = "import subprocess, sys; sys.exit(subprocess.call(sys.argv[2:], stdout=open(sys.argv[1], 'w')))"
    file = pi.folder / "report.json"
    with PtySession(
        [sys.executable, "-c", code, file, *DOCTOR, "--json"],
        cwd=pi.project,
        env=pi.full_environ(),
        answers=MODERN,
    ) as session:
        assert session.wait_exit() == 0
    findings = json.loads(file.read_text())["findings"]
    terminal = next(each for each in findings if each["key"] == "terminal")
    assert terminal["details"]["answers"] is True


def test_a_dumb_terminal_cannot_show_the_screen(pi: Pi) -> None:
    pi.environ["TERM"] = "dumb"
    with doctor(pi) as session:
        assert session.wait_exit() == 1
        assert any("cannot show a screen" in line for line in session.lines())


@pytest.mark.parametrize(("columns", "rows"), [(20, 10), (20, 60)])
def test_the_smallest_screen_is_enough(columns: int, rows: int, pi: Pi) -> None:
    with doctor(pi, columns=columns, rows=rows) as session:
        assert session.wait_exit() == 0
        assert any("1 warning." in line for line in session.lines())


def test_ctrl_c_ends_it_and_gives_the_terminal_back(pi: Pi) -> None:
    with PtySession(DOCTOR, cwd=pi.project, env=pi.full_environ()) as session:
        session.wait_until(lambda terminal: b"\x1b[c" in session.output, what="the questions")
        session.send(b"\x03")
        assert session.wait_exit() == 130
        assert session.termios_now() == session.termios_before
        assert "Traceback" not in "\n".join(session.lines())
