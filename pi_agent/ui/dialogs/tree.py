"""The tree of a session in the editor's place, with a search that takes what is typed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from pi_agent.session.entries import Entry
from pi_agent.session.store import SessionManager
from pi_agent.ui.dialogs.frame import frame
from pi_agent.ui.session_tree.entry_text import said_by
from pi_agent.ui.session_tree.view import TreeList
from pi_tui.component import Component
from pi_tui.component_themes import KeyHintsTheme
from pi_tui.components.input import Input
from pi_tui.components.key_hints import KeyHint, KeyHints
from pi_tui.events import KeyEvent, MouseEvent, MouseResult, PasteEvent
from pi_tui.keybindings import get_keybindings
from pi_tui.theme import Theme

# Where fewer rows are left than this, the rules go, then the hints and the empty search.
_ROWS_FOR_TREE = 5
_LEAST_MOST = 5
_FILTER_KEYS = {
    "app.tree.filter.default": "default",
    "app.tree.filter.noTools": "no-tools",
    "app.tree.filter.userOnly": "user-only",
    "app.tree.filter.labeledOnly": "labeled-only",
    "app.tree.filter.all": "all",
}


class TreeSelector(Component):
    """`on_pick` gets the entry that Enter or a click chose, `on_label` the selected one, `on_copy` its text.

    `on_close` is told of cancel keys; the first one clears the search. `screen_rows` says how high the screen is:
    the tree takes half of it.
    """

    captures_viewport_input = True

    def __init__(
        self,
        session: SessionManager,
        theme: Theme,
        *,
        filter_name: str = "default",
        screen_rows: Callable[[], int],
        on_pick: Callable[[Entry], object],
        on_close: Callable[[], object],
        on_label: Callable[[Entry], object],
        on_copy: Callable[[str], object],
    ) -> None:
        self.max_rows: int | None = None
        self._theme = theme
        self._screen_rows = screen_rows
        self._on_close = on_close
        self.tree = TreeList(
            session, theme, max_visible=_LEAST_MOST, filter_name=filter_name, on_pick=on_pick
        )
        self._search = Input()
        self._focused = False
        self._search_row: int | None = None
        self._list_top = 0
        self._hints_top = 0
        dim = partial(theme.fg, "dim")
        self._hints = KeyHints(self._hint_list(), KeyHintsTheme(dim, dim))
        self._acts: dict[str, Callable[[], object]] = {
            **{key: partial(self.tree.set_filter, name) for key, name in _FILTER_KEYS.items()},
            "app.tree.filter.cycleForward": lambda: self.tree.cycle_filter(1),
            "app.tree.filter.cycleBackward": lambda: self.tree.cycle_filter(-1),
            "app.tree.foldOrUp": self.tree.fold_or_go_up,
            "app.tree.unfoldOrDown": self.tree.unfold_or_go_down,
            "tui.editor.cursorLeft": lambda: self.tree.turn_page(-1),
            "tui.editor.cursorRight": lambda: self.tree.turn_page(1),
            "app.tree.editLabel": lambda: self._tell(on_label),
            "app.tree.toggleLabelTimestamp": self.tree.toggle_times,
            "app.message.copy": lambda: self._tell(lambda entry: on_copy(said_by(entry))),
            "tui.select.cancel": self._cancel,
        }

    @property
    def focused(self) -> bool:
        """Whether the tree has the keys; the search shows the cursor then."""
        return self._focused

    @focused.setter
    def focused(self, focused: bool) -> None:
        self._focused = self._search.focused = focused

    # -- drawing

    def invalidate(self) -> None:
        """Drop all caches."""
        self.tree.invalidate()
        self._search.invalidate()

    def render(self, width: int) -> list[str]:
        """Return the title, the search, the rows and what keys do; rows stay when there are few."""
        self._look_for()
        around = frame(self._title(), self._theme, width, None, self.max_rows, keep=_ROWS_FOR_TREE)
        self.tree.max_visible = max(_LEAST_MOST, self._screen_rows() // 2)
        room = self.tree.max_visible + 3
        if self.max_rows is not None:
            room = min(room, max(1, self.max_rows - len(around.above) - len(around.below)))
        search = self._search_rows(width, room)
        hints = self._hints.render(width) if room - len(search) > _ROWS_FOR_TREE else []
        self.tree.max_rows = max(1, room - len(search) - len(hints))
        self._search_row = len(around.above) if search else None
        self._list_top = len(around.above) + len(search)
        rows = self.tree.render(width)
        self._hints_top = self._list_top + len(rows)
        return [*around.above, *search, *rows, *hints, *around.below]

    def _title(self) -> str:
        name = self.tree.filter_name
        return "Tree" + (f" ({name})" if name != "default" else "")

    def _search_rows(self, width: int, room: int) -> list[str]:
        least = 1 if self._search.get_value() else _ROWS_FOR_TREE
        return self._search.render(width) if room > least else []

    def _hint_list(self) -> list[KeyHint]:
        return [
            KeyHint("tui.select.confirm", "go on there"),
            KeyHint("tui.select.cancel", "back", self._cancel),
            KeyHint("app.tree.filter.cycleForward", "filter", lambda: self.tree.cycle_filter(1)),
            KeyHint("app.tree.editLabel", "label", lambda: self._act("app.tree.editLabel")),
            KeyHint(("app.tree.foldOrUp", "app.tree.unfoldOrDown"), "fold"),
            KeyHint("app.tree.toggleLabelTimestamp", "times", self.tree.toggle_times),
            KeyHint("app.message.copy", "copy", lambda: self._act("app.message.copy")),
        ]

    # -- input

    def handle_key(self, event: KeyEvent) -> bool:
        """Take a key: the tree's own, those of a list, then those of the search."""
        if event.kind == "release":
            return False
        keys = get_keybindings()
        own = next((action for action in self._acts if keys.matches(event, action)), None)
        if own is None and self._search.types(event):
            return self._search.handle_key(event)
        self._look_for()
        if own is not None:
            self._act(own)
            return True
        return self.tree.handle_key(event) or self._search.handle_key(event)

    def handle_paste(self, event: PasteEvent) -> None:
        """Paste into the search."""
        self._search.handle_paste(event)

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Let the search, the rows and the hints have what lies over them."""
        self._look_for()
        if event.y == self._search_row:
            return self._search.handle_mouse(replace(event, y=0))
        if event.y >= self._hints_top:
            return self._hints.handle_mouse(replace(event, y=event.y - self._hints_top))
        return self.tree.handle_mouse(replace(event, y=event.y - self._list_top))

    def _act(self, action: str) -> None:
        self._acts[action]()

    def _tell(self, whom: Callable[[Entry], object]) -> None:
        entry = self.tree.get_selected()
        if entry is not None:
            whom(entry)

    def _cancel(self) -> None:
        if self._search.get_value():
            self._search.set_value("")
            self._look_for()
        else:
            self._on_close()

    def _look_for(self) -> None:
        """Search once for all that was typed since the tree was drawn: in a long session that takes a moment."""
        if self.tree.query != self._search.get_value():
            self.tree.search(self._search.get_value())
