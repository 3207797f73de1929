"""The choice of a theme: one, or one for light and one for dark terminals. The selected one is shown meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, Literal

from pi_agent.resources.themes import theme_names
from pi_tui.choices import SelectItem, cut_text
from pi_tui.component import Component
from pi_tui.components.select_list import SelectList
from pi_tui.events import KeyEvent, MouseEvent, MouseResult
from pi_tui.theme import Theme, get_select_list_theme

Step = Literal["one", "light", "dark"]

_MOST_SHOWN: Final = 10
_ROWS_FOR_TITLE: Final = 3
_TWO: Final = "…/…"
_SINGLE: Final[Mapping[str, str]] = {
    "system": "In the terminal's own colors",
    "dark": "For dark terminals",
    "light": "For light terminals",
}
_PAIRS: Final[Mapping[str, str]] = {
    "light/dark": "Light or dark, as the terminal is",
    _TWO: "Two of your choice, as the terminal is",
}
_TITLES: Final[Mapping[Step, str]] = {
    "one": "",
    "light": "While light:",
    "dark": "While dark:",
}


class ThemeMenu(Component):
    """Calls `preview` with what is selected, and once `done` with what is chosen, or with nothing."""

    captures_viewport_input = True

    def __init__(
        self,
        own: Sequence[str],
        current: str,
        theme: Theme,
        *,
        preview: Callable[[str], None],
        done: Callable[[str | None], None],
    ) -> None:
        self.focused = False
        self.max_rows: int | None = None
        self._single = {**_SINGLE, **dict.fromkeys(own, "A theme of your own")}
        self._pair = dict(zip(("light", "dark"), theme_names(current), strict=True))
        self._theme = theme
        self._preview = preview
        self._done = done
        self._show("one", current)

    def invalidate(self) -> None:
        """Draw anew next time."""
        self._list.invalidate()

    def render(self, width: int) -> list[str]:
        """Return the list, below what it is for."""
        has_title = bool(_TITLES[self._step])
        if self.max_rows is not None and self.max_rows < _ROWS_FOR_TITLE:
            has_title = False
        self._above = int(has_title)
        self._list.max_rows = None if self.max_rows is None else self.max_rows - self._above
        title = self._theme.fg("muted", cut_text(f"  {_TITLES[self._step]}", width))
        return [title, *self._list.render(width)] if has_title else self._list.render(width)

    def handle_key(self, event: KeyEvent) -> bool:
        """Move, choose or go back."""
        return self._list.handle_key(event)

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Move with the wheel, choose with a click."""
        return self._list.handle_mouse(replace(event, y=event.y - self._above))

    def _show(self, step: Step, selected: str) -> None:
        self._step = step
        self._above = 0
        offered = {**_SINGLE, **_PAIRS, **self._single} if step == "one" else self._single
        items = [SelectItem(name, name, what) for name, what in offered.items()]
        self._list = SelectList(items, _MOST_SHOWN, get_select_list_theme(self._theme))
        fallback = _TWO if "/" in selected and step == "one" else next(iter(offered))
        at = selected if selected in offered else fallback
        self._list.set_selected_index(list(offered).index(at))
        self._list.on_selection_change = lambda item: self._look(item.value)
        self._list.on_select = lambda item: self._choose(item.value)
        self._list.on_cancel = self._go_back

    def _look(self, value: str) -> None:
        self._preview("/".join(self._pair.values()) if value == _TWO else value)

    def _choose(self, value: str) -> None:
        match self._step:
            case "one" if value == _TWO:
                self._ask_for("light")
            case "one":
                self._done(value)
            case "light":
                self._pair["light"] = value
                self._ask_for("dark")
            case "dark":
                self._pair["dark"] = value
                light, dark = self._pair.values()
                self._done(light if light == dark else f"{light}/{dark}")

    def _ask_for(self, step: Step) -> None:
        self._show(step, self._pair[step])
        self._look(self._pair[step])

    def _go_back(self) -> None:
        match self._step:
            case "dark":
                self._ask_for("light")
            case "light":
                self._show("one", _TWO)
                self._look(_TWO)
            case "one":
                self._done(None)
