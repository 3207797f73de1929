"""What the user said, on a background of its own."""

from __future__ import annotations

from pi_agent.ui.messages.markdown import user_markdown
from pi_agent.ui.plain import plain_text
from pi_tui.component import Component
from pi_tui.theme import Theme

# Semantic zones (OSC 133): by them a view finds the way from one message of the user to another.
_ZONE_START = "\x1b]133;A\x07"
_ZONE_END = "\x1b]133;B\x07\x1b]133;C\x07"


class UserMessageView(Component):
    """An empty row, then the message."""

    def __init__(self, text: str, theme: Theme, *, hyperlinks: bool = False) -> None:
        self._text = user_markdown(plain_text(text), theme, hyperlinks=hyperlinks)
        self._rows: tuple[list[str], list[str]] | None = None

    def invalidate(self) -> None:
        """Drop the rows already made."""
        self._text.invalidate()

    def render(self, width: int) -> list[str]:
        """Return the rows; the same list while nothing changed."""
        lines = self._text.render(width)
        if not lines:
            return lines
        if self._rows is None or self._rows[0] is not lines:
            first, *middle, last = lines  # there is padding above and below
            self._rows = (lines, ["", _ZONE_START + first, *middle, _ZONE_END + last])
        return self._rows[1]
