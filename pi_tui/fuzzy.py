"""Match what people type against names: all characters in order, the best alignment first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

from pi_tui.frozen import frozen

T = TypeVar("T")

_WORD_BOUNDARIES = frozenset("-_./:")
_SEPARATORS = re.compile(r"[\s/]+")
_LETTERS_THEN_DIGITS = re.compile(r"([a-z]+)([0-9]+)")
_DIGITS_THEN_LETTERS = re.compile(r"([0-9]+)([a-z]+)")

_CONSECUTIVE = -5.0
_SKIPPED = 2.0
_WORD_START = -10.0
_PER_INDEX = 0.1
_EQUAL = -100.0
_SWAPPED = 5.0


@frozen
class FuzzyMatch:
    """Whether a text matches, and how well: a lower score is better."""

    matches: bool
    score: float


_NO_MATCH = FuzzyMatch(False, 0.0)


def fuzzy_match(query: str, text: str) -> FuzzyMatch:
    """Match `query` against `text`, ignoring case; an empty query matches everything with 0.

    A query of letters and digits that does not match is tried with the two swapped, so that `4gpt`
    finds `gpt-4`.
    """
    query, text = query.lower(), text.lower()
    score = _best_score(query, text)
    if score is not None:
        return FuzzyMatch(True, score)
    swapped = _LETTERS_THEN_DIGITS.fullmatch(query) or _DIGITS_THEN_LETTERS.fullmatch(query)
    if swapped is None:
        return _NO_MATCH
    score = _best_score(swapped[2] + swapped[1], text)
    return _NO_MATCH if score is None else FuzzyMatch(True, score + _SWAPPED)


def fuzzy_filter(items: Iterable[T], query: str, get_text: Callable[[T], str]) -> list[T]:
    """Return the items that match every word of `query`, best first; equals keep their order.

    Words end at blanks and slashes. A blank query returns all items as they come.
    """
    words = [word for word in _SEPARATORS.split(query) if word]
    if not words:
        return list(items)
    ranked: list[tuple[float, T]] = []
    for item in items:
        text = get_text(item)
        total = 0.0
        for word in words:
            match = fuzzy_match(word, text)
            if not match.matches:
                break
            total += match.score
        else:
            ranked.append((total, item))
    ranked.sort(key=lambda pair: pair[0])
    return [item for _, item in ranked]


def _best_score(query: str, text: str) -> float | None:
    if not query:
        return 0.0
    indices = _leftmost(query, text)
    if indices is None:
        return None
    best = _score(indices, text)
    start = text.find(query)
    while start >= 0:
        best = min(best, _score(range(start, start + len(query)), text))
        start = text.find(query, start + 1)
    return best + _EQUAL if query == text else best


def _leftmost(query: str, text: str) -> list[int] | None:
    indices: list[int] = []
    position = -1
    for character in query:
        position = text.find(character, position + 1)
        if position < 0:
            return None
        indices.append(position)
    return indices


def _score(indices: Iterable[int], text: str) -> float:
    score = 0.0
    streak = 0
    # The start of the text counts as matched: what begins there continues it.
    last = -1
    for index in indices:
        if index == last + 1:
            streak += 1
            score += _CONSECUTIVE * streak
        else:
            streak = 0
            if last >= 0:
                score += _SKIPPED * (index - last - 1)
        if index == 0 or text[index - 1].isspace() or text[index - 1] in _WORD_BOUNDARIES:
            score += _WORD_START
        score += _PER_INDEX * index
        last = index
    return score
