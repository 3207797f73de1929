"""Diffs: none, a changed word, lines that came and went, long and wide lines, a missing line end."""

from __future__ import annotations

from pi_tui.component_themes import get_diff_theme
from pi_tui.components.diff_view import DiffView
from pi_tui.theme import Theme

_OLD = "".join(f"line {number} of the file\n" for number in range(1, 21))
_NEW = (
    _OLD.replace("line 5 of", "line five of")
    .replace("line 6 of the file\n", "")
    .replace(
        "line 17 of the file\n",
        "line 17 of the file\nA line that is new, 日本語 in it, and long.\n",
    )
)


def _diff(theme: Theme, old: str, new: str) -> DiffView:
    return DiffView(old, new, get_diff_theme(theme), context=2)


def _side_by_side(theme: Theme) -> DiffView:
    view = _diff(theme, _OLD, _NEW)
    view.layout = "sideBySide"
    return view


STORIES = {
    "no-changes": lambda theme: _diff(theme, _OLD, _OLD),
    "usual": lambda theme: _diff(theme, _OLD, _NEW),
    "side-by-side": _side_by_side,
    "new-file": lambda theme: _diff(theme, "", "def f() -> None:\n\treturn None\n"),
    "no-line-end": lambda theme: _diff(theme, "same\nlast\n", "same\nlast"),
    "controls-in-it": lambda theme: _diff(theme, "plain\n", "\x1b[31mred\x1b[0m\x07\r\n"),
}
