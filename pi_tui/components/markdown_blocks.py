"""Rows of the blocks of a Markdown text. What did not change is not drawn again.

The tree of what was drawn has the shape of the tree of blocks; a block that is the same object, at the same
place, keeps its rows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field
from itertools import islice
from operator import is_

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
    state: CodeRows | ParagraphRows | TableRows | DrawnBlocks | _ListRows | None = None
    is_loose: bool = False  # an item that makes its list a loose one


@slotted
class DrawnBlocks:
    """Blocks one below the other, their rows with the empty ones between, and how many end with each block."""

    blocks: Sequence[Block] = ()
    margin: Margin | None = None
    definitions: Definitions | None = None
    parts: list[Drawn] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)


@slotted
class _ListRows:
    """How many rows of a list end with each item, and the first item that makes it a loose one."""

    ends: list[int] = field(default_factory=list)
    loose_at: int | None = None


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
        old: DrawnBlocks,
    ) -> DrawnBlocks:
        """Return all blocks drawn; `old` is what was drawn last."""
        self._definitions = definitions
        return self._blocks(blocks, margin, look, old)

    def _blocks(
        self, blocks: Sequence[Block], margin: Margin, look: Look, old: DrawnBlocks
    ) -> DrawnBlocks:
        """Draw blocks. The first ones that stayed the same are taken over, rows and all."""
        same = 0
        if old.definitions is self._definitions and old.margin == margin:
            same = _count_same(old.blocks, blocks)
            if same == len(blocks) == len(old.blocks):
                return old
        drawn = DrawnBlocks(blocks, margin, self._definitions, old.parts[:same])
        if same:
            drawn.ends = old.ends[:same]
            drawn.rows = old.rows[: drawn.ends[-1]]
        inner = margin.after_first() if drawn.rows else margin
        for index in range(same, len(blocks)):
            before = old.parts[index] if index < len(old.parts) else None
            part = self._block(blocks[index], inner, look, before)
            drawn.parts.append(part)
            if part.rows:
                inner = margin.after_first()
        self._join(drawn.parts, margin, drawn.rows, drawn.ends)
        return drawn

    def _join(
        self, parts: Sequence[Drawn], margin: Margin, rows: list[str], ends: list[int]
    ) -> None:
        """Add the rows of the blocks that have no end yet, with the empty rows before them."""
        above, is_apart = _above(parts, len(ends))
        for part in islice(parts, len(ends), None):
            is_apart = is_apart or part.block.blank_before
            if part.rows:
                if above is not None and (is_apart or not _are_close(above, part.block)):
                    rows.append(self._maker.blank(margin))
                rows += part.rows
                above, is_apart = part.block, False
            ends.append(len(rows))

    def _block(self, block: Block, margin: Margin, look: Look, old: Drawn | None) -> Drawn:
        self._maker.work.asked_blocks += 1
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
                self._list(drawn, block, look, old)
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
        known = old.state if old is not None else None
        inside = self._blocks(
            block.blocks, margin, look, known if isinstance(known, DrawnBlocks) else DrawnBlocks()
        )
        drawn.state = inside
        drawn.rows = inside.rows or [self._maker.row(margin.first, "", margin.cells)]

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

    def _list(self, drawn: Drawn, block: List, look: Look, old: Drawn | None) -> None:
        """Draw a list. The first items that stayed the same are taken over, rows and all."""
        margin = drawn.margin
        known = old.state if old is not None else None
        before = known if isinstance(known, _ListRows) else _ListRows()
        children = old.children if old is not None else []
        same = self._count_same_items(block, margin, old)
        drawn.children = children[:same]
        for index in range(same, len(block.items)):
            item = block.items[index]
            mark = self._mark(item, None if block.start is None else block.start + index)
            own = margin if not index else margin.after_first()
            drawn.children.append(
                self._item(
                    item, mark, own, look, children[index] if index < len(children) else None
                )
            )
        at = before.loose_at
        if at is None or at >= same:
            at = _first_loose(drawn.children, same)
        drawn.state = _ListRows([], at)
        if same and (at is None) == (before.loose_at is None):
            drawn.state.ends = before.ends[:same]
            drawn.rows = old.rows[: before.ends[same - 1]] if old is not None else []
        self._join_items(drawn.children, margin, drawn.rows, drawn.state)

    def _count_same_items(self, block: List, margin: Margin, old: Drawn | None) -> int:
        """Return how many of the first items need not be drawn again."""
        if (
            old is None
            or not isinstance(old.block, List)
            or old.block.start != block.start
            or not self._is_current(old, margin)
        ):
            return 0
        return _count_same(old.block.items, block.items)

    def _mark(self, item: Item, number: int | None) -> str:
        mark = item.mark if self._keeps_marks else "-" if number is None else f"{number}."
        return f"{mark} [{item.task}] " if item.task else f"{mark} "

    def _item(self, item: Item, mark: str, margin: Margin, look: Look, old: Drawn | None) -> Drawn:
        self._maker.work.asked_blocks += 1
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
        rows: list[str] = []
        self._join(drawn.children, inner, rows, [])
        drawn.rows = [alone, *rows] if stands_alone or not rows else rows
        return drawn

    def _join_items(
        self, items: Sequence[Drawn], margin: Margin, rows: list[str], known: _ListRows
    ) -> None:
        """Add the rows of the items that have no end yet."""
        for index in range(len(known.ends), len(items)):
            if index and known.loose_at is not None:
                rows.append(self._maker.blank(margin))
            rows += items[index].rows
            known.ends.append(len(rows))


def _count_same(old: Sequence[object], new: Sequence[object]) -> int:
    """Return how many of the first are the same objects, without a step in Python for each."""
    same = list(map(is_, old, new))
    return len(same) if all(same) else same.index(False)


def _first_loose(items: Sequence[Drawn], start: int) -> int | None:
    """Return the first item from `start` on that makes its list a loose one."""
    for index in range(start, len(items)):
        if items[index].is_loose or (index and items[index].block.blank_before):
            return index
    return None


def _above(parts: Sequence[Drawn], count: int) -> tuple[Block | None, bool]:
    """Return the last of the first `count` blocks that has rows, and whether a blank line follows it."""
    is_apart = False
    for index in range(count - 1, -1, -1):
        if parts[index].rows:
            return parts[index].block, is_apart
        is_apart = is_apart or parts[index].block.blank_before
    return None, is_apart


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
