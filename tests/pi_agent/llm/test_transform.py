"""A history becomes what a model can be told: plain roles, pairs of calls and results, nobody else's traces."""

from __future__ import annotations

from typing import Any

import pytest

from pi_agent.llm.messages import (
    AssistantMessage,
    BashExecutionMessage,
    BranchSummaryMessage,
    CompactionSummaryMessage,
    CustomMessage,
    ImageContent,
    Message,
    SystemMessage,
    TextContent,
    ThinkingContent,
    ToolCall,
    ToolResultMessage,
    UserMessage,
    text,
    text_of,
)
from pi_agent.llm.model import Model
from pi_agent.llm.transform import convert_to_llm, transform_messages

PICTURE = ImageContent(data="aGk=", mime_type="image/png")
MODEL = Model(id="m", provider="p", api="a", input=["text", "image"])


def answer(*content: Any, **changes: Any) -> AssistantMessage:
    return AssistantMessage(
        content=list(content), **({"api": "a", "provider": "p", "model": "m"} | changes)
    )


def call(call_id: str) -> ToolCall:
    return ToolCall(id=call_id, name="read", thought_signature="sig")


def result(call_id: str, *content: Any) -> ToolResultMessage:
    return ToolResultMessage(
        tool_call_id=call_id, tool_name="read", content=list(content) or [text("ok")]
    )


def names(messages: list[Message]) -> list[str]:
    """Return roles, results with their call's id."""
    return [
        f"result {message.tool_call_id}{' error' if message.is_error else ''}"
        if isinstance(message, ToolResultMessage)
        else message.role
        for message in messages
    ]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (BashExecutionMessage(command="ls", output="a\nb"), "Ran `ls`\n```\na\nb\n```"),
        (BashExecutionMessage(command="ls"), "Ran `ls`\n(no output)"),
        (
            BashExecutionMessage(command="ls", output="x", exit_code=2),
            "Ran `ls`\n```\nx\n```\n\nCommand exited with code 2",
        ),
        (
            BashExecutionMessage(command="ls", exit_code=2, cancelled=True),
            "Ran `ls`\n(no output)\n\n(command cancelled)",
        ),
        (
            BashExecutionMessage(
                command="ls", output="x", exit_code=0, truncated=True, full_output_path="/t/f"
            ),
            "Ran `ls`\n```\nx\n```\n\n[Output truncated. Full output: /t/f]",
        ),
        (
            BashExecutionMessage(command="cat a.md", output="```py\n```"),
            "Ran `cat a.md`\n````\n```py\n```\n````",
        ),
    ],
)
def test_a_command_the_user_ran_is_told_in_words(
    message: BashExecutionMessage, expected: str
) -> None:
    [told] = convert_to_llm([message])
    assert isinstance(told, UserMessage)
    assert told.content == expected


def test_a_command_kept_out_of_the_context_is_not_told() -> None:
    assert convert_to_llm([BashExecutionMessage(command="x", exclude_from_context=True)]) == []


def test_custom_messages_and_summaries_become_user_messages() -> None:
    told = convert_to_llm(
        [
            CustomMessage(custom_type="t", content="hi", timestamp=1),
            BranchSummaryMessage(summary="B", from_id="x", timestamp=2),
            CompactionSummaryMessage(summary="C", timestamp=3),
            UserMessage(content="u", timestamp=4),
        ]
    )
    assert [(m.role, m.timestamp) for m in told] == [("user", n) for n in (1, 2, 3, 4)]
    texts = [text_of(m.content) for m in told if isinstance(m, UserMessage)]
    assert texts[0] == "hi"
    assert "branch" in texts[1]
    assert texts[1].endswith("<summary>\nB\n</summary>")
    assert "compacted" in texts[2]
    assert texts[2].endswith("<summary>\nC\n</summary>")


def test_blocked_images_become_one_text_for_each_run() -> None:
    user = UserMessage(content=[PICTURE, PICTURE, text("x"), PICTURE])
    told = convert_to_llm([user, result("a", PICTURE)], block_images=True)
    first, second = told
    assert isinstance(first, UserMessage)
    assert isinstance(second, ToolResultMessage)
    assert [type(block) for block in first.content] == [TextContent] * 3
    assert "disabled" in text_of(first.content)
    assert "disabled" in text_of(second.content)
    assert len(user.content) == 4


