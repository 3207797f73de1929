"""A terminal's screen as an SVG picture that stands alone.

Each character is placed by its column, so that whatever font shows it, columns stay columns; boxes, blocks and
underlines are drawn as paths. The same screen is always the same text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import groupby
from typing import Final, NamedTuple
from urllib.parse import urlsplit
from xml.sax.saxutils import escape, quoteattr

from pi_tui.cell_style import Cell
from pi_tui.emulator import GridTerminal
from pi_tui.svg_colors import PICTURE_COLORS, Appearance, CellColors, PictureColors, cell_colors
from pi_tui.svg_paths import Paths
from pi_tui.svg_shapes import CELL_HEIGHT, CELL_WIDTH, Block, Curve, Line, shapes_of
from pi_tui.width import grapheme_width

_FONTS: Final = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace"
_FONT_SIZE: Final = 15
_BASELINE: Final = 14
_PADDING: Final = 12
_TITLE_HEIGHT: Final = 30
_STRIKE_Y: Final = 9.5
_UNDERLINE_Y: Final = 16.5
_DASHES: Final = {"dotted": "1 2", "dashed": "4 2"}
_SAFE_LINKS: Final = frozenset(("http", "https", "mailto"))
_NOT_IN_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_RIGHT_TO_LEFT: Final = frozenset(
    ("R", "AL", "AN", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI", "FSI")
)


class _Piece(NamedTuple):
    """A cell with something in it, and how its text looks; pieces of one look share an element."""

    column: int
    cells: int
    text: str
    look: str
    link: str

    @property
    def is_single(self) -> bool:
        """Whether it is one character to every program that reads SVG."""
        return len(self.text) == 1 and self.text <= "\uffff"


def screen_svg(
    terminal: GridTerminal, *, title: str | None = None, appearance: Appearance = "dark"
) -> str:
    """Return the screen as an SVG document in a window's frame, which shows `title` if there is one.

    Named and default colours are those of `appearance`; the cursor is a block where it is visible. Links to the web
    can be followed. Pictures on the screen are left out, and nothing blinks.
    """
    colors = PICTURE_COLORS[appearance]
    top = _PADDING if title is None else _TITLE_HEIGHT
    width = terminal.columns * CELL_WIDTH + 2 * _PADDING
    height = terminal.rows * CELL_HEIGHT + top + _PADDING
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
            f' viewBox="0 0 {width} {height}" role="img" font-family="{_FONTS}"'
            f' font-size="{_FONT_SIZE}" fill="{colors.foreground}">',
            *_frame(width, height, title, colors),
            f'<g transform="translate({_PADDING} {top})">',
            *_screen(terminal, colors),
            "</g>",
            "</svg>\n",
        )
    )


def _frame(width: int, height: int, title: str | None, colors: PictureColors) -> Iterator[str]:
    if title is not None:
        yield f"<title>{_text(title)}</title>"
    yield (
        f'<rect x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="8"'
        f' fill="{colors.background}" stroke="{colors.frame}"/>'
    )
    if title is not None:
        for x in (18, 36, 54):
            yield f'<circle cx="{x}" cy="15" r="5.5" fill="{colors.frame}"/>'
        yield (
            f'<text x="{width / 2:g}" y="20" text-anchor="middle" font-size="13"'
            f' opacity=".7">{_text(title)}</text>'
        )


def _screen(terminal: GridTerminal, colors: PictureColors) -> Iterator[str]:
    """Yield the elements of the screen, from the back to the front."""
    behind, shapes = Paths(), Paths()
    rows: list[str] = []
    for y in range(terminal.rows):
        pieces: list[_Piece] = []
        for x, cell, painted in _cells(terminal, y, colors):
            left, top = x * CELL_WIDTH, y * CELL_HEIGHT
            if painted.behind:
                behind.add(Block(0, 0, CELL_WIDTH, CELL_HEIGHT), left, top, painted.behind)
            _decorate(shapes, cell, painted, left, top)
            if cell.hidden or not cell.text.strip():
                continue
            drawn = shapes_of(cell.text)
            for shape in drawn:
                shapes.add(shape, left, top, painted.text)
            if not drawn:
                look, link = _look(cell, painted, colors), _link(cell)
                pieces.append(_Piece(x, grapheme_width(cell.text), cell.text, look, link))
        if pieces:
            rows.append(_row(pieces, y))
    yield from behind.elements()
    yield from shapes.elements()
    yield from rows


def _cells(
    terminal: GridTerminal, y: int, colors: PictureColors
) -> Iterator[tuple[int, Cell, CellColors]]:
    """Yield the cells of a row with their columns and colours; the cursor's are reversed."""
    cursor_x, cursor_y = terminal.cursor if terminal.cursor_visible else (-1, -1)
    is_cursor = False
    for x in range(terminal.columns):
        cell = terminal.cell(x, y)
        is_half = not cell.text
        is_cursor = (x, y) == (cursor_x, cursor_y) or (is_cursor and is_half)
        yield x, cell, cell_colors(cell.style, colors, swapped=is_cursor)


