"""Escape twice with nothing to stop and nothing typed: what the setting `doubleEscapeAction` says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

_TWICE_SECONDS: Final = 0.5


class DoubleEscape:
    """Counts Escapes while `draft` gives nothing.

    `chosen` gives the name of the action at the time, of those in `actions`, or another word.
    """

    def __init__(
        self,
        draft: Callable[[], str],
        chosen: Callable[[], str],
        actions: Mapping[str, Callable[[], object]],
        now: Callable[[], float],
    ) -> None:
        self._draft = draft
        self._chosen = chosen
        self._actions = actions
        self._now = now
        self._last = float("-inf")

    def take(self) -> bool:
        """Take an Escape that nobody else has a use for; tells whether it was the second one."""
        action = self._actions.get(self._chosen())
        if action is None or self._draft():
            return False
        last, self._last = self._last, self._now()
        if self._last - last > _TWICE_SECONDS:
            return False
        self._last = float("-inf")
        action()
        return True
