"""`Transcript`: a long list of entries of which only the visible ones are drawn.

Heights are remembered per entry for the current width and summed in blocks, so that the rows above an
entry are known without visiting every entry. An entry's height is corrected whenever it is drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from pi_tui.component import Component, Renderable, invalidate_all, render_child
from pi_tui.components.later_entries import EntryOrNumber, LaterEntries, made_only
from pi_tui.layout import LayoutContext
from pi_tui.window import height_of, rows_of

_BLOCK = 256
_FIRST_GUESS = 3


class Transcript(Component):
    """Entries one below the other, appended at the end; windowed, so 100,000 cost a frame what 100 do."""

    def __init__(self) -> None:
        self._entries: list[EntryOrNumber] = []
        self._later = LaterEntries()
        self._width = 0
        self._heights: dict[int, int] = {}
        self._block_rows: dict[int, int] = {}
        self._block_known: dict[int, int] = {}
        self._sums = [(0, 0)]  # rows and entries measured above each block, as far as asked for
        self._guess = float(_FIRST_GUESS)
        self._known_rows = 0
        self._followed = 0

    @property
    def entries(self) -> list[Renderable]:
        """The entries that are made, oldest first. Change them with the methods."""
        return made_only(self._entries)

    def append(self, entry: Renderable) -> None:
        """Add an entry at the end."""
        self._entries.append(entry)

    def append_later(self, count: int, make: Callable[[int], Renderable]) -> None:
        """Add `count` entries at the end, each made by `make` with its number, from 0, when it comes into view.

        A long way out of view it is let go, and made again when somebody comes back.
        """
        self._entries.extend(self._later.numbers(count, make))

    def remove(self, entry: Renderable) -> None:
        """Remove an entry (searched from the end); a missing one is ignored."""
        for index in range(len(self._entries) - 1, -1, -1):
            if self._entries[index] is entry:
                del self._entries[index]
                self._later.keep_from(index)
                self._forget_from(index)
                return

    def follow(self, entries: list[Renderable]) -> None:
        """Show a list that somebody else changes: no copy of it is made, and none compared.

        To be called before each frame, for what was measured in place of entries that are gone to be forgotten.
        """
        if entries is not self._entries:
            self._later.clear()
            self._entries = cast(list[EntryOrNumber], entries)  # none of its entries is a number
            self._forget_heights()
        elif len(entries) < self._followed:
            self._forget_heights()
        self._followed = len(entries)

    def clear(self) -> None:
        """Remove all entries."""
        self._entries.clear()
        self._later.clear()
        self._forget_heights()

    def invalidate(self) -> None:
        """Drop the entries' caches; heights stay as estimates until an entry is drawn again."""
        invalidate_all(self.entries)

    def render(self, width: int) -> list[str]:
        """Return the whole document; never called for a frame."""
        entries = map(self.component_at, range(len(self._entries)))
        return [line for entry in entries for line in render_child(entry, width)]

    def measure(self, width: int) -> int | None:
        """Return the number of rows if every entry has been measured at `width`."""
        self._use_width(width)
        if len(self._heights) < len(self._entries):
            return None
        return self.rows_above(len(self._entries), width)

    def estimate(self, width: int) -> int:
        """Return measured rows plus a guess for the rest."""
        return self.rows_above(len(self._entries), width)

    def render_rows(self, width: int, start: int, stop: int) -> list[str]:
        """Return the rows `start`..`stop`, drawing only the entries that they meet."""
        rows: list[str] = []
        index = self.entry_at(start, width)
        offset = start - self.rows_above(index, width)
        while index < len(self._entries) and len(rows) < stop - start:
            height = self.entry_height(index, width, None)
            wanted = stop - start - len(rows)
            rows.extend(self.entry_rows(index, width, offset, min(height, offset + wanted), None))
            offset = max(0, offset - height)
            index += 1
        return rows

    def entry_count(self) -> int:
        """Return the number of entries."""
        return len(self._entries)

    def entry_height(self, index: int, width: int, context: LayoutContext | None) -> int:
        """Return the rows of an entry and remember them."""
        self._use_width(width)
        height = height_of(self.component_at(index), width, context)
        self._remember(index, height)
        return height

    def entry_rows(
        self, index: int, width: int, start: int, stop: int, context: LayoutContext | None
    ) -> list[str]:
        """Return some rows of an entry."""
        return rows_of(self.component_at(index), width, start, stop, context)

    def rows_above(self, index: int, width: int) -> int:
        """Return measured rows above an entry plus a guess for those not measured at `width`."""
        self._use_width(width)
        rows, known = self._sum_above(index // _BLOCK)
        for entry in range(index // _BLOCK * _BLOCK, index):
            height = self._heights.get(entry)
            if height is not None:
                rows += height
                known += 1
        return rows + round((index - known) * self._average)

    def entry_at(self, row: int, width: int) -> int:
        """Return the entry that holds the row, by measure or guess."""
        last = max(0, len(self._entries) - 1)
        low, high = 0, last // _BLOCK
        while low < high:
            middle = (low + high + 1) // 2
            if self.rows_above(middle * _BLOCK, width) <= row:
                low = middle
            else:
                high = middle - 1
        rows, known = self._sum_above(low)
        for entry in range(low * _BLOCK, last):
            height = self._heights.get(entry)
            if height is not None:
                rows += height
                known += 1
            if rows + round((entry + 1 - known) * self._average) > row:
                return entry
        return last

    def component_at(self, index: int) -> Renderable:
        """Return an entry."""
        return self._later.at(self._entries, index)

    def _sum_above(self, block: int) -> tuple[int, int]:
        """Return the rows measured above a block, and of how many entries."""
        sums = self._sums
        while len(sums) <= block:
            rows, known = sums[-1]
            number = len(sums) - 1
            rows += self._block_rows.get(number, 0)
            sums.append((rows, known + self._block_known.get(number, 0)))
        return sums[block]

    def _use_width(self, width: int) -> None:
        """Start over at a new width: the average, scaled, stands in for heights measured at the old one."""
        if width == self._width:
            return
        if self._width:
            self._guess = max(1.0, self._average * self._width / width)
        self._width = width
        self._forget_heights()

    def _remember(self, index: int, height: int) -> None:
        block = index // _BLOCK
        old = self._heights.get(index)
        if old is None:
            self._block_known[block] = self._block_known.get(block, 0) + 1
        elif old == height:
            return
        self._heights[index] = height
        self._known_rows += height - (old or 0)
        del self._sums[block + 1 :]
        self._block_rows[block] = self._block_rows.get(block, 0) + height - (old or 0)

    @property
    def _average(self) -> float:
        """The rows of an entry nobody has looked at: like those that somebody has."""
        return self._known_rows / len(self._heights) if self._heights else self._guess

    def _forget_heights(self) -> None:
        self._heights.clear()
        self._known_rows = 0
        self._block_rows.clear()
        self._block_known.clear()
        self._sums = [(0, 0)]

    def _forget_from(self, index: int) -> None:
        for entry in range(index, len(self._entries) + 1):
            height = self._heights.pop(entry, None)
            if height is not None:
                block = entry // _BLOCK
                self._known_rows -= height
                self._block_rows[block] -= height
                self._block_known[block] -= 1
        del self._sums[index // _BLOCK + 1 :]
