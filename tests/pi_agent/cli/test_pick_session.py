"""`pi --resume`: a list on the plain terminal, and then the session."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import pytest

from pi_agent.base.paths import SessionFolder
from pi_agent.cli.pick_session import pick_session
from tests.pi_agent.session.saved import START, save_session
from tests.pi_process import Pi
from tests.pi_screen import ScreenPi
from tests.pty_session import PtySession

PI = Path(sys.executable).with_name("pi")


def pick(folder: Path, *answers: str) -> tuple[Path | None, list[str]]:
    """Choose with these answers; nothing more comes after them."""
    said: list[str] = []
    left: Iterable[str] = iter(answers)

    def ask(prompt: str) -> str:
        for answer in left:
            return answer
        raise EOFError

    path = pick_session(
        SessionFolder(folder), Path("/srv/app"), say=said.append, ask=ask, now=lambda: START + 7200
    )
    return path, said


def test_a_number_chooses(tmp_path: Path) -> None:
    old = save_session(tmp_path, "a", ["fix the parser"], name="Parser")
    save_session(tmp_path, "b", ["write a poem", "another"], at=3600)
    path, said = pick(tmp_path, "2")
    assert path == old
    assert said == [
        "  1   58m    4 messages  write a poem",
        "  2    1h    2 messages  Parser",
    ]


def test_words_narrow_the_list(tmp_path: Path) -> None:
    wanted = save_session(tmp_path, "a", ["hello", "the needle is here"])
    for number in range(25):
        save_session(tmp_path, f"b{number}", ["hay"], at=60 * number)
    path, said = pick(tmp_path, "nothing like it", "needle", "9", "1")
    assert path == wanted
    assert said[20:] == [
        "     and 6 more: search for them by their words",
        "No session matches.",
        "  1    1h    4 messages  hello",
        "There is no number 9.",
    ]


@pytest.mark.parametrize(
    ("columns", "row"),
    [
        (59, "  1    1h  fix the parser"),
        (30, "  1    1h  fix the parser"),
        (29, "  1  fix the parser"),
        (12, "  1  fix th…"),
    ],
)
def test_on_narrow_terminals_the_title_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: int, row: str
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    save_session(tmp_path, "a", ["fix the parser"], at=0)
    assert pick(tmp_path)[1][0].replace("\x1b[0m", "") == row


@pytest.mark.parametrize("answers", [("",), ()])
def test_nothing_chooses_nothing(tmp_path: Path, answers: tuple[str, ...]) -> None:
    save_session(tmp_path, "a", ["hello"])
    assert pick(tmp_path, *answers)[0] is None


def test_without_sessions_it_says_so(tmp_path: Path) -> None:
    path, said = pick(tmp_path)
    assert path is None
    assert said == ["There are no sessions of this folder yet. `pi` begins one."]


def test_titles_bring_nothing_onto_the_terminal(tmp_path: Path) -> None:
    save_session(tmp_path, "a", ["x\x1b]0;evil\x07\x1b[31my\r\nz"])
    _, (row, _) = pick(tmp_path)
    assert row.endswith("xy z")


def test_where_nobody_can_be_asked_it_is_refused(pi: Pi) -> None:
    ended = pi.run("-r", "-p", "hello")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("Error: --resume asks which session to go on with")


def test_in_a_terminal_the_chosen_session_is_shown(tmp_path: Path) -> None:
    pi = ScreenPi(tmp_path)
    assert pi.run("--model", "demo/echo", "-p", "remember me").code == 0
    with PtySession([PI, "--resume"], cwd=pi.project, env=pi.full_environ()) as session:
        session.wait_for("Number, words to search for")
        session.send(b"1\r")
        session.wait_until(
            lambda terminal: (
                sum("remember me" in line for line in terminal.lines()) == 2
                and any("(demo) echo" in line for line in terminal.lines())
            )
        )


def interrupted(session: PtySession) -> int:
    """Press Ctrl+C until the program ends: between its question and its reading Python does not notice."""
    for _ in range(10):
        session.send(b"\x03")
        with suppress(AssertionError):
            return session.wait_exit(2)
    return session.wait_exit()


def test_ctrl_c_leaves_quietly(tmp_path: Path) -> None:
    pi = ScreenPi(tmp_path)
    assert pi.run("--model", "demo/echo", "-p", "remember me").code == 0
    with PtySession([PI, "-r"], cwd=pi.project, env=pi.full_environ()) as session:
        session.wait_for("Number, words to search for")
        assert interrupted(session) == 130
        assert "Traceback" not in "\n".join(session.terminal.lines())
