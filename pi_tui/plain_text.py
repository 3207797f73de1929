"""Rows without what is drawn with characters: lines and boxes, blocks, and the dots of spinners."""

from __future__ import annotations

from typing import Final

from pi_tui.patterns import pattern

# Box drawing, blocks and Braille patterns; each is one cell wide, and so is the blank in its place.
_DRAWING: Final = pattern(r"[\u2500-\u259f\u2800-\u28ff]")


def plain_row(row: str) -> str:
    """Return a row in which blanks are in the place of what is drawn."""
    return row if row.isascii() else _DRAWING.sub(" ", row)
