"""Cut text by lines and bytes, from either end, and say so.

Lines end at LF only, bytes are UTF-8 bytes with line ends included, and a final line end does not start
another line. Only whole lines are kept, but for a tail whose last line alone is over the limit.
"""

from __future__ import annotations

from typing import Literal

from pi_agent.base.wire import JsonObject
from pi_tui.frozen import frozen

DEFAULT_MAX_LINES = 2000
DEFAULT_MAX_BYTES = 50 * 1024
DEFAULT_MAX_LINE_CHARS = 500

TruncatedBy = Literal["lines", "bytes"]


@frozen
class TruncationResult:
    """What is left of a text, and how much there was. Cut content has no final line end."""

    content: str
    truncated: bool
    truncated_by: TruncatedBy | None
    total_lines: int
    total_bytes: int
    output_lines: int
    output_bytes: int
    last_line_partial: bool = False
    first_line_exceeds_limit: bool = False
    max_lines: int = DEFAULT_MAX_LINES
    max_bytes: int = DEFAULT_MAX_BYTES

    def to_details(self) -> JsonObject:
        """Return the JSON form that tool results carry in their `details`."""
        return {
            "content": self.content,
            "truncated": self.truncated,
            "truncatedBy": self.truncated_by,
            "totalLines": self.total_lines,
            "totalBytes": self.total_bytes,
            "outputLines": self.output_lines,
            "outputBytes": self.output_bytes,
            "lastLinePartial": self.last_line_partial,
            "firstLineExceedsLimit": self.first_line_exceeds_limit,
            "maxLines": self.max_lines,
            "maxBytes": self.max_bytes,
        }


def truncate_head(
    text: str, *, max_lines: int = DEFAULT_MAX_LINES, max_bytes: int = DEFAULT_MAX_BYTES
) -> TruncationResult:
    """Keep whole lines from the start. If the first alone is over `max_bytes`, nothing is kept."""
    whole = _whole(text, max_lines, max_bytes)
    if whole is not None:
        return whole
    end = size = lines = 0
    reason: TruncatedBy = "bytes"
    start = 0
    while start < len(text):
        if lines == max_lines:
            reason = "lines"
            break
        line_end = _line_end(text, start)
        line_size = byte_length(text[start:line_end]) + (1 if lines else 0)
        if size + line_size > max_bytes:
            break
        size += line_size
        lines += 1
        end = line_end
        start = line_end + 1
    return TruncationResult(
        content=text[:end],
        truncated=True,
        truncated_by=reason,
        total_lines=count_lines(text),
        total_bytes=byte_length(text),
        output_lines=lines,
        output_bytes=size,
        first_line_exceeds_limit=lines == 0 and reason == "bytes",
        max_lines=max_lines,
        max_bytes=max_bytes,
    )


def truncate_tail(
    text: str, *, max_lines: int = DEFAULT_MAX_LINES, max_bytes: int = DEFAULT_MAX_BYTES
) -> TruncationResult:
    """Keep whole lines from the end. If the last alone is over `max_bytes`, its end is kept."""
    whole = _whole(text, max_lines, max_bytes)
    if whole is not None:
        return whole
    text_end = len(text) - 1 if text.endswith("\n") else len(text)
    start, size, lines = text_end, 0, 0
    reason: TruncatedBy = "bytes"
    line_end = text_end
    while line_end >= 0:
        if lines == max_lines:
            reason = "lines"
            break
        line_start = text.rfind("\n", 0, line_end) + 1
        line_size = byte_length(text[line_start:line_end]) + (1 if lines else 0)
        if size + line_size > max_bytes:
            break
        size += line_size
        lines += 1
        start = line_start
        line_end = line_start - 1
    content = text[start:text_end]
    partial = lines == 0 and reason == "bytes"
    if partial:
        content = last_bytes(text[text.rfind("\n", 0, text_end) + 1 : text_end], max_bytes)
        lines, size = 1, byte_length(content)
    return TruncationResult(
        content=content,
        truncated=True,
        truncated_by=reason,
        total_lines=count_lines(text),
        total_bytes=byte_length(text),
        output_lines=lines,
        output_bytes=size,
        last_line_partial=partial,
        max_lines=max_lines,
        max_bytes=max_bytes,
    )


def truncate_line(line: str, max_chars: int = DEFAULT_MAX_LINE_CHARS) -> tuple[str, bool]:
    """Cut a line after `max_chars` code points; returns it and whether it was cut."""
    if len(line) <= max_chars:
        return line, False
    return line[:max_chars] + "... [truncated]", True


def format_size(size_bytes: int) -> str:
    """Return a size for people: `812B`, `50.0KB`, `1.4MB`."""
    if size_bytes < 1024:
        return f"{size_bytes}B"
    if size_bytes < 1024 * 1024:
        return f"{size_bytes / 1024:.1f}KB"
    return f"{size_bytes / (1024 * 1024):.1f}MB"


def count_lines(text: str) -> int:
    """Return the number of lines; an empty text has none."""
    return text.count("\n") + (1 if text and not text.endswith("\n") else 0)


def byte_length(text: str) -> int:
    """Return the length in UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def last_bytes(text: str, max_bytes: int) -> str:
    """Return as much of the end as fits into `max_bytes`, cut between characters."""
    data = text[-max_bytes:].encode("utf-8", "surrogatepass") if max_bytes > 0 else b""
    return data[character_start(data, len(data) - max_bytes) :].decode("utf-8", "surrogatepass")


def character_start(data: bytes | bytearray, at: int) -> int:
    """Return the first place from `at` on where a UTF-8 character starts, or the end."""
    at = max(at, 0)
    while at < len(data) and data[at] & 0xC0 == 0x80:
        at += 1
    return at


def _whole(text: str, max_lines: int, max_bytes: int) -> TruncationResult | None:
    lines, size = count_lines(text), byte_length(text)
    if lines > max_lines or size > max_bytes:
        return None
    return TruncationResult(
        content=text,
        truncated=False,
        truncated_by=None,
        total_lines=lines,
        total_bytes=size,
        output_lines=lines,
        output_bytes=size,
        max_lines=max_lines,
        max_bytes=max_bytes,
    )


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end
