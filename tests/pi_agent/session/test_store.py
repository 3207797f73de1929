"""What a session keeps, and when it reaches the disk. Files are read here with `json` alone."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pi_agent.base.paths import SessionFolder
from pi_agent.llm.messages import (
    AssistantMessage,
    SystemMessage,
    TextContent,
    ToolResultMessage,
    UserMessage,
)
from pi_agent.llm.usage import Usage
from pi_agent.session.entries import MessageEntry
from pi_agent.session.file import SessionError, SessionWriteError
from pi_agent.session.store import SessionManager
from pi_agent.session.tree import EntryNotFoundError

HEADER = {
    "type": "session",
    "version": 3,
    "id": "019cb1d2-7a10-7c3e-9f00-2f6f5a8d0c11",
    "timestamp": "2026-03-04T05:06:07.089Z",
    "cwd": "/srv/app",
}


def ticking(start: float = 1772600767.089) -> Callable[[], float]:
    """Return a clock that goes on by a second each time it is read."""
    seconds = iter(range(10_000))
    return lambda: start + next(seconds)


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().decode().split("\n")[:-1]]


def write(path: Path, *lines: dict[str, Any], end: str = "\n") -> Path:
    path.write_text("\n".join(json.dumps(line) for line in lines) + end, encoding="utf-8")
    return path


def message_line(entry_id: str, parent_id: str | None, text: str = "hello") -> dict[str, Any]:
    return {
        "type": "message",
        "id": entry_id,
        "parentId": parent_id,
        "timestamp": "2026-03-04T05:06:09.000Z",
        "message": {"role": "user", "content": text, "timestamp": 1},
    }


def begun(folder: Path) -> SessionManager:
    session = SessionManager.create("/srv/app", folder=SessionFolder(folder), now=ticking())
    session.append_model_change("acme", "fast-1")
    session.append_message(SystemMessage(sections={"preamble": "You are pi."}))
    return session


def path_of(session: SessionManager) -> Path:
    path = session.get_session_file()
    assert path is not None
    return path


def test_nothing_is_on_disk_until_something_is_asked(tmp_path: Path) -> None:
    session = begun(tmp_path / "sessions")
    session.append_session_info("plans")
    session.append_custom("todo", {"open": 2})
    session.append_custom_message("note", "Remember.")
    session.close()
    assert list(tmp_path.iterdir()) == []


def test_the_first_question_writes_all_that_came_before_it(tmp_path: Path) -> None:
    session = begun(tmp_path)
    session.append_message(UserMessage(content="What is in a.txt?"))
    lines = lines_of(path_of(session))
    assert [line["type"] for line in lines] == ["session", "model_change", "message", "message"]
    assert lines[3]["message"]["content"] == "What is in a.txt?"


def test_an_answer_begins_the_file_too(tmp_path: Path) -> None:
    session = begun(tmp_path)
    session.append_message(AssistantMessage(content=[TextContent(text="Hello.")]))
    assert len(lines_of(path_of(session))) == 4


def test_each_further_entry_is_one_line_at_the_end(tmp_path: Path) -> None:
    session = begun(tmp_path)
    session.append_message(UserMessage(content="a"))
    before = path_of(session).read_bytes()
    session.append_label(session.get_entries()[0].id, "start")
    after = path_of(session).read_bytes()
    assert after.startswith(before)
    assert after[len(before) :].count(b"\n") == 1


def test_file_and_folder_are_for_the_owner_only(tmp_path: Path) -> None:
    session = begun(tmp_path / "agent" / "sessions")
    session.append_message(UserMessage(content="a"))
    path = path_of(session)
    modes = [stat.S_IMODE(p.stat().st_mode) for p in (path, path.parent, path.parent.parent)]
    assert modes == [0o600, 0o700, 0o700]


def test_the_file_is_named_after_time_and_id(tmp_path: Path) -> None:
    session = SessionManager.create(
        "/srv/app", folder=SessionFolder(tmp_path), session_id="my.task-1", now=ticking()
    )
    assert path_of(session).name == "2026-03-04T05-06-07-089Z_my.task-1.jsonl"


def test_the_header_is_what_other_programs_expect(tmp_path: Path) -> None:
    session = SessionManager.create(
        "/srv/app",
        folder=SessionFolder(tmp_path),
        parent_session=Path("/old.jsonl"),
        now=ticking(),
    )
    session.append_message(UserMessage(content="a"))
    header = lines_of(path_of(session))[0]
    assert header == {
        **HEADER,
        "id": session.get_session_id(),
        "parentSession": "/old.jsonl",
    }
    assert list(header)[:5] == ["type", "version", "id", "timestamp", "cwd"]


@pytest.mark.parametrize("session_id", ["", "-a", "a/b", "a.", "../x", "a\n"])
def test_an_id_that_cannot_be_part_of_a_file_name_is_refused(
    session_id: str, tmp_path: Path
) -> None:
    with pytest.raises(SessionError, match="Invalid session id"):
        SessionManager.create(folder=SessionFolder(tmp_path), session_id=session_id)


def test_an_existing_file_is_never_overwritten(tmp_path: Path) -> None:
    session = begun(tmp_path)
    path_of(session).write_text("precious")
    with pytest.raises(SessionWriteError):
        session.append_message(UserMessage(content="a"))
    assert path_of(session).read_text() == "precious"


def test_an_entry_that_was_not_written_is_not_kept(tmp_path: Path) -> None:
    session = begun(tmp_path)
    kept = session.append_message(UserMessage(content="kept"))
    path = path_of(session)
    away = path.rename(tmp_path / "away")
    with pytest.raises(SessionWriteError) as failure:
        session.append_message(UserMessage(content="lost"))
    assert str(path) in failure.value.message
    assert failure.value.hint
    assert session.get_leaf_entry() is kept
    away.rename(path)
    session.append_message(UserMessage(content="again"))
    texts = [line["message"].get("content") for line in lines_of(path) if "message" in line]
    assert texts[1:] == ["kept", "again"]


def test_a_branch_summary_that_was_not_written_leaves_the_leaf(tmp_path: Path) -> None:
    session = begun(tmp_path)
    first = session.append_message(UserMessage(content="a"))
    second = session.append_message(UserMessage(content="b"))
    path_of(session).rename(tmp_path / "away")
    with pytest.raises(SessionWriteError):
        session.branch_with_summary(first.id, "tried b")
    assert session.get_leaf_entry() is second


def test_what_json_cannot_hold_is_refused_before_the_file_is_touched(tmp_path: Path) -> None:
    session = begun(tmp_path)
    loop: dict[str, Any] = {}
    loop["self"] = loop
    for data in ({"a": object()}, loop):
        with pytest.raises(SessionWriteError):
            session.append_custom("bad", data)
    with pytest.raises(SessionWriteError):
        session.append_message(
            ToolResultMessage(tool_call_id="1", tool_name="x", details={"a": object()})
        )
    session.append_message(UserMessage(content="a"))
    assert [line["type"] for line in lines_of(path_of(session))].count("custom") == 0


def test_an_answer_that_is_still_arriving_is_not_stored() -> None:
    with pytest.raises(ValueError, match="still arriving"):
        SessionManager.in_memory().append_message(AssistantMessage(stop_reason="pending"))


def test_opening_alone_does_not_touch_the_file(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", HEADER, message_line("1a2b3c01", None))
    os.utime(path, (1000, 1000))
    before = path.read_bytes()
    session = SessionManager.open(path)
    session.build_session_projection()
    session.close()
    assert path.stat().st_mtime == 1000
    assert path.read_bytes() == before


def test_an_opened_session_goes_on_from_its_last_line(tmp_path: Path) -> None:
    path = write(
        tmp_path / "s.jsonl",
        HEADER,
        message_line("1a2b3c01", None),
        {"type": "session_info", "id": "1a2b3c02", "parentId": "1a2b3c01", "name": "x"},
    )
    session = SessionManager.open(path)
    session.append_message(UserMessage(content="more"))
    assert session.get_cwd() == "/srv/app"
    assert session.get_session_id() == HEADER["id"]
    assert lines_of(path)[-1]["parentId"] == "1a2b3c02"


def test_a_file_without_a_last_newline_loses_nothing(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", HEADER, message_line("1a2b3c01", None), end="")
    session = SessionManager.open(path)
    assert session.notices == []
    session.append_message(UserMessage(content="more"))
    assert [line["type"] for line in lines_of(path)] == ["session", "message", "message"]


def test_a_torn_last_line_is_left_out_and_stays_alone(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", HEADER, message_line("1a2b3c01", None))
    whole = path.read_bytes()
    torn = json.dumps(message_line("1a2b3c02", "1a2b3c01"))[:40].encode()
    path.write_bytes(whole + torn)
    session = SessionManager.open(path)
    assert [entry.id for entry in session.get_entries()] == ["1a2b3c01"]
    assert len(session.notices) == 1
    assert "incomplete" in session.notices[0]
    session.append_message(UserMessage(content="more"))
    text = path.read_bytes()
    assert text.startswith(whole + torn + b"\n")
    assert json.loads(text[len(whole + torn) :])["message"]["content"] == "more"


def test_lines_that_are_no_objects_are_counted_in_a_notice(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    good = json.dumps(message_line("1a2b3c01", None))
    path.write_text(f"{json.dumps(HEADER)}\n\njunk\n[]\n{good}\n5\n   \n")
    session = SessionManager.open(path)
    assert len(session.get_entries()) == 1
    assert session.notices == ["3 lines of the session file could not be read and were left out."]


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", HEADER, message_line("1a2b3c01", None))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert len(SessionManager.open(path).get_entries()) == 1


def test_entries_and_keys_of_the_future_survive(tmp_path: Path) -> None:
    future = {
        "type": "hologram",
        "id": "1a2b3c02",
        "parentId": "1a2b3c01",
        "timestamp": "2030-01-01T00:00:00.000Z",
        "depth": {"z": 1},
    }
    known = message_line("1a2b3c01", None)
    known["mood"] = "good"
    known["message"]["shiny"] = [1, 2]
    path = write(tmp_path / "s.jsonl", HEADER, known, future)
    session = SessionManager.open(path)
    session.append_message(UserMessage(content="more"))
    session.close()
    again = SessionManager.open(path)
    assert [entry.raw for entry in again.get_entries()][:2] == [known, future]
    assert [m.role for m in again.build_session_projection()] == ["user", "user"]


def test_a_message_is_read_with_its_unknown_keys(tmp_path: Path) -> None:
    line = message_line("1a2b3c01", None)
    line["message"]["shiny"] = [1, 2]
    session = SessionManager.open(write(tmp_path / "s.jsonl", HEADER, line))
    entry = session.get_entry("1a2b3c01")
    assert isinstance(entry, MessageEntry)
    assert entry.message is not None
    assert entry.message.to_wire()["shiny"] == [1, 2]
    assert entry.message is entry.message


@pytest.mark.parametrize(
    ("message", "roles"),
    [
        ({"role": "user", "content": None}, ["user"]),
        ({"role": "assistant"}, ["assistant"]),
        ({"role": "hologram", "content": []}, []),
        ("not a message", []),
        (None, []),
    ],
)
def test_an_odd_message_never_keeps_a_session_from_opening(
    message: Any, roles: list[str], tmp_path: Path
) -> None:
    line = {**message_line("1a2b3c01", None), "message": message}
    session = SessionManager.open(write(tmp_path / "s.jsonl", HEADER, line))
    assert [m.role for m in session.build_session_projection()] == roles


def test_opening_and_walking_a_session_reads_no_message(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bad = [
        {
            **message_line(f"{number:08x}", f"{number - 1:08x}"),
            "message": {"role": "user", "content": 5},
        }
        for number in range(1, 200)
    ]
    session = SessionManager.open(write(tmp_path / "s.jsonl", HEADER, *bad))
    assert len(session.get_branch()) == 199
    session.get_tree()
    session.append_label("00000001", "x")
    # Each message that is read leaves a line in the log, since none of them can be.
    assert caplog.records == []
    session.build_session_projection()
    assert len(caplog.records) == 199


def test_a_session_of_a_newer_version_opens_with_a_word_about_it(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", {**HEADER, "version": 4}, message_line("1a2b3c01", None))
    session = SessionManager.open(path)
    assert any("newer version" in notice for notice in session.notices)
    session.append_message(UserMessage(content="more"))
    assert lines_of(path)[0]["version"] == 4


def test_an_empty_file_gets_a_header_with_the_first_question(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.touch()
    session = SessionManager.open(path, cwd="/srv/app", now=ticking())
    assert path.read_bytes() == b""
    session.append_message(UserMessage(content="a"))
    assert [line["type"] for line in lines_of(path)] == ["session", "message"]
    assert lines_of(path)[0]["cwd"] == "/srv/app"


def test_a_folder_is_no_session(tmp_path: Path) -> None:
    with pytest.raises(SessionError, match="Cannot open"):
        SessionManager.open(tmp_path)


def test_a_header_beyond_the_first_mebibyte_is_not_looked_for(tmp_path: Path) -> None:
    path = tmp_path / "big.jsonl"
    path.write_bytes(b"\n" * (1 << 20) + json.dumps(HEADER).encode() + b"\n")
    with pytest.raises(SessionError, match="not a valid pi session"):
        SessionManager.open(path)


def test_text_of_every_kind_comes_back(tmp_path: Path) -> None:
    text = "a\u2028b\x85c\r\nd\x00e\ud83df 日本 👍"
    session = begun(tmp_path)
    session.append_message(UserMessage(content="first"))
    session.append_custom("odd", {"text": text, "nan": float("nan"), "none": None})
    session.close()
    entries = SessionManager.open(path_of(session)).get_entries()
    assert entries[-1].raw["data"] == {"text": text, "nan": None, "none": None}
    assert path_of(session).read_bytes().count(b"\n") == 5


def test_keys_are_written_in_the_order_of_the_format(tmp_path: Path) -> None:
    session = SessionManager.create(folder=SessionFolder(tmp_path), now=ticking())
    first = session.append_message(UserMessage(content="a"))
    session.append_model_change("acme", "fast-1")
    session.append_thinking_level_change("medium")
    session.append_custom("todo", {"open": 2})
    session.append_custom_message("note", "Remember.", details={"a": 1})
    session.append_context_edit(first.id, "b")
    session.append_usage("cache_warm", provider="acme", model="fast-1", usage=Usage(output=1))
    session.append_label(first.id, "start")
    session.append_session_info("read a file")
    session.append_compaction(
        "## Goal",
        first_kept_entry_id=first.id,
        tokens_before=9,
        details={},
        system_message=SystemMessage(sections={"preamble": "x"}),
    )
    session.branch_with_summary(first.id, "tried")
    common = ["type", "id", "parentId", "timestamp"]
    assert [list(line) for line in lines_of(path_of(session))[1:]] == [
        [*common, "message"],
        [*common, "provider", "modelId"],
        [*common, "thinkingLevel"],
        ["type", "customType", "data", "id", "parentId", "timestamp"],
        ["type", "customType", "content", "display", "details", "id", "parentId", "timestamp"],
        [*common, "targetId", "replacement"],
        [*common, "kind", "provider", "model", "usage"],
        [*common, "targetId", "label"],
        [*common, "name"],
        [*common, "summary", "firstKeptEntryId", "tokensBefore", "details", "systemMessage"],
        [*common, "fromId", "summary"],
    ]


def test_a_section_that_is_taken_away_stays_null_in_the_file(tmp_path: Path) -> None:
    session = begun(tmp_path)
    session.append_message(UserMessage(content="a"))
    session.append_message(SystemMessage(sections={"docs": None}))
    assert lines_of(path_of(session))[-1]["message"]["sections"] == {"docs": None}


def test_a_session_in_memory_does_all_but_write(tmp_path: Path) -> None:
    session = SessionManager.in_memory(tmp_path)
    session.append_message(UserMessage(content="a"))
    session.append_session_info("  two\nlines ")
    assert session.get_session_file() is None
    assert session.get_session_name() == "two lines"
    assert len(session.build_session_projection()) == 1
    assert list(tmp_path.iterdir()) == []


def test_continue_takes_the_session_that_was_written_to_last(tmp_path: Path) -> None:
    for age, name in ((300, "old"), (100, "new"), (200, "older")):
        path = write(tmp_path / f"{name}.jsonl", {**HEADER, "id": name})
        os.utime(path, (10_000 - age, 10_000 - age))
    broken = tmp_path / "broken.jsonl"
    broken.write_text("junk")
    (tmp_path / "notes.txt").write_text(json.dumps(HEADER))
    session = SessionManager.continue_recent("/srv/app", folder=SessionFolder(tmp_path))
    assert session.get_session_id() == "new"


def test_continue_begins_a_session_when_there_is_none(tmp_path: Path) -> None:
    session = SessionManager.continue_recent("/srv/app", folder=SessionFolder(tmp_path / "none"))
    assert session.get_entries() == []
    assert path_of(session).parent == tmp_path / "none"


def test_an_unknown_entry_is_an_error_that_names_it() -> None:
    session = SessionManager.in_memory()
    for act in (session.branch, session.get_entry, session.get_branch, session.get_children):
        with pytest.raises(EntryNotFoundError, match="Entry not found: zz"):
            act("zz")
    with pytest.raises(EntryNotFoundError):
        session.append_label("zz", "x")
