"""The active branch as a session file: it loads, and says the same to the model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pi_agent.session.entries import LabelEntry
from pi_agent.session.export.jsonl import export_jsonl
from pi_agent.session.export.source import source_of_file, source_of_session
from pi_agent.session.export.target import ExportTarget
from pi_agent.session.export.write import write_export
from pi_agent.session.file import SessionError
from pi_agent.session.store import SessionManager
from pi_tui.abort import AbortController, AbortError
from tests.pi_agent.session.export.pages import DARK
from tests.pi_agent.session.grown import STEPS, answered, begun, grow, said


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 99)), max_size=40))
def test_whatever_the_tree_the_export_says_the_same_to_the_model(
    tmp_path: Path, steps: list[tuple[str, int]]
) -> None:
    session = begun(tmp_path)
    session.append_message(said("first"))
    grow(session, steps)
    path = tmp_path / "out.jsonl"
    if not any(entry.type == "message" for entry in session.get_branch()):
        with pytest.raises(SessionError, match="Nothing to export yet"):
            export_jsonl(source_of_session(session), path)
        return
    export_jsonl(source_of_session(session), path)
    again = SessionManager.open(path)
    assert again.notices == []
    assert again.build_session_projection() == session.build_session_projection()
    kept = [entry.id for entry in session.get_branch() if not isinstance(entry, LabelEntry)]
    assert [e.id for e in again.get_branch() if not isinstance(e, LabelEntry)] == kept
    assert len(again.get_branch()) == len(again.get_entries())
    assert [again.get_label(each) for each in kept] == [session.get_label(each) for each in kept]
    again.close()


def test_it_keeps_id_and_directory_and_a_session_in_memory_has_one_too(tmp_path: Path) -> None:
    session = SessionManager.in_memory("/srv/app", session_id="mine")
    session.append_message(said("first"))
    session.append_message(answered("one"))
    export_jsonl(source_of_session(session), tmp_path / "out.jsonl")
    header, *lines = [json.loads(line) for line in (tmp_path / "out.jsonl").open()]
    assert (header["id"], header["cwd"], header["version"]) == ("mine", "/srv/app", 3)
    assert [line["message"]["role"] for line in lines] == ["user", "assistant"]


def test_an_old_file_is_exported_in_the_present_form_and_stays_as_it_is(tmp_path: Path) -> None:
    old = tmp_path / "old.jsonl"
    message = {"type": "message", "message": {"role": "user", "content": "hello"}}
    old.write_text('{"type":"session","id":"old","cwd":"/gone"}\n' + json.dumps(message) + "\n")
    before = old.read_bytes()
    export_jsonl(source_of_file(old), tmp_path / "new.jsonl")
    header, line = [json.loads(line) for line in (tmp_path / "new.jsonl").open()]
    assert (header["version"], line["parentId"]) == (3, None)
    assert line["id"]
    assert old.read_bytes() == before


def test_it_can_be_given_up_and_leaves_no_file(tmp_path: Path) -> None:
    session, stop = begun(tmp_path), AbortController()
    for number in range(50):
        session.append_message(said(f"number {number}"))
    told: list[tuple[int, int]] = []

    def tell(done: int, total: int) -> None:
        told.append((done, total))
        if done >= 20:
            stop.abort()

    target = ExportTarget(tmp_path / "out.jsonl", is_session=True, replaces_something=False)
    with pytest.raises(AbortError):
        write_export(source_of_session(session), target, DARK, tell, stop.signal)
    assert told == [(0, 50), (10, 50), (20, 50)]
    assert [
        path.name for path in tmp_path.iterdir() if "out" in path.name or "tmp" in path.name
    ] == []
