"""Say something at once, but not more often than people can see, and the last of it always."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Throttle:
    """Calls `publish` when told of news, and at most once in `seconds`."""

    def __init__(self, publish: Callable[[], None], seconds: float) -> None:
        self._publish = publish
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None
        self._has_news = False

    def changed(self) -> None:
        """Publish now, or when the time since the last time is over."""
        self._has_news = True
        if self._timer is None:
            self._publish_news()

    def close(self) -> None:
        """Publish what has not been, and no more."""
        if self._timer is not None:
            self._timer.cancel()
        if self._has_news:
            self._publish()

    def _publish_news(self) -> None:
        self._timer = None
        if not self._has_news:
            return
        self._has_news = False
        self._publish()
        self._timer = asyncio.get_running_loop().call_later(self._seconds, self._publish_news)
