"""Word boundaries for moving and deleting: runs of one class, where each East Asian script is a class."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from pi_tui.width import iter_graphemes, iter_graphemes_reverse

# Beside whitespace, one name a class. What is none of these counts as punctuation. Compiled when first used:
# large classes take milliseconds.
_SCRIPTS = {
    "han": "[\u2e80-\u2fd5\u3005\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufad9\U00016ff0\U00016ff1\U00020000-\U000323af]",
    "hiragana": "[\u3041-\u3096\u309d-\u309f\U0001b001-\U0001b11f\U0001b132\U0001b150-\U0001b152]",
    "katakana": "[\u30a1-\u30fa\u30fd-\u30ff\u31f0-\u31ff\uff66-\uff6f\uff71-\uff9d"
    "\U0001aff0-\U0001b000\U0001b120-\U0001b122\U0001b155\U0001b164-\U0001b167]",
    "hangul": "[\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7fb\uffa0-\uffdc]",
}
# The long vowel mark and the voicing marks belong to whichever kana stand before them.
_KANA_MARKS = frozenset("\u30fc\uff70\u3099\u309a\u309b\u309c\uff9e\uff9f")
_KANA = ("hiragana", "katakana")
_KANA_MARK = "kana mark"

# What a double click takes along with the words beside it.
_JOINERS = frozenset("/-+\\~_.")

# Text between two offsets that is never split, like the marker of a paste.
Unit = tuple[int, int]


def previous_word_start(text: str, index: int, units: Sequence[Unit] = ()) -> int:
    """Return where a move one word to the left from `index` ends: whitespace, then one run is skipped.

    Each of `units` is a word of its own.
    """
    return index - _run_length(_pieces_before(text, index, units))


def next_word_end(text: str, index: int, units: Sequence[Unit] = ()) -> int:
    """Return where a move one word to the right from `index` ends: whitespace, then one run is skipped.

    Each of `units` is a word of its own.
    """
    return index + _run_length(_pieces_after(text, index, units))


def selected_word(text: str, index: int) -> tuple[int, int]:
    """Return the start and end of the word at `index` as a double click takes it.

    `/ - + \\ ~ _ .` join what stands beside them, so that a path is one word; a full stop behind a word is not
    part of it. Whitespace is a word; any other punctuation mark is one of its own.
    """
    pieces = list(_double_click_pieces(text))
    at = next((number for number, (_, start, end) in enumerate(pieces) if start <= index < end), -1)
    if at < 0:
        return index, index
    kind, start, end = pieces[at]
    if kind == "mark":
        return start, end
    first = last = at
    while first > 0 and _joined(pieces[first - 1][0], pieces[first][0]):
        first -= 1
    while last + 1 < len(pieces) and _joined(pieces[last][0], pieces[last + 1][0]):
        last += 1
    start, end = pieces[first][1], pieces[last][2]
    stopless = start + len(text[start:end].rstrip("."))
    return start, stopless if index < stopless else end


def _double_click_pieces(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield kind, start and end of each grapheme; joiners and other marks are kinds of their own."""
    at = 0
    for kind, size in _kinds_forward(iter_graphemes(text)):
        if text[at] in _JOINERS or _is_inner_apostrophe(text, at):
            kind = "joiner"
        elif kind == "punctuation":
            kind = "mark"
        yield kind, at, at + size
        at += size


def _is_inner_apostrophe(text: str, at: int) -> bool:
    return text[at] in "'\u2019" and text[at - 1 : at].isalnum() and text[at + 1 : at + 2].isalnum()


def _joined(left: str, right: str) -> bool:
    if "mark" in (left, right):
        return False
    if "space" in (left, right):
        return left == right
    return left == right or "joiner" in (left, right)


def _run_length(pieces: Iterable[tuple[str, int]]) -> int:
    """Return the length of the whitespace and the one run that `pieces` begin with."""
    length = 0
    run = "space"
    for kind, size in pieces:
        if run != "space" and (kind != run or run == "unit"):
            break
        run = kind
        length += size
    return length


def _pieces_before(text: str, index: int, units: Sequence[Unit]) -> Iterator[tuple[str, int]]:
    for start, end in sorted(units, reverse=True):
        if start >= index:
            continue
        if end < index:
            yield from _kinds_backward(iter_graphemes_reverse(text[end:index]))
            index = end
        yield "unit", index - start
        index = start
    yield from _kinds_backward(iter_graphemes_reverse(text[:index]))


def _pieces_after(text: str, index: int, units: Sequence[Unit]) -> Iterator[tuple[str, int]]:
    for start, end in sorted(units):
        if end <= index:
            continue
        if start > index:
            yield from _kinds_forward(iter_graphemes(text[index:start]))
            index = start
        yield "unit", end - index
        index = end
    yield from _kinds_forward(iter_graphemes(text[index:]))


def _kinds_forward(graphemes: Iterable[str]) -> Iterator[tuple[str, int]]:
    previous = ""
    for grapheme in graphemes:
        kind = _kind(grapheme[0])
        if kind == _KANA_MARK and previous in _KANA:
            kind = previous
        yield kind, len(grapheme)
        previous = kind


def _kinds_backward(graphemes: Iterable[str]) -> Iterator[tuple[str, int]]:
    marks = 0
    for grapheme in graphemes:
        kind = _kind(grapheme[0])
        if kind == _KANA_MARK:
            marks += len(grapheme)
            continue
        if marks:
            yield kind if kind in _KANA else _KANA_MARK, marks
            marks = 0
        yield kind, len(grapheme)
    if marks:
        yield _KANA_MARK, marks


@lru_cache(maxsize=4096)
def _kind(character: str) -> str:
    if character.isspace():
        return "space"
    if character in _KANA_MARKS:
        return _KANA_MARK
    for name, pattern in _SCRIPTS.items():
        if re.match(pattern, character):
            return name
    is_word = character == "_" or unicodedata.category(character)[0] in "LNM"
    return "word" if is_word else "punctuation"
