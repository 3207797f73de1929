"""A numbered diff as coloured rows; where one line became another, the words that differ stand out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pi_tui.component import Style
from pi_tui.diff import diff_words
from pi_tui.theme import Theme
from pi_tui.width import visible_width
from pi_tui.wrap import wrap_rows

_TOKENS = {"+": "toolDiffAdded", "-": "toolDiffRemoved", " ": "toolDiffContext"}
_NUMBERED = re.compile(r"([ +-] *\d* )(.*)")
# Comparing words takes the product of their numbers.
_MOST_CHARACTERS = 1000
# Two lines that have less in common are not one line that was changed.
_LEAST_COMMON = 0.3
# Narrower, the rest of a line is not indented.
_LEAST_ROOM = 8


def diff_rows(diff: str, width: int, theme: Theme, limit: int) -> tuple[list[str], int]:
    """Return the rows of a diff, which is plain text as the `edit` tool describes its changes.

    After `limit` rows no more lines are drawn; how many those are is returned, too.
    """
    lines = diff.split("\n")
    rows: list[str] = []
    for start, end in _blocks(lines):
        if len(rows) >= limit:
            return rows, len(lines) - start
        if end - start == 2 and lines[start][:1] == "-" and lines[start + 1][:1] == "+":
            rows += _changed_rows(lines[start], lines[start + 1], width, theme)
        else:
            for number in range(start, end):
                if len(rows) >= limit:
                    return rows, len(lines) - number
                rows += _line_rows(lines[number], width, theme)
    return rows, 0


def marked_rows(lines: Sequence[str], width: int, theme: Theme) -> list[str]:
    """Return the rows of lines that only begin with a sign."""
    return [
        row for line in lines for row in _wrapped(line[:1], line[1:], width, _color(line, theme))
    ]


def _blocks(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Return where changed lines stand together; of unchanged ones each on its own."""
    start = 0
    while start < len(lines):
        end = start
        while end < len(lines) and lines[end][:1] in ("+", "-"):
            end += 1
        end = max(end, start + 1)
        yield start, end
        start = end


def _line_rows(line: str, width: int, theme: Theme) -> list[str]:
    gutter, text = _split(line)
    return _wrapped(gutter, text, width, _color(line, theme))


def _changed_rows(old: str, new: str, width: int, theme: Theme) -> list[str]:
    if max(len(old), len(new)) > _MOST_CHARACTERS:
        return _line_rows(old, width, theme) + _line_rows(new, width, theme)
    old_pieces, new_pieces = diff_words(_split(old)[1], _split(new)[1])
    if not _has_stayed(old_pieces) or not _has_stayed(new_pieces):
        return _line_rows(old, width, theme) + _line_rows(new, width, theme)
    rows: list[str] = []
    for line, pieces in ((old, old_pieces), (new, new_pieces)):
        text = "".join(theme.inverse(part) if changed else part for part, changed in pieces)
        rows += _wrapped(_split(line)[0], text, width, _color(line, theme))
    return rows


def _has_stayed(pieces: Sequence[tuple[str, bool]]) -> bool:
    """Return whether enough of a line is as it was."""
    total = sum(len(text.strip()) for text, _ in pieces)
    same = sum(len(text.strip()) for text, changed in pieces if not changed)
    return same >= _LEAST_COMMON * total


def _wrapped(gutter: str, text: str, width: int, color: Style) -> list[str]:
    """Return a line, its further rows below its text."""
    room = width - visible_width(gutter)
    if room < _LEAST_ROOM:
        return [color(row) for row in wrap_rows(gutter + text, width)]
    first, *more = wrap_rows(text, room)
    indent = " " * visible_width(gutter)
    return [color(gutter + first), *(color(indent + row) for row in more)]


def _split(line: str) -> tuple[str, str]:
    """Return sign and number, and the text."""
    found = _NUMBERED.fullmatch(line)
    return (found[1], found[2]) if found else ("", line)


def _color(line: str, theme: Theme) -> Style:
    token = _TOKENS.get(line[:1], "toolDiffContext")
    return lambda text: theme.fg(token, text)
