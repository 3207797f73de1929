"""Fuzzy matching and ranking."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_tui.fuzzy import fuzzy_filter, fuzzy_match

CASES = settings(max_examples=100)
NAMES = st.text("abcAB12-_/. ", max_size=12)


def swapped_in_order(query: str, text: str) -> bool:
    """Whether letters and digits of `query`, changed over, are in `text` in order."""
    letters = query.lower().strip("12")
    digits = query.strip("abAB")
    if not letters or not digits or query.lower() not in (letters + digits, digits + letters):
        return False
    if not letters.isalpha() or not digits.isdigit():
        return False
    rest = iter(text.lower())
    swapped = letters + digits if query[0].isdigit() else digits + letters
    return all(character in rest for character in swapped)


def identity(text: str) -> str:
    return text


@pytest.mark.parametrize(
    ("query", "text", "score"),
    [
        ("opus", "opus", -159.4),
        ("gp4", "gpt-4o", -30.5),
        ("4gpt", "gpt-4", -42.3),
        ("", "anything", 0),
        ("OPUS", "Opus", -159.4),
    ],
)
def test_scores(query: str, text: str, score: float) -> None:
    match = fuzzy_match(query, text)
    assert match.matches
    assert match.score == pytest.approx(score)


@pytest.mark.parametrize(("query", "text"), [("x", "abc"), ("ba", "ab"), ("aa", "a"), ("a", "")])
def test_a_missing_character_or_another_order_does_not_match(query: str, text: str) -> None:
    assert not fuzzy_match(query, text).matches


def test_an_exact_word_further_on_beats_scattered_letters_before_it() -> None:
    assert fuzzy_match("tab", "the xaxb tab").score < fuzzy_match("tab", "the xaxb").score


def test_the_shorter_name_comes_first() -> None:
    items = ["openrouter/anthropic/claude-opus", "opus", "gpt-4o"]
    assert fuzzy_filter(items, "opus", identity) == ["opus", "openrouter/anthropic/claude-opus"]


def test_every_word_must_match_and_words_end_at_blanks_and_slashes() -> None:
    items = ["src/main.py", "src/util.py", "docs/main.md"]
    assert fuzzy_filter(items, "main src", identity) == ["src/main.py"]
    assert fuzzy_filter(items, "src/util", identity) == ["src/util.py"]


@pytest.mark.parametrize("query", ["", "  ", "/"])
def test_a_query_without_words_returns_everything_in_its_order(query: str) -> None:
    assert fuzzy_filter(["b", "a"], query, identity) == ["b", "a"]


def test_items_of_one_score_keep_their_order() -> None:
    items = [("ab", 1), ("ab", 2), ("ab", 3)]
    assert fuzzy_filter(items, "a", lambda item: item[0]) == items


@CASES
@given(NAMES, NAMES)
def test_a_match_has_all_characters_in_order(query: str, text: str) -> None:
    rest = iter(text.lower())
    in_order = all(character in rest for character in query.lower())
    assert fuzzy_match(query, text).matches == (in_order or swapped_in_order(query, text))


@CASES
@given(st.lists(NAMES, max_size=8), NAMES)
def test_filtering_keeps_only_items_and_ranks_them_by_their_scores(
    items: list[str], query: str
) -> None:
    ranked = fuzzy_filter(items, query, identity)
    words = query.replace("/", " ").split()
    scores = [sum(fuzzy_match(word, item).score for word in words) for item in ranked]
    assert scores == sorted(scores)
    matching = [item for item in items if all(fuzzy_match(word, item).matches for word in words)]
    assert sorted(ranked) == sorted(matching)
