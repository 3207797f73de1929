"""Where a conversation is cut in two."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_agent.llm.messages import (
    AssistantMessage,
    BashExecutionMessage,
    BranchSummaryMessage,
    CompactionSummaryMessage,
    CustomMessage,
    Message,
    SystemMessage,
    TextContent,
    ToolCall,
    ToolResultMessage,
    UserMessage,
    text_of,
    tool_calls_of,
)
from pi_agent.session.compaction import (
    CompactionPreparation,
    CompactionSettings,
    NothingToCompactError,
    prepare_compaction,
)
from pi_agent.session.store import SessionManager

# Entries by letter: s(ystem) u(ser) a(nswer) c(all of the next r's) r(esult) b(ash) m(essage of an extension)
# l(abel-like, says nothing) x(failed attempt that the model has forgotten) C(ompaction of all before) B(ranch summary).


def written(marks: str, *, size: int = 40) -> SessionManager:
    """Write a session of 10-token entries; the entry of the mark at `n` says `n`."""
    session = SessionManager.in_memory()
    for number, mark in enumerate(marks):
        text = str(number).ljust(size, ".")
        calls = [
            ToolCall(id=f"call-{at}", name="t")
            for at in range(number + 1, len(marks))
            if marks[number + 1 : at + 1] == "r" * (at - number)
        ]
        block = TextContent(text=text)
        by_role: dict[str, Message] = {
            "s": SystemMessage(content=text),
            "u": UserMessage(content=text),
            "a": AssistantMessage(content=[block]),
            "c": AssistantMessage(content=[block, *calls]),
            "r": ToolResultMessage(tool_call_id=f"call-{number}", tool_name="t", content=[block]),
            "b": BashExecutionMessage(command=text),
            "x": AssistantMessage(content=[block], stop_reason="error", error_message="no"),
            "M": CustomMessage(custom_type="t", content=text),
        }
        if mark == "m":
            session.append_custom_message("t", text)
        elif mark == "l":
            session.append_custom("t", number)
        elif mark == "C":
            session.append_compaction(text, first_kept_entry_id=None, tokens_before=1)
        elif mark == "B":
            leaf = session.get_leaf_id()
            session.branch_with_summary(leaf, text)
        else:
            entry = session.append_message(by_role[mark])
            if mark == "x":
                session.append_context_edit(entry.id, None)
    return session


def numbers(messages: tuple[Message, ...]) -> str:
    """Return the marks' numbers, which are of one digit here."""
    return "".join(text_of_any(message)[0] for message in messages)


def text_of_any(message: Message) -> str:
    if isinstance(message, BranchSummaryMessage | CompactionSummaryMessage):
        return message.summary
    if isinstance(message, BashExecutionMessage):
        return message.command
    return text_of(message.content)


def parts(session: SessionManager, keep: int) -> tuple[str, str, str]:
    """Return what is summarised, the beginning of a turn, and what the model gets after the compaction."""
    prepared = prepared_for(session, keep)
    session.append_compaction(
        "SUMMARY", first_kept_entry_id=prepared.first_kept_entry_id, tokens_before=1
    )
    kept = tuple(
        message
        for message in session.build_session_projection()
        if message.role != "compactionSummary"
    )
    return (
        numbers(prepared.messages_to_summarize),
        numbers(prepared.turn_prefix_messages),
        numbers(kept),
    )


def prepared_for(session: SessionManager, keep: int) -> CompactionPreparation:
    return prepare_compaction(session.get_branch(), CompactionSettings(keep_recent_tokens=keep))


CASES = [
    # A turn is kept whole where that is enough.
    ("uauaua", 10, "0123", "4", "5"),
    ("uauaua", 20, "0123", "", "45"),
    ("uauaua", 11, "0123", "", "45"),
    ("uauaua", 31, "01", "", "2345"),
    ("suauaua", 31, "12", "", "3456"),
    ("suauaua", 21, "12", "3", "456"),
    # The last turn alone is too long: its beginning is summarised by itself.
    ("uaucrcrcr", 15, "01", "23456", "78"),
    ("uaucrcrcr", 25, "01", "23456", "78"),
    ("ucrcrcr", 25, "", "01234", "56"),
    # Never a result without its call: the whole batch stays or goes.
    ("ucrra", 15, "", "0123", "4"),
    ("ucrr", 5, "", "0", "123"),
    # What begins a turn, besides the user: commands, messages of extensions, summaries of branches.
    ("uaba", 15, "01", "", "23"),
    ("uama", 15, "01", "", "23"),
    ("uaMa", 15, "01", "", "23"),
    ("uaBa", 15, "01", "", "23"),
    # What says nothing stays with what it stands in front of.
    ("ualua", 15, "01", "", "34"),
    ("uaullcra", 25, "01", "2", "567"),
    # Only a failed attempt would be kept: then nothing is, and what was too long goes.
    ("uaucrx", 5, "01", "234", ""),
    ("uaux", 5, "01", "", "2"),
    # What comes first and is longer than all that is to be kept does not stay for good.
    ("ua", 15, "", "0", "1"),
    ("suau", 25, "", "1", "23"),
    ("Cuau", 25, "", "1", "23"),
    # After a compaction only what came since counts, with what it kept.
    ("uaCuaua", 15, "34", "", "56"),
]


