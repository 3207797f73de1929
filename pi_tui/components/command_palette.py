"""`CommandPalette`: a field to search in, and below it the commands that match, with their keys."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

from pi_tui.choices import closed, cut_text, single_line
from pi_tui.components.input import Input
from pi_tui.events import KeyEvent, MouseEvent, MouseResult, PasteEvent
from pi_tui.frozen import frozen
from pi_tui.fuzzy import fuzzy_filter
from pi_tui.keybindings import KeybindingsManager
from pi_tui.keys import format_key
from pi_tui.selectable_rows import MARK, NO_MARK, SelectableRows
from pi_tui.theme import SelectListTheme
from pi_tui.width import visible_width

_GAP = 2
_LEAST_DESCRIPTION = 10
_LABELS = 32
_ENDS = ("tui.select.first", "tui.select.last")


@frozen
class PaletteCommand:
    """A command: `id` is its action, whose first key is shown; `label` says what it does."""

    id: str
    label: str
    description: str = ""


class CommandPalette(SelectableRows):
    """Finds a command by some of its letters and runs it: `on_run` gets the command.

    What matches by its label stands in front of what matches by id or description only. Typing selects the best
    match; other commands that come meanwhile leave the selected one selected.
    """

    def __init__(
        self,
        commands: Iterable[PaletteCommand],
        max_visible: int,
        theme: SelectListTheme,
        *,
        placeholder: str = "Type to search",
        keybindings: KeybindingsManager | None = None,
    ) -> None:
        self._query = Input("> ", placeholder, theme.description, keybindings=keybindings)
        super().__init__(max_visible, theme, keybindings=keybindings)
        self.on_run: Callable[[PaletteCommand], object] | None = None
        self.on_cancel: Callable[[], object] | None = None
        self._commands = list(commands)
        self._shown = self._commands
        self._column = 0
        self._measured: list[PaletteCommand] | None = None  # what that is the column for

    @property
    def focused(self) -> bool:
        """Whether the palette has the keys; the field shows the cursor then."""
        return self._query.focused

    @focused.setter
    def focused(self, focused: bool) -> None:
        self._query.focused = focused
        self._drawn = None

    @property
    def query(self) -> str:
        """What is searched for."""
        return self._query.get_value()

    def set_query(self, text: str) -> None:
        """Search for something; the best match is selected."""
        self._query.set_value(text)
        self._filter()

    def set_commands(self, commands: Iterable[PaletteCommand]) -> None:
        """Offer other commands; the selected one stays selected if it is among them."""
        selected = self.get_selected_command()
        self._commands = list(commands)
        self._filter()
        for index, command in enumerate(self._shown):
            if selected is not None and command.id == selected.id:
                self.set_selected_index(index)

    def get_selected_command(self) -> PaletteCommand | None:
        """Return the selected command; `None` where nothing matches."""
        return self._shown[self.selected_index] if self._shown else None

    # -- drawing

    def invalidate(self) -> None:
        """Draw anew next time."""
        self._query.invalidate()
        super().invalidate()

    def row_count(self) -> int:
        """Return how many commands match."""
        return len(self._shown)

    def row_key(self, index: int) -> PaletteCommand:
        """Return a command."""
        return self._shown[index]

    def heading_rows(self, max_rows: int | None) -> int:
        """Return the row of the field."""
        return 1

    def draw_headings(self, width: int) -> list[str]:
        """Return the field."""
        return self._query.render(width)

    def nothing_text(self) -> str:
        """Return what is said where nothing matches."""
        return "No command matches"

    def prepare(self, width: int) -> None:
        """Find out where the descriptions begin, once for all the commands that match."""
        if self._measured is not self._shown:
            widest = max((visible_width(single_line(c.label)) for c in self._shown), default=0)
            self._column = min(_LABELS, widest) + _GAP
            self._measured = self._shown

    def draw_row(self, index: int, width: int, is_selected: bool) -> str:
        """Return a command: its label, what else there is to say where there is room, and its key at the edge."""
        command = self._shown[index]
        mark = MARK if is_selected else NO_MARK
        room = width - len(mark)
        label = single_line(command.label)
        key = self._key_text(command)
        key_room = _GAP + visible_width(key) if key else 0
        if room - key_room < visible_width(label):
            key, key_room = "", room  # a key says more than a description
        label = cut_text(label, room, "…")
        described = self._described(command, label, room - key_room)
        gap = " " * (room - visible_width(label + described + key))
        if is_selected:
            text = mark + label + described + (gap + key if key else "")
            return closed(self.theme.selected_text(cut_text(text, width)))
        rest = described + (gap + key if key else "")
        text = self.theme.text(cut_text(mark + label, width))
        return closed(text + (self.theme.description(rest) if rest else ""))

    def _described(self, command: PaletteCommand, label: str, room: int) -> str:
        """Return the description in its column, as much of it as there is room for."""
        gap = max(_GAP, self._column - visible_width(label))
        rest = room - visible_width(label) - gap
        description = single_line(command.description)
        if not description or rest < _LEAST_DESCRIPTION:
            return ""
        return " " * gap + cut_text(description, rest, "…")

    def _key_text(self, command: PaletteCommand) -> str:
        keys = self.keybindings.get_keys(command.id)
        return format_key(keys[0], mac=sys.platform == "darwin") if keys else ""

    # -- input

    def handle_key(self, event: KeyEvent) -> bool:
        """Move, run or cancel; all else is for the field."""
        is_for_field = any(self.keybindings.matches(event, action) for action in _ENDS)
        if not is_for_field and super().handle_key(event):
            return True
        before = self.query
        used = self._query.handle_key(event)
        self._drawn = None
        if self.query != before:
            self._filter()
        return used

    def handle_paste(self, event: PasteEvent) -> None:
        """Paste into the field."""
        self._query.handle_paste(event)
        self._filter()

    def take_press(self, event: MouseEvent) -> MouseResult | None:
        """Put the cursor into the field, or select a command; the click that follows runs it."""
        if event.y < self._headings:
            self._query.handle_mouse(event)
            self._drawn = None
            return MouseResult(handled=True, focus=True)
        return super().take_press(event)

    def confirmed(self, key: object) -> None:
        """Run a command."""
        if isinstance(key, PaletteCommand):
            self._callbacks.call(self.on_run, key)

    def cancelled(self) -> bool:
        """Leave without running one."""
        self._callbacks.call(self.on_cancel)
        return True

    def _filter(self) -> None:
        by_label = fuzzy_filter(self._commands, self.query, lambda command: command.label)
        rest = _without(self._commands, by_label)
        by_id = fuzzy_filter(rest, self.query, lambda command: command.id)
        words = self.query.casefold().split()
        described = [
            command
            for command in _without(rest, by_id)
            if all(word in command.description.casefold() for word in words)
        ]
        self._shown = [*by_label, *by_id, *described]
        self._selected = 0
        self._drawn = None


def _without(commands: list[PaletteCommand], others: list[PaletteCommand]) -> list[PaletteCommand]:
    left_out = {id(command) for command in others}
    return [command for command in commands if id(command) not in left_out]
