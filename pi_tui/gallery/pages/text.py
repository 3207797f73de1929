"""Text that wraps, and text that is cut."""

from __future__ import annotations

from functools import partial

from pi_tui.components import Text, TruncatedText
from pi_tui.gallery.page import Page, Piece, Stage
from pi_tui.gallery.samples import samples

_PROSE = "Words wrap where they fit, 世界 as well as others, and averyverylongword is cut where the row ends."


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    theme = stage.theme
    panel = partial(theme.bg, "userMessageBg")
    return Piece(
        samples(
            theme,
            ("Text(text, 0, 0)", Text(_PROSE, 0, 0)),
            ("padding and a background", Text(_PROSE, 2, 1, bg=panel)),
            ("a style for the text of each row", Text(_PROSE, 0, 0, style=theme.italic)),
            ("TruncatedText(text)", TruncatedText(_PROSE)),
            ("with padding", TruncatedText(_PROSE, 2)),
        )
    )


PAGE = Page(
    "Text",
    "Text wraps to the width that it gets, TruncatedText shows what fits in one row. Move the slider.",
    build,
    ("Text", "TruncatedText"),
)
