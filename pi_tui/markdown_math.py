"""Rules that find formulas in Markdown: `$…$`, `$$…$$`, `\\(…\\)` and `\\[…\\]`, in a line or as a block.

A block begins with a line and has no blank line in it; one that is not closed goes on up to the next, so that what
arrives later never changes what stands before it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline

BLOCK: Final = "math_block"
INLINE: Final = "math_inline"

# No longer ones, so that delimiters without end take time in proportion.
LONGEST_INLINE: Final = 1000

_CLOSING: Final = {"$$": "$$", "\\[": "\\]"}
_NOT_DOLLAR = rf"(?:\\[^\n]|[^\\$\n`]){{1,{LONGEST_INLINE}}}"
_FORMULA = re.compile(
    rf"\$\$(?P<double>{_NOT_DOLLAR})\$\$"
    rf"|\$(?!\s)(?P<single>{_NOT_DOLLAR})(?<!\s)\$(?!\d)"
    rf"|\\\((?P<round>[^\n`]{{1,{LONGEST_INLINE}}}?)\\\)"
    rf"|\\\[(?P<square>[^\n`]{{1,{LONGEST_INLINE}}}?)\\\]"
)
# `$HOME/bin$PATH` are variables of a shell, and `$a/$b` are some as well: no formula ends like that.
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]+(?![A-Za-z{\\])")
_NAME_START = re.compile(r"[A-Za-z_{]")
_BEFORE_NAME = ("/", ":", "=", "(")
_TABLE_RULE = re.compile(r" *\|? *:?-+:? *(?:\| *:?-+:? *)*\|? *")


def add_math(parser: MarkdownIt) -> None:
    """Let a parser find formulas."""
    interrupts = ["paragraph", "reference", "blockquote", "list"]
    parser.block.ruler.before("fence", BLOCK, _block, {"alt": interrupts})
    parser.inline.ruler.before("escape", INLINE, _inline)


def _inline(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] not in "$\\":
        return False
    found = _FORMULA.match(state.src, state.pos, state.posMax)
    if found is None or found.lastgroup is None:
        return _unclosed(state, silent)
    formula = found[found.lastgroup]
    after = state.src[found.end() : found.end() + 1]
    if found.lastgroup == "single" and _is_program_text(formula, after):
        return False
    if not silent:
        token = state.push(INLINE, "", 0)
        token.content, token.markup = formula, found[0]
    state.pos = found.end()
    return True


def _unclosed(state: StateInline, silent: bool) -> bool:
    """Leave a delimiter of which the other has not come as it was written; `\\[` before `]` is a bracket."""
    opening = state.src[state.pos : state.pos + 2]
    line = state.src[state.pos : state.pos + LONGEST_INLINE].partition("\n")[0]
    if opening != "\\(" and (opening != "\\[" or "]" in line):
        return False
    if not silent:
        state.pending += opening
    state.pos += len(opening)
    return True


def _is_program_text(formula: str, after: str) -> bool:
    """Tell whether what stands between two dollar signs, and goes on with `after`, are names of variables."""
    if not _NAME_START.match(after):
        return False
    both_upper = _VARIABLE.match(formula) and (after.isupper() or after in "_{")
    return bool(both_upper) or formula.endswith(_BEFORE_NAME)


def _block(state: StateBlock, startLine: int, endLine: int, silent: bool) -> bool:
    if state.is_code_block(startLine):
        return False
    line = _line(state, startLine)
    closing = _CLOSING.get(line[:2])
    if closing is None:
        return False
    first = line[2:]
    if closing in first:
        is_closed = first.index(closing) == len(first) - 2 and first != closing
        if not is_closed:
            return False
    elif closing == "\\]" and "]" in first:
        return False  # a bracket that is no link
    else:
        is_closed = False
    if silent:
        return True
    stop = startLine + 1
    while not is_closed and stop < endLine and _goes_on(state, startLine, stop):
        is_closed = _line(state, stop).endswith(closing)
        stop += 1
    state.line = stop
    token = state.push(BLOCK, "", 0)
    token.content = state.getLines(startLine, stop, state.blkIndent, False)
    token.markup = closing if is_closed else ""
    token.map = [startLine, stop]
    return True


def _line(state: StateBlock, number: int) -> str:
    """Return a line without the marks of what it is in, and without blanks around it."""
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]].rstrip(" ")


def _goes_on(state: StateBlock, start: int, number: int) -> bool:
    """Tell whether a line belongs to a block: not a blank one, nor one outside, nor one of a table."""
    if state.isEmpty(number) or state.sCount[number] < state.blkIndent:
        return False
    after = _line(state, number + 1) if number + 1 < state.lineMax else ""
    is_header = "|" in _line(state, number) and "-" in after and _TABLE_RULE.fullmatch(after)
    return not is_header
