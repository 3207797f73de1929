"""Messages that wait for the run: steering ones for the next request, follow-ups for its end.

A message waits until it is drained, and is on its way until it starts: it is shown until then, but no more changed
or taken back. One that is held back, or that somebody edits, is passed over. Whoever changes something tells the
user with `update()`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Final, Literal

from pi_agent.llm.messages import Message, UserMessage, text_of
from pi_agent.loop.events import QueueUpdate
from pi_tui.frozen import frozen, slotted

QueueMode = Literal["all", "one-at-a-time"]
QueueKind = Literal["steering", "follow_up"]
# A mode, or what is asked for it each time.
ModeSource = QueueMode | Callable[[], QueueMode]

_ids: Final = itertools.count(1)


@slotted(eq=False)
class QueuedMessage:
    """A message in a queue, and why it is not delivered, if it is not."""

    message: Message
    id: int
    is_held: bool = False
    is_edited: bool = False
    is_leaving: bool = False

    @property
    def is_ready(self) -> bool:
        """Whether it may be delivered."""
        return not (self.is_held or self.is_edited or self.is_leaving)


@frozen
class QueuedText:
    """A message of the user that waits, as it is shown. One that is leaving can no more be changed."""

    id: int
    kind: QueueKind
    text: str
    is_held: bool = False
    is_edited: bool = False
    is_leaving: bool = False


@frozen
class QueuedTexts:
    """What was waiting when the queues were cleared."""

    steering: list[str] = field(default_factory=list)
    follow_up: list[str] = field(default_factory=list)


class MessageQueue:
    """Messages in the order of their delivery, `items`."""

    def __init__(self, mode: ModeSource = "one-at-a-time") -> None:
        self._mode: ModeSource = mode
        self.items: list[QueuedMessage] = []

    def __len__(self) -> int:
        """How many may be delivered."""
        return sum(item.is_ready for item in self.items)

    @property
    def mode(self) -> QueueMode:
        """How much is delivered at a time."""
        return self._mode if isinstance(self._mode, str) else self._mode()

    @property
    def texts(self) -> list[str]:
        """The texts of user messages that have not started, in order."""
        return [text for item in self.items if (text := queued_text(item)) is not None]

    def add(self, message: Message) -> None:
        """Put a message at the end."""
        self.items.append(QueuedMessage(message, next(_ids)))

    def drain(self) -> list[Message]:
        """Send on its way what is to be delivered now: everything or the first, by `mode`."""
        ready = [item for item in self.items if item.is_ready]
        if self.mode != "all":
            del ready[1:]
        for item in ready:
            item.is_leaving = True
        return [item.message for item in ready]

    def started(self, message: Message) -> bool:
        """Remove a message that starts; returns whether it was on its way."""
        for item in self.items:
            if item.is_leaving and item.message is message:
                self.items.remove(item)
                return True
        return False

    def clear(self) -> list[str]:
        """Remove all but what is on its way or being edited, and return the texts."""
        taken = [item for item in self.items if not (item.is_leaving or item.is_edited)]
        self.items = [item for item in self.items if item not in taken]
        return [text for item in taken if (text := queued_text(item)) is not None]


class MessageQueues:
    """The two queues of a conversation. `steering` and `follow_up` have a mode each."""

    def __init__(
        self,
        steering_mode: ModeSource = "one-at-a-time",
        follow_up_mode: ModeSource = "one-at-a-time",
    ) -> None:
        self.steering = MessageQueue(steering_mode)
        self.follow_up = MessageQueue(follow_up_mode)

    def __bool__(self) -> bool:
        """Whether anything waits that may be delivered."""
        return bool(len(self.steering) or len(self.follow_up))

    def each(self) -> Iterator[tuple[MessageQueue, QueuedMessage]]:
        """Go through all messages with their queues, steering ones first."""
        for queue in (self.steering, self.follow_up):
            for item in tuple(queue.items):
                yield queue, item

    @property
    def listed(self) -> list[QueuedText]:
        """What people are shown, in the order of delivery."""
        return [
            QueuedText(
                item.id,
                "steering" if queue is self.steering else "follow_up",
                text,
                item.is_held,
                item.is_edited,
                item.is_leaving,
            )
            for queue, item in self.each()
            if (text := queued_text(item)) is not None
        ]

    async def drain_steering(self) -> list[Message]:
        """Take what goes into the next request; for `LoopConfig.get_steering_messages`."""
        return self.steering.drain()

    async def drain_follow_up(self) -> list[Message]:
        """Take what goes on where the run would end; for `LoopConfig.get_follow_up_messages`."""
        return self.follow_up.drain()

    def started(self, message: Message) -> bool:
        """Note that a message starts; returns whether a shown text has gone."""
        was_queued = self.steering.started(message) or self.follow_up.started(message)
        return was_queued and isinstance(message, UserMessage)

    def put_back(self) -> None:
        """Let what was on its way wait again: the run has ended without it."""
        for _, item in self.each():
            item.is_leaving = False

    def clear(self) -> QueuedTexts:
        """Empty both queues and return their texts."""
        return QueuedTexts(self.steering.clear(), self.follow_up.clear())

    def drop(self) -> None:
        """Forget everything: the conversation is over."""
        self.steering.items.clear()
        self.follow_up.items.clear()

    def update(self) -> QueueUpdate:
        """Return the event that tells what is waiting."""
        held = [text.text for text in self.listed if text.is_held]
        return QueueUpdate(self.steering.texts, self.follow_up.texts, held or None)


def queued_text(item: QueuedMessage) -> str | None:
    """Return what a user said; `None` for what extensions queued."""
    message = item.message
    return text_of(message.content) if isinstance(message, UserMessage) else None
