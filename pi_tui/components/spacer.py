"""`Spacer`: empty rows."""

from __future__ import annotations

from pi_tui.component import Component


class Spacer(Component):
    """`lines` empty rows."""

    def __init__(self, lines: int = 1) -> None:
        self._rows = [""] * max(0, int(lines))

    def set_lines(self, lines: int) -> None:
        """Change the number of rows."""
        if max(0, int(lines)) != len(self._rows):
            self._rows = [""] * max(0, int(lines))

    def render(self, width: int) -> list[str]:
        """Return the empty rows."""
        return self._rows
