"""The output limit fits the window beside the prompt."""

from __future__ import annotations

import math
from typing import Any

import pytest

from pi_agent.llm.budget import estimate_input, output_budget
from pi_agent.llm.messages import (
    AssistantMessage,
    BashExecutionMessage,
    CompactionSummaryMessage,
    ImageContent,
    ThinkingContent,
    ToolCall,
    UserMessage,
)
from pi_agent.llm.model import Model
from pi_agent.llm.stream import Context


def prompt(tokens: int) -> Context:
    return Context("x" * int(tokens * 3.5), [])


@pytest.mark.parametrize(
    ("window", "limit", "used", "expected"),
    [
        (200_000, 64_000, 1000, 64_000),
        (200_000, 64_000, 100_000, 64_000),
        # The reserve of 15 % counts while more than 32,768 tokens are left.
        (200_000, 64_000, 120_000, 62_000),
        (200_000, 64_000, 150_000, 32_768),
        (8192, 8192, 1000, 3096),
        (8192, 512, 1000, 512),
        (8192, 8192, 9000, 1),
    ],
)
def test_what_the_window_leaves(window: int, limit: int, used: int, expected: int) -> None:
    model = Model(id="m", provider="p", api="a", context_window=window, max_tokens=limit)
    assert output_budget(model, prompt(used)) == expected


def test_a_limit_that_nobody_has_named_is_not_sent() -> None:
    assert output_budget(Model(id="m", provider="p", api="a"), prompt(10)) is None


@pytest.mark.parametrize(
    ("message", "chars"),
    [
        (UserMessage(content="x" * 700), 700),
        (UserMessage(content=[ImageContent(data="aGk=", mime_type="image/png")]), 4800),
        (AssistantMessage(content=[ThinkingContent(thinking="x" * 700)]), 700),
        (AssistantMessage(content=[ToolCall(id="1", name="ab", arguments={"a": "b"})]), 12),
        (BashExecutionMessage(command="ls", output="x" * 698), 700),
        (CompactionSummaryMessage(summary="x" * 700), 700),
    ],
)
def test_every_kind_of_message_counts(message: Any, chars: int) -> None:
    assert estimate_input(Context("", [message])) == math.ceil(chars / 3.5)
