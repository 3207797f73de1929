"""Stored messages that are nearly right are read, and what they say is kept."""

from __future__ import annotations

from typing import Any

import pytest

from pi_agent.base.wire import ValidationError
from pi_agent.llm.messages import message_from_wire

CALL = {"type": "toolCall", "id": "a", "name": "x", "arguments": {"keep": None}}
RESULT = {"role": "toolResult", "toolCallId": "a", "toolName": "x"}


@pytest.mark.parametrize(
    ("stored", "told"),
    [
        ({"role": "assistant", "content": None}, {"content": []}),
        ({"role": "assistant", "content": "plain"}, {"content": [{"type": "text", "text": "plain"}]}),
        ({"role": "assistant", "usage": None}, {"usage": {"input": 0}}),
        ({"role": "assistant", "usage": {"input": None, "output": 2, "cost": {"total": None}}},
         {"usage": {"output": 2}}),
        ({"role": "assistant", "content": [CALL | {"thoughtSignature": None}]}, {"content": [CALL]}),
        ({"role": "assistant", "content": [CALL | {"arguments": None}]}, {"content": [CALL | {"arguments": {}}]}),
        ({"role": "assistant", "content": [{"type": "new"}, 7, CALL]}, {"content": [CALL]}),
        ({"role": "assistant", "content": [{"type": "text", "text": None}]}, {"content": []}),
        (
            {"role": "assistant", "content": [{"type": "thinking", "thinking": None, "thinkingSignature": "s"}]},
            {"content": [{"type": "thinking", "thinking": "", "thinkingSignature": "s"}]},
        ),
        (RESULT | {"content": "text", "isError": None},
         {"content": [{"type": "text", "text": "text"}], "isError": False}),
        ({"role": "user", "content": "x", "timestamp": None}, {"content": "x", "timestamp": 0}),
        ({"role": "user", "content": "x", "timestamp": 1.6}, {"content": "x", "timestamp": 2}),
        ({"role": "system", "content": None, "sections": {"docs": None}}, {"content": ""}),
        ({"role": "custom", "customType": "x", "content": None, "display": None}, {"content": [], "display": True}),
        ({"role": "bashExecution", "command": "ls", "output": None}, {"command": "ls", "output": ""}),
    ],
)  # fmt: skip
def test_what_is_nearly_right_is_read(stored: dict[str, Any], told: dict[str, Any]) -> None:
    before = repr(stored)
    read = message_from_wire(stored).to_wire()
    assert repr(stored) == before
    for key, value in told.items():
        if isinstance(value, dict):
            assert read[key] | value == read[key]
        else:
            assert read[key] == value


def test_a_section_that_is_taken_away_stays_so() -> None:
    read = message_from_wire({"role": "system", "sections": {"docs": None}, "timestamp": None})
    assert getattr(read, "sections", None) == {"docs": None}


@pytest.mark.parametrize("stored", [{}, {"role": "nobody"}, {"role": "toolResult"}])
def test_what_is_no_message_is_none(stored: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        message_from_wire(stored)
