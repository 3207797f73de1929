"""An answer of the model as it streams: thinking, text, and how it ended."""

from __future__ import annotations

from pi_agent.llm.messages import AssistantMessage, TextContent, ThinkingContent
from pi_agent.ui.plain import plain_text
from pi_tui.component import Component, Container
from pi_tui.components.spacer import Spacer
from pi_tui.components.text import Text
from pi_tui.theme import Theme


class AssistantView(Component):
    """Shows a message; `update` takes the live object again whenever it has grown.

    Each block keeps its `Text`, so that a token costs a row of the last block. What was said is looked at when
    it is drawn: tokens come faster than frames.
    """

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._rows = Container()
        self._blocks: dict[int, Text] = {}
        self._message: AssistantMessage | None = None
        self._is_stale = False
        self._ending = Text("", 1, 0)

    def update(self, message: AssistantMessage) -> None:
        """Show the message as it is now."""
        self._message = message
        self._is_stale = True

    def invalidate(self) -> None:
        """Drop caches and colour again."""
        self._rows.invalidate()
        self._ending.invalidate()
        self._is_stale = True

    def render(self, width: int) -> list[str]:
        """Return the rows; none while there is nothing to show."""
        if self._is_stale and self._message is not None:
            self._show(self._message)
        self._is_stale = False
        return self._rows.render(width)

    def _show(self, message: AssistantMessage) -> None:
        for index, block in enumerate(message.content):
            if isinstance(block, TextContent):
                self._set_block(index, plain_text(block.text).strip("\n"))
            elif isinstance(block, ThinkingContent):
                thinking = plain_text(block.thinking).strip("\n")
                self._set_block(index, self._thinking(thinking) if thinking else "")
        self._set_ending(message)

    def _set_block(self, index: int, text: str) -> None:
        view = self._blocks.get(index)
        if view is None:
            if not text:
                return
            view = self._blocks[index] = Text("", 1, 0)
            self._rows.remove_child(self._ending)
            self._rows.add_child(Spacer(1))
            self._rows.add_child(view)
        view.set_text(text)

    def _set_ending(self, message: AssistantMessage) -> None:
        text = self._ending_text(message)
        if text and self._ending not in self._rows.children:
            self._rows.add_child(Spacer(1))
            self._rows.add_child(self._ending)
        self._ending.set_text(text)

    def _ending_text(self, message: AssistantMessage) -> str:
        if message.stop_reason == "aborted":
            return self._theme.fg("error", "Operation aborted")
        if message.stop_reason == "error":
            reason = plain_text(message.error_message or "unknown error")
            return self._theme.fg("error", f"Error: {reason}")
        if message.stop_reason == "length":
            return self._theme.fg("warning", "The answer was cut off at the output limit.")
        return ""

    def _thinking(self, text: str) -> str:
        return self._theme.style(text, fg="thinkingText", italic=True)
