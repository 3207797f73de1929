"""Finding all places of a text in a document of entries, a bounded number of rows at a time.

Entries are drawn to be read, those that nobody has looked at too. The search begins at an entry, goes down to the
end, and then from the start to where it began, so that what is nearest is found first.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from pi_tui.component import Renderable
from pi_tui.frozen import slotted
from pi_tui.search_text import SearchPattern, SearchText
from pi_tui.window import Anchor, EntrySource, is_windowed

_PIECE_ROWS = 256


class Match(NamedTuple):
    """A place of the text in the document; matches compare in reading order."""

    entry: int
    row: int
    column: int
    last_row: int
    end: int

    @property
    def anchor(self) -> Anchor:
        """The row that it begins in."""
        return Anchor(self.entry, self.row)


@slotted
class _Reading:
    """An entry of which not all rows were read."""

    entry: int
    is_again: bool
    text: SearchText
    drawn: list[str] | None = None


class Search:
    """One text that is searched for in a document at a width. `first` is the entry to begin at."""

    def __init__(self, source: EntrySource, width: int, pattern: SearchPattern, first: int) -> None:
        self.source = source
        self.width = width
        self.pattern = pattern
        self.first = first
        self.matches: list[Match] = []
        self.has_reached_end = False  # and begun again at the start
        self.rows_read = 0
        self._count = source.entry_count()
        self._last = self._entry(self._count - 1)
        self._todo = _ranges((first, self._count), (0, min(first, self._count)))
        self._again: dict[int, None] = {}
        self._reading: _Reading | None = None

    @property
    def is_complete(self) -> bool:
        """Whether all entries have been read."""
        return not self._todo

    @property
    def is_done(self) -> bool:
        """Whether there is nothing to read, be it again."""
        return not self._todo and not self._again and self._reading is None

    def read(self, rows: int, is_enough: Callable[[], bool] = lambda: False) -> None:
        """Read about so many rows, or fewer once `is_enough`. Of a piece of an entry all rows are read."""
        self.catch_up()
        stop = self.rows_read + rows
        while not self.is_done and self.rows_read < stop:
            self._read_piece()
            if is_enough():
                break

    def catch_up(self) -> None:
        """Look for entries that were added, and read all of them again if some were taken away."""
        count = self.source.entry_count()
        was_there = count >= self._count and self._entry(self._count - 1) is self._last
        if not was_there:
            self.matches = [match for match in self.matches if match.entry < count]
            self._todo, self.first = _ranges((0, count)), 0
            self._again.clear()
            self._reading = None
        elif count > self._count:
            self._todo += _ranges((self._count, count))
        self._count, self._last = count, self._entry(count - 1)

    def read_again(self, entry: int) -> None:
        """Read an entry that was drawn anew; its matches stay until then."""
        self._again[entry] = None

    def at_or_below(self, anchor: Anchor) -> Match | None:
        """Return the first match known to be at or below a row."""
        index = bisect_left(self.matches, _place(anchor.entry, anchor.row))
        return self.matches[index] if index < len(self.matches) else None

    def index_of(self, match: Match) -> int:
        """Return the place of a match among all, or where it would be."""
        return bisect_left(self.matches, match)

    def in_rows(self, first: Anchor, last: Anchor) -> list[Match]:
        """Return the matches that any of the rows from one to another shows."""
        found = []
        # One that began above may end here: matches of an entry do not overlap, so it is the one before.
        index = max(0, bisect_left(self.matches, _place(first.entry, first.row)) - 1)
        while index < len(self.matches) and self.matches[index].anchor <= last:
            match = self.matches[index]
            if Anchor(match.entry, match.last_row) >= first:
                found.append(match)
            index += 1
        return found

    def _read_piece(self) -> None:
        reading = self._reading = self._reading or self._next()
        rows = self._rows(reading)
        reading.text.add(rows)
        self.rows_read += max(1, len(rows))
        if len(rows) < _PIECE_ROWS:
            self._reading = None
            found = reading.text.find(self.pattern)
            self._replace(reading.entry, [Match(reading.entry, *place) for place in found])
            if not reading.is_again:
                self._count_as_read()

    def _next(self) -> _Reading:
        """Return the entry to read next: what is in view and was drawn anew comes first."""
        is_again = bool(self._again)
        entry = next(iter(self._again)) if is_again else self._todo[0][0]
        self._again.pop(entry, None)
        return _Reading(entry, is_again, SearchText(self.width))

    def _count_as_read(self) -> None:
        entry, stop = self._todo[0]
        self._todo[0] = (entry + 1, stop)
        if entry + 1 == stop:
            self._todo.popleft()
            self.has_reached_end = True

    def _rows(self, reading: _Reading) -> list[str]:
        """Return a piece of an entry. What cannot be drawn in pieces is drawn once for all of them."""
        entry, start = reading.entry, reading.text.row_count
        stop = start + _PIECE_ROWS
        if is_windowed(self.source.component_at(entry)):
            return self.source.entry_rows(entry, self.width, start, stop, None)
        if reading.drawn is None:
            reading.drawn = self.source.entry_rows(entry, self.width, 0, sys.maxsize, None)
        return reading.drawn[start:stop]

    def _replace(self, entry: int, matches: list[Match]) -> None:
        start, stop = (bisect_left(self.matches, _place(at)) for at in (entry, entry + 1))
        self.matches[start:stop] = matches

    def _entry(self, index: int) -> Renderable | None:
        return self.source.component_at(index) if index >= 0 else None


def _place(entry: int, row: int = 0) -> Match:
    """Return what no match in a row comes before."""
    return Match(entry, row, 0, 0, 0)


def _ranges(*ranges: tuple[int, int]) -> deque[tuple[int, int]]:
    """Return what is to be read: from an entry to another, which is not included."""
    return deque(one for one in ranges if one[0] < one[1])