def _decorate(shapes: Paths, cell: Cell, painted: CellColors, left: float, top: float) -> None:
    """Draw what runs through or below the text of a cell."""

    def line(y: float, color: str, dashes: str = "") -> None:
        shapes.add(Line(0, y, CELL_WIDTH, y, 1), left, top, color, dashes=dashes)

    if cell.strikethrough:
        line(_STRIKE_Y, painted.text)
    match cell.underline:
        case "":
            pass
        case "curly":
            wave = Curve(0, _UNDERLINE_Y, "q2.25-3 4.5 0t4.5 0")
            shapes.add(wave, left, top, painted.underline)
        case "double":
            line(_UNDERLINE_Y - 1, painted.underline)
            line(_UNDERLINE_Y + 1, painted.underline)
        case kind:
            line(_UNDERLINE_Y, painted.underline, _DASHES.get(kind, ""))


def _look(cell: Cell, painted: CellColors, colors: PictureColors) -> str:
    """Return the attributes of an element that shows the text of such a cell."""
    fill = "" if painted.text == colors.foreground else f' fill="{painted.text}"'
    bold = ' font-weight="bold"' if cell.bold else ""
    return fill + bold + (' font-style="italic"' if cell.italic else "")


def _link(cell: Cell) -> str:
    """Return where a cell leads, if it is to the web: a picture runs no scripts and names no files."""
    try:
        return cell.link if urlsplit(cell.link).scheme in _SAFE_LINKS else ""
    except ValueError:
        return ""


def _row(pieces: list[_Piece], y: int) -> str:
    """Return the text of a row. A direction is named only where the order of columns could be changed."""
    body = "".join(
        _linked(link, "".join(map(_span, _split(list(group)))))
        for link, group in groupby(pieces, key=lambda piece: piece.link)
    )
    turns = any(unicodedata.bidirectional(c) in _RIGHT_TO_LEFT for p in pieces for c in p.text)
    order = ' direction="ltr" unicode-bidi="bidi-override"' if turns else ""
    return f'<text y="{y * CELL_HEIGHT + _BASELINE}"{order}>{body}</text>'


def _linked(link: str, body: str) -> str:
    return f"<a href={quoteattr(_clean(link))}>{body}</a>" if link else body


def _split(pieces: list[_Piece]) -> Iterator[list[_Piece]]:
    """Yield the runs of pieces that one element can show."""
    run: list[_Piece] = []
    for piece in pieces:
        if run and not _follows(run[-1], piece):
            yield run
            run = []
        run.append(piece)
    if run:
        yield run


def _follows(last: _Piece, piece: _Piece) -> bool:
    """Whether two pieces share an element: single characters, whose places it lists, at most one blank apart.

    More blanks in a row are made one by whoever shows them, and every place after them would be off.
    """
    is_near = piece.column - last.column - last.cells <= 1
    return is_near and last.look == piece.look and last.is_single and piece.is_single


def _span(run: list[_Piece]) -> str:
    """Return an element with a place for each of its characters, the blanks between them included."""
    text, columns, end = "", list[int](), run[0].column
    for piece in run:
        text += " " * (piece.column - end) + piece.text
        columns += range(end, piece.column + 1)
        end = piece.column + piece.cells
    places = " ".join(str(column * CELL_WIDTH) for column in columns)
    return f'<tspan x="{places}"{run[0].look}>{_text(text)}</tspan>'


def _clean(text: str) -> str:
    return _NOT_IN_XML.sub("\ufffd", text)


def _text(text: str) -> str:
    return escape(_clean(text))
