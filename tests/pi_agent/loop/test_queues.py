"""What waits, what is delivered when, and what people are shown of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from pi_agent.llm.messages import (
    CustomMessage,
    ImageContent,
    Message,
    TextContent,
    UserMessage,
)
from pi_agent.loop.queue_edits import begin_edit, delete, finish_edit, hold, move
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


async def test_of_equal_texts_the_one_goes_that_is_on_its_way() -> None:
    queues = MessageQueues()
    queues.follow_up.add(user("same"))
    queues.steering.add(user("same"))
    queues.steering.items[0].is_held = True
    assert not queues.started(user("same")), "somebody says the same"
    (message,) = await queues.drain_follow_up()
    assert queues.started(message)
    assert (queues.update().steering, queues.update().follow_up) == (["same"], [])


async def test_what_is_on_its_way_is_not_taken_back_as_well() -> None:
    queues = MessageQueues()
    queues.steering.add(user("gone"))
    queues.steering.add(user("here"))
    (message,) = await queues.drain_steering()
    assert queues.clear().steering == ["here"]
    assert queues.update().steering == ["gone"]
    assert queues.started(message)


async def test_what_was_on_its_way_in_vain_waits_again() -> None:
    queues = MessageQueues()
    queues.steering.add(user("a"))
    await queues.drain_steering()
    assert not queues
    queues.put_back()
    assert [said(each) for each in await queues.drain_steering()] == ["a"]


async def test_others_pass_what_is_held_or_edited() -> None:
    queues = MessageQueues(steering_mode="all")
    for text in ("held", "edited", "free"):
        queues.steering.add(user(text))
    held, edited, _ = queues.listed
    hold(queues, held.id, True)
    assert begin_edit(queues, edited.id) == "edited"
    assert [said(each) for each in await queues.drain_steering()] == ["free"]
    assert queues.update().held == ["held"]
    hold(queues, held.id, False)
    finish_edit(queues, edited.id, None)
    assert [said(each) for each in await queues.drain_steering()] == ["held", "edited"]


# A change to the message "b" of the steering queue "a b" and the follow-up queue "c d".
CHANGES: dict[str, tuple[Callable[[MessageQueues, int], object], str]] = {
    "up": (lambda queues, b: move(queues, b, up=True), "b a | c d"),
    "up twice": (lambda queues, b: [move(queues, b, up=True) for _ in "12"], "b a | c d"),
    "down": (lambda queues, b: move(queues, b, up=False), "a | b c d"),
    "down twice": (lambda queues, b: [move(queues, b, up=False) for _ in "12"], "a | c b d"),
    "down and back": (
        lambda queues, b: [move(queues, b, up=up) for up in (False, True)],
        "a b | c d",
    ),
    "down to the end": (lambda queues, b: [move(queues, b, up=False) for _ in "1234"], "a | c d b"),
    "edited": (lambda queues, b: edit(queues, b, "B"), "a B | c d"),
    "edited to nothing": (lambda queues, b: edit(queues, b, " \n"), "a | c d"),
    "edited in vain": (lambda queues, b: edit(queues, b, None), "a b | c d"),
    "deleted": (delete, "a | c d"),
    "deleted twice": (lambda queues, b: [delete(queues, b) for _ in "12"], "a | c d"),
}


def edit(queues: MessageQueues, message_id: int, text: str | None) -> None:
    begin_edit(queues, message_id)
    finish_edit(queues, message_id, text)


@pytest.mark.parametrize(("change", "left"), CHANGES.values(), ids=CHANGES)
async def test_what_a_change_leaves(
    change: Callable[[MessageQueues, int], object], left: str
) -> None:
    queues = MessageQueues(follow_up_mode="all", steering_mode="all")
    for text in "ab":
        queues.steering.add(user(text))
    queues.steering.add(CustomMessage(custom_type="x", content="not typed by anybody"))
    for text in "cd":
        queues.follow_up.add(user(text))
    change(queues, queues.listed[1].id)
    update = queues.update()
    assert f"{' '.join(update.steering)} | {' '.join(update.follow_up)}" == left
    delivered = [*await queues.drain_steering(), *await queues.drain_follow_up()]
    assert [said(each) for each in delivered if isinstance(each, UserMessage)] == [
        *update.steering,
        *update.follow_up,
    ]


async def test_what_is_on_its_way_cannot_be_changed() -> None:
    queues = MessageQueues()
    queues.steering.add(user("gone"))
    (gone,) = queues.listed
    await queues.drain_steering()
    assert begin_edit(queues, gone.id) is None
    assert not hold(queues, gone.id, True)
    assert not move(queues, gone.id, up=False)
    assert not delete(queues, gone.id)
    assert queues.listed[0].is_leaving


async def test_pictures_stay_with_a_text_that_is_edited() -> None:
    queues = MessageQueues()
    picture = ImageContent(data="AAAA", mime_type="image/png")
    queues.steering.add(UserMessage(content=[TextContent(text="look"), picture], timestamp=7))
    edit(queues, queues.listed[0].id, "see")
    (message,) = await queues.drain_steering()
    assert isinstance(message, UserMessage)
    assert (message.content, message.timestamp) == ([TextContent(text="see"), picture], 7)


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


class Hands(RuleBasedStateMachine):
    """Queues in many hands at once: whatever they do, what is said was said by somebody, and said once."""

    def __init__(self) -> None:
        super().__init__()
        self.queues = MessageQueues()
        self.alive: dict[int, str] = {}
        self.leaving: list[Message] = []
        self.gone: list[str] = []
        self.count = 0

    def _id(self, number: int) -> int:
        """Return one of the messages, or of those that were there once."""
        known = [*self.alive, 0]
        return known[number % len(known)]

    @rule(is_steering=st.booleans())
    def queue(self, is_steering: bool) -> None:
        self.count += 1
        chosen = self.queues.steering if is_steering else self.queues.follow_up
        chosen.add(user(f"text {self.count}"))
        self.alive[chosen.items[-1].id] = f"text {self.count}"

    @rule(number=st.integers(0, 9), up=st.booleans())
    def moves(self, number: int, up: bool) -> None:
        move(self.queues, self._id(number), up=up)

    @rule(number=st.integers(0, 9), is_held=st.booleans())
    def holds(self, number: int, is_held: bool) -> None:
        hold(self.queues, self._id(number), is_held)

    @rule(number=st.integers(0, 9))
    def begins_to_edit(self, number: int) -> None:
        begin_edit(self.queues, self._id(number))

    @rule(number=st.integers(0, 9))
    def edits(self, number: int) -> None:
        message_id = self._id(number)
        if finish_edit(self.queues, message_id, self.alive.get(message_id, "") + "!"):
            self.alive[message_id] += "!"

    @rule(number=st.integers(0, 9))
    def deletes(self, number: int) -> None:
        message_id = self._id(number)
        if delete(self.queues, message_id):
            del self.alive[message_id]

    @rule(is_steering=st.booleans())
    def drains(self, is_steering: bool) -> None:
        chosen = self.queues.steering if is_steering else self.queues.follow_up
        self.leaving += chosen.drain()

    @rule()
    def starts(self) -> None:
        if self.leaving:
            message = self.leaving.pop(0)
            assert self.queues.started(message)
            self.gone.append(said(message))

    @rule()
    def takes_back(self) -> None:
        taken = self.queues.clear()
        self.gone += [*taken.steering, *taken.follow_up]

    @invariant()
    def nothing_is_lost_or_there_twice(self) -> None:
        shown = [text.text for text in self.queues.listed]
        assert sorted([*shown, *self.gone]) == sorted(self.alive.values())


TestHands = Hands.TestCase
TestHands.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
