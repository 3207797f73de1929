"""Naming and deleting saved sessions from outside."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from pi_agent.base.errors import PiError
from pi_agent.session.change import delete_session, rename_session
from pi_agent.session.index_file import index_path
from pi_agent.session.overview import read_whole
from pi_agent.session.store import SessionManager
from tests.pi_agent.session.saved import save_session


def name_of(path: Path) -> str | None:
    info = read_whole(path)
    assert info is not None
    return info.name


def trash_program(folder: Path, body: str) -> dict[str, str]:
    """Return an environment with a command `trash`."""
    program = folder / "bin" / "trash"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{body}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return {"PATH": f"{program.parent}:{os.environ['PATH']}"}


def test_a_name_is_a_line_more_and_can_be_taken_away(tmp_path: Path) -> None:
    path = save_session(tmp_path, "s", ["hello"])
    before = path.read_bytes()
    rename_session(path, "  Spring\npoem ")
    assert path.read_bytes().startswith(before)
    assert name_of(path) == "Spring poem"
    rename_session(path, "")
    assert name_of(path) is None
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_without_a_trash_the_file_is_removed(tmp_path: Path) -> None:
    path = save_session(tmp_path, "s", ["hello"])
    index_path(path).write_bytes(b"what is known of it")
    assert delete_session(path, {"PATH": str(tmp_path)}) is False
    assert list(tmp_path.iterdir()) == []


def test_the_trash_gets_it_where_there_is_one(tmp_path: Path) -> None:
    environ = trash_program(tmp_path, f'mv "$1" {tmp_path}/trashed')
    path = save_session(tmp_path / "sessions", "s", ["hello"])
    assert delete_session(path, environ) is True
    assert (tmp_path / "trashed").read_text().count("hello") > 0


def test_a_trash_that_does_not_take_it_is_no_reason_to_keep_it(tmp_path: Path) -> None:
    environ = trash_program(tmp_path, "echo no >&2; exit 1")
    path = save_session(tmp_path / "sessions", "s", ["hello"])
    assert delete_session(path, environ) is False
    assert not path.exists()


def test_a_session_that_is_open_elsewhere_stays_as_it_is(tmp_path: Path) -> None:
    path = save_session(tmp_path, "s", ["hello"])
    before = path.read_bytes()
    elsewhere = SessionManager.open(path)
    for change in (lambda: rename_session(path, "x"), lambda: delete_session(path, {})):
        with pytest.raises(PiError, match=r"The session is open in process \d+") as told:
            change()
        assert told.value.hint == "Close it there first."
    assert path.read_bytes() == before
    elsewhere.close()
    rename_session(path, "x")
    assert name_of(path) == "x"


def test_nobody_else_opens_what_is_being_deleted(tmp_path: Path) -> None:
    """The program that takes it looks whether the session is free, as another pi would."""
    environ = trash_program(tmp_path, f'flock -n "$1" true && echo free > {tmp_path}/seen; rm "$1"')
    path = save_session(tmp_path / "sessions", "s", ["hello"])
    assert delete_session(path, environ) is True
    assert not (tmp_path / "seen").exists()
    assert list((tmp_path / "sessions").iterdir()) == []


def test_a_file_that_cannot_be_removed_is_told(tmp_path: Path) -> None:
    with pytest.raises(PiError, match="No such file"):
        delete_session(tmp_path / "gone.jsonl", {})


def test_what_has_gone_cannot_be_named(tmp_path: Path) -> None:
    with pytest.raises(PiError, match=r"The session is gone: .*gone\.jsonl"):
        rename_session(tmp_path / "gone.jsonl", "x")
    assert list(tmp_path.iterdir()) == []
