"""An answer of the model as it streams: thinking, text, and how it ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import is_
from typing import TYPE_CHECKING

from pi_agent.llm.messages import AssistantMessage, TextContent, ThinkingContent
from pi_agent.llm.overflow import is_context_overflow
from pi_agent.ui.messages.markdown import answer_markdown, thinking_markdown
from pi_agent.ui.plain import GrowingPlainText, plain_text
from pi_agent.ui.retry_status import aborted_after
from pi_tui.component import Component, Renderable, invalidate_all, render_child
from pi_tui.components.text import Text
from pi_tui.events import MouseEvent, MouseResult
from pi_tui.theme import Theme

if TYPE_CHECKING:
    from pi_tui.components.markdown import Markdown

_REASON_CHARACTERS = 2000  # some servers answer with a whole page
_HIDDEN_THINKING = "Thinking..."
_TOO_LONG = (
    "\nThe conversation no longer fits the model's window: /compact puts a summary in the place of what was said"
    " longest ago, /model chooses a model with a larger window."
)


class _Block:
    """One block of the message, and its text as it is shown."""

    def __init__(self, view: Markdown) -> None:
        self.view = view
        self._plain = GrowingPlainText()

    def set_text(self, text: str) -> None:
        """Show a text."""
        self.view.set_text(self._plain.of(text))


class AssistantView(Component):
    """Shows a message; `update` takes the live object again whenever it has grown.

    Each block keeps its `Markdown`, so that a token costs a piece of the last block. What was said is looked at
    when it is drawn: tokens come faster than frames. `attempts`: how often this answer had been asked for in vain.
    `hides_thinking` is asked whether a line stands in for what was thought.
    """

    def __init__(
        self,
        theme: Theme,
        attempts: int = 0,
        *,
        hyperlinks: bool = False,
        hides_thinking: Callable[[], bool] = lambda: False,
    ) -> None:
        self._theme = theme
        self._hides_thinking = hides_thinking
        self._attempts = attempts
        self._hyperlinks = hyperlinks
        self._blocks: dict[tuple[int, str], _Block] = {}
        self._shown: list[Renderable] = []
        self._message: AssistantMessage | None = None
        self._is_stale = False
        self._ending = Text("", 1, 0)
        look = partial(theme.style, fg="thinkingText", italic=True)
        self._hidden_thinking = Text(_HIDDEN_THINKING, 1, 0, style=look)
        self._is_thinking_open = False
        self.on_clicked: Callable[[], None] = lambda: None  # before hidden thinking opens or closes
        self._drawn: list[Renderable] = []
        self._parts: list[list[str]] = []
        self._rows: list[str] = []

    def update(self, message: AssistantMessage) -> None:
        """Show the message as it is now."""
        self._message = message
        self._is_stale = True

    def invalidate(self) -> None:
        """Drop caches and colour again."""
        invalidate_all([*(block.view for block in self._blocks.values()), self._ending])
        self._is_stale = True

    def render(self, width: int) -> list[str]:
        """Return the rows, an empty one before each block; none while there is nothing to show."""
        if self._is_stale and self._message is not None:
            self._shown = list(self._shown_parts(self._message))
        self._is_stale = False
        drawn = [(view, rows) for view in self._shown if (rows := render_child(view, width))]
        parts = [rows for _, rows in drawn]
        self._drawn = [view for view, _ in drawn]
        if not _are_same(parts, self._parts):
            self._parts = parts
            self._rows = [row for part in parts for row in ("", *part)]
        return self._rows

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Open hidden thinking at a click on the line that stands in for it; its first row closes it again."""
        if event.type != "click" or event.button != "left" or not self._hides_thinking():
            return None
        top = 1  # below an empty row
        for view, rows in zip(self._drawn, self._parts, strict=True):
            if event.y == top and (view is self._hidden_thinking or self._is_thinking(view)):
                self.on_clicked()
                self._is_thinking_open = not self._is_thinking_open
                self._is_stale = True
                return MouseResult(handled=True)
            top += len(rows) + 1
        return None

    def _is_thinking(self, view: Renderable) -> bool:
        blocks = self._blocks.items()
        return any(kind == "thinking" and block.view is view for (_, kind), block in blocks)

    def _shown_parts(self, message: AssistantMessage) -> Iterator[Renderable]:
        """Yield what the message consists of, brought up to date."""
        for index, content in enumerate(message.content):
            hides = self._hides_thinking() and not self._is_thinking_open
            if isinstance(content, ThinkingContent) and hides:
                if content.thinking.strip():
                    yield self._hidden_thinking
            elif isinstance(content, TextContent | ThinkingContent):
                yield self._block(index, content).view
        self._ending.set_text(self._ending_text(message))
        yield self._ending

    def _block(self, index: int, content: TextContent | ThinkingContent) -> _Block:
        block = self._blocks.get((index, content.type))
        if block is None:
            block = _Block(self._new_view(content))
            self._blocks[index, content.type] = block
        block.set_text(content.text if isinstance(content, TextContent) else content.thinking)
        return block

    def _new_view(self, content: TextContent | ThinkingContent) -> Markdown:
        if isinstance(content, ThinkingContent):
            return thinking_markdown(self._theme, hyperlinks=self._hyperlinks)
        return answer_markdown(self._theme, hyperlinks=self._hyperlinks)

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


def _are_same(parts: Sequence[list[str]], before: Sequence[list[str]]) -> bool:
    return len(parts) == len(before) and all(map(is_, parts, before))
