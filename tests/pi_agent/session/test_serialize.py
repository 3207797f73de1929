"""A conversation as a text to be summarised."""

from __future__ import annotations

import pytest

from pi_agent.llm.messages import (
    AssistantMessage,
    BashExecutionMessage,
    CompactionSummaryMessage,
    CustomMessage,
    ImageContent,
    Message,
    TextContent,
    ThinkingContent,
    ToolCall,
    ToolResultMessage,
    UserMessage,
)
from pi_agent.session.serialize import serialize_conversation

PICTURE = ImageContent(data="AAAA", mime_type="image/png")


def result(*content: TextContent | ImageContent) -> ToolResultMessage:
    return ToolResultMessage(tool_call_id="c", tool_name="read", content=list(content))


def text(written: str) -> TextContent:
    return TextContent(text=written)


CASES: list[tuple[Message, str]] = [
    (UserMessage(content="fix the parser"), "[User]: fix the parser"),
    (UserMessage(content=[text("see"), PICTURE]), "[User]: see\n[image]"),
    (
        AssistantMessage(
            content=[
                ThinkingContent(thinking="hm"),
                text("I will read it first."),
                ToolCall(id="1", name="read", arguments={"path": "a.py"}),
                ToolCall(id="2", name="edit", arguments={"path": "ä.py", "edits": [{"n": 1}]}),
            ]
        ),
        "[Assistant]: I will read it first.\n\n"
        '[Assistant tool calls]: read(path="a.py"); edit(path="ä.py", edits=[{"n":1}])',
    ),
    (AssistantMessage(content=[ThinkingContent(thinking="hm")]), ""),
    (AssistantMessage(content=[ToolCall(id="1", name="ls")]), "[Assistant tool calls]: ls()"),
    (result(text("def parse(): …")), "[Tool result]: def parse(): …"),
    (result(text("x" * 2000)), "[Tool result]: " + "x" * 2000),
    (
        result(text("x" * 2000 + "y" * 34)),
        "[Tool result]: " + "x" * 2000 + "\n\n[... 34 more characters left out]",
    ),
    (CustomMessage(custom_type="note", content="Mind the style."), "[User]: Mind the style."),
    (BashExecutionMessage(command="ls", output="a", exclude_from_context=True), ""),
]


@pytest.mark.parametrize(("message", "shown"), CASES)
def test_a_message_as_text(message: Message, shown: str) -> None:
    assert serialize_conversation([message]) == shown


def test_blocks_are_separated_by_blank_lines() -> None:
    messages: list[Message] = [UserMessage(content="a"), result(text("b"))]
    assert serialize_conversation(messages) == "[User]: a\n\n[Tool result]: b"


@pytest.mark.parametrize(
    "message",
    [
        BashExecutionMessage(command="make", output="done"),
        CompactionSummaryMessage(summary="make was run: done"),
    ],
)
def test_what_only_pi_knows_reads_as_the_user_would_tell_it(message: Message) -> None:
    told = serialize_conversation([message])
    assert told.startswith("[User]: ")
    assert "make" in told and "done" in told
