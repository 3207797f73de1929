"""Any colour and attribute, in what the terminal can show."""

from __future__ import annotations

from pi_tui import Component, Theme, parse_color
from pi_tui.components import Text
from pi_tui.gallery.page import Page, Piece, Stage
from pi_tui.gallery.samples import samples


class Rainbow(Component):
    """A row of blanks, each on a colour of its own."""

    def __init__(self, theme: Theme, lightness: int) -> None:
        self._theme = theme
        self._lightness = lightness

    def render(self, width: int) -> list[str]:
        """Return the row."""
        hues = [round(360 * x / width) for x in range(width)]
        colors = (parse_color(f"okhsl({hue} 80% {self._lightness}%)") for hue in hues)
        return ["".join(self._theme.style(" ", bg=color) for color in colors)]


class Attributes(Text):
    """The attributes, drawn anew with the theme."""

    def __init__(self, theme: Theme) -> None:
        style = theme.style
        parts = (
            style("bold", bold=True),
            style("dim", dim=True),
            style("italic", italic=True),
            style("underline", underline=True),
            style("inverse", inverse=True),
            style("struck", strikethrough=True),
        )
        super().__init__(" ".join(parts), 0, 0)


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    theme = stage.theme
    return Piece(
        samples(
            theme,
            ("", Rainbow(theme, 70)),
            ("", Rainbow(theme, 45)),
            ("attributes, which are there without colors, too", Attributes(theme)),
        )
    )


PAGE = Page(
    "Color depths",
    "Ctrl+O goes on: true colors, 256, 16, none. A theme writes what the terminal understands.",
    build,
    ("get_terminal_color_mode", "ColorMode", "parse_color"),
)
