"""All colours of a theme, by what they are for."""

from __future__ import annotations

from pi_tui import THEME_TOKENS, Component, Theme, truncate_to_width
from pi_tui.gallery.page import Page, Piece, Stage

_CELL = 24


class Swatches(Component):
    """A cell for each token, as many side by side as fit."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme

    def render(self, width: int) -> list[str]:
        """Return the rows."""
        cell = min(_CELL, width)
        cells = [self._swatch(name, cell) for name in THEME_TOKENS]
        in_row = width // cell
        return ["".join(cells[i : i + in_row]) for i in range(0, len(cells), in_row)]

    def _swatch(self, name: str, width: int) -> str:
        text = truncate_to_width(f" {name}", width, "…", pad=True)
        paint = self._theme.fg if THEME_TOKENS[name].slot == "fg" else self._theme.bg
        return paint(name, text)


def build(stage: Stage) -> Piece:
    """Return the page's piece."""
    return Piece(Swatches(stage.theme))


PAGE = Page(
    "Themes",
    "Ctrl+T goes on to the next theme. `system` follows from this terminal's own colors; --theme adds files. What was"
    " made for a ThemeHandle follows the switch.",
    build,
    ("Theme", "ThemeHandle", "THEME_TOKENS", "theme_from_colors", "theme_from_dict"),
)
