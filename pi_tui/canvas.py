"""A urwid canvas of raw runs, so that no ANSI is parsed on the way to the terminal."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Literal

from pi_tui.urwid_parts import Canvas

# What urwid draws: attribute, character set, bytes. Set "U" is written unchanged.
Run = tuple[None, Literal["U"], bytes]


class LineCanvas(Canvas):
    """Rows of finished bytes, each complete in itself: it ends with a reset, and not with a blank."""

    cacheable = False

    def __init__(self, rows: Sequence[bytes], columns: int) -> None:
        super().__init__()
        self._content: list[list[Run]] = [[(None, "U", row)] for row in rows]
        self._columns = columns

    def cols(self) -> int:
        """Return the width in cells."""
        return self._columns

    def rows(self) -> int:
        """Return the height in cells."""
        return len(self._content)

    def content(  # type: ignore[override]  # whole rows only: nothing in pi trims a frame
        self,
        trim_left: int = 0,
        trim_top: int = 0,
        cols: int = 0,
        rows: int = 0,
        attr: Mapping[Hashable, Hashable] | None = None,
    ) -> Iterator[list[Run]]:
        """Yield the rows, top to bottom."""
        return iter(self._content)
