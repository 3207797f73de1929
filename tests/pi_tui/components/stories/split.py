"""Two panes: side by side, one above the other, with the line in the hands of the keys."""

from __future__ import annotations

from pi_tui.components.split import Split
from pi_tui.components.text import Text
from pi_tui.theme import Theme

_LEFT = "The left pane, with words that wrap where the room is short."
_RIGHT = "The right pane: 日本語 and 👍🏽 stay whole."


def _split(theme: Theme, left: str = _LEFT, right: str = _RIGHT, ratio: float = 0.4) -> Split:
    def line(text: str) -> str:
        return theme.fg("borderMuted", text)

    def focused_line(text: str) -> str:
        return theme.fg("accent", text)

    panes = (Text(left, 0, 0), Text(right, 0, 0))
    return Split(*panes, "row", ratio, line, focused_line)


def _below(theme: Theme) -> Split:
    split = _split(theme)
    split.direction = "column"
    return split


def _held(theme: Theme) -> Split:
    split = _split(theme)
    split.divider.focused = True
    return split


STORIES = {
    "empty": lambda theme: _split(theme, "", ""),
    "side-by-side": _split,
    "one-above-the-other": _below,
    "line-with-the-keys": _held,
    "nothing-left-for-one": lambda theme: _split(theme, ratio=0.0),
}
