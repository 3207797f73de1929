"""Sharing room among children: `HStack`, `VStack` and the wishes in their `StackEntry`."""

from __future__ import annotations

from functools import partial

from pi_tui import Component, StackEntry, Theme, truncate_to_width
from pi_tui.components import HStack, Text, VStack
from pi_tui.gallery.page import Page, Piece, Stage


class Measure(Component):
    """A cell of a layout that tells its wishes, and the columns that it got."""

    def __init__(self, theme: Theme, token: str, wishes: str) -> None:
        self._wishes = wishes
        self._paint = partial(theme.bg, token)

    def render(self, width: int) -> list[str]:
        """Return both behind a bar, on a background that shows how far the cell reaches."""
        rows = (f"│{self._wishes}", f"│{width} columns")
        return [self._paint(truncate_to_width(row, width, "…", pad=True)) for row in rows]


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    theme = stage.theme
    green, red, grey = (
        partial(Measure, theme, token) for token in ("toolSuccessBg", "toolErrorBg", "selectedBg")
    )
    fixed_and_rest = HStack(
        [
            StackEntry(green("basis=12"), basis=12, shrink=0),
            StackEntry(red("basis=0, grow=1"), basis=0, grow=1),
        ],
        gap=1,
    )
    by_weight = HStack(
        [
            StackEntry(green("grow=1"), basis=0, grow=1),
            StackEntry(red("grow=2"), basis=0, grow=2),
            StackEntry(grey("grow=1, max_size=14"), basis=0, grow=1, max_size=14),
        ],
        gap=1,
    )
    shrinking = HStack(
        [
            StackEntry(green("basis=30, min_size=10"), basis=30, min_size=10),
            StackEntry(red("basis=30, shrink=2"), basis=30, shrink=2),
        ]
    )
    only_where_wide = StackEntry(
        Text("This row is there from 60 columns on.", 0, 0), visible=lambda port: port.width >= 60
    )
    return Piece(VStack([fixed_and_rest, by_weight, shrinking, only_where_wide], gap=1))


PAGE = Page(
    "HStack, VStack",
    "A stack shares its room: a basis, what is left by grow, what is missing by shrink, within limits.",
    build,
    ("HStack", "VStack", "StackEntry"),
)
