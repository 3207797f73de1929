"""`SourceView`: the file of a page, to read and to copy from."""

from __future__ import annotations

from pathlib import Path

from pi_tui import Theme, highlight_code
from pi_tui.components import Text


class SourceView(Text):
    """Code in the colours that the theme has now."""

    def __init__(self, file: Path, theme: Theme) -> None:
        super().__init__("", 0, 0)
        self._code = file.read_text(encoding="utf-8")
        self._theme = theme
        self.invalidate()

    def invalidate(self) -> None:
        """Colour it anew: the theme changed."""
        super().invalidate()
        self.set_text("\n".join(highlight_code(self._theme, self._code, "python")))
