"""A component of the toolkit as a dialog: between two rules, if there are rows for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from pi_tui.component import Component
from pi_tui.events import KeyEvent, MouseEvent, MouseResult, PasteEvent
from pi_tui.mouse_delivery import deliver_mouse
from pi_tui.theme import Theme

_RULES = 2
_ROWS_WITH_RULES = 8


class Content(Protocol):
    """What can be framed."""

    focused: bool
    max_rows: int | None

    def render(self, width: int) -> list[str]:
        """Return the rows."""
        ...

    def invalidate(self) -> None:
        """Drop all caches."""
        ...

    def handle_key(self, event: KeyEvent) -> bool:
        """Take a key."""
        ...

    def handle_paste(self, event: PasteEvent) -> None:
        """Take a paste."""
        ...


class Framed(Component):
    """Hands all input on to its content."""

    captures_viewport_input = True

    def __init__(self, content: Content, theme: Theme) -> None:
        self.max_rows: int | None = None
        self._content = content
        self._theme = theme

    @property
    def focused(self) -> bool:
        """Whether the content has the keys."""
        return self._content.focused

    @focused.setter
    def focused(self, focused: bool) -> None:
        self._content.focused = focused

    @property
    def _has_rules(self) -> bool:
        return self.max_rows is None or self.max_rows >= _ROWS_WITH_RULES

    def invalidate(self) -> None:
        """Drop all caches."""
        self._content.invalidate()

    def render(self, width: int) -> list[str]:
        """Return the content's rows between the rules."""
        taken = _RULES if self._has_rules else 0
        self._content.max_rows = None if self.max_rows is None else self.max_rows - taken
        rows = self._content.render(width)
        rule = self._theme.fg("border", "─" * width)
        return [rule, *rows, rule] if taken else rows

    def handle_key(self, event: KeyEvent) -> bool:
        """Hand a key on."""
        return self._content.handle_key(event)

    def handle_paste(self, event: PasteEvent) -> None:
        """Hand a paste on."""
        self._content.handle_paste(event)

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Hand on what does not lie over a rule."""
        inner = replace(event, y=event.y - 1) if self._has_rules else event
        return deliver_mouse(self._content, inner)
