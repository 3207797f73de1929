"""What of a branch that is left goes into its summary."""

from __future__ import annotations

from pi_agent.llm.messages import AssistantMessage, Message, ToolCall, UserMessage, text_of
from pi_agent.session.abandoned import abandoned_branch
from pi_agent.session.store import SessionManager
from tests.pi_agent.session.test_context import conversation, result

ROOMY = 1_000_000


def said(messages: tuple[Message, ...]) -> list[str]:
    return [
        text_of(message.content)
        if isinstance(message, UserMessage | AssistantMessage)
        else message.role
        for message in messages
    ]


def test_results_and_prompts_are_left_out_and_the_files_of_all_calls_named() -> None:
    session = SessionManager.in_memory()
    conversation(session, "s1", "u1")
    call = ToolCall(id="c1", name="edit", arguments={"path": "a.py"})
    session.append_message(AssistantMessage(content=[call]))
    session.append_message(result("changed"))
    conversation(session, "a1")
    branch = abandoned_branch(session.get_branch(), ROOMY)
    assert said(branch.messages) == ["u1", "", "a1"]
    assert branch.files.modified_files == ("a.py",)
    assert abandoned_branch(session.get_branch(), 0).files.modified_files == ("a.py",)


def test_the_newest_are_taken_as_far_as_there_is_room() -> None:
    session = SessionManager.in_memory()
    for letter in "abcd":
        session.append_message(UserMessage(content=letter * 40))  # 10 tokens
    for room, taken in ((40, "abcd"), (39, "bcd"), (20, "cd"), (9, "")):
        branch = abandoned_branch(session.get_branch(), room)
        assert "".join(text[0] for text in said(branch.messages)) == taken


def test_a_summary_is_taken_as_long_as_the_room_is_not_nearly_full() -> None:
    session = SessionManager.in_memory()
    first = conversation(session, "u1")["u1"]
    session.branch_with_summary(first.id, "x" * 400)
    session.append_message(UserMessage(content="y" * 36))  # 9 tokens
    assert said(abandoned_branch(session.get_branch(), 11).messages)[0] == "branchSummary"
    assert "branchSummary" not in said(abandoned_branch(session.get_branch(), 10).messages)


def test_after_a_compaction_its_summary_tells_of_what_came_before() -> None:
    session = SessionManager.in_memory()
    conversation(session, "u1", "a1")
    kept = conversation(session, "u2")["u2"]
    session.append_compaction("so far", first_kept_entry_id=kept.id, tokens_before=1)
    conversation(session, "a2")
    branch = abandoned_branch(session.get_branch(), ROOMY)
    assert said(branch.messages) == ["compactionSummary", "u2", "a2"]
