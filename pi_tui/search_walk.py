"""Going from match to match in a scroll view while it is still being searched, and while it changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import NamedTuple

from pi_tui.ansi import strip_terminal_sequences
from pi_tui.components.scroll_view import ScrollView
from pi_tui.search import Match, Search
from pi_tui.search_text import SearchPattern
from pi_tui.width import visible_width
from pi_tui.window import Anchor


class Highlight(NamedTuple):
    """Cells of a row of the view that belong to a match."""

    row: int
    start: int
    end: int
    is_current: bool


class SearchWalk:
    """What is searched for in a view, and the match one is at.

    After another query that is the first one from the match before on, or else from the top of the view. Content
    that changes does not move the view.
    """

    def __init__(self, view: ScrollView) -> None:
        self.view = view
        self.current: Match | None = None
        self._search: Search | None = None
        self._index = 0
        self._awaited_from: Anchor | None = None  # the first match from here on is waited for
        self._awaited_index: int | None = (
            None  # of the match one was at before rows were wrapped anew
        )
        self._awaited_step = 0
        self._rows: list[tuple[Anchor, str]] = view.visible_rows()

    @property
    def is_done(self) -> bool:
        """Whether there is nothing to read."""
        return self._search is None or self._search.is_done

    @property
    def rows_read(self) -> int:
        """Rows that were read for this query."""
        return self._search.rows_read if self._search is not None else 0

    def status(self) -> str:
        """Return which match one is at and how many there are; `…` while there may be more."""
        if self._search is None:
            return ""
        more = "" if self._search.is_complete else "…"
        count = len(self._search.matches)
        if not count:
            return more or "No matches"
        return f"{self._index + 1 if self.current is not None else 0}/{count}{more}"

    def look_for(self, query: str) -> None:
        """Search for another text."""
        pattern = SearchPattern(query)
        self._awaited_from = self.current.anchor if self.current is not None else self.view.anchor
        self._awaited_index, self._awaited_step, self.current = None, 0, None
        self._search = self._begin(pattern, self._awaited_from.entry) if pattern else None

    def step(self, step: int) -> None:
        """Go to the next match (1) or the one before (-1), from the last to the first and back."""
        search = self._search
        if search is None or not search.matches:
            return
        if self.current is None:
            self._awaited_from, self._awaited_index = self.view.anchor, None
            self._arrive()
            return
        index = search.index_of(self.current) + step
        match = search.matches[index % len(search.matches)]
        if not search.is_complete and self._may_skip(search, match, index):
            self._awaited_step = step
            return
        self._go_to(match)

    def read(self, rows: int, is_enough: Callable[[], bool] = lambda: False) -> None:
        """Read about so many rows more."""
        if self._search is not None:
            self._search.read(rows, is_enough)
            self._arrive()

    def follow_view(self, content_changed: bool) -> None:
        """Take note of what the view shows since its last layout."""
        before = dict(_by_entry(self._rows))
        self._rows = self.view.visible_rows()
        search = self._search
        if search is None:
            return
        if search.source is not self.view.source or search.width != self.view.content_width:
            self._begin_anew(search)
            return
        search.catch_up()
        for entry, rows in _by_entry(self._rows):
            if entry not in before or (content_changed and before[entry] != rows):
                search.read_again(entry)

    def highlights(self) -> Iterator[Highlight]:
        """Yield the cells of all matches in view."""
        if self._search is None or not self._rows:
            return
        numbers = {at: number for number, (at, _) in enumerate(self._rows)}
        for match in self._search.in_rows(self._rows[0][0], self._rows[-1][0]):
            for row in range(match.row, match.last_row + 1):
                number = numbers.get(Anchor(match.entry, row))
                if number is not None:
                    yield self._highlight(match, number)

    def _highlight(self, match: Match, number: int) -> Highlight:
        at, row = self._rows[number]
        text = strip_terminal_sequences(row)
        start = match.column if at.row == match.row else len(text) - len(text.lstrip())
        end = match.end if at.row == match.last_row else visible_width(text.rstrip())
        return Highlight(number, start, end, match == self.current)

    def _begin(self, pattern: SearchPattern, first: int) -> Search:
        return Search(self.view.source, self.view.content_width, pattern, first)

    def _begin_anew(self, search: Search) -> None:
        """Search rows that were wrapped anew."""
        if self.current is not None:
            self._awaited_index = self._index
        self.current, self._awaited_step = None, 0
        self._search = self._begin(search.pattern, self.view.anchor.entry)

    def _may_skip(self, search: Search, match: Match, index: int) -> bool:
        """Tell whether matches that are not known yet may lie before one: the search goes round, too."""
        assert self.current is not None
        goes_round = not 0 <= index < len(search.matches)
        return goes_round or (match.entry < search.first) != (self.current.entry < search.first)

    def _arrive(self) -> None:
        """Go to what is waited for, if it is known by now, and keep the place among the matches."""
        search = self._search
        assert search is not None
        if self._awaited_from is not None:
            self._arrive_at_first(search, self._awaited_from)
        elif self._awaited_index is not None and search.is_complete:
            self._stay_at(search, self._awaited_index)
        elif self.current is not None:
            index = search.index_of(self.current)
            is_there = search.matches[index : index + 1] == [self.current]
            self._stay_at(search, index if is_there else self._index)
        if self._awaited_step and search.is_complete:
            step, self._awaited_step = self._awaited_step, 0
            self.step(step)

    def _arrive_at_first(self, search: Search, origin: Anchor) -> None:
        match = search.at_or_below(origin)
        if match is None and search.has_reached_end and search.matches:
            first = search.matches[0]
            match = first if search.is_complete or first.entry < search.first else None
        if match is not None:
            self._go_to(match)
        elif search.is_complete:
            self._awaited_from = None

    def _go_to(self, match: Match) -> None:
        assert self._search is not None
        self._awaited_from = self._awaited_index = None
        self.current, self._index = match, self._search.index_of(match)
        self.view.reveal(match.anchor)

    def _stay_at(self, search: Search, index: int) -> None:
        """Be at a match without showing it; the last one if there are fewer."""
        self._awaited_index = None
        self._index = max(0, min(index, len(search.matches) - 1))
        self.current = search.matches[self._index] if search.matches else None


def _by_entry(rows: list[tuple[Anchor, str]]) -> Iterator[tuple[int, list[tuple[Anchor, str]]]]:
    for entry, group in groupby(rows, key=lambda row: row[0].entry):
        yield entry, list(group)
