"""Files that somebody has edited, or that another program wrote, and clocks that go backwards."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pi_agent.llm.messages import UserMessage
from pi_agent.session.file import SessionError
from pi_agent.session.index_file import index_path
from pi_agent.session.listing import read_header
from pi_agent.session.overview import glance, read_whole
from pi_agent.session.store import SessionManager
from tests.pi_agent.session.test_store import HEADER, lines_of, message_line, write

FIRST, SECOND = (
    message_line("1a2b3c01", None, "first"),
    message_line("1a2b3c02", "1a2b3c01", "second"),
)
JUNK = b'{"type":"message","id":'


def _whole(path: Path) -> bytes:
    return write(path, HEADER, FIRST, SECOND).read_bytes()


def _with_middle(data: bytes, middle: bytes) -> bytes:
    """Return a file with a line of its own between the two messages."""
    lines = data.splitlines(keepends=True)
    return b"".join([*lines[:2], middle + b"\n", *lines[2:]])


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "bad JSON in the middle": lambda data: _with_middle(data, JUNK),
    "a line of NUL bytes": lambda data: _with_middle(data, b"\0" * 4096),
    "NUL bytes at the end": lambda data: data + b"\0" * 4096,
    "10 MB that are no JSON": lambda data: _with_middle(data, b"x" * 10_000_000),
    "a list": lambda data: _with_middle(data, b"[1, 2]"),
    "nested without end": lambda data: _with_middle(data, b"[" * 100_000),
    "bytes that are no UTF-8": lambda data: _with_middle(data, b"\xff\xfe\x00"),
}
HARMLESS: dict[str, Callable[[bytes], bytes]] = {
    "CRLF": lambda data: data.replace(b"\n", b"\r\n"),
    "blank lines": lambda data: data.replace(b"\n", b"\n\n \n"),
    "no last newline": lambda data: data.removesuffix(b"\n"),
    "a byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "line separators in a text": lambda data: data.replace(
        b"second", "sec\u2028\u2029\x85ond".encode()
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_damaged_is_left_out_told_and_left_in_the_file(damage: str, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    damaged = DAMAGES[damage](_whole(path))
    path.write_bytes(damaged)
    session = SessionManager.open(path)
    assert [entry.id for entry in session.get_branch()] == ["1a2b3c01", "1a2b3c02"]
    assert len(session.notices) == 1
    assert "left out" in session.notices[0]
    session.append_message(UserMessage(content="third"))
    session.close()
    assert path.read_bytes().startswith(damaged)
    again = SessionManager.open(path)
    assert len(again.get_branch()) == 3
    again.close()


@pytest.mark.parametrize("change", [*DAMAGES, *HARMLESS])
def test_an_index_of_what_was_there_before_does_not_mislead(change: str, tmp_path: Path) -> None:
    """The same with a file so long that it has an index, which is of the time before."""
    path = tmp_path / "s.jsonl"
    padded = message_line("1a2b3c00", None, "x" * 300_000)
    whole = write(path, HEADER, padded, {**FIRST, "parentId": "1a2b3c00"}, SECOND).read_bytes()
    SessionManager.open(path).close()
    assert index_path(path).exists()
    path.write_bytes({**DAMAGES, **HARMLESS}[change](whole))
    for count in (3, 4):
        session = SessionManager.open(path)
        assert [len(str(entry.raw)) > 50 for entry in session.get_branch()] == [True] * count
        assert ("left out" in "".join(session.notices)) is (change in DAMAGES)
        session.append_message(UserMessage(content="more"))
        session.close()


@pytest.mark.parametrize("form", HARMLESS)
def test_what_is_only_written_otherwise_is_read_without_a_word(form: str, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    changed = HARMLESS[form](_whole(path))
    path.write_bytes(changed)
    session = SessionManager.open(path)
    assert session.notices == []
    assert [entry.id for entry in session.get_branch()] == ["1a2b3c01", "1a2b3c02"]
    session.append_message(UserMessage(content="third"))
    session.close()
    assert path.read_bytes().startswith(changed)
    assert json.loads(path.read_bytes().split(b"\n")[-2])["parentId"] == "1a2b3c02"
    assert len(SessionManager.open(path).get_branch()) == 3


def test_an_entry_of_ten_megabytes_comes_back_and_is_listed(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    session = SessionManager.open(path)
    session.append_message(UserMessage(content="first"))
    session.append_message(UserMessage(content="é" * 5_000_000))
    session.append_message(UserMessage(content="third"))
    session.close()
    texts = [entry.raw["message"]["content"] for entry in SessionManager.open(path).get_entries()]
    assert [len(text) for text in texts] == [5, 5_000_000, 5]
    for look in (glance, read_whole):
        info = look(path)
        assert info is not None
        assert info.title == "first"


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"notes\n", id="text"),
        pytest.param(b"\0" * 5000, id="NUL bytes"),
        pytest.param(b'{"type":"session"}\n', id="a header without an id"),
        pytest.param(b'{"type":"session","id":5}\n', id="an id that is no text"),
        pytest.param(json.dumps(FIRST).encode() + b"\n" + json.dumps(HEADER).encode(), id="late"),
        pytest.param(b"x\n" * (1 << 19) + json.dumps(HEADER).encode() + b"\n", id="short lines"),
        pytest.param(b" " * (1 << 20) + json.dumps(HEADER).encode() + b"\n", id="after a mebibyte"),
        pytest.param(b"\n" * (1 << 20) + json.dumps(HEADER).encode() + b"\n", id="blank lines"),
    ],
)
def test_what_is_no_session_is_refused_not_listed_and_never_written(
    content: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(content)
    with pytest.raises(SessionError, match="not a valid pi session"):
        SessionManager.open(path)
    assert read_header(path) is None
    assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("version", [4, 99, 3.5, "4", None, True, 0, -1])
def test_a_version_that_is_not_known_is_never_rewritten(version: object, tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", {**HEADER, "version": version}, FIRST, SECOND)
    before = path.read_bytes()
    session = SessionManager.open(path)
    session.append_message(UserMessage(content="third"))
    session.close()
    assert path.read_bytes().startswith(before)
    assert len(lines_of(path)) == 4


def test_a_clock_that_goes_backwards_changes_no_order(tmp_path: Path) -> None:
    times = iter(range(2_000_000_000, 0, -100_000))
    path = tmp_path / "s.jsonl"
    session = SessionManager.open(path, now=lambda: next(times))
    written = [session.append_message(UserMessage(content=text)) for text in "abcd"]
    session.close()
    stamps = [line["timestamp"] for line in lines_of(path)[1:]]
    assert stamps == sorted(stamps, reverse=True)
    again = SessionManager.open(path)
    assert [entry.id for entry in again.get_branch()] == [entry.id for entry in written]
    assert again.get_leaf_id() == written[-1].id
    assert [m.content for m in again.build_session_projection() if m.role == "user"] == list("abcd")
    again.close()
    info = read_whole(path)
    assert info is not None
    assert info.message_count == 4


@pytest.mark.parametrize("moment", [-1.5, 0.0, 253402300799.0])
def test_the_first_and_the_last_moments_of_time_can_be_stored(
    moment: float, tmp_path: Path
) -> None:
    path = tmp_path / "s.jsonl"
    session = SessionManager.open(path, now=lambda: moment)
    session.append_message(UserMessage(content="a"))
    session.close()
    assert len(SessionManager.open(path).get_entries()) == 1
