"""Parts of something long: at its start, at its end, in the middle; with a bar; all of it."""

from __future__ import annotations

from typing import Literal

from pi_tui.component import Renderable
from pi_tui.components.scroll_view import ScrollView
from pi_tui.components.scrollbar import ScrollbarMode
from pi_tui.components.text import Text
from pi_tui.components.transcript import Transcript
from pi_tui.theme import Theme
from tests.pi_tui.components.stories.stage import LaidOut


class _Scrolled(LaidOut):
    """A view that is scrolled before it is looked at."""

    def __init__(self, view: ScrollView, row: int, rows: int) -> None:
        super().__init__(view, rows)
        self._view = view
        self._row = row

    def render(self, width: int) -> list[str]:
        """Return the rows."""
        super().render(width)
        self._view.scroll_to(self._row)
        return super().render(width)


def _view(
    entries: int, follow: Literal["none", "end"] = "none", scrollbar: ScrollbarMode = "hidden"
) -> ScrollView:
    document = Transcript()
    for number in range(entries):
        document.append(Text(f"Entry {number} with some words to wrap on narrow rows", 0, 0))
    return ScrollView(document, follow=follow, scrollbar=scrollbar)


def _at_the_end(theme: Theme) -> Renderable:
    return LaidOut(_view(30, "end"), 6)


STORIES = {
    "empty": lambda theme: LaidOut(_view(0), 3),
    "at-the-start": lambda theme: LaidOut(_view(30), 6),
    "at-the-end": _at_the_end,
    "in-the-middle": lambda theme: _Scrolled(_view(30), 20, 6),
    "all-of-it": lambda theme: LaidOut(_view(2), 6),
}
