"""Wrap styled text to a width: words go whole to the next line, styles and links go on there.

Words end at spaces, and before and after each East Asian character; hyphens and slashes do not end one.
Spaces at a break are dropped. Only links and lines through or under the text end with a line; colours
stay open, so that blanks a caller appends continue the background.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from pi_tui.ansi import RESET, AnsiState, split_sequences, strip_terminal_sequences
from pi_tui.paint import is_image_line
from pi_tui.width import Cells, expand_tabs, iter_cells, slice_by_column, visible_width

_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_RUN_PARTS = re.compile(r" +|[^ ]+")

# Han, Hiragana, Katakana, Hangul and Bopomofo by Script_Extensions: a line may break on both sides. Compiled
# when first used: it takes milliseconds.
_EAST_ASIAN = (
    "[\u02ea\u02eb\u1100-\u11ff\u2e80-\u2fd5\u3001-\u3003\u3005-\u3011\u3013-\u301f\u3021-\u3035"
    "\u3037-\u303f\u3041-\u3096\u3099-\u30ff\u3105-\u312f\u3131-\u318e\u3190-\u31e5\u31f0-\u321e"
    "\u3220-\u3247\u3260-\u327e\u3280-\u32b0\u32c0-\u32cb\u32d0-\u3370\u337b-\u337f\u33e0-\u33fe"
    "\u3400-\u4dbf\u4e00-\u9fff\ua700-\ua707\ua960-\ua97c\uac00-\ud7fb\uf900-\ufad9\ufe45\ufe46"
    "\uff61-\uffdc\U00016fe2\U00016fe3\U00016ff0\U00016ff1\U0001aff0-\U0001b167\U0001d360-\U0001d371"
    "\U0001f200\U0001f250\U0001f251\U00020000-\U000323af]"
)

_PROBE = "\ue000"


def wrap_text_with_ansi(text: str, width: int) -> list[str]:
    """Return `text` as lines of at most `width` cells, without padding; `[""]` for no text.

    A grapheme wider than `width` gets a line of its own. A newline in `text` always ends a line, and what
    is open there is opened again on the next. The last line ends as the text does.
    """
    width = max(1, width)
    if "\t" in text:
        text = expand_tabs(text)
    wrapper = _Wrapper(width)
    for part in _LINE_BREAK.split(text) if "\r" in text else text.split("\n"):
        wrapper.add_part(part)
    return wrapper.finished()


def wrap_rows(text: str, width: int) -> list[str]:
    """Return `text` wrapped into rows that components may return as they are.

    Each ends with a reset if it has styles, and none is wider than `width`: of a grapheme of two cells one
    column shows a blank.
    """
    rows = [
        slice_by_column(line, 0, width, True) if visible_width(line) > width else line
        for line in wrap_text_with_ansi(text, width)
    ]
    return [row + RESET if "\x1b" in row else row for row in rows]


def apply_background_to_line(line: str, width: int, background: Callable[[str], str]) -> str:
    """Return `line` padded to `width` cells, every cell on `background` unless the line sets its own."""
    padding = " " * max(0, width - visible_width(line))
    if "\x1b" not in line:
        return background(line + padding)
    opening, _, closing = background(_PROBE).partition(_PROBE)
    state = AnsiState()
    state.feed_all(opening)
    under = state.background
    parts = [opening]
    for is_sequence, piece in split_sequences(line):
        parts.append(piece)
        if is_sequence and state.feed(piece) and not state.background:
            # A reset took all that `background` set, "default background" only its colour.
            again = under if state else opening
            parts.append(again)
            state.feed_all(again)
    parts.append(state.line_end_codes())
    if state.background != under:
        parts.append(under)
    parts += (padding, closing)
    state.feed_all(closing)
    return "".join(parts) + (RESET if state else "")


def fill_line(line: str, width: int, background: Callable[[str], str] | None = None) -> str:
    """Return `line` as exactly `width` cells, cut or filled, with all that it opens closed at its end.

    A row with a picture comes back unchanged.
    """
    if is_image_line(line):
        return line
    cells = visible_width(line)
    if cells > width:
        line = slice_by_column(line, 0, width, True)
        cells = visible_width(line)
    if background is not None:
        line = apply_background_to_line(line, width, background)
    elif cells < width:
        line += " " * (width - cells)
    return line + RESET if "\x1b" in line else line


class _Wrapper:
    """The lines so far, the line being filled, and the spaces that wait for a word to follow them."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._state = AnsiState()
        self._lines: list[tuple[str, str]] = []
        self._parts: list[str] = []
        self._column = 0
        self._has_text = False  # which may take no cells
        self._gap: list[Cells] = []
        self._gap_width = 0
        self._is_fresh = False

    def finished(self) -> list[str]:
        """Return all lines; the end of the last one closes nothing."""
        lines = [line + end for line, end in self._lines]
        lines[-1] = self._lines[-1][0]
        return lines

    def add_part(self, part: str) -> None:
        """Wrap what stands between two newlines."""
        if part.isascii() and part.isprintable():
            self._add_plain(part)
        elif visible_width(part) <= self._width and not _ends_in_space(part):
            self._add_whole(part)
        else:
            self._add_words(part)

    def _add_plain(self, part: str) -> None:
        opening, end = self._state.open_codes(), self._state.line_end_codes()
        for line in _wrap_plain(part, self._width):
            self._lines.append((opening + line, end) if line else ("", ""))
        self._is_fresh = True

    def _add_whole(self, part: str) -> None:
        opening = self._state.open_codes() if self._is_fresh else ""
        self._state.feed_all(part)
        self._lines.append((opening + part, self._state.line_end_codes()))
        self._is_fresh = True

    def _add_words(self, part: str) -> None:
        word: list[Cells] = []
        for piece in _split_at_spaces(part):
            text = piece[1]
            is_gap = not text.strip(" ")
            is_alone = not (is_gap or text.isascii()) and re.match(_EAST_ASIAN, text) is not None
            if word and (is_gap or is_alone):
                self._add_word(word)
                word = []
            if is_gap:
                self._gap.append(piece)
                self._gap_width += piece[2]
            elif is_alone:
                self._add_word([piece])
            else:
                word.append(piece)
        if word:
            self._add_word(word)
        self._end_line()

    def _add_word(self, word: list[Cells]) -> None:
        width = sum(piece[2] for piece in word)
        if (width or self._gap) and self._column + self._gap_width + width > self._width:
            self._make_room(word[0], width)
        self._put_gap()
        if width <= self._width:
            for sequences, text, cells, _ in word:
                self._put(sequences, text, cells)
        else:
            self._put_cut(word)

    def _make_room(self, first: Cells, width: int) -> None:
        if self._has_text:
            self._end_line()
        # An indentation that leaves no room for its word goes, rather than making an empty line of it;
        # a word that is cut anyway is cut behind it.
        elif width <= self._width or self._gap_width + _least(first) > self._width:
            self._drop_gap()

    def _put_cut(self, word: list[Cells]) -> None:
        for piece in word:
            sequences, text, cells, is_run = piece
            least = _least(piece)
            if self._column and least and self._column + least > self._width:
                self._end_line()
            while is_run and self._column + cells > self._width:
                room = self._width - self._column
                self._put(sequences, text[:room], room)
                self._end_line()
                sequences, text, cells = "", text[room:], cells - room
            self._put(sequences, text, cells)

    def _put(self, sequences: str, text: str, cells: int) -> None:
        others = self._state.feed_all(sequences) if sequences else ""
        if self._is_fresh:
            self._parts.append(self._state.open_codes() + others)
            self._is_fresh = False
        elif sequences:
            self._parts.append(sequences)
        self._parts.append(text)
        self._column += cells
        self._has_text = self._has_text or bool(text)

    def _put_gap(self) -> None:
        for sequences, text, cells, _ in self._gap:
            self._put(sequences, text, cells)
        self._gap, self._gap_width = [], 0

    def _drop_gap(self) -> None:
        for sequences, _, _, _ in self._gap:
            if sequences:
                self._put(sequences, "", 0)
        self._gap, self._gap_width = [], 0

    def _end_line(self) -> None:
        self._drop_gap()
        end = self._state.line_end_codes() if self._parts else ""
        self._lines.append(("".join(self._parts), end))
        self._parts, self._column, self._has_text = [], 0, False
        self._is_fresh = True


