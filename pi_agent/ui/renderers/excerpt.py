"""The first or the last rows of a text at a width, and how much is left out. Only what is shown is looked at."""

from __future__ import annotations

from collections.abc import Sequence

from pi_tui.frozen import frozen
from pi_tui.wrap import wrap_rows

# More characters than any row of a screen has: what is behind them is not wrapped for a few rows.
_ROW_CHARACTERS = 600
_MOST_CHARACTERS = 100_000


@frozen
class Excerpt:
    """Some rows, and how many lines of the text are whole in them."""

    rows: list[str]
    lines: int


def first_lines(text: str, limit: int) -> tuple[list[str], int]:
    """Return the first `limit` lines, or as much of them as is worth drawing, and how many are whole."""
    most = min(limit * _ROW_CHARACTERS, _MOST_CHARACTERS)
    lines = text[:most].split("\n", limit)
    whole = len(lines) - 1 if len(text) > most else len(lines)
    return lines[:limit], min(whole, limit)


def first_rows(lines: Sequence[str], limit: int, width: int) -> Excerpt:
    """Return the first `limit` rows of styled lines."""
    rows: list[str] = []
    whole = 0
    for line in lines:
        rows += wrap_rows(line, width)
        if len(rows) > limit:
            break
        whole += 1
    return Excerpt(rows[:limit], whole)


def last_rows(text: str, limit: int, width: int) -> Excerpt:
    """Return the last `limit` rows."""
    rows: list[str] = []
    lines, end = 0, len(text) - 1 if text.endswith("\n") else len(text)
    while end >= 0 and len(rows) < limit:
        start = text.rfind("\n", 0, end) + 1
        shown = wrap_rows(text[max(start, end - limit * _ROW_CHARACTERS) : end], width) or [""]
        rows = shown + rows
        if len(rows) > limit or end - start > limit * _ROW_CHARACTERS:
            break
        lines += 1
        end = start - 1
    return Excerpt(rows[len(rows) - limit :] if len(rows) > limit else rows, lines)
