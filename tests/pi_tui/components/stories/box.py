"""Panels: empty, with text, one in another, with columns."""

from __future__ import annotations

from pi_tui.components.box import Box
from pi_tui.components.hstack import HStack
from pi_tui.components.text import Text
from pi_tui.layout import StackEntry
from pi_tui.theme import Theme


def _box(theme: Theme, token: str = "userMessageBg", padding: int = 2) -> Box:
    return Box(padding, 1, lambda row: theme.bg(token, row))


def _with_text(theme: Theme) -> Box:
    box = _box(theme)
    box.add_child(Text("Words on a panel, 日本語 too, as wide as the panel lets them be.", 0, 0))
    return box


def _nested(theme: Theme) -> Box:
    outer, inner = _box(theme), _box(theme, "toolSuccessBg", 1)
    inner.add_child(Text("A panel on a panel", 0, 0))
    outer.add_child(inner)
    return outer


def _with_columns(theme: Theme) -> Box:
    box = _box(theme)
    side = Text(theme.style("Branch", fg="accent", bold=True) + "\nmain 日本", 0, 0)
    about = Text("Two columns share the width: 日本語 and 👍🏽 stay whole.", 0, 0)
    box.add_child(HStack([StackEntry(side, basis=9, shrink=0), about], gap=2))
    return box


STORIES = {
    "empty": _box,
    "text": _with_text,
    "one-in-another": _nested,
    "columns": _with_columns,
}
