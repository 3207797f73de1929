"""The queue of a conversation in somebody's hands: every change is told, and what is released late is said."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from pi_agent.host.run_start import Input
from pi_agent.llm.messages import UserMessage
from pi_agent.loop import queue_edits
from pi_agent.loop.events import QueueUpdate
from pi_agent.loop.queues import MessageQueues, QueuedText


class QueueControl:
    """Messages are named by their ids in `listed`.

    What returns `False` or nothing came too late: the message was delivered, or is on its way. `say` begins a run
    where none goes on.
    """

    def __init__(
        self,
        queues: MessageQueues,
        tell: Callable[[QueueUpdate], Awaitable[None]],
        say: Callable[[Input], Awaitable[None]],
    ) -> None:
        self._queues = queues
        self._tell = tell
        self._say = say

    @property
    def listed(self) -> list[QueuedText]:
        """What waits, in the order of delivery."""
        return self._queues.listed

    async def begin_edit(self, message_id: int) -> str | None:
        """Keep a message from being delivered while somebody edits it, and return its text."""
        text = queue_edits.begin_edit(self._queues, message_id)
        if text is not None:
            await self._tell(self._queues.update())
        return text

    async def finish_edit(self, message_id: int, text: str | None) -> bool:
        """Give an edited message its text, or leave it as it was; without any words it is deleted."""
        return await self._change(queue_edits.finish_edit(self._queues, message_id, text))

    async def hold(self, message_id: int, is_held: bool) -> bool:
        """Keep a message from being delivered, or release it."""
        return await self._change(queue_edits.hold(self._queues, message_id, is_held))

    async def move(self, message_id: int, *, up: bool) -> bool:
        """Deliver a message sooner or later by one place, beyond the end of its queue with the other one."""
        return await self._change(queue_edits.move(self._queues, message_id, up=up))

    async def delete(self, message_id: int) -> bool:
        """Remove a message for good."""
        return await self._change(queue_edits.delete(self._queues, message_id))

    async def send_waiting(self) -> None:
        """Begin a run with what may be delivered now, unless something goes on. Raises `PiError`."""
        item = next((item for _, item in self._queues.each() if item.is_ready), None)
        if item is None or not isinstance(item.message, UserMessage):
            return
        item.is_leaving = True
        try:
            await self._say(Input.queued(item.message))
        finally:
            item.is_leaving = False

    async def _change(self, is_changed: bool) -> bool:
        if is_changed:
            await self._tell(self._queues.update())
            await self.send_waiting()
        return is_changed
