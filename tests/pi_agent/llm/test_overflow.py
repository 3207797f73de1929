"""Which errors mean that the conversation is too long."""

from __future__ import annotations

import pytest

from pi_agent.llm.overflow import is_context_overflow


@pytest.mark.parametrize(
    "text",
    [
        "400: request (20031 tokens) exceeds the available context size (8192 tokens), try increasing it",
        "400: This model's maximum context length is 8192 tokens. (context_length_exceeded)",
        "400: prompt is too long: 210000 tokens > 200000 maximum",
        "413: Payload Too Large",
    ],
)
def test_too_long_requests_are_recognised(text: str) -> None:
    assert is_context_overflow(text)


@pytest.mark.parametrize(
    "text",
    [
        "429: Rate limit reached: too many tokens per minute",
        "500: internal error",
        "401: Invalid API Key",
        "connection refused at port 4130",
    ],
)
def test_other_failures_are_not(text: str) -> None:
    assert not is_context_overflow(text)
