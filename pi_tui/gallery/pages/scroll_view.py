"""Views that scroll, side by side."""

from __future__ import annotations

from functools import partial

from pi_tui import StackEntry, is_viewport_tui
from pi_tui.components import HStack, ScrollView, Text
from pi_tui.gallery.page import Page, Piece, Stage

_ROWS = 60


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    # A document is as long as all that is in it: where the terminal scrolls, less is easier to read.
    rows = _ROWS if is_viewport_tui(stage.tui) else 6
    text = "\n".join(f"row {number}" for number in range(1, rows + 1))
    fg = stage.theme.fg
    styled = partial(
        ScrollView,
        scrollbar_track_style=partial(fg, "scrollbarTrack"),
        scrollbar_thumb_style=partial(fg, "scrollbarThumb"),
    )
    comes_and_goes = styled(Text(text, 0, 0), primary=True, scrollbar="auto", overscroll="contain")
    stays = styled(Text(text, 0, 0), follow="end", scrollbar="always")
    columns = [StackEntry(view, basis=0, grow=1) for view in (comes_and_goes, stays)]
    return Piece(HStack(columns, gap=1), fills=True)


PAGE = Page(
    "ScrollView",
    "Turn the wheel over either view, drag its bar, or press Page Up and Page Down, which move the left one: it is"
    " the primary view. The right one follows its end.",
    build,
    ("ScrollView",),
)
