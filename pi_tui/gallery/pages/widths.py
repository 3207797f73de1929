"""Text that is hard to measure."""

from __future__ import annotations

from pi_tui import (
    Component,
    Theme,
    iter_graphemes,
    normalize_terminal_output,
    slice_by_column,
    strip_terminal_sequences,
    truncate_to_width,
    visible_width,
)
from pi_tui.components import VStack
from pi_tui.gallery.page import Page, Piece, Stage

_TEXTS = (
    "plain",
    "世界",
    "ﾊﾟ",
    "e\u0301 is é",
    "👨‍👩‍👧 family",
    "👍🏽 ok",
    "🇩🇪 flag",
    "1️⃣ keycap",
    "नमस्ते",
    "กำ",
    "tab\there",
    "\x1b[31mred\x1b[0m",
)
_COLUMN = 14


class Measured(Component):
    """A text before a bar, and what it was measured to take: where the bar stands straight, it was right."""

    def __init__(self, text: str, theme: Theme) -> None:
        self._text = text
        self._theme = theme

    def render(self, width: int) -> list[str]:
        """Return the row."""
        text = normalize_terminal_output(self._text)  # a tab is three blanks, wherever it stands
        shown = truncate_to_width(text, _COLUMN, "…", pad=True)
        cells = f"{visible_width(text)} cells"
        clusters = f"{sum(1 for _ in iter_graphemes(strip_terminal_sequences(text)))} clusters"
        row = f"{shown}{self._theme.fg('border', '│')} {cells}, {clusters}"
        return [slice_by_column(row, 0, width, True)]


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    return Piece(VStack([Measured(text, stage.theme) for text in _TEXTS]))


PAGE = Page(
    "Widths",
    "How many cells a text takes: `visible_width` measures, `truncate_to_width` and `slice_by_column` cut between"
    " clusters. A bar out of line: this terminal draws that text another way than most.",
    build,
    ("visible_width", "truncate_to_width", "slice_by_column", "iter_graphemes"),
)
