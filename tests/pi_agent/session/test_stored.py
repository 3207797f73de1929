"""Sessions of which only what is looked at is read: they are as if all of them had been read."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_agent.base.jsonl import encode_line, parse_line, read_jsonl
from pi_agent.base.wire import JsonObject
from pi_agent.llm.messages import UserMessage
from pi_agent.session import bodies
from pi_agent.session.context import project, settings_of_branch
from pi_agent.session.index_file import index_path
from pi_agent.session.sequence import shared_length
from pi_agent.session.store import SessionManager
from pi_agent.session.stored import INDEX_FROM_BYTES, StoredSession
from pi_agent.session.tree import EntryTree, TreeNode

HEADER = {"type": "session", "version": 3, "id": "s", "timestamp": "t", "cwd": "/srv/app"}
STAMP = "2026-03-04T05:06:07.089Z"


def message(entry_id: str, parent_id: str | None, text: str = "hello") -> dict[str, Any]:
    return {
        "type": "message",
        "id": entry_id,
        "parentId": parent_id,
        "timestamp": STAMP,
        "message": {"role": "user", "content": text, "timestamp": 1},
    }


def chain(count: int, text: str = "hello") -> list[dict[str, Any]]:
    parents = [None, *(f"{number:08x}" for number in range(count))]
    return [message(f"{number:08x}", parents[number], text) for number in range(count)]


def write(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.write_bytes(b"".join(map(encode_line, [HEADER, *lines])))
    return path


def load(path: Path, index_from_bytes: int = 1) -> StoredSession:
    return StoredSession.load(path, index_from_bytes=index_from_bytes)


def outline(nodes: list[TreeNode]) -> list[object]:
    return [(node.entry.id, node.label, len(node.children)) for node in every(nodes)]


def every(nodes: list[TreeNode]) -> list[TreeNode]:
    found, pending = [], list(nodes)
    while pending:
        node = pending.pop()
        found.append(node)
        pending.extend(node.children)
    return found


def told(tree: EntryTree) -> dict[str, object]:
    """Return everything that can be asked of a session."""
    entries = tree.all()
    return {
        "lines": [entry.raw for entry in entries],
        "views": [(type(entry), entry.id, entry.parent_id, entry.type) for entry in entries],
        "found": [tree.get(entry.id).id for entry in entries],
        "branches": [[each.id for each in tree.branch(entry.id)] for entry in entries],
        "children": [[each.id for each in tree.children_of(entry.id)] for entry in entries],
        "tree": outline(tree.roots()),
        "labels": {target: entry.label for target, entry in tree.labels.items()},
        "name": tree.name,
        "stats": tree.stats,
        "settings": settings_of_branch(tree.branch()),
        "projection": project(tree.branch()),
        "leaf": tree.leaf.id if tree.leaf is not None else None,
    }


IDS = st.sampled_from(
    ["0000000a", "0000000b", "ffffffff", "0000000A", "-0000001", "a", "\ud800", ""]
)
TEXTS = st.sampled_from(["", "x", "a\u2028b", "é" * 3])
NUMBERS = st.sampled_from([0, 3, -1, "many", None])
USAGE = st.fixed_dictionaries(
    {"input": NUMBERS, "output": NUMBERS, "cost": st.sampled_from([None, {"total": 0.5}, "x"])}
)
MESSAGES = st.one_of(
    st.none(),
    st.fixed_dictionaries({"role": st.just("user"), "content": TEXTS, "timestamp": st.just(1)}),
    st.fixed_dictionaries(
        {
            "role": st.sampled_from(["assistant", "toolResult", "system", "strange", 7]),
            "content": st.just([]),
            "usage": USAGE,
            "provider": st.sampled_from(["acme", None]),
            "model": st.sampled_from(["fast", ""]),
        }
    ),
)
LINES = st.fixed_dictionaries(
    {
        "type": st.sampled_from(
            [
                *("message", "message", "message", "label", "session_info", "compaction"),
                *("context_edit", "model_change", "thinking_level_change", "future", "custom", 1),
            ]
        ),
        "id": st.one_of(IDS, st.none()),
        "parentId": st.one_of(IDS, st.none(), st.just("gone")),
    },
    optional={
        "timestamp": st.sampled_from([STAMP, "2025", 5]),
        "message": MESSAGES,
        "targetId": IDS,
        "label": TEXTS,
        "name": TEXTS,
        "summary": TEXTS,
        "firstKeptEntryId": IDS,
        "replacement": st.sampled_from([None, {"content": "other"}]),
        "provider": st.just("acme"),
        "modelId": st.just("slow"),
        "thinkingLevel": st.just("high"),
        "usage": USAGE,
    },
).map(encode_line)
NO_OBJECTS = st.sampled_from([b"\n", b" \r\n", b"{\n", b"[1]\n", b"\x00\x00\n", b"nonsense\r\n"])
WITH_RETURN = LINES.map(lambda line: line[:-1] + b"\r\n")


@settings(max_examples=150)
@given(
    st.lists(st.one_of(LINES, LINES, NO_OBJECTS, WITH_RETURN), max_size=14),
    st.integers(0, 14),
    st.sampled_from([b"", b"\xef\xbb\xbf", b"\n\n", b"# no\n"]),
    st.integers(0, 30),
)
def test_a_session_is_the_same_however_much_of_it_an_index_knows(
    tmp_path_factory: pytest.TempPathFactory,
    lines: list[bytes],
    known: int,
    begin: bytes,
    torn: int,
) -> None:
    path = tmp_path_factory.mktemp("stored") / "s.jsonl"
    head = begin + encode_line(HEADER)
    whole = head + b"".join(lines)
    whole = whole[: max(len(head), len(whole) - torn)]

    path.write_bytes(head + b"".join(lines[:known]))
    load(path)
    path.write_bytes(whole)
    content = read_jsonl(path)
    expected = told(EntryTree(content.values[1:]))
    for _ in range(2):
        stored = load(path)
        assert told(stored.tree) == expected
        damage = stored.skipped, stored.ends_open, stored.is_torn
        assert damage == (content.skipped, content.ends_open, content.is_torn)


def test_with_an_index_only_what_was_added_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", chain(500))
    assert load(path, 1_000_000).tree.lines_read == 500
    assert not index_path(path).exists()
    assert load(path).tree.lines_read == 500
    assert load(path).tree.lines_read == 0
    with path.open("ab") as file:
        file.write(encode_line(message("new", f"{499:08x}")))
    again = load(path, 1_000_000)
    assert again.tree.lines_read == 1
    assert len(again.tree.branch()) == 501


def test_a_session_of_an_ordinary_length_has_no_index(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", chain(200))
    assert path.stat().st_size < INDEX_FROM_BYTES
    SessionManager.open(path).close()
    assert [file.name for file in tmp_path.iterdir()] == ["s.jsonl"]


def test_an_index_is_no_session_and_for_its_owner_only(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", chain(1000, "x" * 300))
    SessionManager.open(path).close()
    index = index_path(path)
    assert not index.name.endswith(".jsonl")
    assert index.stat().st_mode & 0o777 == 0o600
    assert len(list(tmp_path.iterdir())) == 2


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def flip(data: bytes) -> bytes:
    return data[:-1] + bytes([data[-1] ^ 1])


def of_another_version(data: bytes) -> bytes:
    return data.replace(b"index 1", b"index 0", 1)


@pytest.mark.parametrize("spoil", [cut, flip, of_another_version, lambda data: b""])
def test_an_index_that_is_spoiled_is_made_anew(
    spoil: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    path = write(tmp_path / "s.jsonl", chain(50))
    load(path)
    index = index_path(path)
    good = index.read_bytes()
    index.write_bytes(spoil(good))
    assert load(path).tree.lines_read == 50
    assert index.read_bytes() == good
    assert load(path).tree.lines_read == 0


def test_a_file_that_was_changed_is_read_anew(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", chain(50))
    load(path)
    write(path, chain(50, "salut"))  # of the same length
    stored = load(path)
    assert stored.tree.lines_read == 50
    assert stored.tree.get("00000000").raw["message"]["content"] == "salut"
    write(path, chain(20))
    assert len(load(path).tree.all()) == 20


def test_a_longer_file_with_another_beginning_is_read_anew(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", chain(50))
    load(path)
    path.write_bytes(path.read_bytes().replace(b"hello", b"salut!"))
    assert load(path).tree.lines_read == 50


def test_without_a_folder_to_write_to_there_is_no_index(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", chain(50))
    index_path(path).mkdir()
    for _ in range(2):
        assert load(path).tree.lines_read == 50


def test_opening_reads_no_message_and_a_request_reads_those_that_count(tmp_path: Path) -> None:
    lines = chain(400)
    compaction = {"type": "compaction", "id": "c", "parentId": lines[-1]["id"], "summary": "s"}
    compaction |= {"firstKeptEntryId": lines[-3]["id"], "timestamp": STAMP}
    path = write(tmp_path / "s.jsonl", [*lines, compaction, message("last", "c")])
    load(path)
    stored = load(path)
    tree = stored.tree
    assert tree.leaf is not None
    settings_of_branch(tree.branch())
    assert tree.stats.user_messages == 401
    assert stored.tree.lines_read == 0
    assert len(project(tree.branch())) == 1 + 3 + 1
    assert stored.tree.lines_read == 5
    project(tree.branch())
    assert stored.tree.lines_read == 5


def test_a_line_of_ten_megabytes_is_read_when_it_is_looked_at(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", [message("a", None, "x" * 10_000_000), message("b", "a")])
    load(path)
    stored = load(path)
    assert stored.tree.lines_read == 0
    assert len(stored.tree.get("a").raw["message"]["content"]) == 10_000_000
    assert stored.tree.lines_read == 1


def test_an_entry_stays_readable_when_its_file_is_gone(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", chain(3))
    session = SessionManager.open(path)
    path.unlink()
    assert [entry.raw["message"]["content"] for entry in session.get_entries()] == ["hello"] * 3


def test_a_file_that_others_have_cut_shows_what_is_left(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", chain(3))
    session = SessionManager.open(path)
    path.write_bytes(path.read_bytes()[:200])
    assert [entry.id for entry in session.get_branch()] == ["00000000", "00000001", "00000002"]
    assert session.build_session_projection() == []


def test_an_entry_that_was_added_is_not_read_from_the_file(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", chain(3))
    session = SessionManager.open(path)
    entry = session.append_message(UserMessage(content="new"))
    assert session.get_entries()[-1] is entry is session.get_leaf_entry()
    assert entry.message is entry.message


COUNTERS = Path("/proc/self/io")


@pytest.mark.skipif(not COUNTERS.exists(), reason="the system does not count reads and writes")
def test_an_entry_costs_one_write_and_reads_nothing_again(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", chain(1000, "x" * 300))
    session = SessionManager.open(path)
    size = path.stat().st_size
    before = counters()
    for number in range(50):
        session.append_message(UserMessage(content=f"{number}"))
        session.get_branch()
    after = counters()
    assert after["syscw"] - before["syscw"] == 50
    assert after["wchar"] - before["wchar"] == path.stat().st_size - size
    # A byte each: whether another process has died within the line before. The rest is this count.
    assert after["rchar"] - before["rchar"] < 50 + 2 * len(COUNTERS.read_bytes())


def counters() -> dict[str, int]:
    """Return what this process has read and written, by the count of the system."""
    pairs = (line.split(": ") for line in COUNTERS.read_text().splitlines())
    return {name: int(value) for name, value in pairs}


@pytest.mark.soak
def test_a_hundred_thousand_entries(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", chain(100_000, "x" * 100))
    for expected in (100_000, 0):
        tree = StoredSession.load(path).tree
        assert tree.lines_read == expected
        assert len(tree.branch()) == tree.stats.user_messages == 100_000
        assert tree.branch()[0].raw["message"]["content"] == "x" * 100
        assert tree.lines_read == expected + 1
    assert index_path(path).stat().st_size < 4_000_000


@given(st.lists(st.integers(-1, 8), min_size=1, max_size=9), st.integers(0, 8), st.integers(0, 8))
def test_branches_share_what_stands_before_they_part(
    parents: list[int], one: int, other: int
) -> None:
    ids = [f"{number:08x}" for number in range(len(parents))]
    above = [ids[p] if 0 <= p < number else None for number, p in enumerate(parents)]
    tree = EntryTree(message(own, parent) for own, parent in zip(ids, above, strict=True))
    first, second = tree.branch(ids[one % len(ids)]), tree.branch(ids[other % len(ids)])
    both = {entry.id for entry in first} & {entry.id for entry in second}
    assert shared_length(first, second) == shared_length(list(first), list(second)) == len(both)


def test_two_threads_that_read_the_same_line_keep_it_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [entry] = StoredSession.load(write(tmp_path / "s.jsonl", chain(1, "x"))).tree.all()
    both = Barrier(2, timeout=5)

    def read(line: bytes) -> JsonObject | None:
        both.wait()  # until neither can know what the other has read
        return parse_line(line)

    monkeypatch.setattr(bodies, "parse_line", read)
    with ThreadPoolExecutor(2) as pool:
        reads = [pool.submit(lambda: entry.raw) for _ in range(2)]
        one, other = (each.result() for each in reads)
    assert one is other
