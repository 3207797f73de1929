"""An extension as others know it that keep something of it: whose it is, for how long, and who hears of failures."""

from __future__ import annotations

from collections.abc import Callable

from pi_agent.extensions.guard import ExtensionGuard, FailureReports
from pi_tui.abort import AbortSignal
from pi_tui.frozen import frozen


@frozen(eq=False)
class Owner:
    """One extension in one generation. `ending` fires when the generation is over."""

    name: str
    path: str
    ending: AbortSignal
    failures: FailureReports

    def guard(self, place: str, called: str = "") -> ExtensionGuard:
        """Return the boundary around code of the extension that stands at `place`."""
        return ExtensionGuard(self.path, place, self.failures, called)


class OwnerEndings:
    """Calls `on_end(owner)` when the generation of an owner ends, once for each that it was told of."""

    def __init__(self, on_end: Callable[[Owner], None]) -> None:
        self._on_end = on_end
        self._owners: set[Owner] = set()

    def watch(self, owner: Owner) -> None:
        """Wait for the end of an owner; telling it again changes nothing."""
        if owner not in self._owners:
            self._owners.add(owner)
            owner.ending.on_abort(lambda: self._end(owner))

    def _end(self, owner: Owner) -> None:
        self._owners.discard(owner)
        self._on_end(owner)
