"""How a `bash` call looks: the command, and the end of its output."""

from __future__ import annotations

from collections.abc import Mapping

from pi_agent.base.wire import JsonValue
from pi_agent.ui.renderers.tool_row import ToolLook, shown_argument
from pi_tui.theme import Theme


def _title(arguments: Mapping[str, JsonValue], theme: Theme) -> str:
    command = shown_argument(arguments, "command", theme)
    title = theme.style(f"$ {command}", fg="toolTitle", bold=True)
    timeout = arguments.get("timeout")
    if isinstance(timeout, int | float):
        title += theme.fg("muted", f" (timeout {timeout:g}s)")
    return title


BASH_LOOK = ToolLook(_title, lines=5, tail=True)
