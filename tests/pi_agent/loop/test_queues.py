"""What waits, what is delivered when, and what people are shown of it."""

from __future__ import annotations

import pytest

from pi_agent.llm.messages import CustomMessage
from pi_agent.loop.queues import MessageQueues, QueueMode
from tests.pi_agent.loop.script import said, user

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(("mode", "sizes"), [("all", [3, 0]), ("one-at-a-time", [1, 1, 1, 0])])
async def test_the_mode_decides_how_much_is_delivered_at_a_time(
    mode: QueueMode, sizes: list[int]
) -> None:
    queues = MessageQueues(steering_mode=mode)
    for text in "abc":
        queues.steering.add(user(text))
    assert [len(await queues.drain_steering()) for _ in sizes] == sizes


async def test_a_text_is_shown_until_its_message_starts() -> None:
    queues = MessageQueues()
    queues.follow_up.add(user("later"))
    (message,) = await queues.drain_follow_up()
    assert queues.update().follow_up == ["later"]
    assert queues.started(message)
    assert queues.update().follow_up == []
    assert not queues.started(message)


async def test_of_equal_texts_the_steering_one_goes_first() -> None:
    queues = MessageQueues()
    queues.follow_up.add(user("same"))
    queues.steering.add(user("same"))
    queues.started(user("same"))
    assert (queues.update().steering, queues.update().follow_up) == ([], ["same"])


async def test_clearing_gives_the_texts_back_and_delivers_nothing() -> None:
    queues = MessageQueues()
    queues.steering.add(user("a"))
    queues.steering.add(CustomMessage(custom_type="x", content="not typed by anybody"))
    queues.follow_up.add(user("b"))
    texts = queues.clear()
    assert (texts.steering, texts.follow_up) == (["a"], ["b"])
    assert not queues
    assert await queues.drain_steering() == []


async def test_messages_come_in_the_order_they_were_queued() -> None:
    queues = MessageQueues(follow_up_mode="all")
    for text in "abc":
        queues.follow_up.add(user(text))
    assert [said(each) for each in await queues.drain_follow_up()] == list("abc")
