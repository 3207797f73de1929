"""The document of regular mode as finished rows: what is above and below the primary view, and its entries.

Only the last entries are looked at for a frame. Those before them have scrolled off; what changes in them is seen
when everything is written anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, NamedTuple

from pi_tui.component import Renderable
from pi_tui.frame import FrameMaker
from pi_tui.frame_rows import FrameRow, paint_layers
from pi_tui.frozen import frozen
from pi_tui.layout import MOST_IMAGE_ROWS, Box, Layer, LayoutContext
from pi_tui.window import EntrySource, lines_of

if TYPE_CHECKING:  # loaded with the first picture
    from pi_tui.image_block import ImageBlock

# How many entries at the end are looked at for a frame, at least.
_WATCHED_ENTRIES = 64
_MOST_NEW_ENTRIES = 500


class DocumentRow(NamedTuple):
    """A row as it is written, the caret's column and the pictures if they are in this row, and what it is made of."""

    data: bytes
    caret: int | None
    images: tuple[ImageBlock, ...]
    source: FrameRow


@frozen
class Unrolled:
    """A layout whose primary view is as long as its document: the rows above it, its entries, the rows below it."""

    above: Sequence[FrameRow]
    source: EntrySource
    width: int
    below: Sequence[FrameRow]


@frozen
class _Part:
    """The rows of one entry, and the lines that they were made from."""

    component: Renderable
    lines: list[str]
    rows: list[DocumentRow]


class RegularDocument:
    """Holds the rows of the last frame and tells where the new ones begin to differ."""

    def __init__(self, maker: FrameMaker) -> None:
        self._maker = maker
        self._columns = 0
        self._above: list[DocumentRow] = []
        self._below: list[DocumentRow] = []
        self._parts: list[_Part] = []
        self._rows: list[DocumentRow] = []
        self.left = 0  # entries at the start that are not looked at
        self._last_left: Renderable | None = None
        self._left_rows = 0
        self._is_outdated = False

    @property
    def length(self) -> int:
        """The number of rows, from the first that was written when all was written last."""
        return self._left_rows + len(self._rows)

    def finish_anew(self) -> None:
        """Let no row stand for another one that is made of the same text: rows are finished in another way now."""
        self._is_outdated = True

    def is_continued_by(self, source: EntrySource) -> bool:
        """Tell whether the entries left alone are where they were, and not so many are new that few would stay."""
        left, count = self.left, source.entry_count()
        if left > count or count - left - len(self._parts) > _MOST_NEW_ENTRIES:
            return False
        return not left or source.component_at(left - 1) is self._last_left

    def begin(self, unrolled: Unrolled, context: LayoutContext, limit: int) -> None:
        """Begin so far from the end that there are at least `limit` rows, or with the first entry."""
        self._parts, self._left_rows = [], 0
        index, rows = unrolled.source.entry_count(), 0
        while index > 0 and rows < limit:
            index -= 1
            rows += len(lines_of(unrolled.source.component_at(index), unrolled.width, context))
        self._leave_alone(unrolled.source, index)

    def update(self, unrolled: Unrolled, context: LayoutContext, columns: int) -> int:
        """Take what is to be shown now; returns the first row that is another one, `length` if none is."""
        before = self._chunks()
        is_reusable = columns == self._columns and not self._is_outdated
        self._columns, self._is_outdated = columns, False
        known = {id(part.component): part for part in self._parts if is_reusable}
        source, parts = unrolled.source, []
        for index in range(self.left, source.entry_count()):
            component = source.component_at(index)
            lines = lines_of(component, unrolled.width, context)
            parts.append(self._part(component, lines, known.get(id(component)), unrolled.width))
        self._parts = parts
        self._above = self.finished(unrolled.above, self._above if is_reusable else ())
        self._below = self.finished(unrolled.below, self._below if is_reusable else ())
        after = self._chunks()
        self._rows = list(chain.from_iterable(after))
        first = _first_difference(before, after)
        return first if first < len(self._above) else first + self._left_rows

    def settle(self, source: EntrySource, top: int) -> None:
        """Look no more at early entries all of whose rows are above `top`, if there are many."""
        spare = len(self._parts) - _WATCHED_ENTRIES
        if spare < _WATCHED_ENTRIES:
            return
        settled, rows = 0, len(self._above) + self._left_rows
        for part in self._parts[:spare]:
            if rows + len(part.rows) > top:
                break
            rows += len(part.rows)
            settled += 1
        gone = sum(len(part.rows) for part in self._parts[:settled])
        self._left_rows += gone
        self._parts = self._parts[settled:]
        self._rows = list(chain.from_iterable(self._chunks()))
        self._leave_alone(source, self.left + settled)

    def rows(self, start: int, stop: int) -> list[DocumentRow]:
        """Return the rows `start`..`stop`; those of entries that are not looked at any more are left out."""
        return self._rows[max(0, start - self._left_rows) : max(0, stop - self._left_rows)]

    def images(self, start: int) -> list[tuple[int, ImageBlock]]:
        """Return the pictures that reach to the row `start` or below it, each with the row that draws it."""
        first = max(0, start - self._left_rows - MOST_IMAGE_ROWS)
        rows = enumerate(self._rows[first:], first + self._left_rows)
        found = [(y, image) for y, row in rows if row.images for image in row.images]
        return [(y, image) for y, image in found if y - image.above + image.rows > start]

    def finished(
        self, painted: Iterable[FrameRow], before: Sequence[DocumentRow]
    ) -> list[DocumentRow]:
        """Finish rows; one that is made of what was in its place before is that one."""
        rows = []
        for y, row in enumerate(painted):
            if y < len(before) and _is_same(row, before[y].source):
                rows.append(before[y])
            else:
                rows.append(DocumentRow(*self._maker.finish(row, self._columns), row))
        return rows

    def _leave_alone(self, source: EntrySource, count: int) -> None:
        self.left = count
        self._last_left = source.component_at(count - 1) if count else None

    def _chunks(self) -> list[list[DocumentRow]]:
        return [self._above, *(part.rows for part in self._parts), self._below]

    def _part(
        self, component: Renderable, lines: list[str], before: _Part | None, width: int
    ) -> _Part:
        if before is not None and before.lines is lines:
            return before
        box = Box(component, 0, width, len(lines), 0, len(lines), lines)
        painted = paint_layers([Layer(box)], self._columns, len(lines)).rows()
        return _Part(component, lines, self.finished(painted, before.rows if before else ()))


def _is_same(one: FrameRow, other: FrameRow) -> bool:
    return one.line == other.line and [piece for piece, _ in one.over] == [
        piece for piece, _ in other.over
    ]


def _looks_same(one: DocumentRow, other: DocumentRow) -> bool:
    return one.data == other.data and one.images == other.images


def _first_difference(
    before: Sequence[list[DocumentRow]], after: Sequence[list[DocumentRow]]
) -> int:
    row = index = 0
    while index < min(len(before), len(after)) and before[index] is after[index]:
        row += len(after[index])
        index += 1
    for old, new in zip_longest(
        chain.from_iterable(before[index:]), chain.from_iterable(after[index:])
    ):
        if old is not new and (old is None or new is None or not _looks_same(old, new)):
            break
        row += 1
    return row
