"""`Table`: rows of text in columns, of any length; the columns that do not fit are one key away."""

from __future__ import annotations

import asyncio
import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any

from pi_tui.choices import closed, cut_text, single_line
from pi_tui.component import ComponentHost
from pi_tui.events import KeyEvent, MouseEvent, MouseResult
from pi_tui.keybindings import KeybindingsManager
from pi_tui.selectable_rows import MARK, NO_MARK, SelectableRows
from pi_tui.table_columns import Align, Column, ColumnSizes, ShownColumns
from pi_tui.theme import SelectListTheme
from pi_tui.width import visible_width

Row = Sequence[str]

_GAP = 2
_LESS, _EDGE = "‹", " ›"
_UP, _DOWN = "▲", "▼"
# Rows that are measured before the first drawing, and in one go while nothing else is to do.
_AT_ONCE = 200
_MOST_WITHOUT_RULE = 4


class Table(SelectableRows):
    """Rows below the titles of their columns; one row is selected, and chosen with Enter or a click.

    Where the room does not do for all columns Left and Right show the others. A click on a title sorts by that
    column, then the other way round, then not at all; so does Alt+S for the first column in sight. Drawing costs
    the rows in sight. With a `host` the widths of the columns are measured in idle time, and may grow by it.
    """

    def __init__(
        self,
        columns: Sequence[Column | str],
        rows: Sequence[Row],
        max_visible: int,
        theme: SelectListTheme,
        host: ComponentHost | None = None,
        *,
        keybindings: KeybindingsManager | None = None,
    ) -> None:
        super().__init__(max_visible, theme, keybindings=keybindings)
        self.on_select: Callable[[Row], object] | None = None
        self.on_cancel: Callable[[], object] | None = None
        self.on_selection_change: Callable[[Row], object] | None = None
        self.columns = [Column(column) if isinstance(column, str) else column for column in columns]
        self.first_column = 0
        self._host = host
        self._sort: tuple[int, bool] | None = None
        self._shown = ShownColumns(0, ())
        self._layout: tuple[int, int, int] | None = None  # what that was made for
        self._measuring: asyncio.Handle | None = None
        self.set_rows(rows)

    # -- rows and their order

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Show other rows; the first one is selected."""
        self.dispose()
        self._all = list(rows)
        self._sizes = ColumnSizes(self.columns)
        self._layout = None
        self._measured = 0
        self._in_order = self._sorted()
        self.set_selected_index(0)
        self.invalidate()

    def append(self, row: Row) -> None:
        """Add a row at the end, or where the order wants it; the selection stays on its row."""
        self._all.append(row)
        if self._sort is not None:
            place = self._place_of(row)
            self._in_order.insert(place, row)
            self._selected += len(self._in_order) > 1 and place <= self._selected
        self.invalidate()

    def get_selected_row(self) -> Row | None:
        """Return the selected row; `None` where there is none."""
        return self._in_order[self.selected_index] if self._in_order else None

    def sort_by(self, column: int | None, descending: bool = False) -> None:
        """Order the rows by a column, or as they came; the selection stays on its row."""
        selected = self.get_selected_row()
        self._sort = None if column is None else (column, descending)
        if column is not None:
            title = f"{self.columns[column].title} {_DOWN}"
            self._sizes.measure([""] * column + [title])
        self._in_order = self._sorted()
        self._keep_selected(selected)

    def _sorted(self) -> list[Row]:
        if self._sort is None:
            return self._all
        return sorted(self._all, key=self._sort_key, reverse=self._sort[1])

    def _sort_key(
        self, row: Row
    ) -> Any:  # whatever a column makes of its cells compares with its like
        number = self._sort[0] if self._sort is not None else 0
        return (self.columns[number].sort_key or _by_value)(_cell(row, number))

    def _place_of(self, row: Row) -> int:
        """Return where a row goes that came after those which are in order."""
        wanted = self._sort_key(row)
        is_descending = self._sort is not None and self._sort[1]

        def is_later(other: Row) -> bool:
            key = self._sort_key(other)
            return bool(key < wanted if is_descending else wanted < key)

        return bisect_left(self._in_order, True, key=is_later)

    def _keep_selected(self, row: Row | None) -> None:
        if row is not None:
            self._selected = next((i for i, each in enumerate(self._in_order) if each is row), 0)
        self.invalidate()

    def _sort_further(self, column: int) -> None:
        """Sort up, then down, then not."""
        if self._sort == (column, True):
            self.sort_by(None)
        else:
            self.sort_by(column, self._sort == (column, False))

    # -- measuring

    def dispose(self) -> None:
        """Stop measuring."""
        if self._measuring is not None:
            self._measuring.cancel()
            self._measuring = None

    def _measure(self) -> None:
        """Measure what has to be known now, and see to the rest."""
        if self._measured < len(self._all) and self._measuring is None:
            try:
                loop = asyncio.get_running_loop() if self._host is not None else None
            except RuntimeError:
                loop = None
            self._measure_some(len(self._all) if loop is None else _AT_ONCE)
            self._measure_later(loop)

    def _measure_some(self, count: int) -> bool:
        start, self._measured = self._measured, min(self._measured + count, len(self._all))
        before = self._sizes.grown
        for row in self._all[start : self._measured]:
            self._sizes.measure(row)
        return self._sizes.grown > before

    def _measure_later(self, loop: asyncio.AbstractEventLoop | None) -> None:
        if loop is not None and self._measured < len(self._all):
            self._measuring = loop.call_soon(self._measure_on, loop)

    def _measure_on(self, loop: asyncio.AbstractEventLoop) -> None:
        self._measuring = None
        if self._measure_some(_AT_ONCE):
            self.invalidate()
            if self._host is not None:
                self._host.request_render()
        self._measure_later(loop)

    # -- as a list

    def row_count(self) -> int:
        """Return how many rows there are."""
        return len(self._in_order)

    def row_key(self, index: int) -> object:
        """Return a row."""
        return self._in_order[index]

    def heading_rows(self, max_rows: int | None) -> int:
        """Return how many rows stand above: the titles and, unless there are few, the rule below them."""
        return 1 if max_rows is not None and max_rows <= _MOST_WITHOUT_RULE else 2

    def prepare(self, width: int) -> None:
        """Find out which columns show, and how wide they are."""
        self._measure()
        room = max(1, width - len(MARK))
        layout = (self.first_column, room, self._sizes.grown)
        if layout != self._layout:
            self._layout = layout
            self._shown = self._sizes.shown(self.first_column, room, _GAP)
            if self._shown.stop < len(self.columns):  # the sign at the edge is not to hide a title
                self._shown = self._sizes.shown(self.first_column, max(1, room - len(_EDGE)), _GAP)

    def draw_headings(self, width: int) -> list[str]:
        """Return the titles, and the rule."""
        room = max(1, width - len(MARK))
        titles = [self._title(number) for number in range(self._shown.start, self._shown.stop)]
        less = f"{_LESS} " if self._shown.start else NO_MARK
        row = less + self._joined(titles, room)
        if self._shown.stop < len(self.columns):
            row = _ending_in(row, _EDGE.strip(), width)
        rule = NO_MARK + (" " * _GAP).join("─" * width for width in self._shown.widths)
        return [closed(self.theme.description(cut_text(each, width))) for each in (row, rule)]

    def draw_row(self, index: int, width: int, is_selected: bool) -> str:
        """Return the cells of a row that are in sight."""
        cells = [
            single_line(_cell(self._in_order[index], number))
            for number in range(self._shown.start, self._shown.stop)
        ]
        row = (MARK if is_selected else NO_MARK) + self._joined(cells, width - len(MARK))
        style = self.theme.selected_text if is_selected else self.theme.text
        return closed(style(cut_text(row, width)))

    def nothing_text(self) -> str:
        """Return what is said of a table without rows."""
        return "No rows"

    def _title(self, number: int) -> str:
        title = single_line(self.columns[number].title)
        if self._sort is None or self._sort[0] != number:
            return title
        sign = _DOWN if self._sort[1] else _UP
        room = self._shown.widths[number - self._shown.start]
        return f"{cut_text(title, room - 2, '…')} {sign}" if room > 3 else sign

    def _joined(self, cells: Sequence[str], room: int) -> str:
        parts = [
            _aligned(cell, width, self.columns[self._shown.start + number].align)
            for number, (cell, width) in enumerate(zip(cells, self._shown.widths, strict=True))
        ]
        return cut_text((" " * _GAP).join(parts), room).rstrip(" ")

    def selection_changed(self) -> None:
        """Tell which row is selected now."""
        row = self.get_selected_row()
        if row is not None:
            self._callbacks.call(self.on_selection_change, row)

    def confirmed(self, key: object) -> None:
        """Tell which row is chosen."""
        row = next((row for row in self._in_order if row is key), None)
        if row is not None:
            self._callbacks.call(self.on_select, row)

    def cancelled(self) -> bool:
        """Tell that the user wants to leave."""
        self._callbacks.call(self.on_cancel)
        return self.on_cancel is not None

    # -- input

    def handle_key(self, event: KeyEvent) -> bool:
        """Show other columns, sort, or do as a list does; `False` for a key that means nothing here."""
        keybindings = self.keybindings
        if keybindings.matches(event, "tui.table.nextColumn"):
            return self._show_from(self._shown.start + 1)
        if keybindings.matches(event, "tui.table.previousColumn"):
            return self._show_from(self._shown.start - 1)
        if keybindings.matches(event, "tui.table.sort") and self.columns:
            self._sort_further(self._shown.start)
            return True
        return super().handle_key(event)

    def take_press(self, event: MouseEvent) -> MouseResult | None:
        """Sort by a press on a title; else do as a list does."""
        if self._headings and not event.y:
            column = self._column_at(event.x)
            if column is not None:
                self._sort_further(column)
            return MouseResult(handled=True, focus=True)
        return super().take_press(event)

    def _show_from(self, column: int) -> bool:
        """Begin with another column, as long as there are any beyond the edge."""
        goes_on = column < self._shown.start or self._shown.stop < len(self.columns)
        if 0 <= column < len(self.columns) and goes_on:
            self.first_column = column
            self.invalidate()
            return True
        return False

    def _column_at(self, x: int) -> int | None:
        end = len(MARK)
        for number, width in enumerate(self._shown.widths, self._shown.start):
            end += width + _GAP
            if len(MARK) <= x < end:
                return number
        return None


def _cell(row: Row, number: int) -> str:
    """Return a cell; a row may be shorter than the columns are many."""
    return row[number] if number < len(row) else ""


def _by_value(text: str) -> tuple[int, float, str]:
    """Return what orders texts: numbers by their value, before all that is none."""
    try:
        value = float(text.replace(",", "").replace("_", ""))
    except ValueError:
        value = math.nan
    return (1, 0.0, text.casefold()) if math.isnan(value) else (0, value, "")


def _aligned(text: str, width: int, align: Align) -> str:
    text = closed(cut_text(text, width, "…"))
    free = width - visible_width(text)
    before = {"left": 0, "right": free, "center": free // 2}[align]
    return " " * before + text + " " * (free - before)


def _ending_in(row: str, sign: str, width: int) -> str:
    """Return a row with a sign in its last cell."""
    row = cut_text(row, width - 1)
    return row + " " * (width - 1 - visible_width(row)) + sign
