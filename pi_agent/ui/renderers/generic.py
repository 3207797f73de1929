"""How a call looks whose tool has no look of its own: name and arguments."""

from __future__ import annotations

import json
from collections.abc import Mapping

from pi_agent.base.wire import JsonValue
from pi_agent.ui.plain import plain_line
from pi_agent.ui.renderers.tool_row import ToolLook
from pi_tui.theme import Theme
from pi_tui.width import truncate_to_width

_TITLE_CELLS = 100


def generic_look(name: str) -> ToolLook:
    """Return the look for calls of the tool `name`."""

    def title(arguments: Mapping[str, JsonValue], theme: Theme) -> str:
        title = theme.style(plain_line(name), fg="toolTitle", bold=True)
        shown = " ".join(f"{key}={_short(value)}" for key, value in arguments.items())
        plain = truncate_to_width(plain_line(shown), _TITLE_CELLS, "…")
        return f"{title} {theme.fg('muted', plain)}"

    return ToolLook(title, lines=10)


def _short(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
