"""What plain mode has written of a document: rows are added at the end and never changed.

A row is written when it has stood still for a moment. What changes afterwards is written again, from where it
differs on. From the row with the caret on nothing is: that is where one types. An entry that many others have
followed is written as it stands, so that a fast log is not waited for, or lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from pi_tui.ansi import strip_terminal_sequences
from pi_tui.component import CURSOR_MARKER, Component, Renderable
from pi_tui.components.transcript import Transcript
from pi_tui.frame_rows import FrameRow
from pi_tui.frozen import slotted
from pi_tui.layout import Box, LayoutContext
from pi_tui.plain_text import plain_row
from pi_tui.window import EntrySource, lines_of

# Entries at the end that are looked at for a frame.
_WATCHED_ENTRIES = 64


class WrittenRows(Component):
    """Rows as they were when they were written."""

    def __init__(self, rows: list[str]) -> None:
        self._rows = rows

    def render(self, width: int) -> list[str]:
        """Return the rows; the screen is never narrower than they were."""
        return self._rows


@slotted
class _Waiting:
    """A row to write, and since when it is as it is."""

    row: str
    since: float


@slotted
class _Watched:
    """An entry: the text of its rows that have been written, and those that wait."""

    component: Renderable
    written: list[str] = field(default_factory=list)
    waiting: list[_Waiting] = field(default_factory=list)

    def update(self, rows: Sequence[str], now: float) -> None:
        """Take the rows that the entry has now."""
        texts = [_text(row) for row in rows]
        same = _same_start(self.written, texts)
        del self.written[same:]
        kept = _same_start([_text(one.row) for one in self.waiting], texts[same:])
        since = [one.since for one in self.waiting[:kept]]
        since += [now] * (len(rows) - same - kept)
        self.waiting = list(map(_Waiting, rows[same:], since))

    def take(self, still_since: float) -> list[str]:
        """Return the rows that have stood still since then: they count as written now."""
        count = 0
        while count < len(self.waiting) and self.waiting[count].since <= still_since:
            count += 1
        rows = [one.row for one in self.waiting[:count]]
        del self.waiting[:count]
        self.written += map(_text, rows)
        return rows


class PlainLog:
    """Adds to `document` what is added to another one."""

    def __init__(self) -> None:
        self.document = Transcript()
        self._watched: list[_Watched] = []
        self._first = 0  # where in the document they begin
        self._was_blank = True

    @property
    def is_waiting(self) -> bool:
        """Whether rows are to be written soon."""
        return any(entry.waiting for entry in self._watched)

    def begin_elsewhere(self) -> None:
        """Let what was written be: it is above what is written from now on, and stays."""
        self.document = Transcript()

    def follow(
        self,
        source: EntrySource,
        width: int,
        context: LayoutContext,
        now: float,
        still_since: float,
    ) -> list[FrameRow]:
        """Write what is new and has stood still; returns the rows from the caret on, which are not written."""
        self._watch(source, width)
        live: list[FrameRow] = []
        for entry in self._watched:
            rows = lines_of(entry.component, width, context)
            caret = 0 if live else _row_of_caret(rows)
            entry.update([plain_row(row) for row in rows[:caret]], now)
            live += [_frame_row(entry.component, row, width) for row in rows[caret:]]
        settled = len(self._watched) - _WATCHED_ENTRIES
        for index, entry in enumerate(self._watched):
            self._write(entry.take(now if index < settled else still_since))
            if entry.waiting:
                break
        return live

    def _watch(self, source: EntrySource, width: int) -> None:
        """Look at the last entries, and at those before them that were not written yet.

        Of a document that is new only the last ones are written.
        """
        first = max(0, source.entry_count() - _WATCHED_ENTRIES)
        if self._goes_on_in(source):
            first = min(first, self._first + self._written_entries())
        known = {id(entry.component): entry for entry in self._watched}
        components = [source.component_at(index) for index in range(first, source.entry_count())]
        if first and not any(id(component) in known for component in components):
            self._write([f"... ({first} earlier entries)"[:width]])
        self._watched = [known.get(id(one)) or _Watched(one) for one in components]
        self._first = first

    def _goes_on_in(self, source: EntrySource) -> bool:
        """Tell whether the entries that were watched are where they were."""
        return (
            bool(self._watched)
            and self._first < source.entry_count()
            and source.component_at(self._first) is self._watched[0].component
        )

    def _written_entries(self) -> int:
        """Return how many entries at the start are written whole."""
        waiting = (index for index, entry in enumerate(self._watched) if entry.waiting)
        return next(waiting, len(self._watched))

    def _write(self, rows: Sequence[str]) -> None:
        """Add rows; of blank ones that follow each other one is enough."""
        kept = []
        for row in rows:
            is_blank = not _text(row)
            if not (is_blank and self._was_blank):
                kept.append(row)
            self._was_blank = is_blank
        if kept:
            self.document.append(WrittenRows(kept))


def _row_of_caret(rows: Sequence[str]) -> int:
    return next((at for at, row in enumerate(rows) if CURSOR_MARKER in row), len(rows))


def _frame_row(component: Renderable, row: str, width: int) -> FrameRow:
    return FrameRow(row, Box(component, 0, width, 1, 0, 1, [row]))


def _text(row: str) -> str:
    return strip_terminal_sequences(row).rstrip()


def _same_start(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many items at the start are the same."""
    count = 0
    while count < min(len(one), len(other)) and one[count] == other[count]:
        count += 1
    return count
