"""Session files of another program on the same format, and what it made of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pi_agent.session.file import SessionError
from pi_agent.session.store import SessionManager
from pi_agent.session.tree import TreeNode
from tests.fixtures.load import Case, load_fixture

OPENED = [
    "open-partial-last-line",
    "open-partial-last-line-and-newline",
    "open-crlf",
    "open-later-parent",
    "open-labels",
    "open-names",
    "open-name-cleared",
    "open-usage-entry",
    "open-line-separators",
    "open-version-2-look-only",
    "open-context-edit",
    "open-context-edit-twice",
    "open-context-edit-text",
    "open-compaction-unknown-kept",
    "open-compaction-twice",
    "open-custom-message",
    "open-bash-execution",
    "open-user-content-text",
    "open-call-and-result",
    "open-aborted-and-error",
]
REFUSED = ["open-not-a-session", "open-json-but-no-header", "open-header-without-id"]


def case_of(case_id: str) -> Case:
    return next(case for case in load_fixture("rpc_golden") if case.id == case_id)


def session_file(case: Case, folder: Path) -> Path:
    text = case.input["session"].replace("{CWD}", str(folder))
    if case.input.get("crlf"):
        text = text.replace("\n", "\r\n")
    path = folder / "s.jsonl"
    path.write_bytes(text.encode())
    return path


def answers_before_the_first_prompt(case: Case) -> Iterator[tuple[str, dict[str, Any]]]:
    for step, response in zip(case.input["steps"], case.expected["responses"], strict=False):
        if "send" not in step:
            return
        yield step["send"]["type"], response["data"]


@pytest.mark.parametrize("case_id", OPENED)
def test_a_file_is_read_as_the_other_program_reads_it(case_id: str, tmp_path: Path) -> None:
    case = case_of(case_id)
    session = SessionManager.open(session_file(case, tmp_path))
    answers = list(answers_before_the_first_prompt(case))
    assert answers
    for command, data in answers:
        if command == "get_entries":
            found = [timeless(entry.raw) for entry in session.get_entries()]
            assert found == [timeless(entry) for entry in data["entries"]]
        elif command == "get_messages":
            messages = [timeless(m.to_wire()) for m in session.build_session_projection()]
            assert messages == [timeless(m) for m in data["messages"]]
        elif command == "get_tree":
            assert [shape(node) for node in session.get_tree()] == [
                known_shape(node) for node in data["tree"]
            ]
            assert session.get_leaf_id() == data["leafId"]
        elif command == "get_state":
            assert session.get_session_name() == data.get("sessionName")


@pytest.mark.parametrize("case_id", REFUSED)
def test_a_file_that_is_no_session_is_refused_and_left_alone(case_id: str, tmp_path: Path) -> None:
    path = session_file(case_of(case_id), tmp_path)
    before = path.read_bytes()
    with pytest.raises(SessionError, match=r"not a valid pi session: .*s\.jsonl"):
        SessionManager.open(path)
    assert path.read_bytes() == before


def test_a_file_of_version_2_is_rewritten_as_the_other_program_does(tmp_path: Path) -> None:
    case = case_of("open-version-2-look-only")
    path = session_file(case, tmp_path)
    SessionManager.open(path).close()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    expected = case.expected["files"][0]["lines"]
    assert [timeless(line) for line in lines[1:]] == [timeless(line) for line in expected[1:]]
    assert lines[0]["version"] == expected[0]["version"]


def timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: timeless(item)
            for key, item in value.items()
            if key != "timestamp" and item is not None
        }
    return [timeless(item) for item in value] if isinstance(value, list) else value


def shape(node: TreeNode) -> Any:
    return (node.entry.id, node.label, [shape(child) for child in node.children])


def known_shape(node: dict[str, Any]) -> Any:
    return (
        node["entry"]["id"],
        node.get("label"),
        [known_shape(child) for child in node["children"]],
    )
