"""Rows of the blocks of a Markdown text. What did not change is not drawn again.

The tree of what was drawn has the shape of the tree of blocks; a block that is the same object, at the same
place, keeps its rows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field

from pi_tui.components.markdown_code import CodeRows
from pi_tui.components.markdown_paragraph import ParagraphRows
from pi_tui.components.markdown_table import TableRows
from pi_tui.components.markdown_text import Look, Margin, RowMaker, apply
from pi_tui.frozen import slotted
from pi_tui.latex import render_latex
from pi_tui.markdown_inline import Span, read_inline
from pi_tui.markdown_tree import (
    Block,
    Code,
    Definitions,
    Formula,
    Heading,
    Html,
    Item,
    List,
    Paragraph,
    Quote,
    Rule,
    Table,
)
from pi_tui.width import truncate_to_width, visible_width

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_LONGEST_RULE = 80
_NESTED_INDENT = 4
_LEAST_ROOM = 4  # cells that a nested list keeps for itself
_LEAST_QUOTE = 3  # cells that a quote needs for its border


@slotted
class Drawn:
    """A block as it was drawn, and what was drawn inside it."""

    block: Block
    margin: Margin
    definitions: Definitions
    rows: list[str]
    children: list[Drawn] = field(default_factory=list)
    state: CodeRows | ParagraphRows | TableRows | None = None
    is_loose: bool = False  # an item that makes its list a loose one


class BlockDrawer:
    """Draws blocks at one width, in one theme."""

    def __init__(
        self,
        maker: RowMaker,
        *,
        keeps_marks: bool = False,
        keeps_escapes: bool = False,
        math: bool = True,
    ) -> None:
        self._maker = maker
        self._keeps_marks = keeps_marks
        self._keeps_escapes = keeps_escapes
        self._math = math
        self._definitions: Definitions = {}

    def draw(
        self,
        blocks: Sequence[Block],
        definitions: Definitions,
        margin: Margin,
        look: Look,
        old: Sequence[Drawn],
    ) -> list[Drawn]:
        """Return all blocks drawn; `old` is what was drawn last."""
        self._definitions = definitions
        return self._blocks(blocks, margin, look, old)

    def joined(self, drawn: Sequence[Drawn], margin: Margin) -> list[str]:
        """Return the rows of blocks with the empty rows between them."""
        rows: list[str] = []
        above: Block | None = None
        is_apart = False
        for part in drawn:
            is_apart = is_apart or part.block.blank_before
            if not part.rows:
                continue
            if above is not None and (is_apart or not _are_close(above, part.block)):
                rows.append(self._maker.blank(margin))
            rows += part.rows
            above, is_apart = part.block, False
        return rows

    def _blocks(
        self, blocks: Sequence[Block], margin: Margin, look: Look, old: Sequence[Drawn]
    ) -> list[Drawn]:
        drawn: list[Drawn] = []
        for index, block in enumerate(blocks):
            before = old[index] if index < len(old) else None
            part = self._block(block, margin, look, before)
            drawn.append(part)
            if part.rows:
                margin = margin.after_first()
        return drawn

    def _block(self, block: Block, margin: Margin, look: Look, old: Drawn | None) -> Drawn:
        if old is not None and old.block is block and self._is_current(old, margin):
            return old
        drawn = Drawn(block, margin, self._definitions, [])
        match block:
            case Paragraph():
                drawn.state = self._paragraph(margin, look, old)
                has_links = bool(self._definitions) and "]" in block.text
                drawn.rows = drawn.state.draw(block.text, self._read, in_pieces=not has_links)
            case Heading():
                drawn.rows = self._heading(block, margin, look)
            case Code():
                drawn.state = self._code(margin, look, old)
                drawn.rows = drawn.state.draw(block)
            case Formula():
                drawn.rows = self._formula(block, margin, look)
            case Table():
                drawn.state = self._table(margin, look, old)
                drawn.rows = drawn.state.draw(block)
            case List():
                drawn.children = self._items(block, margin, look, old)
                drawn.rows = self._list_rows(drawn.children, margin)
            case Quote():
                self._quote(drawn, block, look, old)
            case Rule():
                line = "─" * min(margin.room, _LONGEST_RULE)
                styles = (self._maker.theme.hr, *look.around)
                drawn.rows = self._maker.plain(line, margin, lambda row: apply(styles, row))
            case Html():
                drawn.rows = self._html(block, margin, look)
        return drawn

    def _is_current(self, old: Drawn, margin: Margin) -> bool:
        """Tell whether what was drawn is still right for the same block."""
        if old.margin is not margin and old.margin != margin:
            return False
        if old.definitions is not self._definitions:
            if _may_refer(old.block):
                return False
            old.definitions = self._definitions
        return True

    def _read(self, text: str) -> list[list[Span]]:
        return read_inline(
            text, self._definitions, keep_escapes=self._keeps_escapes, math=self._math
        )

    def _heading(self, block: Heading, margin: Margin, look: Look) -> list[str]:
        theme = self._maker.theme
        around = (theme.bold, theme.underline) if block.level == 1 else (theme.bold,)
        lines = self._read(block.text) or [[]]
        if block.level > 2:
            lines[0] = [Span("#" * block.level + " "), *lines[0]]
        return self._maker.text(
            lines, margin, Look((), (*around, theme.heading, *look.around), look.is_quoted)
        )

    def _paragraph(self, margin: Margin, look: Look, old: Drawn | None) -> ParagraphRows:
        known = old.state if old is not None and self._is_current(old, margin) else None
        return (
            known if isinstance(known, ParagraphRows) else ParagraphRows(self._maker, margin, look)
        )

    def _code(self, margin: Margin, look: Look, old: Drawn | None) -> CodeRows:
        if old is None or not isinstance(old.state, CodeRows):
            return CodeRows(self._maker, margin, look)
        if not self._is_current(old, margin):
            old.state.use(self._maker, margin, look)
        return old.state

    def _table(self, margin: Margin, look: Look, old: Drawn | None) -> TableRows:
        known = old.state if old is not None and self._is_current(old, margin) else None
        if isinstance(known, TableRows):
            return known
        return TableRows(self._maker, margin, look, self._read)

    def _quote(self, drawn: Drawn, block: Quote, look: Look, old: Drawn | None) -> None:
        theme, margin = self._maker.theme, drawn.margin
        if margin.room >= _LEAST_QUOTE:
            border = theme.quote_border("│ ")
            margin = margin.inside(border, border, 2)
        if not look.is_quoted:
            look = Look((), (theme.italic, theme.quote), is_quoted=True)
        drawn.children = self._blocks(
            block.blocks, margin, look, old.children if old is not None else ()
        )
        inside = self.joined(drawn.children, margin)
        drawn.rows = inside or [self._maker.row(margin.first, "", margin.cells)]

    def _html(self, block: Html, margin: Margin, look: Look) -> list[str]:
        text = _COMMENT.sub("", block.text)
        lines = [[Span(line.rstrip(" "))] for line in text.split("\n") if line.strip()]
        return self._maker.text(lines, margin, look)

    def _formula(self, block: Formula, margin: Margin, look: Look) -> list[str]:
        """Return the formula drawn, or as it was written if that cannot be done in the room that there is."""
        drawn = render_latex(block.latex, display=True) if block.is_closed else None
        rows = (drawn or block.source).split("\n")
        if drawn is not None and max(map(visible_width, rows)) > margin.room:
            rows = block.source.split("\n")
        return self._maker.text([[Span(row)] for row in rows], margin, look)

    def _items(self, block: List, margin: Margin, look: Look, old: Drawn | None) -> list[Drawn]:
        before = old.children if old is not None else []
        drawn: list[Drawn] = []
        if (
            old is not None
            and isinstance(old.block, List)
            and old.block.start == block.start
            and self._is_current(old, margin)
        ):
            same = _count_same(old.block.items, block.items)
            drawn = before[:same]
        for index in range(len(drawn), len(block.items)):
            item = block.items[index]
            mark = self._mark(item, None if block.start is None else block.start + index)
            own = margin if not index else margin.after_first()
            known = before[index] if index < len(before) else None
            drawn.append(self._item(item, mark, own, look, known))
        return drawn

    def _mark(self, item: Item, number: int | None) -> str:
        mark = item.mark if self._keeps_marks else "-" if number is None else f"{number}."
        return f"{mark} [{item.task}] " if item.task else f"{mark} "

    def _item(self, item: Item, mark: str, margin: Margin, look: Look, old: Drawn | None) -> Drawn:
        cells = len(mark)
        stands_alone = margin.room <= cells
        if stands_alone:
            mark = truncate_to_width(mark.rstrip(" "), margin.room, "")
            cells = visible_width(mark)
        styled = apply((self._maker.theme.list_bullet, *look.around), mark)
        alone = self._maker.row(margin.first, styled, margin.cells + cells)
        if stands_alone:
            inner = nested = margin.after_first()
        else:
            inner = margin.inside(styled, " " * cells, cells)
            indent = max(min(_NESTED_INDENT, margin.room - _LEAST_ROOM), 0)
            nested = margin.inside(styled + " " * (indent - cells), " " * indent, indent)
        drawn = Drawn(item, margin, self._definitions, [], is_loose=item.is_loose)
        before = old.children if old is not None else []
        for index, block in enumerate(item.blocks):
            is_first = not any(part.rows for part in drawn.children)
            own = nested if isinstance(block, List) else inner
            if is_first and own.cells < inner.cells:  # the mark stands in front of it
                own = inner
            elif not is_first:
                own = own.after_first()
            known = before[index] if index < len(before) else None
            drawn.children.append(self._block(block, own, look, known))
        rows = self.joined(drawn.children, inner)
        drawn.rows = [alone, *rows] if stands_alone or not rows else rows
        return drawn

    def _list_rows(self, items: Sequence[Drawn], margin: Margin) -> list[str]:
        is_loose = any(item.is_loose for item in items) or any(
            item.block.blank_before for item in items[1:]
        )
        rows: list[str] = []
        for index, item in enumerate(items):
            if index and is_loose:
                rows.append(self._maker.blank(margin))
            rows += item.rows
        return rows


def _count_same(old: Sequence[object], new: Sequence[object]) -> int:
    """Return how many of the first are the same objects."""
    count = 0
    for before, after in zip(old, new, strict=False):
        if before is not after:
            break
        count += 1
    return count


def _are_close(above: Block, below: Block) -> bool:
    """Tell whether no empty row is between two blocks that no blank line parts."""
    if isinstance(above, List | Html):
        return True
    return isinstance(above, Paragraph) and isinstance(below, List)


def _may_refer(block: Block) -> bool:
    """Tell whether a block may use definitions of links."""
    match block:
        case Paragraph() | Heading():
            return "]" in block.text
        case Table():
            return any("]" in cell for row in (block.header, *block.rows) for cell in row)
        case Quote() | Item():
            return any(_may_refer(inner) for inner in block.blocks)
        case List():
            return any(_may_refer(item) for item in block.items)
        case _:
            return False
