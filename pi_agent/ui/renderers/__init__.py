"""The rows of tool calls, one file for each built-in tool. They are loaded with the first call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pi_agent.base.late_names import late_names

if TYPE_CHECKING:
    from pi_agent.ui.renderers.built_in import row_for
    from pi_agent.ui.renderers.edit import EditRow
    from pi_agent.ui.renderers.tool_row import ToolRow

__all__ = ["EditRow", "ToolRow", "row_for"]

_HOMES: Final = {
    "EditRow": "pi_agent.ui.renderers.edit",
    "ToolRow": "pi_agent.ui.renderers.tool_row",
    "row_for": "pi_agent.ui.renderers.built_in",
}

__getattr__ = late_names(__name__, _HOMES)
