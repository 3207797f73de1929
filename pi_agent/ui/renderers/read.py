"""How a `read` call looks: the path and the range; the text only when expanded."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pi_agent.base.wire import JsonValue
from pi_agent.ui.renderers.code import code_lines
from pi_agent.ui.renderers.tool_row import ToolRow
from pi_agent.ui.renderers.truncation import truncation_of
from pi_tui.wrap import wrap_rows

# What the tool tells the model of lines that are missing.
_FOOTER = re.compile(
    r"(?:\A|\n\n)\[(?:Showing lines|Line \d+ is|\d+ more lines in file) ?[^\n]*\]\Z"
)


class ReadRow(ToolRow):
    """Shows which part of which file was read."""

    collapsed_rows = 0

    def title(self, arguments: Mapping[str, JsonValue]) -> str:
        """Return the path and the lines that were asked for."""
        title = self.path_title("read", arguments)
        start, count = arguments.get("offset"), arguments.get("limit")
        if isinstance(start, int | float) or isinstance(count, int | float):
            first = int(start) if isinstance(start, int | float) else 1
            last = f"-{first + int(count) - 1}" if isinstance(count, int | float) else ""
            title += self.theme.fg("warning", f":{first}{last}")
        return title

    def body(self, width: int) -> list[str]:
        """Return the text if it is wanted, and whether it is all."""
        if self.state == "error":
            return self.output_rows(width)
        cut = truncation_of(self.details)
        warning = self.warning(cut.warning, width) if cut is not None else []
        return [*self._text_rows(width), *warning] if self.expanded else warning

    def _text_rows(self, width: int) -> list[str]:
        if not self.output:
            return []
        text = _FOOTER.sub("", self.output)
        lines = code_lines(text, self.arguments.get("path"), self.theme)
        return [row for line in lines for row in wrap_rows(line, width)]