def test_images_a_model_cannot_see_are_replaced_by_role() -> None:
    blind = MODEL.model_copy(update={"input": ["text"]})
    history: list[Message] = [
        UserMessage(content=[PICTURE, PICTURE]),
        answer(call("a")),
        result("a", PICTURE),
    ]
    user, _, tool = transform_messages(history, blind)
    assert isinstance(user, UserMessage)
    assert isinstance(tool, ToolResultMessage)
    assert len(user.content) == len(tool.content) == 1
    assert user.content != tool.content
    assert transform_messages(history, MODEL)[0] == history[0]


def test_the_same_model_keeps_its_thinking_and_signatures() -> None:
    blocks = [
        ThinkingContent(thinking="", thinking_signature="s"),
        ThinkingContent(thinking="hm"),
        ThinkingContent(thinking="", redacted=True),
        TextContent(text="t", text_signature="s"),
        call("a|b"),
    ]
    [kept, _] = transform_messages(
        [answer(*blocks, ThinkingContent(thinking=""))], MODEL, normalize_id=str.upper
    )
    assert isinstance(kept, AssistantMessage)
    assert kept.content == blocks


@pytest.mark.parametrize("other", [{"api": "x"}, {"provider": "x"}, {"model": "x"}])
def test_another_models_traces_are_dropped_and_its_ids_made_valid(other: dict[str, str]) -> None:
    history: list[Message] = [
        answer(
            ThinkingContent(thinking="hm", thinking_signature="s"),
            TextContent(text="t", text_signature="s"),
            call("a|b"),
            **other,
        ),
        result("a|b"),
    ]
    told = transform_messages(history, MODEL, normalize_id=lambda call_id: call_id[0])
    assert isinstance(told[0], AssistantMessage)
    assert told[0].content == [TextContent(text="t"), ToolCall(id="a", name="read")]
    assert names(told) == ["assistant", "result a"]
    assert history[0] == answer(
        ThinkingContent(thinking="hm", thinking_signature="s"),
        TextContent(text="t", text_signature="s"),
        call("a|b"),
        **other,
    )


@pytest.mark.parametrize("reason", ["error", "aborted"])
def test_failed_answers_go_with_their_results(reason: Any) -> None:
    history: list[Message] = [
        UserMessage(content="x"),
        answer(call("a"), stop_reason=reason, error_message="e"),
        result("a"),
        UserMessage(content="y"),
    ]
    assert names(transform_messages(history, MODEL)) == ["user", "user"]


def test_a_missing_result_is_made_up_before_what_follows() -> None:
    history: list[Message] = [
        UserMessage(content="x"),
        answer(call("a"), call("b")),
        result("a"),
        SystemMessage(content="s"),
        UserMessage(content="y"),
    ]
    told = transform_messages(history, MODEL)
    assert names(told) == ["user", "assistant", "result a", "result b error", "system", "user"]
    made_up = told[3]
    assert isinstance(made_up, ToolResultMessage)
    assert text_of(made_up.content) == "No result provided"


def test_missing_results_before_an_answer_and_at_the_end() -> None:
    history: list[Message] = [answer(call("a")), answer(call("b"))]
    assert names(transform_messages(history, MODEL)) == [
        "assistant",
        "result a error",
        "assistant",
        "result b error",
    ]


def test_a_system_message_waits_for_the_results() -> None:
    history: list[Message] = [
        answer(call("a"), call("b")),
        SystemMessage(content="s"),
        result("b"),
        result("a"),
    ]
    assert names(transform_messages(history, MODEL)) == [
        "assistant",
        "result b",
        "result a",
        "system",
    ]


def test_results_that_nothing_asked_for_are_left_out() -> None:
    history: list[Message] = [result("z"), answer(call("a")), result("a"), result("a")]
    assert names(transform_messages(history, MODEL)) == ["assistant", "result a"]
