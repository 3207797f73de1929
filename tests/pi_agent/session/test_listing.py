"""Finding a session by what a person says of it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pi_agent.base.paths import AgentPaths
from pi_agent.session.listing import (
    ElsewhereError,
    SessionLookupError,
    find_session,
    find_to_read,
    newest_session,
    read_header,
)

HERE = Path("/srv/app")
ELSEWHERE = Path("/srv/other")


def saved(paths: AgentPaths, cwd: Path, session_id: str, *, age: int = 0) -> Path:
    folder = paths.sessions_of(cwd).path
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"2026-01-01_{session_id}.jsonl"
    header = {"type": "session", "version": 3, "id": session_id, "cwd": str(cwd)}
    path.write_text(json.dumps(header) + "\n")
    os.utime(path, (10_000 - age, 10_000 - age))
    return path


@pytest.fixture
def paths(tmp_path: Path) -> AgentPaths:
    return AgentPaths.from_environment({"HOME": str(tmp_path)})


@pytest.fixture
def flat(tmp_path: Path) -> AgentPaths:
    return AgentPaths.from_environment({"HOME": str(tmp_path)}, session_dir=str(tmp_path / "all"))


def test_an_exact_id_beats_a_longer_one_that_begins_with_it(paths: AgentPaths) -> None:
    exact = saved(paths, HERE, "abc")
    saved(paths, HERE, "abcd")
    assert find_session("abc", cwd=HERE, paths=paths) == exact


def test_the_beginning_of_an_id_is_enough_when_only_one_has_it(paths: AgentPaths) -> None:
    only = saved(paths, HERE, "abcd")
    saved(paths, ELSEWHERE, "abce")
    assert find_session("ab", cwd=HERE, paths=paths) == only


def test_a_beginning_of_several_names_them_all(paths: AgentPaths) -> None:
    for session_id in ("abcd", "abce"):
        saved(paths, HERE, session_id)
    with pytest.raises(SessionLookupError) as failure:
        find_session("ab", cwd=HERE, paths=paths)
    assert "abcd" in failure.value.message
    assert "abce" in failure.value.message


def test_a_session_of_another_directory_is_an_error_that_says_where_it_is(
    paths: AgentPaths,
) -> None:
    path = saved(paths, ELSEWHERE, "abcd")
    with pytest.raises(ElsewhereError) as failure:
        find_session("abcd", cwd=HERE, paths=paths)
    assert str(ELSEWHERE) in failure.value.message
    assert "pi --fork abcd" in (failure.value.hint or "")
    assert failure.value.path == path


def test_an_unknown_id_is_an_error(paths: AgentPaths) -> None:
    with pytest.raises(SessionLookupError, match="No session found for zz"):
        find_session("zz", cwd=HERE, paths=paths)


@pytest.mark.parametrize(
    ("reference", "path"),
    [("x.jsonl", "/srv/app/x.jsonl"), ("/tmp/y", "/tmp/y"), ("../z", "/srv/z")],
)
def test_what_looks_like_a_path_is_one(reference: str, path: str, paths: AgentPaths) -> None:
    assert find_session(reference, cwd=HERE, paths=paths) == Path(path)


def test_to_be_read_a_session_may_be_of_any_directory(paths: AgentPaths) -> None:
    there = saved(paths, ELSEWHERE, "abcd")
    assert find_to_read("ab", cwd=HERE, paths=paths) == there
    here = saved(paths, HERE, "abcf")
    assert find_to_read("ab", cwd=HERE, paths=paths) == here
    with pytest.raises(SessionLookupError, match="No session found for zz"):
        find_to_read("zz", cwd=HERE, paths=paths)


def test_to_be_read_a_session_must_be_there(paths: AgentPaths, tmp_path: Path) -> None:
    missing, notes, pipe = (tmp_path / name for name in ("no.jsonl", "notes.jsonl", "pipe.jsonl"))
    notes.write_text("notes\n")
    os.mkfifo(pipe)
    for path, told in (
        (missing, "There is no session file"),
        (pipe, "There is no session file"),
        (notes, "not a valid pi session"),
    ):
        with pytest.raises(SessionLookupError, match=told):
            find_to_read(str(path), cwd=HERE, paths=paths)


def test_a_flat_folder_is_told_apart_by_directory(flat: AgentPaths) -> None:
    mine = saved(flat, HERE, "mine", age=100)
    saved(flat, ELSEWHERE, "theirs")
    assert newest_session(flat.sessions_of(HERE), cwd=HERE) == mine
    assert find_session("mi", cwd=HERE, paths=flat) == mine
    with pytest.raises(SessionLookupError, match="another directory"):
        find_session("th", cwd=HERE, paths=flat)


def test_a_folder_of_one_directory_takes_sessions_that_were_moved_there(paths: AgentPaths) -> None:
    path = saved(paths, ELSEWHERE, "moved")
    folder = paths.sessions_of(HERE).path
    folder.mkdir(parents=True)
    moved = path.rename(folder / path.name)
    assert newest_session(paths.sessions_of(HERE), cwd=HERE) == moved


def test_only_the_beginning_of_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.jsonl"
    header = json.dumps({"type": "session", "id": "x", "cwd": "/srv"}).encode()
    with path.open("wb") as file:
        file.write(header + b"\n")
        file.truncate(1 << 36)  # sparse: reading all of it would take minutes
    found = read_header(path)
    assert found is not None
    assert found.id == "x"
