"""`KeyHints`: what keys do, in a row or as many as it takes. A click on a hint does the same as its key."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence

from pi_tui.callbacks import Callbacks
from pi_tui.choices import closed, cut_text, single_line
from pi_tui.component import Component
from pi_tui.component_themes import KeyHintsTheme
from pi_tui.events import MouseEvent, MouseResult
from pi_tui.frozen import frozen
from pi_tui.keybindings import KeybindingsManager, get_keybindings
from pi_tui.keys import format_key
from pi_tui.width import visible_width

_BETWEEN = " · "
_SHORT = {"Escape": "Esc"}


@frozen(eq=False)
class KeyHint:
    """An action, or several whose keys are shown together, what it does in a word, and the doing.

    Without a key it is shown only if `act` is there: then it is for the mouse alone.
    """

    action: str | Sequence[str]
    label: str
    act: Callable[[], object] | None = None

    def key_text(self, keybindings: KeybindingsManager, platform: str = sys.platform) -> str:
        """Return the first key of each action as people read it, `Up/Down`; empty if there is none."""
        actions = (self.action,) if isinstance(self.action, str) else self.action
        first = [keys[0] for action in actions if (keys := keybindings.get_keys(action))]
        shown = [format_key(key, mac=platform == "darwin") for key in first]
        return "/".join(_SHORT.get(key, key) for key in dict.fromkeys(shown))


class KeyHints(Component):
    """The most important hint first: where there are fewer rows than it takes, the last ones are left out whole.

    The keys are those in force when it is drawn. `hints` and `max_rows` may be changed at any time.
    """

    def __init__(
        self,
        hints: Iterable[KeyHint] = (),
        theme: KeyHintsTheme | None = None,
        *,
        max_rows: int | None = 1,
        keybindings: KeybindingsManager | None = None,
    ) -> None:
        self.hints = list(hints)
        self.max_rows = max_rows
        self._theme = theme or KeyHintsTheme()
        self._keybindings = keybindings
        self._callbacks = Callbacks()
        self._drawn: object = None
        self._lines: list[str] = []
        self._rows: list[list[_Shown]] = []

    def invalidate(self) -> None:
        """Draw anew next time."""
        self._drawn = None

    def render(self, width: int) -> list[str]:
        """Return the rows; none if there is nothing to hint at."""
        rows = _in_rows(self._shown(), width)
        self._rows = rows if self.max_rows is None else rows[: max(0, self.max_rows)]
        texts = [[(shown.key, shown.label) for shown in row] for row in self._rows]
        drawn = (width, texts, self._theme.key("x"), self._theme.label("x"))
        if drawn != self._drawn:
            self._lines = [self._row(row, width) for row in self._rows]
            self._drawn = drawn
        return self._lines

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Do what the hint under a click says."""
        if event.type not in ("press", "click") or event.button != "left":
            return None
        act = self._act_at(event.x, event.y)
        if act is None:
            return None
        if event.type == "click":
            self._callbacks.call(act)
        return MouseResult(handled=True)

    def _shown(self) -> list[_Shown]:
        keybindings = self._keybindings or get_keybindings()
        made = [
            _Shown(hint, hint.key_text(keybindings), single_line(hint.label)) for hint in self.hints
        ]
        return [each for each in made if each.text and (each.key or each.hint.act is not None)]

    def _row(self, row: list[_Shown], width: int) -> str:
        if visible_width(row[0].text) > width:
            return closed(self._theme.label(cut_text(row[0].text, width, "…")))
        between = self._theme.label(_BETWEEN)
        return between.join(self._styled(shown) for shown in row)

    def _styled(self, shown: _Shown) -> str:
        key = self._theme.key(shown.key) if shown.key else ""
        label = f" {shown.label}" if key and shown.label else shown.label
        return closed(key + (self._theme.label(label) if label else ""))

    def _act_at(self, x: int, y: int) -> Callable[[], object] | None:
        start = 0
        for shown in self._rows[y] if 0 <= y < len(self._rows) else ():
            end = start + visible_width(shown.text)
            if start <= x < end:
                return shown.hint.act
            start = end + visible_width(_BETWEEN)
        return None


@frozen(eq=False)
class _Shown:
    """A hint with the key that it has now."""

    hint: KeyHint
    key: str
    label: str

    @property
    def text(self) -> str:
        return " ".join(part for part in (self.key, self.label) if part)


def _in_rows(hints: Sequence[_Shown], width: int) -> list[list[_Shown]]:
    """Return as many hints in each row as fit; one that is wider than a row has one for itself."""
    rows: list[list[_Shown]] = []
    used = 0
    for shown in hints:
        used += visible_width(_BETWEEN + shown.text)
        if not rows or used > width:
            rows.append([])
            used = visible_width(shown.text)
        rows[-1].append(shown)
    return rows
