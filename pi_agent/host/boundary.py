"""What is added to the session between two turns, and whether there is another one because of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pi_agent.extensions.results import ExtensionEntry
from pi_agent.llm.messages import CustomMessage


@dataclass(frozen=True, slots=True)
class TurnBoundary:
    """Entries in their order; `wants_more` asks for one more request, if nothing else does."""

    entries: Sequence[ExtensionEntry | CustomMessage] = ()
    wants_more: bool = False

    @property
    def has_messages(self) -> bool:
        """Whether there is something in it for the model."""
        return any(isinstance(entry, CustomMessage) for entry in self.entries)
