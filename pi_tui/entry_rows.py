"""Reading the rows of a document of entries: a part of it, its end, or the next row of some kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pi_tui.layout import LayoutContext
from pi_tui.window import Anchor, EntrySource


@dataclass(frozen=True, slots=True)
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

    def _height(self, entry: int) -> int:
        return self.source.entry_height(entry, self.width, self.context)
