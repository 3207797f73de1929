"""How a `write` call looks: the path and the first lines of the content; its end while it is still coming."""

from __future__ import annotations

from collections.abc import Mapping

from pi_agent.base.truncate import count_lines
from pi_agent.base.wire import JsonValue
from pi_agent.ui.plain import plain_text
from pi_agent.ui.renderers.excerpt import first_rows, last_rows
from pi_agent.ui.renderers.tool_row import ToolRow, path_title
from pi_tui.wrap import wrap_rows

# The end of a growing content that is looked at for each frame.
_TAIL_CHARACTERS = 4000
# Enough of a content for the rows of a collapsed one.
_HEAD_CHARACTERS = 20_000


class WriteRow(ToolRow):
    """Shows what is written where."""

    def title(self, arguments: Mapping[str, JsonValue]) -> str:
        """Return the path."""
        return path_title("write", arguments, self.theme)

    def body(self, width: int) -> list[str]:
        """Return the content, and the reason of a failure."""
        content = self.arguments.get("content")
        rows = self._content_rows(content, width) if isinstance(content, str) else []
        return rows + (self.output_rows(width) if self.state == "error" else [])

    def _content_rows(self, content: str, width: int) -> list[str]:
        if not content:
            return []
        if self.expanded:
            rows = wrap_rows(plain_text(content).removesuffix("\n"), width)
        elif self.has_all_arguments:
            return ["", *self._first_rows(content, width)]
        else:
            tail = plain_text(content[-_TAIL_CHARACTERS:]).rstrip("\n")
            rows = last_rows(tail, self.collapsed_rows, width).rows
        return ["", *(self.theme.fg("toolOutput", row) for row in rows)]

    def _first_rows(self, content: str, width: int) -> list[str]:
        shown = first_rows(plain_text(content[:_HEAD_CHARACTERS]), self.collapsed_rows, width)
        rows = [self.theme.fg("toolOutput", row) for row in shown.rows]
        total = count_lines(content)
        if shown.lines >= total:
            return rows
        return [*rows, *self.hint(f"{total - shown.lines} more lines, {total} total", width)]
