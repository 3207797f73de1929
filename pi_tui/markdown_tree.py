"""Markdown text as a small tree of blocks.

The text of paragraphs, headings and cells stays as it was written: `pi_tui.markdown_inline` reads it when a
block is drawn. Nodes are values; two that are equal look the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from pi_tui.frozen import frozen

if TYPE_CHECKING:
    from pi_tui.markdown_grammar import Token

# Targets and titles of link definitions, by label, as the grammar keeps them.
Definitions = Mapping[str, Mapping[str, object]]

_CONTAINER_MARKS = re.compile(r"^(?:[ >]|[-+*] |\d{1,9}[.)] )*")
_INDENTED = re.compile(r"\n +")
_TASK = re.compile(r"\[([ xX])\](?: +|$)")


@frozen(kw_only=True)
class Block:
    """What all blocks know: whether a blank line parts them from the block before."""

    blank_before: bool = False


@frozen
class Paragraph(Block):
    """Text; a newline in it begins a new row."""

    text: str


@frozen
class Heading(Block):
    """A heading of level 1 to 6."""

    level: int
    text: str


@frozen
class Code(Block):
    """Fenced or indented code. `text` ends with a newline unless its last line is still arriving."""

    info: str
    text: str
    is_closed: bool = True


@frozen
class Formula(Block):
    """LaTeX that stands alone, as it was written, with its delimiters; one that is not closed may still arrive."""

    source: str
    is_closed: bool = True

    @property
    def latex(self) -> str:
        """What stands between the delimiters."""
        return self.source.strip()[2:-2]


@frozen
class Rule(Block):
    """A horizontal line."""


@frozen
class Html(Block):
    """HTML as it was written."""

    text: str


@frozen
class Quote(Block):
    """Quoted blocks."""

    blocks: tuple[Block, ...]


@frozen
class Item(Block):
    """An entry of a list: its mark as written (`*`, `7.`), whether it is a task, and its blocks."""

    mark: str
    task: Literal["", " ", "x"]
    blocks: tuple[Block, ...]

    @property
    def is_loose(self) -> bool:
        """Whether blank lines part its blocks."""
        return any(block.blank_before for block in self.blocks[1:])


@frozen
class List(Block):
    """Items with the same kind of mark; `start` is the first number, `None` for bullets."""

    start: int | None
    items: tuple[Item, ...]

    @property
    def is_loose(self) -> bool:
        """Whether blank lines part its items, or the blocks of one."""
        return any(item.blank_before for item in self.items[1:]) or any(
            item.is_loose for item in self.items
        )


# The texts of a table's row, cell by cell. Compared by identity when a table is drawn again.
Row = tuple[str, ...]


@frozen
class Table(Block):
    """A table. All rows have as many cells as the header; `source` are the lines as written."""

    header: Row
    rows: tuple[Row, ...]
    source: tuple[str, ...]


@frozen
class Placed:
    """A block, the lines that it begins in, and those that its items or rows begin in.

    `line` is that of the definitions right before it, `own_line` that of the block itself.
    """

    block: Block
    line: int
    own_line: int
    parts: tuple[int, ...] = ()


def parse_blocks(
    text: str, *, level: int = 0, blank_before: bool | None = None, math: bool = True
) -> tuple[list[Placed], Definitions]:
    """Return the blocks of `text`, and the definitions of links in it.

    Lines end with `\\n`, and there are no tabs. `level` is the number of containers around it,
    `blank_before` tells whether a blank line goes before it; `None` if nothing does. With `math` there may be formulas.
    """
    from pi_tui.markdown_grammar import block_tokens

    tokens, environment = block_tokens(text, level, math=math)
    reader = _Reader(tokens, text.split("\n"), level)
    return reader.blocks(0, blank_before), environment.get("references", {})


class _Reader:
    """Turns the flat list of tokens into nodes."""

    def __init__(self, tokens: Sequence[Token], lines: Sequence[str], level: int) -> None:
        self._tokens = tokens
        self._lines = lines
        self._base = level
        self._next = 0

    def blocks(self, quotes: int, blank_before: bool | None) -> list[Placed]:
        """Return the blocks up to the end of the container; the first of all has no blank line before it."""
        found: list[Placed] = []
        end = 0
        while self._next < len(self._tokens) and self._tokens[self._next].nesting >= 0:
            start, stop = self._range()
            begin = self._first_written(end, start)
            is_apart = blank_before is not None and (
                blank_before or self._has_blank(end or begin, start, quotes)
            )
            block, parts = self._block(is_apart, quotes)
            found.append(Placed(block, begin, start, parts))
            end = self._content_end(start, stop, quotes)
            blank_before = False
        return found

    def _range(self) -> tuple[int, int]:
        lines = self._tokens[self._next].map
        assert lines is not None, "every block says which lines it is from"
        return lines[0], lines[1]

    def _first_written(self, start: int, stop: int) -> int:
        """Return the first line that is not blank: where a definition before a block begins, or the block."""
        for line in range(start, stop):
            if self._lines[line].strip(" "):
                return line
        return stop

    def _content_end(self, start: int, stop: int, quotes: int) -> int:
        """Return where a block ends without the blank lines that the grammar counts to it."""
        while stop > start + 1 and self._is_blank(stop - 1, quotes):
            stop -= 1
        return stop

    def _has_blank(self, start: int, stop: int, quotes: int) -> bool:
        return any(self._is_blank(line, quotes) for line in range(start, stop))

    def _is_blank(self, line: int, quotes: int) -> bool:
        text = self._lines[line] if line < len(self._lines) else ""
        return not _inside_quotes(text, quotes).strip(" ")

    def _block(self, blank_before: bool, quotes: int) -> tuple[Block, tuple[int, ...]]:
        token = self._take()
        match token.type:
            case "paragraph_open":
                return Paragraph(self._inline(), blank_before=blank_before), ()
            case "heading_open":
                level = int(token.tag[1:])
                return Heading(level, self._inline(), blank_before=blank_before), ()
            case "fence":
                return self._fence(token, blank_before), ()
            case "code_block":
                return Code("", _with_newline(token.content), blank_before=blank_before), ()
            case "math_block":
                source = _INDENTED.sub("\n", token.content.strip())
                return Formula(source, bool(token.markup), blank_before=blank_before), ()
            case "hr":
                return Rule(blank_before=blank_before), ()
            case "html_block":
                return Html(token.content, blank_before=blank_before), ()
            case "blockquote_open":
                inner = tuple([placed.block for placed in self.blocks(quotes + 1, None)])
                self._take()
                return Quote(inner, blank_before=blank_before), ()
            case "table_open":
                return self._table(token, blank_before)
            case _:
                return self._list(token, blank_before, quotes)

    def _take(self) -> Token:
        self._next += 1
        return self._tokens[self._next - 1]

    def _inline(self) -> str:
        text = self._take().content
        self._take()
        return _INDENTED.sub("\n", text)

    def _fence(self, token: Token, blank_before: bool) -> Code:
        assert token.map is not None
        # Of a closed fence one line more is taken than there are lines of code.
        is_closed = token.map[1] - token.map[0] >= _line_count(token.content) + 2
        text = token.content
        if is_closed:
            text = _with_newline(text)
        elif not text.endswith("\n"):
            text = without_half_fence(text, token.markup)
        return Code(token.info.strip(), text, is_closed, blank_before=blank_before)

    def _list(self, token: Token, blank_before: bool, quotes: int) -> tuple[List, tuple[int, ...]]:
        start = int(token.attrs.get("start", 1)) if token.type == "ordered_list_open" else None
        items: list[Item] = []
        lines: list[int] = []
        end = -1
        while self._tokens[self._next].type == "list_item_open":
            first, stop = self._range()
            blank = end >= 0 and self._has_blank(end, first, quotes)
            items.append(self._item(blank, quotes))
            lines.append(first)
            end = self._content_end(first, stop, quotes)
        self._take()
        return List(start, tuple(items), blank_before=blank_before), tuple(lines)

    def _item(self, blank_before: bool, quotes: int) -> Item:
        token = self._take()
        blocks = tuple([placed.block for placed in self.blocks(quotes, None)])
        self._take()
        return make_item(token.info + token.markup, blocks, blank_before=blank_before)

    def _table(self, token: Token, blank_before: bool) -> tuple[Table, tuple[int, ...]]:
        assert token.map is not None
        rows: list[Row] = []
        lines: list[int] = []
        cells: list[str] = []
        while (part := self._take()).type != "table_close":
            if part.type == "tr_open":
                assert part.map is not None
                lines.append(part.map[0])
                cells = []
            elif part.type == "inline":
                cells.append(part.content)
            elif part.type == "tr_close":
                rows.append(tuple(cells))
        written = self._lines[token.map[0] : token.map[1]]
        source = tuple(_CONTAINER_MARKS.sub("", line).rstrip(" ") for line in written)
        table = Table(rows[0], tuple(rows[1:]), source, blank_before=blank_before)
        return table, tuple(lines[1:])


def make_item(mark: str, blocks: tuple[Block, ...], *, blank_before: bool) -> Item:
    """Return an item; a box in front of its text makes it a task."""
    first = blocks[0] if blocks else None
    box = _TASK.match(first.text) if isinstance(first, Paragraph) else None
    if box is None or first is None or not isinstance(first, Paragraph):
        return Item(mark, "", blocks, blank_before=blank_before)
    task: Literal[" ", "x"] = " " if box[1] == " " else "x"
    text = Paragraph(first.text[box.end() :], blank_before=first.blank_before)
    return Item(mark, task, (text, *blocks[1:]), blank_before=blank_before)


def without_half_fence(text: str, fence: str) -> str:
    """Drop a last line that may become the closing fence, so that the block does not flicker when it does."""
    start = text.rfind("\n") + 1
    last = text[start:].strip()
    if last and len(last) < len(fence) and not last.strip(fence[0]):
        return text[:start]
    return text


def _line_count(code: str) -> int:
    return code.count("\n") + (not code.endswith("\n") and bool(code))


def _with_newline(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def _inside_quotes(line: str, quotes: int) -> str:
    """Return what stands behind the marks of the quotes that a line is in."""
    return re.sub(rf"^(?: *>){{{quotes}}} ?", "", line) if quotes else line
