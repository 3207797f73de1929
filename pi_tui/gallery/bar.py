"""`Bar`: one row with something at its left and something at its right."""

from __future__ import annotations

from collections.abc import Callable

from pi_tui import Component, truncate_to_width, visible_width


class Bar(Component):
    """A row that asks for its texts when it is drawn. Where room is short the right one goes first."""

    def __init__(
        self,
        left: Callable[[], str],
        right: Callable[[], str] = str,
        style: Callable[[str], str] = str,
    ) -> None:
        self._left = left
        self._right = right
        self._style = style

    def render(self, width: int) -> list[str]:
        """Return the row."""
        left, right = self._left(), self._right()
        room = width - visible_width(left) - visible_width(right)
        if room > 0:
            return [self._style(left + " " * room + right)]
        return [self._style(truncate_to_width(left, width, "…", pad=True))]
