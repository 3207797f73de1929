"""From one state of a document to the next on the normal screen, by moves relative to where the cursor is.

The document grows downwards from the row it was begun in. Its last rows are on the screen, where they can be
written over; what has left it at the top is the terminal's and is never touched, unless all is written anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from pi_tui.frozen import frozen
from pi_tui.row_patch import patch_row

_SYNC_START = "\x1b[?2026h"
_SYNC_END = "\x1b[?2026l"
_HIDE_CURSOR = "\x1b[?25l"
_SHOW_CURSOR = "\x1b[?25h"
_CLEAR_ALL = "\x1b[2J\x1b[H\x1b[3J"
_ERASE_BELOW = "\x1b[J"
_ERASE_ROW = b"\x1b[0m\x1b[K"
_WRAP_ON, _WRAP_OFF = "\x1b[?7h", "\x1b[?7l"
_UNKNOWN = b""  # no finished row is empty

Caret = tuple[int, int] | None


@frozen
class Pictures:
    """What else is written with rows that may hold pictures; they count from the first row that is written.

    `before` comes first, `drawn` when the cursor is in a row that is there already or has just been written.
    `rewritten` rows are written although they may be the same.
    """

    before: str = ""
    rewritten: frozenset[int] = frozenset()
    drawn: Mapping[int, str] = field(default_factory=dict)


NO_PICTURES = Pictures()


class ScrollbackWriter:
    """Knows which rows of the document the screen shows, and where in them the cursor is.

    `top` is the first row that can still be written; it moves down as the document grows, and never back up.
    """

    def __init__(self) -> None:
        self.top = 0
        self.is_begun = False
        self._shown: list[bytes] = []
        self._row = 0  # of the cursor, from `top`
        self._caret: Caret = None
        self._is_visible = False

    @property
    def bottom(self) -> int:
        """The row of the document behind the last one that is shown."""
        return self.top + len(self._shown)

    def top_for(self, length: int, rows: int) -> int:
        """Return what `top` will be when the document has `length` rows on a screen of `rows`."""
        return max(self.top, length - rows)

    def changed_rows(self, rows: Sequence[bytes]) -> list[int]:
        """Return which of these rows, which begin at `top`, are not on the screen yet."""
        common = min(len(self._shown), len(rows))
        changed = [y for y in range(common) if self._shown[y] != rows[y]]
        return [*changed, *range(common, len(rows))]

    def begin(
        self,
        before: Sequence[bytes],
        shown: Sequence[bytes],
        top: int,
        columns: int,
        pictures: Pictures = NO_PICTURES,
    ) -> str:
        """Write the first frame below what is on the terminal, on a row of its own; `before` scrolls off."""
        # Blanks over the width of the screen go on to the next row only if the cursor is not in the first column.
        own_row = _WRAP_ON + " " * columns + "\r" + _WRAP_OFF
        self.is_begun = True
        return own_row + self._all(before, shown, top, pictures)

    def redraw(
        self,
        before: Sequence[bytes],
        shown: Sequence[bytes],
        top: int,
        pictures: Pictures = NO_PICTURES,
    ) -> str:
        """Clear the screen and what has scrolled off, and write everything anew; `before` scrolls off again."""
        return _CLEAR_ALL + self._all(before, shown, top, pictures)

    def advance(
        self, rows: Sequence[bytes], scrolled: int, pictures: Pictures = NO_PICTURES
    ) -> str:
        """Write what differs, when the screen is to show `rows` without the first `scrolled`, which scroll off.

        `rows` begin at `top`.
        """
        parts = [pictures.before]
        for y, (old, new) in enumerate(zip(self._shown, rows, strict=False)):
            if y in pictures.rewritten:
                parts.append(self._change(y, _UNKNOWN, new))
            elif old != new:
                parts.append(self._change(y, old, new))
        for y, drawing in pictures.drawn.items():
            if y < min(len(self._shown), len(rows)):
                parts.append(self._move(y) + drawing)
        for y in range(len(self._shown), len(rows)):
            parts.append(self._append(y, rows[y]) + pictures.drawn.get(y, ""))
        if len(rows) < len(self._shown):
            parts.append(self._move(len(rows)) + "\r" + _ERASE_BELOW + self._move(len(rows) - 1))
        self._shown = list(rows[scrolled:])
        self.top += scrolled
        self._row -= scrolled
        return "".join(parts)

    def finish(self, body: str, caret: Caret, show_cursor: bool) -> str:
        """Return a whole frame: `body`, and the cursor in the caret's cell; nothing if nothing changes."""
        show = show_cursor and caret is not None
        if not body and (caret, show) == (self._caret, self._is_visible):
            return ""
        hide = _HIDE_CURSOR if self._is_visible and (body or not show) else ""
        place = "" if caret is None else self._move(caret[1]) + f"\x1b[{caret[0] + 1}G"
        appear = _SHOW_CURSOR if show and (hide or not self._is_visible) else ""
        self._caret, self._is_visible = caret, show
        if not body:
            return hide + place + appear
        return _SYNC_START + hide + body + place + appear + _SYNC_END

    def doubt(self) -> None:
        """Write every row of the screen with the next frame: something else may have written there."""
        self._shown = [_UNKNOWN] * len(self._shown)
        self._caret = None

    def forget_cursor(self) -> None:
        """Move the cursor to the caret with the next frame, wherever that is."""
        self._caret = None

    def fit(self, rows: int) -> None:
        """Take a screen of another height, where the rows that do not fit any more have left it at the top."""
        gone = len(self._shown) - rows
        if gone > 0:
            self._shown = self._shown[gone:]
            self.top += gone
            self._row = max(0, self._row - gone)

    def leave(self) -> str:
        """Return what moves the cursor to a fresh row behind the document."""
        return self._move(max(0, len(self._shown) - 1)) + "\r\n" if self.is_begun else ""

    def _all(
        self, before: Sequence[bytes], shown: Sequence[bytes], top: int, pictures: Pictures
    ) -> str:
        self.top, self._shown, self._caret = top, list(shown), None
        self._row = max(0, len(shown) - 1)
        rows = enumerate((*before, *shown))
        drawn = pictures.drawn
        return pictures.before + "\r\n".join(row.decode() + drawn.get(y, "") for y, row in rows)

    def _change(self, y: int, old: bytes, new: bytes) -> str:
        patch = patch_row(old, new)
        column = f"\x1b[{patch.column + 1}G" if patch.column else "\r"
        # What a terminal takes to be narrower than we do would leave something at the end of the row.
        erase = b"" if patch.data.isascii() else _ERASE_ROW
        return self._move(y) + column + (erase + patch.data).decode()

    def _append(self, y: int, row: bytes) -> str:
        """Write a row below the last one; at the end of the screen everything moves up."""
        line_feed = self._move(y - 1) + "\r\n" if y else "\r"
        self._row = y
        return line_feed + row.decode()

    def _move(self, row: int) -> str:
        """Return what moves the cursor into a row of the screen, in whatever column."""
        down, self._row = max(0, row) - self._row, max(0, row)
        if down == 0:
            return ""
        return f"\x1b[{down}B" if down > 0 else f"\x1b[{-down}A"
