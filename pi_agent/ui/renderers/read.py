"""How a `read` call looks: the path and the range; the text only when expanded."""

from __future__ import annotations

from collections.abc import Mapping

from pi_agent.base.wire import JsonValue
from pi_agent.ui.renderers.tool_row import ToolLook, short_path, shown_argument
from pi_tui.theme import Theme


def _title(arguments: Mapping[str, JsonValue], theme: Theme) -> str:
    path = short_path(shown_argument(arguments, "path", theme))
    title = theme.style("read", fg="toolTitle", bold=True) + " " + theme.fg("accent", path)
    start, count = arguments.get("offset"), arguments.get("limit")
    if isinstance(start, int | float) or isinstance(count, int | float):
        first = int(start) if isinstance(start, int | float) else 1
        last = f"-{first + int(count) - 1}" if isinstance(count, int | float) else ""
        title += theme.fg("warning", f":{first}{last}")
    return title


READ_LOOK = ToolLook(_title, lines=0)
