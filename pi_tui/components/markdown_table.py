"""Tables of Markdown: how wide the columns are, and the rows with lines around every cell.

A row keeps its wrapped cells as long as the columns keep their widths.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pi_tui.components.markdown_text import Look, Margin, RowMaker, apply
from pi_tui.frozen import slotted
from pi_tui.markdown_inline import Span
from pi_tui.markdown_tree import Row, Table
from pi_tui.width import visible_width

_LONGEST_WORD = 30

# What reads the text of a cell.
ReadCell = Callable[[str], list[list[Span]]]


@slotted
class MeasuredRow:
    """The cells of a row as spans, how wide they would be and how narrow they can get, and the rows drawn last."""

    row: Row
    cells: list[list[list[Span]]]
    natural: tuple[int, ...]
    least: tuple[int, ...]
    widths: tuple[int, ...] = ()
    drawn: list[str] | None = None


class TableRows:
    """Draws a table again and again as it grows."""

    def __init__(self, maker: RowMaker, margin: Margin, look: Look, read: ReadCell) -> None:
        self._maker = maker
        self._margin = margin
        self._look = look
        self._read = read
        self._rows: list[MeasuredRow] = []

    def draw(self, table: Table) -> list[str]:
        """Return the rows of a table; where there is no room for columns, its source."""
        columns = len(table.header)
        available = self._margin.room - (3 * columns + 1)
        if available < columns:
            return self._source(table)
        rows = self._measure((table.header, *table.rows))
        natural = [max(widths) for widths in zip(*[row.natural for row in rows], strict=True)]
        least = [max(widths) for widths in zip(*[row.least for row in rows], strict=True)]
        widths = tuple(column_widths(natural, least, available))
        drawn = self._line(widths, "┌┬┐", self._margin.first)
        between = self._line(widths, "├┼┤", self._margin.rest)
        for index, row in enumerate(rows):
            if row.drawn is None or row.widths != widths:
                row.drawn, row.widths = self._draw_row(row, widths, is_header=not index), widths
            if index:
                drawn += between
            drawn += row.drawn
        return drawn + self._line(widths, "└┴┘", self._margin.rest)

    def _measure(self, rows: Sequence[Row]) -> list[MeasuredRow]:
        """Return all rows measured; those that were drawn before as they are."""
        same = 0
        for row, known in zip(rows, self._rows, strict=False):
            if known.row is not row:
                break
            same += 1
        self._rows[same:] = [self._measured(row) for row in rows[same:]]
        return self._rows

    def _measured(self, row: Row) -> MeasuredRow:
        cells = [self._read(text) or [[]] for text in row]
        texts = ["\n".join(self._plain(line) for line in lines) for lines in cells]
        return MeasuredRow(
            row,
            cells,
            tuple(max(1, *(visible_width(line) for line in text.split("\n")), 0) for text in texts),
            tuple(_longest_word(text) for text in texts),
        )

    def _plain(self, line: Sequence[Span]) -> str:
        return "".join(span.text for span in self._maker.shown(line))

    def _draw_row(self, row: MeasuredRow, widths: Sequence[int], *, is_header: bool) -> list[str]:
        look = self._look.within(self._maker.theme.bold) if is_header else self._look
        columns = [
            [piece for line in lines for piece in self._maker.pieces(line, width, look)]
            for lines, width in zip(row.cells, widths, strict=True)
        ]
        bar = apply((*self._look.plain, *self._look.around), "│")
        drawn: list[str] = []
        for index in range(max(len(pieces) for pieces in columns)):
            line = bar
            for pieces, width in zip(columns, widths, strict=True):
                styled, cells = pieces[index] if index < len(pieces) else ("", 0)
                line += f" {styled}{' ' * (width - cells)} {bar}"
            drawn.append(self._row(self._margin.rest, line, widths))
        return drawn

    def _line(self, widths: Sequence[int], corners: str, prefix: str) -> list[str]:
        left, middle, right = tuple(corners)
        line = left + middle.join("─" * (width + 2) for width in widths) + right
        return [self._row(prefix, apply((*self._look.plain, *self._look.around), line), widths)]

    def _row(self, prefix: str, line: str, widths: Sequence[int]) -> str:
        cells = self._margin.cells + sum(widths) + 3 * len(widths) + 1
        return self._maker.row(prefix, line, cells)

    def _source(self, table: Table) -> list[str]:
        def style(text: str) -> str:
            return apply((*self._look.plain, *self._look.around), text)

        room = self._margin.room
        pieces = (
            piece for line in table.source for piece in self._maker.plain_pieces(line, room, style)
        )
        return self._maker.rows(pieces, self._margin)


def column_widths(natural: Sequence[int], least: Sequence[int], available: int) -> list[int]:
    """Divide `available` cells among columns that would like `natural` and can be cut to `least`."""
    if sum(natural) <= available:
        return list(natural)
    if sum(least) > available:
        floor, wishes = [1] * len(least), [width - 1 for width in least]
    else:
        floor = list(least)
        wishes = [wide - low for wide, low in zip(natural, least, strict=True)]
    rest, total = available - sum(floor), max(1, sum(wishes))
    widths = [low + wish * rest // total for low, wish in zip(floor, wishes, strict=True)]
    left = available - sum(widths)
    for index, (low, wish) in enumerate(zip(floor, wishes, strict=True)):
        if left > 0 and widths[index] < low + wish:
            widths[index] += 1
            left -= 1
    return widths


def _longest_word(text: str) -> int:
    longest = max((visible_width(word) for word in text.split()), default=1)
    return max(1, min(_LONGEST_WORD, longest))
