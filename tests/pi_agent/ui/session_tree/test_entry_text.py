"""What the tree says of each kind of entry."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_agent.session.entries import Entry, entry_from_raw
from pi_agent.ui.session_tree.entry_text import entry_text, said_by
from tests.pi_agent.ui.session_tree.trees import message

TEXTS: list[tuple[dict[str, Any], str]] = [
    (message("user", "find  the\n bug"), "user: find the bug"),
    (message("user", content="as a text"), "user: as a text"),
    (message("assistant", "I look."), "assistant: I look."),
    (message("assistant", stopReason="aborted"), "assistant: (aborted)"),
    (message("assistant", stopReason="error", errorMessage="503: busy"), "assistant: 503: busy"),
    (message("assistant"), "assistant: (no text)"),
    (message("bashExecution", command="ls -l"), "$ ls -l"),
    (message("system"), "[system]"),
    ({"type": "compaction", "tokensBefore": 151_000}, "[compaction: 151k tokens]"),
    (
        {"type": "branch_summary", "summary": "Another branch:\n\n## Goal\nThe lexer.\n"},
        "[branch summary]: The lexer.",
    ),
    (
        {"type": "branch_summary", "summary": "It failed.\n\nTwice.", "fromHook": True},
        "[branch summary]: It failed.",
    ),
    ({"type": "model_change", "provider": "acme", "modelId": "fast-1"}, "[model: fast-1]"),
    ({"type": "thinking_level_change", "thinkingLevel": "high"}, "[thinking: high]"),
    ({"type": "custom", "customType": "todo"}, "[custom: todo]"),
    ({"type": "custom_message", "customType": "note", "content": "hm"}, "[note]: hm"),
    ({"type": "context_edit", "targetId": "x"}, "[context edit]"),
    ({"type": "label", "targetId": "x", "label": "here"}, "[label: here]"),
    ({"type": "label", "targetId": "x"}, "[label: (cleared)]"),
    ({"type": "session_info", "name": "Bugs"}, "[title: Bugs]"),
    ({"type": "usage", "kind": "cache_warm"}, "[usage: cache_warm]"),
    ({"type": "of_the_future"}, "[of_the_future]"),
    ({}, "[unknown]"),
]


@pytest.mark.parametrize(("raw", "shown"), TEXTS, ids=lambda value: str(value)[:40])
def test_an_entry_is_told_in_a_line(raw: dict[str, Any], shown: str) -> None:
    assert entry_text(entry_from_raw(raw)).line == shown


CALLS: list[tuple[str, dict[str, Any], str]] = [
    ("read", {"path": "a.py"}, "[read: a.py]"),
    ("read", {"path": "a.py", "offset": 5, "limit": 16}, "[read: a.py:5-20]"),
    ("read", {"path": "a.py", "limit": 20}, "[read: a.py:1-20]"),
    ("read", {"path": "a.py", "offset": 5}, "[read: a.py:5]"),
    ("bash", {"command": "echo " + "x" * 80}, "[bash: echo " + "x" * 45 + "]"),
    ("edit", {"path": "b.py", "edits": []}, "[edit: b.py]"),
    ("own", {"n": 1}, '[own: {"n": 1}]'),
    ("own", {}, "[own]"),
]


@pytest.mark.parametrize(("name", "arguments", "shown"), CALLS)
def test_a_result_is_told_by_its_call(name: str, arguments: dict[str, Any], shown: str) -> None:
    block = {"type": "toolCall", "id": "c1", "name": name, "arguments": arguments}
    answer = entry_from_raw({**message("assistant", content=[block]), "id": "a"})
    other = entry_from_raw(
        {**message("toolResult", toolCallId="c0", toolName="x"), "id": "r", "parentId": "a"}
    )
    result = entry_from_raw(
        {**message("toolResult", "out", toolCallId="c1", toolName=name), "parentId": "r"}
    )
    entries: dict[str, Entry] = {"a": answer, "r": other}
    assert entry_text(result, entries.get).line == shown


def test_without_the_call_the_name_is_there() -> None:
    result = entry_from_raw(message("toolResult", "out", toolCallId="c1", toolName="read"))
    assert entry_text(result).line == "[read]"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["text", "role", "content", "type", "id", "arguments", "path"]), inner
        )
    ),
    max_leaves=8,
)


@given(
    raw=st.fixed_dictionaries(
        {"type": st.sampled_from(["message", "compaction", "branch_summary", "custom_message"])},
        optional={"message": json_values, "summary": json_values, "content": json_values},
    )
)
def test_whatever_a_file_holds_it_is_a_line_without_control_bytes(raw: dict[str, Any]) -> None:
    entry = entry_from_raw(raw)
    assert not {unicodedata.category(each) for each in entry_text(entry).line} & {"Cc", "Cs"}
    assert isinstance(said_by(entry), str)


def test_all_of_a_long_message_is_copied() -> None:
    entry = entry_from_raw(message("user", "word " * 1000))
    assert said_by(entry) == "word " * 1000
    assert len(entry_text(entry).text) <= 1000
