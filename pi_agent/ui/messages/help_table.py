"""Names with what they do: what `/help` shows."""

from __future__ import annotations

from collections.abc import Sequence

from pi_agent.ui.cached_rows import CachedRows
from pi_agent.ui.plain import plain_line
from pi_tui.theme import Theme
from pi_tui.width import visible_width
from pi_tui.wrap import wrap_rows

_GAP = 2
_LEAST_RIGHT = 24


class HelpTable(CachedRows):
    """Groups of (name, description), an empty row before each. Where it is narrow the name has its own row."""

    def __init__(self, groups: Sequence[Sequence[tuple[str, str]]], theme: Theme) -> None:
        self._groups = [
            [(plain_line(name), plain_line(text)) for name, text in group] for group in groups
        ]
        self._theme = theme

    def make_rows(self, width: int) -> list[str]:
        """Return the rows."""
        padding = 1 if width > 2 else 0
        room = width - 2 * padding
        rows: list[str] = []
        for group in self._groups:
            rows += ["", *(" " * padding + row for row in self._group_rows(group, room))]
        return rows

    def _group_rows(self, group: Sequence[tuple[str, str]], room: int) -> list[str]:
        left = max((visible_width(name) for name, _ in group), default=0) + _GAP
        stacked = room - left < _LEAST_RIGHT
        indent = min(_GAP, room - 1) if stacked else left
        rows: list[str] = []
        for name, text in group:
            described = [
                " " * indent + self._theme.fg("dim", row) for row in wrap_rows(text, room - indent)
            ]
            if stacked:
                rows += [self._theme.fg("text", row) for row in wrap_rows(name, room)]
            elif described:
                beside = self._theme.fg("text", name) + " " * (left - visible_width(name))
                described[0] = beside + described[0][left:]
            rows += described
        return rows