def _split_at_spaces(part: str) -> Iterator[Cells]:
    for piece in iter_cells(part):
        sequences, text, _, is_run = piece
        if not is_run or " " not in text:
            yield piece
            continue
        for match in _RUN_PARTS.finditer(text):
            yield sequences, match[0], len(match[0]), True
            sequences = ""


def _least(piece: Cells) -> int:
    """Return the cells that the smallest first part of `piece` takes."""
    return 1 if piece[3] else piece[2]


def _ends_in_space(part: str) -> bool:
    return strip_terminal_sequences(part).endswith(" ")


def _wrap_plain(part: str, width: int) -> list[str]:
    """Wrap printable ASCII, where a cell is a character."""
    part = part.rstrip(" ")
    size = len(part)
    indent = size - len(part.lstrip(" "))
    start = 0
    if indent:
        word = len(part[indent:].split(" ", 1)[0])
        if indent + word > width and (word <= width or indent >= width):
            start = indent
    lines: list[str] = []
    while size - start > width:
        cut = part.rfind(" ", max(start, indent), start + width + 1)
        if cut < 0:
            lines.append(part[start : start + width])
            start += width
            continue
        lines.append(part[start:cut].rstrip(" "))
        start = cut
        while part[start] == " ":
            start += 1
    lines.append(part[start:])
    return lines
