"""How a `write` call looks: the path and the first lines of the content; its end while it is still coming."""

from __future__ import annotations

from collections.abc import Mapping

from pi_agent.base.truncate import count_lines
from pi_agent.base.wire import JsonValue
from pi_agent.ui.plain import plain_text
from pi_agent.ui.renderers.code import code_lines
from pi_agent.ui.renderers.excerpt import first_lines, first_rows, last_rows
from pi_agent.ui.renderers.tool_row import MOST_ROWS, ToolRow

# The end of a growing content that is looked at for each frame.
_TAIL_CHARACTERS = 4000


class WriteRow(ToolRow):
    """Shows what is written where."""

    def title(self, arguments: Mapping[str, JsonValue]) -> str:
        """Return the path."""
        return self.path_title("write", arguments)

    def body(self, width: int) -> list[str]:
        """Return the content, and the reason of a failure."""
        content = self.arguments.get("content")
        rows = self._content_rows(content, width) if isinstance(content, str) else []
        return rows + (self.output_rows(width) if self.state == "error" else [])

    def _content_rows(self, content: str, width: int) -> list[str]:
        if not content:
            return []
        if self.has_all_arguments or self.expanded:
            return ["", *self._first_rows(content, width)]
        tail = plain_text(content[-_TAIL_CHARACTERS:]).rstrip("\n")
        rows = last_rows(tail, self.collapsed_rows, width).rows
        return ["", *(self.theme.fg("toolOutput", row) for row in rows)]

    def _first_rows(self, content: str, width: int) -> list[str]:
        limit = MOST_ROWS if self.expanded else self.collapsed_rows
        total = count_lines(content)
        lines, whole = first_lines(content, min(limit, total))
        shown = first_rows(self._colored(plain_text("\n".join(lines))), limit, width)
        hidden = total - min(shown.lines, whole)
        if not hidden:
            return shown.rows
        more = f"{hidden} more lines, {total} total"
        return [*shown.rows, *self.hint(more, width)]

    def _colored(self, text: str) -> list[str]:
        return code_lines(text, self.arguments.get("path"), self.theme)
