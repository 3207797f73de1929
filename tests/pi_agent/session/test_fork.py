"""Sessions made from others: what they hold, and that nothing else changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pi_agent.base.paths import SessionFolder
from pi_agent.session.context import project
from pi_agent.session.entries import CompactionEntry, Entry, LabelEntry
from pi_agent.session.file import SessionError
from pi_agent.session.fork import (
    ForkPosition,
    clone_point,
    copy_session,
    fork_session,
    import_session,
)
from pi_agent.session.store import SessionManager
from tests.fixtures.load import load_fixture
from tests.pi_agent.session.grown import STEPS, answered, begun, grow, said
from tests.pi_agent.session.saved import save_session


def lines_of(session: SessionManager) -> list[dict[str, Any]]:
    file = session.get_session_file()
    assert file is not None
    return [json.loads(line) for line in file.read_text().splitlines()]


def two_questions(folder: Path) -> tuple[SessionManager, list[Entry]]:
    session = begun(folder)
    entries: list[Entry] = [session.append_model_change("acme", "fast-1")]
    entries += [session.append_message(said("first")), session.append_message(answered("one"))]
    entries += [session.append_message(said("second")), session.append_message(answered("two"))]
    return session, entries


def test_a_fork_ends_before_the_message_and_names_where_it_comes_from(tmp_path: Path) -> None:
    session, entries = two_questions(tmp_path)
    session.append_label(entries[1].id, "start")
    session.append_label(entries[3].id, "later")
    session.append_session_info("named")
    before = lines_of(session)
    fork = fork_session(session, entries[3].id)
    header, *lines = lines_of(fork)
    assert header["parentSession"] == str(session.get_session_file())
    assert header["cwd"] == str(tmp_path)
    assert header["id"] == fork.get_session_id() != session.get_session_id()
    assert [line["type"] for line in lines] == ["model_change", "message", "message", "label"]
    assert [line["id"] for line in lines[:3]] == [entry.id for entry in entries[:3]]
    assert [line["parentId"] for line in lines] == [None, *(line["id"] for line in lines[:3])]
    assert fork.get_label(entries[1].id) == "start"
    assert lines_of(session) == before


def test_a_clone_has_the_whole_branch_and_not_the_others(tmp_path: Path) -> None:
    session, entries = two_questions(tmp_path)
    session.branch(entries[2].id)
    other = session.append_message(said("another way"))
    clone = fork_session(session, clone_point(session), "at")
    ids = [line["id"] for line in lines_of(clone)[1:]]
    assert ids == [entries[0].id, entries[1].id, entries[2].id, other.id]
    assert clone.get_leaf_id() == other.id


def test_a_fork_of_the_first_message_leaves_no_file_until_something_is_said(tmp_path: Path) -> None:
    session, entries = two_questions(tmp_path)
    fork = fork_session(session, entries[1].id)
    file = fork.get_session_file()
    assert file is not None
    assert not file.exists()
    fork.append_message(said("instead"))
    assert [line["type"] for line in lines_of(fork)] == ["session", "model_change", "message"]


def test_what_a_compaction_kept_from_a_label_on_is_kept_in_the_fork(tmp_path: Path) -> None:
    session, entries = two_questions(tmp_path)
    session.branch(entries[2].id)
    label = session.append_label(entries[1].id, "here")
    session.append_message(said("kept"))
    session.append_compaction("so far", first_kept_entry_id=label.id, tokens_before=9)
    last = session.append_message(answered("end"))
    fork = fork_session(session, last.id, "at")
    assert fork.build_session_projection() == session.build_session_projection()
    assert [m.role for m in fork.build_session_projection()] == [
        "compactionSummary",
        "user",
        "assistant",
    ]


def test_a_compaction_that_keeps_nothing_keeps_nothing_in_the_fork(tmp_path: Path) -> None:
    session, _ = two_questions(tmp_path)
    compaction = session.append_compaction("all", first_kept_entry_id="own", tokens_before=9)
    compaction.raw["firstKeptEntryId"] = compaction.id
    last = session.append_message(answered("end"))
    fork = fork_session(session, last.id, "at")
    (copied,) = [entry for entry in fork.get_entries() if isinstance(entry, CompactionEntry)]
    assert copied.first_kept_entry_id == copied.id
    assert fork.build_session_projection() == session.build_session_projection()


@pytest.mark.parametrize("which", ["answer", "unknown"])
def test_only_what_the_user_said_can_be_forked(tmp_path: Path, which: str) -> None:
    session, entries = two_questions(tmp_path)
    with pytest.raises(SessionError, match="Invalid entry ID for forking"):
        fork_session(session, entries[2].id if which == "answer" else "nope")
    assert len(list((tmp_path / "sessions").glob("*.jsonl"))) == 1


def test_what_is_not_in_a_file_cannot_be_forked_or_cloned() -> None:
    session = SessionManager.in_memory()
    with pytest.raises(SessionError, match="Cannot clone session: no current entry selected"):
        clone_point(session)
    entry = session.append_message(said("first"))
    with pytest.raises(SessionError, match="not kept in a file"):
        fork_session(session, entry.id)


def test_a_copy_for_another_directory_has_every_entry(tmp_path: Path) -> None:
    session, entries = two_questions(tmp_path)
    session.branch(entries[2].id)
    session.append_message(said("another way"))
    session.append_label(entries[1].id, "start")
    path = session.get_session_file()
    assert path is not None
    elsewhere = tmp_path / "elsewhere"
    copy = copy_session(path, elsewhere, SessionFolder(elsewhere / "sessions"))
    header, *lines = lines_of(copy)
    assert header["cwd"] == str(elsewhere)
    assert header["parentSession"] == str(path)
    assert lines == lines_of(session)[1:]


def test_a_copy_of_an_old_file_is_in_the_present_format_and_the_old_one_stays(
    tmp_path: Path,
) -> None:
    old = tmp_path / "old.jsonl"
    message = {"type": "message", "message": {"role": "user", "content": "hello"}}
    old.write_text('{"type":"session","id":"old","cwd":"/gone"}\n' + json.dumps(message) + "\n")
    before = old.read_bytes()
    copy = copy_session(old, tmp_path, SessionFolder(tmp_path / "sessions"))
    header, line = lines_of(copy)
    assert header["version"] == 3
    assert line["id"]
    assert line["parentId"] is None
    assert old.read_bytes() == before


def test_an_imported_file_keeps_its_name_id_and_folder_and_takes_no_others_place(
    tmp_path: Path,
) -> None:
    source = save_session(tmp_path / "from", "mine", ["hello"], cwd="/srv/gone")
    folder = SessionFolder(tmp_path / "sessions")
    paths = [import_session(source, folder) for _ in range(3)]
    assert [path.name for path in paths] == ["mine.jsonl", "mine-1.jsonl", "mine-2.jsonl"]
    assert {path.read_bytes() for path in paths} == {source.read_bytes()}
    assert {path.stat().st_mode & 0o777 for path in paths} == {0o600}
    assert import_session(paths[1], folder) == paths[1]


def test_only_sessions_are_imported(tmp_path: Path) -> None:
    folder = SessionFolder(tmp_path / "sessions")
    other = tmp_path / "notes.jsonl"
    other.write_text('{"type":"note"}\n')
    with pytest.raises(SessionError, match="not a valid pi session"):
        import_session(other, folder)
    with pytest.raises(SessionError, match=r"File not found: .*none\.jsonl"):
        import_session(tmp_path / "none.jsonl", folder)
    assert not folder.path.exists()


# What another program made of a fork: the ids that stay, in order, and where the others hang.
MEASURED = (
    "rpc-fork-and-stop",
    "rpc-fork-with-labels",
    "rpc-compact-and-fork",
    "rpc-clone-and-stop",
)


@pytest.mark.parametrize("case_id", MEASURED)
def test_a_fork_has_the_lines_that_another_program_writes(tmp_path: Path, case_id: str) -> None:
    case = next(case for case in load_fixture("rpc_golden") if case.id == case_id)
    source, expected = ([dict(line) for line in file["lines"]] for file in case.expected["files"])
    wanted = expected[1:]
    while wanted and wanted[-1]["id"] not in {line.get("id") for line in source}:
        if wanted[-1]["type"] == "label":
            break
        wanted.pop()  # what was said in the fork
    path = tmp_path / "source.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in source))
    session = SessionManager.open(path)
    kept = [line["id"] for line in wanted if line["type"] != "label"]
    following = [line["id"] for line in source if line.get("parentId") == kept[-1]]
    position: ForkPosition = "at" if case_id == "rpc-clone-and-stop" else "before"
    fork = fork_session(session, kept[-1] if position == "at" else following[0], position)
    assert [shape(line) for line in lines_of(fork)[1:]] == [shape(line) for line in wanted]


def shape(line: dict[str, Any]) -> tuple[Any, ...]:
    return line["type"], line.get("targetId") or line["id"], line.get("firstKeptEntryId")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 99)), max_size=40),
    data=st.data(),
)
def test_whatever_tree_it_comes_from_a_fork_sees_and_labels_the_same(
    tmp_path: Path, steps: list[tuple[str, int]], data: st.DataObject
) -> None:
    session = begun(tmp_path)
    session.append_message(said("first"))
    grow(session, steps)
    target = data.draw(st.sampled_from(session.get_entries()))
    is_users = target.type == "message" and target.raw["message"]["role"] == "user"
    position: ForkPosition = data.draw(st.sampled_from(["before", "at"])) if is_users else "at"
    fork = fork_session(session, target.id, position)
    end = target.id if position == "at" else target.parent_id
    path = session.get_branch(end) if end else []
    assert fork.build_session_projection() == project(path)
    kept = [entry.id for entry in path if not isinstance(entry, LabelEntry)]
    copied = [e.id for e in fork.get_entries() if not isinstance(e, LabelEntry)]
    assert copied == kept
    assert {each: fork.get_label(each) for each in kept} == {
        each: session.get_label(each) for each in kept
    }
    assert [entry.id for entry in fork.get_branch()] == [entry.id for entry in fork.get_entries()]
    file = fork.get_session_file()
    assert file is not None
    if file.exists():
        again = SessionManager.open(file)
        assert [entry.raw for entry in again.get_entries()] == [e.raw for e in fork.get_entries()]
        assert again.get_header().parent_session == str(session.get_session_file())
