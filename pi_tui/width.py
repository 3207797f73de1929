"""Cells: how many a string takes, and cutting it by column without breaking a grapheme or losing its style.

Text is split into grapheme clusters after its sequences are removed, and its width is the sum of theirs.
A tab takes three cells wherever it stands; other controls take none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import wcwidth

from pi_tui.ansi import (
    RESET,
    SEQUENCE,
    AnsiState,
    is_styled_ascii,
    split_sequences,
    strip_terminal_sequences,
)
from pi_tui.patterns import pattern

TAB_WIDTH = 3

# Sequences in front, text, its cells, and whether it may be cut anywhere.
Cells = tuple[str, str, int, bool]

# Where wcwidth looks across cluster boundaries (a joiner or a virama takes up what follows, also in
# another cluster), or would drop a control and join its neighbours: there the sum decides.
_CONTEXTUAL = pattern(
    "[\x00-\x1f\x7f-\x9f\u0900-\u109f\u1700-\u1cff\u200d\u302e\u302f\ua800-\uabff"
    "\U00010a00-\U00011fff\U00016f00-\U00016fff\U0001d100-\U0001d1ff]"
)
# ASCII, the rest of Latin, Greek, Cyrillic, punctuation, arrows, boxes, braille: one cell and one cluster
# a character, unless something else stands beside it.
_SIMPLE_CLASS = (
    " -~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u200a\u2010-\u2027\u202f-\u205e"
    "\u2190-\u2319\u2500-\u25fc\u27c0-\u28ff"
)
_SIMPLE = pattern(f"(?<![^{_SIMPLE_CLASS}])[{_SIMPLE_CLASS}]+(?![^{_SIMPLE_CLASS}])")

# A style, or text, in a row of nothing else.
_STYLE_OR_TEXT = pattern(r"\x1b\[[0-9;:]*m|([^\x1b]+)")

# Thai and Lao AM are drawn as two marks: the same cells, but nothing stays behind when the row changes.
_NORMALIZED = str.maketrans(
    {"\u0e33": "\u0e4d\u0e32", "\u0eb3": "\u0ecd\u0eb2", "\t": " " * TAB_WIDTH}
)
_TO_NORMALIZE = pattern("[\u0e33\u0eb3\t]")
_EXPANDED = str.maketrans({"\t": " " * TAB_WIDTH})


def visible_width(text: str) -> int:
    """Return how many cells `text` takes; sequences take none."""
    if text.isascii() and text.isprintable():
        return len(text)
    if "\x1b" in text:
        text = _without_sequences(text)
    if "\t" in text:
        text = text.replace("\t", " " * TAB_WIDTH)
    if text.isascii() and text.isprintable():
        return len(text)
    if _CONTEXTUAL.search(text):
        return sum(cells for _, cells, _ in iter_pieces(text))
    return wcwidth.wcswidth(text)


def expand_tabs(text: str) -> str:
    """Make every tab outside a sequence three spaces."""
    return _translate(text, _EXPANDED) if "\t" in text else text


def normalize_terminal_output(line: str) -> str:
    """Prepare a line for the terminal: tabs become spaces, Thai and Lao AM two characters each.

    Sequences are left alone, so a link's target keeps its characters.
    """
    return _translate(line, _NORMALIZED) if _TO_NORMALIZE.search(line) else line


def iter_graphemes(text: str) -> Iterator[str]:
    """Yield the grapheme clusters of `text`, which must be free of sequences."""
    return wcwidth.iter_graphemes(text)


def iter_graphemes_reverse(text: str) -> Iterator[str]:
    """Yield the grapheme clusters of `text` from its end, each in its own order."""
    return wcwidth.iter_graphemes_reverse(text)


@lru_cache(maxsize=8192)
def grapheme_width(grapheme: str) -> int:
    """Return the cells of one grapheme cluster."""
    if grapheme == "\t":
        return TAB_WIDTH
    return wcwidth.width(grapheme, control_codes="ignore", term_program=False)


def iter_pieces(text: str) -> Iterator[tuple[str, int, bool]]:
    """Yield `(piece, cells, is_run)` of text without sequences.

    A piece is one grapheme cluster, or a run of characters of one cell each, which may be cut anywhere.
    """
    if text.isascii() and text.isprintable():
        if text:
            yield text, len(text), True
        return
    position = 0
    for match in _SIMPLE.finditer(text):
        start, end = match.span()
        if start > position:
            for grapheme in wcwidth.iter_graphemes(text[position:start]):
                yield grapheme, grapheme_width(grapheme), False
        yield match[0], end - start, True
        position = end
    if position < len(text):
        for grapheme in wcwidth.iter_graphemes(text[position:]):
            yield grapheme, grapheme_width(grapheme), False


def iter_cells(text: str) -> Iterator[Cells]:
    """Yield `(sequences, piece, cells, is_run)` of styled text: sequences stand in front of their piece.

    Pieces are those of `iter_pieces`. Sequences in the middle of a cluster come after it, and an empty
    piece at the end carries the last ones.
    """
    if "\x1b" not in text:
        for piece, cells, is_run in iter_pieces(text):
            yield "", piece, cells, is_run
        return
    plain, marks = _lift_sequences(text)
    position = 0
    for piece, cells, is_run in iter_pieces(plain):
        end = position + len(piece)
        sequences = ""
        while marks and marks[-1][0] <= position:
            sequences += marks.pop()[1]
        if is_run:
            while marks and marks[-1][0] < end:
                offset, following = marks.pop()
                yield sequences, plain[position:offset], offset - position, True
                sequences, position = following, offset
            cells = end - position
        yield sequences, plain[position:end], cells, is_run
        position = end
    if marks:
        yield "".join(sequences for _, sequences in reversed(marks)), "", 0, False


def truncate_to_width(text: str, max_width: int, ellipsis: str = "...", pad: bool = False) -> str:
    """Return `text` cut to `max_width` cells, with the ellipsis, unstyled, where something was cut off.

    Text that fits comes back unchanged. With `pad`, spaces fill it up to exactly `max_width`.
    """
    if max_width <= 0:
        return ""
    width = visible_width(text)
    if width > max_width:
        text, width = _truncated(text, max_width, ellipsis)
    return text + " " * (max_width - width) if pad and width < max_width else text


def slice_by_column(line: str, start: int, length: int, strict: bool = False) -> str:
    """Return the columns from `start` to `start + length`, with the style and link they have in `line`.

    A wide grapheme cut at the left edge leaves spaces; at the right edge it does so only if `strict`,
    otherwise it is kept whole and the result is wider than asked.
    """
    return slice_with_width(line, start, length, strict)[0]


def slice_with_width(line: str, start: int, length: int, strict: bool = False) -> tuple[str, int]:
    """Return `slice_by_column` and the cells it takes."""
    end = start + length
    start = max(0, start)
    if end <= start:
        return "", 0
    if line.isascii() and line.isprintable():
        part = line[start:end]
        return part, len(part)
    return _sliced(line, start, end, strict)


class Segments(NamedTuple):
    """What a row shows on both sides of columns that something else covers."""

    before: str
    before_width: int
    after: str
    after_width: int


def extract_segments(line: str, before_end: int, after_start: int, after_len: int) -> Segments:
    """Return the columns up to `before_end`, and `after_len` columns from `after_start` on.

    A wide grapheme across either inner edge leaves spaces. Both parts have the style and link they have in
    `line`, and close them; marks of the caret stay on their side.
    """
    if after_len <= 0:
        return Segments(*_start_of(line, before_end), "", 0)
    before = _Slice(0, before_end, True)
    after = _Slice(after_start, after_start + after_len, True)
    _cut(line, (before, after))
    return Segments(*before.finished(), *after.finished())


def get_grapheme_cell_range(line: str, column: int) -> tuple[int, int] | None:
    """Return the columns (the end not included) of the grapheme that shows in `column`, or `None` behind the row."""
    position = 0
    for _, _, cells, is_run in iter_cells(line):
        if position <= column < position + cells:
            return (column, column + 1) if is_run else (position, position + cells)
        position += cells
    return None


def get_osc8_link_at_column(line: str, column: int) -> str | None:
    """Return the target of the link that shows in `column`, if there is one."""
    state = AnsiState()
    position = 0
    for sequences, _, cells, _ in iter_cells(line):
        state.feed_all(sequences)
        if position <= column < position + cells:
            return state.link or None
        position += cells
    return None


def _without_sequences(text: str) -> str:
    # Several times as fast as the pattern, but it would keep the text inside this one sequence.
    if "\x1b]66;" in text:
        return strip_terminal_sequences(text)
    return wcwidth.strip_sequences(text)


def _translate(text: str, table: dict[int, str]) -> str:
    """Translate what stands outside sequences."""
    return "".join(
        piece if is_sequence else piece.translate(table)
        for is_sequence, piece in split_sequences(text)
    )


def _lift_sequences(text: str) -> tuple[str, list[tuple[int, str]]]:
    """Return the text without sequences, and those with their offsets in it, the last one first."""
    plain: list[str] = []
    marks: list[tuple[int, str]] = []
    length = position = 0
    for match in SEQUENCE.finditer(text):
        before = text[position : match.start()]
        position = match.end()
        if before or not marks:
            plain.append(before)
            length += len(before)
            marks.append((length, match[0]))
        else:
            marks[-1] = (length, marks[-1][1] + match[0])
    plain.append(text[position:])
    marks.reverse()
    return "".join(plain), marks


def _truncated(text: str, max_width: int, ellipsis: str) -> tuple[str, int]:
    ellipsis_width = visible_width(ellipsis)
    room = max_width - ellipsis_width
    if room <= 0:
        dots, width = _prefix(ellipsis, max_width)
        return f"{RESET}{dots}{RESET}", width
    kept, width = _prefix(text, room)
    end = f"{ellipsis}{RESET}" if ellipsis else ""
    return f"{kept}{RESET}{end}", width + ellipsis_width


def _prefix(text: str, room: int) -> tuple[str, int]:
    """Return the longest prefix of whole graphemes that fits, its link closed, and its cells."""
    parts: list[str] = []
    state = AnsiState()
    column = 0
    for sequences, piece, cells, is_run in iter_cells(text):
        left = room - column
        if cells > left:
            if not is_run or not left:
                break
            piece, cells = piece[:left], left
        if piece:
            state.feed_all(sequences)
            parts += (sequences, piece)
            column += cells
    return "".join(parts) + state.close_link_codes(), column


def _start_of(line: str, end: int) -> tuple[str, int]:
    """Return the columns up to `end`, style and link closed, and their cells."""
    if end <= 0 or not is_styled_ascii(line):
        return _sliced(line, 0, end, True)
    column = 0
    for piece in _STYLE_OR_TEXT.finditer(line):
        if not piece[1]:
            continue
        room = end - column
        column += len(piece[1])
        if column >= end:
            line, column = line[: piece.start() + room], end
            break
    return (line + RESET if "\x1b" in line else line), column


def _sliced(line: str, start: int, end: int, strict: bool) -> tuple[str, int]:
    part = _Slice(start, end, strict)
    _cut(line, (part,))
    return part.finished()


class _Slice:
    """The columns from `start` to `end` of a row whose cells come one after another."""

    __slots__ = ("_parts", "_start", "_state", "_strict", "_width", "end")

    def __init__(self, start: int, end: int, strict: bool) -> None:
        self.end = end
        self._start = start
        self._strict = strict
        self._state = AnsiState()
        self._parts: list[str] = []
        self._width = 0

    def take(self, cell: Cells, column: int) -> None:
        """Take the piece that starts at `column`, or only its style."""
        sequences, _, cells, _ = cell
        if column >= self.end:
            return
        others = self._state.feed_all(sequences) if sequences else ""
        if self._parts:
            self._parts.append(sequences)
        elif column >= self._start:
            self._parts.append(self._state.open_codes() + others)
        elif column + cells > self._start:
            self._parts.append(self._state.open_codes())
        if self._parts:
            skip = max(0, self._start - column)
            shown, width = _clipped(cell, skip, self.end - column, self._strict)
            self._parts.append(shown)
            self._width += width

    def finished(self) -> tuple[str, int]:
        """Return the text, style and link closed, and its cells."""
        return "".join(self._parts) + self._state.close_codes() if self._parts else "", self._width


def _cut(line: str, parts: Sequence[_Slice]) -> None:
    """Give the cells of a row to all parts, in one pass."""
    end = max(part.end for part in parts)
    column = 0
    for cell in iter_cells(line):
        if column >= end:
            break
        for part in parts:
            part.take(cell, column)
        column += cell[2]


def _clipped(cell: Cells, skip: int, room: int, strict: bool) -> tuple[str, int]:
    """Return what is left of a piece without its first `skip` cells and behind its first `room`."""
    _, piece, cells, is_run = cell
    if is_run:
        piece = piece[skip:room]
        return piece, len(piece)
    if skip or (strict and cells > room):
        blanks = min(cells, room) - skip
        return " " * blanks, blanks
    return piece, cells
