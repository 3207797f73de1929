"""What a whole session adds up to: messages, tokens and what they cost, every branch of it.

Counted line by line as a session is read or grows, so that asking costs nothing.
"""

from __future__ import annotations

from dataclasses import field, fields

from pi_agent.base.wire import JsonObject, JsonValue
from pi_tui.frozen import slotted


@slotted
class SessionStats:
    """Sums over all entries. `costs` are dollars by `provider/model`.

    `cache_refreshes` counts requests that only kept a prompt in the provider's cache.
    """

    user_messages: int = 0
    assistant_messages: int = 0
    tool_calls: int = 0
    tool_results: int = 0
    total_messages: int = 0
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    cache_refreshes: int = 0
    costs: dict[str, float] = field(default_factory=dict)

    @property
    def tokens(self) -> int:
        """All tokens."""
        return self.input + self.output + self.cache_read + self.cache_write

    @property
    def cost(self) -> float:
        """All dollars."""
        return sum(self.costs.values())

    def take(self, raw: JsonObject) -> None:
        """Count a line. Tokens are those of answers, tools, summaries and what else was paid for."""
        message = raw.get("message")
        if not isinstance(message, dict):
            self._count_usage(raw)
            return
        self._count_message(message)
        self._count_usage(message)

    def to_json(self) -> JsonObject:
        """Return the sums as JSON."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @classmethod
    def from_json(cls, raw: JsonObject) -> SessionStats:
        """Return the sums that `to_json` has written."""
        return cls(**raw)

    def _count_message(self, message: JsonObject) -> None:
        self.total_messages += 1
        match message.get("role"):
            case "user":
                self.user_messages += 1
            case "assistant":
                self.assistant_messages += 1
                content = message.get("content")
                blocks = content if isinstance(content, list) else []
                self.tool_calls += sum(
                    isinstance(block, dict) and block.get("type") == "toolCall" for block in blocks
                )
            case "toolResult":
                self.tool_results += 1
            case _:
                pass

    def _count_usage(self, owner: JsonObject) -> None:
        usage = owner.get("usage")
        if not isinstance(usage, dict):
            return
        self.cache_refreshes += owner.get("kind") == "cache_warm"
        cached = _count(usage, "cacheRead"), _count(usage, "cacheWrite")
        sent, received = _count(usage, "input"), _count(usage, "output")
        self.input += sent
        self.output += received
        self.cache_read += cached[0]
        self.cache_write += cached[1]
        self._count_cost(owner, usage.get("cost"))

    def _count_cost(self, owner: JsonObject, cost: JsonValue) -> None:
        total = cost.get("total") if isinstance(cost, dict) else None
        if isinstance(total, int | float) and total:
            name = f"{owner.get('provider') or '?'}/{owner.get('model') or '?'}"
            self.costs[name] = self.costs.get(name, 0.0) + total


def _count(usage: JsonObject, key: str) -> int:
    value = usage.get(key)
    return value if isinstance(value, int) else 0
