"""The welcome screen: ways to a model, in the editor's place, while there is none.

What is typed here was begun before the screen came up, and belongs to the editor.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from pi_agent.ui.dialogs.frame import frame
from pi_agent.ui.dialogs.hints import DialogHints
from pi_agent.ui.dialogs.stray_input import KeepTyped, StrayInput
from pi_agent.ui.plain import plain_line
from pi_tui.choices import SelectItem
from pi_tui.component import Component
from pi_tui.components.key_hints import KeyHint
from pi_tui.components.select_list import SelectList, SelectListLayout
from pi_tui.events import KeyEvent, MouseEvent, MouseResult, PasteEvent
from pi_tui.frozen import frozen
from pi_tui.keybindings import get_keybindings
from pi_tui.theme import Theme, get_select_list_theme
from pi_tui.width import truncate_to_width, visible_width
from pi_tui.wrap import wrap_rows

REMEMBER: Final = "remember"

_TITLE: Final = "Welcome to pi"
_INTRO: Final = "Choose where answers come from."
_KEPT: Final = "What you type is kept for the editor. ↑↓ choose"
_MOST_SHOWN: Final = 10
_LEAST_SHOWN: Final = 3
_WIDEST: Final = 60
_PREFIX: Final = 2
_GAP: Final = 2


@frozen
class Way:
    """A row: what it stands for, its name, and one line on what it does."""

    value: str
    label: str
    about: str = ""


class WelcomeDialog(Component):
    """Calls `on_pick` with the value of a way, and whether it is to be remembered.

    `keep` gets the keys and pastes that mean nothing here.
    """

    captures_viewport_input = True

    def __init__(
        self,
        theme: Theme,
        *,
        on_pick: Callable[[str, bool], object],
        on_close: Callable[[], object],
        keep: KeepTyped,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.focused = False
        self.max_rows: int | None = None
        self.note = ""
        self._theme = theme
        self._on_pick = on_pick
        self._on_close = on_close
        self._hints = DialogHints(theme)
        self._hints_row = 0
        self._stray = StrayInput(clock, keep)
        self._remembers = False
        self._ways: list[Way] = []
        self._column = 0
        self._has_columns = True
        layout = SelectListLayout(1, _WIDEST)
        self._list = SelectList([], _MOST_SHOWN, get_select_list_theme(theme), layout)
        self._list_top = 0
        self._list.on_select = lambda item: self._pick(item.value)
        self._list.on_cancel = on_close
        self._list.on_selection_change = lambda item: self._stray.chosen()

    def set_ways(self, ways: Sequence[Way]) -> None:
        """Offer these; the way that is selected stays so, wherever it stands now."""
        selected = self._selected()
        self._ways = [Way(way.value, plain_line(way.label), plain_line(way.about)) for way in ways]
        self._show(selected)

    # -- drawing

    def invalidate(self) -> None:
        """Draw anew next time."""
        self._list.invalidate()

    def render(self, width: int) -> list[str]:
        """Return the title, the ways, what the selected one does, and the keys; the ways stay when rows are few."""
        self._stray.shown()
        around = frame(_TITLE, self._theme, width, None, self.max_rows, keep=_LEAST_SHOWN + 1)
        intro, below = [self._dim(_INTRO, width)], self._below(width)
        hints = self._hints.rows(self._hint_list(), width)
        if self.max_rows is not None:
            room = max(1, self.max_rows - len(around.above) - len(around.below))
            below = below[: max(0, room - min(len(self._ways), _LEAST_SHOWN))]
            spare = room - len(below) - len(self._ways)
            if spare < len(hints):
                hints = self._hints.rows([], width)
            intro = intro if spare > len(hints) else []
            self._list.max_rows = room - len(intro) - len(below) - len(hints)
        self._list_top = len(around.above) + len(intro)
        above = [*around.above, *intro, *self._list.render(width), *below]
        self._hints_row = len(above)
        return [*above, *hints, *around.below]

    def _below(self, width: int) -> list[str]:
        """Return what the selected way does, as high whichever it is, and what waits for a model."""
        rows: list[str] = []
        way = self._selected()
        if not self._shows_columns(width) and way is not None:
            height = max(len(self._about(each, width)) for each in self._ways)
            about = self._about(way, width)
            rows += [*about, *[""] * (height - len(about))]
        note = _KEPT if self._stray.has_typed else self.note
        return [*rows, self._dim(note, width)] if note else rows

    def _hint_list(self) -> list[KeyHint]:
        return [
            KeyHint("tui.select.confirm", "choose", self._pick_selected),
            KeyHint("tui.select.cancel", "close", self._on_close),
            KeyHint("app.models.save", "choose and remember", self._pick_and_remember),
        ]

    def _shows_columns(self, width: int) -> bool:
        """Put what the ways do beside them, if there is room for the whole of it."""
        widest = max((visible_width(way.about) for way in self._ways), default=0)
        shows_columns = _PREFIX + self._column + _GAP + widest <= width
        if shows_columns != self._has_columns:
            self._has_columns = shows_columns
            self._show(self._selected())
        return shows_columns

    def _about(self, way: Way, width: int) -> list[str]:
        """Return what a way does, with its name where that is cut."""
        is_cut = _PREFIX + visible_width(self._label(way)) + _GAP > width
        text = f"{way.label}: {way.about}" if is_cut and way.about else way.about
        return wrap_rows(self._theme.fg("muted", text), width) if text else []

    def _dim(self, text: str, width: int) -> str:
        return self._theme.fg("dim", truncate_to_width(text, width, "…"))

    # -- input

    def handle_key(self, event: KeyEvent) -> bool:
        """Take a key; what is typed goes to the editor, and Enter with it until a way has been chosen."""
        if event.kind == "release":
            return False
        keybindings = get_keybindings()
        if keybindings.matches(event, "tui.select.confirm") and not self._stray.is_meant():
            return True
        if keybindings.matches(event, "app.models.save"):
            self._pick_and_remember()
            return True
        if self._list.handle_key(event):
            return True
        if event.text:
            self._stray.typed(event)
        return bool(event.text)

    def handle_paste(self, event: PasteEvent) -> None:
        """Take a paste as what was meant for the editor."""
        self._stray.typed(event)

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Let the list have what lies over it; a click on a hint does what it says."""
        if event.y >= self._hints_row:
            return self._hints.handle_mouse(replace(event, y=event.y - self._hints_row))
        return self._list.handle_mouse(replace(event, y=event.y - self._list_top))

    def _pick_selected(self) -> None:
        way = self._selected()
        if way is not None:
            self._pick(way.value)

    def _pick_and_remember(self) -> None:
        way = self._selected()
        if way is not None:
            self._pick(way.value, remembers=True)

    def _pick(self, value: str, *, remembers: bool = False) -> None:
        if value == REMEMBER:
            self._remembers = not self._remembers
            self._show(self._selected())
        else:
            self._on_pick(value, remembers or self._remembers)

    # -- rows

    def _selected(self) -> Way | None:
        item = self._list.get_selected_item()
        return next((way for way in self._ways if item and way.value == item.value), None)

    def _show(self, selected: Way | None) -> None:
        self._list.show([self._item(way) for way in self._ways])
        self._column = (
            max((visible_width(self._label(way)) for way in self._ways), default=0) + _GAP
        )
        for index, way in enumerate(self._ways):
            if selected is not None and way.value == selected.value:
                self._list.set_selected_index(index)

    def _item(self, way: Way) -> SelectItem:
        about = way.about if self._has_columns else ""
        return SelectItem(way.value, self._label(way), about or None)

    def _label(self, way: Way) -> str:
        if way.value != REMEMBER:
            return way.label
        return f"[{'x' if self._remembers else ' '}] {way.label}"
