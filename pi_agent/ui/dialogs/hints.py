"""What keys do in a dialog, in its last rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from pi_tui.component_themes import KeyHintsTheme
from pi_tui.components.key_hints import KeyHint, KeyHints
from pi_tui.theme import Theme


class DialogHints(KeyHints):
    """As many rows as the hints of the moment need; none of them is left out."""

    def __init__(self, theme: Theme) -> None:
        dim = partial(theme.fg, "dim")
        super().__init__((), KeyHintsTheme(dim, dim), max_rows=None)

    def rows(self, hints: Sequence[KeyHint], width: int) -> list[str]:
        """Return the rows of these hints."""
        self.hints = list(hints)
        return self.render(width)
