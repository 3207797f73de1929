"""What is added to the session between two turns, and whether there is another one because of it."""

from __future__ import annotations

from collections.abc import Sequence

from pi_agent.extensions.results import ExtensionEntry
from pi_agent.llm.messages import CustomMessage
from pi_tui.frozen import frozen


@frozen
class TurnBoundary:
    """Entries in their order; `wants_more` asks for one more request, if nothing else does."""

    entries: Sequence[ExtensionEntry | CustomMessage] = ()
    wants_more: bool = False

    @property
    def has_messages(self) -> bool:
        """Whether there is something in it for the model."""
        return any(isinstance(entry, CustomMessage) for entry in self.entries)
