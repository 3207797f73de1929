"""Totals of a session, counted once an entry however often they are asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from pi_agent.base.wire import JsonObject, JsonValue
from pi_agent.session.entries import Entry
from pi_tui.frozen import slotted


@slotted
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


@slotted
class SessionStats:
    """What a whole session holds, every branch of it. `costs` are dollars by `provider/model`."""

    user_messages: int = 0
    assistant_messages: int = 0
    tool_calls: int = 0
    tool_results: int = 0
    total_messages: int = 0
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    costs: dict[str, float] = field(default_factory=dict)

    @property
    def tokens(self) -> int:
        """All tokens."""
        return self.input + self.output + self.cache_read + self.cache_write

    @property
    def cost(self) -> float:
        """All dollars."""
        return sum(self.costs.values())


def session_stats(entries: Iterable[Entry]) -> SessionStats:
    """Count what `entries` hold. Tokens are those of answers, tools, summaries and what else was paid for."""
    stats = SessionStats()
    for entry in entries:
        message = entry.raw.get("message")
        if isinstance(message, dict):
            _count_message(stats, message)
        _count_usage(stats, message if isinstance(message, dict) else entry.raw)
    return stats


def _count_message(stats: SessionStats, message: JsonObject) -> None:
    stats.total_messages += 1
    match message.get("role"):
        case "user":
            stats.user_messages += 1
        case "assistant":
            stats.assistant_messages += 1
            content = message.get("content")
            blocks = content if isinstance(content, list) else []
            stats.tool_calls += sum(
                isinstance(block, dict) and block.get("type") == "toolCall" for block in blocks
            )
        case "toolResult":
            stats.tool_results += 1
        case _:
            pass


def _count_usage(stats: SessionStats, raw: JsonObject) -> None:
    usage = raw.get("usage")
    if not isinstance(usage, dict):
        return
    stats.input += _count(usage, "input")
    stats.output += _count(usage, "output")
    stats.cache_read += _count(usage, "cacheRead")
    stats.cache_write += _count(usage, "cacheWrite")
    cost = usage.get("cost")
    total = cost.get("total") if isinstance(cost, dict) else None
    if isinstance(total, int | float) and total:
        owner = f"{raw.get('provider') or '?'}/{raw.get('model') or '?'}"
        stats.costs[owner] = stats.costs.get(owner, 0.0) + total


def _count(usage: dict[str, JsonValue], key: str) -> int:
    value = usage.get(key)
    return value if isinstance(value, int) else 0
