"""What people do with messages that wait: edit them, move them, hold them back, delete them.

Each function takes the id of a message, and returns `False` (or nothing) where there is nothing to change: the
message was delivered, or is on its way.
"""

from __future__ import annotations

from pi_agent.llm.messages import ImageContent, TextContent, UserMessage
from pi_agent.loop.queues import MessageQueue, MessageQueues, QueuedMessage, queued_text


def begin_edit(queues: MessageQueues, message_id: int) -> str | None:
    """Keep a message from being delivered while somebody edits it, and return its text."""
    found = _find(queues, message_id)
    if found is None or found[1].is_edited:
        return None
    found[1].is_edited = True
    return queued_text(found[1])


def finish_edit(queues: MessageQueues, message_id: int, text: str | None) -> bool:
    """Give an edited message its text, or leave it as it was; without any words it is deleted."""
    found = _find(queues, message_id)
    if found is None:
        return False
    queue, item = found
    item.is_edited = False
    if text is not None and not text.strip():
        queue.items.remove(item)
    elif text is not None and text != queued_text(item):
        item.message = _with_text(item.message, text)
    return True


def hold(queues: MessageQueues, message_id: int, is_held: bool) -> bool:
    """Keep a message from being delivered until it is released, or release it."""
    found = _find(queues, message_id)
    if found is None or found[1].is_held == is_held:
        return False
    found[1].is_held = is_held
    return True


def delete(queues: MessageQueues, message_id: int) -> bool:
    """Remove a message for good."""
    found = _find(queues, message_id)
    if found is None:
        return False
    found[0].items.remove(found[1])
    return True


def move(queues: MessageQueues, message_id: int, *, up: bool) -> bool:
    """Deliver a message sooner or later by one place; beyond the end of its queue it changes to the other one."""
    found = _find(queues, message_id)
    if found is None:
        return False
    queue, item = found
    shown = [each for each in queue.items if queued_text(each) is not None]
    neighbor = shown.index(item) + (-1 if up else 1)
    if 0 <= neighbor < len(shown):
        place = queue.items.index(shown[neighbor])
        queue.items.remove(item)
        queue.items.insert(place, item)
        return True
    other = queues.steering if up else queues.follow_up
    if other is queue:
        return False
    queue.items.remove(item)
    other.items.insert(len(other.items) if up else 0, item)
    return True


def _find(queues: MessageQueues, message_id: int) -> tuple[MessageQueue, QueuedMessage] | None:
    for queue, item in queues.each():
        if item.id == message_id and not item.is_leaving and isinstance(item.message, UserMessage):
            return queue, item
    return None


def _with_text(message: object, text: str) -> UserMessage:
    """Return what is said in other words; its pictures stay."""
    assert isinstance(message, UserMessage)  # `_find` finds no other
    if isinstance(message.content, str):
        return message.model_copy(update={"content": text})
    pictures = [block for block in message.content if isinstance(block, ImageContent)]
    return message.model_copy(update={"content": [TextContent(text=text), *pictures]})
