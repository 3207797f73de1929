"""Writing in an editor of one's own: it has the terminal alone, and whatever it does no text is lost."""

from __future__ import annotations

import os
import signal
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pi_screen import ScreenPi, editor_shows
from tests.pty_session import PtySession

READY = "(demo) echo"
# Shows what it was given, waits for a line and puts it under the text.
EDITOR = """
    echo "EDITING $(cat "$1")"
    read -r line
    echo "$line" >> "$1"
"""


@pytest.fixture
def pi(tmp_path: Path) -> Iterator[ScreenPi]:
    """Return a fresh installation whose temporary files are its own."""
    pi = ScreenPi(tmp_path)
    folder = tmp_path / "temporary"
    folder.mkdir()
    pi.environ["TMPDIR"] = str(folder)
    yield pi
    assert not list(folder.glob("pi-*.md")), "the text is left behind in a temporary file"


def editor(pi: ScreenPi, code: str, variable: str = "EDITOR") -> Path:
    """Let a shell script be the editor."""
    path = pi.folder / "an editor.sh"
    path.write_text(f"#!/bin/sh\n{textwrap.dedent(code)}\n")
    path.chmod(0o755)
    pi.environ[variable] = f"'{path}'"
    return path


def open_with(session: PtySession, text: bytes) -> None:
    """Type `text` and open the editor."""
    session.wait_for(READY)
    session.send(text)
    session.send(b"\x07")


def test_the_text_goes_into_the_editor_and_comes_back(pi: ScreenPi) -> None:
    editor(pi, EDITOR)
    with pi.show() as session:
        before = session.termios_before
        open_with(session, b"first line")
        session.wait_for("EDITING first line")
        assert not session.terminal.alternate_screen
        assert session.termios_now() == before
        session.send(b"second line\n")
        session.wait_until(editor_shows("first line", "second line"))
        assert session.terminal.alternate_screen
        session.send(b" and more")
        session.wait_until(editor_shows("first line", "second line and more"))


def test_a_long_paste_is_edited_in_full(pi: ScreenPi) -> None:
    editor(pi, 'grep -c . "$1" > "$1".count; mv "$1".count "$1"')
    with pi.show() as session:
        lines = b"\r".join(b"row %d" % number for number in range(400))
        open_with(session, b"\x1b[200~" + lines + b"\x1b[201~")
        session.wait_until(editor_shows("400"))


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ('echo broken > "$1"; exit 3', "ended with status 3"),
        ('echo broken > "$1"; kill -9 $$', "ended with signal 9"),
    ],
)
def test_an_editor_that_fails_changes_nothing(pi: ScreenPi, code: str, told: str) -> None:
    editor(pi, code)
    with pi.show() as session:
        open_with(session, b"as it was")
        session.wait_for(told)
        session.wait_until(editor_shows("as it was"))


def test_an_editor_that_is_not_there_is_named_with_what_to_do(pi: ScreenPi) -> None:
    pi.environ["VISUAL"] = "no-such-editor --wait"
    with pi.show() as session:
        open_with(session, b"as it was")
        session.wait_for("no-such-editor cannot be started")
        session.wait_for("externalEditor in settings.json")
        session.wait_until(editor_shows("as it was"))


def test_ctrl_c_in_the_editor_is_the_editors(pi: ScreenPi) -> None:
    editor(
        pi, "trap 'echo stopped > \"$1\"; exit 0' INT; echo WAITING; while :; do read -r x; done"
    )
    with pi.show() as session:
        open_with(session, b"text")
        session.wait_for("WAITING")
        session.send(b"\x03")
        session.wait_until(editor_shows("stopped"))


def test_visual_is_asked_before_editor(pi: ScreenPi) -> None:
    editor(pi, 'echo from visual > "$1"', "VISUAL")
    pi.environ["EDITOR"] = "false"
    with pi.show() as session:
        open_with(session, b"")
        session.wait_until(editor_shows("from visual"))


def test_being_told_to_end_meanwhile_ends_the_editor_and_the_program(pi: ScreenPi) -> None:
    editor(pi, 'echo "EDITING as $$"; read -r line')
    with pi.show() as session:
        open_with(session, b"text")
        session.wait_for("EDITING as")
        session.signal(signal.SIGTERM)
        assert session.wait_exit() == 128 + signal.SIGTERM
        assert session.termios_now() == session.termios_before
        row = next(row for row in session.lines() if "EDITING as" in row)
        with pytest.raises(ProcessLookupError):
            os.kill(int(row.split()[-1]), 0)


def test_the_file_is_for_its_owner_alone(pi: ScreenPi) -> None:
    editor(pi, 'stat -c %a "$1" > "$1".mode; mv "$1".mode "$1"')
    with pi.show() as session:
        open_with(session, b"secret")
        session.wait_until(editor_shows("600"))
