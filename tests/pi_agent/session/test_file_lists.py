"""The files that a summary names."""

from __future__ import annotations

from typing import Any

from pi_agent.llm.messages import AssistantMessage, Message, ToolCall, ToolResultMessage
from pi_agent.session.entries import Entry, entry_from_raw
from pi_agent.session.file_lists import FileLists, file_lists


def calls(*named: tuple[str, Any]) -> list[Message]:
    return [
        AssistantMessage(content=[ToolCall(id="1", name=name, arguments=arguments)])
        for name, arguments in named
    ]


def summary(kind: str = "compaction", **fields: Any) -> Entry:
    details = {"readFiles": ["old.py", 7], "modifiedFiles": ["b.py"]}
    return entry_from_raw({"type": kind, "id": "1", "details": details, **fields})


def test_a_file_that_was_changed_is_not_named_as_read() -> None:
    found = file_lists(
        calls(
            ("write", {"path": "new.py"}),
            ("read", {"path": "c.py"}),
            ("read", {"path": "a.py"}),
            ("edit", {"path": "a.py"}),
            ("read", {"path": "c.py"}),
            ("bash", {"path": "not-a-file-call"}),
            ("read", {"path": 7}),
            ("read", {}),
        )
    )
    assert found == FileLists(("c.py",), ("a.py", "new.py"))
    assert found.details() == {"readFiles": ["c.py"], "modifiedFiles": ["a.py", "new.py"]}


def test_calls_that_tools_made_count() -> None:
    nested = {"calls": [{"name": "edit", "arguments": {"path": "x.py"}}, {"name": "edit"}, 7]}
    message = ToolResultMessage(tool_call_id="1", tool_name="codemode", nested_calls=nested)
    assert file_lists([message]).modified_files == ("x.py",)


def test_earlier_summaries_hand_on_their_files_unless_an_extension_wrote_them() -> None:
    read_again = calls(("read", {"path": "b.py"}))
    assert file_lists(read_again, [summary()]) == FileLists(("old.py",), ("b.py",))
    assert file_lists([], [summary("branch_summary")]) == FileLists(("old.py",), ("b.py",))
    assert file_lists([], [summary(fromHook=True)]) == FileLists()
    assert file_lists([], [summary(details="mine")]) == FileLists()


def test_only_lists_with_files_are_written() -> None:
    assert FileLists().as_text() == ""
    assert FileLists(("a.py", "b.py")).as_text() == "\n\n<read-files>\na.py\nb.py\n</read-files>"
    assert FileLists(("a",), ("b",)).as_text() == (
        "\n\n<read-files>\na\n</read-files>\n\n<modified-files>\nb\n</modified-files>"
    )
