"""An answer of the model as it streams: thinking, text, and how it ended."""

from __future__ import annotations

from pi_agent.llm.messages import AssistantMessage, TextContent, ThinkingContent
from pi_agent.llm.overflow import is_context_overflow
from pi_agent.ui.plain import GrowingPlainText, plain_text
from pi_agent.ui.retry_status import aborted_after
from pi_tui.component import Component, Style
from pi_tui.components.container import Container
from pi_tui.components.spacer import Spacer
from pi_tui.components.text import Text
from pi_tui.theme import Theme

_REASON_CHARACTERS = 2000  # some servers answer with a whole page
_TOO_LONG = (
    "\nThe conversation no longer fits the model's window: choose one with a larger window (/model), or leave"
    " and start pi anew for a new conversation."
)


class _Block:
    """One block of the message, and its text as it is shown."""

    def __init__(self, text: Text) -> None:
        self.view = text
        self._plain = GrowingPlainText()

    def set_text(self, text: str) -> bool:
        """Show a text; returns whether there is anything to see."""
        plain = self._plain.of(text).strip("\n")
        self.view.set_text(plain)
        return bool(plain) and not plain.isspace()


class AssistantView(Component):
    """Shows a message; `update` takes the live object again whenever it has grown.

    Each block keeps its `Text`, so that a token costs a row of the last block. What was said is looked at when
    it is drawn: tokens come faster than frames. `attempts`: how often this answer had been asked for in vain.
    """

    def __init__(self, theme: Theme, attempts: int = 0) -> None:
        self._theme = theme
        self._attempts = attempts
        self._rows = Container()
        self._blocks: dict[tuple[int, str], _Block] = {}
        self._shown: list[Text] = []
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
        self._is_stale = True

    def render(self, width: int) -> list[str]:
        """Return the rows; none while there is nothing to show."""
        if self._is_stale and self._message is not None:
            self._show(self._message)
        self._is_stale = False
        return self._rows.render(width)

    def _show(self, message: AssistantMessage) -> None:
        shown = self._shown_blocks(message)
        ending = self._ending_text(message)
        self._ending.set_text(ending)
        if ending:
            shown.append(self._ending)
        if shown == self._shown:
            return
        self._shown = shown
        self._rows.clear()
        for view in shown:
            self._rows.add_child(Spacer(1))
            self._rows.add_child(view)

    def _shown_blocks(self, message: AssistantMessage) -> list[Text]:
        """Return the blocks in which there is something to see, in order."""
        shown: list[Text] = []
        for index, content in enumerate(message.content):
            if isinstance(content, TextContent):
                block = self._block(index, content.type)
                has_text = block.set_text(content.text)
            elif isinstance(content, ThinkingContent):
                block = self._block(index, content.type, self._thinking)
                has_text = block.set_text(content.thinking)
            else:
                continue
            if has_text:
                shown.append(block.view)
        return shown

    def _block(self, index: int, kind: str, style: Style | None = None) -> _Block:
        block = self._blocks.get((index, kind))
        if block is None:
            block = self._blocks[index, kind] = _Block(Text("", 1, 0, style=style))
        return block

    def _ending_text(self, message: AssistantMessage) -> str:
        if message.stop_reason == "aborted":
            return self._theme.fg("error", aborted_after(self._attempts))
        if message.stop_reason == "error":
            reason = plain_text(message.error_message or "unknown error")
            hint = _TOO_LONG if is_context_overflow(reason) else ""
            if len(reason) > _REASON_CHARACTERS:
                reason = reason[:_REASON_CHARACTERS] + "…"
            return self._theme.fg("error", f"Error: {reason}{hint}")
        if message.stop_reason == "length":
            return self._theme.fg("warning", "The answer was cut off at the output limit.")
        return ""

    def _thinking(self, text: str) -> str:
        return self._theme.style(text, fg="thinkingText", italic=True)
