"""Two panes and a line between them."""

from __future__ import annotations

from functools import partial

from pi_tui.components import ScrollView, Split, Text
from pi_tui.gallery.page import Page, Piece, Stage

_WORDS = "Each pane scrolls by itself. " * 40


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    theme = stage.theme
    left, right = (ScrollView(Text(f"{side}: {_WORDS}", 1, 0)) for side in ("Left", "Right"))
    line, held = partial(theme.fg, "borderMuted"), partial(theme.fg, "accent")
    split = Split(left, right, "row", 0.4, line, held, min_columns=16)
    split.on_change = lambda ratio: stage.say(f"{ratio:.0%} for the first")
    return Piece(split, focus=(split.divider,), fills=True)


PAGE = Page(
    "Split",
    "Drag the line, or move it with the arrows. Made narrow, the panes lie one above the other.",
    build,
    ("Split",),
)
