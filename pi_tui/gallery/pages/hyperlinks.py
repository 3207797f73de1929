"""Links that the terminal opens."""

from __future__ import annotations

from pi_tui import hyperlink
from pi_tui.components import Text
from pi_tui.gallery.page import Page, Piece, Stage
from pi_tui.gallery.samples import samples


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    underline = stage.theme.underline
    short = underline(hyperlink("example.org", "https://example.org/"))
    long = underline(hyperlink("one link over several rows of text " * 3, "https://example.org/b"))
    return Piece(
        samples(
            stage.theme,
            ("hyperlink(text, url)", Text(f"An address: {short}, or what is behind it.", 0, 0)),
            ("wrapped, each row is a link to the same place", Text(long, 0, 0)),
        )
    )


PAGE = Page(
    "Hyperlinks",
    "Click a link: the screen has the mouse, and tells its `open_url`. Terminals that know links mark and open them by"
    " themselves, with Ctrl or Shift held.",
    build,
    ("hyperlink",),
)
