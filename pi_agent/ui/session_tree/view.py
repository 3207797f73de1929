"""The entries of a session as a tree to move in. Moving draws what is in sight; filters and searches look at all."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final

from pi_agent.session.entries import Entry, LabelEntry, UsageEntry
from pi_agent.session.store import SessionManager
from pi_agent.ui.plain import plain_line
from pi_agent.ui.session_tree.entry_text import EntryText, entry_text, search_text
from pi_agent.ui.session_tree.filters import FILTERS, is_silent, is_usual, next_filter
from pi_agent.ui.session_tree.rows import (
    LEVEL_CELLS,
    Placed,
    TreeRow,
    depth_first,
    unfolded_rows,
    visible_rows,
)
from pi_tui.selectable_rows import MARK, NO_MARK, SelectableRows
from pi_tui.theme import Theme, get_select_list_theme
from pi_tui.width import truncate_to_width, visible_width

_ACTIVE, _FOLDED = "• ", "▸ "
# So many cells of the text stay, whatever stands in front of it.
_LEAST_TEXT: Final = 10


class TreeList(SelectableRows):
    """`on_pick` gets the entry that Enter or a click chose."""

    def __init__(
        self,
        session: SessionManager,
        theme: Theme,
        *,
        max_visible: int,
        filter_name: str = "default",
        on_pick: Callable[[Entry], object],
    ) -> None:
        super().__init__(max_visible, get_select_list_theme(theme))
        self._session = session
        self._colors = theme
        self._on_pick = on_pick
        self._filter = filter_name
        self._query = ""
        self._shows_times = False
        self._folded: set[str] = set()
        self._texts: dict[str, EntryText] = {}
        self._found: dict[str, str] = {}
        self._silent: dict[str, bool] = {}
        self._placed: list[Placed] = []
        self._tree_rows: list[TreeRow] = []
        self._index: dict[str, int] = {}
        self._shown: list[int] = []
        self._labels: Mapping[str, LabelEntry] = {}
        self._active: set[str] = set()
        # What the user selected last; where it does not show, the nearest one before is selected.
        self._wanted: Entry | None = None
        self.current: Entry | None = None
        self.load()

    # -- what is in it

    def load(self) -> None:
        """Read the tree of the session anew; the selection stays, or goes to where the conversation is."""
        session = self._session
        branch = session.get_branch() if session.get_leaf_id() is not None else []
        self._active = {entry.id for entry in branch}
        self._labels = session.get_labels()
        self._placed = depth_first(session.get_tree(), self._active)
        self._index = {each.entry.id: number for number, each in enumerate(self._placed)}
        self.current = next((e for e in reversed(branch) if is_usual(e)), None)
        self._wanted = self._wanted or (branch[-1] if branch else None)
        self._refresh()

    def get_selected(self) -> Entry | None:
        """Return the selected entry; `None` if none shows."""
        return self._tree_rows[self._shown[self.selected_index]].entry if self._shown else None

    @property
    def filter_name(self) -> str:
        """Which filter there is."""
        return self._filter

    @property
    def query(self) -> str:
        """What is searched for."""
        return self._query

    def set_filter(self, name: str) -> None:
        """Show other entries; the selection stays, or goes to the nearest one before."""
        self._filter = name
        self._refresh()

    def cycle_filter(self, step: int) -> None:
        """Show what the next filter shows."""
        self.set_filter(next_filter(self._filter, step))

    def search(self, query: str) -> None:
        """Show only entries that have all words of `query`; the selection stays, or goes to the nearest."""
        self._query = query
        self._refresh()

    def toggle_times(self) -> None:
        """Show when labels were given, or not."""
        self._shows_times = not self._shows_times
        self.invalidate()

    def fold_or_go_up(self) -> None:
        """Fold what follows the beginning of a branch, else go to the beginning."""
        if not self._shown:
            return
        row = self._tree_rows[self._shown[self.selected_index]]
        if row.can_fold and row.entry.id not in self._folded:
            self._fold(row, folds=True)
            return
        index = row.parent
        while index >= 0 and not self._tree_rows[index].begins:
            index = self._tree_rows[index].parent
        self._select_row(index)

    def unfold_or_go_down(self) -> None:
        """Unfold a branch, else go on to where the next one begins, or to the end of this one."""
        if not self._shown:
            return
        at = self._shown[self.selected_index]
        row = self._tree_rows[at]
        if row.entry.id in self._folded:
            self._fold(row, folds=False)
            return
        # What follows a row stands right below it; the first way to go on is the first of those.
        while at + 1 < len(self._tree_rows) and self._tree_rows[at + 1].parent == at:
            at += 1
            if self._tree_rows[at].begins:
                break
        self._select_row(at)

    def turn_page(self, direction: int) -> None:
        """Go a page on or back, not beyond the ends."""
        self.select(
            self.selected_index + direction * max(1, self._window.stop - self._window.start)
        )

    # -- as a list

    def row_count(self) -> int:
        """Return how many entries show."""
        return len(self._shown)

    def row_key(self, index: int) -> object:
        """Return an entry."""
        return self._tree_rows[self._shown[index]].entry

    def selection_changed(self) -> None:
        """Remember what the user has selected."""
        self._wanted = self.get_selected()

    def nothing_text(self) -> str:
        """Return what is said where no entry shows."""
        return "No entry matches" if self._query else "No entries"

    def confirmed(self, key: object) -> None:
        """Choose an entry."""
        if isinstance(key, Entry):
            self._on_pick(key)

    def draw_row(self, index: int, width: int, is_selected: bool) -> str:
        """Return an entry behind the lines that lead to it."""
        row, theme = self._tree_rows[self._shown[index]], self._colors
        mark = MARK if is_selected else NO_MARK
        signs = _FOLDED if row.entry.id in self._folded and row.can_fold else ""
        signs += _ACTIVE if row.entry.id in self._active else ""
        room = width - len(mark) - len(_FOLDED + _ACTIVE) - _LEAST_TEXT
        lines = _fitted(row.lines, min(room, width // 2))
        text, label = self._text_of(row.entry), self._label_of(row.entry)
        if is_selected:
            plain = " ".join(part for part in (label, text.line) if part)
            drawn = theme.fg("accent", f"{mark}{lines}{signs}{plain}")
        else:
            parts = [theme.fg("dim", mark + lines) + theme.fg("accent", signs)]
            parts += [theme.fg("warning", label) + " "] if label else []
            parts += [theme.fg(text.token, text.speaker) + " "] if text.speaker else []
            drawn = "".join(parts) + theme.fg("text" if text.speaker else "muted", text.text)
        return truncate_to_width(drawn, width, "…") if visible_width(drawn) > width else drawn

    def _label_of(self, entry: Entry) -> str:
        label = self._labels.get(entry.id)
        if label is None:
            return ""
        time = f" {_local_time(label.timestamp)}" if self._shows_times else ""
        return f"[{plain_line(label.label)}{time}]"

    def _text_of(self, entry: Entry) -> EntryText:
        text = self._texts.get(entry.id)
        if text is None:
            text = self._texts[entry.id] = entry_text(entry, self._find)
        return text

    def _find(self, entry_id: str) -> Entry | None:
        number = self._index.get(entry_id)
        return self._placed[number].entry if number is not None else None

    # -- what shows

    def _refresh(self) -> None:
        """Work out anew which entries show."""
        words = self._query.casefold().split()
        leaf = self._session.get_leaf_id()
        passes = FILTERS[self._filter]
        labels = self._labels

        def shows(entry: Entry) -> bool:
            if isinstance(entry, UsageEntry) or not passes(entry, entry.id in labels):
                return False
            if entry.id != leaf and self._is_silent(entry):
                return False
            return not words or self._has_words(entry, words)

        self._tree_rows = visible_rows(self._placed, shows)
        self._show_rows()

    def _is_silent(self, entry: Entry) -> bool:
        """Tell it for an entry whose line is read for that once."""
        known = self._silent.get(entry.id)
        if known is None:
            known = self._silent[entry.id] = is_silent(entry)
        return known

    def _has_words(self, entry: Entry, words: list[str]) -> bool:
        text = self._found.get(entry.id)
        if text is None:
            text = self._found[entry.id] = search_text(entry, self._find)
        label = self._labels.get(entry.id)
        whole = text if label is None else f"{label.label.casefold()} {text}"
        return all(word in whole for word in words)

    def _show_rows(self) -> None:
        self._shown = unfolded_rows(self._tree_rows, self._folded)
        self.invalidate()
        self._select_nearest(self._wanted)

    def _fold(self, row: TreeRow, *, folds: bool) -> None:
        (self._folded.add if folds else self._folded.discard)(row.entry.id)
        self._show_rows()

    def _select_row(self, index: int) -> None:
        if index >= 0:
            self.select(bisect_left(self._shown, index))

    def _select_nearest(self, entry: Entry | None) -> None:
        """Select an entry, else the nearest one before it that shows, else the last one."""
        places = {self._tree_rows[row].entry.id: place for place, row in enumerate(self._shown)}
        number = self._index.get(entry.id) if entry is not None else None
        while number is not None and number >= 0:
            place = places.get(self._placed[number].entry.id)
            if place is not None:
                self.set_selected_index(place)
                return
            number = self._placed[number].parent
        self.set_selected_index(len(self._shown) - 1)


def _fitted(lines: str, room: int) -> str:
    """Return the innermost levels of the lines that have room."""
    levels = max(0, room) // LEVEL_CELLS
    return lines[-levels * LEVEL_CELLS :] if levels else ""


def _local_time(timestamp: str) -> str:
    try:
        return f"{datetime.fromisoformat(timestamp).astimezone():%m-%d %H:%M}"
    except (ValueError, OverflowError):
        return plain_line(timestamp)
