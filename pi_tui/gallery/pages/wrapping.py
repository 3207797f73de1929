"""Wrapping of text with styles and links in it."""

from __future__ import annotations

from functools import partial

from pi_tui import (
    Component,
    Theme,
    apply_background_to_line,
    hyperlink,
    slice_by_column,
    wrap_text_with_ansi,
)
from pi_tui.gallery.page import Page, Piece, Stage
from pi_tui.gallery.samples import samples


class Wrapped(Component):
    """A text as `wrap_text_with_ansi` returns it, a background behind each row."""

    def __init__(self, text: str, theme: Theme) -> None:
        self._text = text
        self._background = partial(theme.bg, "userMessageBg")

    def render(self, width: int) -> list[str]:
        """Return rows of exactly `width` cells."""
        # Where there is one column only, a blank stands for a character of two.
        rows = [
            slice_by_column(row, 0, width, True) for row in wrap_text_with_ansi(self._text, width)
        ]
        return [apply_background_to_line(row, width, self._background) for row in rows]


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    theme = stage.theme
    link = hyperlink("a link that is long enough for two rows", "https://example.org/")
    return Piece(
        samples(
            theme,
            (
                "a style goes on in the next row",
                Wrapped(f"This is {theme.bold('bold for more than one row of text')}.", theme),
            ),
            ("so does a link", Wrapped(f"Here is {theme.underline(link)}.", theme)),
            (
                "between wide characters",
                Wrapped("日本語のテキストは、どこでも折り返せます。", theme),
            ),
            ("inside of a word", Wrapped("0123456789" * 8, theme)),
            ("line ends and blank lines", Wrapped("one\n\ntwo\r\nthree", theme)),
        )
    )


PAGE = Page(
    "Wrapping",
    "Every row stands alone: what it opens it closes, what goes on is opened again. Move the slider down to 1.",
    build,
    ("wrap_text_with_ansi", "apply_background_to_line"),
)
