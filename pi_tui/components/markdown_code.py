"""Code blocks of Markdown. Code that is still arriving is coloured piece by piece, all of it once at its end.

A piece is coloured when it is complete, and the line that is still arriving by itself: a token costs a line.
"""

from __future__ import annotations

from dataclasses import field

from pi_tui.components.markdown_text import Look, Margin, RowMaker, apply
from pi_tui.frozen import slotted
from pi_tui.markdown_tree import Code
from pi_tui.paint import is_image_line
from pi_tui.width import visible_width
from pi_tui.wrap import wrap_rows

_PIECE = 20  # lines


@slotted
class _Colored:
    """Code that need not be coloured again: its styled lines, and the rows they were made into last."""

    text: str = ""
    lines: list[str] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)


class CodeRows:
    """Draws a code block again and again as it grows. What was coloured is kept when the width changes."""

    def __init__(self, maker: RowMaker, margin: Margin, look: Look) -> None:
        self._language = ""
        self._is_closed = False
        self._done = _Colored()  # whole pieces of open code, or all of closed code
        self._whole = _Colored()  # the complete lines of the piece that is still arriving
        self.use(maker, margin, look)

    def use(self, maker: RowMaker, margin: Margin, look: Look) -> None:
        """Draw at another place or width from now on."""
        self._maker, self._margin, self._look = maker, margin, look
        for part in (self._done, self._whole):
            part.rows = self._rows(part.text, part.lines)

    def draw(self, code: Code) -> list[str]:
        """Return the rows of a block, fences included."""
        language = code.info.split(maxsplit=1)[0] if code.info else ""
        if (language, code.is_closed) != (self._language, self._is_closed):
            self._language, self._is_closed = language, code.is_closed
            self._done, self._whole = _Colored(), _Colored()
        first = self._fence("```" + code.info, self._margin)
        end = self._fence("```", self._margin.after_first())
        if code.is_closed:
            self._done = self._colored(code.text, self._done)
            return [*first, *self._done.rows, *end]
        if not code.text.startswith(self._done.text):
            self._done = _Colored()
        return [*first, *self._open_rows(code.text), *end]

    def _open_rows(self, text: str) -> list[str]:
        rest = text[len(self._done.text) :]
        while (size := _piece_size(rest)) is not None:
            piece = self._colored(rest[:size], self._whole)
            self._done.text += piece.text
            self._done.lines += piece.lines
            self._done.rows += piece.rows
            rest = rest[size:]
        start = rest.rfind("\n") + 1
        self._whole = self._colored(rest[:start], self._whole)
        last = self._colored(rest[start:], _Colored())
        return self._done.rows + self._whole.rows + last.rows

    def _colored(self, text: str, before: _Colored) -> _Colored:
        """Return code in colours and rows: `before` if it is the same code."""
        if text == before.text:
            return before
        lines = self._color(text)
        return _Colored(text, lines, self._rows(text, lines))

    def _color(self, text: str) -> list[str]:
        lines = text.removesuffix("\n").split("\n")
        highlight = self._maker.theme.highlight_code
        if highlight is not None:
            self._maker.work.highlighted_lines += len(lines)
            styled = highlight(text, self._language)
            if len(styled) == len(lines):
                return styled
        return [self._maker.theme.code_block(line) if line else "" for line in lines]

    def _rows(self, text: str, styled: list[str]) -> list[str]:
        if not text:
            return []
        rows: list[str] = []
        for plain, line in zip(text.removesuffix("\n").split("\n"), styled, strict=True):
            rows += self._line_rows(plain, line)
        return rows

    def _line_rows(self, plain: str, styled: str) -> list[str]:
        margin, maker = self._margin, self._maker
        indent = maker.theme.code_block_indent
        if is_image_line(styled):
            return [margin.rest + indent + styled]
        line = indent + apply(self._look.around, styled)
        cells = visible_width(indent) + visible_width(plain)
        if cells <= margin.room:
            maker.work.wrapped_rows += 1
            return [maker.row(margin.rest, line, margin.cells + cells)]
        wrapped = wrap_rows(line, margin.room)
        maker.work.wrapped_rows += len(wrapped)
        return [maker.row(margin.rest, row, margin.cells + visible_width(row)) for row in wrapped]

    def _fence(self, text: str, margin: Margin) -> list[str]:
        styles = (self._maker.theme.code_block_border, *self._look.around)
        return self._maker.plain(text, margin, lambda row: apply(styles, row))


def _piece_size(code: str) -> int | None:
    """Return the length of the first piece of code, or `None` if it is not complete."""
    end = 0
    for _ in range(_PIECE):
        end = code.find("\n", end) + 1
        if not end:
            return None
    return end
