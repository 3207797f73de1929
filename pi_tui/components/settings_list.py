"""`SettingsList`: settings with their values, to go through, to choose from a submenu, to search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from pi_tui.ansi import sanitize_output
from pi_tui.callbacks import Callbacks
from pi_tui.choices import Visible, cut_text, get_select_index, single_line, visible_items
from pi_tui.component import Component, Renderable, invalidate_all, is_focusable, render_child
from pi_tui.components.input import Input
from pi_tui.events import KeyEvent, MouseEvent, MouseResult, PasteEvent
from pi_tui.frozen import slotted
from pi_tui.fuzzy import fuzzy_filter
from pi_tui.keybindings import KeybindingsManager, get_keybindings
from pi_tui.keys import matches_key
from pi_tui.mouse_delivery import deliver_mouse
from pi_tui.theme import SettingsListTheme
from pi_tui.width import truncate_to_width, visible_width
from pi_tui.wrap import wrap_rows

_LABELS = 36
_GAP = 2
_EDGE = 2
_MARGIN = 4
_BELOW = 3
_ROWS_FOR_BELOW = 9
_ROWS_FOR_GAP = 13
_CHANGE = "Enter/Space to change · Esc to cancel"


class Done(Protocol):
    """How a submenu gives the list its place back."""

    def __call__(self, value: str | None = None, navigate_to: str | None = None) -> None:
        """Take the chosen value, if one was, and open the setting `navigate_to` next."""
        ...


@slotted
class SettingItem:
    """One setting: `values` to go through, or a `submenu` that takes the list's place."""

    id: str
    label: str
    current_value: str
    description: str | None = None
    values: Sequence[str] | None = None
    submenu: Callable[[str, Done], Renderable] | None = None


