"""`Tabs`: several components in one place, and a row of titles to change between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pi_tui.callbacks import Callbacks
from pi_tui.choices import closed, cut_text, single_line
from pi_tui.component import Component, Renderable, invalidate_all, is_focusable, says
from pi_tui.component_themes import TabsTheme
from pi_tui.components.stack import VStack
from pi_tui.events import KeyEvent, MouseEvent, MouseResult, PasteEvent
from pi_tui.frozen import frozen
from pi_tui.keybindings import KeybindingsManager, get_keybindings
from pi_tui.layout import StackEntry
from pi_tui.width import visible_width

_LESS, _MORE = "‹", "›"


@frozen(eq=False)
class Tab:
    """A title, and what shows while it is selected."""

    title: str
    component: Renderable


class Tabs(VStack):
    """A row of titles above the selected tab's component, which has the keys first and the rest of the height.

    Keys that it does not use change the tab; so do a click on a title and the wheel over them. What is pressed
    in the component that shows gives the keys to the tabs, so that they go on to change it. Where the
    titles do not fit, those around the selected one show. A tab keeps its state while another one shows.
    """

    def __init__(
        self,
        tabs: Sequence[Tab],
        theme: TabsTheme | None = None,
        *,
        keybindings: KeybindingsManager | None = None,
    ) -> None:
        super().__init__()
        self.on_change: Callable[[Tab], object] | None = None
        self._tabs = list(tabs)
        self._titles = TabTitles([tab.title for tab in tabs], theme or TabsTheme(), self.select)
        self._keybindings = keybindings
        self._callbacks = Callbacks()
        self._focused = False
        self._show()

    @property
    def selected_index(self) -> int:
        """Which tab shows."""
        return self._titles.selected

    def get_selected_tab(self) -> Tab | None:
        """Return the tab that shows; `None` if there are none."""
        return self._tabs[self.selected_index] if self._tabs else None

    def select(self, index: int) -> None:
        """Show a tab, the first one after the last; whoever listens is told if it is another one."""
        if not self._tabs or index % len(self._tabs) == self.selected_index:
            return
        self.focused, had_keys = False, self._focused
        self._titles.selected = index % len(self._tabs)
        self._show()
        self.focused = had_keys
        self._callbacks.call(self.on_change, self._tabs[self.selected_index])

    def _show(self) -> None:
        tab = self.get_selected_tab()
        self.entries = [StackEntry(self._titles, shrink=0)]
        if tab is not None:
            self.entries.append(StackEntry(tab.component, grow=1))
            self.captures_viewport_input = says(tab.component, "captures_viewport_input")

    def passes_keys_to(self, component: Renderable) -> bool:
        """Tell whether the keys of a part are to be had through the tabs: of the titles and of what shows."""
        return any(entry.component is component for entry in self.entries)

    @property
    def focused(self) -> bool:
        """Whether the tabs have the keys; the component that shows knows too."""
        return self._focused

    @focused.setter
    def focused(self, focused: bool) -> None:
        self._focused = focused
        tab = self.get_selected_tab()
        if tab is not None and is_focusable(tab.component):
            setattr(tab.component, "focused", focused)  # noqa: B010  # anything that renders

    def invalidate(self) -> None:
        """Drop the caches of all tabs, also of those that do not show."""
        invalidate_all([self._titles, *(tab.component for tab in self._tabs)])

    def handle_key(self, event: KeyEvent) -> bool:
        """Let the component take the key, else change the tab; `False` if neither."""
        tab = self.get_selected_tab()
        handler = getattr(tab.component, "handle_key", None) if tab is not None else None
        if handler is not None and handler(event) is not False:
            return True
        keybindings = self._keybindings or get_keybindings()
        if keybindings.matches(event, "tui.tabs.next"):
            self.select(self.selected_index + 1)
        elif keybindings.matches(event, "tui.tabs.previous"):
            self.select(self.selected_index - 1)
        else:
            return False
        return True

    def handle_paste(self, event: PasteEvent) -> None:
        """Paste into the component that shows."""
        tab = self.get_selected_tab()
        handler = getattr(tab.component, "handle_paste", None) if tab is not None else None
        if handler is not None:
            handler(event)


class TabTitles(Component):
    """The row of titles; the selected one is in brackets."""

    def __init__(
        self, titles: Sequence[str], theme: TabsTheme, select: Callable[[int], None]
    ) -> None:
        self.selected = 0
        self._titles = [single_line(title) for title in titles]
        self._theme = theme
        self._select = select
        self._drawn: tuple[int, int] | None = None
        self._lines: list[str] = []
        self._ends: list[tuple[int, int]] = []  # of the titles that show: number, column after it

    def invalidate(self) -> None:
        """Draw anew next time."""
        self._drawn = None

    def render(self, width: int) -> list[str]:
        """Return the row."""
        if self._drawn != (width, self.selected):
            self._drawn = (width, self.selected)
            self._lines = [self._row(width)]
        return self._lines

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Select by a press or the wheel."""
        if event.type == "wheel":
            step = 1 if (event.wheel_delta or 0) > 0 else -1
            if 0 <= self.selected + step < len(self._titles):
                self._select(self.selected + step)
            return MouseResult(handled=True)
        if event.type != "press" or event.button != "left":
            return None
        pressed = next((number for number, end in self._ends if event.x < end), None)
        if pressed is None:
            return None
        self._select(pressed)
        return MouseResult(handled=True, focus=True)

    def _row(self, width: int) -> str:
        self._ends = []
        if not self._titles:
            return ""
        start, stop = self._shown(width)
        is_cut = stop - start < len(self._titles)
        room = width - 2 * is_cut if width > 4 else width
        column = int(is_cut and width > 4)
        row = (_LESS if start else " ") * column
        for number in range(start, stop):
            is_selected = number == self.selected
            cell = _cell(self._titles[number], room, is_selected)
            row += closed((self._theme.selected if is_selected else self._theme.title)(cell))
            column += visible_width(cell)
            self._ends.append((number, column))
        if is_cut and width > 4 and stop < len(self._titles):
            row += _MORE
        return row

    def _shown(self, width: int) -> tuple[int, int]:
        """Return the titles around the selected one that fit."""
        sizes = [visible_width(title) + 2 for title in self._titles]
        if sum(sizes) <= width:
            return 0, len(sizes)
        start, stop = self.selected, self.selected + 1
        room = width - 2 - sizes[self.selected]
        while True:
            if stop < len(sizes) and sizes[stop] <= room:
                room -= sizes[stop]
                stop += 1
            elif start and sizes[start - 1] <= room:
                start -= 1
                room -= sizes[start]
            else:
                return start, stop


def _cell(title: str, room: int, is_selected: bool) -> str:
    """Return a title with its brackets; where there is no room for both, without them."""
    if room < 4:
        return cut_text(title, room)
    left, right = ("[", "]") if is_selected else (" ", " ")
    return left + cut_text(title, room - 2, "…") + right
