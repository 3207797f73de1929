"""What the user said, on a background of its own. Of a very long message the beginning and the end are shown."""

from __future__ import annotations

from pi_agent.base.truncate import truncate_head, truncate_tail
from pi_agent.ui.messages.markdown import user_markdown
from pi_agent.ui.messages.pictures import Pictures
from pi_agent.ui.plain import plain_text
from pi_tui.component import Component
from pi_tui.theme import Theme

# Semantic zones (OSC 133): by them a view finds the way from one message of the user to another.
_ZONE_START = "\x1b]133;A\x07"
_ZONE_END = "\x1b]133;B\x07\x1b]133;C\x07"

# What a frame can parse and wrap without a pause; somebody has pasted what is longer, and knows it.
_FIRST_LINES, _FIRST_BYTES = 1000, 40_000
_LAST_LINES, _LAST_BYTES = 100, 4000


class UserMessageView(Component):
    """An empty row, then the message, and its pictures below it."""

    def __init__(
        self,
        text: str,
        theme: Theme,
        *,
        hyperlinks: bool = False,
        pictures: Pictures | None = None,
    ) -> None:
        self._pictures = pictures or Pictures(theme)
        self._text = user_markdown(worth_showing(plain_text(text)), theme, hyperlinks=hyperlinks)
        self._rows: tuple[list[str], list[str]] | None = None

    def invalidate(self) -> None:
        """Drop the rows already made."""
        self._text.invalidate()
        self._pictures.invalidate()

    def render(self, width: int) -> list[str]:
        """Return the rows; the same list while nothing changed."""
        return self._pictures.below(self._said(width), width)

    def _said(self, width: int) -> list[str]:
        lines = self._text.render(width)
        if not lines:
            return lines
        if self._rows is None or self._rows[0] is not lines:
            first, *middle, last = lines  # there is padding above and below
            self._rows = (lines, ["", _ZONE_START + first, *middle, _ZONE_END + last])
        return self._rows[1]


def worth_showing(text: str) -> str:
    """Return a text of any length as it is shown: a very long one by its beginning and its end."""
    head = truncate_head(text, max_lines=_FIRST_LINES, max_bytes=_FIRST_BYTES)
    first = text[:_FIRST_BYTES] if head.first_line_exceeds_limit else head.content
    rest = text[len(first) :].removeprefix("\n")
    tail = truncate_tail(rest, max_lines=_LAST_LINES, max_bytes=_LAST_BYTES)
    if not tail.truncated:
        return text
    lines = tail.total_lines - tail.output_lines
    left_out = f"{lines:,} lines" if lines > 1 else "a part of a long line"
    return f"{first}\n\n... ({left_out} here, sent but not shown) ...\n\n{tail.content}"
