"""The rows of a document of entries: reading some of them, and going from one to another."""

from __future__ import annotations

from collections.abc import Callable

from pi_tui.frozen import frozen
from pi_tui.layout import LayoutContext
from pi_tui.window import Anchor, EntrySource


@frozen
class EntryRows:
    """The rows of a document at a width."""

    source: EntrySource
    width: int
    context: LayoutContext | None = None

    def starting_at(self, anchor: Anchor, count: int) -> list[tuple[Anchor, str]]:
        """Return up to `count` rows, each with its place."""
        rows: list[tuple[Anchor, str]] = []
        entry, first = anchor.entry, anchor.row
        while entry < self.source.entry_count() and len(rows) < count:
            stop = first + count - len(rows)
            lines = self.source.entry_rows(entry, self.width, first, stop, self.context)
            rows += [(Anchor(entry, first + row), line) for row, line in enumerate(lines)]
            entry, first = entry + 1, 0
        return rows

    def between(self, first: Anchor, last: Anchor) -> list[str]:
        """Return the rows from one place to another."""
        rows: list[str] = []
        for entry in range(first.entry, min(last.entry + 1, self.source.entry_count())):
            start = first.row if entry == first.entry else 0
            height = self._height(entry)
            stop = min(height, last.row + 1) if entry == last.entry else height
            if start < stop:
                rows += self.source.entry_rows(entry, self.width, start, stop, self.context)
        return rows

    def ending(self, limit: int) -> tuple[list[str], int]:
        """Return the last rows, at most `limit`, and about how many come before them."""
        rows: list[str] = []
        index = self.source.entry_count()
        while index > 0 and len(rows) < limit:
            index -= 1
            height = self._height(index)
            first = max(0, height - (limit - len(rows)))
            rows = self.source.entry_rows(index, self.width, first, height, self.context) + rows
        total = self.source.rows_above(self.source.entry_count(), self.width)
        return rows, max(0, total - len(rows)) if index > 0 or len(rows) == limit else 0

    def find(self, start: Anchor, step: int, wanted: Callable[[str], bool]) -> Anchor | None:
        """Return the nearest wanted row above `start` (`step` -1) or below it (1)."""
        entry = start.entry
        while 0 <= entry < self.source.entry_count():
            lines = self.source.entry_rows(entry, self.width, 0, self._height(entry), self.context)
            order = range(len(lines)) if step > 0 else range(len(lines) - 1, -1, -1)
            for row in order:
                is_beyond = entry != start.entry or (row - start.row) * step > 0
                if is_beyond and wanted(lines[row]):
                    return Anchor(entry, row)
            entry += step
        return None

    def first_of_last(self, count: int) -> Anchor:
        """Return the first of the last `count` rows, or of all there are."""
        missing = count
        for entry in range(self.source.entry_count() - 1, -1, -1):
            height = self._height(entry)
            if height >= missing:
                return Anchor(entry, height - missing)
            missing -= height
        return Anchor()

    def above(self, start: Anchor, count: int) -> tuple[Anchor, int]:
        """Go `count` rows up, as far as there are rows; return where that is and how far it was."""
        entry, row, left = start.entry, start.row, count
        while left > 0:
            step = min(row, left)
            row -= step
            left -= step
            if left == 0 or entry == 0:
                break
            entry -= 1
            row = self._height(entry)
        return Anchor(entry, row), count - left

    def below(self, start: Anchor, count: int, end: Anchor) -> tuple[Anchor, int]:
        """Go `count` rows down, but not beyond `end`; return where that is and how far it was."""
        entry, row, left = start.entry, start.row, count
        while left > 0 and Anchor(entry, row) < end:
            limit = end.row if entry == end.entry else self._height(entry)
            step = min(limit - row, left)
            row += step
            left -= step
            while entry < end.entry and row >= self._height(entry):
                entry, row = entry + 1, 0
        return Anchor(entry, row), count - left

    def _height(self, entry: int) -> int:
        return self.source.entry_height(entry, self.width, self.context)
