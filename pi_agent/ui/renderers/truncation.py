"""What a tool's details say of output that was cut."""

from __future__ import annotations

from pi_agent.base.truncate import DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES, format_size
from pi_agent.base.wire import JsonValue
from pi_tui.frozen import frozen


@frozen
class Truncation:
    """How much of how much is there, as far as the details say so."""

    shown_lines: int
    total_lines: int
    by_bytes: bool
    max_lines: int
    max_bytes: int
    first_line_exceeds_limit: bool

    @property
    def warning(self) -> str:
        """The notice for a person."""
        limit = format_size(self.max_bytes)
        if self.first_line_exceeds_limit:
            return f"[First line exceeds {limit} limit]"
        if self.by_bytes:
            return f"[Truncated: {self.shown_lines} lines shown ({limit} limit)]"
        return (
            f"[Truncated: showing {self.shown_lines} of {self.total_lines} lines"
            f" ({self.max_lines} line limit)]"
        )


def truncation_of(details: JsonValue) -> Truncation | None:
    """Read `details.truncation`; `None` if nothing was cut. What is stored may be of any shape."""
    found = details.get("truncation") if isinstance(details, dict) else None
    if not isinstance(found, dict) or not found.get("truncated"):
        return None

    def number(name: str, default: int) -> int:
        value = found.get(name)
        return value if isinstance(value, int) else default

    return Truncation(
        shown_lines=number("outputLines", 0),
        total_lines=number("totalLines", 0),
        by_bytes=found.get("truncatedBy") == "bytes",
        max_lines=number("maxLines", DEFAULT_MAX_LINES),
        max_bytes=number("maxBytes", DEFAULT_MAX_BYTES),
        first_line_exceeds_limit=found.get("firstLineExceedsLimit") is True,
    )
