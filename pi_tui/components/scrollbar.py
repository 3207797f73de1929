"""`Scrollbar`: the column at the right of a scroll view that tells, and changes, which part is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from pi_tui.ansi import AnsiState, split_sequences
from pi_tui.component import Component, Style
from pi_tui.events import MouseEvent, MouseResult
from pi_tui.frozen import frozen
from pi_tui.patterns import pattern
from pi_tui.width import slice_by_column

ScrollbarMode = Literal["auto", "always", "hidden"]

_TRACK, _THUMB, _ACTIVE_THUMB = "│", "┃", "█"
_SMALLEST_THUMB = 2
# Whatever may set a background, and little else.
_BACKGROUND = pattern(r"\x1b\[(?:[0-9;:]*[;:])?(?:4[0-8]|10[0-7])(?:[;:][0-9;:]*)?m")


def bright_black(text: str) -> str:
    """Return `text` in bright black."""
    return f"\x1b[90m{text}\x1b[39m"


def white(text: str) -> str:
    """Return `text` in white."""
    return f"\x1b[37m{text}\x1b[39m"


class Thumb(NamedTuple):
    """Where the thumb begins on its track, and how long it is."""

    offset: int
    size: int


@frozen
class ScrollState:
    """What a bar shows: rows in all, rows in view (the track's length), and the row at the top."""

    content: int
    track: int
    top: int

    @property
    def most(self) -> int:
        """The last row that can be at the top."""
        return max(0, self.content - self.track)

    @property
    def thumb(self) -> Thumb:
        """The part of the track that stands for what is in view."""
        track = self.track
        wanted = _half_up(track * track, self.content) if self.content else track
        size = max(min(_SMALLEST_THUMB, track), min(wanted, track))
        offset = _half_up(min(self.top, self.most) * (track - size), self.most) if self.most else 0
        return Thumb(offset, size)

    def top_for(self, offset: int) -> int:
        """Return the row at the top when the thumb is moved to `offset`."""
        room = self.track - self.thumb.size
        return _half_up(max(0, min(offset, room)) * self.most, room) if room else 0


class Scrollbar(Component):
    """One column. `scroll_to(row)` is called as the thumb is dragged.

    While it does not show (`is_shown` is off) it has no rows; the pointer over its column brings it back.
    """

    def __init__(
        self, scroll_to: Callable[[int], None], track_style: Style, thumb_style: Style
    ) -> None:
        self.is_shown = False
        self._hovered = False
        self._scroll_to = scroll_to
        self._styles = (track_style, thumb_style)
        self._state = ScrollState(0, 0, 0)
        self._grabbed: int | None = None

    @property
    def hovered(self) -> bool:
        """Whether the pointer is on it. A pointer that leaves lets go of the thumb."""
        return self._hovered

    @hovered.setter
    def hovered(self, hovered: bool) -> None:
        self._hovered = hovered
        if not hovered:
            self._grabbed = None

    @property
    def is_active(self) -> bool:
        """Whether the pointer is on it or drags it."""
        return self._hovered or self._grabbed is not None

    def set_state(self, state: ScrollState) -> None:
        """Take what it is to show."""
        self._state = state

    def render(self, width: int) -> list[str]:
        """Return one cell a row."""
        return self.cells(())

    def cells(self, below: Sequence[str]) -> list[str]:
        """Return one cell a row, each on the background that the row `below` has in its last column."""
        track, thumb = self._styles
        start, size = self._state.thumb
        thumb_cell = thumb(_ACTIVE_THUMB if self.is_active else _THUMB)
        cells = [
            thumb_cell if start <= row < start + size else track(_TRACK)
            for row in range(self._state.track)
        ]
        for row, background in enumerate(below[: len(cells)]):
            if background:
                cells[row] = f"{background}{cells[row]}\x1b[49m"
        return cells

    def handle_mouse(self, event: MouseEvent) -> MouseResult | None:
        """Take hold of the thumb, or bring it to where the track was pressed, and drag it."""
        if event.button != "left" or event.type not in ("press", "drag", "release"):
            return None
        if event.type == "press":
            if not self.is_shown:
                return None
            start, size = self._state.thumb
            on_thumb = start <= event.y < start + size
            self._grabbed = event.y - start if on_thumb else size // 2
        if self._grabbed is None:
            return None
        if event.type == "release":
            self._grabbed = None
            return MouseResult(handled=True, render=True)
        self._scroll_to(self._state.top_for(event.y - self._grabbed))
        return MouseResult(handled=True, capture=True)


@lru_cache(maxsize=512)  # the same rows are asked about at every step of scrolling
def background_at(line: str, column: int) -> str:
    """Return the sequence that sets the background a line has in a column."""
    if _BACKGROUND.search(line) is None:
        return ""
    state = AnsiState()
    for is_sequence, piece in split_sequences(slice_by_column(line, column, 1)):
        if not is_sequence:
            return state.background
        state.feed(piece)
    return ""


def _half_up(numerator: int, denominator: int) -> int:
    return (2 * numerator + denominator) // (2 * denominator)
