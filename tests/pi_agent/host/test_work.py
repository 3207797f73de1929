"""What a question costs after a long conversation, in calls of functions: as much more as there is to send."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import pytest

from pi_agent.llm.messages import AssistantMessage, TextContent, UserMessage, message_from_wire
from tests.pi_agent.host.test_conversation import Talk

pytestmark = pytest.mark.anyio


class Work:
    """How many functions were called, and how many messages were read from their stored form."""

    def __init__(self) -> None:
        self.calls = 0
        self.read = 0

    @contextmanager
    def counted(self) -> Iterator[None]:
        def count(frame: FrameType, event: str, argument: object) -> None:
            if event == "call":
                self.calls += 1
                self.read += frame.f_code is message_from_wire.__code__

        before = sys.getprofile()
        sys.setprofile(count)
        try:
            yield
        finally:
            sys.setprofile(before)


async def question_after(messages: int) -> Work:
    """Say something twice after a conversation of so many messages; returns the work of the second time."""
    talk = Talk("fine", "fine")
    for number in range(messages // 2):
        talk.session.append_message(UserMessage(content=f"question {number}", timestamp=1))
        answer = AssistantMessage(content=[TextContent(text="yes")], timestamp=1)
        talk.session.append_message(answer)
    await talk.conversation.prompt("go")
    work = Work()
    with work.counted():
        await talk.conversation.prompt("and on")
    assert len(talk.model.state.requests[1].messages) == messages + 3
    return work


async def test_a_request_over_10_000_messages_is_linear_and_reads_none_of_them_again() -> None:
    short, long = await question_after(1000), await question_after(10_000)
    assert long.calls / short.calls < 10.5
    assert long.read == short.read == 0
