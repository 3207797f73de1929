"""Which entries the tree shows: five filters, and a search."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from pi_agent.session.entries import (
    ContextEditEntry,
    CustomEntry,
    Entry,
    LabelEntry,
    MessageEntry,
    ModelChangeEntry,
    SessionInfoEntry,
    ThinkingLevelChangeEntry,
)
from pi_agent.ui.session_tree.entry_text import has_failed, has_text

# What only keeps accounts of the conversation, and is no part of it.
_BOOKKEEPING: Final = (
    LabelEntry,
    ContextEditEntry,
    CustomEntry,
    ModelChangeEntry,
    ThinkingLevelChangeEntry,
    SessionInfoEntry,
)

# Whether an entry shows; the second says whether it has a label.
Shows = Callable[[Entry, bool], bool]


def is_usual(entry: Entry) -> bool:
    """Whether an entry is a part of the conversation that people know."""
    return not isinstance(entry, _BOOKKEEPING) and not _has_role(entry, "system")


def is_silent(entry: Entry) -> bool:
    """Whether an entry says nothing: an answer without text that is no failure."""
    if not isinstance(entry, MessageEntry) or entry.role != "assistant":
        return False
    return not has_text(entry) and not has_failed(entry)


def _has_role(entry: Entry, role: str) -> bool:
    return isinstance(entry, MessageEntry) and entry.role == role


# In the order in which they follow each other.
FILTERS: Final[Mapping[str, Shows]] = {
    "default": lambda entry, has_label: is_usual(entry),
    "no-tools": lambda entry, has_label: is_usual(entry) and not _has_role(entry, "toolResult"),
    "user-only": lambda entry, has_label: _has_role(entry, "user"),
    "labeled-only": lambda entry, has_label: has_label,
    "all": lambda entry, has_label: True,
}


def next_filter(name: str, step: int) -> str:
    """Return the filter that comes some steps behind another."""
    names = list(FILTERS)
    return names[(names.index(name) + step) % len(names)]
