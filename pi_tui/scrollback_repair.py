"""When rows that have scrolled off are written anew because they have changed: at once, or when it is calm again.

Writing all anew throws a reader who has scrolled up back to the end. What changes again and again, such as the
seconds that something takes, is left until it stops.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

_CALM_SECONDS = 2.0


class ScrollbackRepair:
    """Decides about a change above the screen, and remembers one that waits."""

    def __init__(
        self,
        call_later: Callable[[float, Callable[[], None]], asyncio.TimerHandle | None],
        repair: Callable[[], None],
    ) -> None:
        self._call_later = call_later
        self._repair = repair
        self._timer: asyncio.TimerHandle | None = None
        self._last = float("-inf")

    @property
    def is_due(self) -> bool:
        """Whether a change waits."""
        return self._timer is not None

    def is_at_once(self, now: float) -> bool:
        """Tell whether a change is shown now: it is the first one in a while."""
        calm, self._last = now - self._last >= _CALM_SECONDS, now
        if calm:
            return True
        self.done()
        self._timer = self._call_later(_CALM_SECONDS, self._on_calm)
        return False

    def done(self) -> None:
        """Wait for nothing: all was written anew, or the terminal is given back."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _on_calm(self) -> None:
        self._timer = None
        self._repair()
