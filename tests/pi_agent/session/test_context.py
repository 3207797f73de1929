"""What of a branch the model sees."""

from __future__ import annotations

from typing import Any

from pi_agent.llm.messages import (
    AssistantMessage,
    CompactionSummaryMessage,
    CustomMessage,
    Message,
    SystemMessage,
    TextContent,
    ToolResultMessage,
    UserMessage,
)
from pi_agent.session.context import settings_of_branch
from pi_agent.session.entries import Entry, MessageEntry
from pi_agent.session.store import SessionManager


def result(text: str) -> ToolResultMessage:
    return ToolResultMessage(
        tool_call_id="c1", tool_name="read", content=[TextContent(text=text)], details={"n": 1}
    )


def answer(text: str, model: str = "fast-1") -> AssistantMessage:
    return AssistantMessage(content=[TextContent(text=text)], provider="acme", model=model)


def seen(session: SessionManager) -> list[tuple[str, Any]]:
    return [(message.role, content_of(message)) for message in session.build_session_projection()]


def content_of(message: Message) -> Any:
    wire = message.to_wire()
    content = wire.get("content", wire.get("summary"))
    return content[0]["text"] if isinstance(content, list) and content else content


def conversation(session: SessionManager, *marks: str) -> dict[str, Entry]:
    """Append `u1`, `a1`, `r1`, `s1` and the like: what each letter says, the text being the mark."""
    kinds: dict[str, Any] = {
        "u": lambda text: UserMessage(content=text),
        "a": answer,
        "r": result,
        "s": lambda text: SystemMessage(content=text),
    }
    return {mark: session.append_message(kinds[mark[0]](mark)) for mark in marks}


def test_without_compaction_the_whole_branch_counts() -> None:
    session = SessionManager.in_memory()
    session.append_model_change("acme", "fast-1")
    conversation(session, "s1", "u1", "a1", "r1")
    assert [content for _, content in seen(session)] == ["s1", "u1", "a1", "r1"]
    assert len(session.build_context_entries()) == 5


def test_a_compaction_keeps_from_the_entry_it_names() -> None:
    session = SessionManager.in_memory()
    entries = conversation(session, "s1", "u1", "a1", "r1", "u2", "s2", "a2")
    session.append_compaction(
        "so far",
        first_kept_entry_id=entries["u2"].id,
        tokens_before=900,
        system_message=SystemMessage(content="prompt"),
    )
    conversation(session, "u3", "a3")
    assert [content for _, content in seen(session)] == [
        "prompt", "so far", "u2", "a2", "u3", "a3",
    ]  # fmt: skip
    summary = session.build_session_projection()[1]
    assert isinstance(summary, CompactionSummaryMessage)
    assert summary.tokens_before == 900
    assert summary.timestamp > 1_500_000_000_000


def test_a_compaction_that_names_itself_or_nobody_keeps_nothing() -> None:
    for kept in ("nobody", None):
        session = SessionManager.in_memory()
        conversation(session, "u1", "a1")
        entry = session.append_compaction("sum", first_kept_entry_id=kept or "", tokens_before=1)
        if kept is None:
            entry.raw["firstKeptEntryId"] = entry.id
        conversation(session, "u2")
        assert [content for _, content in seen(session)] == ["sum", "u2"]


def test_of_two_compactions_only_the_later_one_is_seen() -> None:
    session = SessionManager.in_memory()
    entries = conversation(session, "u1", "a1")
    session.append_compaction("one", first_kept_entry_id=entries["a1"].id, tokens_before=1)
    conversation(session, "u2")
    session.append_compaction("two", first_kept_entry_id=entries["a1"].id, tokens_before=1)
    conversation(session, "u3")
    assert [content for _, content in seen(session)] == ["two", "a1", "u2", "u3"]
    assert [e.type for e in session.get_entries()].count("compaction") == 2


def test_before_a_compaction_the_history_is_whole_again() -> None:
    session = SessionManager.in_memory()
    entries = conversation(session, "u1", "a1")
    session.append_compaction("sum", first_kept_entry_id="x", tokens_before=1)
    session.branch(entries["a1"].id)
    assert [content for _, content in seen(session)] == ["u1", "a1"]


