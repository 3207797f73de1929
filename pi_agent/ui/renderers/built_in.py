"""Which row shows the calls of which tool."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pi_agent.ui.renderers.bash import BashRow
from pi_agent.ui.renderers.edit import EditRow
from pi_agent.ui.renderers.generic import GenericRow
from pi_agent.ui.renderers.read import ReadRow
from pi_agent.ui.renderers.tool_row import ToolRow
from pi_agent.ui.renderers.write import WriteRow
from pi_tui.theme import Theme

_ROWS: Mapping[str, type[ToolRow]] = {
    "read": ReadRow,
    "bash": BashRow,
    "edit": EditRow,
    "write": WriteRow,
}


def row_for(tool: str, theme: Theme, expand_key: str, *, links_from: Path | None = None) -> ToolRow:
    """Return a new row for a call of `tool`."""
    row = _ROWS.get(tool)
    if row is None:
        return GenericRow(tool, theme, expand_key)
    return row(theme, expand_key, links_from=links_from)