@pytest.mark.parametrize(("marks", "keep", "history", "prefix", "kept"), CASES)
def test_the_parts(marks: str, keep: int, history: str, prefix: str, kept: str) -> None:
    assert parts(written(marks), keep) == (history, prefix, kept)


@pytest.mark.parametrize(
    ("marks", "keep", "reason"),
    [
        ("", 10, "Nothing to compact (session too small)"),
        ("s", 10, "Nothing to compact (session too small)"),
        ("ll", 0, "Nothing to compact (session too small)"),
        ("sua", 1000, "Nothing to compact (session too small)"),
        ("rr", 5, "Nothing to compact (session too small)"),
        ("uaC", 5, "Already compacted"),
        ("uaCll", 5, "Already compacted"),
    ],
)
def test_there_may_be_nothing_to_compact(marks: str, keep: int, reason: str) -> None:
    with pytest.raises(NothingToCompactError) as refused:
        prepared_for(written(marks), keep)
    assert refused.value.message == reason


def test_the_previous_summary_and_its_files_are_handed_on() -> None:
    session = written("uaua")
    session.append_compaction(
        "before",
        first_kept_entry_id=session.get_entries()[2].id,
        tokens_before=1,
        details={"readFiles": ["a.py"], "modifiedFiles": []},
    )
    session.append_message(UserMessage(content="more" * 10))
    prepared = prepared_for(session, 5)
    assert prepared.previous_summary == "before"
    assert prepared.file_ops.read_files == ("a.py",)
    assert numbers(prepared.messages_to_summarize) == "23"


MARKS = st.text("suacrbmlxBMC", max_size=24)


@given(MARKS, st.integers(0, 200))
def test_every_entry_is_in_exactly_one_part(marks: str, keep: int) -> None:
    session = written(marks)
    before = {text_of_any(message) for message in session.build_session_projection()}
    before -= {text for text in before if marks[int(text.strip("."))] in "sC"}
    try:
        prepared = prepared_for(session, keep)
    except NothingToCompactError:
        return
    history = [text_of_any(message) for message in prepared.messages_to_summarize]
    prefix = [text_of_any(message) for message in prepared.turn_prefix_messages]
    session.append_compaction(
        "SUMMARY", first_kept_entry_id=prepared.first_kept_entry_id, tokens_before=1
    )
    kept = [text_of_any(message) for message in session.build_session_projection()[1:]]
    whole = [*history, *prefix, *kept]
    assert sorted(whole, key=lambda text: int(text.strip("."))) == whole
    assert len(whole) == len(set(whole)) and set(whole) == before


@given(MARKS, st.integers(0, 200))
def test_no_result_is_kept_without_its_call(marks: str, keep: int) -> None:
    session = written(marks)
    answered = results_with_calls(session)
    try:
        prepared = prepared_for(session, keep)
    except NothingToCompactError:
        return
    session.append_compaction(
        "SUMMARY", first_kept_entry_id=prepared.first_kept_entry_id, tokens_before=1
    )
    kept = session.build_session_projection()[1:]
    assert not kept or kept[0].role != "toolResult"
    still = {m.tool_call_id for m in kept if isinstance(m, ToolResultMessage)} & answered
    assert still <= results_with_calls(session)


def results_with_calls(session: SessionManager) -> set[str]:
    """Return the ids of the calls that the model sees with their results."""
    called: set[str] = set()
    answered: set[str] = set()
    for message in session.build_session_projection():
        if isinstance(message, AssistantMessage):
            called |= {call.id for call in tool_calls_of(message)}
        elif isinstance(message, ToolResultMessage) and message.tool_call_id in called:
            answered.add(message.tool_call_id)
    return answered