class SettingsList(Component):
    """Settings one below the other; what the selected one does is told below.

    `max_rows` limits all rows together: where there are few the hint goes first, then the description.
    """

    captures_viewport_input = True

    def __init__(
        self,
        items: Iterable[SettingItem],
        max_visible: int,
        theme: SettingsListTheme,
        on_change: Callable[[str, str], object] | None = None,
        on_cancel: Callable[[], object] | None = None,
        enable_search: bool = False,
        *,
        keybindings: KeybindingsManager | None = None,
    ) -> None:
        self.on_change = on_change
        self.on_cancel = on_cancel
        self.max_visible = max(1, max_visible)
        self.max_rows: int | None = None
        self._items = list(items)
        self._shown = self._items
        self._selected = 0
        self._theme = theme
        self._keybindings = keybindings
        self._callbacks = Callbacks()
        self._search = Input(keybindings=keybindings) if enable_search else None
        self._submenu: Renderable | None = None
        self._focused = False
        self._window = Visible(0, 0, False)
        self._above = 0
        self._pressed: SettingItem | None = None
        self._lines: list[str] = []

    # -- what is selected and what it is set to

    @property
    def focused(self) -> bool:
        """Whether the list has the keys; whatever takes them for it knows too."""
        return self._focused

    @focused.setter
    def focused(self, focused: bool) -> None:
        self._focused = focused
        for part, has_keys in ((self._search, self._submenu is None), (self._submenu, True)):
            if part is not None and is_focusable(part):
                setattr(part, "focused", focused and has_keys)  # noqa: B010  # anything that renders

    @property
    def has_submenu(self) -> bool:
        """Whether a submenu has the list's place."""
        return self._submenu is not None

    def get_selected_item(self) -> SettingItem | None:
        """Return the selected setting; `None` where there is none."""
        return self._shown[self._selected] if self._shown else None

    def select_item(self, item_id: str) -> None:
        """Select a setting; one that is not shown is ignored."""
        for index, item in enumerate(self._shown):
            if item.id == item_id:
                self._selected = index

    def update_value(self, item_id: str, value: str) -> None:
        """Show another value; nobody is told."""
        for item in self._items:
            if item.id == item_id:
                item.current_value = value

    # -- drawing

    def invalidate(self) -> None:
        """Draw anew next time."""
        self._lines = []
        invalidate_all(part for part in (self._search, self._submenu) if part is not None)

    def render(self, width: int) -> list[str]:
        """Return the submenu's rows while there is one, else the settings in sight and what they do."""
        rows = self._make_rows(width) if self._submenu is None else self._submenu_rows(width)
        if rows != self._lines:
            self._lines = rows
        return self._lines

    def _submenu_rows(self, width: int) -> list[str]:
        if self._submenu is None:
            return []
        if hasattr(self._submenu, "max_rows"):
            self._submenu.max_rows = self.max_rows
        return render_child(self._submenu, width)

    def _make_rows(self, width: int) -> list[str]:
        search = self._search.render(width) if self._search is not None else []
        if search and (self.max_rows is None or self.max_rows >= _ROWS_FOR_GAP):
            search = [*search, ""]
        self._above = len(search)
        hint = self._theme.hint(truncate_to_width(f"  {self._hint()}", width))
        if not self._shown:
            self._window = Visible(0, 0, False)
            nothing = "No matching settings" if self._items else "No settings available"
            row = self._theme.hint(truncate_to_width(f"  {nothing}", width))
            return self._fitted([*search, row], [], ["", hint] if self._items else [])
        below = self._description_rows(width)
        settings = self._setting_rows(width)
        return self._fitted([*search, *settings], below, ["", hint])

    def _fitted(self, rows: list[str], below: list[str], hint: list[str]) -> list[str]:
        """Return the settings, and of what stands below them as much as there are rows for."""
        if self.max_rows is None:
            return [*rows, *below, *hint]
        room = self.max_rows - len(rows)
        below = below[:room] if room > 1 else []
        return [*rows, *below, *(hint if room - len(below) >= len(hint) else [])]

    def _setting_rows(self, width: int) -> list[str]:
        room = None
        if self.max_rows is not None:
            room = max(
                1, self.max_rows - self._above - (_BELOW if self.max_rows >= _ROWS_FOR_BELOW else 0)
            )
        count = len(self._shown)
        self._window = visible_items(self._selected, count, self.max_visible, room)
        column = self._label_column(width)
        rows = [self._row(i, width, column) for i in range(self._window.start, self._window.stop)]
        if self._window.has_position:
            position = truncate_to_width(f"  ({self._selected + 1}/{count})", width - _EDGE, "")
            rows.append(self._theme.hint(position))
        return rows

    def _label_column(self, width: int) -> int:
        """Return the width of the column of labels; where room is short, half of it is for values."""
        room = width - _EDGE - _GAP
        widest = max(visible_width(single_line(item.label)) for item in self._items)
        values = max(visible_width(single_line(item.current_value)) for item in self._items)
        return max(1, min(_LABELS, widest, room - min(values, room // 2)))

    def _row(self, index: int, width: int, column: int) -> str:
        item = self._shown[index]
        is_selected = index == self._selected
        label = cut_text(single_line(item.label), column, "…")
        label += " " * (column - visible_width(label))
        value = cut_text(single_line(item.current_value), width - _EDGE - column - _GAP, "…")
        row = self._theme.cursor_text() if is_selected else "  "
        row += self._theme.label(label, is_selected) + " " * _GAP
        if value:
            row += self._theme.value(value, is_selected)
        return truncate_to_width(row, width)

    def _description_rows(self, width: int) -> list[str]:
        item = self.get_selected_item()
        if item is None or not item.description:
            return []
        rows = wrap_rows(sanitize_output(item.description), max(1, width - _MARGIN))
        return ["", *(self._theme.description(cut_text(f"  {row}", width)) for row in rows)]

    def _hint(self) -> str:
        return f"Type to search · {_CHANGE}" if self._search is not None else _CHANGE

    # -- input

    def handle_key(self, event: KeyEvent) -> bool:
        """Take a key; `False` for one that means nothing here."""
        if self._submenu is not None:
            handler = getattr(self._submenu, "handle_key", None)
            return handler is not None and handler(event) is not False
        keybindings = self._keybindings or get_keybindings()
        count, page = len(self._shown), self.max_visible
        index = get_select_index(keybindings, event, self._selected, count, page)
        if index is not None:
            self._selected = max(0, index)
        elif keybindings.matches(event, "tui.select.cancel"):
            self._callbacks.call(self.on_cancel)
        elif keybindings.matches(event, "tui.select.confirm") or self._is_blank_to_change(event):
            self._activate(self.get_selected_item())
        else:
            return self._take_search_key(event)
        return True

    def handle_paste(self, event: PasteEvent) -> None:
        """Paste into the submenu, or into what is searched for."""
        if self._submenu is not None:
            handler = getattr(self._submenu, "handle_paste", None)
            if handler is not None:
                handler(event)
        elif self._search is not None:
            self._search.handle_paste(event)
            self._filter()

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Move with the wheel, select with a press, change with the click that follows it."""
        if self._submenu is not None:
            answer = deliver_mouse(self._submenu, event)
            return MouseResult(answer.handled, answer.capture, answer.focus, answer.render)
        if event.type == "wheel":
            step = 1 if (event.wheel_delta or 0) > 0 else -1
            self._selected = max(0, min(self._selected + step, len(self._shown) - 1))
            return MouseResult(handled=True)
        if event.button != "left" or event.type not in ("press", "click"):
            return None
        if event.type == "click":
            pressed, self._pressed = self._pressed, None
            self._activate(pressed)
            return MouseResult(handled=True)
        return self._press(event)

    def _press(self, event: MouseEvent) -> MouseResult | None:
        self._pressed = None
        if self._search is not None and event.y == 0:
            self._search.handle_mouse(event)
            return MouseResult(handled=True, focus=True)
        index = self._window.start + event.y - self._above
        if not self._window.start <= index < self._window.stop:
            return None
        self._selected = index
        self._pressed = self._shown[index]
        return MouseResult(handled=True, focus=True)

    def _is_blank_to_change(self, event: KeyEvent) -> bool:
        is_searching = self._search is not None and bool(self._search.get_value())
        return matches_key(event, "space") and not is_searching

    def _take_search_key(self, event: KeyEvent) -> bool:
        if self._search is None:
            return False
        before = self._search.get_value()
        used = self._search.handle_key(event)
        if self._search.get_value() != before:
            self._filter()
        return used

    def _filter(self) -> None:
        query = self._search.get_value() if self._search is not None else ""
        self._shown = fuzzy_filter(self._items, query, lambda item: item.label)
        self._selected = 0

    # -- changing

    def _activate(self, item: SettingItem | None) -> None:
        if item is None:
            return
        if item.values:
            values = list(item.values)
            following = values.index(item.current_value) + 1 if item.current_value in values else 0
            self._change(item, values[following % len(values)])
        elif item.submenu is not None:
            self._open(item, item.submenu)

    def _change(self, item: SettingItem, value: str) -> None:
        item.current_value = value
        self._callbacks.call(self.on_change, item.id, value)

    def _open(self, item: SettingItem, submenu: Callable[[str, Done], Renderable]) -> None:
        is_over = False

        def done(value: str | None = None, navigate_to: str | None = None) -> None:
            nonlocal is_over
            if is_over:
                return
            is_over = True
            self._submenu = None
            self.focused = self._focused
            if value is not None:
                self._change(item, value)
            if navigate_to is not None:
                self.select_item(navigate_to)
                selected = self.get_selected_item()
                if selected is not None and selected.id == navigate_to:
                    self._activate(selected)

        opened = submenu(item.current_value, done)
        if not is_over:
            self._submenu = opened
            self.focused = self._focused
