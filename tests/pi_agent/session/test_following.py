"""A session that somebody else writes, read as it grows."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_agent.llm.messages import UserMessage
from pi_agent.session.entries import MessageEntry
from pi_agent.session.file import SessionError
from pi_agent.session.following import FollowedFile
from pi_agent.session.store import SessionManager
from tests.pi_agent.session.saved import save_session
from tests.pi_agent.session.test_migrate import write_old


def said(file: FollowedFile) -> list[str]:
    """Return what the user said, in all that is known."""
    return [
        entry.raw["message"]["content"]
        for entry in file.tree
        if isinstance(entry, MessageEntry) and entry.role == "user"
    ]


def writer(path: Path, *texts: str) -> SessionManager:
    session = SessionManager.open(path)
    for text in texts:
        session.append_message(UserMessage(content=text))
    return session


def test_a_look_finds_what_has_come_since_the_last_one(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    session = writer(path, "one", "two")
    file = FollowedFile(path)
    first = file.look()
    assert first is not None
    assert first.anew
    assert said(file) == ["one", "two"]
    assert not file.has_changed()
    assert file.look() is None
    session.append_message(UserMessage(content="three"))
    assert file.has_changed()
    second = file.look()
    assert second is not None
    assert [second.anew, [entry.id for entry in second.entries]] == [False, [session.get_leaf_id()]]
    assert file.tree.leaf is second.entries[0]
    assert file.header is not None
    assert file.header.id == session.get_session_id()


def test_only_what_is_new_is_read(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    session = writer(path, "x" * 100_000)
    file = FollowedFile(path)
    file.look()
    known = file.tree.leaf
    session.append_message(UserMessage(content="two"))
    file.look()
    assert next(iter(file.tree)) is known


def test_neither_the_file_nor_its_folder_is_touched(tmp_path: Path) -> None:
    path = save_session(tmp_path, "s", ["one"])
    path.write_bytes(path.read_bytes() + b'{"type":"mess')
    os.utime(path, (1000, 1000))
    before = path.read_bytes()
    FollowedFile(path).look()
    assert (path.read_bytes(), path.stat().st_mtime) == (before, 1000)
    assert os.listdir(tmp_path) == ["s.jsonl"]
    session = SessionManager.open(path)
    assert not any("in use" in notice for notice in session.notices)
    session.close()


def test_a_long_file_gets_no_index(tmp_path: Path) -> None:
    path = save_session(tmp_path, "s", ["x" * 1_000_000])
    FollowedFile(path).look()
    assert os.listdir(tmp_path) == ["s.jsonl"]


def test_a_line_is_read_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    writer(path, "one").close()
    file = FollowedFile(path)
    file.look()
    whole = path.read_bytes()
    writer(path, "two é").close()
    line = path.read_bytes()[len(whole) :]
    cut = line.index("é".encode()) + 1
    for part, known in ((line[:cut], ["one"]), (line[:-1], ["one", "two é"]), (line, None)):
        path.write_bytes(whole + part)
        file.look()
        assert said(file) == (known or ["one", "two é"])
    writer(path, "three").close()
    file.look()
    assert said(file) == ["one", "two é", "three"]


def test_what_is_written_behind_a_torn_line_is_found(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    writer(path, "one").close()
    file = FollowedFile(path)
    with path.open("ab") as torn:
        torn.write(b'{"type":"message","id":"')
    file.look()
    writer(path, "two").close()
    growth = file.look()
    assert growth is not None
    assert not growth.anew
    assert said(file) == ["one", "two"]


def _shorten(path: Path) -> None:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]))


def _replace(path: Path) -> None:
    other = path.with_name("other")
    writer(other, "a", "b", "c", "d").close()
    other.replace(path)


def _edit(path: Path) -> None:
    """Put an edited copy in its place, as editors do; it is as long as before, and a line longer."""
    other = path.with_name("other")
    more = path.read_bytes().splitlines(keepends=True)[-1].replace(b"two", b"six")
    other.write_bytes(path.read_bytes().replace(b"one", b"ten") + more)
    other.replace(path)


def _write_over(path: Path) -> None:
    """Write something else of more length into the same file."""
    other = path.with_name("other")
    writer(other, "a", "b", "c", "d" * 1000).close()
    path.write_bytes(other.read_bytes())


@pytest.mark.parametrize(
    ("change", "known"),
    [
        (_shorten, ["one"]),
        (_replace, ["a", "b", "c", "d"]),
        (_edit, ["ten", "two", "six"]),
        (_write_over, ["a", "b", "c", "d" * 1000]),
    ],
)
def test_a_file_with_another_beginning_is_read_anew(
    change: Callable[[Path], None], known: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "s.jsonl"
    writer(path, "one", "two" + " " * 300).close()
    file = FollowedFile(path)
    file.look()
    change(path)
    growth = file.look()
    assert growth is not None
    assert growth.anew
    assert [text.strip() for text in said(file)] == known
    writer(path, "more").close()
    file.look()
    assert [text.strip() for text in said(file)] == [*known, "more"]


def test_what_was_read_stays_while_the_file_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    writer(path, "one").close()
    file = FollowedFile(path)
    file.look()
    away = path.rename(tmp_path / "away")
    for _ in range(2):
        with pytest.raises(SessionError, match="cannot be read: No such file"):
            file.look()
    assert said(file) == ["one"]
    away.rename(path)
    growth = file.look()
    assert growth is not None
    assert said(file) == ["one"]


def test_an_old_format_is_read_as_if_it_were_new(tmp_path: Path) -> None:
    path = write_old(tmp_path)
    before = path.read_bytes()
    file = FollowedFile(path)
    file.look()
    assert [entry.timestamp for entry in file.tree.branch()] == ["t1", "t2", "t3", "t4"]
    with path.open("ab") as old:
        old.write(b'{"type":"message","timestamp":"t5","message":{"role":"user","content":"x"}}\n')
    file.look()
    assert [entry.timestamp for entry in file.tree.branch()] == ["t1", "t2", "t3", "t4", "t5"]
    assert path.read_bytes().startswith(before)
    SessionManager.open(path).close()  # rewrites it
    growth = file.look()
    assert growth is not None
    assert growth.anew
    assert len(growth.entries) == 5


@pytest.mark.parametrize("content", [b"notes\n", b'{"type":"note"}\n', b"\0" * 5000])
def test_what_is_no_session_is_an_error_that_names_the_file(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_bytes(content)
    file = FollowedFile(path)
    with pytest.raises(SessionError, match=r"not a valid pi session: .*notes\.jsonl"):
        file.look()
    path.unlink()
    writer(path, "one").close()
    file.look()
    assert said(file) == ["one"]


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "pipe.jsonl"
    os.mkfifo(path)
    with pytest.raises(SessionError, match="it is not a file"):
        FollowedFile(path).look()


def test_an_empty_file_may_become_a_session(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.touch()
    file = FollowedFile(path)
    growth = file.look()
    assert growth is not None
    assert file.header is None
    writer(path, "one").close()
    file.look()
    assert said(file) == ["one"]


@cache
def eight_entries() -> bytes:
    """Return what a session's file holds after eight messages."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "s.jsonl")
        writer(path, *(f"text é {number}" for number in range(8))).close()
        return path.read_bytes()


# What may happen to a file between two looks: some bytes of what is to be written come, or the file is begun anew with
# some of its lines.
_CHANGES = st.one_of(
    st.tuples(st.just("write"), st.integers(1, 400)),
    st.tuples(st.sampled_from(("shorten", "replace")), st.integers(1, 6)),
)


@given(st.lists(_CHANGES, max_size=12))
def test_whatever_happens_what_is_known_is_what_the_file_holds(
    changes: list[tuple[str, int]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "s.jsonl")
        whole = eight_entries()
        file = FollowedFile(path)
        path.write_bytes(whole[:500])
        for kind, amount in changes:
            before = path.read_bytes()
            kept = b"".join(whole.splitlines(keepends=True)[:amount])
            if kind == "write":
                with path.open("ab") as growing:
                    growing.write(whole[len(before) : len(before) + amount])
            elif kind == "shorten":
                path.write_bytes(kept)
            else:
                other = path.with_name("other")
                other.write_bytes(kept)
                other.replace(path)
            file.look()
            fresh = FollowedFile(path)
            fresh.look()
            assert [each.raw for each in file.tree.all()] == [each.raw for each in fresh.tree.all()]
