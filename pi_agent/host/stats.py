"""Totals of a session, counted once an entry however often they are asked for."""

from __future__ import annotations

from dataclasses import dataclass

from pi_agent.base.wire import JsonValue
from pi_agent.session.entries import Entry


@dataclass(slots=True)
class Totals:
    """Tokens of all that is in the file. `context` is the newest prompt with its answer, if known."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    context: int | None = None


class SessionTotals:
    """Adds up the entries of a growing list."""

    def __init__(self) -> None:
        self._counted = 0
        self._totals = Totals()

    def of(self, entries: list[Entry]) -> Totals:
        """Return the totals; `entries` must begin with those of the last call."""
        totals = self._totals
        for entry in entries[self._counted :]:
            message = entry.raw.get("message")
            usage = (message if isinstance(message, dict) else entry.raw).get("usage")
            if not isinstance(usage, dict):
                continue
            sent = _count(usage, "input") + _count(usage, "cacheRead") + _count(usage, "cacheWrite")
            totals.input += _count(usage, "input")
            totals.output += _count(usage, "output")
            totals.cache_read += _count(usage, "cacheRead")
            if sent and isinstance(message, dict) and message.get("role") == "assistant":
                totals.context = sent + _count(usage, "output")
        self._counted = len(entries)
        return totals


def _count(usage: dict[str, JsonValue], key: str) -> int:
    value = usage.get(key)
    return value if isinstance(value, int) else 0
