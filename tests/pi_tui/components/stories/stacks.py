"""Stacks: side by side and one below the other, with wishes that can and cannot be had."""

from __future__ import annotations

from pi_tui.component import Renderable
from pi_tui.components.hstack import HStack
from pi_tui.components.stack import VStack
from pi_tui.components.text import Text
from pi_tui.layout import StackEntry
from pi_tui.theme import Theme
from tests.pi_tui.components.stories.stage import LaidOut


def _panel(theme: Theme, text: str, token: str = "userMessageBg") -> Text:
    return Text(text, 1, 0, lambda row: theme.bg(token, row))


def _columns(theme: Theme) -> Renderable:
    fixed = StackEntry(_panel(theme, "eight"), basis=8, shrink=0)
    rest = StackEntry(_panel(theme, "what is left of the width", "toolSuccessBg"), basis=0, grow=1)
    return HStack([fixed, rest], gap=1)


def _shrinking(theme: Theme) -> Renderable:
    tokens = ("userMessageBg", "toolSuccessBg", "toolErrorBg")
    return HStack([_panel(theme, "all of them would be wide", token) for token in tokens], gap=1)


def _rows(theme: Theme) -> Renderable:
    top = StackEntry(_panel(theme, "as high as it is"), shrink=0)
    middle = StackEntry(_panel(theme, "grows", "toolSuccessBg"), basis=0, grow=1)
    return LaidOut(VStack([top, middle, _panel(theme, "at the bottom")], gap=1), 8)


def _too_much(theme: Theme) -> Renderable:
    long = _panel(theme, "one\ntwo\nthree\nfour\nfive\nsix")
    return LaidOut(VStack([long, StackEntry(_panel(theme, "stays"), shrink=0)]), 4)


STORIES = {
    "empty": lambda theme: VStack(),
    "columns": _columns,
    "columns-that-shrink": _shrinking,
    "rows": _rows,
    "rows-without-room": _too_much,
}
