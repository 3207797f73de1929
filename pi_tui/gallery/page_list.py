"""`PageList`: the pages at the side, as many as there are rows for."""

from __future__ import annotations

from collections.abc import Sequence

from pi_tui import ComponentHost, SelectItem, Theme, get_select_list_theme
from pi_tui.components import SelectList

# The rows above and below the list.
_OTHER_ROWS = 3


class PageList(SelectList):
    """A list of choices that is as high as the screen lets it be."""

    def __init__(self, tui: ComponentHost, titles: Sequence[str], theme: Theme) -> None:
        items = [SelectItem(str(number), title) for number, title in enumerate(titles)]
        super().__init__(items, len(items), get_select_list_theme(theme))
        self._tui = tui

    def render(self, width: int) -> list[str]:
        """Return the pages around the one that is shown."""
        self.max_rows = max(1, self._tui.rows - _OTHER_ROWS)
        return super().render(width)
