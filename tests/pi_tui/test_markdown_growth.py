"""A text that grows has the blocks of the whole text, and a piece more costs a piece of its last block."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.components.markdown_text import MarkdownWork
from pi_tui.markdown_growth import GrowingMarkdown
from pi_tui.markdown_tree import Definitions, parse_blocks
from tests.pi_tui.markdown_texts import documents, pieces


def targets(definitions: Definitions) -> dict[str, object]:
    return {label: (known["href"], known["title"]) for label, known in definitions.items()}


def assert_grows_like_the_whole(parts: Iterable[str]) -> None:
    growing = GrowingMarkdown(MarkdownWork())
    text = ""
    for part in parts:
        text += part
        growing.update(text)
        placed, definitions = parse_blocks(text)
        assert growing.blocks == tuple(block.block for block in placed), text
        assert targets(growing.definitions) == targets(definitions), text


@settings(max_examples=150)
@given(pieces)
def test_any_syntax_in_any_order(parts: list[str]) -> None:
    assert_grows_like_the_whole(part.replace("\t", " ").replace("\r", "") for part in parts)


@settings(max_examples=40)
@given(documents, st.integers(0, 2**32))
def test_documents_cut_anywhere(text: str, seed: int) -> None:
    assert_grows_like_the_whole(cut(text, random.Random(seed)))


def cut(text: str, chance: random.Random) -> Iterable[str]:
    position = 0
    while position < len(text):
        size = chance.choice([1, 1, 2, 3, 8, 20])
        yield text[position : position + size]
        position += size


@pytest.mark.parametrize(
    "text",
    [
        "+ p\n---\n",
        "para\n| a |\n|-|\nx\n",
        '[a]: /u\n"title\nmore"\n\n[a]\n',
        "- a\n\n  [b]: /u\n\n- [b]\n",
        "> a\nlazy\n> b\n",
        "1. a\n   ```\n   x\n  ```\n",
        "- a\n\n\n      code\n- b\n",
        "- a\n- -\n- - -\n",
        "1. a\n2. b\n   c\n2) d\n",
        "* a\n* b\n* * *\n",
        "line\n" * 12 + "===\n",
        "line\n" * 12 + "a | b\n--|--\n1 | 2\n",
        "line  \n" * 12 + "- item\n\u00a0\nmore\n" * 2,
        "line\n" * 12 + "\u00a0\n\u00a0\n  - x\n" + "more\n" * 12 + "\n\nnext\n",
        "[line\n" * 12 + "]: /u\n",
        "```\ncode\n``\n```x\n```\nafter\n",
    ],
)
def test_texts_whose_meaning_changes_late(text: str) -> None:
    assert_grows_like_the_whole(text)


@pytest.mark.parametrize(
    "text",
    [
        "> 1. <!-- c\n>",
        "> | a | b |\n> |---|---|\n>",
        "> - # h\n> ",
        "> > <b>\n> >",
        ">     x\n>",
        "> 1. ```\n>    x\n>",
    ],
)
def test_a_text_may_end_with_the_mark_of_a_quote(text: str) -> None:
    assert_grows_like_the_whole(text)


def test_blocks_that_stay_the_same_are_the_same_objects() -> None:
    growing = GrowingMarkdown(MarkdownWork())
    growing.update("# A\n\npara\n\n- one\n- two\n\nlast")
    before = growing.blocks
    growing.update("# A\n\npara\n\n- one\n- two\n\nlast words")
    assert [new is old for new, old in zip(growing.blocks, before, strict=True)] == [
        *[True] * 3,
        False,
    ]


@pytest.mark.parametrize(
    ("text", "piece", "most"),
    [
        ("text\n\n" * 500 + "last", " word", 3),
        ("```py\n" + "x = 1\n" * 2000, "y", 2),
        ("- item\n" * 500 + "- last", " word", 3),
        ("- item\n  - inner\n" * 300 + "- last\n" + "  - inner\n" * 300 + "  - in", "ner", 4),
        ("- item\n" + "  - inner\n" * 300 + "- ne", "w", 2),
        ("- item\n\n  ```\n" + "  x = 1\n" * 2000 + "  ", "y", 3),
        ("line of text\n" * 500 + "last", " word", 3),
        ("> line of text\n" * 500 + "> last", " word", 3),
        ("> text\n>\n" * 500 + "> last", " word", 3),
        ("| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 500 + "| ", "x", 3),
    ],
)
def test_a_piece_more_parses_a_few_lines(text: str, piece: str, most: int) -> None:
    work = MarkdownWork()
    growing = GrowingMarkdown(work)
    growing.update(text)
    growing.update(text + piece)  # what the growth of the last block starts from
    text += piece
    for _ in range(5):
        before = work.parsed_lines
        text += piece
        growing.update(text)
        assert work.parsed_lines - before <= most
