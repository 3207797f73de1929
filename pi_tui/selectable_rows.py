"""`SelectableRows`: what lists of rows have in common of which one is selected, for components that draw their own.

Whatever number of rows there is, drawing costs those in sight.
"""

from __future__ import annotations

from pi_tui.callbacks import Callbacks
from pi_tui.choices import Visible, cut_text, get_select_index, visible_items
from pi_tui.component import Component
from pi_tui.events import KeyEvent, MouseEvent, MouseResult
from pi_tui.keybindings import KeybindingsManager, get_keybindings
from pi_tui.layout import Box, LayoutContext
from pi_tui.theme import SelectListTheme

MARK = "→ "
NO_MARK = "  "


class SelectableRows(Component):
    """Rows of one cell's height around the selected one; arrows, pages, Home, End, wheel and clicks select.

    In a document `max_visible` rows show; where a layout gives it a height, as many as fit. Below them stands
    which of how many is selected, unless all are in sight. Headings, if there are any, stay above.
    """

    captures_viewport_input = True

    def __init__(
        self,
        max_visible: int,
        theme: SelectListTheme,
        *,
        keybindings: KeybindingsManager | None = None,
    ) -> None:
        self.focused = False
        self.max_visible = max(1, max_visible)
        self.max_rows: int | None = None
        self.theme = theme
        self._selected = 0
        self._keybindings = keybindings
        self._callbacks = Callbacks()
        self._window = Visible(0, 0, False)
        self._headings = 0
        self._pressed: object = None
        self._drawn: object = None
        self._lines: list[str] = []

    # -- what a list of this kind says of itself

    def row_count(self) -> int:
        """Return how many rows there are, in sight or not."""
        raise NotImplementedError

    def row_key(self, index: int) -> object:
        """Return what a row stands for; the click that follows a press is for that, wherever it is by then."""
        raise NotImplementedError

    def draw_row(self, index: int, width: int, is_selected: bool) -> str:
        """Return a row of at most `width` cells."""
        raise NotImplementedError

    def draw_headings(self, width: int) -> list[str]:
        """Return what stays above the rows; the last ones go where `heading_rows` says fewer."""
        return []

    def heading_rows(self, max_rows: int | None) -> int:
        """Return how many rows stand above the others where there are `max_rows` for all."""
        return 0

    def prepare(self, width: int) -> None:
        """Work out what the drawing of headings and rows needs, before either."""

    def nothing_text(self) -> str:
        """Return what is said where there are no rows."""
        return "Nothing here"

    def selection_changed(self) -> None:
        """Tell whoever wants to know that the user has selected another row."""

    def confirmed(self, key: object) -> None:
        """Take the decision for what a row stands for."""

    def cancelled(self) -> bool:
        """Take the wish to leave; `False` if nobody waits for it."""
        return False

    # -- what is selected

    @property
    def selected_index(self) -> int:
        """Which row is selected, 0 if there is none."""
        return min(self._selected, max(0, self.row_count() - 1))

    def set_selected_index(self, index: int) -> None:
        """Select a row, or the nearest that there is; nobody is told."""
        self._selected = max(0, min(index, self.row_count() - 1))

    def select(self, index: int) -> None:
        """Select a row as the user does: whoever listens is told if it is another one."""
        before = self.selected_index
        self.set_selected_index(index)
        if self._selected != before:
            self.selection_changed()

    # -- drawing

    def invalidate(self) -> None:
        """Draw anew next time."""
        self._drawn = None

    def render(self, width: int) -> list[str]:
        """Return the headings, the rows around the selected one, and where it is among them all."""
        return self._rows(width, self.max_visible, self.max_rows)

    def layout_box(
        self, context: LayoutContext, y: int, width: int, height: int, top: int, bottom: int
    ) -> Box:
        """Show as many rows as there is height for."""
        lines = self._rows(width, max(1, height), height)
        return Box(self, y, width, height, max(top, y), min(bottom, y + height), lines[:height])

    def natural_height(self, width: int, context: LayoutContext) -> int:
        """Return the rows that the list would take: all of `max_visible`, and what stands around them."""
        count = self.row_count()
        window = visible_items(0, count, self.max_visible)
        return self.heading_rows(None) + max(1, window.stop) + window.has_position

    def natural_width(self, width: int, context: LayoutContext) -> int:
        """Return all of the width: a list does not shrink to its rows of the moment."""
        return width

    def _rows(self, width: int, most: int, max_rows: int | None) -> list[str]:
        drawn = (width, most, max_rows, self._selected, self.row_count())
        if drawn != self._drawn:
            self._lines = self._make_rows(width, most, max_rows)
            self._drawn = drawn
        return self._lines

    def _make_rows(self, width: int, most: int, max_rows: int | None) -> list[str]:
        count, selected = self.row_count(), self.selected_index
        headings = self.heading_rows(max_rows)
        if max_rows is not None and headings >= max_rows:
            headings = 0
        room = None if max_rows is None else max_rows - headings
        window = visible_items(selected, count, most, room)
        self._window, self._headings = window, headings
        self.prepare(width)
        rows = self.draw_headings(width)[:headings] if headings else []
        if not count:
            return [*rows, self.theme.no_match(cut_text(f"  {self.nothing_text()}", width))]
        rows += [self.draw_row(i, width, i == selected) for i in range(window.start, window.stop)]
        if window.has_position:
            position = cut_text(f"  ({selected + 1}/{count})", width)
            rows.append(self.theme.scroll_info(position))
        return rows

    # -- input

    @property
    def keybindings(self) -> KeybindingsManager:
        """Which keys mean what."""
        return self._keybindings or get_keybindings()

    def handle_key(self, event: KeyEvent) -> bool:
        """Move, confirm or cancel; `False` for a key that means nothing here."""
        keybindings, count = self.keybindings, self.row_count()
        page = max(1, self._window.stop - self._window.start)
        index = get_select_index(keybindings, event, self.selected_index, count, page)
        if keybindings.matches(event, "tui.select.first"):
            index = 0
        elif keybindings.matches(event, "tui.select.last"):
            index = count - 1
        if index is not None:
            self.select(index)
        elif keybindings.matches(event, "tui.select.cancel"):
            return self.cancelled()
        elif keybindings.matches(event, "tui.select.confirm"):
            if count:
                self.confirmed(self.row_key(self.selected_index))
        else:
            return False
        return True

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Move with the wheel, select with a press, confirm with the click that follows it."""
        if event.type == "wheel":
            step = 1 if (event.wheel_delta or 0) > 0 else -1
            self.select(self.selected_index + step)
            return MouseResult(handled=True)
        if event.button != "left" or event.type not in ("press", "click"):
            return None
        if event.type == "click":
            pressed, self._pressed = self._pressed, None
            if pressed is not None:
                self.confirmed(pressed)
            return MouseResult(handled=True)
        self._pressed = None
        return self.take_press(event)

    def row_at(self, y: int) -> int | None:
        """Return which row is drawn at a row of the component, if one is."""
        index = self._window.start + y - self._headings
        return index if self._window.start <= index < self._window.stop else None

    def take_press(self, event: MouseEvent) -> MouseResult | None:
        """Select the row under the pointer; the click that follows confirms it."""
        index = self.row_at(event.y)
        if index is None:
            return None
        self._pressed = self.row_key(index)
        self.select(index)
        return MouseResult(handled=True, focus=True)
