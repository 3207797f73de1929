"""How many tokens the context holds."""

from __future__ import annotations

import pytest

from pi_agent.llm.messages import (
    AssistantMessage,
    BashExecutionMessage,
    ImageContent,
    Message,
    StopReason,
    SystemMessage,
    TextContent,
    ToolCall,
    ToolDeclaration,
    UserMessage,
)
from pi_agent.llm.usage import Usage
from pi_agent.session.estimate import context_tokens, estimate_tokens, measured_tokens
from pi_agent.session.store import SessionManager

MESSAGES: list[tuple[Message, int]] = [
    (UserMessage(content=""), 0),
    (UserMessage(content="x"), 1),
    (UserMessage(content="x" * 5), 2),
    (UserMessage(content=[ImageContent(data="A", mime_type="image/png")]), 1200),
    (UserMessage(content=[TextContent(text="xx"), TextContent(text="yy")]), 1),
    (AssistantMessage(content=[ToolCall(id="long-id", name="read", arguments={"p": 1})]), 3),
    (BashExecutionMessage(command="ls", output="ab"), 1),
    (BashExecutionMessage(command="ls", output="ab", exclude_from_context=True), 0),
    (SystemMessage(content="abcd", sections={"cwd": "efgh", "gone": None}), 2),
]


@pytest.mark.parametrize(("message", "tokens"), MESSAGES)
def test_a_message_has_a_token_for_four_characters(message: Message, tokens: int) -> None:
    assert estimate_tokens(message) == tokens


def test_declared_tools_count() -> None:
    tool = ToolDeclaration(name="read", description="x" * 400, parameters={})
    assert estimate_tokens(SystemMessage(tools_added=[tool])) > 100


def answered(tokens: int, stop: StopReason = "stop") -> AssistantMessage:
    return AssistantMessage(usage=Usage(input=tokens, output=5, cache_read=1), stop_reason=stop)


def said(*messages: Message) -> SessionManager:
    session = SessionManager.in_memory()
    for message in messages:
        session.append_message(message)
    return session


USER = UserMessage(content="x" * 40)  # 10 tokens


@pytest.mark.parametrize(
    ("messages", "tokens"),
    [
        ([], None),
        ([USER], None),
        ([USER, answered(1000)], 1006),
        ([USER, answered(1000), USER, USER], 1026),
        ([USER, answered(1000), USER, answered(7000)], 7006),
        ([USER, answered(1000), USER, answered(0, "error")], 1016),
        ([USER, answered(1000), USER, answered(500, "aborted")], 1016),
        ([USER, AssistantMessage()], None),
        ([AssistantMessage(usage=Usage(input=9, total_tokens=70))], 70),
    ],
)
def test_the_newest_answer_has_counted(messages: list[Message], tokens: int | None) -> None:
    assert measured_tokens(said(*messages).newest_first()) == tokens


def test_after_an_edit_or_a_compaction_what_was_counted_is_not_the_context() -> None:
    session = said(USER, answered(1000), USER)
    session.append_context_edit(session.get_entries()[0].id, None)
    assert measured_tokens(session.newest_first()) is None
    session.append_message(answered(300))
    assert measured_tokens(session.newest_first()) == 306
    session.append_compaction("sum", first_kept_entry_id=None, tokens_before=1)
    assert measured_tokens(session.newest_first()) is None
    tokens = context_tokens(session.newest_first(), session.build_session_projection)
    assert tokens == estimate_tokens(session.build_session_projection()[0]) == 1
