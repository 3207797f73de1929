"""Panels, and components one below the other."""

from __future__ import annotations

from functools import partial

from pi_tui import Container, Theme
from pi_tui.components import Box, Spacer, Text
from pi_tui.gallery.page import Page, Piece, Stage
from pi_tui.gallery.samples import samples


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    theme = stage.theme
    outer = _panel(theme, "userMessageBg", "A box is as high as what is in it.")
    outer.add_child(Spacer())
    outer.add_child(_panel(theme, "toolSuccessBg", "One in another: its background stays its own."))
    plain = Container()
    for word in ("first", "second", "third"):
        plain.add_child(Text(word, 0, 0))
    return Piece(
        samples(
            theme,
            ("Box(padding_x, padding_y, bg)", outer),
            ("a box without rows in it takes none", Box(1, 1, partial(theme.bg, "toolErrorBg"))),
            ("Container(): no padding, no gaps", plain),
        )
    )


def _panel(theme: Theme, token: str, text: str) -> Box:
    box = Box(2, 1, partial(theme.bg, token))
    box.add_child(Text(text, 0, 0))
    return box


PAGE = Page(
    "Box, Container, Spacer",
    "Box puts padding and a background around others, Container stacks them, Spacer keeps rows empty.",
    build,
    ("Box", "Container", "Spacer"),
)
