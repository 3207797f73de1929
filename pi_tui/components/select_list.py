"""`SelectList`: a window of rows around the selected one, with a column of descriptions where there is room."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from pi_tui.callbacks import Callbacks
from pi_tui.choices import (
    SelectItem,
    Visible,
    as_select_item,
    closed,
    cut_text,
    get_select_index,
    single_line,
    visible_items,
)
from pi_tui.component import Component
from pi_tui.events import KeyEvent, MouseEvent, MouseResult
from pi_tui.frozen import frozen
from pi_tui.keybindings import KeybindingsManager, get_keybindings
from pi_tui.theme import SelectListTheme
from pi_tui.width import visible_width

_COLUMN = 32
_MIN_WIDTH_FOR_DESCRIPTIONS = 40
_MIN_DESCRIPTION = 10
_EDGE = 2


@frozen
class PrimaryCell:
    """What `SelectListLayout.truncate_primary` is asked to cut: a label, and the room that it has."""

    text: str
    max_width: int
    column_width: int
    item: SelectItem
    is_selected: bool


@frozen
class SelectListLayout:
    """How wide the column of labels may be, and how a label that is too long is cut.

    One limit given stands for both.
    """

    min_primary_column_width: int | None = None
    max_primary_column_width: int | None = None
    truncate_primary: Callable[[PrimaryCell], str] | None = None

    def column_width(self, widest: int) -> int:
        """Return the width of the column for labels of which the longest takes `widest` cells."""
        low, high = self.min_primary_column_width, self.max_primary_column_width
        limits = [limit for limit in (low, high) if limit is not None] or [_COLUMN]
        return max(1, min(limits), min(widest + _EDGE, max(limits)))


class SelectList(Component):
    """Choices one below the other; keys, wheel and clicks select and confirm.

    `on_select` and `on_cancel` tell the decision, `on_selection_change` each move by the user.
    `max_rows` limits the items and the row that tells the position together.
    """

    captures_viewport_input = True

    def __init__(
        self,
        items: Iterable[SelectItem | Mapping[str, str | None]],
        max_visible: int,
        theme: SelectListTheme,
        layout: SelectListLayout | None = None,
        *,
        keybindings: KeybindingsManager | None = None,
    ) -> None:
        self.focused = False
        self.on_select: Callable[[SelectItem], object] | None = None
        self.on_cancel: Callable[[], object] | None = None
        self.on_selection_change: Callable[[SelectItem], object] | None = None
        self.max_visible = max(1, max_visible)
        self.max_rows: int | None = None
        self.no_match_text = "No matching commands"
        self._items = [as_select_item(item) for item in items]
        self._shown = self._items
        self._selected = 0
        self._theme = theme
        self._layout = layout or SelectListLayout()
        self._keybindings = keybindings
        self._callbacks = Callbacks()
        self._window = Visible(0, 0, False)
        self._column: int | None = None
        self._pressed: SelectItem | None = None
        self._drawn: tuple[object, ...] | None = None
        self._lines: list[str] = []

    # -- what is selected

    @property
    def selected_index(self) -> int:
        """Which of the items that the filter leaves is selected."""
        return self._selected

    def get_selected_item(self) -> SelectItem | None:
        """Return the selected item; `None` in an empty list."""
        return self._shown[self._selected] if self._shown else None

    def set_selected_index(self, index: int) -> None:
        """Select an item, or the nearest that there is; nobody is told."""
        self._selected = max(0, min(index, len(self._shown) - 1))

    def set_filter(self, text: str) -> None:
        """Show the items whose value starts with `text`, in any case; the first one is selected."""
        start = text.casefold()
        self.show([item for item in self._items if item.value.casefold().startswith(start)])

    def show(self, items: list[SelectItem]) -> None:
        """Show these items, for filters of the program's own; the first one is selected."""
        self._shown = items
        self._selected = 0
        self._column = None
        self.invalidate()

    # -- drawing

    def invalidate(self) -> None:
        """Draw anew next time."""
        self._drawn = None

    def render(self, width: int) -> list[str]:
        """Return the rows around the selected item, and where it is among them all."""
        drawn = (width, self._selected, self.max_visible, self.max_rows)
        if drawn != self._drawn:
            self._drawn = drawn
            self._lines = self._make_rows(width)
        return self._lines

    def _make_rows(self, width: int) -> list[str]:
        self._window = Visible(0, 0, False)
        if not self._shown:
            return [self._theme.no_match(cut_text(f"  {self.no_match_text}", width))]
        count = len(self._shown)
        window = visible_items(self._selected, count, self.max_visible, self.max_rows)
        self._window = window
        if self._column is None:
            widest = max(visible_width(_label(item)) for item in self._shown)
            self._column = self._layout.column_width(widest)
        column = self._column
        rows = [self._row(index, width, column) for index in range(window.start, window.stop)]
        if window.has_position:
            position = cut_text(f"  ({self._selected + 1}/{count})", width - _EDGE)
            rows.append(self._theme.scroll_info(position))
        return rows

    def _row(self, index: int, width: int, column: int) -> str:
        item = self._shown[index]
        is_selected = index == self._selected
        prefix = "→ " if is_selected else "  "
        room = width - len(prefix) - column - _EDGE
        description = single_line(item.description or "")
        if not description or width <= _MIN_WIDTH_FOR_DESCRIPTIONS or room <= _MIN_DESCRIPTION:
            label_width = width - len(prefix) - _EDGE
            row = cut_text(
                prefix + self._cut_label(item, label_width, label_width, is_selected), width
            )
            return closed(self._theme.selected_text(row) if is_selected else self._theme.text(row))
        label = self._cut_label(item, column - _EDGE, column, is_selected)
        gap = " " * (column - visible_width(label))
        description = cut_text(description, room)
        if is_selected:
            return closed(self._theme.selected_text(prefix + label + gap + description))
        row = self._theme.text(prefix + label) + self._theme.description(gap + description)
        return closed(row)

    def _cut_label(self, item: SelectItem, room: int, column: int, is_selected: bool) -> str:
        label = _label(item)
        if self._layout.truncate_primary is not None:
            cell = PrimaryCell(label, room, column, item, is_selected)
            label = self._layout.truncate_primary(cell)
        return cut_text(label, room)

    # -- input

    def handle_key(self, event: KeyEvent) -> bool:
        """Move, confirm or cancel; `False` for a key that means nothing here."""
        keybindings = self._keybindings or get_keybindings()
        if keybindings.matches(event, "tui.select.cancel"):
            self._callbacks.call(self.on_cancel)
        elif keybindings.matches(event, "tui.select.confirm"):
            self._confirm(self.get_selected_item())
        else:
            count = len(self._shown)
            index = get_select_index(keybindings, event, self._selected, count, self.max_visible)
            if index is None:
                return False
            self.select(index)
        return True

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Move with the wheel, select with a press, confirm with the click that follows it."""
        if event.type == "wheel":
            step = 1 if (event.wheel_delta or 0) > 0 else -1
            self.select(max(0, min(self._selected + step, len(self._shown) - 1)))
            return MouseResult(handled=True)
        if event.button != "left" or event.type not in ("press", "click"):
            return None
        if event.type == "click":
            pressed, self._pressed = self._pressed, None
            self._confirm(pressed)
            return MouseResult(handled=True)
        return self._press(event.y)

    def _press(self, row: int) -> MouseResult | None:
        self._pressed = None
        index = self._window.start + row
        if not self._window.start <= index < self._window.stop:
            return None
        self._pressed = self._shown[index]
        self.select(index)
        return MouseResult(handled=True, focus=True)

    def select(self, index: int) -> None:
        """Select an item as the user does: whoever listens is told if it is another one."""
        if index != self._selected and 0 <= index < len(self._shown):
            self._selected = index
            self._callbacks.call(self.on_selection_change, self._shown[index])

    def _confirm(self, item: SelectItem | None) -> None:
        if item is not None and self.on_select is not None:
            self._callbacks.call(self.on_select, item)


def _label(item: SelectItem) -> str:
    return single_line(item.label or item.value)
