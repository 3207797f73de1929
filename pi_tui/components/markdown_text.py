"""Rows of Markdown: spans are wrapped as plain text and styled row by row, so that every row stands alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field

from pi_tui.ansi import RESET, hyperlink
from pi_tui.component import Style
from pi_tui.frozen import frozen, slotted
from pi_tui.markdown_inline import Mark, Span
from pi_tui.markdown_theme import MarkdownTheme
from pi_tui.width import visible_width
from pi_tui.wrap import apply_background_to_line, wrap_text_with_ansi


@slotted
class MarkdownWork:
    """What was done so far, for tests that count it."""

    parsed_lines: int = 0
    highlighted_lines: int = 0
    wrapped_rows: int = 0
    asked_blocks: int = 0  # blocks and items that were looked at, drawn anew or not


@frozen
class Margin:
    """What goes before the first row of a block and before the others, its cells, and those left for text."""

    first: str
    rest: str
    cells: int
    room: int

    def inside(self, first: str, rest: str, cells: int) -> Margin:
        """Return the margin of a block behind `first` and `rest`, which take `cells` each."""
        return Margin(self.first + first, self.rest + rest, self.cells + cells, self.room - cells)

    def after_first(self) -> Margin:
        """Return the margin of a block that begins below the first row."""
        return (
            self if self.first == self.rest else Margin(self.rest, self.rest, self.cells, self.room)
        )


@frozen
class Look:
    """How text looks: `plain` is put on the text itself, the styles `around` on the text with its marks."""

    plain: tuple[Style, ...] = ()
    around: tuple[Style, ...] = ()
    is_quoted: bool = False

    def within(self, *styles: Style) -> Look:
        """Return the look with more styles, under those around."""
        return Look(self.plain, (*styles, *self.around), self.is_quoted)


@slotted
class RowMaker:
    """Makes rows of exactly the width of the page."""

    theme: MarkdownTheme
    width: int
    background: Style | None
    shows_links: bool
    work: MarkdownWork = field(default_factory=MarkdownWork)

    def row(self, prefix: str, styled: str, cells: int) -> str:
        """Return a row of a prefix and styled text, which take `cells` together."""
        line = prefix + styled
        if self.background is not None:
            return apply_background_to_line(line, self.width, self.background) + RESET
        line += " " * (self.width - cells)
        return line + RESET if "\x1b" in line else line

    def blank(self, margin: Margin) -> str:
        """Return a row with nothing but the margin."""
        return self.row(margin.rest, "", margin.cells)

    def text(self, lines: Sequence[Sequence[Span]], margin: Margin, look: Look) -> list[str]:
        """Return lines of spans as wrapped rows."""
        pieces = (piece for line in lines for piece in self.pieces(line, margin.room, look))
        return self.rows(pieces, margin)

    def rows(self, pieces: Iterator[tuple[str, int]], margin: Margin) -> list[str]:
        """Return pieces of styled text with their cells as rows."""
        rows: list[str] = []
        prefix = margin.first
        for styled, cells in pieces:
            rows.append(self.row(prefix, styled, margin.cells + cells))
            prefix = margin.rest
        return rows

    def shown(self, line: Sequence[Span]) -> list[Span]:
        """Return the spans of a line without the addresses that are behind links of the terminal."""
        if not self.shows_links:
            return list(line)
        return [span for span in line if "link_url" not in span.marks]

    def last_row_start(self, line: Sequence[Span], room: int) -> int:
        """Return the character of a line of shown spans that its last row begins with."""
        plain = "".join(span.text for span in line)
        start = end = 0
        for row in wrap_text_with_ansi(plain, room):
            start = plain.index(row, end)
            end = start + len(row)
        return start

    def pieces(self, line: Sequence[Span], room: int, look: Look) -> Iterator[tuple[str, int]]:
        """Yield the rows that a line of spans takes in `room` cells, styled, and their cells."""
        spans = self.shown(line)
        plain = "".join(span.text for span in spans)
        cursor = _Cursor(spans)
        end = 0
        for row in wrap_text_with_ansi(plain, room):
            self.work.wrapped_rows += 1
            start = plain.index(row, end)
            end = start + len(row)
            cells = visible_width(row)
            if cells > room:  # a grapheme of two cells in one column
                yield " " * room, room
            else:
                parts = cursor.between(start, end)
                yield "".join(self._styled(span, text, look) for span, text in parts), cells

    def plain(self, text: str, margin: Margin, style: Callable[[str], str]) -> list[str]:
        """Return text in one style as wrapped rows."""
        return self.rows(self.plain_pieces(text, margin.room, style), margin)

    def plain_pieces(
        self, text: str, room: int, style: Callable[[str], str]
    ) -> Iterator[tuple[str, int]]:
        """Yield the rows that text in one style takes in `room` cells, and their cells."""
        for row in wrap_text_with_ansi(text, room):
            self.work.wrapped_rows += 1
            cells = visible_width(row)
            if cells > room:
                row, cells = " " * room, room
            yield style(row) if row else "", cells

    def _styled(self, span: Span, text: str, look: Look) -> str:
        styled = apply(self._styles(span.marks, look), text)
        return hyperlink(styled, span.href) if span.href and self.shows_links else styled

    def _styles(self, marks: tuple[Mark, ...], look: Look) -> tuple[Style, ...]:
        """Return the styles of a span, the innermost first."""
        theme = self.theme
        if not marks:
            return (*look.plain, *look.around)
        table: dict[Mark, tuple[Style, ...]] = {
            "bold": (theme.bold,),
            "italic": (theme.italic,),
            "strikethrough": (theme.strikethrough,),
            "code": (theme.code,),
            "link": (theme.underline, theme.link),
            "link_url": (theme.link_url,),
        }
        own = () if "code" in marks or "link_url" in marks else look.plain
        return (*own, *(style for mark in reversed(marks) for style in table[mark]), *look.around)


class _Cursor:
    """Goes through spans once, from row to row."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self._spans = spans
        self._index = 0
        self._begin = 0  # of the span at the index, in the text of all

    def between(self, start: int, end: int) -> Iterator[tuple[Span, str]]:
        """Yield what spans have in a part of the text, which begins where the last one ended or later."""
        while self._index < len(self._spans):
            span = self._spans[self._index]
            text = span.text[max(0, start - self._begin) : max(0, end - self._begin)]
            if text:
                yield span, text
            if self._begin + len(span.text) > end:
                return
            self._begin += len(span.text)
            self._index += 1


def apply(styles: Sequence[Style], text: str) -> str:
    """Put styles on text, the first innermost."""
    for style in styles:
        text = style(text)
    return text
