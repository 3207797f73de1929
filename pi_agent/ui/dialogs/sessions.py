"""Saved sessions to choose from, in the editor's place: name or first message, length, age, and a search."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from pi_agent.session.overview import SessionInfo
from pi_agent.session.search import search_sessions
from pi_agent.session.threads import thread_sessions
from pi_agent.ui.dialogs.frame import frame
from pi_agent.ui.dialogs.session_row import RowLook, session_row
from pi_tui.choices import Visible, get_select_page_index, visible_items
from pi_tui.component import Component
from pi_tui.component_themes import KeyHintsTheme
from pi_tui.components.input import Input
from pi_tui.components.key_hints import KeyHint, KeyHints
from pi_tui.events import KeyEvent, MouseEvent, MouseResult, PasteEvent
from pi_tui.keybindings import get_keybindings
from pi_tui.theme import Theme
from pi_tui.width import truncate_to_width

_MOST_SHOWN: Final = 10
_LEAST_SHOWN: Final = 3
# What the title says of the order; a search may be in each of them.
_THREADED, _RECENT, _RELEVANT = "", ", newest first", ", best match first"
_ORDERS: Final = (_THREADED, _RECENT, _RELEVANT)
_DELETES: Final = ("app.session.delete", "app.session.deleteNoninvasive")


class SessionPicker(Component):
    """`on_pick` gets the session that Enter or a click chose, `on_rename` and `on_delete` the selected one.

    `on_close` is told of cancel keys, `on_scope` of the key that shows the sessions of all folders, or of this one.
    Paths are written with `~` for `home`.

    Sessions may come while the picker is open; the selected one stays selected.
    """

    captures_viewport_input = True

    def __init__(
        self,
        theme: Theme,
        *,
        on_pick: Callable[[SessionInfo], None],
        on_close: Callable[[], None],
        on_rename: Callable[[SessionInfo], None],
        on_delete: Callable[[SessionInfo], None],
        on_scope: Callable[[bool], None],
        home: str | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.max_rows: int | None = None
        self.is_loading = True
        self._theme = theme
        self._on_pick = on_pick
        self._on_close = on_close
        self._on_rename = on_rename
        self._on_delete = on_delete
        self._on_scope = on_scope
        self._home = home
        self._now = now
        dim = partial(theme.fg, "dim")
        self._hints = KeyHints((), KeyHintsTheme(dim, dim))
        self._all: list[SessionInfo] = []
        self._shown: list[SessionInfo] = []
        self._error: str | None = None
        self._selected = 0
        self._has_chosen = False
        self._is_everywhere = False
        self._only_named = False
        self._order = 0
        self._lines: list[str] = []
        self._shows_path = False
        self._search = Input()
        self._focused = False
        self._window = Visible(0, 0, False)
        self._list_top = 0

    @property
    def focused(self) -> bool:
        """Whether the picker has the keys; the search field shows the cursor then."""
        return self._focused

    @focused.setter
    def focused(self, focused: bool) -> None:
        self._focused = self._search.focused = focused

    def set_sessions(self, sessions: Sequence[SessionInfo], *, is_loading: bool) -> None:
        """Offer these sessions, the newest first. Until somebody moves, the first one is selected."""
        self._all = list(sessions)
        self.is_loading = is_loading
        self._find(keep=self._has_chosen)

    # -- drawing

    def render(self, width: int) -> list[str]:
        """Return the title, the search, the sessions and what keys do; sessions stay when rows are few."""
        theme = self._theme
        around = frame(self._title(), theme, width, None, self.max_rows, keep=_LEAST_SHOWN + 1)
        room = _MOST_SHOWN + 2
        if self.max_rows is not None:
            room = min(room, max(1, self.max_rows - len(around.above) - len(around.below)))
        search = self._search.render(width) if room > 1 else []
        self._hints.hints = self._hint_list()
        hint = self._hints.render(width) if room > _LEAST_SHOWN + 1 else []
        above = [*around.above, *search]
        self._list_top = len(above)
        return [*above, *self._rows(width, room - len(search) - len(hint)), *hint, *around.below]

    def _title(self) -> str:
        scope = " of any folder" if self._is_everywhere else ""
        named = ", only named ones" if self._only_named else ""
        order = _ORDERS[self._order]
        return f"Resume a session{scope}{named}{order}{' (reading…)' if self.is_loading else ''}"

    def _hint_list(self) -> list[KeyHint]:
        return [
            KeyHint("tui.select.confirm", "resume"),
            KeyHint("tui.select.cancel", "back"),
            KeyHint("tui.input.tab", "this folder" if self._is_everywhere else "folders"),
            KeyHint("app.session.rename", "rename"),
            KeyHint("app.session.delete", "delete"),
            KeyHint("app.session.toggleNamedFilter", "only named"),
            KeyHint("app.session.togglePath", "path"),
            KeyHint("app.session.toggleSort", "order"),
        ]

    def _rows(self, width: int, room: int) -> list[str]:
        count = len(self._shown)
        if not count:
            return [self._theme.fg("muted", truncate_to_width(f"  {self._nothing()}", width, "…"))]
        self._window = window = visible_items(self._selected, count, _MOST_SHOWN, room)
        rows = [self._row(index, width) for index in range(window.start, window.stop)]
        if window.has_position:
            place = f"  ({self._selected + 1}/{count})"
            rows.append(self._theme.fg("muted", truncate_to_width(place, width, "")))
        return rows

    def _nothing(self) -> str:
        if self._error is not None:
            return self._error
        if self.is_loading:
            return "Looking for sessions…"
        if self._all:
            return "No session matches."
        return f"There are no other sessions{'' if self._is_everywhere else ' of this folder'} yet."

    def _row(self, index: int, width: int) -> str:
        info = self._shown[index]
        return session_row(
            info,
            self._lines[index],
            width,
            self._theme,
            RowLook(self._shows_path, self._is_everywhere, self._home),
            age=self._now() - info.modified,
            is_selected=index == self._selected,
        )

    # -- input

    def handle_key(self, event: KeyEvent) -> bool:
        """Take a key: those of the list first, then those of the search."""
        if event.kind == "release":
            return False
        keys = get_keybindings()
        if keys.matches(event, "tui.select.cancel"):
            self._on_close()
        elif keys.matches(event, "tui.select.confirm"):
            self._tell(self._on_pick, self._selected)
        elif keys.matches(event, "tui.input.tab"):
            self._change_scope()
        elif keys.matches(event, "app.session.rename"):
            self._tell(self._on_rename, self._selected)
        elif self._is_delete(event):
            self._tell(self._on_delete, self._selected)
        elif keys.matches(event, "app.session.toggleNamedFilter"):
            self._only_named = not self._only_named
            self._find(keep=True)
        elif keys.matches(event, "app.session.toggleSort"):
            self._order = (self._order + 1) % len(_ORDERS)
            self._find(keep=True)
        elif keys.matches(event, "app.session.togglePath"):
            self._shows_path = not self._shows_path
        elif (index := self._moved(event)) is not None:
            self._selected, self._has_chosen = index, True
        else:
            return self._take_search_key(event)
        return True

    def handle_paste(self, event: PasteEvent) -> None:
        """Paste into the search."""
        self._search.handle_paste(event)
        self._find(keep=False)

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Move with the wheel, select with a press, choose with the click that follows it."""
        if event.type == "wheel":
            step = 1 if (event.wheel_delta or 0) > 0 else -1
            self._selected, self._has_chosen = self._clamped(self._selected + step), True
            return MouseResult(handled=True)
        index = self._window.start + event.y - self._list_top
        is_row = event.y >= self._list_top and index < self._window.stop
        if event.button != "left" or not is_row or not self._shown:
            return None
        if event.type == "press":
            self._selected, self._has_chosen = index, True
        elif event.type == "click":
            if index == self._selected:  # else the list has moved since it was pressed
                self._tell(self._on_pick, index)
        else:
            return None
        return MouseResult(handled=True, focus=True)

    def _change_scope(self) -> None:
        """Show the sessions of all folders, or of this one; those that stay are there until the others are known."""
        self._is_everywhere = not self._is_everywhere
        self.is_loading = True
        self._on_scope(self._is_everywhere)

    def _moved(self, event: KeyEvent) -> int | None:
        """Return where a key leads, never around an end."""
        keys = get_keybindings()
        for action, step in (("tui.select.up", -1), ("tui.select.down", 1)):
            if keys.matches(event, action):
                return self._clamped(self._selected + step)
        page = max(1, self._window.stop - self._window.start)
        return get_select_page_index(keys, event, self._selected, len(self._shown), page)

    def _clamped(self, index: int) -> int:
        return max(0, min(index, len(self._shown) - 1))

    def _is_delete(self, event: KeyEvent) -> bool:
        """Whether a key deletes; one that the search may want does so only while nothing is searched for."""
        always, while_empty = _DELETES
        keys = get_keybindings()
        return keys.matches(event, always) or (
            not self._search.get_value() and keys.matches(event, while_empty)
        )

    def _tell(self, whom: Callable[[SessionInfo], None], index: int) -> None:
        if index < len(self._shown):
            whom(self._shown[index])

    def _take_search_key(self, event: KeyEvent) -> bool:
        before = self._search.get_value()
        used = self._search.handle_key(event)
        if self._search.get_value() != before:
            self._find(keep=False)
        return used

    def _find(self, *, keep: bool) -> None:
        """Search anew. The selected session stays selected if `keep`; else the best match is."""
        selected = self._path_at(self._selected) if keep else None
        sessions = [info for info in self._all if info.name] if self._only_named else self._all
        found = search_sessions(self._search.get_value(), sessions)
        self._shown, self._error = self._ordered(found.sessions), found.error
        paths = [info.path for info in self._shown]
        self._selected = paths.index(selected) if selected in paths else 0
        self._has_chosen = self._has_chosen and keep

    def _ordered(self, found: list[SessionInfo]) -> list[SessionInfo]:
        """Return what was found in the chosen order: searching leaves no tree, and puts the best match first."""
        is_searching = bool(self._search.get_value().strip())
        if _ORDERS[self._order] == _THREADED and not is_searching:
            threads = thread_sessions(found)
            self._lines = [each.lines for each in threads]
            return [each.info for each in threads]
        self._lines = [""] * len(found)
        if _ORDERS[self._order] == _RECENT:
            return sorted(found, key=lambda info: info.modified, reverse=True)
        return found

    def _path_at(self, index: int) -> Path | None:
        return self._shown[index].path if index < len(self._shown) else None
