"""A queue that is changed while the run goes on: nothing is lost, and nothing is said twice."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from pi_agent.loop.queues import QueuedText
from tests.pi_agent.host.test_conversation import Gate, Talk
from tests.pi_agent.loop.script import answer, call

pytestmark = pytest.mark.anyio


class Queued:
    """A run that waits at a tool, with one message queued."""

    def __init__(self, behavior: str = "steer", texts: str = "a") -> None:
        self.gate = Gate()
        self.talk = Talk(answer(call("gate")), *["answer"] * 5, tools=[self.gate.tool])
        self.queue = self.talk.conversation.queue
        self._behavior = behavior
        self._texts = texts

    async def __aenter__(self) -> Queued:
        self.run = self.talk.start()
        await self.gate.running.wait()
        queue = getattr(self.talk.conversation, self._behavior)
        for text in self._texts:
            await queue(text)
        return self

    async def __aexit__(self, *raised: object) -> None:
        if not self.run.done():
            await self.talk.conversation.abort()

    @property
    def first(self) -> QueuedText:
        return self.queue.listed[0]

    async def go_on(self) -> None:
        self.gate.open.set()
        await self.run

    def said(self) -> list[str]:
        return [text for role, text in self.talk.kept() if role == "user"][1:]


async def edit_in_time(queued: Queued) -> None:
    await queued.queue.begin_edit(queued.first.id)
    assert await queued.queue.finish_edit(queued.first.id, "b")
    await queued.go_on()


async def edit_over_the_end(queued: Queued) -> None:
    await queued.queue.begin_edit(queued.first.id)
    await queued.go_on()
    assert queued.said() == []
    assert await queued.queue.finish_edit(queued.first.id, "b")


async def give_up_the_edit_after_the_end(queued: Queued) -> None:
    await queued.queue.begin_edit(queued.first.id)
    await queued.go_on()
    assert await queued.queue.finish_edit(queued.first.id, None)


async def edit_too_late(queued: Queued) -> None:
    late = queued.first.id
    await queued.go_on()
    assert await queued.queue.begin_edit(late) is None
    assert not await queued.queue.finish_edit(late, "b")


async def take_back_while_edited(queued: Queued) -> None:
    await queued.queue.begin_edit(queued.first.id)
    taken = await queued.talk.conversation.clear_queue()
    assert (taken.steering, taken.follow_up) == ([], [])
    assert await queued.queue.finish_edit(queued.first.id, "b")
    await queued.go_on()


async def abort_while_edited(queued: Queued) -> None:
    edited = queued.first.id
    await queued.queue.begin_edit(edited)
    await queued.talk.conversation.abort()
    assert queued.said() == []
    assert await queued.queue.finish_edit(edited, "b")


async def end_while_edited(queued: Queued) -> None:
    edited = queued.first.id
    await queued.queue.begin_edit(edited)
    await queued.talk.conversation.dispose()
    assert not await queued.queue.finish_edit(edited, "b"), "whoever edits it has the text"


async def release_in_time(queued: Queued) -> None:
    await queued.queue.hold(queued.first.id, True)
    await queued.queue.hold(queued.first.id, False)
    await queued.go_on()


async def release_after_the_end(queued: Queued) -> None:
    await queued.queue.hold(queued.first.id, True)
    await queued.go_on()
    assert queued.said() == []
    await queued.queue.hold(queued.first.id, False)


async def hold_for_ever(queued: Queued) -> None:
    await queued.queue.hold(queued.first.id, True)
    await queued.go_on()
    assert [text.text for text in queued.queue.listed] == ["a"]
    taken = await queued.talk.conversation.clear_queue()
    assert [*taken.steering, *taken.follow_up] == ["a"]


async def delete_it(queued: Queued) -> None:
    await queued.queue.delete(queued.first.id)
    await queued.go_on()


RACES: list[tuple[Callable[[Queued], Awaitable[None]], list[str]]] = [
    (edit_in_time, ["b"]),
    (edit_over_the_end, ["b"]),
    (give_up_the_edit_after_the_end, ["a"]),
    (edit_too_late, ["a"]),
    (take_back_while_edited, ["b"]),
    (abort_while_edited, ["b"]),
    (end_while_edited, []),
    (release_in_time, ["a"]),
    (release_after_the_end, ["a"]),
    (hold_for_ever, []),
    (delete_it, []),
]


@pytest.mark.parametrize("behavior", ["steer", "follow_up"])
@pytest.mark.parametrize(("race", "said"), RACES, ids=[race.__name__ for race, _ in RACES])
async def test_what_is_said_in_the_end(
    behavior: str, race: Callable[[Queued], Awaitable[None]], said: list[str]
) -> None:
    async with Queued(behavior) as queued:
        await race(queued)
    assert queued.said() == said
    assert queued.queue.listed == []


async def test_every_change_is_told() -> None:
    async with Queued("follow_up", "ab") as queued:
        first, second = queued.queue.listed
        await queued.queue.move(second.id, up=True)
        await queued.queue.move(second.id, up=True)
        await queued.queue.hold(second.id, True)
        await queued.queue.delete(first.id)
        assert queued.talk.told_of("queue_update")[2:] == [
            "queue_update [] ['b', 'a']",
            "queue_update ['b'] ['a']",
            "queue_update ['b'] ['a']",
            "queue_update ['b'] []",
        ]


async def test_what_is_released_without_a_model_waits_on() -> None:
    async with Queued() as queued:
        await queued.queue.hold(queued.first.id, True)
        await queued.go_on()
        conversation = queued.talk.conversation
        conversation.refuse_prompts()
        with pytest.raises(Exception, match="has ended"):
            await queued.queue.hold(queued.first.id, False)
        assert (queued.first.text, queued.first.is_leaving) == ("a", False)


async def test_what_is_released_between_two_answers_is_said_once() -> None:
    async with Queued("follow_up", "ab") as queued:
        first, second = queued.queue.listed
        await queued.queue.hold(first.id, True)
        await queued.queue.hold(second.id, True)
        await queued.go_on()
        await asyncio.gather(
            queued.queue.hold(first.id, False), queued.queue.hold(second.id, False)
        )
        assert queued.said() == ["a", "b"]
        assert queued.talk.told_of("queue_update")[-1] == "queue_update [] []"
