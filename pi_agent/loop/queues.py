"""Messages that wait for the run: steering ones for the next request, follow-ups for its end.

Whoever changes a queue tells the user with `update()`. A text leaves the shown lists only when its message
starts, not when it is drained: until then it still waits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Literal

from pi_agent.llm.messages import Message, UserMessage, text_of
from pi_agent.loop.events import QueueUpdate
from pi_tui.frozen import frozen

QueueMode = Literal["all", "one-at-a-time"]
# A mode, or what is asked for it each time.
ModeSource = QueueMode | Callable[[], QueueMode]


@frozen
class QueuedTexts:
    """What was waiting when the queues were cleared."""

    steering: list[str] = field(default_factory=list)
    follow_up: list[str] = field(default_factory=list)


class MessageQueue:
    """Messages in order of arrival, and the texts of those that have not started."""

    def __init__(self, mode: ModeSource = "one-at-a-time") -> None:
        self._mode: ModeSource = mode
        self._messages: list[Message] = []
        self._texts: list[str] = []

    def __len__(self) -> int:
        return len(self._messages)

    @property
    def mode(self) -> QueueMode:
        """How much is delivered at a time."""
        return self._mode if isinstance(self._mode, str) else self._mode()

    @property
    def texts(self) -> list[str]:
        """The texts of user messages that have not started, in order."""
        return list(self._texts)

    def add(self, message: Message) -> None:
        """Put a message at the end."""
        self._messages.append(message)
        if isinstance(message, UserMessage):
            self._texts.append(text_of(message.content))

    def drain(self) -> list[Message]:
        """Take out what is to be delivered now: everything or the first, by `mode`."""
        count = len(self._messages) if self.mode == "all" else 1
        taken, self._messages = self._messages[:count], self._messages[count:]
        return taken

    def forget(self, text: str) -> bool:
        """Remove a text whose message starts; returns whether it was there."""
        if text not in self._texts:
            return False
        self._texts.remove(text)
        return True

    def clear(self) -> list[str]:
        """Empty the queue and return the texts."""
        texts, self._texts = self._texts, []
        self._messages = []
        return texts


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
        """Whether anything waits."""
        return bool(len(self.steering) or len(self.follow_up))

    async def drain_steering(self) -> list[Message]:
        """Take out what goes into the next request; for `LoopConfig.get_steering_messages`."""
        return self.steering.drain()

    async def drain_follow_up(self) -> list[Message]:
        """Take out what goes on where the run would end; for `LoopConfig.get_follow_up_messages`."""
        return self.follow_up.drain()

    def started(self, message: Message) -> bool:
        """Note that a message starts; returns whether a shown text has gone, steering ones first."""
        if not isinstance(message, UserMessage):
            return False
        text = text_of(message.content)
        return self.steering.forget(text) or self.follow_up.forget(text)

    def clear(self) -> QueuedTexts:
        """Empty both queues and return their texts."""
        return QueuedTexts(self.steering.clear(), self.follow_up.clear())

    def update(self) -> QueueUpdate:
        """Return the event that tells what is waiting."""
        return QueueUpdate(self.steering.texts, self.follow_up.texts)
