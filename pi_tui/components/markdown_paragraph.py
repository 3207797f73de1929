"""Paragraphs of Markdown that may be long: what nothing goes on from is read and wrapped once.

A paragraph is read in pieces, each some lines or a long part of one, which end where nothing in them is open.
Of a line that goes on after a piece only the last row is wrapped again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pi_tui.components.markdown_text import Look, Margin, RowMaker
from pi_tui.markdown_inline import Span
from pi_tui.markdown_math import LONGEST_INLINE

_PIECE_LINES = 4
_PIECE_CHARACTERS = 400

# What is left as it was written and may open something that a later part closes.
_OPEN = re.compile(r"[\[`]|[*~](?! )|(?<!\w)_|<(?=[A-Za-z/!?])")

_FORMULAS = (("\\(", "\\)"), ("\\[", "\\]"))

# Where a piece may end: with a line, or between words, of which the first ends with no mark.
_BREAK = re.compile(r"\n|(?<=[^\W_]) (?=[^ \n])|(?<=[.,;:!?]) (?=[^ \n])")
_ENTITY = re.compile(r"&[#\w]+;")

# What reads the text of a paragraph.
ReadText = Callable[[str], list[list[Span]]]


class ParagraphRows:
    """Draws a paragraph again and again as it grows."""

    def __init__(self, maker: RowMaker, margin: Margin, look: Look) -> None:
        self._maker = maker
        self._margin = margin
        self._look = look
        self._done = ""
        self._rows: list[str] = []
        self._open: list[Span] = []  # the line that goes on, from the start of its last row

    def draw(self, text: str, read: ReadText, *, in_pieces: bool) -> list[str]:
        """Return the rows of `text`; without `in_pieces` it is read as a whole."""
        if not in_pieces or not text.startswith(self._done):
            self._start_over()
        while in_pieces and (end := _piece_end(text, len(self._done))) is not None:
            piece = text[len(self._done) : end]
            lines = read(piece)
            is_in_line = text[end] == " "
            if _goes_on(piece, lines, is_in_line):
                break
            self._take(lines, goes_on_in_line=is_in_line)
            self._done = text[: end + 1]
        return self._rows + self._draw(self._after_open(read(text[len(self._done) :])))

    def _start_over(self) -> None:
        self._done, self._rows, self._open = "", [], []

    def _take(self, lines: list[list[Span]], *, goes_on_in_line: bool) -> None:
        whole = self._after_open(lines)
        self._open = []
        last = self._maker.shown(whole.pop()) if goes_on_in_line else None
        self._rows = self._rows + self._draw(whole)
        if last is None:
            return
        *rows, _ = self._draw([last])
        self._rows = self._rows + rows
        start = self._maker.last_row_start(last, self._margin.room)
        self._open = [*_spans_from(last, start), Span(" ")]

    def _after_open(self, lines: list[list[Span]]) -> list[list[Span]]:
        """Return lines of which the first goes on with the open one."""
        if not self._open:
            return lines
        return [[*self._open, *(lines[0] if lines else [])], *lines[1:]]

    def _draw(self, lines: Sequence[Sequence[Span]]) -> list[str]:
        margin = self._margin.after_first() if self._rows else self._margin
        return self._maker.text(lines, margin, self._look)


def _piece_end(text: str, start: int) -> int | None:
    """Return where the piece that begins at `start` ends: at a newline or a space with more behind it."""
    end = start - 1
    for _ in range(_PIECE_LINES):
        end = text.find("\n", end + 1)
        if end < 0 or end - start > _PIECE_CHARACTERS:
            break
    else:
        return end
    place = _BREAK.search(text, start + _PIECE_CHARACTERS)
    return place.start() if place is not None else None


def _goes_on(piece: str, lines: Sequence[Sequence[Span]], is_in_line: bool) -> bool:
    """Tell whether what stands in a piece may depend on what follows it."""
    if piece.endswith("\\") or "<!--" in piece or "![" in piece:
        return True
    if is_in_line and lines and _may_open_formula(piece, lines[-1]):
        return True
    if len(lines) != piece.count("\n") + 1 or _ENTITY.search(piece):
        return True
    return any(
        "code" not in span.marks and _OPEN.search(span.text) for line in lines for span in line
    )


def _may_open_formula(piece: str, spans: Sequence[Span]) -> bool:
    """Tell whether the last line of a piece may have begun a formula that ends in the next one."""
    line = piece[max(piece.rfind("\n") + 1, len(piece) - LONGEST_INLINE) :]
    if any(line.rfind(opening) > line.rfind(closing) for opening, closing in _FORMULAS):
        return True
    # Of a formula that is closed none of its signs are left.
    written = "".join(span.text for span in spans if "code" not in span.marks)
    return "$" in written[-LONGEST_INLINE:]


def _spans_from(line: Sequence[Span], start: int) -> list[Span]:
    """Return the spans of a line from a character on."""
    spans: list[Span] = []
    for span in line:
        if start < len(span.text):
            spans.append(Span(span.text[start:], span.marks, span.href) if start > 0 else span)
        start -= len(span.text)
    return spans
