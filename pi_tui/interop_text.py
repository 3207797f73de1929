"""What urwid draws as lines, and lines as what urwid draws: styles and links survive both ways.

From lines to attributes urwid's own parser does the work.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import urwid
from urwid.ansi_parser import parse_ansi_text
from urwid.display.escape import ALT_DEC_SPECIAL_CHARS, DEC_SPECIAL_CHARS

from pi_tui.component import CURSOR_MARKER, render_fake_cursor
from pi_tui.frame import resolve_cursor, strip_prompt_marks, take_images
from pi_tui.paint import is_image_line
from pi_tui.width import (
    get_grapheme_cell_range,
    normalize_terminal_output,
    slice_by_column,
    visible_width,
)

# A palette entry as urwid's loop takes it: name, foreground, background, and more.
PaletteEntry = Sequence[str]

_LINE_DRAWING = str.maketrans(ALT_DEC_SPECIAL_CHARS, DEC_SPECIAL_CHARS)
_RESET = "\x1b[0m"
_BRIGHT = 8


def styles_of(palette: Sequence[PaletteEntry]) -> dict[object, urwid.AttrSpec]:
    """Return the styles of a palette by their names: in 256 colours where it has them."""
    styles: dict[object, urwid.AttrSpec] = {}
    for entry in palette:
        name, foreground, background = (*entry, "", "")[:3]
        high = (*entry, "", "", "", "")[4:6] if len(entry) > 4 else ("", "")
        styles[name] = urwid.AttrSpec(high[0] or foreground, high[1] or background)
    return styles


def canvas_lines(
    canvas: urwid.Canvas,
    styles: Mapping[object, urwid.AttrSpec],
    width: int,
    *,
    shows_cursor: bool,
) -> list[str]:
    """Return the rows of a canvas, cut at `width`, the caret marked where it is in one of them."""
    lines = [_line(row, styles) for row in canvas.content()]
    if canvas.cols() > width:
        lines = [slice_by_column(line, 0, width, True) for line in lines]
    cursor = canvas.cursor
    if shows_cursor and cursor is not None and cursor[0] < width and cursor[1] < len(lines):
        lines[cursor[1]] = _with_cursor(lines[cursor[1]], cursor[0])
    return lines


def lines_canvas(lines: Sequence[str], width: int) -> urwid.TextCanvas:
    """Return a canvas that shows lines, with the cursor in the caret's cell."""
    cursor = None
    texts: list[bytes] = []
    attributes: list[list[tuple[object, int]]] = []
    for y, line in enumerate(lines):
        if is_image_line(line):
            line, _ = take_images(line, 0)
        text = slice_by_column(normalize_terminal_output(strip_prompt_marks(line)), 0, width, True)
        if CURSOR_MARKER in text:
            x = visible_width(text[: text.index(CURSOR_MARKER)])
            cursor = (min(x, width - 1), y)
        parsed = parse_ansi_text(resolve_cursor(text, True))
        texts.append(parsed.text.encode())
        attributes.append(list(_byte_runs(parsed.text, parsed.attrib)))
    canvas = urwid.TextCanvas(texts, attributes, maxcol=width)
    canvas.cursor = cursor
    return canvas


def _byte_runs(text: str, runs: Sequence[tuple[object, int]]) -> Iterator[tuple[object, int]]:
    position = 0
    for style, length in runs:
        yield style, len(text[position : position + length].encode())
        position += length


def _line(
    row: Sequence[tuple[object, str | None, bytes]], styles: Mapping[object, urwid.AttrSpec]
) -> str:
    line = ""
    for style, charset, data in row:
        text = data.decode("utf-8", "replace")
        if charset == "0":
            text = text.translate(_LINE_DRAWING)
        spec = style if isinstance(style, urwid.AttrSpec) else styles.get(style)
        line += text if spec is None else _styled(text, spec)
    return line


def _styled(text: str, spec: urwid.AttrSpec) -> str:
    codes = ";".join(_codes(spec))
    styled = f"\x1b[{codes}m{text}{_RESET}" if codes else text
    link = spec.hyperlink
    if link is None or not link.uri:
        return styled
    parameters = f"id={link.id}" if link.id else ""
    return f"\x1b]8;{parameters};{link.uri}\x1b\\{styled}\x1b]8;;\x1b\\"


def _codes(spec: urwid.AttrSpec) -> Iterator[str]:
    attributes = (
        (1, spec.bold),
        (2, spec.faint),
        (3, spec.italics),
        (4, spec.underline),
        (5, spec.blink),
        (7, spec.standout),
        (9, spec.strikethrough),
    )
    yield from (str(code) for code, is_on in attributes if is_on)
    red, green, blue, *behind = spec.get_rgb_values()
    if spec.foreground_true:
        yield f"38;2;{red};{green};{blue}"
    elif spec.foreground_high:
        yield f"38;5;{spec.foreground_number}"
    elif spec.foreground_basic:
        yield _basic(spec.foreground_number, 30)
    if spec.background_true:
        yield "48;2;" + ";".join(map(str, behind))
    elif spec.background_high:
        yield f"48;5;{spec.background_number}"
    elif spec.background_basic:
        yield _basic(spec.background_number, 40)


def _basic(number: int, base: int) -> str:
    return str(base + number if number < _BRIGHT else base + 60 + number - _BRIGHT)


def _with_cursor(line: str, column: int) -> str:
    start, end = get_grapheme_cell_range(line, column) or (column, column + 1)
    before = slice_by_column(line, 0, start)
    before += " " * (start - visible_width(before))
    cell = slice_by_column(line, start, end - start) or " "
    after = slice_by_column(line, end, max(0, visible_width(line) - end))
    return f"{before}{CURSOR_MARKER}{render_fake_cursor(cell)}{after}"
