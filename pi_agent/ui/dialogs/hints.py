"""What keys do in a dialog, in its last row. A click on a hint does the same as its key."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pi_tui.events import MouseEvent, MouseResult
from pi_tui.frozen import frozen
from pi_tui.keybindings import key_display_text
from pi_tui.theme import Theme
from pi_tui.width import truncate_to_width, visible_width

_BETWEEN = " · "


@frozen
class Hint:
    """An action that a key has, what it does in a word, and the doing."""

    action: str
    label: str
    act: Callable[[], object]

    @property
    def text(self) -> str:
        """What is shown: of several keys the first one."""
        key = key_display_text(self.action).split("/")[0].replace("Escape", "Esc")
        return f"{key} {self.label}".lstrip()


class Hints:
    """Lays hints out and finds the one that was clicked."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._rows: list[list[Hint]] = []

    def render(self, hints: Sequence[Hint], width: int) -> list[str]:
        """Return the rows: as many hints in each as fit."""
        self._rows = []
        used = 0
        for hint in hints:
            used += visible_width(_BETWEEN + hint.text)
            if not self._rows or used > width:
                self._rows.append([])
                used = visible_width(hint.text)
            self._rows[-1].append(hint)
        texts = [_BETWEEN.join(hint.text for hint in row) for row in self._rows]
        return [self._theme.fg("dim", truncate_to_width(text, width, "…")) for text in texts]

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Do what the hint under a click says; `y` counts from the first row."""
        if event.type not in ("press", "click") or event.button != "left":
            return None
        hint = self._hint_at(event.x, event.y)
        if hint is None:
            return None
        if event.type == "click":
            hint.act()
        return MouseResult(handled=True)

    def _hint_at(self, x: int, y: int) -> Hint | None:
        if not 0 <= y < len(self._rows):
            return None
        start = 0
        for hint in self._rows[y]:
            if start <= x < start + visible_width(hint.text):
                return hint
            start += visible_width(hint.text + _BETWEEN)
        return None
