"""How a call looks whose tool has no look of its own: name and arguments."""

from __future__ import annotations

import json
from collections.abc import Mapping

from pi_agent.base.wire import JsonValue
from pi_agent.ui.plain import plain_line
from pi_agent.ui.renderers.tool_row import ToolRow
from pi_tui.theme import Theme
from pi_tui.width import truncate_to_width

_TITLE_CELLS = 100


class GenericRow(ToolRow):
    """Shows a call of the tool `name`."""

    def __init__(self, name: str, theme: Theme, expand_key: str) -> None:
        super().__init__(theme, expand_key)
        self._name = name

    def title(self, arguments: Mapping[str, JsonValue]) -> str:
        """Return the name and the arguments."""
        title = self.theme.style(plain_line(self._name), fg="toolTitle", bold=True)
        shown = " ".join(f"{key}={_short(value)}" for key, value in arguments.items())
        plain = truncate_to_width(plain_line(shown), _TITLE_CELLS, "…")
        return f"{title} {self.theme.fg('muted', plain)}"


def _short(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
