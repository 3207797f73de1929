"""The last block of a growing text, as long as only lines of its own are added to it.

None of these parses a line twice: code that is still open takes the new lines as they are, quotes and items
pass them on without the marks in front.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Protocol

from pi_tui.markdown_tree import (
    Block,
    Code,
    Definitions,
    List,
    Quote,
    make_item,
    without_half_fence,
)

_FENCE = re.compile(r"( {0,3})(`{3,}|~{3,})")
_MARKER = re.compile(r"( {0,3}(?:[-+*]|\d{1,9}[.)]))( +)(?=[^ \n])")
_QUOTE = re.compile(r" {0,3}> ?")
_DEEPEST = 40  # levels that grow by themselves; deeper ones are parsed with the one around them


class ParseWork(Protocol):
    """Counts the lines that are parsed, for tests."""

    parsed_lines: int


# Takes what a container puts in front of a line off it, or says that the line has none; and whether it is the first.
_Strip = Callable[[str, bool], str | None]


class Growth(Protocol):
    """A block that takes what is added to the text."""

    @property
    def definitions(self) -> Definitions:
        """The definitions of links inside."""
        ...

    def grow(self, text: str) -> Block | None:
        """Return the block of `text`, which begins as it did; `None` if it is no longer only this block."""
        ...


class Nested(Protocol):
    """A document inside a block."""

    blocks: tuple[Block, ...]
    definitions: Definitions

    def update(self, text: str) -> None:
        """Take a longer text."""
        ...


def growth_of(
    text: str,
    block: Block,
    level: int,
    work: ParseWork,
    make_document: Callable[[ParseWork, int], Nested],
) -> Growth | None:
    """Return what takes more of the last block, which `text` is; of a list `text` is the last item."""
    if level > _DEEPEST:
        return None
    if isinstance(block, Code):
        fence = _FENCE.match(text)
        open_fence = fence is not None and not block.is_closed
        return _CodeGrowth(text, block, fence, work) if fence and open_fence else None
    if isinstance(block, Quote):
        inner = _Inner(make_document(work, level + 1), _without_quote_mark)
        return _QuoteGrowth(block, inner)
    marker = _MARKER.match(text) if isinstance(block, List) else None
    if marker is None or not isinstance(block, List):
        return None
    spaces = len(marker[2])
    indent = len(marker[1]) + (1 if spaces > 4 else spaces)
    return _ItemGrowth(
        block, _Inner(make_document(work, level + 2), partial(_unindented, indent=indent))
    )


class _CodeGrowth:
    """Code between a fence and the end of the text."""

    def __init__(self, text: str, block: Code, fence: re.Match[str], work: ParseWork) -> None:
        self._block = block
        self._work = work
        self._indent = len(fence[1])
        self._fence = fence[2]
        self._end = re.compile(rf" {{0,3}}{re.escape(fence[2])}{re.escape(fence[2][0])}* *")
        self._seen = text.rindex("\n") + 1
        self._code = block.text[: block.text.rfind("\n") + 1]

    @property
    def definitions(self) -> Definitions:
        """There are none in code."""
        return {}

    def grow(self, text: str) -> Code | None:
        """Take more lines, up to one that closes the fence."""
        *complete, last = text[self._seen :].split("\n")
        self._work.parsed_lines += len(complete) + 1
        if any(self._end.fullmatch(line) for line in (*complete, last)):
            return None
        for line in complete:
            self._code += self._unindented(line) + "\n"
            self._seen += len(line) + 1
        if not last.strip(" "):
            return replace(self._block, text=self._code)
        code = without_half_fence(self._code + self._unindented(last), self._fence)
        return replace(self._block, text=code)

    def _unindented(self, line: str) -> str:
        if not self._indent:
            return line
        blanks = len(line) - len(line.lstrip(" "))
        return line[min(blanks, self._indent) :]


class _Inner:
    """The document inside a block: its lines without what `strip` takes off."""

    def __init__(self, document: Nested, strip: _Strip) -> None:
        self._document = document
        self._strip = strip
        self._seen = 0
        self._text = ""

    @property
    def definitions(self) -> Definitions:
        """The definitions of links inside."""
        return self._document.definitions

    def grow(self, text: str) -> tuple[Block, ...] | None:
        """Return the blocks inside; `None` if a line does not belong to them for certain."""
        *complete, last = text[self._seen :].split("\n")
        added = ""
        is_first = not self._seen
        for line in complete:
            inner = self._strip(line, is_first)
            if inner is None:
                return None
            added += inner + "\n"
            is_first = False
        rest = self._strip(last, is_first) if last.strip(" ") else ""
        if rest is None:
            return None
        self._text += added
        self._seen = len(text) - len(last)
        self._document.update(self._text + rest)
        return self._document.blocks


class _QuoteGrowth:
    """A quote whose lines all have its mark."""

    def __init__(self, block: Quote, inner: _Inner) -> None:
        self._block = block
        self._inner = inner

    @property
    def definitions(self) -> Definitions:
        """The definitions of links inside."""
        return self._inner.definitions

    def grow(self, text: str) -> Quote | None:
        """Take more lines with the mark."""
        blocks = self._inner.grow(text)
        return replace(self._block, blocks=blocks) if blocks is not None else None


class _ItemGrowth:
    """The last item of a list, whose lines are all indented."""

    def __init__(self, block: List, inner: _Inner) -> None:
        self._block = block
        self._inner = inner

    @property
    def definitions(self) -> Definitions:
        """The definitions of links inside."""
        return self._inner.definitions

    def grow(self, text: str) -> List | None:
        """Take more lines that are indented as the item is."""
        blocks = self._inner.grow(text)
        if blocks is None:
            return None
        *others, old = self._block.items
        item = make_item(old.mark, blocks, blank_before=old.blank_before)
        return replace(self._block, items=(*others, item))


def _without_quote_mark(line: str, is_first: bool) -> str | None:
    mark = _QUOTE.match(line)
    return line[mark.end() :] if mark is not None else None


def _unindented(line: str, is_first: bool, *, indent: int) -> str | None:
    """Take the indentation of an item off a line; in the first one the mark stands there."""
    if not is_first and line[:indent].strip(" "):
        return None
    return line[indent:]
