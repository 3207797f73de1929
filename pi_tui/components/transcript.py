"""`Transcript`: a long list of entries of which only the visible ones are drawn.

Heights are remembered per entry for the current width and summed in blocks, so that the rows above an
entry are known without visiting every entry. An entry's height is corrected whenever it is drawn.
"""

from __future__ import annotations

from pi_tui.component import Component, Renderable, invalidate_all, render_child
from pi_tui.layout import LayoutContext
from pi_tui.window import height_of, rows_of

_BLOCK = 256
_FIRST_GUESS = 3


class Transcript(Component):
    """Entries one below the other, appended at the end; windowed, so 100,000 cost a frame what 100 do."""

    def __init__(self) -> None:
        self._entries: list[Renderable] = []
        self._width = 0
        self._heights: dict[int, int] = {}
        self._block_rows: dict[int, int] = {}
        self._block_known: dict[int, int] = {}
        self._average = float(_FIRST_GUESS)

    @property
    def entries(self) -> list[Renderable]:
        """The entries, oldest first. Change them with the methods."""
        return self._entries

    def append(self, entry: Renderable) -> None:
        """Add an entry at the end."""
        self._entries.append(entry)

    def remove(self, entry: Renderable) -> None:
        """Remove an entry (searched from the end); a missing one is ignored."""
        for index in range(len(self._entries) - 1, -1, -1):
            if self._entries[index] is entry:
                del self._entries[index]
                self._forget_from(index)
                return

    def clear(self) -> None:
        """Remove all entries."""
        self._entries.clear()
        self._forget_heights()

    def invalidate(self) -> None:
        """Drop the entries' caches; heights stay as estimates until an entry is drawn again."""
        invalidate_all(self._entries)

    def render(self, width: int) -> list[str]:
        """Return the whole document; never called for a frame."""
        return [line for entry in self._entries for line in render_child(entry, width)]

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
        """Return the rows of an entry; outside a frame (no `context`) a remembered height will do."""
        self._use_width(width)
        if context is None and index in self._heights:
            return self._heights[index]
        height = height_of(self._entries[index], width, context)
        self._remember(index, height)
        return height

    def entry_rows(
        self, index: int, width: int, start: int, stop: int, context: LayoutContext | None
    ) -> list[str]:
        """Return some rows of an entry."""
        return rows_of(self._entries[index], width, start, stop, context)

    def rows_above(self, index: int, width: int) -> int:
        """Return measured rows above an entry plus a guess for those not measured at `width`."""
        self._use_width(width)
        block, rest = divmod(index, _BLOCK)
        rows = known = 0
        for number in range(block):
            rows += self._block_rows.get(number, 0)
            known += self._block_known.get(number, 0)
        for entry in range(block * _BLOCK, block * _BLOCK + rest):
            height = self._heights.get(entry)
            if height is not None:
                rows += height
                known += 1
        return rows + round((index - known) * self._average)

    def entry_at(self, row: int, width: int) -> int:
        """Return the entry that holds the row, by measure or guess."""
        low, high = 0, max(0, len(self._entries) - 1)
        while low < high:
            middle = (low + high + 1) // 2
            if self.rows_above(middle, width) <= row:
                low = middle
            else:
                high = middle - 1
        return low

    def _use_width(self, width: int) -> None:
        """Start over at a new width: the average, scaled, stands in for heights measured at the old one."""
        if width == self._width:
            return
        if self._heights and self._width:
            self._update_average()
            self._average = max(1.0, self._average * self._width / width)
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
        self._block_rows[block] = self._block_rows.get(block, 0) + height - (old or 0)

    def _update_average(self) -> None:
        known = sum(self._block_known.values())
        if known:
            self._average = max(1.0, sum(self._block_rows.values()) / known)

    def _forget_heights(self) -> None:
        self._heights.clear()
        self._block_rows.clear()
        self._block_known.clear()

    def _forget_from(self, index: int) -> None:
        for entry in range(index, len(self._entries) + 1):
            height = self._heights.pop(entry, None)
            if height is not None:
                block = entry // _BLOCK
                self._block_rows[block] -= height
                self._block_known[block] -= 1
