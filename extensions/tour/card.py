"""A message of the extension in the conversation, drawn by the extension itself."""

from __future__ import annotations

from pi_agent import CustomMessage, MessageRenderOptions, TextContent
from pi_tui import (
    Component,
    Theme,
    highlight_code,
    replace_control_characters,
    truncate_to_width,
    wrap_text_with_ansi,
)

HOW = """\
def draw(message, options, theme):
    return Card(message, options, theme)

pi.register_message_renderer("tour", draw)"""


class Card(Component):
    """The message in a frame; expanded it shows how that is done."""

    def __init__(self, message: CustomMessage, options: MessageRenderOptions, theme: Theme) -> None:
        self._message = message
        self._options = options
        self._theme = theme

    def render(self, width: int) -> list[str]:
        """Return the frame, with a column free at both sides."""
        pad = self._options.output_pad if width > 8 else 0
        room = width - 2 * pad
        if room < 5:
            return [truncate_to_width(line, width, "") for line in self._lines()]
        inner = room - 4
        rows = [row for line in self._lines() for row in wrap_text_with_ansi(line, inner) or [""]]
        side = self._theme.fg("borderAccent", "│")
        framed = [f"{side} {truncate_to_width(row, inner, '', pad=True)} {side}" for row in rows]
        line = "─" * (room - 2)
        top, bottom = (self._theme.fg("borderAccent", edge) for edge in (f"╭{line}╮", f"╰{line}╯"))
        return [" " * pad + row for row in (top, *framed, bottom)]

    def _lines(self) -> list[str]:
        hint = self._options.key_hint("app.tools.expand", self._hint())
        # A session's file may have been written by anybody.
        lines = [self._theme.fg("text", replace_control_characters(_text(self._message)))]
        if self._options.expanded:
            lines += ["", *highlight_code(self._theme, HOW, "python"), ""]
        return [*lines, self._theme.fg("muted", hint)]

    def _hint(self) -> str:
        return "shows less" if self._options.expanded else "shows how"


def _text(message: CustomMessage) -> str:
    content = message.content
    if isinstance(content, str):
        return content
    return "".join(block.text for block in content if isinstance(block, TextContent))
