"""Markdown as nodes of the page, read by the grammar that draws it in the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from pi_agent.base.wire import JsonValue
from pi_agent.session.export.code import code_nodes
from pi_agent.session.export.nodes import Node, element, link_target, picture_source, plain
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
    parse_blocks,
)

# Where a text is longer, nobody reads it as Markdown, and the grammar would take seconds.
_MOST_CHARACTERS = 200_000
_ELEMENT_OF_MARK = {"bold": "strong", "italic": "em", "strikethrough": "del", "code": "code"}


def markdown_nodes(text: str) -> list[Node]:
    """Return what a text in Markdown looks like."""
    clean = plain(text).replace("\t", "    ")
    if len(clean) > _MOST_CHARACTERS:
        return [element("pre", clean)]
    placed, definitions = parse_blocks(clean)
    return _Writer(definitions).blocks(place.block for place in placed)


class _Writer:
    """Turns blocks into nodes; links are looked up in the definitions of the whole text."""

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions

    def blocks(self, blocks: Iterable[Block]) -> list[Node]:
        """Return a node for each block."""
        return [self._block(block) for block in blocks]

    def _block(self, block: Block) -> Node:
        match block:
            case Paragraph():
                return element("p", *self._inline(block.text))
            case Heading():
                return element(f"h{block.level}", *self._inline(block.text))
            case Code():
                return _code(block)
            case Formula():
                return element("pre.formula", render_latex(block.latex) or block.source)
            case Rule():
                return element("hr")
            case Html():
                return element("p.written", block.text.rstrip("\n"))
            case Quote():
                return element("blockquote", *self.blocks(block.blocks))
            case List():
                return self._list(block)
            case Table():
                return self._table(block)
            case _:
                raise AssertionError(f"a block of another kind: {block}")

    def _list(self, block: List) -> Node:
        items = [self._item(item, is_tight=not block.is_loose) for item in block.items]
        if block.start is None:
            return element("ul", *items)
        return element("ol", *items, start=block.start)

    def _item(self, item: Item, *, is_tight: bool) -> Node:
        children: list[Node] = []
        for block in item.blocks:
            if is_tight and isinstance(block, Paragraph):
                children += self._inline(block.text)
            else:
                children.append(self._block(block))
        if not item.task:
            return element("li", *children)
        return element(
            "li.task", element("span.box", "☑ " if item.task == "x" else "☐ "), *children
        )

    def _table(self, table: Table) -> Node:
        return element(
            "table",
            element("thead", self._row("th", table.header)),
            element("tbody", *(self._row("td", row) for row in table.rows)),
        )

    def _row(self, cell: str, texts: Sequence[str]) -> Node:
        return element("tr", *(element(cell, *self._inline(text)) for text in texts))

    def _inline(self, text: str) -> list[Node]:
        nodes: list[Node] = []
        for number, line in enumerate(read_inline(text, self._definitions)):
            if number:
                nodes.append(element("br"))
            # The address behind a link's text is for terminals that know no links.
            nodes += [_span(span) for span in line if "link_url" not in span.marks]
        return nodes


def _span(span: Span) -> Node:
    names = [_ELEMENT_OF_MARK[mark] for mark in span.marks if mark in _ELEMENT_OF_MARK]
    inner: Node = span.text
    if span.image:
        inner = _picture(span)
    node = reduce(lambda node, name: element(name, node), reversed(names), inner)
    target = link_target(span.href) if span.href else None
    return node if target is None else element("a", node, href=target)


def _picture(span: Span) -> Node:
    """Return a picture that is in the text; of others the description, which leads to them."""
    source = picture_source(span.image)
    if source is not None:
        return element("img", src=source, alt=span.text)
    target = None if span.href else link_target(span.image)
    text = f"🖼 {span.text}"
    return text if target is None else element("a", text, href=target)


def _code(block: Code) -> JsonValue:
    language = block.info.partition(" ")[0]
    return element("pre.code", *code_nodes(block.text, language))
