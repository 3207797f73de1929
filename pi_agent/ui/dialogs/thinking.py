"""The rows of the thinking selector: the levels of a model, in a few words each."""

from __future__ import annotations

from collections.abc import Sequence

from pi_agent.llm.model import ThinkingLevel
from pi_agent.ui.dialogs.picker import Choice

_ABOUT: dict[ThinkingLevel, str] = {
    "off": "Answers at once",
    "minimal": "A few thoughts, about 1,000 tokens",
    "low": "About 2,000 tokens",
    "medium": "About 8,000 tokens",
    "high": "About 16,000 tokens",
    "xhigh": "Longer than high",
    "max": "As long as it can",
}


def level_choices(
    levels: Sequence[ThinkingLevel], current: ThinkingLevel, default: str | None
) -> list[Choice]:
    """Return a row for each level."""
    return [
        Choice(
            level,
            f"{'✓' if level == current else ' '} {level}{' · default' if level == default else ''}",
            description=_ABOUT[level],
        )
        for level in levels
    ]
