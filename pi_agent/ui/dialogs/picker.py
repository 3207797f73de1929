"""A list to choose from in the editor's place, with a search above it: what all selectors are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from functools import partial

from pi_agent.ui.dialogs.frame import frame
from pi_agent.ui.dialogs.hints import DialogHints
from pi_agent.ui.plain import plain_line
from pi_tui.choices import SelectItem
from pi_tui.component import Component
from pi_tui.components.input import Input
from pi_tui.components.key_hints import KeyHint
from pi_tui.components.select_list import SelectList
from pi_tui.events import KeyEvent, MouseEvent, MouseResult, PasteEvent
from pi_tui.frozen import frozen
from pi_tui.fuzzy import fuzzy_filter
from pi_tui.keybindings import get_keybindings
from pi_tui.theme import Theme, get_select_list_theme

_MOST_SHOWN = 10
_LEAST_SHOWN = 3


@frozen
class Choice:
    """One row: what it stands for, what it shows, and the words that a search finds it by."""

    value: str
    label: str
    words: str = ""
    description: str | None = None


@frozen(kw_only=True)
class PickerTexts:
    """What a picker says: above the list, in its place when there is nothing, and what choosing and closing are called.

    `keys` says what the picker's further actions do.
    """

    title: str
    nothing: str
    pick: str = "choose"
    keys: Mapping[str, str] = field(default_factory=dict)
    close: str = "cancel"


class Picker(Component):
    """Choices with a search field.

    `on_pick` gets the value that Enter or a click chose, `on_close` is told of cancel keys. `keys` are further
    actions, each with what it does to the selected value, `None` where there is none. `remaining` seconds, while
    set, are told in the title.
    """

    captures_viewport_input = True

    def __init__(
        self,
        texts: PickerTexts,
        theme: Theme,
        *,
        on_pick: Callable[[str], object],
        on_close: Callable[[], object],
        keys: Mapping[str, Callable[[str | None], None]] | None = None,
        has_search: bool = True,
        query: str = "",
    ) -> None:
        self.remaining: int | None = None
        self.max_rows: int | None = None
        self.texts = texts
        self._theme = theme
        self._keys = dict(keys or {})
        self._choices: list[Choice] = []
        self._search = Input() if has_search else None
        self._list = SelectList([], _MOST_SHOWN, get_select_list_theme(theme))
        self._list.no_match_text = texts.nothing
        self._list.on_select = lambda item: on_pick(item.value)
        self._list.on_cancel = on_close
        self._on_pick = on_pick
        self._on_close = on_close
        self._hints = DialogHints(theme)
        self._hints_row = 0
        self._focused = False
        self._search_row: int | None = None
        self._list_top = 0
        if query and self._search is not None:
            self._search.handle_paste(PasteEvent(query))

    @property
    def focused(self) -> bool:
        """Whether the picker has the keys; the search field shows the cursor then."""
        return self._focused

    @focused.setter
    def focused(self, focused: bool) -> None:
        self._focused = focused
        if self._search is not None:
            self._search.focused = focused

    def set_choices(self, choices: Sequence[Choice], selected: str | None = None) -> None:
        """Offer these; the row that was selected stays so, `selected` at the first time."""
        current = self._list.get_selected_item()
        self._choices = list(choices)
        self._filter(selected if current is None else current.value)

    # -- drawing

    def invalidate(self) -> None:
        """Draw anew next time."""
        self._list.invalidate()
        if self._search is not None:
            self._search.invalidate()

    def render(self, width: int) -> list[str]:
        """Return the title, the search, the list and what keys do; the list stays when rows are few."""
        around = frame(
            self.texts.title,
            self._theme,
            width,
            self.remaining,
            self.max_rows,
            keep=_LEAST_SHOWN + 1,
        )
        room = None
        if self.max_rows is not None:
            room = max(1, self.max_rows - len(around.above) - len(around.below))
        search = self._search.render(width) if self._search is not None and room != 1 else []
        if room is not None:
            room -= len(search)
        hints = self._hint_rows(width, room)
        self._list.max_rows = room - len(hints) if room is not None else None
        self._search_row = len(around.above) if search else None
        self._list_top = len(around.above) + len(search)
        above = [*around.above, *search, *self._list.render(width)]
        self._hints_row = len(above)
        return [*above, *hints, *around.below]

    def _hint_rows(self, width: int, room: int | None) -> list[str]:
        """Return what keys do; where there is little room only how to close, or nothing."""
        close = KeyHint("tui.select.cancel", self.texts.close, self._on_close)
        pick = KeyHint("tui.select.confirm", self.texts.pick, self._pick_selected)
        further = [
            KeyHint(action, label, partial(self._act, action))
            for action, label in self.texts.keys.items()
        ]
        for hints in ([pick, *further, close], [close]):
            rows = self._hints.rows(hints, width)
            if room is None or room - len(rows) >= _LEAST_SHOWN:
                return rows
        return self._hints.rows([], width)

    # -- input

    def handle_key(self, event: KeyEvent) -> bool:
        """Take a key: the picker's own, then the list's, then the search's."""
        if event.kind == "release":
            return False
        keybindings = get_keybindings()
        for action in self._keys:
            if keybindings.matches(event, action):
                self._act(action)
                return True
        return self._list.handle_key(event) or self._take_search_key(event)

    def handle_paste(self, event: PasteEvent) -> None:
        """Paste into the search."""
        if self._search is not None:
            self._search.handle_paste(event)
            self._filter()

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Let the search and the list have what lies over them; a click on a hint does what it says."""
        if self._search is not None and event.y == self._search_row:
            return self._search.handle_mouse(replace(event, y=0))
        if event.y >= self._hints_row:
            return self._hints.handle_mouse(replace(event, y=event.y - self._hints_row))
        return self._list.handle_mouse(replace(event, y=event.y - self._list_top))

    def _act(self, action: str) -> None:
        """Do what one of the picker's own keys does."""
        item = self._list.get_selected_item()
        self._keys[action](item.value if item is not None else None)

    def _pick_selected(self) -> None:
        item = self._list.get_selected_item()
        if item is not None:
            self._on_pick(item.value)

    def _take_search_key(self, event: KeyEvent) -> bool:
        if self._search is None:
            return False
        before = self._search.get_value()
        used = self._search.handle_key(event)
        if self._search.get_value() != before:
            self._filter()
        return used

    def _filter(self, selected: str | None = None) -> None:
        query = self._search.get_value() if self._search is not None else ""
        found = fuzzy_filter(self._choices, query, lambda choice: choice.words or choice.label)
        self._list.show([_item(choice) for choice in found])
        for index, choice in enumerate(found):
            if choice.value == selected:
                self._list.set_selected_index(index)


def _item(choice: Choice) -> SelectItem:
    about = choice.description
    return SelectItem(choice.value, plain_line(choice.label), plain_line(about) if about else None)
