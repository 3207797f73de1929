"""Parse a text that grows, from its last stable boundary on.

A boundary is the start of the last block, or of the last item or row in it, once the line that opens it is
complete: nothing that follows changes what stands before. Quotes and items that are still open are
documents of their own behind the marks of their lines, and grow by the same rule.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from operator import is_
from typing import TypeVar

from pi_tui.frozen import frozen
from pi_tui.markdown_open import Growth, ParseWork, growth_of
from pi_tui.markdown_tree import (
    Block,
    Code,
    Definitions,
    Item,
    List,
    Paragraph,
    Placed,
    Quote,
    Row,
    Table,
    parse_blocks,
)

Node = TypeVar("Node", bound=Block)

# The grammar cuts tables with more missing cells than this; a smaller one can be parsed in parts.
_CELL_LIMIT = 0x10000

# The start of a line that is an item however it goes on: `- -` may become a rule.
_CERTAIN_ITEM = re.compile(r" {0,3}(?:[-+*]|\d{1,9}[.)]) +[^\s*_-]")

_LONG_PARAGRAPH = 8  # lines
_ANY_LINE = "x\n"  # stands for the lines of a paragraph that were parsed before


class GrowingMarkdown:
    """The blocks of a text; `update` with a longer one parses only what may have changed.

    Blocks that stayed the same stay the same objects.
    """

    def __init__(self, work: ParseWork, level: int = 0, *, math: bool = True) -> None:
        self.blocks: tuple[Block, ...] = ()
        self.definitions: Definitions = {}
        self._work = work
        self._level = level
        self._math = math
        self._text = ""
        self._start_over()

    def update(self, text: str) -> None:
        """Make `blocks` those of `text`: lines that end with `\\n`, without tabs."""
        if text == self._text:
            return
        if not text.startswith(self._text):
            self._start_over()
        self._text = text
        tail = text[self._boundary :]
        grown = self._growth.grow(tail) if self._growth is not None else None
        if grown is None or self._growth is None:
            self._parse(tail)
            return
        self.blocks = (*self._finished, grown)
        self._use_definitions(self._growth.definitions)

    def _start_over(self) -> None:
        self._boundary = 0
        self._blank_before: bool | None = None
        self._finished: tuple[Block, ...] = ()
        self._stable_definitions: Definitions = {}
        self._open: _OpenBlock | None = None
        self._growth: Growth | None = None

    def _parse(self, tail: str) -> None:
        head = self._open.head if self._open is not None else ""
        lines = _Lines(head + tail, len(head))
        self._work.parsed_lines += tail.count("\n") + 1
        placed, definitions = parse_blocks(
            head + tail, level=self._level, blank_before=self._blank_before, math=self._math
        )
        if self._open is not None:
            whole = self._open.with_more(placed[0].block if placed else None)
            if whole is None:
                self._boundary, self._open = self._open.start, None
                self._parse(self._text[self._boundary :])
                return
            placed[0] = replace(placed[0], block=whole)
        old = self.blocks[len(self._finished) :]
        new = tuple(item.block for item in placed)
        self.blocks = self._finished + _kept(old, new)
        self._use_definitions(definitions)
        self._advance(lines, placed, definitions)

    def _use_definitions(self, definitions: Definitions) -> None:
        known = {**definitions, **self._stable_definitions}
        if known != self.definitions:
            self.definitions = known

    def _advance(self, lines: _Lines, placed: Sequence[Placed], definitions: Definitions) -> None:
        """Move the boundary as far as what was parsed allows."""
        self._growth = None
        index = len(placed) - 1
        if index > 0 and not lines.decide(placed[index]):
            index -= 1
        if index < 0 or (self._open is None and not lines.decide(placed[index])):
            return
        is_last = index == len(placed) - 1
        was_open = self._open if index == 0 else None
        if was_open is not None and not is_last:
            return
        last, block = placed[index], self.blocks[len(self._finished) + index]
        start = was_open.start if was_open else self._boundary + lines.offset(last.own_line)
        line = last.line
        self._open = None
        if is_last:
            self._open = _open_block(lines, last, block, start)
            if self._open is not None:
                line = self._open.line
            elif isinstance(block, Quote) or (isinstance(block, Code) and not block.is_closed):
                line = last.own_line
            if self._open is None or self._open.is_at_last_part(block):
                self._growth = growth_of(
                    lines.text_from(line),
                    block,
                    self._level,
                    self._work,
                    partial(GrowingMarkdown, math=self._math),
                )
        if self._open is None and was_open is not None:
            self._open = was_open
            return
        self._finished = self.blocks[: len(self._finished) + index]
        self._blank_before = block.blank_before if self._finished else None
        found = {label: known for label, known in definitions.items() if _line_of(known) < line}
        self._stable_definitions = {**found, **self._stable_definitions}
        self._boundary += lines.offset(line)


class _Lines:
    """Where the lines of a text begin. Its first `head` characters stand for what was parsed before."""

    def __init__(self, text: str, head: int) -> None:
        self._text = text
        self._head = head
        self._starts = [0]
        for line in text.split("\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)
        self.complete = len(self._starts) - 2

    def offset(self, line: int) -> int:
        """Return where a line begins, counted from the boundary."""
        return self._starts[line] - self._head

    def text_from(self, line: int) -> str:
        """Return the text from a line on."""
        return self._text[self._starts[line] :]

    def text_between(self, line: int, stop: int) -> str:
        """Return some lines."""
        return self._text[self._starts[line] : self._starts[stop]]

    def decide(self, placed: Placed) -> bool:
        """Tell whether the lines that open a block are complete: of a table two, else one."""
        needed = 2 if isinstance(placed.block, Table) else 1
        return placed.own_line + needed <= self.complete

    def decide_part(self, line: int) -> bool:
        """Tell whether an item or a row that begins in a line stays one, whatever follows."""
        if line < self.complete:
            return True
        return _CERTAIN_ITEM.match(self.text_from(line)) is not None


@frozen
class _OpenBlock:
    """The finished part of the block at the boundary, which begins at `start`; `line` is the boundary.

    `head` goes in front of what is still to be parsed, so that it is read as a part of this block.
    """

    start: int
    line: int
    finished: List | Table | Paragraph
    head: str = ""
    blank_before: bool = False

    def with_more(self, more: Block | None) -> Block | None:
        """Return the whole block; `None` if what follows is not a part of it."""
        finished = self.finished
        if isinstance(finished, List) and isinstance(more, List):
            return _joined_lists(finished, more, self.blank_before)
        if isinstance(finished, Table) and isinstance(more, Table):
            rows, source = finished.rows + more.rows, finished.source + more.source[2:]
            return replace(finished, rows=rows, source=source) if _is_small(rows) else None
        if isinstance(finished, Paragraph) and isinstance(more, Paragraph):
            text = finished.text + more.text.removeprefix(_ANY_LINE.strip())
            return replace(finished, text=text.strip())
        return None

    def is_at_last_part(self, whole: Block) -> bool:
        """Tell whether the boundary is in front of the last item."""
        if isinstance(whole, List) and isinstance(self.finished, List):
            return len(self.finished.items) + 1 == len(whole.items)
        return False


def _joined_lists(finished: List, more: List, blank_before: bool) -> List | None:
    if finished.items and finished.items[0].mark[-1] != more.items[0].mark[-1]:
        return None
    first = replace(more.items[0], blank_before=blank_before)
    return replace(finished, items=(*finished.items, first, *more.items[1:]))


def _open_block(lines: _Lines, placed: Placed, block: Block, start: int) -> _OpenBlock | None:
    """Return the part of the last block that no longer changes; `None` for one that is not made of parts."""
    finished = sum(1 for line in placed.parts if lines.decide_part(line))
    if isinstance(block, List) and finished:
        at = len(block.items) - len(placed.parts) + finished - 1
        done = replace(block, items=block.items[:at])
        blank_before = block.items[at].blank_before
        return _OpenBlock(start, placed.parts[finished - 1], done, blank_before=blank_before)
    if isinstance(block, Paragraph):
        return _open_paragraph(lines, block, start)
    if isinstance(block, Table) and _is_small(block.rows):
        own = placed.own_line
        at = len(block.rows) - len(placed.parts) + finished
        done_table = replace(block, rows=block.rows[:at], source=block.source[: at + 2])
        head = lines.text_between(own, own + 2)
        return _OpenBlock(start, own + 2 + finished, done_table, head)
    return None


def _open_paragraph(lines: _Lines, block: Paragraph, start: int) -> _OpenBlock | None:
    """Return all but the last line of a long paragraph, and the line that is still arriving.

    What follows a line of a paragraph is read the same whichever line that is; but the first one may begin a
    definition.
    """
    *above, last = block.text.split("\n")
    arriving = lines.text_from(lines.complete).strip()
    if arriving:
        if last != arriving or not above:
            return None
        last = above.pop()
    if len(above) < _LONG_PARAGRAPH or block.text.startswith("["):
        return None
    if last.strip() != lines.text_between(lines.complete - 1, lines.complete).strip():
        return None
    finished = replace(block, text="\n".join(above))
    return _OpenBlock(start, lines.complete - 1, finished, _ANY_LINE)


def _is_small(rows: Sequence[Row]) -> bool:
    return not rows or len(rows) * len(rows[0]) < _CELL_LIMIT


def _line_of(definition: object) -> int:
    """Return the line that a definition begins in."""
    assert isinstance(definition, dict)
    return int(definition["map"][0])


def _kept(old: Sequence[Node], new: Sequence[Node]) -> tuple[Node, ...]:
    """Return the new blocks, those that are as before as the same objects.

    Nested blocks are compared from the inside: comparing them whole would take a frame of the interpreter for
    each level, several times.
    """
    same = min(len(old), len(new))
    return (*map(_kept_block, old[:same], new[:same]), *new[same:])


def _kept_block(old: Node, new: Node) -> Node:
    if old is new:
        return old
    if isinstance(old, List) and isinstance(new, List):
        items = _kept(old.items, new.items)
        is_same = _are_same(old.items, items) and replace(old, items=()) == replace(new, items=())
        return old if is_same else replace(new, items=items)
    if isinstance(old, Quote | Item) and isinstance(new, Quote | Item):
        blocks = _kept(old.blocks, new.blocks)
        is_same = _are_same(old.blocks, blocks) and replace(old, blocks=()) == replace(
            new, blocks=()
        )
        return old if is_same else replace(new, blocks=blocks)
    return old if old == new else new


def _are_same(old: Sequence[Block], new: Sequence[Block]) -> bool:
    return len(old) == len(new) and all(map(is_, old, new))
