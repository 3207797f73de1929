"""An in-memory terminal: feed it what a program writes, then read its cells, modes and records.

The screen model is urwid's `vterm.TermCanvas`: rows, scrolling region, tab stops, insert and erase, the
alternate screen. Overriding its `push_cursor` alone would not make a faithful terminal, so the layer above is
ours too. `TermCanvas` takes a byte at a time, while a grapheme cluster is known only from its neighbours; its
parser draws the bodies of APC, DCS, PM and SOS strings and drops SGR with colons; its `AttrSpec` turns bold
colours into bright ones. Hence text arrives here in runs, sequences arrive whole, and a cell keeps a
`CellStyle`. A cell holds one grapheme cluster; a wide one is followed by empty cells.

https://invisible-island.net/xterm/ctlseqs/ctlseqs.html decides in doubt.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Final, Literal, NamedTuple

from urwid.display import AttrSpec
from urwid.display.escape import ALT_DEC_SPECIAL_CHARS, DEC_SPECIAL_CHARS
from urwid.vterm import CSI_COMMANDS, TermCanvas, Terminal

from pi_tui.cell_style import PLAIN, Cell, CellStyle, StyleRun, apply_sgr, styled_cell
from pi_tui.emulator_records import ControlString, TerminalRecords, integer
from pi_tui.emulator_stream import OutputSplitter
from pi_tui.width import grapheme_width, iter_graphemes

_MAX_CSI_LENGTH: Final = 256
# Columns (3) and reverse video (5) are noted but not shown: the first clears, the second rewrites every style.
_MODES_NOT_SHOWN: Final = frozenset((3, 5))
_LINE_DRAWING: Final = str.maketrans(ALT_DEC_SPECIAL_CHARS, DEC_SPECIAL_CHARS)
_ASCII: Final = tuple(bytes((code,)) for code in range(128))

_TermCell = tuple[AttrSpec | None, Literal["0", "U"] | None, bytes]


class GridTerminal(TerminalRecords):
    """A terminal of `columns` by `rows` without a process, a loop or a screen.

    It answers queries only as `answers` says: names of `DEFAULT_ANSWERS`, or a mapping from names to values.
    What it sends back piles up in `replies`.
    """

    def __init__(
        self,
        columns: int = 80,
        rows: int = 24,
        *,
        answers: Iterable[str] | Mapping[str, str] = (),
    ) -> None:
        super().__init__(answers)
        self._splitter = OutputSplitter()
        self._grid = _Grid(columns, rows)

    @property
    def columns(self) -> int:
        """Width in cells."""
        return self._grid.width

    @property
    def rows(self) -> int:
        """Height in cells."""
        return self._grid.height

    @property
    def cursor(self) -> tuple[int, int]:
        """Column and row of the cursor; after a character in the last column it stays there."""
        return self._grid.term_cursor

    @property
    def cursor_visible(self) -> bool:
        """Whether the cursor is shown (`?25`)."""
        return 25 in self.modes

    @property
    def alternate_screen(self) -> bool:
        """Whether the alternate screen is shown."""
        return self._grid.modes.alternate_screen

    @property
    def kitty_flags(self) -> tuple[int, ...]:
        """The kitty keyboard flags pushed on the screen shown, those in effect last."""
        return tuple(self._grid.modes.keyboard_flags)

    @property
    def scrollback(self) -> list[str]:
        """The rows that scrolled off the top of the normal screen, oldest first."""
        return [_text_of(row) for row in self._grid.scrolled_off]

    def lines(self) -> list[str]:
        """Return the text of the rows on screen, without the blanks at their ends."""
        return [_text_of(row) for row in self._grid.term]

    def cell(self, x: int, y: int) -> Cell:
        """Return the cell in column `x` of row `y`."""
        cell = self._grid.term[y][x]
        return styled_cell(cell[2].decode(), _style_of(cell))

    def style_runs(self) -> list[StyleRun]:
        """Return the runs of cells that are not plain, row by row."""
        return [run for y, row in enumerate(self._grid.term) for run in _runs(row, y)]

    def resize(self, columns: int, rows: int) -> None:
        """Change the size. Rows are cut at the right, not wrapped anew."""
        self._grid.resize(columns, rows)

    def write(self, data: str | bytes) -> None:
        """Take output; characters and sequences may be cut anywhere."""
        raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
        self.bytes_written += len(raw)
        for kind, body, end in self._splitter.feed(raw):
            match kind:
                case "text":
                    self._grid.draw(body)
                case "control":
                    self._control(body)
                case "csi":
                    self._csi(body, end)
                case "escape":
                    self._escape(body)
                case "osc" if body.startswith("8;"):
                    self._grid.link(body.split(";", 2)[-1])
                case _:
                    self.note_string(ControlString(kind, body, *self.cursor), end)

    def _control(self, control: str) -> None:
        grid = self._grid
        match control:
            case "\r":
                grid.carriage_return()
            case "\n" | "\v" | "\f":
                grid.linefeed()
                if grid.modes.lfnl:
                    grid.carriage_return()
            case "\b":
                grid.set_term_cursor(max(0, grid.term_cursor[0] - 1))
            case "\t":
                grid.tab()
            case "\a":
                self.bells += 1
            case "\x0e":
                grid.charset.activate(1)
            case "\x0f":
                grid.charset.activate(0)

    def _escape(self, sequence: str) -> None:
        self._grid.forget_cluster()
        if sequence == "c":
            self._grid.reset()
            self.reset_modes()
        elif sequence != "Z":  # urwid answers this unasked
            self._grid.parse_noncsi(sequence[-1:].encode(), sequence[:-1].encode())

    def _csi(self, parameters: str, final: str) -> None:
        grid = self._grid
        if final == "m" and not parameters.startswith((">", "?")):
            grid.style = apply_sgr(grid.style, parameters)
            return
        grid.forget_cluster()
        flags = self.kitty_flags[-1] if self.kitty_flags else 0
        if len(parameters) > _MAX_CSI_LENGTH or self.answer_csi(
            parameters + final, self.cursor, flags
        ):
            return
        if final in "hl" and parameters.startswith("?"):
            self._set_modes(parameters[1:], final == "h")
        elif final == "m" and parameters.startswith(">4"):
            self.modify_other_keys = integer(parameters[3:])
        elif final in "ST" and (parameters.isdecimal() or not parameters):
            grid.scroll_by(integer(parameters) or 1, reverse=final == "T")
        elif final == "J" and parameters == "3":
            grid.scrolled_off.clear()
        elif final.encode() in CSI_COMMANDS:
            grid.escbuf = parameters.encode()
            grid.parse_csi(final.encode())

    def _set_modes(self, parameters: str, on: bool) -> None:
        for mode in map(integer, parameters.split(";")):
            self.note_mode(mode, on)
            if mode not in _MODES_NOT_SHOWN:
                self._grid.set_mode(mode, on, qmark=True, reset=not on)


class _Pen(AttrSpec):
    """A style in the only place of a `TermCanvas` cell that can carry one."""

    __slots__ = ("style",)

    def __init__(self, style: CellStyle) -> None:
        super().__init__("default", "default")
        self.style = style


class _Cluster(NamedTuple):
    """The cluster drawn last, which the next character may join while the cursor stays behind it."""

    text: str
    cells: int
    x: int
    y: int
    pen: AttrSpec | None


class _Grid(TermCanvas):
    """The cells of a terminal; draws whole grapheme clusters."""

    def __init__(self, columns: int, rows: int) -> None:
        self._last: _Cluster | None = None
        self._pens: dict[CellStyle, _Pen] = {}
        super().__init__(columns, rows, Terminal(["never started"], env={"TERM": "linux"}))
        self.scrollback_buffer = self.scrolled_off = deque[list[_TermCell]]()

    @property
    def style(self) -> CellStyle:
        """The style of what is drawn next."""
        return self.attrspec.style if isinstance(self.attrspec, _Pen) else PLAIN

    @style.setter
    def style(self, style: CellStyle) -> None:
        self.attrspec = self._pen(style)

    def link(self, target: str) -> None:
        """Let what is drawn next link to `target`; an empty one ends the link."""
        self.style = replace(self.style, link=target)

    def draw(self, text: str) -> None:
        """Draw `text`, which holds no control characters, at the cursor."""
        if self.charset.current == "0":
            text = text.translate(_LINE_DRAWING)
        last, self._last = self._last, None
        if text.isascii() and (last is None or last.text.isascii()) and self._draw_in_row(text):
            return
        clusters = list(iter_graphemes(last.text + text if last else text))
        if last and clusters[0] == last.text:
            del clusters[0]
        elif last:
            self._redraw(last, clusters.pop(0))
        for cluster in clusters:
            self._put(cluster)

    def forget_cluster(self) -> None:
        """Let nothing join the cluster drawn last: something else happened since."""
        self._last = None

    def scroll_by(self, rows: int, *, reverse: bool) -> None:
        """Scroll the scrolling region up, or down if `reverse`."""
        for _ in range(min(rows, self.height)):
            self.scroll(reverse)

    def _draw_in_row(self, text: str) -> bool:
        """Draw ASCII `text` at once; does nothing and returns `False` where it needs more care."""
        x, y = self.term_cursor
        end = x + len(text)
        if end > self.width or self.is_rotten_cursor or self.modes.insert:
            return False
        self._cut(x, y)
        self._cut(end, y)
        pen = self.attrspec
        self.term[y][x:end] = [(pen, None, _ASCII[code]) for code in text.encode()]
        self._move_behind(end, y)
        self._last = _Cluster(text[-1], 1, end - 1, y, pen)
        return True

    def _put(self, cluster: str) -> None:
        """Draw one cluster. One that does not fit is drawn in the next row, or at the edge without autowrap."""
        cells = min(grapheme_width(cluster), self.width)
        if not cells:
            self._combine(cluster)
            return
        if self.modes.autowrap and (
            self.is_rotten_cursor or self.term_cursor[0] + cells > self.width
        ):
            self.newline()
        x, y = self.term_cursor
        x = min(x, self.width - cells)
        if self.modes.insert:
            self.insert_chars((x, y), cells)
        self._cut(x, y)
        self._cut(x + cells, y)
        pen = self.attrspec
        halves: list[_TermCell] = [(pen, None, b"")] * (cells - 1)
        self.term[y][x : x + cells] = [(pen, None, cluster.encode()), *halves]
        self._move_behind(x + cells, y)
        self._last = _Cluster(cluster, cells, x, y, pen)

    def _move_behind(self, end: int, y: int) -> None:
        """Move the cursor to column `end`, or let it wait in the last one for a character to wrap."""
        self.set_term_cursor(min(end, self.width - 1), y)
        self.is_rotten_cursor = end == self.width

    def _redraw(self, last: _Cluster, cluster: str) -> None:
        """Draw `cluster`, which is `last` and more, in its place: it may have become wider."""
        if self.modes.insert:
            self.remove_chars((last.x, last.y), last.cells)
        else:
            self.term[last.y][last.x : last.x + last.cells] = [self.empty_char()] * last.cells
        self.set_term_cursor(last.x, last.y)
        pen, self.attrspec = self.attrspec, last.pen
        self._put(cluster)
        self.attrspec = pen

    def _combine(self, mark: str) -> None:
        """Add a mark without width to the cluster left of the cursor, if it joins without widening it."""
        x, y = self.term_cursor
        row = self.term[y]
        x -= not self.is_rotten_cursor
        while x > 0 and not row[x][2]:
            x -= 1
        if x >= 0:
            pen, charset, text = row[x]
            before = text.decode()
            joined = before + mark
            is_one = len(list(iter_graphemes(joined))) == 1
            if is_one and grapheme_width(joined) == grapheme_width(before):
                row[x] = (pen, charset, joined.encode())

    def _cut(self, x: int, y: int) -> None:
        """Blank the wide cluster that a change starting or ending at column `x` would cut in two."""
        row = self.term[y]
        if not 0 < x < self.width or row[x][2]:
            return
        start = end = x
        while start > 0 and not row[start][2]:
            start -= 1
        while end < self.width and not row[end][2]:
            end += 1
        row[start:end] = [(pen, None, b" ") for pen, _, _ in row[start:end]]

    # What follows changes how `TermCanvas` itself works.

    def empty_char(self, char: bytes = b" ") -> _TermCell:
        """Return a blank cell: of a style, erasing takes the background only."""
        background = self.style.bg
        return (self._pen(CellStyle(bg=background)) if background else None, None, char)

    def set_term_cursor(self, x: int | None = None, y: int | None = None) -> None:
        """Move the cursor; a wrap that was due is off, and nothing joins what was drawn last."""
        super().set_term_cursor(x, y)
        if x is not None or y is not None:
            self.is_rotten_cursor = False
            self._last = None

    def scroll(self, reverse: bool = False) -> None:
        """Scroll the region; only rows that leave the top of the screen are kept."""
        if reverse or self.scrollregion_start == 0:
            super().scroll(reverse)
        else:
            self.remove_lines(self.scrollregion_start)

    def erase(
        self,
        start: tuple[int, int] | tuple[int, int, bool],
        end: tuple[int, int] | tuple[int, int, bool],
    ) -> None:
        """Erase from `start` to `end`, and the other halves of wide clusters at both ends."""
        self._cut(start[0], start[1])
        self._cut(end[0] + 1, end[1])
        super().erase(start, end)
        self.is_rotten_cursor = False

    def insert_chars(
        self,
        position: tuple[int, int] | None = None,
        chars: int = 1,
        char: bytes | None = None,
        *,
        dec_special: bool = False,
    ) -> None:
        """Insert blanks, and blank the wide clusters that are cut by it."""
        x, y = position or self.term_cursor
        self._cut(x, y)
        self._cut(self.width - max(chars, 1), y)
        super().insert_chars((x, y), chars, char, dec_special=dec_special)

    def remove_chars(self, position: tuple[int, int] | None = None, chars: int = 1) -> None:
        """Remove cells, and blank the wide clusters that are cut by it."""
        x, y = position or self.term_cursor
        self._cut(x, y)
        self._cut(x + max(chars, 1), y)
        super().remove_chars((x, y), chars)

    def resize(self, width: int, height: int) -> None:
        """Change the size of both screens."""
        if width < self.width:
            for y in range(self.height):
                self._cut(width, y)
        super().resize(width, height)

    def _resize_lines(
        self,
        lines: list[list[_TermCell]],
        scrollback: deque[list[_TermCell]],
        width: int,
        height: int,
    ) -> int:
        """Fit a screen to a size as xterm does; returns how far its rows moved down.

        A screen that shrinks loses the rows below the cursor first, and only then rows at the top.
        """
        cursor = self.term_cursor if lines is self.term else self._hidden_screen.saved_cursor
        row = cursor[1] if cursor else self.height - 1
        blank: _TermCell = (None, None, b" ")
        shift = 0
        while len(lines) > height and row + shift < len(lines) - 1:
            lines.pop()
        while len(lines) > height:
            scrollback.append(lines.pop(0))
            shift -= 1
        while len(lines) < height and scrollback:
            lines.insert(0, scrollback.pop())
            shift += 1
        lines.extend([] for _ in range(height - len(lines)))
        for line in lines:
            del line[width:]
            line.extend([blank] * (width - len(line)))
        return shift

    def _pen(self, style: CellStyle) -> AttrSpec | None:
        if style == PLAIN:
            return None
        if style not in self._pens:
            self._pens[style] = _Pen(style)
        return self._pens[style]


def _style_of(cell: _TermCell) -> CellStyle:
    return cell[0].style if isinstance(cell[0], _Pen) else PLAIN


def _text_of(row: list[_TermCell]) -> str:
    return b"".join(cell[2] for cell in row).decode().rstrip(" ")


def _runs(row: list[_TermCell], y: int) -> Iterator[StyleRun]:
    start = 0
    for style, cells in groupby(row, key=_style_of):
        end = start + len(list(cells))
        if style != PLAIN:
            yield StyleRun(y, start, end, style)
        start = end
