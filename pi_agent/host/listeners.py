"""Who hears of what happens in a conversation: the extensions first, then those who have subscribed, in order."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Awaitable, Callable

from pi_agent.host.conversation_setup import TellExtensions
from pi_agent.loop.events import AgentEvent

Subscriber = Callable[[AgentEvent], Awaitable[None] | None]

_log = logging.getLogger("pi.conversation")


class Listeners:
    """The listeners of one conversation. A subscriber that fails is reported, and the next one told."""

    def __init__(self, tell_extensions: TellExtensions, report: Callable[[str], None]) -> None:
        self._tell_extensions = tell_extensions
        self._report = report
        self._subscribers: list[Subscriber] = []

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Tell `subscriber` of every event; a coroutine is waited for. Returns the unsubscriber."""
        self._subscribers.append(subscriber)

        def unsubscribe() -> None:
            if subscriber in self._subscribers:
                self._subscribers.remove(subscriber)

        return unsubscribe

    async def tell(self, event: AgentEvent) -> None:
        """Tell everybody of an event."""
        await self._tell_extensions(event)
        for subscriber in tuple(self._subscribers):
            try:
                result = subscriber(event)
                if inspect.isawaitable(result):
                    await result
            except Exception as error:
                _log.exception("a subscriber failed at %s", event.type)
                self._report(f"{type(error).__name__}: {error}")
