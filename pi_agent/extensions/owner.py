"""An extension as others know it that keep something of it: whose it is, for how long, and who hears of failures."""

from __future__ import annotations

from dataclasses import dataclass

from pi_agent.extensions.guard import ExtensionGuard, FailureReports
from pi_tui.abort import AbortSignal


@dataclass(frozen=True, slots=True, eq=False)
class Owner:
    """One extension in one generation. `ending` fires when the generation is over."""

    name: str
    path: str
    ending: AbortSignal
    failures: FailureReports

    def guard(self, place: str) -> ExtensionGuard:
        """Return the boundary around code of the extension that stands at `place`."""
        return ExtensionGuard(self.path, place, self.failures)
