"""The columns of a table: how wide they would be, measured bit by bit, and which of them show at a width."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from pi_tui.choices import single_line
from pi_tui.frozen import frozen
from pi_tui.width import visible_width

Align = Literal["left", "right", "center"]
SortKey = Callable[[str], object]


@frozen
class Column:
    """A column: its title, where its cells stand in it, the least and the most cells it takes.

    `sort_key` makes what is compared out of the text of a cell; by default numbers come first, by their value.
    """

    title: str
    align: Align = "left"
    min_width: int = 6
    max_width: int | None = None
    sort_key: SortKey | None = None


class ShownColumns(NamedTuple):
    """The columns in sight, `start` on, and their widths."""

    start: int
    widths: tuple[int, ...]

    @property
    def stop(self) -> int:
        """The column after the last in sight."""
        return self.start + len(self.widths)


class ColumnSizes:
    """The widths that the cells of each column ask for, as far as they have been measured."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self.grown = 0  # how often a column has become wider
        self._columns = columns
        self._wanted = [max(1, visible_width(single_line(column.title))) for column in columns]

    def measure(self, row: Sequence[str]) -> None:
        """Take the cells of a row into account."""
        for number, (cell, wanted) in enumerate(zip(row, self._wanted, strict=False)):
            # Text is seldom wider than it is long, and never more than twice: most cells need no closer look.
            if len(cell) * 2 <= wanted:
                continue
            cells = visible_width(single_line(cell))
            if cells > wanted:
                self._wanted[number] = cells
                self.grown += 1

    def shown(self, first: int, width: int, gap: int) -> ShownColumns:
        """Return the columns from `first` on that have room in `width`, at least one, and their widths."""
        natural = [
            min(wanted, column.max_width or wanted)
            for wanted, column in zip(self._wanted, self._columns, strict=True)
        ]
        least = [
            min(wanted, max(1, column.min_width))
            for wanted, column in zip(natural, self._columns, strict=True)
        ]
        start = max(0, min(first, len(natural) - 1))
        stop, used = start, -gap
        while stop < len(natural) and (stop == start or used + gap + least[stop] <= width):
            used += gap + least[stop]
            stop += 1
        room = width - gap * (stop - start - 1)
        widths = fair_widths(natural[start:stop], least[start:stop], room)
        return ShownColumns(start, tuple(widths))


def fair_widths(natural: Sequence[int], least: Sequence[int], available: int) -> list[int]:
    """Divide `available` cells among columns that would like `natural`: only the widest ones have to give."""
    if sum(natural) <= available:
        return list(natural)
    widths = list(least)
    for _ in range(available - sum(least)):
        hungry = [number for number, wanted in enumerate(natural) if widths[number] < wanted]
        widths[min(hungry, key=widths.__getitem__)] += 1
    return widths if len(widths) > 1 else [max(1, available)]
