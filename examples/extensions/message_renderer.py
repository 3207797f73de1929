"""Messages with a look of their own: a note after each run that used tools, drawn as one row that opens.

Start it with `pi -e examples/extensions/message_renderer.py`. A click or Ctrl+O shows the whole note. It is a message
of the conversation: the model gets it, too, and a resumed session draws it again.
"""

from __future__ import annotations

from collections import Counter

from pi_agent import (
    CustomMessage,
    ExtensionAPI,
    ExtensionMessage,
    MessageRenderOptions,
    ToolCallEvent,
    TurnEndEvent,
    TurnEndResult,
)
from pi_tui import Component, MouseEvent, Theme, replace_control_characters, truncate_to_width


class Note(Component):
    """How often each tool was called: the sum in one row, the tools below it once it is open."""

    def __init__(self, counts: dict[str, int], options: MessageRenderOptions, theme: Theme) -> None:
        self._counts = counts
        self._options = options
        self._theme = theme
        self._is_open = options.expanded

    def render(self, width: int) -> list[str]:
        """Return rows that fit, with the columns free that pi's own messages leave free."""
        total = sum(self._counts.values())
        hint = self._options.key_hint("app.tools.expand", "shows which")
        rows = [
            self._theme.fg("accent", f"◆ {total} tool {'call' if total == 1 else 'calls'}")
            + self._theme.fg("dim", f"  {'' if self._is_open else hint}")
        ]
        if self._is_open:
            rows += [f"  {count} × {name}" for name, count in self._counts.items()]
        pad = " " * (self._options.output_pad if width > 2 else 0)
        return [truncate_to_width(pad + row, width, "…") for row in rows]

    def handle_mouse(self, event: MouseEvent) -> bool | None:
        """Open or close at a click; presses are left alone, they select text."""
        if event.type != "click" or event.button != "left":
            return None
        self._is_open = not self._is_open
        return True


def counts_of(message: CustomMessage) -> dict[str, int]:
    """Read what the message carries. It may have been written by an older version, or by hand."""
    details = message.details if isinstance(message.details, dict) else {}
    return {
        replace_control_characters(name): count
        for name, count in details.items()
        if isinstance(count, int)
    }


def setup(pi: ExtensionAPI) -> None:
    """Count calls, add a note when an answer used none any more, and draw it."""
    calls: Counter[str] = Counter()

    def draw(message: CustomMessage, options: MessageRenderOptions, theme: Theme) -> Note | None:
        counts = counts_of(message)
        # `None` leaves the message to pi, which shows its text in a box.
        return Note(counts, options, theme) if counts else None

    pi.register_message_renderer("calls", draw)

    @pi.on("tool_call")
    def count(event: ToolCallEvent) -> None:
        calls[event.tool_name] += 1

    @pi.on("turn_end")
    def note(event: TurnEndEvent) -> TurnEndResult | None:
        if event.tool_results or not calls:
            return None
        counts = dict(calls)
        calls.clear()
        said = ", ".join(f"{count} × {name}" for name, count in counts.items())
        message = ExtensionMessage("calls", f"Tools used: {said}", details={**counts})
        return TurnEndResult([*event.entries, message])
