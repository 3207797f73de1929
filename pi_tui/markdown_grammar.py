"""The door of markdown-it-py: CommonMark with tables and strikethrough, and emphasis that works beside Chinese.

Only `pi_tui.markdown_tree` and `pi_tui.markdown_inline` import this, when the first Markdown is parsed. A
document is parsed block by block; what stands inside a paragraph is parsed when it is drawn.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Scanned
from markdown_it.token import Token

from pi_tui.markdown_math import add_math

__all__ = ["Token", "block_tokens", "inline_tokens"]

# What a parse finds besides tokens: definitions of links, under "references".
Environment = dict[str, Any]  # the library's own type says no more

# Levels of containers; the library's 20 would drop lists from the tenth level on. Spans need fewer, and brackets
# without end take time in proportion.
_BLOCK_NESTING = 200
_INLINE_NESTING = 20

# Characters that some rule of ours starts at. The library stops at each that an extension might use.
_INLINE_STARTS = re.compile(r"[\n!$&*<\[\\\]_`~]")

# Blocks to whose content a line break at the very end belongs.
_KEEPS_LAST_BREAK = ("fence", "html_block")

# Scripts that are written without spaces, and their punctuation.
_UNSPACED = re.compile(
    "[\u1100-\u11ff\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef"
    "\U0001b000-\U0001b2ff\U00020000-\U0003ffff]"
)


def block_tokens(text: str, level: int, *, math: bool) -> tuple[list[Token], Environment]:
    """Return the tokens of the blocks of `text`, as they are inside `level` containers, and the definitions.

    With `math` there may be formulas among them.
    """
    if not text:
        return [], {}
    try:
        return _block_tokens(text, level, math)
    except IndexError:
        # Some rules of the library look at the character behind a text that ends inside a quote
        # (executablebooks/markdown-it-py#415); behind a line break they find the end.
        tokens, environment = _block_tokens(text + "\n", level, math)
        for token in tokens:
            if (
                token.type in _KEEPS_LAST_BREAK
                and token.map
                and token.map[1] == text.count("\n") + 1
            ):
                token.content = token.content.removesuffix("\n")
        return tokens, environment


def _block_tokens(text: str, level: int, math: bool) -> tuple[list[Token], Environment]:
    tokens: list[Token] = []
    environment: Environment = {}
    parser = _parser(_BLOCK_NESTING, math)
    state = StateBlock(text, parser, environment, tokens)
    state.level = level
    parser.block.tokenize(state, 0, state.lineMax)
    return tokens, environment


def inline_tokens(text: str, environment: Environment, *, math: bool) -> list[Token]:
    """Return the tokens of what stands in a paragraph."""
    tokens: list[Token] = []
    parser = _parser(_INLINE_NESTING, math)
    state = _InlineState(text, parser, environment, tokens)
    parser.inline.tokenize(state)
    for rule in parser.inline.ruler2.getRules(""):
        rule(state)
    return state.tokens


@cache
def _parser(nesting: int, math: bool) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": nesting})
    parser.enable(["table", "strikethrough"])
    parser.inline.terminator_re = _INLINE_STARTS
    if math:
        add_math(parser)
    return parser


class _InlineState(StateInline):
    """Emphasis as in CommonMark, except that a neighbour of an unspaced script is as good as a space.

    By the letter of CommonMark `**「未来」**です` is not bold: punctuation inside, a letter outside.
    """

    def scanDelims(self, start: int, canSplitWord: bool) -> Scanned:  # the library's names
        """Tell whether the marks at `start` can open and close emphasis, and how many they are."""
        scanned = super().scanDelims(start, canSplitWord)
        before = self.src[start - 1] if start else " "
        end = start + scanned.length
        after = self.src[end] if end < self.posMax else " "
        if before.isascii() and after.isascii():
            return scanned
        opens = not after.isspace() and (_is_unspaced(after) or _is_unspaced(before))
        closes = not before.isspace() and (_is_unspaced(before) or _is_unspaced(after))
        can_split = canSplitWord
        return Scanned(
            scanned.can_open or (can_split and opens),
            scanned.can_close or (can_split and closes),
            scanned.length,
        )


def _is_unspaced(character: str) -> bool:
    return _UNSPACED.match(character) is not None
