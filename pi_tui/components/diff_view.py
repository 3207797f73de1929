"""`DiffView`: what changed between two texts, one below the other or side by side, down to the words.

Rows are made from the top as far as somebody looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Literal

from pi_tui.ansi import sanitize_output, strip_terminal_sequences
from pi_tui.choices import closed, cut_text
from pi_tui.component import Component, Style
from pi_tui.component_themes import DiffTheme
from pi_tui.diff import (
    CONTEXT_LINES,
    LineChange,
    LineDiff,
    diff_lines,
    diff_words,
    hunks,
    split_lines,
    with_context,
)
from pi_tui.frozen import frozen
from pi_tui.width import visible_width
from pi_tui.wrap import wrap_rows

DiffLayout = Literal["auto", "unified", "sideBySide"]
Side = Literal["old", "new"]

_WIDTH_FOR_TWO = 100
_WIDTH_FOR_NUMBERS = 24
# Comparing words takes the product of their numbers.
_MOST_CHARACTERS = 1000
# Two lines that have less in common are not one line that was changed.
_LEAST_COMMON = 0.3


@frozen
class _Gap:
    """So many lines are left out here."""

    lines: int


@frozen
class _Pair:
    """Lines that stand beside each other, by their numbers from 0; one of them may be missing."""

    old: int | None
    new: int | None
    is_change: bool = False


_Part = _Gap | _Pair | list[_Pair]  # a list is one change


class DiffView(Component):
    """The changes with `context` lines around them and the numbers of the lines.

    `auto` puts the two sides beside each other from 100 columns on. Where one line became another, the words
    that differ stand out. Signs tell what colours tell, too; where it is narrow the numbers go first.
    """

    def __init__(
        self,
        old: str,
        new: str,
        theme: DiffTheme | None = None,
        layout: DiffLayout = "auto",
        context: int = CONTEXT_LINES,
    ) -> None:
        self.layout: DiffLayout = layout
        self._theme = theme or DiffTheme()
        self._context = max(0, context)
        self._made: tuple[int, DiffLayout] | None = None
        self.set_texts(old, new)

    def set_texts(self, old: str, new: str) -> None:
        """Show the changes between other texts."""
        self._diff = diff_lines(split_lines(old), split_lines(new))
        self.invalidate()

    @property
    def removed(self) -> int:
        """How many lines are gone."""
        return sum(change.old_end - change.old_start for change in self._diff.changes)

    @property
    def added(self) -> int:
        """How many lines are new."""
        return sum(change.new_end - change.new_start for change in self._diff.changes)

    def invalidate(self) -> None:
        """Draw anew next time."""
        self._made = None

    # -- drawing, as much as is asked for

    def render(self, width: int) -> list[str]:
        """Return all rows."""
        self._make(width)
        for rows in self._rest:
            self._rows += rows
        return self._rows

    def render_rows(self, width: int, start: int, stop: int) -> list[str]:
        """Return the rows `start`..`stop` (fewer at the end)."""
        self._make(width)
        while len(self._rows) < stop:
            rows = next(self._rest, None)
            if rows is None:
                break
            self._rows += rows
        return self._rows[start:stop]

    def measure(self, width: int) -> int | None:
        """Return the number of rows if all have been made, else `None`."""
        self._make(width)
        return len(self._rows) if self._is_complete else None

    def estimate(self, width: int) -> int:
        """Return at least how many rows there are: one a line that shows."""
        self._make(width)
        return max(len(self._rows), self._least)

    def _make(self, width: int) -> None:
        """Begin anew unless rows for this width are there or under way."""
        layout = self._layout_at(width)
        if self._made == (width, layout):
            return
        self._made = (width, layout)
        parts = list(_parts(self._diff, self._context))
        painter = _Painter(self._diff, self._theme, width)
        draw = painter.unified if layout == "unified" else painter.side_by_side
        self._rows: list[str] = [] if parts else [self._theme.gutter(cut_text("No changes", width))]
        self._least = sum(len(part) if isinstance(part, list) else 1 for part in parts)
        self._is_complete = not parts
        self._rest = self._drawn(parts, draw)

    def _drawn(
        self, parts: Sequence[_Part], draw: Callable[[_Part], Iterator[list[str]]]
    ) -> Iterator[list[str]]:
        for part in parts:
            yield from draw(part)
        self._is_complete = True

    def _layout_at(self, width: int) -> DiffLayout:
        if self.layout != "auto":
            return self.layout
        return "sideBySide" if width >= _WIDTH_FOR_TWO else "unified"


class _Painter:
    """Makes the rows of parts of a diff at one width."""

    def __init__(self, diff: LineDiff, theme: DiffTheme, width: int) -> None:
        self._diff = diff
        self._theme = theme
        self._width = width
        self._digits = len(str(max(len(diff.old), len(diff.new))))

    def unified(self, part: _Part) -> Iterator[list[str]]:
        """Yield the rows of each line, one below the other: what is gone, then what has come."""
        if isinstance(part, _Gap):
            yield [self._gap(part)]
            return
        if isinstance(part, _Pair):
            yield self._line(part, "new", None, self._width)
            return
        new_words: list[str | None] = []
        for pair in part:
            old, new = self._words(pair)
            new_words.append(new)
            yield self._line(pair, "old", old, self._width)
        for pair, new in zip(part, new_words, strict=True):
            yield self._line(pair, "new", new, self._width)

    def side_by_side(self, part: _Part) -> Iterator[list[str]]:
        """Yield the rows of each line, the old ones at the left and the new ones at the right."""
        if isinstance(part, _Gap):
            yield [self._gap(part)]
            return
        left_width = (self._width - 1) // 2
        right_width = self._width - 1 - left_width
        for pair in part if isinstance(part, list) else [part]:
            old, new = self._words(pair) if pair.is_change else (None, None)
            left = self._line(pair, "old", old, max(1, left_width))
            right = self._line(pair, "new", new, max(1, right_width))
            yield [
                self._beside(one, other, left_width)
                for one, other in zip_longest(left, right, fillvalue="")
            ]

    def _beside(self, left: str, right: str, left_width: int) -> str:
        if self._width < 3:
            return left or right
        blank = " " * (left_width - visible_width(left))
        return f"{left}{blank}{self._theme.gutter('│')}{right}"

    def _gap(self, gap: _Gap) -> str:
        lines = "1 line" if gap.lines == 1 else f"{gap.lines:,} lines"
        return self._theme.gutter(cut_text(f"⋯ {lines}", self._width))

    def _line(self, pair: _Pair, side: Side, words: str | None, width: int) -> list[str]:
        """Return the rows of one line; none where this side has no such line."""
        number = pair.old if side == "old" else pair.new
        if number is None:
            return []
        sign, style = self._sign(pair, side)
        digits = f"{number + 1:{self._digits}} " if width >= _WIDTH_FOR_NUMBERS else ""
        lead = f"{digits}{sign} "
        room = width - len(lead)
        if room < 1:
            return [style(cut_text(lead, width))]
        text = self._text(side, number) if words is None else words
        first, *more = wrap_rows(text, room)
        gutter = self._theme.gutter(digits) if digits else ""
        indent = " " * len(lead)
        return [
            closed(f"{gutter}{style(f'{sign} {first}')}"),
            *(closed(indent + style(row)) for row in more),
        ]

    def _sign(self, pair: _Pair, side: Side) -> tuple[str, Style]:
        if not pair.is_change:
            return " ", self._theme.context
        return ("-", self._theme.removed) if side == "old" else ("+", self._theme.added)

    def _text(self, side: Side, number: int) -> str:
        lines = self._diff.old if side == "old" else self._diff.new
        return _plain(lines[number])

    def _words(self, pair: _Pair) -> tuple[str | None, str | None]:
        """Return both lines with the words marked that differ; `None` where that tells nothing."""
        if pair.old is None or pair.new is None:
            return None, None
        old, new = self._text("old", pair.old), self._text("new", pair.new)
        if max(len(old), len(new)) > _MOST_CHARACTERS:
            return None, None
        old_pieces, new_pieces = diff_words(old, new)
        if not _has_stayed(old_pieces) or not _has_stayed(new_pieces):
            return None, None
        return self._marked(old_pieces), self._marked(new_pieces)

    def _marked(self, pieces: Sequence[tuple[str, bool]]) -> str:
        return "".join(self._theme.changed(text) if differs else text for text, differs in pieces)


def _parts(diff: LineDiff, context: int) -> Iterator[_Part]:
    """Yield what shows, from top to bottom."""
    shown = 0
    for hunk in hunks(diff.changes, context):
        old, old_end, new, _ = with_context(hunk, diff, context)
        if old > shown:
            yield _Gap(old - shown)
        for change in hunk:
            yield from _same(old, change.old_start, new)
            yield _change(change)
            old, new = change.old_end, change.new_end
        yield from _same(old, old_end, new)
        shown = old_end
    if shown < len(diff.old) and diff.changes:
        yield _Gap(len(diff.old) - shown)


def _same(old: int, old_end: int, new: int) -> Iterator[_Pair]:
    return (_Pair(number, new + number - old) for number in range(old, old_end))


def _change(change: LineChange) -> list[_Pair]:
    old = range(change.old_start, change.old_end)
    new = range(change.new_start, change.new_end)
    return [_Pair(one, other, True) for one, other in zip_longest(old, new)]


def _has_stayed(pieces: Sequence[tuple[str, bool]]) -> bool:
    """Tell whether enough of a line is as it was."""
    total = sum(len(text.strip()) for text, _ in pieces)
    same = sum(len(text.strip()) for text, differs in pieces if not differs)
    return same >= _LEAST_COMMON * total


def _plain(line: str) -> str:
    """Return a line as it may be drawn, and with a word about it if it has no end."""
    text = strip_terminal_sequences(sanitize_output(line.removesuffix("\n").removesuffix("\r")))
    return text if line.endswith("\n") else f"{text}{_NO_END}"


_NO_END = " (no line end)"