def test_an_edit_replaces_the_content_and_keeps_the_rest() -> None:
    session = SessionManager.in_memory()
    entries = conversation(session, "u1", "a1", "r1")
    session.append_context_edit(entries["r1"].id, "(shortened)")
    edited = session.build_session_projection()[-1]
    assert isinstance(edited, ToolResultMessage)
    assert edited.content == [TextContent(text="(shortened)")]
    assert edited.details == {"n": 1}
    assert edited.tool_call_id == "c1"
    original = session.get_entry(entries["r1"].id)
    assert isinstance(original, MessageEntry)
    assert original.message is not None
    assert content_of(original.message) == "r1"


def test_the_later_of_two_edits_counts_and_null_removes() -> None:
    session = SessionManager.in_memory()
    entries = conversation(session, "u1", "a1")
    session.append_context_edit(entries["u1"].id, "first")
    before_second = session.get_leaf_id()
    session.append_context_edit(entries["u1"].id, None)
    assert seen(session) == [("assistant", "a1")]
    assert before_second is not None
    session.branch(before_second)
    assert seen(session) == [("user", "first"), ("assistant", "a1")]
    session.branch(entries["a1"].id)
    assert seen(session) == [("user", "u1"), ("assistant", "a1")]


def test_custom_messages_and_branch_summaries_are_seen_and_bookkeeping_is_not() -> None:
    session = SessionManager.in_memory()
    entries = conversation(session, "u1")
    note = session.append_custom_message("note", "Remember.", display=False, details={"a": 1})
    session.append_custom("todo", {"open": 2})
    session.append_label(entries["u1"].id, "x")
    session.append_session_info("name")
    session.branch_with_summary(note.id, "tried")
    assert seen(session) == [("user", "u1"), ("custom", "Remember."), ("branchSummary", "tried")]
    custom = session.build_session_projection()[1]
    assert isinstance(custom, CustomMessage)
    assert (custom.custom_type, custom.display, custom.details) == ("note", False, {"a": 1})


def test_a_custom_message_can_be_edited() -> None:
    session = SessionManager.in_memory()
    note = session.append_custom_message("note", "Remember.")
    session.append_context_edit(note.id, "Forget.")
    assert seen(session) == [("custom", "Forget.")]


def test_messages_are_read_once_however_often_the_context_is_built() -> None:
    session = SessionManager.in_memory()
    conversation(session, "u1", "a1", "r1")
    first, second = session.build_session_projection(), session.build_session_projection()
    assert all(a is b for a, b in zip(first, second, strict=True))


def test_settings_are_the_last_ones_of_the_branch() -> None:
    session = SessionManager.in_memory()
    assert settings_of_branch(session.get_branch()).thinking_level is None
    session.append_model_change("acme", "slow-1")
    session.append_thinking_level_change("high")
    entries = conversation(session, "u1", "a1")
    session.append_model_change("other", "big")
    session.append_thinking_level_change("low")
    latest = settings_of_branch(session.get_branch())
    assert (latest.provider, latest.model_id, latest.thinking_level) == ("other", "big", "low")
    earlier = settings_of_branch(session.get_branch(entries["a1"].id))
    assert (earlier.provider, earlier.model_id) == ("acme", "fast-1")
    assert earlier.thinking_level == "high"


def test_a_virtual_model_stays_chosen_when_another_one_answers() -> None:
    session = SessionManager.in_memory()
    session.append_model_change("router", "best")
    conversation(session, "u1", "a1")
    settings = settings_of_branch(
        session.get_branch(), is_virtual=lambda provider, _: provider == "router"
    )
    assert (settings.provider, settings.model_id) == ("router", "best")
    session.append_model_change("acme", "slow-1")
    conversation(session, "a2")
    settings = settings_of_branch(
        session.get_branch(), is_virtual=lambda provider, _: provider == "router"
    )
    assert settings.model_id == "fast-1"
