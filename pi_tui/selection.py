"""Selected text: a part of a scrolled document, or of the screen, by cells, words or lines.

Places count entries and rows of the content, so that a selection stays on its text while the view scrolls and
output is added. It covers whole graphemes and, extended in either direction, always its first unit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, Protocol

from pi_tui.ansi import strip_terminal_sequences
from pi_tui.components.scroll_view import ScrollView
from pi_tui.frozen import frozen
from pi_tui.paint import Mark
from pi_tui.view_area import Area
from pi_tui.width import (
    get_grapheme_cell_range,
    grapheme_width,
    iter_graphemes,
    slice_by_column,
    visible_width,
)
from pi_tui.window import Anchor
from pi_tui.words import selected_word

Unit = Literal["cell", "word", "line"]
UNITS: tuple[Unit, ...] = ("cell", "word", "line")


class Place(NamedTuple):
    """A cell of the content; places compare in reading order."""

    entry: int
    row: int
    column: int


class Span(NamedTuple):
    """What lies between two places, the second one not included."""

    start: Place
    end: Place


class SelectableRows(Protocol):
    """Rows whose text can be selected. Up to `margin` blanks at the left of each are not part of it."""

    @property
    def margin(self) -> int:
        """How many."""
        ...

    def visible(self) -> Sequence[tuple[Anchor, str]]:
        """Return the rows in view, from the top, each with its place in the content."""
        ...

    def between(self, first: Anchor, last: Anchor) -> Sequence[str]:
        """Return the rows from one place to another, in view or not."""
        ...

    def entry(self, index: int) -> object:
        """Return what an entry is known by when others are removed; `None` if there is none."""
        ...


class ViewRows:
    """The document in a scroll view."""

    def __init__(self, view: ScrollView) -> None:
        self.margin = view.text_margin
        self.visible = view.visible_rows
        self.between = view.rows_between
        self.entry = view.entry


class ScreenRows:
    """The rows of the screen as they are: `lines` is replaced after each frame."""

    margin = 0

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines

    def visible(self) -> list[tuple[Anchor, str]]:
        """Return all rows, as those of one entry."""
        return [(Anchor(0, row), line) for row, line in enumerate(self.lines)]

    def between(self, first: Anchor, last: Anchor) -> Sequence[str]:
        """Return rows of the screen."""
        return self.lines[first.row : last.row + 1]

    def entry(self, index: int) -> object:
        """Return the screen, which is the only entry."""
        return self


@frozen
class _End:
    """One end of a selection: a unit in an entry, and what that entry is known by."""

    span: Span
    entry: object


class Selection:
    """One selection, begun at a cell."""

    def __init__(self, source: SelectableRows, row: int, column: int, unit: Unit) -> None:
        self.source = source
        self.unit = unit
        self._first = self._last = self._end_at(row, column)
        self._is_extended = unit != "cell"

    @property
    def first_unit(self) -> Span:
        """The unit under the press."""
        return self._first.span

    @property
    def span(self) -> Span | None:
        """What is selected; nothing before cells were dragged over, or when its text is gone."""
        self._first, self._last = self._settled(self._first), self._settled(self._last)
        first, last = self._first.span, self._last.span
        if not self._is_extended or None in (self._first.entry, self._last.entry):
            return None
        start, end = min(first.start, last.start), max(first.end, last.end)
        return Span(start, end) if start < end else None

    def extend(self, row: int, column: int) -> None:
        """Select up to a cell."""
        self._last = self._end_at(row, column)
        self._is_extended = True

    def text(self) -> str:
        """Return what is selected, each row without blanks at its end."""
        span = self.span
        if span is None:
            return ""
        start, end = span
        rows = self.source.between(Anchor(start.entry, start.row), Anchor(end.entry, end.row))
        parts = []
        for number, row in enumerate(rows):
            first = max(self._margin_of(row), start.column if number == 0 else 0)
            last = end.column if number == len(rows) - 1 else visible_width(row)
            part = slice_by_column(row, first, max(0, last - first))
            parts.append(strip_terminal_sequences(part).rstrip())
        return "\n".join(parts)

    def marks(self, area: Area) -> Iterator[Mark]:
        """Yield what of it is in view."""
        span = self.span
        if span is None:
            return
        start, end = span
        first_row, last_row = start[:2], end[:2]
        for y, (at, row) in enumerate(self.source.visible()):
            here = (at.entry, at.row)
            if not first_row <= here <= last_row:
                continue
            width = min(visible_width(row), area.width)
            first = max(self._margin_of(row), start.column if here == first_row else 0)
            last = min(width, end.column) if here == last_row else width
            if first < last:
                yield Mark(area.row + y, area.column + first, area.column + last)

    def _margin_of(self, row: str) -> int:
        if not self.source.margin:
            return 0
        text = strip_terminal_sequences(row)[: self.source.margin]
        return len(text) - len(text.lstrip(" "))

    def _end_at(self, row: int, column: int) -> _End:
        visible = self.source.visible()
        if not visible:
            return _End(Span(Place(0, 0, 0), Place(0, 0, 0)), None)
        at, text = visible[max(0, min(row, len(visible) - 1))]
        start, end = unit_columns(text, column, self.unit)
        span = Span(Place(at.entry, at.row, start), Place(at.entry, at.row, end))
        return _End(span, self.source.entry(at.entry))

    def _settled(self, end: _End) -> _End:
        """Return where an end is now: entries above it may have been removed, or its own."""
        start, stop = end.span
        if end.entry is None:
            return end
        for index in range(start.entry, -1, -1):
            if self.source.entry(index) is end.entry:
                moved = Span(start._replace(entry=index), stop._replace(entry=index))
                return end if moved == end.span else _End(moved, end.entry)
        return _End(end.span, None)


def unit_columns(row: str, column: int, unit: Unit) -> tuple[int, int]:
    """Return the columns of the cell, word or line of a row that the cell in `column` belongs to."""
    width = visible_width(row)
    if unit == "line":
        return 0, width
    cell = get_grapheme_cell_range(row, column)
    if cell is None:  # beside the text
        nearest = max(0, min(column, width))
        return nearest, nearest
    if unit == "cell":
        return cell
    text = strip_terminal_sequences(row)
    first, last = selected_word(text, _index_at(text, cell[0]))
    return visible_width(text[:first]), visible_width(text[:last])


def _index_at(text: str, column: int) -> int:
    """Return the index of the grapheme that begins in a column."""
    index = position = 0
    for grapheme in iter_graphemes(text):
        cells = grapheme_width(grapheme)
        if position >= column and cells:
            break
        index += len(grapheme)
        position += cells
    return index
